//! Cancellation: cancelled work stops, and a write does not wait for a long parse.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use codeweft_testing::SeededRng;
use codeweft_testing::clients::Agent;
use codeweft_workspace::{AnalysisHost, Edit, Encoding};
use serde_json::{Value, json};

use crate::report::Report;

/// Cancels `impact` with depth 10 of the most used symbol at a random moment, `times` times: how
/// many queries still run 50 ms later.
pub fn impact(
    report: &mut Report,
    host: &AnalysisHost,
    agent: &mut Agent,
    target: &str,
    times: usize,
) -> std::io::Result<()> {
    let question = json!({"operation": "impact", "target": target, "depth": 10});
    let started = Instant::now();
    let whole = agent.call(question.clone())?;
    let cold = started.elapsed();
    let started = Instant::now();
    agent.call(question.clone())?;
    let warm = started.elapsed();
    println!(
        "  impact of {target}: {} found; {cold:.0?}, again {warm:.0?}",
        whole.structured["total_found"]
    );
    let mut rng = SeededRng::new(17);
    let (mut working, mut ended, mut late) = (0, 0, Vec::new());
    for _ in 0..times {
        let id = agent.send_call(question.clone())?;
        let micros = rng.below(warm.as_micros() as usize);
        thread::sleep(Duration::from_micros(micros as u64));
        if !is_running(host) {
            ended += 1;
        }
        agent.notify("notifications/cancelled", json!({"requestId": id}))?;
        let cancelled = Instant::now();
        thread::sleep(Duration::from_millis(50));
        if is_running(host) {
            working += 1;
            while is_running(host) {
                thread::sleep(Duration::from_millis(1));
            }
            late.push(cancelled.elapsed());
        }
    }
    println!(
        "  {times} cancelled, {ended} of them when they had not begun or had ended; late: {late:.0?}"
    );
    report.figure(
        "cancel-working",
        working as f64,
        "times",
        "at work 50 ms after the cancel",
    );
    Ok(())
}

fn is_running(host: &AnalysisHost) -> bool {
    let stats = host.stats();
    let running = stats["running"].as_array().cloned().unwrap_or_default();
    running
        .iter()
        .any(|ask: &Value| ask["operation"] == "impact")
}

/// Measures how long a write takes to be visible while a file of 8 MiB is parsed.
pub fn write_while_parsing(report: &mut Report, times: usize) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text);
    let big = big_file();
    write("go.mod", "module m\n\ngo 1.24\n")
        .and_then(|()| write("big.go", &big))
        .and_then(|()| write("small.go", "package m\n\nfunc small() int { return 1 }\n"))
        .map_err(|error| error.to_string())?;
    let host = crate::clients::host(folder.path())?;
    let client = host.connect("bench");
    let path = |name: &str| format!("{}/{name}", host.root());
    let small = std::fs::read_to_string(path("small.go")).map_err(|error| error.to_string())?;
    host.open(client, &path("big.go"), 1, &big);
    let opened = host.open(client, &path("small.go"), 1, &small);
    let deadline = Instant::now() + Duration::from_secs(60);
    host.wait(opened, deadline)
        .map_err(|error| error.to_string())?;
    let mut times_shown = Vec::new();
    let mut parses = 0;
    for round in 0..times {
        // The whole text is replaced, so that the old tree cannot be reused.
        let text = format!("{big}\nfunc more{round}() {{}}\n");
        let edit = |text: String| [Edit { range: None, text }];
        let version = round as i32 + 2;
        let large = host
            .edit(
                client,
                &path("big.go"),
                version,
                &edit(text),
                Encoding::Utf8,
            )
            .map_err(|error| error.to_string())?;
        for small_edit in 0..10 {
            thread::sleep(Duration::from_millis(20));
            let text = format!("{small}\nfunc more{round}_{small_edit}() {{}}\n");
            let before = host.revision();
            let started = Instant::now();
            host.edit(
                client,
                &path("small.go"),
                version,
                &edit(text),
                Encoding::Utf8,
            )
            .map_err(|error| error.to_string())?;
            while host.revision() == before && started.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_micros(200));
            }
            times_shown.push(started.elapsed());
            // Whether the large file was still being parsed.
            let now = Instant::now();
            parses += usize::from(host.wait(large, now).is_err());
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        host.wait(large, deadline)
            .map_err(|error| error.to_string())?;
    }
    println!(
        "  {} small writes, {parses} of them shown before the large one",
        times_shown.len()
    );
    report.spread(
        "write-while-parsing",
        times_shown,
        "a small write, 8 MiB being parsed",
    );
    Ok(())
}

/// Returns dense Go code of slightly less than 8 MiB.
fn big_file() -> String {
    let mut text = String::from("package m\n");
    let mut number = 0;
    while text.len() < (8 << 20) - (64 << 10) {
        text.push_str(&format!(
            "\nfunc f{number}(a, b int) int {{\n\tif a > b {{\n\t\treturn g(a, b) + {number}\n\t}}\n\tfor i := range b {{\n\t\ta += i * h(a)\n\t}}\n\treturn a\n}}\n"
        ));
        number += 1;
    }
    text
}

/// Returns the id of the most used symbol of a workspace.
pub fn most_used(root: &Path) -> Result<String, String> {
    let database = crate::planned_edits::database(root)?;
    let most = codeweft_testing::rows::most_called(database.db(), 1);
    std::mem::forget(database);
    most.into_iter()
        .next()
        .ok_or_else(|| "nothing is called".to_owned())
}
