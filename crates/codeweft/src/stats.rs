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

#[cfg(test)]
mod tests {
    use super::*;

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
