//! What the deepest questions leave in memory: a server's memory before them, at once after them, and when
//! their results have been given back, which it does a minute after the last question.

use std::path::Path;
use std::thread;
use std::time::Duration;

use codeweft_testing::rows::most_called;
use serde_json::json;

use crate::clients::{self, ServerKind, stats_of};
use crate::planned_edits;
use crate::report::Report;

/// The number of most used symbols whose `impact` to depth 10 is asked.
const QUESTIONS: usize = 20;

/// The time in which the allocator returns free pages to the system.
const SETTLED: Duration = Duration::from_secs(15);

/// The minute, and the allocator's time.
const GIVEN_BACK: Duration = Duration::from_secs(75);

/// Measures the server of a workspace; the names of the figures begin with `name`.
pub fn measure(report: &mut Report, name: &str, root: &Path) -> Result<(), String> {
    let database = planned_edits::database(root)?;
    let most = most_called(database.db(), QUESTIONS);
    drop(database);
    let mut clients = clients::processes(root)?;
    let ServerKind::Server(site) = &clients.server else {
        return Err("no server".to_owned());
    };
    let held = || -> Result<f64, String> {
        let stats = stats_of(site).map_err(|error| error.to_string())?;
        let bytes = stats["rss_bytes"].as_u64();
        bytes.map(|bytes| bytes as f64).ok_or("no rss_bytes".into())
    };
    thread::sleep(SETTLED);
    let before = held()?;
    for target in most {
        let question = json!({"operation": "impact", "target": target, "depth": 10});
        let asked = clients.agent.call(question);
        asked.map_err(|error| format!("{target}: {error}"))?;
    }
    let after = held()?;
    thread::sleep(GIVEN_BACK);
    let given_back = held()?;
    println!(
        "  {name}: {:.0} MB, after {QUESTIONS} deep questions {:.0}, a minute later {:.0}",
        before / 1e6,
        after / 1e6,
        given_back / 1e6
    );
    let more = (given_back / before - 1.0) * 100.0;
    let words = "more memory than before, a minute after deep questions";
    report.figure(&format!("{name}-memory-given-back"), more, "%", words);
    Ok(())
}
