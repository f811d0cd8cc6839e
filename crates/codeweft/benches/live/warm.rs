//! The first answer of a new server, and of a command without one: nothing kept, then from what the first left
//! in the cache. Over real processes, from exec to the last byte; the figure is the middle of several.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use codeweft_testing::clients::Sandbox;
use serde_json::Value;

use crate::branch;
use crate::clients::{is_primed, stats_of};
use crate::planned_edits;
use crate::query::write_go;
use crate::report::Report;

/// How long priming may take.
const PRIMED: Duration = Duration::from_secs(180);

/// A workspace: the name in figures, and the functions whose callers are asked: one of few files, one that
/// many use.
struct Workspace {
    name: &'static str,
    targets: [&'static str; 2],
    /// Whether a branch is switched and back.
    has_branch: bool,
}

/// Eleven files that import `net/http` and others; the second target is a method that interfaces have.
const SMALL: Workspace = Workspace {
    name: "small",
    targets: ["example.com/small.step4", "example.com/small.part4.Close"],
    has_branch: true,
};

const LIBRARY: Workspace = Workspace {
    name: "library",
    targets: ["net/http.localRedirect", "fmt.Errorf"],
    has_branch: false,
};

/// Folders of CODEWEFT_CORPORA.
const CORPORA: [(&str, Workspace); 4] = [
    (
        "github.com_caddyserver_caddy_v2",
        Workspace {
            name: "caddy",
            targets: ["caddy/v2.Load", "caddy/v2.Log"],
            has_branch: false,
        },
    ),
    (
        "google.golang.org_grpc",
        Workspace {
            name: "grpc",
            targets: [
                "internal/transport.NewServerTransport",
                "grpc/status.Errorf",
            ],
            has_branch: true,
        },
    ),
    (
        "django-5.2.15",
        Workspace {
            name: "django",
            targets: [
                "django.utils.encoding.force_str",
                "django.urls.base.reverse",
            ],
            has_branch: true,
        },
    ),
    (
        "sympy-1.14.0",
        Workspace {
            name: "sympy",
            targets: ["sympy.core.sympify.kernS", "sympy.core.sympify.sympify"],
            has_branch: false,
        },
    ),
];

/// Measures the library, a small project, and the corpora that are there. `times`: how often each warm
/// figure is measured.
pub fn measure(report: &mut Report, times: usize) -> Result<(), String> {
    let corpora = std::env::var_os("CODEWEFT_CORPORA").map(PathBuf::from);
    let (mut parses, mut switched) = (0, 0);
    let mut one = |root: &Path, workspace: &Workspace| {
        let words = |error: io::Error| format!("{}: {error}", workspace.name);
        parses += of_workspace(report, root, workspace, times).map_err(words)?;
        if workspace.has_branch {
            let parsed = branch::parses(root, workspace.targets[0]).map_err(words)?;
            println!("  {}: {parsed} after a branch and back", workspace.name);
            switched += parsed;
        }
        Ok::<(), String>(())
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let small = write_go(folder.path()).and_then(|()| folder.path().canonicalize());
    one(&small.map_err(|error| error.to_string())?, &SMALL)?;
    one(&planned_edits::library()?, &LIBRARY)?;
    for (folder, workspace) in &CORPORA {
        match corpora.as_ref().map(|corpora| corpora.join(folder)) {
            Some(root) if root.is_dir() => one(&root, workspace)?,
            _ => println!("  skipped: {folder}: cargo xtask corpora, asks --fetch"),
        }
    }
    let words = "texts parsed by servers that started with a full cache";
    report.figure("start-parses", parses as f64, "", words);
    let words = "texts parsed after a branch was switched and back, all read";
    report.figure("branch-parses", switched as f64, "", words);
    Ok(())
}

/// Returns how many texts the warm servers have parsed.
fn of_workspace(
    report: &mut Report,
    root: &Path,
    workspace: &Workspace,
    times: usize,
) -> io::Result<u64> {
    let Workspace { name, targets, .. } = workspace;
    let mut site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), root)?;
    let cold = first_answer(&mut site, targets[0])?;
    let words = format!(
        "{name}: a new server, nothing kept: callers of {}",
        targets[0]
    );
    report.figure(&format!("start-{name}-cold"), ms(cold), "ms", &words);
    wait_until_written(&site)?;
    site.end_server();

    let mut parses = 0;
    for (target, kind) in targets.iter().zip(["", "-used"]) {
        let mut runs = Vec::new();
        for _ in 0..times {
            runs.push(first_answer(&mut site, target)?);
            parses += stats_of(&site)?["parses"].as_u64().unwrap_or(1);
            site.end_server();
        }
        let words = format!("{name}: a new server, from the cache: callers of {target}");
        let bar = format!("start-{name}{kind}-warm");
        report.figure(&bar, middle(runs), "ms", &words);
        let mut runs = Vec::new();
        for _ in 0..times {
            runs.push(query(&site, target)?);
        }
        let words = format!("{name}: one command, from the cache: callers of {target}");
        report.figure(
            &format!("query-{name}{kind}-warm"),
            middle(runs),
            "ms",
            &words,
        );
    }
    Ok(parses)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn middle(mut runs: Vec<Duration>) -> f64 {
    runs.sort_unstable();
    runs.get(runs.len() / 2).copied().map_or(0.0, ms)
}

fn checked(answer: &Value, target: &str) -> io::Result<()> {
    match answer["total_found"].as_u64() {
        Some(found) if found > 0 => Ok(()),
        _ => Err(io::Error::other(format!("{target}: {answer}"))),
    }
}

/// Starts an agent and a server, and returns the time until the callers of a target are answered.
pub fn first_answer(site: &mut Sandbox, target: &str) -> io::Result<Duration> {
    let started = Instant::now();
    let (mut agent, _) = site.agent(&[])?;
    agent.initialize()?;
    loop {
        // While it loads, the tool says how far it is after a while, and is asked again.
        let request = serde_json::json!({"operation": "callers", "target": target});
        let result = agent.call(request)?;
        let elapsed = started.elapsed();
        if result.text.contains("is loading") && elapsed < PRIMED {
            continue;
        }
        checked(&result.structured, target)?;
        return Ok(elapsed);
    }
}

/// Asks without a server; returns the time from the start of the process to its end.
fn query(site: &Sandbox, target: &str) -> io::Result<Duration> {
    let mut command = site.command(&["query", "callers", target, "--disk", "--json", "--quiet"]);
    command.arg("--root").arg(site.root());
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let output = command.output()?;
    let elapsed = started.elapsed();
    checked(&serde_json::from_slice(&output.stdout)?, target)?;
    Ok(elapsed)
}

/// Waits until the server has read everything and the cache has been written.
pub fn wait_until_written(site: &Sandbox) -> io::Result<()> {
    let until = Instant::now() + PRIMED;
    let mut last = None;
    while Instant::now() < until {
        let stats = stats_of(site)?;
        let written = stats["cache"]["written"].as_u64();
        if is_primed(&stats) && written.is_some() && written == last {
            return Ok(());
        }
        last = written;
        // A segment ends five seconds after its last record.
        thread::sleep(Duration::from_secs(6));
    }
    Err(io::Error::other("the cache was not written in time"))
}
