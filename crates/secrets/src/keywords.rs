//! The secrets that keywords lead to: tokens of a documented format, and values of names.

use std::ops::Range;

use crate::rules::{Assigned, FileRules, RULES, Rule, Token};
use crate::{Candidate, name, value};

/// The maximum number of bytes from a keyword to the end of its secret.
const WINDOW: usize = 4096;

/// The maximum number of bytes of a secret of several lines: keys of 16384 bits have 13 KB.
const LONGEST: usize = 32 << 10;

/// The maximum number of bytes before a keyword that a format reads.
const BEFORE: usize = 64;

/// Adds the candidates of a text.
pub(crate) fn candidates(text: &str, file: &FileRules, candidates: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    for hit in RULES.keywords.find_overlapping_iter(text) {
        let rule = RULES.rule_of.get(hit.pattern().as_usize());
        let found = match rule {
            Some(&Rule::Token(number)) => {
                let token = RULES.tokens.get(number).filter(|token| {
                    token.any_case
                        || text.get(hit.range())
                            == RULES
                                .written
                                .get(hit.pattern().as_usize())
                                .map(|word| &**word)
                });
                token.and_then(|token| of_token(token, bytes, hit.start(), file))
            }
            Some(&Rule::Assigned(number)) if !file.only_tokens => {
                let assigned = RULES.assigned.get(number);
                assigned.and_then(|assigned| of_name(assigned, bytes, hit.range(), file))
            }
            _ => None,
        };
        candidates.extend(found);
    }
}

/// Returns the secret of a format whose keyword is at an offset.
fn of_token(token: &Token, bytes: &[u8], start: usize, file: &FileRules) -> Option<Candidate> {
    let mut first = start;
    if let Some(before) = &token.before {
        let from = start.saturating_sub(BEFORE);
        first = from + before.find(bytes.get(from..start)?)?.start();
    }
    let previous = first.checked_sub(1).and_then(|at| bytes.get(at));
    if !token.in_word && previous.is_some_and(|&byte| is_word(byte)) {
        return None;
    }
    let groups = token.pattern.captures(window(bytes, start))?;
    let whole = groups.get(0)?;
    let range = match groups.name("value") {
        Some(value) => start + value.start()..start + value.end(),
        None => first..start + whole.end(),
    };
    // A longer run of letters and digits is something else.
    let next = bytes.get(start + whole.end()).copied().unwrap_or(b' ');
    if next.is_ascii_alphanumeric() && bytes.get(start + whole.end() - 1)?.is_ascii_alphanumeric() {
        let is_open = token.in_word || whole.len() > 100;
        if !is_open {
            return None;
        }
    }
    let secret = std::str::from_utf8(bytes.get(range.clone())?).ok()?;
    let rest = bytes.get(range.end..bytes.len().min(range.end + LONGEST));
    let more = token
        .until
        .as_ref()
        .zip(rest)
        .and_then(|(until, rest)| until.find(rest));
    let is_secret = if token.is_password {
        value::is_chosen_secret(secret, file)
    } else {
        value::is_issued_secret(secret)
    };
    is_secret.then_some(Candidate {
        kind: token.name,
        range: range.start..range.end + more.unwrap_or(0),
        is_by_name: false,
    })
}

/// Returns the secret that is assigned to a name with a keyword.
fn of_name(
    assigned: &Assigned,
    bytes: &[u8],
    keyword: Range<usize>,
    file: &FileRules,
) -> Option<Candidate> {
    let rest = window(bytes, keyword.end);
    if !may_assign(rest) {
        return None;
    }
    let name = name::around(bytes, keyword.clone());
    let groups = RULES.quoted.captures(rest);
    let groups = groups.or_else(|| RULES.plain.captures(rest).filter(|_| file.plain));
    let is_first_argument = name.before.ends_with(b"(\"") || name.before.ends_with(b"('");
    let groups = groups.or_else(|| RULES.argument.captures(rest).filter(|_| is_first_argument))?;
    let value = groups.iter().skip(1).flatten().next()?;
    let range = keyword.end + value.start()..keyword.end + value.end();
    // `Package::Secret` is a type.
    let is_type = name.before.ends_with(b"::");
    if is_type || name::says_something_of_a_secret(name.text) || value.len() < assigned.minimum {
        return None;
    }
    let secret = std::str::from_utf8(value.as_bytes()).ok()?;
    value::is_chosen_secret(secret, file).then_some(Candidate {
        kind: assigned.name,
        range,
        is_by_name: true,
    })
}

/// Returns whether something can be assigned behind a keyword: most are followed by text. The patterns are slower.
fn may_assign(rest: &[u8]) -> bool {
    let after_name = rest
        .iter()
        .position(|&byte| !is_name(byte))
        .unwrap_or(rest.len());
    let next = rest.get(after_name..).unwrap_or_default();
    next.first()
        .is_some_and(|byte| b"\"'`]):=,( \t!".contains(byte))
}

/// Returns the bytes from an offset on, as far as patterns look.
fn window(bytes: &[u8], start: usize) -> &[u8] {
    let end = bytes.len().min(start + WINDOW);
    bytes.get(start..end).unwrap_or_default()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || byte == b'.' || byte == b'-'
}
