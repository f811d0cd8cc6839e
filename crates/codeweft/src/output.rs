//! Output: answers to standard output, everything else to standard error.

use std::io::{self, Write};

use console::truncate_str;

/// The exit code of an internal error.
const INTERNAL: u8 = 3;

/// Prints an answer and returns `code`. A reader that has gone, like `head`, is no error.
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
            print_error(&format!("the answer could not be printed: {error}"));
            INTERNAL
        }
        _ => code,
    }
}

/// Returns the width of the terminal that answers are printed to, in columns; `None` for a file or a
/// pipe.
pub fn width() -> Option<usize> {
    let terminal = console::Term::stdout();
    let (_, columns) = terminal.size_checked()?;
    Some(usize::from(columns))
}

/// Returns a number with its noun: `1 file`, `3 files`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// Prints an error.
pub fn print_error(words: &str) {
    // There is no other channel to report a failure here.
    let _ = writeln!(io::stderr().lock(), "codeweft: {words}");
}

/// Returns a text whose lines are cut to a width in columns.
pub fn fitted(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let lines = text.lines();
    lines
        .map(|line| truncate_str(line, width, "…").into_owned() + "\n")
        .collect()
}
