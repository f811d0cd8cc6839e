//! The time stamp of an export.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the time of an export, as `2023-11-14T22:13:20Z`: `SOURCE_DATE_EPOCH` if it is set, so
/// that equal sources give equal files, else now.
pub(crate) fn generated_at() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .and_then(|seconds| seconds.trim().parse().ok());
    let seconds = given.unwrap_or_else(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs())
    });
    printed(seconds)
}

/// Formats seconds since 1970 as a time in UTC.
fn printed(seconds: u64) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, date) = civil(day);
    format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// Returns year, month and day of a day since 1970. Years are counted from March, so that a leap
/// day is the last day of a year; 400 years have 146,097 days.
fn civil(day: u64) -> (u64, u64, u64) {
    let shifted = day + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = match month {
        0..=9 => (month + 3, 0),
        _ => (month - 9, 1),
    };
    (era * 400 + year + next, month, date)
}

#[cfg(test)]
mod tests {
    use super::printed;

    #[test]
    fn seconds_print_as_dates() {
        for (seconds, words) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(printed(seconds), words);
        }
    }
}
