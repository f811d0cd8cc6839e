//! The declarations that a text matches, the best first.

use std::sync::Arc;

use codeweft_db::{Db, Lang, NameId, Names, NodeKind, SymbolClass, SymbolId, Unit};

use super::letters::{Letters, MatchQuality};
use crate::covered_languages::Languages;
use crate::query_context::QueryContext;
use crate::symbols;

/// A text to search for.
pub(crate) struct SearchText {
    /// The name.
    name: Letters,
    /// The container, if one is written.
    around: Option<Letters>,
}

impl SearchText {
    /// Reads a text: `ReadAll`, or with a container `io.ReadAll`.
    pub(crate) fn new(text: &str) -> SearchText {
        let (around, name) = match text.trim().rsplit_once(['.', '/']) {
            Some((around, name)) => (Some(around), name),
            None => (None, text),
        };
        SearchText {
            name: Letters::new(name),
            around: around.map(Letters::new),
        }
    }

    /// Returns the names that are the whole name as it is written, or with a capital first.
    pub(crate) fn whole_names(&self, names: &Names) -> Vec<NameId> {
        let written = self.name.text();
        let mut letters = written.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let capital: String = first.chain(letters).collect();
        let mut found: Vec<NameId> = [written, capital]
            .iter()
            .filter_map(|name| names.get(name))
            .collect();
        found.dedup();
        found
    }

    /// Returns whether the container of a declaration is one that matches.
    pub(crate) fn is_within(&self, container: &str) -> bool {
        let around = self.around.as_ref();
        around.is_none_or(|around| around.quality(container).is_some())
    }
}

/// A match.
struct Ranked<'n> {
    quality: MatchQuality,
    /// Whether a package has the name by its clause alone.
    by_clause: bool,
    name: &'n str,
    /// Whether the container is another one than what was written.
    elsewhere: bool,
    /// The number of the unit among all.
    unit: u32,
    /// The number of the row in the unit.
    row: u32,
    symbol: SymbolId,
}

impl Ranked<'_> {
    /// Returns the sort key.
    fn rank(&self) -> (MatchQuality, bool, usize, &str, bool, u32, u32) {
        (
            self.quality,
            self.by_clause,
            self.name.len(),
            self.name,
            self.elsewhere,
            self.unit,
            self.row,
        )
    }
}

/// Returns the declarations of these languages that a text matches, the best first. With `most` at
/// most so many, and those of libraries are looked for only if the workspace has fewer.
pub(crate) fn search(
    query: &QueryContext<'_>,
    text: &SearchText,
    langs: &[Lang],
    most: Option<usize>,
) -> Vec<SymbolId> {
    let most = most.unwrap_or(usize::MAX);
    let mut symbols = Vec::new();
    for library in [false, true] {
        if symbols.len() >= most {
            break;
        }
        let mut found = matches(query, text, langs, library);
        query.db.unwind_if_cancelled();
        found.sort_unstable_by(|one, other| one.rank().cmp(&other.rank()));
        let left = most - symbols.len();
        symbols.extend(found.into_iter().take(left).map(|one| one.symbol));
    }
    symbols
}

/// Returns the matches of libraries or of the workspace, in no order.
fn matches<'q>(
    query: &'q QueryContext<'_>,
    text: &SearchText,
    langs: &[Lang],
    library: bool,
) -> Vec<Ranked<'q>> {
    let names = &query.db.shared().names;
    let units = query.units.all.iter().copied().zip(0..);
    let units: Vec<(Unit, u32)> = units
        .filter(|&(unit, _)| {
            langs.contains(&unit.lang(query.db)) && symbols::is_library(query, unit) == library
        })
        .collect();
    let found = query.map(&units, |languages, db, &unit| {
        named_in(languages, db, names, unit, text)
    });
    let mut found: Vec<Ranked<'q>> = found.into_iter().flatten().collect();
    if let Some(around) = &text.around {
        found.retain_mut(|one| {
            let containers = containers(query, one.symbol);
            one.elsewhere = !containers.iter().any(|container| around.end(container));
            let mut containers = containers.iter();
            containers.any(|container| around.quality(container).is_some())
        });
    }
    found
}

/// Returns the declarations of a unit whose own names match.
fn named_in<'n>(
    languages: Languages<'_>,
    db: &dyn Db,
    names: &'n Names,
    (unit, number): (Unit, u32),
    text: &SearchText,
) -> Vec<Ranked<'n>> {
    let mut found = Vec::new();
    let Some(language) = languages.of(unit.lang(db)) else {
        return found;
    };
    if unit.files(db).is_empty() {
        return found;
    }
    let clause = language.package_clause(db, unit);
    let clause = clause.map(|clause| names.text(clause));
    let symbols = language.symbols(db, unit);
    for (row, at) in symbols.rows.iter().zip(0..) {
        let mut name = names.text(row.name);
        let mut quality = None;
        let mut by_clause = false;
        if row.kind == NodeKind::Package {
            name = name.rsplit(['.', '/']).next().unwrap_or(name);
            quality = text.name.quality(name);
            if let Some(clause) = clause.filter(|&clause| clause != name)
                && let Some(other) = text.name.quality(clause)
                && quality.is_none_or(|own| other < own)
            {
                (name, quality, by_clause) = (clause, Some(other), true);
            }
        } else if !name.starts_with('<') {
            quality = text.name.quality(name);
        }
        found.extend(quality.map(|quality| Ranked {
            quality,
            by_clause,
            name,
            elsewhere: false,
            unit: number,
            row: at,
            symbol: row.symbol,
        }));
    }
    found
}

/// Returns the ids of a declaration's container: of its type or function, else of its package; for a
/// package the beginning of its own id. The second, if there is one, has the name of the package
/// clause instead of the package's id.
fn containers(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<Arc<str>> {
    if query.key(symbol).class == SymbolClass::Package {
        let id = symbols::id(query, symbol);
        let around = id.rsplit_once(['.', '/']).map_or("", |(around, _)| around);
        return vec![around.into()];
    }
    let container = symbols::container(query, symbol);
    let mut containers = vec![container.clone()];
    if let Some((unit, _)) = query.row(symbol)
        && let Some(language) = query.languages.of(unit.lang(query.db))
        && let Some(clause) = language.package_clause(query.db, unit)
    {
        let names = &query.db.shared().names;
        let (clause, package) = (names.text(clause), names.text(unit.name(query.db)));
        if let Some(inside) = container.strip_prefix(package)
            && package.rsplit('/').next() != Some(clause)
        {
            containers.push(format!("{clause}{inside}").into());
        }
    }
    containers
}
