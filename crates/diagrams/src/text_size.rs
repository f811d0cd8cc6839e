//! How wide text is, without a font at hand.
//!
//! Drawings name fonts that differ from machine to machine, so widths are those of the widest common one (DejaVu
//! Sans): text fits its box everywhere, and in narrower fonts is not tight.

/// Returns the width of a text in pixels at a font size in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// Returns the width of a character in parts of the font size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.34,
        'I' | 'f' | 'r' | 't' | ' ' | '.' | ',' | ':' | ';' | '!' | '/' | '\\' | '(' | ')'
        | '[' | ']' | '-' | '·' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' | '<' | '>' | '=' | '+' | '~' | '^' | '#' | '&' => 0.84,
        ' '..='~' => 0.65,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{1100}'.. if letter < '\u{1f000}' => 1.05,
        '\u{1f000}'.. => 1.4,
        _ => 0.85,
    }
}

/// Returns the text if it is not wider than `limit`, else its beginning and its end with `…` between them: names
/// differ at both ends. On one line.
pub(crate) fn fit(text: &str, size: f64, limit: f64) -> String {
    let text = crate::escape::line(text);
    if width(&text, size) <= limit {
        return text;
    }
    let letters: Vec<char> = text.chars().collect();
    let mut left = limit - width("…", size);
    let (mut front, mut back) = (0, letters.len());
    while front < back {
        // The beginning gets three letters of five.
        let is_front = front * 2 <= (letters.len() - back) * 3;
        let letter = letters[if is_front { front } else { back - 1 }];
        left -= em(letter) * size;
        if left < 0.0 {
            break;
        }
        if is_front {
            front += 1;
        } else {
            back -= 1;
        }
    }
    let front: String = letters[..front].iter().collect();
    let back: String = letters[back..].iter().collect();
    format!("{}…{}", front.trim_end(), back.trim_start())
}
