//! Secrets in texts: where a text has a password, a token or a private key. A text that has one is visible nowhere
//! (docs/architecture.md, "Texts with secrets").
//!
//! ```text
//! text ─┬─ keywords ── [[token]]     formats that issuers document: `ghp_…`, `-----BEGIN PRIVATE KEY-----`
//!       │           └─ [[assigned]]  values of names: `password = "…"`        values that are words, templates,
//!       └─ runs ────── [entropy]     random bytes in base64 or hexadecimal    placeholders are no secrets
//!                      less what `pragma: allowlist secret`, a baseline or a setting allows
//! ```
//!
//! The rules are data (`rules.toml`). Everything here is a pure function of a path, a text and what is allowed. A
//! [`Finding`] says what and where, never the text itself, so that it can be printed, logged and kept.

mod allowed;
mod entropy;
mod keywords;
mod name;
mod pragma;
mod rules;
mod value;
mod words;

use std::borrow::Cow;
use std::ops::Range;

pub use allowed::{Allowed, AllowedError};

use rules::RULES;

/// A secret in a text: what it is and where, without its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of secret, in the words of answers: `AWS key`.
    pub kind: &'static str,
    /// The line that it begins in, 1-based.
    pub line: u32,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// Returns whether a text has a secret by the strictest rules, without its path and what is allowed: for what is kept of texts.
pub fn may_have_secret(text: &str) -> bool {
    !scan("", text, &Allowed::default()).is_empty()
}

/// Returns a text with `x` for each byte of its secrets, so that all positions in it stay. Lines stay too.
pub fn masked<'t>(text: &'t str, secrets: &[Finding]) -> Cow<'t, str> {
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for secret in secrets {
        for byte in bytes.get_mut(secret.range.clone()).into_iter().flatten() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b'x';
            }
        }
    }
    // Ranges are of whole characters.
    String::from_utf8(bytes).map_or_else(|_| Cow::Owned(String::new()), Cow::Owned)
}

/// A candidate before it is known whether it is allowed.
struct Candidate {
    kind: &'static str,
    range: Range<usize>,
    /// Whether its name alone makes the value a secret, so that it may be one of many test vectors.
    is_by_name: bool,
}

/// Returns the secrets of a text, in text order. The path is relative to the workspace's root, with `/`: the rules for
/// values without quotes, for tests and for lock files go by it, and so does a baseline.
pub fn scan(path: &str, text: &str, allowed: &Allowed) -> Vec<Finding> {
    let file = RULES.file(path);
    let mut candidates = Vec::new();
    keywords::candidates(text, &file, &mut candidates);
    if !file.only_tokens {
        entropy::candidates(text, &file, &mut candidates);
    }
    candidates.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut findings: Vec<Finding> = Vec::new();
    for one in candidates {
        // The first rule has said what it is.
        if findings
            .last()
            .is_some_and(|last| one.range.start < last.range.end)
        {
            continue;
        }
        let secret = text.get(one.range.clone()).unwrap_or_default();
        if pragma::allows(text, one.range.start) || allowed.allows(path, secret) {
            continue;
        }
        let before = text.as_bytes().get(..one.range.start).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
        findings.push(Finding {
            kind: one.kind,
            line,
            range: one.range,
        });
    }
    findings
}
