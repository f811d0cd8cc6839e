//! Durations in settings and flags.

use std::time::Duration;

/// Parses a duration: a whole number and `ms`, `s`, `m` or `h`.
///
/// # Errors
/// The text is no duration, or one longer than a year; in words.
pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let wrong = || "a time is a whole number with ms, s, m or h behind it".to_owned();
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let milliseconds = number.checked_mul(milliseconds);
    // Bounded, so that no clock overflows.
    let year = 365 * 24 * 3_600_000;
    let milliseconds = milliseconds.filter(|time| *time <= year);
    milliseconds
        .map(Duration::from_millis)
        .ok_or_else(|| "the time is longer than a year".to_owned())
}
