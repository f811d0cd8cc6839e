//! Resolution of targets: from the text of a request to symbols (docs/graph.md §2).
//!
//! The forms are tried in this order; the first that resolves wins:
//!
//! ```text
//! src/a.go:12:5          position: the symbol at a line and column       position.rs
//! net/http.Server.Close  full id
//! os.Getpid@proc_linux   declaration of an excluded file                 excluded.rs
//! net/http, src/net, a.go  package by import path, folder or file        file.rs
//! *.Close, %Handler%     pattern: all matching ids
//! Server.Close           suffix of an id at `.` or `/`                   suffix.rs
//! ```
//!
//! A name with several definitions (Python's conditional `def`s, Go's `init`) resolves to all of
//! them unless the text has a number: `m.f` means all, `m.f#2` the second. If nothing fits, the
//! error lists the nearest names.

mod accepted;
mod excluded;
mod file;
mod nearest;
mod position;
mod suffix;

use codeweft_db::{DeclarationRange, File, Lang, NodeKind, SymbolId, UnitKind};

use crate::answer::{ApiError, ErrorType, Operation};
use crate::pattern::{Pattern, Wild, plain_path};
use crate::query_context::QueryContext;
use crate::targets_of_sites::without_numbers;

/// How many candidates an error lists.
const MAX_CANDIDATES: usize = 20;

/// How many symbols a pattern may match.
const MAX_PATTERN_MATCHES: usize = 10_000;

/// A resolved target.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The symbols, by id; several for redefined names, patterns, folders and files. For a local
    /// the enclosing function.
    pub(crate) symbols: Vec<SymbolId>,
    /// The resolved id; for a set the text as given.
    pub(crate) printed: String,
    /// The file, if the target is a file: it means the file's declarations as seen from outside of
    /// it.
    pub(crate) file: Option<File>,
    /// A local variable, parameter or constant, or an excluded declaration.
    pub(crate) local: Option<LocalTarget>,
}

/// A declaration without a symbol: a local of a function, or a declaration of an excluded file.
#[derive(Clone, Debug)]
pub(crate) struct LocalTarget {
    /// The name.
    pub(crate) name: String,
    /// The kind.
    pub(crate) kind: NodeKind,
    /// Whether the name alone makes it visible outside its package.
    pub(crate) public: bool,
    /// Whether the build configuration excludes its file.
    pub(crate) excluded: bool,
    /// The range of the declaration.
    pub(crate) range: DeclarationRange,
}

impl QueryContext<'_> {
    /// Resolves a target and checks that the operation takes it.
    pub(crate) fn target(&self, operation: Operation, text: &str) -> Result<Target, ApiError> {
        let target = self.find(operation, text.trim())?;
        self.accepted(operation, text.trim(), target)
    }

    fn find(&self, operation: Operation, text: &str) -> Result<Target, ApiError> {
        let (langs, plain) = self.split_language_prefix(text);
        if let Some(found) = self.position(plain)? {
            return Ok(found);
        }
        let plain = normalised(plain);
        let full: Vec<SymbolId> = langs
            .iter()
            .filter_map(|&lang| self.by_id_in(lang, &plain))
            .collect();
        match full[..] {
            [] => {}
            [symbol] => return Ok(self.target_of_id(symbol, &plain)),
            _ => return Err(self.ambiguous(text, &full)),
        }
        if let Some(found) = self.excluded_by_id(&langs, &plain) {
            return Ok(found);
        }
        if let Some(found) = self.package_target(operation, &langs, text, &plain)? {
            return Ok(found);
        }
        match Pattern::parse("target", &plain)? {
            Pattern::Wild(wild) => self.matching(operation, &langs, text, wild),
            Pattern::Plain(_) => self.by_suffix(operation, &langs, text, &plain),
        }
    }

    /// Splits off a language prefix (`go:`, `py:`); returns the possible languages and the rest.
    fn split_language_prefix<'t>(&self, text: &'t str) -> (Vec<Lang>, &'t str) {
        let langs = self.languages.0.iter().map(|language| language.lang());
        for lang in langs.clone() {
            if let Some(rest) = text.strip_prefix(lang.id_prefix) {
                return (vec![lang], rest);
            }
        }
        (langs.collect(), text)
    }

    fn single_target(&self, symbol: SymbolId) -> Target {
        Target {
            symbols: vec![symbol],
            printed: self.distinct_id(symbol),
            file: None,
            local: None,
        }
    }

    /// Returns the target of a symbol found by an id or the end of one: all its redefinitions, or
    /// those with the written numbers.
    fn target_of_id(&self, symbol: SymbolId, written: &str) -> Target {
        let symbols = self.definitions_of_id(symbol, written);
        let first = self.distinct_id(symbols.first().copied().unwrap_or(symbol));
        let all = symbols.len() > 1 && !written.contains('#');
        Target {
            printed: match all {
                true => without_numbers(&first),
                false => first,
            },
            symbols: self.in_order(symbols),
            file: None,
            local: None,
        }
    }

    /// Returns the target of a symbol found by position: all its redefinitions.
    fn target_of_symbol(&self, symbol: SymbolId) -> Target {
        self.target_of_id(symbol, "")
    }

    fn set_target(&self, symbols: Vec<SymbolId>, text: &str) -> Target {
        let symbols = self.in_order(symbols);
        match symbols[..] {
            [symbol] => self.single_target(symbol),
            _ => Target {
                symbols,
                printed: text.to_owned(),
                file: None,
                local: None,
            },
        }
    }

    /// Resolves a package by import path, folder or file.
    fn package_target(
        &self,
        operation: Operation,
        langs: &[Lang],
        text: &str,
        plain: &str,
    ) -> Result<Option<Target>, ApiError> {
        let dir = plain_path(text);
        let mut by_path = Vec::new();
        let mut by_dir = Vec::new();
        let mut tests_in_dir = Vec::new();
        for &unit in self.units.all.iter() {
            if !langs.contains(&unit.lang(self.db)) {
                continue;
            }
            let import_path = self.db.shared().names.text(unit.import_path(self.db));
            if import_path == plain && unit.kind(self.db) == UnitKind::BASE {
                by_path.extend(self.own_package(unit));
            }
            if **unit.dir(self.db) == *dir {
                match unit.kind(self.db).is_separate() {
                    true => tests_in_dir.extend(self.packages_in(unit)),
                    false => by_dir.extend(self.packages_in(unit)),
                }
            }
        }
        let found = [by_path, by_dir, tests_in_dir];
        if let Some(found) = found.into_iter().find(|found| !found.is_empty()) {
            return Ok(Some(self.set_target(found, text)));
        }
        let Some(file) = self.find_file(text)? else {
            return Ok(None);
        };
        self.file_target(operation, file)
    }

    /// Returns all symbols whose whole id matches a pattern: libraries only if nothing of the
    /// workspace matches, and only what the operation takes if there is any.
    fn matching(
        &self,
        operation: Operation,
        langs: &[Lang],
        text: &str,
        wild: Wild,
    ) -> Result<Target, ApiError> {
        let names = &self.db.shared().names;
        let pattern = Pattern::Wild(wild.clone());
        for external in [false, true] {
            let mut found = Vec::new();
            for &unit in self.units.all.iter() {
                if !langs.contains(&unit.lang(self.db)) || self.is_library(unit) != external {
                    continue;
                }
                if !wild.may_match_in_package(names.text(unit.name(self.db))) {
                    continue;
                }
                let symbols = self.symbols(unit);
                let rows = symbols.rows.iter();
                let rows = rows.filter(|row| wild.may_match_name(names.text(row.name)));
                let matching = rows.map(|row| row.symbol);
                found.extend(matching.filter(|&symbol| pattern.matches(&self.id(symbol))));
                if found.len() > MAX_PATTERN_MATCHES {
                    return Err(ApiError::new(
                        ErrorType::LimitExceeded,
                        format!("target: {text} fits more than {MAX_PATTERN_MATCHES} symbols"),
                        "give a longer pattern",
                    ));
                }
            }
            if !found.is_empty() {
                let taken: Vec<_> = found
                    .iter()
                    .copied()
                    .filter(|&symbol| self.takes(operation, symbol))
                    .collect();
                return Ok(self.set_target(if taken.is_empty() { found } else { taken }, text));
            }
        }
        Err(self.not_found(langs, text, text))
    }

    fn ambiguous(&self, text: &str, symbols: &[SymbolId]) -> ApiError {
        let candidates = self.in_order(symbols.to_vec());
        let total = candidates.len();
        let candidates = candidates.into_iter().take(MAX_CANDIDATES);
        ApiError::new(
            ErrorType::AmbiguousTarget,
            format!("{text} fits {total} symbols"),
            "ask with one of the candidates",
        )
        .with_candidates(candidates.map(|symbol| self.distinct_id(symbol)).collect())
    }
}

/// Normalises Go's printed receivers and instances: `(*T).M` and `T[int].M` become `T.M`.
fn normalised(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut brackets = 0usize;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '[' => brackets += 1,
            ']' if brackets > 0 => brackets -= 1,
            _ if brackets > 0 => {}
            '(' => {
                letters.next_if_eq(&'*');
            }
            ')' => {}
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn receivers_and_type_arguments_are_dropped() {
        assert_eq!(normalised("p.(*T).M"), "p.T.M");
        assert_eq!(normalised("(T).M"), "T.M");
        assert_eq!(normalised("p.List[map[string][]int].Add"), "p.List.Add");
        assert_eq!(normalised("p.*.M"), "p.*.M");
    }
}
