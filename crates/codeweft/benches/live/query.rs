//! `codeweft query callers` on small projects, with no server and nothing kept: from the start of the
//! process to the last byte of its answer, and against the bare parse of the files that a compiler
//! would read for the project; and the first answer of a new server.
//!
//! The projects are written here, so that they need no download. Each has three questions:
//! a function that nothing but its name calls, a method that no interface has, and a method that
//! interfaces of the library have, for which the values in the whole library are followed.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codeweft_db::UnitGraph;
use codeweft_testing::clients::Sandbox;

use crate::bare;
use crate::planned_edits;
use crate::report::Report;

/// The packages that the files of the Go module import, a file each; the last file has the entry.
const GO_IMPORTS: [&str; 10] = [
    "net/http",
    "encoding/json",
    "os",
    "sync",
    "bufio",
    "strings",
    "time",
    "context",
    "log/slog",
    "sort",
];

/// The modules that the files of the Python project import, several files each.
const PYTHON_IMPORTS: [&str; 9] = [
    "json",
    "logging",
    "argparse",
    "pathlib",
    "dataclasses",
    "collections",
    "subprocess",
    "asyncio",
    "urllib.request",
];

/// A small project and the questions about it.
struct Project {
    lang: &'static str,
    /// A target, and what it is, in words.
    questions: [(&'static str, &'static str); 3],
    write: fn(&Path) -> io::Result<()>,
}

const PROJECTS: [Project; 2] = [
    Project {
        lang: "go",
        questions: [
            ("example.com/small.step4", "a function"),
            ("example.com/small.part4.advance", "a method"),
            ("example.com/small.part4.Close", "an interface's method"),
        ],
        write: write_go,
    },
    Project {
        lang: "python",
        questions: [
            ("small.part4.step", "a function"),
            ("small.part4.Part.advance", "a method"),
            ("small.part4.Part.close", "a method of many classes"),
        ],
        write: write_python,
    },
];

/// Measures both projects. The figures are those of the slowest of the three questions, each the
/// middle of `times` runs.
pub fn measure(report: &mut Report, times: usize) -> Result<(), String> {
    for project in &PROJECTS {
        let words = |error: io::Error| error.to_string();
        let folder = tempfile::tempdir().map_err(words)?;
        (project.write)(folder.path()).map_err(words)?;
        let root = std::fs::canonicalize(folder.path()).map_err(words)?;
        let mut slowest = Duration::ZERO;
        for (target, what) in project.questions {
            let mut runs = Vec::new();
            for _ in 0..times {
                runs.push(run(&root, target).map_err(words)?);
            }
            runs.sort_unstable();
            let middle = runs.get(runs.len() / 2).copied().unwrap_or_default();
            let spread = format!("{}: callers of {what}, {target}", project.lang);
            report.print_spread(runs, &spread);
            slowest = slowest.max(middle);
        }
        let (texts, threads) = read(&root, project.lang)?;
        let bare = bare::parse(project.lang, &texts, threads);
        println!(
            "  {} files of the build, {:.1} MB; bare parse on {threads} threads {:.2} s",
            texts.len(),
            texts.iter().map(|text| text.len()).sum::<usize>() as f64 / 1e6,
            bare.as_secs_f64()
        );
        let [(target, _), ..] = project.questions;
        let first = (0..times).map(|_| first_answer(&root, target));
        let first: io::Result<Vec<Duration>> = first.collect();
        let words = format!("{}: a new server, its first answer", project.lang);
        report.spread(
            &format!("first-answer-{}", project.lang),
            first.map_err(|error| error.to_string())?,
            &words,
        );
        let name = |figure: &str| format!("query-{}-{figure}", project.lang);
        let seconds = slowest.as_secs_f64();
        let what = "query callers, no server, nothing kept: the slowest question";
        report.figure(&name("seconds"), seconds, "s", what);
        let ratio = seconds / bare.as_secs_f64().max(f64::EPSILON);
        report.figure(&name("ratio"), ratio, "times", "against the bare parse");
    }
    Ok(())
}

/// Queries the callers of a target and returns the time from the start of the process to its end.
fn run(root: &Path, target: &str) -> io::Result<Duration> {
    let site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), root)?;
    let mut command = site.command(&["query", "callers", target, "--json", "--quiet", "--root"]);
    command.arg(root).stdin(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let output = command.output()?;
    let elapsed = started.elapsed();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    match answer["total_found"].as_u64() {
        Some(found) if found > 0 => Ok(elapsed),
        _ => Err(io::Error::other(format!("{target}: {answer}"))),
    }
}

/// Starts an agent and a server, and returns the time until the callers of a target are answered.
fn first_answer(root: &Path, target: &str) -> io::Result<Duration> {
    let mut site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), root)?;
    let started = Instant::now();
    let (mut agent, _) = site.agent(&[])?;
    agent.initialize()?;
    let request = serde_json::json!({"operation": "callers", "target": target});
    let result = agent.call(request)?;
    let elapsed = started.elapsed();
    match result.structured["total_found"].as_u64() {
        Some(found) if found > 0 => Ok(elapsed),
        _ => Err(io::Error::other(format!("{target}: {}", result.text))),
    }
}

/// Returns the texts that the build of a workspace reads, its libraries' included, the largest first,
/// and the number of threads.
fn read(root: &Path, lang: &str) -> Result<(Vec<Arc<str>>, usize), String> {
    let database = planned_edits::database(root)?;
    let db = database.db();
    let mut texts: Vec<Arc<str>> = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        if unit.lang(db).wire_name() == lang
            && let Some(language) = db.tables().language(unit.lang(db))
        {
            let files = language.files(db, unit);
            texts.extend(files.iter().map(|file| file.text(db).clone()));
        }
    }
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    Ok((texts, database.threads()))
}

/// Writes the Go project of eleven files.
pub fn write_go(root: &Path) -> io::Result<()> {
    std::fs::write(root.join("go.mod"), "module example.com/small\n\ngo 1.24\n")?;
    let mut entry = String::from("package small\n\nfunc run() {\n");
    for (number, import) in GO_IMPORTS.iter().enumerate() {
        let name = import.rsplit('/').next().unwrap_or(import);
        let uses = match *import {
            "net/http" => {
                "http.HandleFunc(\"/\", func(w http.ResponseWriter, r *http.Request) { p.advance(len(r.URL.Path)) })"
            }
            "encoding/json" => "_, _ = json.Marshal(p.next)",
            "os" => "_, _ = os.Open(\"small\")",
            "sync" => "var lock sync.Mutex; lock.Lock(); defer lock.Unlock()",
            "bufio" => "_ = bufio.NewReader(nil)",
            "strings" => "p.next += len(strings.Fields(\"a b\"))",
            "time" => "time.Sleep(time.Millisecond)",
            "context" => "_ = context.Background()",
            "log/slog" => "slog.Info(\"step\", \"part\", p)",
            _ => "sort.Ints([]int{3, 1, 2})",
        };
        let text = format!(
            "package small\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\t\"{import}\"\n)\n\n\
             // part{number} uses package {name}.\ntype part{number} struct{{ next int }}\n\n\
             func (p *part{number}) advance(by int) {{ p.next += by }}\n\n\
             func (p *part{number}) Close() error {{ return nil }}\n\n\
             func step{number}(p *part{number}) {{\n\t{uses}\n\tp.advance(1)\n\tfmt.Println(p.next)\n\tshut{number}(p)\n}}\n\n\
             func shut{number}(c io.Closer) {{ _ = c.Close() }}\n"
        );
        std::fs::write(root.join(format!("part{number}.go")), text)?;
        let _ = writeln!(entry, "\tstep{number}(&part{number}{{}})");
    }
    std::fs::write(root.join("run.go"), entry + "}\n")
}

fn write_python(root: &Path) -> io::Result<()> {
    let package = root.join("small");
    std::fs::create_dir(&package)?;
    std::fs::write(root.join("pyproject.toml"), "[project]\nname = \"small\"\n")?;
    let mut entry = String::new();
    let mut body = String::from("\n\ndef run():\n");
    for number in 0..18 {
        let import = PYTHON_IMPORTS[number % PYTHON_IMPORTS.len()];
        let text = format!(
            "import {import}\n\n\nclass Part:\n    def __init__(self):\n        self.next = 0\n\n\
             \x20   def advance(self, by):\n        self.next += by\n\n\
             \x20   def close(self):\n        return {import}\n\n\n\
             def step(part):\n    part.advance(1)\n    part.close()\n    return part.next\n\n\n\
             def start():\n    part = Part()\n    part.advance(2)\n    part.close()\n    return step(part)\n"
        );
        std::fs::write(package.join(format!("part{number}.py")), text)?;
        let _ = writeln!(entry, "from small import part{number}");
        let _ = writeln!(body, "    part{number}.start()");
    }
    std::fs::write(package.join("__init__.py"), "")?;
    std::fs::write(package.join("run.py"), entry + &body)
}
