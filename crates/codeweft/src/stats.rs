//! `codeweft stats`.

use codeweft_server::ControlRequest;
use serde_json::Value;

use crate::arguments::Stats;
use crate::output::{print, print_error};
use crate::{connection, serve, workspace};

/// Prints the running server's figures; returns the exit code.
pub fn run(stats: &Stats) -> u8 {
    let root = match workspace::find(&stats.workspace.root) {
        Ok(root) => root,
        Err(code) => return code,
    };
    let settings = match workspace::settings(&root, &stats.workspace.build) {
        Ok(settings) => settings,
        Err(code) => return code,
    };
    let figures = match connection::ctl(&root) {
        Ok((mut ctl, welcome)) => {
            let other = connection::other_build(&settings, &welcome);
            for words in other.iter().filter(|_| !stats.quiet.quiet) {
                print_error(words);
            }
            ctl.figures(&ControlRequest::Stats)
        }
        Err(error) => return serve::unreachable(&root, &error),
    };
    match figures {
        Ok(figures) if stats.json => print(&figures.to_string(), 0),
        Ok(figures) if stats.timeline => print(&timeline(&figures), 0),
        Ok(figures) => print(&rows(&figures), 0),
        Err(error) => {
            print_error(&format!("the server does not answer: {error}"));
            3
        }
    }
}

/// Returns a row for each figure; figures that are null are omitted.
fn rows(figures: &Value) -> String {
    let mut text = String::new();
    for (name, value) in figures.as_object().into_iter().flatten() {
        match value {
            Value::Null => {}
            // It has a form of its own.
            Value::Array(_) if name == "timeline" => {}
            Value::Array(list) if list.is_empty() => {}
            Value::Object(several) if name == "by_operation" => {
                for (operation, figures) in several {
                    let name = format!("{name}.{operation}");
                    let (count, average) = (&figures["count"], &figures["avg_time_ms"]);
                    text.push_str(&format!("{name:24} {count} asked, {average} ms each\n"));
                }
            }
            Value::Object(several) => {
                for (inner, value) in several {
                    text.push_str(&format!("{:24} {value}\n", format!("{name}.{inner}")));
                }
            }
            Value::String(words) => text.push_str(&format!("{name:24} {words}\n")),
            value => text.push_str(&format!("{name:24} {value}\n")),
        }
    }
    text
}

/// The width of the bars in characters.
const WIDTH: f64 = 48.0;

/// Returns a row for each span of the timeline in the order of their beginnings: from when, how long, what,
/// and a bar. Milliseconds since the server started.
fn timeline(figures: &Value) -> String {
    let number = |span: &Value, name: &str| span[name].as_f64().unwrap_or_default();
    let spans = figures["timeline"].as_array().into_iter().flatten();
    let mut spans: Vec<(f64, f64, &str)> = spans
        .map(|span| {
            let what = span["what"].as_str().unwrap_or_default();
            (number(span, "from_ms"), number(span, "took_ms"), what)
        })
        .collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let end = spans.iter().map(|(from, took, _)| from + took);
    let end = end.fold(1.0, f64::max);
    let mut text = format!("{:>10} {:>10}  {:16}\n", "from ms", "took ms", "what");
    for (from, took, what) in spans {
        let before = (from / end * WIDTH) as usize;
        let long = ((took / end * WIDTH).round() as usize).max(1);
        let bar = format!("{}{}", " ".repeat(before), "#".repeat(long));
        text.push_str(&format!("{from:>10.1} {took:>10.1}  {what:16} {bar}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timeline_has_a_bar_for_each_span_in_the_order_of_their_beginnings() {
        let figures = serde_json::json!({"timeline": [
            {"what": "walk", "from_ms": 0.0, "took_ms": 25.0},
            {"what": "callers", "from_ms": 50.0, "took_ms": 50.0},
            {"what": "lower", "from_ms": 25.0, "took_ms": 0.1},
        ]});
        let printed = timeline(&figures);
        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let bar =
            |spaces: usize, long: usize| format!("{}{}", " ".repeat(spaces), "#".repeat(long));
        assert_eq!(
            lines,
            [
                "   from ms    took ms  what".to_owned(),
                format!("       0.0       25.0  walk             {}", bar(0, 12)),
                format!("      25.0        0.1  lower            {}", bar(12, 1)),
                format!("      50.0       50.0  callers          {}", bar(24, 24)),
            ]
        );
    }

    #[test]
    fn figures_that_are_null_have_no_row() {
        let figures = serde_json::json!({
            "query_count": 2, "store_bytes": null, "running": [],
            "by_operation": {"callers": {"count": 2, "avg_time_ms": 1.5}},
        });
        assert_eq!(
            rows(&figures),
            "query_count              2\nby_operation.callers     2 asked, 1.5 ms each\n"
        );
    }
}
