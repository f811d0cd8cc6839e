//! From the text of a target to symbols (docs/graph.md §2).

mod accepted;
mod file;
mod left_out;
mod nearest;
mod position;
mod suffix;

use codeweft_db::{DeclarationRange, File, Lang, NodeKind, SymbolId, UnitKind};

use crate::answer::{ApiError, ErrorType, Operation};
use crate::languages::spelling;
use crate::pattern::{Pattern, Wild, plain_path};
use crate::query_context::QueryContext;
use crate::targets_of_sites::without_numbers;

/// How many candidates an error lists.
const MOST_CANDIDATES: usize = 20;

/// How many symbols a pattern may fit.
const MOST_FITS: usize = 10_000;

/// What a target stands for.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The symbols, in order of id; several of twins, of a pattern, a directory or a file. Of a local the
    /// function around it.
    pub(crate) symbols: Vec<SymbolId>,
    /// The resolved id; a set as it was given.
    pub(crate) printed: String,
    /// A file that stands for what it declares, seen from outside of it.
    pub(crate) file: Option<File>,
    /// A local variable, parameter or constant, or what is left out.
    pub(crate) local: Option<LocalTarget>,
}

/// What is declared and is no symbol: a name that a function declares for itself, or a declaration
/// of a file that the configuration leaves out.
#[derive(Clone, Debug)]
pub(crate) struct LocalTarget {
    /// Its name.
    pub(crate) name: String,
    /// Its kind.
    pub(crate) kind: NodeKind,
    /// Visible outside its package by its name alone.
    pub(crate) public: bool,
    /// Whether the configuration leaves it out.
    pub(crate) left_out: bool,
    /// Where it is declared.
    pub(crate) place: DeclarationRange,
}

impl QueryContext<'_> {
    /// The symbols that a target names, if the operation takes them.
    pub(crate) fn target(&self, operation: Operation, text: &str) -> Result<Target, ApiError> {
        let target = self.find(operation, text.trim())?;
        self.accepted(operation, text.trim(), target)
    }

    fn find(&self, operation: Operation, text: &str) -> Result<Target, ApiError> {
        let (langs, plain) = self.spoken(text);
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
            [symbol] => return Ok(self.meant_by(symbol, &plain)),
            _ => return Err(self.ambiguous(text, &full)),
        }
        if let Some(found) = self.left_out_twin(&langs, &plain) {
            return Ok(found);
        }
        if let Some(found) = self.package_target(operation, &langs, text, &plain)? {
            return Ok(found);
        }
        match Pattern::parse("target", &plain)? {
            Pattern::Wild(wild) => self.fitting(operation, &langs, text, wild),
            Pattern::Plain(_) => self.by_suffix(operation, &langs, text, &plain),
        }
    }

    /// The languages that a target may be of, and the target without the prefix that says so.
    fn spoken<'t>(&self, text: &'t str) -> (Vec<Lang>, &'t str) {
        let langs = self.languages.0.iter().map(|room| room.lang());
        for lang in langs.clone() {
            if let Some(rest) = text.strip_prefix(spelling(lang).prefix) {
                return (vec![lang], rest);
            }
        }
        (langs.collect(), text)
    }

    fn one(&self, symbol: SymbolId) -> Target {
        Target {
            symbols: vec![symbol],
            printed: self.distinct_id(symbol),
            file: None,
            local: None,
        }
    }

    /// The twins of a symbol that an id, or the end of one, means.
    fn meant_by(&self, symbol: SymbolId, written: &str) -> Target {
        let symbols = self.meant(symbol, written);
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

    /// A symbol with all of its twins: whoever points at one means all.
    fn pointed_at(&self, symbol: SymbolId) -> Target {
        self.meant_by(symbol, "")
    }

    fn several(&self, symbols: Vec<SymbolId>, text: &str) -> Target {
        let symbols = self.in_order(symbols);
        match symbols[..] {
            [symbol] => self.one(symbol),
            _ => Target {
                symbols,
                printed: text.to_owned(),
                file: None,
                local: None,
            },
        }
    }

    /// A package by import path, directory or file.
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
            if import_path == plain && unit.kind(self.db) == UnitKind::Base {
                by_path.extend(self.own_package(unit));
            }
            if **unit.dir(self.db) == *dir {
                match unit.kind(self.db) {
                    UnitKind::XTest => tests_in_dir.extend(self.packages_in(unit)),
                    _ => by_dir.extend(self.packages_in(unit)),
                }
            }
        }
        let found = [by_path, by_dir, tests_in_dir];
        if let Some(found) = found.into_iter().find(|found| !found.is_empty()) {
            return Ok(Some(self.several(found, text)));
        }
        let Some(file) = self.find_file(text)? else {
            return Ok(None);
        };
        self.file_target(operation, file)
    }

    /// Everything that fits a pattern as a whole; of libraries only where nothing of the
    /// workspace fits, and only what the operation takes where anything does.
    fn fitting(
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
                if !wild.could_fit_in(names.text(unit.name(self.db))) {
                    continue;
                }
                let symbols = self.symbols(unit);
                let rows = symbols.rows.iter();
                let rows = rows.filter(|row| wild.could_fit(names.text(row.name)));
                let fitting = rows.map(|row| row.symbol);
                found.extend(fitting.filter(|&symbol| pattern.fits(&self.id(symbol))));
                if found.len() > MOST_FITS {
                    return Err(ApiError::new(
                        ErrorType::LimitExceeded,
                        format!("target: {text} fits more than {MOST_FITS} symbols"),
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
                return Ok(self.several(if taken.is_empty() { found } else { taken }, text));
            }
        }
        Err(self.not_found(langs, text, text))
    }

    fn ambiguous(&self, text: &str, symbols: &[SymbolId]) -> ApiError {
        let candidates = self.in_order(symbols.to_vec());
        let total = candidates.len();
        let candidates = candidates.into_iter().take(MOST_CANDIDATES);
        ApiError::new(
            ErrorType::AmbiguousTarget,
            format!("{text} fits {total} symbols"),
            "ask with one of the candidates",
        )
        .with_candidates(candidates.map(|symbol| self.distinct_id(symbol)).collect())
    }
}

/// A target without what Go prints around names: `(*T).M` is `T.M`, `T[int].M` too.
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
