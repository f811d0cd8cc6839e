//! Sizes of files in settings.

/// The largest size in settings, in bytes: positions in a text are of 32 bits.
const MOST: u64 = 1 << 30;

/// Parses a size: a whole number of bytes, or one with `KiB`, `MiB` or `GiB` behind it; at most `1GiB`.
///
/// # Errors
/// The text is no size, or one out of bounds; in words.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let wrong = || {
        "a size is a whole number of bytes, or one in quotes with KiB, MiB or GiB behind it"
            .to_owned()
    };
    let unit: u64 = match unit.trim_start() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(unit);
    bytes
        .filter(|bytes| (1..=MOST).contains(bytes))
        .ok_or_else(|| "a size is 1 byte to 1GiB".to_owned())
}
