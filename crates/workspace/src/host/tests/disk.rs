//! Writes of agents to disk are in their next answer.

use std::sync::atomic::{AtomicBool, Ordering};

use codeweft_graph::answer::{ApiError, GraphResponse, WarningKind};

use super::*;

/// Returns a host that watches the disk.
fn watching(cookies: Option<&str>) -> Live {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "go.mod", "module m\n\ngo 1.24\n");
    write(folder.path(), "a/a.go", A);
    write(folder.path(), "b/b.go", B);
    let options = HostOptions {
        watch: true,
        cache: None,
        cookies: cookies.map(Into::into),
        ..options(folder.path())
    };
    let live = Live::of(AnalysisHost::start(options), folder);
    live.ready();
    while live.host.stats()["watch"]["reliable"] != true {
        std::thread::yield_now();
    }
    live
}

impl Live {
    fn remove(&self, path: &str) {
        std::fs::remove_file(self.folder.path().join(path)).expect("removed");
    }

    fn graph(&self, class: Priority, target: &str) -> Result<GraphResponse, ApiError> {
        let (sender, receiver) = channel();
        let request = GraphRequest::new(Operation::Callers, target).check()?;
        self.host.graph(self.ask(class), request, move |answer| {
            sender.send(answer).expect("heard");
        });
        let answer = receiver.recv_timeout(PATIENCE).expect("an answer");
        assert!(receiver.recv().is_err(), "told once");
        answer
    }

    /// Returns the callers that an agent gets.
    fn agent(&self, target: &str) -> String {
        let response = self.graph(Priority::Agent, target).expect("an answer");
        assert!(response.warnings.is_empty());
        let ids = response.results.into_iter().map(|result| result.node.id);
        ids.collect::<Vec<_>>().join(" ")
    }
}

/// Returns the text of a package that calls `a.X`.
fn calling(package: &str, function: &str) -> String {
    format!("package {package}\n\nimport \"m/a\"\n\nfunc {function}() {{ a.X(1) }}\n")
}

#[test]
fn an_agents_own_writes_are_in_its_next_answer() {
    let live = watching(None);
    for n in 0..40 {
        let name = format!("F{n}");
        live.write("b/b.go", &calling("b", &name));
        assert_eq!(live.agent("a.X"), format!("b.{name}"));
        live.write(&format!("c{n}/c.go"), &calling(&format!("c{n}"), "C"));
        assert_eq!(live.agent("a.X"), format!("b.{name} c{n}.C"));
        live.remove(&format!("c{n}/c.go"));
        assert_eq!(live.agent("a.X"), format!("b.{name}"));
    }
    let folder = live.folder.path();
    std::fs::rename(folder.join("b"), folder.join("d")).expect("renamed");
    assert_eq!(live.agent("a.X"), "d.F39");
    std::fs::remove_dir_all(folder.join("d")).expect("removed");
    assert_eq!(live.agent("a.X"), "");
}

#[test]
fn an_agents_own_writes_are_seen_without_a_barrier() {
    let live = watching(Some("/nowhere/at/all"));
    for n in 0..5 {
        live.write("b/new.go", &calling("b", &format!("New{n}")));
        assert_eq!(live.agent("a.X"), format!("b.Call b.New{n}"));
    }
}

#[test]
fn a_new_environment_and_a_package_installed_in_it_are_in_an_agents_next_answer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(
        folder.path(),
        "app.py",
        "import one, two\n\ndef use():\n    one.f()\n    two.f()\n",
    );
    let mut settings = options(folder.path());
    settings.watch = true;
    settings.variables = Some(BTreeMap::new());
    let live = Live::of(AnalysisHost::start(settings), folder);
    live.ready();
    // The file that declares a function, as an agent is answered.
    let file = |target| {
        let request = GraphRequest::new(Operation::Definition, target).check();
        let (sender, receiver) = channel();
        let agent = live.ask(Priority::Agent);
        live.host
            .graph(agent, request.expect("a request"), move |answer| {
                sender.send(answer).expect("heard");
            });
        let answer = receiver.recv_timeout(PATIENCE).expect("an answer").ok()?;
        let file = answer.results.first()?.node.file.clone();
        (!file.is_empty()).then_some(file)
    };
    assert_eq!(file("one.f"), None);
    let packages = ".venv/lib/python3.11/site-packages";
    let of = |name: &str| Some(format!("{packages}/{name}"));
    live.write(&format!("{packages}/one.py"), "def f(): pass\n");
    live.write(".venv/pyvenv.cfg", "home = /nowhere\nversion = 3.11.4\n");
    assert_eq!(file("one.f"), of("one.py"));
    assert_eq!(file("two.f"), None);
    live.write(&format!("{packages}/two.py"), "def f(): pass\n");
    assert_eq!(file("two.f"), of("two.py"));
    std::fs::remove_dir_all(live.folder.path().join(".venv")).expect("removed");
    assert_eq!(file("one.f"), None);
}

#[test]
fn a_write_to_disk_is_seen_without_a_request() {
    let live = watching(None);
    let before = live.host.revision();
    // Appears whole: of a file that is written where it is watched, an empty text may be read first.
    let made = tempfile::tempdir().expect("a temporary folder");
    write(made.path(), "c/c.go", &calling("c", "C"));
    std::fs::rename(made.path().join("c"), live.folder.path().join("c")).expect("renamed");
    while live.host.revision() == before {
        std::thread::yield_now();
    }
    assert_eq!(live.callers("a.X").expect("an answer"), "b.Call c.C");
}

#[test]
fn a_file_of_an_answer_is_checked_without_a_watch_too() {
    let live = Live::new();
    assert_eq!(live.agent("a.X"), "b.Call");
    live.write("b/b.go", &calling("b", "Named"));
    assert_eq!(live.agent("a.X"), "b.Named");
    live.remove("b/b.go");
    assert_eq!(live.agent("a.X"), "");
    // An editor's request checks as well.
    live.write("b/b.go", B);
    live.host.disk_changed(vec![live.path("b")]);
    let response = live.graph(Priority::Editor, "a.X").expect("an answer");
    assert_eq!(response.results.len(), 1);
}

#[test]
fn a_request_whose_files_are_unchanged_runs_once() {
    let live = Live::new();
    live.agent("a.X");
    let queries = |live: &Live| live.host.stats()["query_count"].as_u64().expect("a count");
    let before = queries(&live);
    live.agent("a.X");
    assert_eq!(queries(&live), before + 1);
    // Touched, but the same text: read once, and known from then on.
    live.write("b/b.go", B);
    live.agent("a.X");
    let before = queries(&live);
    live.agent("a.X");
    assert_eq!(queries(&live), before + 1);
}

#[test]
fn a_file_that_changes_all_the_time_is_answered_with_a_warning() {
    let live = Live::new();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0;
            while !stop.load(Ordering::Relaxed) {
                n += 1;
                // Replaced, so never half written.
                live.write("tmp", &calling("b", &format!("F{n}")));
                let folder = live.folder.path();
                std::fs::rename(folder.join("tmp"), folder.join("b/b.go")).expect("renamed");
            }
        });
        let warned = loop {
            let response = live.graph(Priority::Agent, "a.X").expect("an answer");
            if let Some(warning) = response.warnings.into_iter().next() {
                break warning;
            }
        };
        stop.store(true, Ordering::Relaxed);
        assert_eq!((warned.kind, &*warned.file), (WarningKind::Stale, "b/b.go"));
    });
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let live = watching(None);
    let ask = live.ask(Priority::Agent);
    ask.cancel.cancel();
    let (sender, receiver) = channel();
    let request = GraphRequest::new(Operation::Callers, "a.X")
        .check()
        .expect("a request");
    live.host.graph(ask, request, move |answer| {
        sender.send(answer).expect("heard");
    });
    let answer = receiver.recv_timeout(PATIENCE).expect("an answer");
    assert_eq!(answer.expect_err("cancelled").message, "cancelled");
    assert!(receiver.recv().is_err());
}

#[test]
fn a_host_that_is_dropped_answers_all_requests() {
    let live = watching(None);
    let (sender, receiver) = channel();
    for _ in 0..20 {
        let sender = sender.clone();
        let request = GraphRequest::new(Operation::Callers, "a.X")
            .check()
            .expect("a request");
        live.host
            .graph(live.ask(Priority::Agent), request, move |answer| {
                let _ = sender.send(answer.is_ok());
            });
    }
    drop(sender);
    drop(live);
    assert_eq!(receiver.iter().count(), 20);
}

#[test]
fn a_line_that_an_agent_names_is_that_of_the_disk_also_with_unsaved_text() {
    let live = Live::new();
    let path = live.path("b/b.go");
    let change = live.host.open(live.client, &path, 1, &format!("\n\n\n{B}"));
    live.host
        .wait(change, Instant::now() + PATIENCE)
        .expect("shown");
    let line = |words: &str| {
        let at = B.lines().position(|line| line.contains(words));
        at.expect("it is there") + 1
    };
    let defined = |line: usize| {
        let response = live.graph(Priority::Agent, &format!("b/b.go:{line}"));
        response.map(|response| response.target)
    };
    assert_eq!(defined(line("func Call")).expect("found"), "b.Call");
    assert_eq!(defined(line("func Other")).expect("found"), "b.Other");
    // A line that was edited is nowhere else in the text.
    let typed = B.replace("func Other() {}", "func Another() {}");
    let version = [codeweft_vfs::Edit {
        range: None,
        text: typed,
    }];
    let change = live
        .host
        .edit(live.client, &path, 2, &version, Encoding::Utf8)
        .expect("open");
    live.host
        .wait(change, Instant::now() + PATIENCE)
        .expect("shown");
    let error = defined(line("func Other")).expect_err("nothing stands there");
    assert_eq!(
        error.error_type,
        codeweft_graph::answer::ErrorType::AmbiguousTarget
    );
    assert!(error.message.contains("unsaved"), "{}", error.message);
}
