//! Numbers as people read them.

/// Returns a number with a comma between thousands: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number with its noun: `1 node`, `2,000 nodes`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

/// Returns a length in pixels with at most one decimal.
pub(crate) fn pixels(length: f64) -> String {
    let tenths = (length * 10.0).round() / 10.0;
    // Without the sign of a zero that was rounded from below.
    format!("{}", tenths + 0.0)
}
