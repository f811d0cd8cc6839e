//! Declarations by a part of their name.

use std::collections::BinaryHeap;

use codeweft_db::{Db as _, NodeKind, Origin, Unit, UnitGraph};
use codeweft_vfs::Encoding;

use super::data::SymbolItem;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Declarations whose names match, best first, at most `most`: every letter of the query stands
/// in the name, in order. A capital in the query is one in the name; a small letter may be
/// either. What stands before the last `.` or `/` of the query is looked for in what the name
/// is declared in. The workspace goes before libraries; then equal names, names that begin so,
/// names with all letters at begins of words, names that hold the query in one piece, the
/// rest; shorter ones first.
pub fn search(
    snapshot: &Snapshot<'_>,
    query: &str,
    most: usize,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let Some(universe) = UnitGraph::try_get(snapshot.db()) else {
        return Vec::new();
    };
    let (around, query) = match query.trim().rsplit_once(['.', '/']) {
        Some((around, query)) => (Some(Query::new(around)), Query::new(query)),
        None => (None, Query::new(query.trim())),
    };
    let asked = EditorQuery::new(snapshot, encoding);
    let mut best = TopMatches::new(most);
    for (number, &unit) in universe.units(snapshot.db()).iter().enumerate() {
        snapshot.check();
        search_unit(
            snapshot,
            &asked,
            unit,
            number as u32,
            &query,
            &around,
            &mut best,
        );
    }
    let units = universe.units(snapshot.db());
    let found = best.sorted().into_iter().filter_map(|found| {
        snapshot.check();
        let unit = *units.get(found.unit as usize)?;
        let symbols = snapshot
            .db()
            .tables()
            .language(unit.lang(snapshot.db()))?
            .symbols(snapshot.db(), unit);
        asked.item(symbols.rows.get(found.row as usize)?.symbol)
    });
    found.collect()
}

fn search_unit<'n>(
    snapshot: &'n Snapshot<'_>,
    asked: &EditorQuery<'_>,
    unit: Unit,
    number: u32,
    query: &Query,
    around: &Option<Query>,
    best: &mut TopMatches<'n>,
) {
    let Some(language) = snapshot.db().tables().language(unit.lang(snapshot.db())) else {
        return;
    };
    let library = unit.origin(snapshot.db()) == Origin::Library;
    if unit.files(snapshot.db()).is_empty() || library && best.is_full_without_libraries() {
        return;
    }
    let symbols = language.symbols(snapshot.db(), unit);
    let shared = snapshot.db().shared();
    for (at, row) in symbols.rows.iter().enumerate() {
        let mut name = shared.names.text(row.name);
        if row.kind == NodeKind::Package {
            name = name.rsplit(['.', '/']).next().unwrap_or(name);
        }
        let Some(fit) = query.fit(name) else {
            continue;
        };
        let found = Ranked {
            library,
            fit,
            length: name.len() as u32,
            name,
            unit: number,
            row: at as u32,
        };
        if !best.would_take(&found) || name.starts_with('<') {
            continue;
        }
        if let Some(around) = around
            && around.fit(&asked.graph.container(row.symbol)).is_none()
        {
            continue;
        }
        best.take(found);
    }
}

/// How well a name matches; the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum MatchQuality {
    Equal,
    Prefix,
    WordBegins,
    Piece,
    Subsequence,
}

/// A match. The order is that of the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ranked<'n> {
    library: bool,
    fit: MatchQuality,
    length: u32,
    name: &'n str,
    unit: u32,
    row: u32,
}

/// The best matches so far.
struct TopMatches<'n> {
    most: usize,
    heap: BinaryHeap<Ranked<'n>>,
}

impl<'n> TopMatches<'n> {
    fn new(most: usize) -> TopMatches<'n> {
        TopMatches {
            most,
            heap: BinaryHeap::new(),
        }
    }

    fn would_take(&self, found: &Ranked<'_>) -> bool {
        self.heap.len() < self.most || self.heap.peek().is_some_and(|worst| found < worst)
    }

    /// Whether no match of a library can be better than any of these.
    fn is_full_without_libraries(&self) -> bool {
        self.heap.len() >= self.most && self.heap.peek().is_none_or(|worst| !worst.library)
    }

    fn take(&mut self, found: Ranked<'n>) {
        self.heap.push(found);
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    fn sorted(self) -> Vec<Ranked<'n>> {
        self.heap.into_sorted_vec()
    }
}

/// What is looked for.
struct Query {
    letters: Vec<char>,
    /// The letters, where all are ASCII: no byte of another character is one of them.
    ascii: Option<Vec<u8>>,
}

impl Query {
    fn new(text: &str) -> Query {
        let letters = text.chars().filter(|letter| !letter.is_whitespace());
        let letters: Vec<char> = letters.collect();
        let ascii = letters.iter().map(|&letter| u8::try_from(letter));
        let ascii: Option<Vec<u8>> = ascii.map(|byte| byte.ok().filter(u8::is_ascii)).collect();
        Query { letters, ascii }
    }

    /// Whether every letter stands in a name, in order.
    fn stands_in(&self, name: &str) -> bool {
        let Some(ascii) = &self.ascii else {
            let mut rest = name.chars();
            let mut letters = self.letters.iter();
            return letters.all(|&letter| rest.any(|other| same(letter, other)));
        };
        let mut rest = name.bytes();
        ascii
            .iter()
            .all(|&letter| match letter.is_ascii_lowercase() {
                true => rest.any(|other| other.to_ascii_lowercase() == letter),
                false => rest.any(|other| other == letter),
            })
    }

    /// How a name matches; `None` where it does not.
    fn fit(&self, name: &str) -> Option<MatchQuality> {
        let Some(&first) = self.letters.first() else {
            return Some(MatchQuality::Subsequence);
        };
        // Most names end here.
        if !self.stands_in(name) {
            return None;
        }
        if self.begins(name) {
            return Some(match name.chars().count() == self.letters.len() {
                true => MatchQuality::Equal,
                false => MatchQuality::Prefix,
            });
        }
        if self.at_word_begins(name) {
            return Some(MatchQuality::WordBegins);
        }
        let mut starts = name.char_indices().filter(|&(_, other)| same(first, other));
        Some(match starts.any(|(at, _)| self.begins(&name[at..])) {
            true => MatchQuality::Piece,
            false => MatchQuality::Subsequence,
        })
    }

    fn begins(&self, name: &str) -> bool {
        let mut letters = name.chars();
        let mut wanted = self.letters.iter();
        wanted.all(|&letter| letters.next().is_some_and(|other| same(letter, other)))
    }

    /// Whether each letter begins a word of the name, or follows the letter before it: `rAll` in
    /// `ReadAll`.
    fn at_word_begins(&self, name: &str) -> bool {
        let mut wanted = self.letters.iter().peekable();
        let mut before: Option<char> = None;
        let mut in_run = false;
        for letter in name.chars() {
            let begins = match before {
                None => true,
                Some(before) => {
                    !before.is_alphanumeric()
                        || letter.is_uppercase() && !before.is_uppercase()
                        || letter.is_numeric() && !before.is_numeric()
                }
            };
            in_run =
                (begins || in_run) && wanted.next_if(|&&wanted| same(wanted, letter)).is_some();
            before = Some(letter);
        }
        wanted.next().is_none()
    }
}

/// Whether a letter of the query stands for one of a name.
fn same(wanted: char, letter: char) -> bool {
    if wanted == letter {
        return true;
    }
    match wanted.is_ascii() && letter.is_ascii() {
        true => wanted.is_ascii_lowercase() && letter.to_ascii_lowercase() == wanted,
        false => wanted.is_lowercase() && letter.to_lowercase().eq([wanted]),
    }
}

#[cfg(test)]
mod tests {
    use super::{MatchQuality, Query};

    fn fit(query: &str, name: &str) -> Option<MatchQuality> {
        Query::new(query).fit(name)
    }

    #[test]
    fn names_are_ranked_by_where_the_letters_stand() {
        assert_eq!(fit("readall", "ReadAll"), Some(MatchQuality::Equal));
        assert_eq!(fit("read", "ReadAll"), Some(MatchQuality::Prefix));
        assert_eq!(fit("ra", "ReadAll"), Some(MatchQuality::WordBegins));
        assert_eq!(fit("reaal", "ReadAll"), Some(MatchQuality::WordBegins));
        assert_eq!(fit("gc", "get_config"), Some(MatchQuality::WordBegins));
        assert_eq!(fit("all", "ReadBall"), Some(MatchQuality::Piece));
        assert_eq!(fit("rdl", "ReadAll"), Some(MatchQuality::Subsequence));
        assert_eq!(fit("x", "ReadAll"), None);
    }

    #[test]
    fn a_capital_of_the_query_is_one_of_the_name() {
        assert_eq!(fit("RA", "ReadAll"), Some(MatchQuality::WordBegins));
        assert_eq!(fit("RA", "reall"), None);
        assert_eq!(fit("ra", "REALL"), Some(MatchQuality::Subsequence));
    }

    #[test]
    fn letters_of_other_alphabets_match_without_case_too() {
        assert_eq!(fit("größe", "Größe"), Some(MatchQuality::Equal));
        assert_eq!(fit("Ö", "größe"), None);
    }
}
