//! What goes out: answers to standard output, everything else to standard error.

use std::io::{self, Write};

/// The exit code for what broke inside.
const INTERNAL: u8 = 3;

/// Prints an answer and gives `code`. A reader that has gone, like `head`, is no error.
pub fn print(text: &str, code: u8) -> u8 {
    let mut out = io::stdout().lock();
    let printed = out
        .write_all(text.as_bytes())
        .and_then(|()| {
            if text.ends_with('\n') {
                Ok(())
            } else {
                out.write_all(b"\n")
            }
        })
        .and_then(|()| out.flush());
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("the answer could not be printed: {error}"));
            INTERNAL
        }
        _ => code,
    }
}

/// `1 file`, `3 files`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// Says what is wrong.
pub fn complain(words: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(io::stderr().lock(), "codeweft: {words}");
}
