//! Comments that allow a secret, as detect-secrets reads them: `pragma: allowlist secret` in its line, or `pragma: allowlist
//! nextline secret` in the line before.

/// The comments that allow the secret of their line, behind `pragma:`.
const OF_LINE: [&str; 4] = [
    "allowlist secret",
    "allowlist-secret",
    "whitelist secret",
    "whitelist-secret",
];

/// Those that allow the secret of the next line.
const OF_NEXT: [&str; 4] = [
    "allowlist nextline secret",
    "allowlist nextline-secret",
    "allowlist-nextline secret",
    "allowlist-nextline-secret",
];

/// Returns whether a comment allows the secret at an offset.
pub(crate) fn allows(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default().lines().next();
    let previous = before.get(..start.saturating_sub(1)).unwrap_or_default();
    let previous = previous.rsplit('\n').next().unwrap_or_default();
    line.is_some_and(|line| has(line, &OF_LINE)) || has(previous, &OF_NEXT)
}

/// Returns whether a line has one of the pragmas.
fn has(line: &str, pragmas: &[&str]) -> bool {
    let mut parts = line.split("pragma:").skip(1);
    parts.any(|part| {
        let part = part.strip_prefix(' ').unwrap_or(part);
        pragmas.iter().any(|pragma| part.starts_with(pragma))
    })
}
