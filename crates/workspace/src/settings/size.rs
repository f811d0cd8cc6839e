//! Sizes of files and folders in settings.

/// The units of sizes: what is written behind a number, and how many bytes it is.
const UNITS: [(&str, u64); 4] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
];

/// Parses a size: a whole number of bytes, or one with `KiB`, `MiB`, `GiB` or `TiB` behind it; within bounds
/// in bytes, inclusive.
///
/// # Errors
/// The text is no size, or one out of bounds; in words.
pub fn size(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let wrong = || {
        "a size is a whole number of bytes, or one in quotes with KiB, MiB or GiB behind it"
            .to_owned()
    };
    let unit = unit.trim_start();
    let known = UNITS.iter().find(|(name, _)| *name == unit);
    let unit = match known {
        Some(&(_, bytes)) => bytes,
        None if unit.is_empty() || unit == "B" => 1,
        None => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(unit);
    bytes
        .filter(|bytes| (least..=most).contains(bytes))
        .ok_or_else(|| format!("a size is {} to {}", printed(least), printed(most)))
}

/// Returns a size as it is written.
fn printed(bytes: u64) -> String {
    let unit = UNITS
        .iter()
        .find(|(_, size)| bytes >= *size && bytes.is_multiple_of(*size));
    match (unit, bytes) {
        (Some((name, size)), _) => format!("{}{name}", bytes / size),
        (None, 1) => "1 byte".to_owned(),
        (None, _) => bytes.to_string(),
    }
}
