//! A change of `codeweft.toml`, `go.work` or `go.mod` is in the next answer, which is then a fresh
//! database's.

use codeweft_graph::answer::{GraphResponse, Warning, WarningKind};

use super::*;
use crate::settings::{LiveSettings, NAME, Settings};
use crate::{LoadOptions, ProjectDatabase};

const FILES: &[(&str, &str)] = &[
    ("go.mod", "module m\n\ngo 1.24\n"),
    ("a/a.go", A),
    ("b/b.go", B),
    (
        "b/b_windows.go",
        "package b\n\nimport \"m/a\"\n\nfunc Windows() { a.X(1) }\n",
    ),
    (
        "b/special.go",
        "//go:build special\n\npackage b\n\nimport \"m/a\"\n\nfunc Special() { a.X(1) }\n",
    ),
    (
        "old/old.go",
        "package old\n\nimport \"m/a\"\n\nfunc Old() { a.X(1) }\n",
    ),
    (
        "app.py",
        "import lib, util, large\n\ndef use():\n    lib.f()\n    util.f()\n    large.f()\n",
    ),
    ("services/one/util.py", "def f(): pass\n"),
    (
        "large.py",
        "def f(): pass\n# a comment that makes the file long\n",
    ),
    (
        "old/again.py",
        "import large\n\ndef again():\n    large.f()\n",
    ),
    (".venv/pyvenv.cfg", "home = /nowhere\nversion = 3.11.4\n"),
    (
        ".venv/lib/python3.11/site-packages/lib/__init__.py",
        "from lib.inner import f\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/lib/inner.py",
        "def f(): pass\n# a comment that makes the file of the library long\n",
    ),
];

const QUESTIONS: &[(Operation, &str)] = &[
    (Operation::Callers, "a.X"),
    (Operation::References, "a.X"),
    (Operation::Callers, "lib.inner.f"),
    (Operation::Callers, "util.f"),
    (Operation::Callers, "large.f"),
    (Operation::Callees, "app.use"),
    (Operation::Callees, "b.Call"),
    (Operation::Definition, "old.Old"),
    (Operation::Definition, "again.again"),
    (Operation::Dependencies, "app.py"),
    (Operation::Dependents, "a/a.go"),
];

/// A live workspace whose settings follow their file.
struct FollowedWorkspace {
    live: Live,
    flags: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
}

impl FollowedWorkspace {
    fn new(files: &[(&str, &str)], flags: &[(&str, &str)]) -> FollowedWorkspace {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            write(folder.path(), path, text);
        }
        let flags: BTreeMap<String, String> = flags
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        let mut options = options(folder.path());
        options.watch = true;
        let variables = options.variables.clone().expect("given");
        let root = std::fs::canonicalize(folder.path()).expect("there");
        let root = root.to_str().expect("UTF-8");
        let settings = LiveSettings::find(root, &flags, Some(variables.clone()));
        options.settings = settings.current().settings.values.clone();
        let live = Live::of(AnalysisHost::start_live(options, settings), folder);
        live.ready();
        FollowedWorkspace {
            live,
            flags,
            variables,
        }
    }

    fn agent(&self, operation: Operation, target: &str) -> Result<GraphResponse, String> {
        let request = GraphRequest::new(operation, target).check();
        let (sender, receiver) = channel();
        let ask = self.live.ask(Priority::Agent);
        let host = &self.live.host;
        host.graph(ask, request.expect("a request"), move |answer| {
            sender.send(answer).expect("heard");
        });
        let answer = receiver.recv_timeout(PATIENCE).expect("an answer");
        answer.map_err(|error| error.message)
    }

    fn settings(&self) -> Settings {
        let found = Settings::find(self.live.host.root(), &self.flags, Some(&self.variables));
        found.expect("settings")
    }

    /// Returns the answers to all questions after asserting that they are those of a fresh database
    /// under these settings; `warning` is that of the settings.
    fn is_fresh(&self, settings: &Settings, warning: Option<&Warning>) -> Vec<String> {
        let fresh = ProjectDatabase::load(LoadOptions {
            settings: settings.values.clone(),
            variables: Some(self.variables.clone()),
            ..LoadOptions::new(self.live.folder.path())
        })
        .expect("a workspace");
        let mut answers = Vec::new();
        for &(operation, target) in QUESTIONS {
            let mut answer = self.agent(operation, target);
            if let (Ok(response), Some(warning)) = (&mut answer, warning) {
                let at = response.warnings.iter().position(|one| one == warning);
                response.warnings.remove(at.expect("a warning"));
            }
            let request = GraphRequest::new(operation, target);
            let expected = fresh.ask(&request).map_err(|error| error.message);
            let (answer, expected) = (printed(answer), printed(expected));
            assert_eq!(answer, expected, "{operation:?} {target}");
            answers.push(answer);
        }
        let current = self.live.host.settings();
        assert_eq!(current.settings.configuration, settings.configuration);
        answers
    }

    /// As [`FollowedWorkspace::is_fresh`], under the settings that the file gives now.
    fn is_fresh_now(&self) -> Vec<String> {
        self.is_fresh(&self.settings(), None)
    }

    fn callers(&self, target: &str) -> String {
        match self.agent(Operation::Callers, target) {
            Ok(response) => {
                let ids = response.results.into_iter().map(|result| result.node.id);
                ids.collect::<Vec<_>>().join(" ")
            }
            Err(words) => words,
        }
    }
}

#[test]
fn every_change_of_the_settings_file_is_in_the_next_answer_which_is_a_fresh_databases() {
    let workspace = FollowedWorkspace::new(FILES, &[]);
    let first = workspace.is_fresh_now();
    assert_eq!(workspace.callers("a.X"), "b.Call old.Old");
    let long = "max_file_size = 40";
    let both = [
        "[workspace]\nexclude = [\"old/\"]\n",
        "\n[go]\ntags = [\"special\"]\n",
    ];
    for (text, callers) in [
        ("[workspace]\nexclude = [\"old/\"]\n", "b.Call"),
        ("[go]\ntags = [\"special\"]\n", "b.Call b.Special old.Old"),
        ("[go]\ngoos = \"windows\"\n", "b.Call b.Windows old.Old"),
        (&both.concat(), "b.Call b.Special"),
        ("[python]\nroots = [\"services/one\"]\n", "b.Call old.Old"),
        ("[python]\ninterpreter = \"nowhere\"\n", "b.Call old.Old"),
        ("[serve]\nidle_exit = \"1h\"\n", "b.Call old.Old"),
        ("", "b.Call old.Old"),
    ] {
        workspace.live.write(NAME, text);
        let answers = workspace.is_fresh_now();
        assert_eq!(workspace.callers("a.X"), callers, "{text}");
        let keeps = text.is_empty() || text.contains("[serve]");
        assert_eq!(answers == first, keeps, "{text}");
    }
    for text in [
        "[workspace]\nlanguages = [\"python\"]\n",
        "[workspace]\nlanguages = [\"go\"]\n",
        &format!("[workspace]\n{long}\n"),
        &format!("[workspace]\n{long}\nlanguages = [\"python\"]\n"),
    ] {
        workspace.live.write(NAME, text);
        assert_ne!(workspace.is_fresh_now(), first, "{text}");
    }
    std::fs::remove_file(workspace.live.folder.path().join(NAME)).expect("there");
    assert_eq!(workspace.is_fresh_now(), first);
}

#[test]
fn a_wrong_settings_file_is_a_warning_of_answers_and_the_settings_from_before_hold() {
    let workspace = FollowedWorkspace::new(FILES, &[]);
    workspace.live.write(NAME, "[go]\ntags = [\"special\"]\n");
    workspace.is_fresh_now();
    let before = workspace.settings();
    let warning = |line, message: &str| Warning {
        file: NAME.to_owned(),
        line,
        kind: WarningKind::ParseError,
        message: format!("{message}; the settings from before it hold"),
    };
    workspace.live.write(NAME, "[go]\n\ntaggs = []\n");
    let words = "[go] no key `taggs` is known; nearest: tags";
    workspace.is_fresh(&before, Some(&warning(Some(3), words)));
    workspace.live.write(NAME, "[go]\ngoos = \"windws\"\n");
    let words = "[go] goos: `windws` is not known to Go; nearest: windows";
    workspace.is_fresh(&before, Some(&warning(None, words)));
    // The same settings again: only the warning goes.
    workspace.live.write(NAME, "[go]\ntags = [\"special\"]\n");
    workspace.is_fresh_now();
    workspace.live.write(NAME, "[go]\ngoos = \"windows\"\n");
    workspace.is_fresh_now();
    assert_eq!(workspace.callers("a.X"), "b.Call b.Windows old.Old");
}

#[test]
fn flags_win_over_a_settings_file_that_is_changed() {
    let workspace = FollowedWorkspace::new(FILES, &[("goos", "windows")]);
    workspace
        .live
        .write(NAME, "[go]\ngoos = \"linux\"\ntags = [\"special\"]\n");
    workspace.is_fresh_now();
    assert_eq!(
        workspace.callers("a.X"),
        "b.Call b.Special b.Windows old.Old"
    );
}

#[test]
fn an_editor_sees_a_changed_settings_file_without_a_barrier_and_open_documents_follow_it() {
    let workspace = FollowedWorkspace::new(FILES, &[]);
    let live = &workspace.live;
    let text = "package old\n\nimport \"m/a\"\n\nfunc Typed() { a.X(1) }\n";
    live.open("old/old.go", FILES[5].1);
    live.change("old/old.go", text);
    assert_eq!(workspace.callers("a.X"), "b.Call old.Typed");
    live.write(NAME, "[go]\ngoos = \"windows\"\n");
    while live.callers("a.X").expect("an answer") != "b.Call b.Windows old.Typed" {
        std::thread::yield_now();
    }
    // What is typed is too large now, and then no more.
    live.write(NAME, "[workspace]\nmax_file_size = 30\n");
    assert_eq!(
        workspace.callers("lib.inner.f"),
        "no symbol, package or file fits lib.inner.f"
    );
    live.write(NAME, "[workspace]\nmax_file_size = 1000\n");
    assert_eq!(workspace.callers("a.X"), "b.Call old.Typed");
}

#[test]
fn a_new_changed_or_removed_go_work_or_go_mod_is_in_the_next_answer() {
    // A module outside the root, which only these files lead to.
    let outside = tempfile::tempdir().expect("a temporary folder");
    write(
        outside.path(),
        "go.mod",
        "module example.com/one\n\ngo 1.24\n",
    );
    write(outside.path(), "a/a.go", A);
    let outside = outside.path().display();
    let files = [
        ("two/go.mod", "module example.com/two\n\ngo 1.24\n"),
        (
            "two/b.go",
            "package two\n\nimport \"example.com/one/a\"\n\nfunc Call() { a.X(1) }\n",
        ),
    ];
    let workspace = FollowedWorkspace::new(&files, &[]);
    let live = &workspace.live;
    let callees = || {
        let answer = workspace.agent(Operation::Callees, "two.Call");
        let fresh = ProjectDatabase::load(LoadOptions {
            variables: Some(workspace.variables.clone()),
            ..LoadOptions::new(live.folder.path())
        });
        let request = GraphRequest::new(Operation::Callees, "two.Call");
        let expected = fresh.expect("a workspace").ask(&request);
        let expected = expected.map_err(|error| error.message);
        let found = answer.as_ref().map(|answer| answer.results.len());
        let found = found.map_err(Clone::clone);
        assert_eq!(printed(answer), printed(expected));
        found
    };
    let alone = callees();
    live.write(
        "go.work",
        &format!("go 1.24\n\nuse (\n\t{outside}\n\t./two\n)\n"),
    );
    let joined = callees();
    live.write("go.work", "go 1.24\n\nuse ./two\n");
    let left = callees();
    std::fs::remove_file(live.folder.path().join("go.work")).expect("there");
    assert_eq!(callees(), alone);
    let replace = format!(
        "module example.com/two\n\ngo 1.24\n\nrequire example.com/one v0.0.0\n\n\
         replace example.com/one => {outside}\n"
    );
    live.write("two/go.mod", &replace);
    let replaced = callees();
    live.write("two/go.mod", files[0].1);
    assert_eq!(callees(), alone);
    assert_eq!(
        (alone, joined, left, replaced),
        (Ok(0), Ok(1), Ok(0), Ok(1))
    );
}
