//! Random bytes in base64 or hexadecimal, in literals.
//!
//! What makes a random text a secret is its name: digests, ids and test vectors are as random. So a literal counts whose
//! name is not of those, and in tests only one whose name is of secrets or that is alone in its file; and a file with many is a
//! table of something: in tests, values that only their names make secrets are test vectors then.

use std::ops::Range;

use crate::rules::{FileRules, RULES};
use crate::{Candidate, name, value};

/// The longest text of random bytes that is a secret, in bytes: the next longer ones are encoded files.
const LONGEST: usize = 256;

/// The least entropy of hexadecimal digits, in bits a digit, as that of detect-secrets.
const HEXADECIMAL_ENTROPY: f64 = 3.0;

/// The least entropy of base64 as a share of the highest that a text of its length can have.
const BASE64_ENTROPY: f64 = 0.8;

/// How often the class of a character is another than that of the one before, as a share of a text's length. In random
/// base64 it is 0.6, in random lower-case letters with digits 0.4, in names and paths with digits less than 0.2.
const LEAST_CHANGES: f64 = 0.25;

/// Adds the candidates of a text.
pub(crate) fn candidates(text: &str, file: &FileRules, candidates: &mut Vec<Candidate>) {
    let shortest = RULES.entropy.base64.min(RULES.entropy.hexadecimal);
    let mut random = Vec::new();
    let mut in_test = Vec::new();
    let mut number = 0;
    for run in Runs::new(text.as_bytes(), shortest) {
        let Some((kind, range)) = literal(text, run, file) else {
            continue;
        };
        number += 1;
        if number > RULES.entropy.most_in_file {
            if file.is_test {
                candidates.retain(|one| {
                    let value = text.get(one.range.clone()).unwrap_or_default();
                    !one.is_by_name || random_kind(value).is_none()
                });
            }
            return;
        }
        let name = name::before(text.get(..range.start).unwrap_or_default());
        if name.is_empty() || name::is_of_public_value(name) {
            continue;
        }
        let found = Candidate {
            kind,
            range,
            is_by_name: false,
        };
        if !file.is_test || name::is_of_secret(name) {
            random.push(found);
        } else if !name::is_general(name) {
            in_test.push(found);
        }
    }
    if number == 1 {
        candidates.extend(in_test);
    }
    candidates.extend(random);
}

/// Returns the content of a literal of random bytes that a run is.
fn literal(
    text: &str,
    run: Range<usize>,
    file: &FileRules,
) -> Option<(&'static str, Range<usize>)> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b'\n');
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
    let mut range = run;
    let quoted = |range: &Range<usize>| {
        let before = range.start.checked_sub(1).map_or(b'\n', byte);
        is_quote(before) && is_quote(byte(range.end))
    };
    if file.plain && !quoted(&range) {
        // `NAME=value`, `name: value`
        let whole = text.get(range.clone())?;
        let signs = whole.trim_end_matches('=');
        range.start += signs.rfind('=').map_or(0, |at| at + 1);
        let before = text.get(..range.start)?.trim_end_matches([' ', '\t']);
        if !before.ends_with(['=', ':', '"', '\''])
            || !byte(range.end).is_ascii_whitespace() && !is_quote(byte(range.end))
        {
            return None;
        }
    } else if !quoted(&range) {
        // `"Bearer …"`
        let before = text.get(..range.start)?;
        let is_scheme = ["Bearer ", "Basic ", "Token ", "token "]
            .iter()
            .any(|scheme| before.ends_with(scheme));
        if !is_scheme || !is_quote(byte(range.end)) {
            return None;
        }
    }
    random_kind(text.get(range.clone())?).map(|kind| (kind, range))
}

/// Returns what random bytes a text is; `None` for others.
fn random_kind(run: &str) -> Option<&'static str> {
    if run.len() > LONGEST {
        return None;
    }
    let is = |class: fn(&u8) -> bool| run.bytes().any(|byte| class(&byte));
    let (lower, upper, digit) = (
        is(u8::is_ascii_lowercase),
        is(u8::is_ascii_uppercase),
        is(u8::is_ascii_digit),
    );
    if run.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let is_hexadecimal = digit && (lower != upper) && run.len() >= RULES.entropy.hexadecimal;
        return (is_hexadecimal
            && value::is_random(run)
            && value::entropy(run) >= HEXADECIMAL_ENTROPY)
            .then_some("high-entropy hexadecimal");
    }
    if run.starts_with('/') || changes(run) < LEAST_CHANGES * run.len() as f64 {
        return None;
    }
    let highest = (run.len().min(64) as f64).log2();
    let is_base64 = lower && digit && run.len() >= RULES.entropy.base64;
    (is_base64 && value::entropy(run) >= BASE64_ENTROPY * highest && value::is_random(run))
        .then_some("high-entropy base64")
}

/// Returns how often letters of one case, letters of the other and digits follow each other.
fn changes(run: &str) -> f64 {
    let class = |byte: u8| match byte {
        b'a'..=b'z' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        _ => None,
    };
    let pairs = run.as_bytes().windows(2);
    let changes = |pair: &&[u8]| match **pair {
        [one, other] => class(one)
            .zip(class(other))
            .is_some_and(|(one, other)| one != other),
        _ => false,
    };
    pairs.filter(changes).count() as f64
}

/// The runs of bytes of base64, base64url and hexadecimal with a minimum length, in text order. Of other bytes it looks at
/// few: no run of a length is where a byte at its end is of none.
struct Runs<'a> {
    bytes: &'a [u8],
    shortest: usize,
    at: usize,
}

impl<'a> Runs<'a> {
    fn new(bytes: &'a [u8], shortest: usize) -> Runs<'a> {
        Runs {
            bytes,
            shortest: shortest.max(1),
            at: 0,
        }
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let end = self.at + self.shortest;
            let window = self.bytes.get(self.at..end)?;
            if let Some(other) = window
                .iter()
                .rposition(|&byte| !IS_OF_RUN[usize::from(byte)])
            {
                self.at += other + 1;
                continue;
            }
            let rest = self.bytes.get(end..).unwrap_or_default();
            let more = rest
                .iter()
                .take_while(|&&byte| IS_OF_RUN[usize::from(byte)])
                .count();
            let run = self.at..end + more;
            self.at = run.end + 1;
            return Some(run);
        }
    }
}

/// The bytes of base64, base64url and hexadecimal.
const IS_OF_RUN: [bool; 256] = {
    let mut is_of_run = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        is_of_run[byte] =
            ascii.is_ascii_alphanumeric() || matches!(ascii, b'+' | b'/' | b'=' | b'_' | b'-');
        byte += 1;
    }
    is_of_run
};
