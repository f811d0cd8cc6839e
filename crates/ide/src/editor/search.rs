//! Search of declarations by a part of their name: LSP `workspace/symbol`.

use std::collections::BinaryHeap;

use codeweft_db::{Db as _, NodeKind, Origin, Unit, UnitGraph};
use codeweft_vfs::Encoding;
use codeweft_workspace::Snapshot;

use super::data::SymbolItem;
use super::declarations::symbol_item;
use super::query::EditorQuery;

/// Returns the declarations whose names match a query, the best first, at most `max`.
///
/// A name matches if it has every letter of the query, in order. A capital of the query matches a capital only, a
/// small letter both. The part before the last `.` or `/` of the query must match the container of the
/// declaration. Matches are in this order; of equal ones shorter names are first:
///
/// ```text
/// workspace before libraries
/// readall   ReadAll       the whole name
/// read      ReadAll       its beginning
/// ra        ReadAll       each letter begins a word or follows the one before
/// all       ReadBall      in one piece
/// rdl       ReadAll       in pieces
/// ```
pub fn search(
    snapshot: &Snapshot<'_>,
    query: &str,
    max: usize,
    encoding: Encoding,
) -> Vec<SymbolItem> {
    let Some(graph) = UnitGraph::try_get(snapshot.db()) else {
        return Vec::new();
    };
    let (around, query) = match query.trim().rsplit_once(['.', '/']) {
        Some((around, query)) => (Some(Query::new(around)), Query::new(query)),
        None => (None, Query::new(query.trim())),
    };
    let editor = EditorQuery::new(snapshot, encoding);
    let mut best = TopMatches::new(max);
    for (number, &unit) in graph.units(snapshot.db()).iter().enumerate() {
        snapshot.check();
        search_unit(
            snapshot,
            &editor,
            unit,
            number as u32,
            &query,
            &around,
            &mut best,
        );
    }
    let units = graph.units(snapshot.db());
    let found = best.sorted().into_iter().filter_map(|found| {
        snapshot.check();
        let unit = *units.get(found.unit as usize)?;
        let symbols = snapshot
            .db()
            .tables()
            .language(unit.lang(snapshot.db()))?
            .symbols(snapshot.db(), unit);
        symbol_item(&editor, symbols.rows.get(found.row as usize)?.symbol)
    });
    found.collect()
}

/// Adds the matches of a unit.
fn search_unit<'n>(
    snapshot: &'n Snapshot<'_>,
    editor: &EditorQuery<'_>,
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
            && around.fit(&editor.graph.container(row.symbol)).is_none()
        {
            continue;
        }
        best.take(found);
    }
}

/// The quality of a match, the best first.
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
    max: usize,
    heap: BinaryHeap<Ranked<'n>>,
}

impl<'n> TopMatches<'n> {
    fn new(max: usize) -> TopMatches<'n> {
        TopMatches {
            max,
            heap: BinaryHeap::new(),
        }
    }

    fn would_take(&self, found: &Ranked<'_>) -> bool {
        self.heap.len() < self.max || self.heap.peek().is_some_and(|worst| found < worst)
    }

    /// Returns whether no match of a library can be better than the worst of these.
    fn is_full_without_libraries(&self) -> bool {
        self.heap.len() >= self.max && self.heap.peek().is_none_or(|worst| !worst.library)
    }

    fn take(&mut self, found: Ranked<'n>) {
        self.heap.push(found);
        if self.heap.len() > self.max {
            self.heap.pop();
        }
    }

    fn sorted(self) -> Vec<Ranked<'n>> {
        self.heap.into_sorted_vec()
    }
}

/// The letters that a name must have.
struct Query {
    letters: Vec<char>,
    /// The letters, if all are ASCII: then bytes can be compared, because no byte of another character is ASCII.
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

    /// Returns whether a name has every letter, in order.
    fn occurs_in(&self, name: &str) -> bool {
        let Some(ascii) = &self.ascii else {
            let mut rest = name.chars();
            let mut letters = self.letters.iter();
            return letters.all(|&letter| rest.any(|other| same(letter, other)));
        };
        let mut rest = name.bytes();
        ascii.iter().all(|&letter| {
            if letter.is_ascii_lowercase() {
                rest.any(|other| other.to_ascii_lowercase() == letter)
            } else {
                rest.any(|other| other == letter)
            }
        })
    }

    /// Returns the quality with which a name matches; `None` if it does not.
    fn fit(&self, name: &str) -> Option<MatchQuality> {
        let Some(&first) = self.letters.first() else {
            return Some(MatchQuality::Subsequence);
        };
        // Most names do not match.
        if !self.occurs_in(name) {
            return None;
        }
        if self.begins(name) {
            return Some(if name.chars().count() == self.letters.len() {
                MatchQuality::Equal
            } else {
                MatchQuality::Prefix
            });
        }
        if self.at_word_begins(name) {
            return Some(MatchQuality::WordBegins);
        }
        let mut starts = name.char_indices().filter(|&(_, other)| same(first, other));
        Some(if starts.any(|(at, _)| self.begins(&name[at..])) {
            MatchQuality::Piece
        } else {
            MatchQuality::Subsequence
        })
    }

    fn begins(&self, name: &str) -> bool {
        let mut letters = name.chars();
        let mut wanted = self.letters.iter();
        wanted.all(|&letter| letters.next().is_some_and(|other| same(letter, other)))
    }

    /// Returns whether each letter begins a word of the name, or follows the letter before it: `rAll` in
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

/// Returns whether a letter of the query matches a letter of a name.
fn same(wanted: char, letter: char) -> bool {
    if wanted == letter {
        return true;
    }
    if wanted.is_ascii() && letter.is_ascii() {
        wanted.is_ascii_lowercase() && letter.to_ascii_lowercase() == wanted
    } else {
        wanted.is_lowercase() && letter.to_lowercase().eq([wanted])
    }
}

#[cfg(test)]
mod tests {
    use super::{MatchQuality, Query};

    fn fit(query: &str, name: &str) -> Option<MatchQuality> {
        Query::new(query).fit(name)
    }

    #[test]
    fn names_are_ranked_by_the_positions_of_the_letters() {
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
    fn a_capital_of_the_query_matches_only_a_capital() {
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
