//! What the user allows: the secrets of a baseline, and values that match a pattern of the settings.

use std::fmt;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use sha1::{Digest, Sha1};

/// The SHA-1 of a secret, as a baseline has it.
type Hash = [u8; 20];

/// What the user allows. Compares equal if it allows the same.
#[derive(Clone, Default)]
pub struct Allowed {
    /// The secrets of each file, by the path relative to the baseline's folder, with `/`.
    baseline: FxHashMap<String, FxHashSet<Hash>>,
    patterns: Vec<Regex>,
}

/// Why a baseline or a pattern cannot be read; one line, without its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllowedError(pub String);

impl fmt::Display for AllowedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AllowedError {}

/// A baseline as `detect-secrets scan` writes it.
#[derive(Deserialize)]
struct Baseline {
    results: FxHashMap<String, Vec<Known>>,
}

#[derive(Deserialize)]
struct Known {
    hashed_secret: String,
}

impl Allowed {
    /// Returns what a baseline (`.secrets.baseline`) and the patterns of the settings allow. A pattern is a regular
    /// expression that matches anywhere in a secret.
    ///
    /// # Errors
    ///
    /// Returns what is not well-formed: the baseline is no JSON with `results`, or a pattern is no regular expression.
    pub fn new(baseline: Option<&str>, patterns: &[String]) -> Result<Allowed, AllowedError> {
        let mut allowed = Allowed::default();
        if let Some(text) = baseline {
            let read: Baseline = serde_json::from_str(text).map_err(|error| {
                AllowedError(format!(
                    "not a baseline of detect-secrets, line {}",
                    error.line()
                ))
            })?;
            for (file, known) in read.results {
                let hashes = known
                    .iter()
                    .filter_map(|known| hash_of_hex(&known.hashed_secret));
                let file = file.replace('\\', "/");
                let file = file.strip_prefix("./").unwrap_or(&file).to_owned();
                allowed.baseline.entry(file).or_default().extend(hashes);
            }
        }
        for (number, pattern) in (1..).zip(patterns) {
            // A pattern may have a secret.
            let wrong = || AllowedError(format!("pattern {number} is no regular expression"));
            allowed
                .patterns
                .push(Regex::new(pattern).map_err(|_| wrong())?);
        }
        Ok(allowed)
    }

    /// Returns a hash that differs from that of what allows something else.
    pub fn fingerprint(&self) -> [u8; 20] {
        let mut files: Vec<(&str, Vec<&Hash>)> = Vec::new();
        for (file, known) in &self.baseline {
            let mut known: Vec<&Hash> = known.iter().collect();
            known.sort_unstable();
            files.push((file, known));
        }
        files.sort_unstable();
        let patterns: Vec<&str> = self.patterns.iter().map(Regex::as_str).collect();
        Sha1::digest(format!("{files:?} {patterns:?}")).into()
    }

    /// Returns whether a secret of a file is allowed.
    pub(crate) fn allows(&self, path: &str, secret: &str) -> bool {
        let known = self.baseline.get(path);
        known.is_some_and(|known| {
            forms(secret).any(|text| known.contains(&Hash::from(Sha1::digest(text))))
        }) || self.patterns.iter().any(|pattern| pattern.is_match(secret))
    }
}

/// Returns the texts that a baseline may have for a secret: for private keys it has what is between the dashes of the first line.
fn forms(secret: &str) -> impl Iterator<Item = &str> {
    let header = secret
        .strip_prefix("-----")
        .and_then(|rest| rest.split("-----").next());
    std::iter::once(secret).chain(header)
}

fn hash_of_hex(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if text.len() != 2 * hash.len() || !text.is_ascii() {
        return None;
    }
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(hash)
}

impl PartialEq for Allowed {
    fn eq(&self, other: &Allowed) -> bool {
        let texts = |allowed: &Allowed| -> Vec<String> {
            allowed
                .patterns
                .iter()
                .map(|pattern| pattern.as_str().to_owned())
                .collect()
        };
        self.baseline == other.baseline && texts(self) == texts(other)
    }
}

impl Eq for Allowed {}

impl fmt::Debug for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Allowed({} files, {} patterns)",
            self.baseline.len(),
            self.patterns.len()
        )
    }
}
