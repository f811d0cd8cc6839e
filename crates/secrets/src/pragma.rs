//! Comments that allow a secret, as detect-secrets reads them: `pragma: allowlist secret` in its line, or `pragma: allowlist
//! nextline secret` in the line before.

/// Returns whether a comment allows the secret at an offset.
pub(crate) fn allows(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default().lines().next();
    let previous = before.get(..start.saturating_sub(1)).unwrap_or_default();
    let previous = previous.rsplit('\n').next().unwrap_or_default();
    line.is_some_and(|line| names(line, &["allowlist", "whitelist"], false))
        || names(previous, &["allowlist"], true)
}

/// Returns whether a line has the pragma.
fn names(line: &str, words: &[&str], is_of_next_line: bool) -> bool {
    let parts = line.split("pragma:").skip(1);
    parts
        .map(|part| part.strip_prefix(' ').unwrap_or(part))
        .any(|part| {
            let rest = words.iter().find_map(|word| part.strip_prefix(word));
            let rest = rest.and_then(|rest| match is_of_next_line {
                true => rest.strip_prefix([' ', '-'])?.strip_prefix("nextline"),
                false => Some(rest),
            });
            let rest = rest.and_then(|rest| rest.strip_prefix([' ', '-']));
            rest.is_some_and(|rest| rest.starts_with("secret"))
        })
}
