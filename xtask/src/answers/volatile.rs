//! The parts of answers that differ between two recordings of one binary, and are replaced before
//! an answer is recorded. Everything else is recorded byte by byte.

use std::borrow::Cow;

/// A part of answers that varies from run to run.
struct Volatile {
    /// The field or text.
    name: &'static str,
    /// The reason why it varies.
    reason: &'static str,
    form: Form,
}

/// The way to find a part.
#[derive(Clone, Copy)]
enum Form {
    /// The number of a field of this name, also if the JSON is quoted inside a string.
    Number,
    /// The text of a field of this name.
    Text,
    /// The temporary home folder.
    Home,
}

/// All volatile parts.
const VOLATILE: &[Volatile] = &[
    Volatile {
        name: "took_ms",
        reason: "the time that the answer took",
        form: Form::Number,
    },
    Volatile {
        name: "instance",
        reason: "tells items of one server's hierarchies from those of another server",
        form: Form::Text,
    },
    Volatile {
        name: "home",
        reason: "each recording has a temporary folder of its own",
        form: Form::Home,
    },
];

/// Returns the names of the replaced parts, each with its reason.
pub fn listed() -> impl Iterator<Item = String> {
    let all = VOLATILE.iter();
    all.map(|one| format!("{}: {}", one.name, one.reason))
}

/// Returns the answer with every volatile part replaced by its name in angle brackets.
pub fn replaced(answer: &str, home: &str) -> String {
    let mut text = Cow::Borrowed(answer);
    for one in VOLATILE {
        let mark = format!("<{}>", one.name);
        let new = match one.form {
            Form::Number => values_replaced(&text, one.name, &mark, false),
            Form::Text => values_replaced(&text, one.name, &mark, true),
            Form::Home if home.is_empty() => continue,
            Form::Home => text.replace(home, &mark),
        };
        text = Cow::Owned(new);
    }
    text.into_owned()
}

/// Returns the text with the values of a JSON field replaced: numbers, or strings without escapes.
fn values_replaced(text: &str, name: &str, mark: &str, quoted: bool) -> String {
    let mut new = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, from) = rest.split_at(at);
        let after = &from[name.len()..];
        let value = if before.ends_with('"') {
            value_of_field(after, quoted)
        } else {
            None
        };
        let (start, end) = value.unwrap_or((0, 0));
        new.push_str(before);
        new.push_str(name);
        new.push_str(&after[..start]);
        if value.is_some() {
            new.push_str(mark);
        }
        rest = &after[end..];
    }
    new.push_str(rest);
    new
}

/// Returns the range of the value, in a text that begins right after a field's name.
fn value_of_field(after: &str, quoted: bool) -> Option<(usize, usize)> {
    let value = after.trim_start_matches('\\').strip_prefix("\":")?;
    let value = if quoted {
        value.trim_start_matches('\\').strip_prefix('"')?
    } else {
        value
    };
    let length = if quoted {
        value.find(['"', '\\'])?
    } else {
        value
            .find(|one: char| !matches!(one, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'))
            .unwrap_or(value.len())
    };
    let start = after.len() - value.len();
    (length > 0).then_some((start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_replaced_in_json_and_in_json_inside_of_strings() {
        let one = r#"{"metadata":{"took_ms":12.5,"x":1},"text":"{\"took_ms\":7}"}"#;
        let other = r#"{"metadata":{"took_ms":0.25,"x":1},"text":"{\"took_ms\":812}"}"#;
        let kept = r#"{"metadata":{"took_ms":<took_ms>,"x":1},"text":"{\"took_ms\":<took_ms>}"}"#;
        assert_eq!(replaced(one, ""), kept);
        assert_eq!(replaced(other, ""), kept);
    }

    #[test]
    fn instances_and_homes_are_replaced() {
        let answer = r#"{"data":{"v":1,"id":"a.b","instance":"3078269d"}} in /tmp/h1/run"#;
        assert_eq!(
            replaced(answer, "/tmp/h1"),
            r#"{"data":{"v":1,"id":"a.b","instance":"<instance>"}} in <home>/run"#
        );
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for answer in [
            "",
            "took_ms",
            r#""took_ms""#,
            r#"{"took_ms":null,"revision":2}"#,
            "ein größeres Beispiel: took_ms = 3",
            r#"{"instance":3}"#,
        ] {
            assert_eq!(replaced(answer, "/tmp/h1"), answer);
        }
    }
}
