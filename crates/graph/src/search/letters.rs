//! The letters of a search, and how well a name has them.

/// The quality of a match, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MatchQuality {
    /// The whole name.
    Equal,
    /// Its beginning.
    Prefix,
    /// Each letter begins a word of it, or follows the letter before.
    WordBegins,
    /// One piece of it.
    Piece,
    /// Letters of it, in order.
    Subsequence,
}

/// The letters that a name must have.
pub(super) struct Letters {
    letters: Vec<char>,
    /// The letters, if all are ASCII: then bytes can be compared, because no byte of another character is ASCII.
    ascii: Option<Vec<u8>>,
}

impl Letters {
    /// Reads a text; white space, parentheses, stars and `%` are not of names and count for nothing.
    pub(super) fn new(text: &str) -> Letters {
        let is_of_name = |letter: &char| !letter.is_whitespace() && !"()*%".contains(*letter);
        let letters = text.chars().filter(is_of_name);
        let letters: Vec<char> = letters.collect();
        let ascii = letters.iter().map(|&letter| u8::try_from(letter));
        let ascii: Option<Vec<u8>> = ascii.map(|byte| byte.ok().filter(u8::is_ascii)).collect();
        Letters { letters, ascii }
    }

    /// Returns the letters as a text.
    pub(super) fn text(&self) -> String {
        self.letters.iter().collect()
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
    pub(super) fn quality(&self, name: &str) -> Option<MatchQuality> {
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

    /// Returns whether a dotted name or path ends in the letters, from the beginning of a part on.
    pub(super) fn end(&self, name: &str) -> bool {
        let Some(last) = self.letters.len().checked_sub(1) else {
            return true;
        };
        let mut ends = name.char_indices().rev();
        ends.nth(last).is_some_and(|(from, _)| {
            let begins_part = from == 0 || name[..from].ends_with(['.', '/']);
            begins_part && self.begins(&name[from..])
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
    use super::{Letters, MatchQuality};

    fn fit(query: &str, name: &str) -> Option<MatchQuality> {
        Letters::new(query).quality(name)
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

    #[test]
    fn signs_around_a_name_count_for_nothing() {
        assert_eq!(fit("readAll()", "readAll"), Some(MatchQuality::Equal));
        assert_eq!(fit("*All*", "ReadAll"), Some(MatchQuality::WordBegins));
        assert_eq!(fit("read all", "ReadAll"), Some(MatchQuality::Equal));
    }

    #[test]
    fn an_end_begins_with_a_part() {
        let ends = |letters: &str, name: &str| Letters::new(letters).end(name);
        assert!(ends("http", "net/http") && ends("(*server)", "net/http.Server"));
        assert!(ends("net/http", "net/http") && ends("", "net"));
        assert!(!ends("ttp", "net/http") && !ends("a.net/http", "net/http"));
    }
}
