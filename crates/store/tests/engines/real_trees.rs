//! Real trees: a thousand questions over the eleven operations, and the times of SQL. Run with `CODEWEFT_SLOW=1`, in
//! release; Go's library is that of `go env GOROOT`, packages are in folders of `CODEWEFT_CORPORA`. A missing tree is
//! skipped with a message.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use codeweft_db::RootDb;
use codeweft_graph::answer::{ChangeType, GraphRequest, Operation, TargetKinds};
use codeweft_graph::export::{ExportOptions, each_file, each_package};
use codeweft_testing::SeededRng;
use codeweft_testing::fixture::load_folder;

use super::OPERATIONS;
use super::compare::Engines;

/// Questions of all operations together.
const QUESTIONS: usize = 1000;

/// Functions whose callers are timed.
const TIMED: usize = 300;

/// The greatest time of 95 in 100 of them, in milliseconds.
const MOST_P95: f64 = 20.0;

/// The greatest time of a function that thousands call, in milliseconds.
const MOST_OF_HUB: f64 = 250.0;

fn is_slow() -> bool {
    let slow = env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    if !slow {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
    }
    slow
}

fn goroot() -> Option<PathBuf> {
    let said = Command::new("go").args(["env", "GOROOT"]).output().ok()?;
    let path = Path::new(String::from_utf8(said.stdout).ok()?.trim()).join("src");
    path.is_dir().then_some(path)
}

fn corpus(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os("CODEWEFT_CORPORA")?).join(name);
    path.is_dir().then_some(path)
}

/// A node that can be a target.
struct Node {
    id: String,
    kind: String,
    external: bool,
}

fn nodes(db: &RootDb, threads: usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    let options = ExportOptions::default();
    each_package(db, &options, threads, &mut |package| {
        nodes.extend(package.nodes.into_iter().map(|node| Node {
            id: node.id,
            kind: node.kind,
            external: node.external,
        }));
    });
    nodes
}

/// Returns whether an operation takes nodes of a kind, nearly always.
fn fits(operation: Operation, kind: &str) -> bool {
    match operation.targets() {
        TargetKinds::Callable => matches!(kind, "function" | "method" | "class"),
        TargetKinds::Package => kind == "package",
        TargetKinds::Type => matches!(kind, "interface" | "struct" | "class" | "type"),
        TargetKinds::Implementable => matches!(kind, "interface" | "class"),
        TargetKinds::Implementing => {
            matches!(kind, "interface" | "struct" | "class" | "type" | "method")
        }
        _ => true,
    }
}

/// Asks both engines the questions about a tree; prints what differs by cause.
fn agree(name: &str, path: &Path) {
    let threads = 2;
    let host = load_folder(path, threads);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut engines = Engines::new(host.db(), threads, folder.path());
    let nodes = nodes(host.db(), threads);
    let size = std::fs::metadata(folder.path().join("graph.db")).map_or(0, |of| of.len());
    let mut sources = 0_u64;
    each_file(host.db(), threads, &mut |file| {
        sources += file.visible_text().len() as u64
    });
    let share = size as f64 / sources.max(1) as f64;
    println!("{name}: the file has {size} bytes, {share:.3} of its sources");
    let mut rng = SeededRng::new(16);
    let mut causes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut same, mut bad) = (0, 0);
    for number in 0..QUESTIONS {
        let operation = OPERATIONS[number % OPERATIONS.len()];
        let own: Vec<&Node> = nodes
            .iter()
            .filter(|node| !node.external && fits(operation, &node.kind))
            .collect();
        let mut request = GraphRequest::new(operation, own[rng.below(own.len())].id.clone());
        if operation.uses("depth") {
            request.depth = 1 + rng.below(6) as u32;
        }
        if operation == Operation::Path {
            request.to = own[rng.below(own.len())].id.clone();
        }
        if operation == Operation::Impact {
            let changes = [
                ChangeType::Signature,
                ChangeType::Behavior,
                ChangeType::Removal,
            ];
            request.change_type = changes[rng.below(3)];
        }
        let differences = engines.differences(&request);
        same += usize::from(differences.is_empty());
        for one in differences {
            bad += usize::from(one.is_of_graph());
            let operation = request.operation.wire_name();
            let words = format!(
                "{operation} {} {} depth {}\n    live {}\n    sql  {}",
                request.target,
                request.to,
                request.depth,
                one.live.chars().take(300).collect::<String>(),
                one.sql.chars().take(300).collect::<String>()
            );
            causes.entry(one.cause).or_default().push(words);
        }
    }
    println!("{name}: {same} of {QUESTIONS} answers are equal in all fields");
    for (cause, questions) in &causes {
        println!("  {cause}: {}", questions.len());
        for words in questions.iter().take(6) {
            println!("   {words}");
        }
    }
    println!("{name}: {bad} disagreements about the graph");
    times(name, &mut engines, &nodes, &mut rng);
    assert_eq!(bad, 0);
}

/// Returns the milliseconds that this thread ran on a processor: other work on the machine does not count. Where the system
/// does not say it, those on the clock.
fn thread_ms() -> f64 {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = said.and_then(|said| said.split(' ').next()?.parse::<f64>().ok());
    let clock = || {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.unwrap_or_default().as_secs_f64() * 1e9
    };
    first.unwrap_or_else(clock) / 1e6
}

/// Prints the times of SQL's callers to depth 3, and of two functions that many call.
fn times(name: &str, engines: &mut Engines<'_>, nodes: &[Node], rng: &mut SeededRng) {
    let functions: Vec<&Node> = nodes
        .iter()
        .filter(|node| !node.external && matches!(node.kind.as_str(), "function" | "method"))
        .collect();
    let mut time = |id: &str| {
        let request = GraphRequest {
            depth: 3,
            ..GraphRequest::new(Operation::Callers, id)
        };
        let request = request.check().expect("a request within bounds");
        let started = thread_ms();
        let found = engines.sql(&request).map(|answer| answer.total_found);
        (thread_ms() - started, found)
    };
    let mut all: Vec<f64> = (0..TIMED)
        .map(|_| time(&functions[rng.below(functions.len())].id).0)
        .collect();
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
    println!(
        "{name}: callers to depth 3 of {TIMED} functions, on a processor: p50 {:.2} p95 {:.2} p99 {:.2} max {:.2} ms",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
    assert!(at(0.95) <= MOST_P95);
    for hub in ["fmt.Sprintf", "sync.Mutex.Lock"] {
        if let (took, Ok(found)) = time(hub) {
            println!("{name}: {hub} to depth 3: {found} nodes in {took:.1} ms");
            assert!(took <= MOST_OF_HUB);
        }
    }
}

#[test]
fn a_thousand_questions_about_gos_library_have_one_answer() {
    match goroot().filter(|_| is_slow()) {
        Some(path) => agree("go", &path),
        None => eprintln!("skipped: no Go"),
    }
}

#[test]
fn a_thousand_questions_about_python_packages_have_one_answer() {
    for name in ["flask-3.1.0", "django-5.2.15"] {
        match corpus(name).filter(|_| is_slow()) {
            Some(path) => agree(name, &path),
            None => eprintln!("skipped {name}: not in CODEWEFT_CORPORA"),
        }
    }
}
