//! The names of files in the headers of patches: quotes, prefixes, timestamps.

use std::iter::Peekable;
use std::str::Bytes;

use crate::patch::lines::without_break;

/// The name that means no file.
pub(crate) const NO_FILE: &str = "/dev/null";

/// A name behind `--- ` or `+++ `.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NameLine {
    /// With its prefix, without quotes.
    pub name: String,
    /// True if there is no file of the name, by what follows it: the first second of 1970, or words of
    /// Subversion.
    pub is_of_no_file: bool,
}

/// Reads the rest of a line behind `--- ` or `+++ `: a name, and behind a tab a time or other words.
pub(crate) fn name_line(rest: &str) -> NameLine {
    let rest = without_break(rest);
    let (name, stamp) = match quoted(rest) {
        Some((name, stamp)) => (name, stamp),
        None => {
            let (name, stamp) = rest.split_once('\t').unwrap_or((rest, ""));
            (name.to_owned(), stamp)
        }
    };
    let stamp = stamp.trim();
    let is_of_no_file = name == NO_FILE
        || stamp == "(nonexistent)"
        || stamp == "(revision 0)"
        || is_first_second(stamp).unwrap_or(false);
    NameLine {
        name,
        is_of_no_file,
    }
}

/// A name that fills the rest of a line, as behind `rename from `.
pub(crate) fn whole(rest: &str) -> String {
    let rest = without_break(rest);
    match quoted(rest) {
        Some((name, "")) => name,
        _ => rest.to_owned(),
    }
}

/// Returns whether a timestamp is the first second of 1970, with which `diff -N` marks a missing file:
/// `1969-12-31 19:00:00.000000000 -0500`.
fn is_first_second(stamp: &str) -> Option<bool> {
    let mut parts = stamp.split_ascii_whitespace();
    let (date, time, zone) = (parts.next()?, parts.next()?, parts.next()?);
    let day = match date {
        "1970-01-01" => 0,
        "1969-12-31" => -24 * 60,
        _ => return None,
    };
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut clock = clock.split(':');
    let hours: i32 = clock.next()?.parse().ok()?;
    let minutes: i32 = clock.next()?.parse().ok()?;
    let is_whole = clock.next()? == "00" && fraction.bytes().all(|digit| digit == b'0');
    let zone: i32 = zone.parse().ok()?;
    let zone = zone / 100 * 60 + zone % 100;
    let is_clock = (0..24).contains(&hours) && (0..60).contains(&minutes);
    Some(is_whole && is_clock && day + hours * 60 + minutes == zone)
}

/// The names behind `diff --git `, with their prefixes. They may hold blanks, so the line alone is
/// ambiguous; what the lines `--- ` and `+++ ` say comes first, and then that both names are equal behind their
/// prefixes.
pub(crate) fn pair(
    rest: &str,
    before: Option<&str>,
    after: Option<&str>,
) -> Option<(String, String)> {
    let rest = without_break(rest);
    let owned = |(one, other): (&str, &str)| (one.to_owned(), other.to_owned());
    if let Some((first, second)) = quoted(rest) {
        return Some((first, whole(second.strip_prefix(' ')?)));
    }
    if rest.ends_with('"')
        && let Some((first, second)) = rest.split_once(" \"")
        && let Some((second, "")) = quoted(&format!("\"{second}"))
    {
        return Some((first.to_owned(), second));
    }
    if let Some(after) = after
        && let Some(before) = rest
            .strip_suffix(after)
            .and_then(|one| one.strip_suffix(' '))
    {
        return Some(owned((before, after)));
    }
    if let Some(before) = before
        && let Some(after) = rest
            .strip_prefix(before)
            .and_then(|one| one.strip_prefix(' '))
    {
        return Some(owned((before, after)));
    }
    let halves = |at| {
        let (one, other) = rest.split_at_checked(at)?;
        let other = other.strip_prefix(' ')?;
        let is_pair = one == other || behind_first(one)? == behind_first(other)?;
        is_pair.then_some((one, other))
    };
    let blanks = rest.match_indices(' ').map(|(at, _)| at);
    halves(rest.len() / 2)
        .or_else(|| blanks.into_iter().find_map(halves))
        .map(owned)
}

fn behind_first(name: &str) -> Option<&str> {
    name.split_once('/').map(|(_, rest)| rest)
}

/// Both names without their prefixes. A prefix is the first part of each if only these differ (`a` and `b`,
/// `i` and `w`, `old` and `new`), and `a` and `b` in any case. Equal names have none.
pub(crate) fn without_prefixes(before: &str, after: &str) -> (String, String) {
    let parts = (before.split_once('/'), after.split_once('/'));
    let (before, after) = match parts {
        (Some((one, before)), Some((other, after)))
            if one != other && (before == after || (one, other) == ("a", "b")) =>
        {
            (before, after)
        }
        _ => (before, after),
    };
    (before.to_owned(), after.to_owned())
}

/// The one name of a file that is added (`b/`) or removed (`a/`), without its prefix.
pub(crate) fn without_prefix(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap_or(name).to_owned()
}

/// Reads a name in quotes, as C writes strings, and returns what follows the closing quote. Bytes that are
/// not UTF-8 become U+FFFD.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut name = Vec::new();
    let mut bytes = inner.bytes().peekable();
    loop {
        match bytes.next()? {
            b'"' => break,
            b'\\' => name.push(escaped(&mut bytes)?),
            byte => name.push(byte),
        }
    }
    let rest = inner.get(inner.len() - bytes.len()..)?;
    Some((String::from_utf8_lossy(&name).into_owned(), rest))
}

/// The byte that the letters behind a backslash mean.
fn escaped(bytes: &mut Peekable<Bytes<'_>>) -> Option<u8> {
    Some(match bytes.next()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        mark @ (b'"' | b'\\') => mark,
        first @ b'0'..=b'3' => {
            let mut digit = || bytes.next_if(|byte| (b'0'..=b'7').contains(byte));
            let (second, third) = (digit()?, digit()?);
            (first - b'0') << 6 | (second - b'0') << 3 | (third - b'0')
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_octal_digits_are_read() {
        assert_eq!(
            whole("\"a/\\303\\244 \\\"x\\\"\\t.py\"\r\n"),
            "a/ä \"x\"\t.py"
        );
        assert_eq!(whole("a b.py\n"), "a b.py");
        for text in [
            "\"a",
            "\"a\\",
            "\"a\\q\"",
            "\"a\\9\"",
            "\"a\\38\"",
            "\"a\" b",
        ] {
            assert_eq!(whole(text), text);
        }
        assert_eq!(whole("\"\\377\""), "\u{fffd}");
    }

    #[test]
    fn a_time_behind_the_name_is_no_part_of_it() {
        let line = name_line("a b.py\t2024-01-01 10:00:00.000000000 +0100\n");
        assert_eq!((line.name.as_str(), line.is_of_no_file), ("a b.py", false));
        let line = name_line("\"a\\tb.py\"\t2024-01-01\n");
        assert_eq!((line.name.as_str(), line.is_of_no_file), ("a\tb.py", false));
    }

    #[test]
    fn words_that_mean_no_file_are_known() {
        for line in [
            "/dev/null\n",
            "/dev/null\tThu Jan 01 00:00:00 1970 +0000\n",
            "x.py\t(nonexistent)\n",
            "x.py\t(revision 0)\n",
            "x.py\t1970-01-01 00:00:00.000000000 +0000\n",
            "x.py\t1970-01-01 01:00:00.000000000 +0100\n",
            "x.py\t1969-12-31 16:30:00 -0730\n",
        ] {
            assert!(name_line(line).is_of_no_file, "{line}");
        }
        for line in [
            "x.py",
            "x.py\t(revision 10)\n",
            "x.py\t1970-01-01 00:00:00.000000001 +0000\n",
            "x.py\t1970-01-01 00:00:00 +0100\n",
            "x.py\t1970-01-01 00:00:01 +0000\n",
            "x.py\t1970-01-01 99999999999:00:00 +0000\n",
        ] {
            assert!(!name_line(line).is_of_no_file, "{line}");
        }
    }

    #[test]
    fn the_line_of_git_gives_two_names() {
        let names = |rest| pair(rest, None, None).map(|(one, other)| format!("{one}|{other}"));
        let expected = |text: &str| Some(text.to_owned());
        assert_eq!(names("a/x b/x\n"), expected("a/x|b/x"));
        assert_eq!(names("x x"), expected("x|x"));
        assert_eq!(names("a/x y b/x y"), expected("a/x y|b/x y"));
        assert_eq!(names("a/x b/x b/x b/x"), expected("a/x b/x|b/x b/x"));
        assert_eq!(
            names("before/x y after/x y"),
            expected("before/x y|after/x y")
        );
        assert_eq!(names("\"a/\\\"\" \"b/\\\"\""), expected("a/\"|b/\""));
        assert_eq!(names("a/x \"b/\\\"\""), expected("a/x|b/\""));
        assert_eq!(names("\"a/\\\"\" b/x"), expected("a/\"|b/x"));
        assert_eq!(names("a/x b/y"), None);
        assert_eq!(names(""), None);
        assert_eq!(names("äää"), None);
        let known = pair("a/x b/y z", None, Some("b/y z"));
        assert_eq!(known, Some(("a/x".to_owned(), "b/y z".to_owned())));
        let known = pair("a/x y b/z", Some("a/x y"), None);
        assert_eq!(known, Some(("a/x y".to_owned(), "b/z".to_owned())));
    }

    #[test]
    fn prefixes_are_the_parts_in_which_the_names_differ() {
        let names = |one, other| {
            let (one, other) = without_prefixes(one, other);
            format!("{one}|{other}")
        };
        assert_eq!(names("a/x/y", "b/x/y"), "x/y|x/y");
        assert_eq!(names("i/x", "w/x"), "x|x");
        assert_eq!(names("old/x", "new/x"), "x|x");
        assert_eq!(names("a/x", "a/x"), "a/x|a/x");
        assert_eq!(names("a/one", "b/other"), "one|other");
        assert_eq!(names("x.orig", "x"), "x.orig|x");
        assert_eq!(names("d/x.orig", "d/x"), "d/x.orig|d/x");
    }
}
