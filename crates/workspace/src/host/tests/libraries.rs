//! Libraries are lowered after the first answers, which are those of a database that has read everything.

use std::collections::BTreeMap;

use super::*;
use crate::host::prime;
use crate::{LoadOptions, ProjectDatabase};

/// Libraries with an interface, a callback, a file of another system, and one that only an edit imports.
const LIBRARIES: &[(&str, &str)] = &[
    ("go/VERSION", "go1.26.0\n"),
    (
        "go/src/io/io.go",
        "package io\n\ntype Closer interface {\n\tClose() error\n}\n\nfunc All(list []Closer) {\n\tfor _, one := range list {\n\t\tone.Close()\n\t}\n}\n",
    ),
    (
        "go/src/io/io_windows.go",
        "package io\n\nfunc Hidden() { All(nil) }\n",
    ),
    (
        "go/src/call/call.go",
        "package call\n\nfunc Run(f func()) { f() }\n\nfunc Alone() {}\n",
    ),
    (
        "go/src/late/late.go",
        "package late\n\nimport \"call\"\n\nfunc Start(f func()) { call.Run(f) }\n",
    ),
];

const USER: &str = "package m\n\nimport (\n\t\"call\"\n\t\"io\"\n)\n\ntype file struct{}\n\nfunc (f *file) Close() error { return nil }\n\nfunc carried() {}\n\nfunc use() {\n\tio.All([]io.Closer{&file{}})\n\tcall.Run(carried)\n}\n";

const QUESTIONS: &[(Operation, &str)] = &[
    (Operation::Callers, "m.file.Close"),
    (Operation::Callers, "m.carried"),
    (Operation::Callees, "m.use"),
    (Operation::Callers, "io.All"),
    (Operation::References, "call.Run"),
    (Operation::Callers, "late.Start"),
    (Operation::Definition, "io.Hidden"),
    (Operation::Implementations, "io.Closer"),
];

/// A host on a workspace beside the libraries.
struct WithLibraries(Live);

impl WithLibraries {
    fn new() -> WithLibraries {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in LIBRARIES {
            write(folder.path(), path, text);
        }
        write(folder.path(), "w/go.mod", "module m\n\ngo 1.24\n");
        write(folder.path(), "w/use.go", USER);
        let mut options = options(&folder.path().join("w"));
        options.variables = Some(variables(&folder));
        let live = Live::of(AnalysisHost::start(options), folder);
        live.ready();
        WithLibraries(live)
    }

    /// Waits until priming has read everything.
    fn primed(&self) {
        let started = Instant::now();
        let tables = self.0.tables();
        while tables.may_have_unread_files() {
            assert!(started.elapsed() < PATIENCE, "it is never primed");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Asserts that all answers are those of a database that is loaded whole.
    fn is_fresh(&self, opened: Option<(&str, &str)>) {
        let mut fresh = ProjectDatabase::load(LoadOptions {
            variables: Some(variables(&self.0.folder)),
            ..LoadOptions::new(self.0.folder.path().join("w"))
        })
        .expect("a workspace");
        if let Some((path, text)) = opened {
            fresh.open(Path::new(&self.0.path(path)), text);
        }
        for &(operation, target) in QUESTIONS {
            let request = GraphRequest::new(operation, target);
            let expected = fresh.ask(&request).map_err(|error| error.message);
            let ask = self.0.ask(Priority::Agent);
            let answer = self.0.host.ask(ask, move |snapshot| {
                let request = request.clone().check().expect("a request");
                snapshot.graph(&request).map_err(|error| error.message)
            });
            let (answer, expected) = (printed(answer.expect("an answer").value), printed(expected));
            assert_eq!(answer, expected, "{operation:?} {target}");
        }
    }
}

fn variables(folder: &tempfile::TempDir) -> BTreeMap<String, String> {
    let goroot = folder.path().join("go");
    let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    BTreeMap::from([
        of("GOOS", "linux"),
        of("GOARCH", "amd64"),
        of("GOROOT", &goroot.to_string_lossy()),
    ])
}

#[test]
fn answers_before_and_after_libraries_are_read_are_the_same() {
    let host = WithLibraries::new();
    host.is_fresh(None);
    host.primed();
    host.is_fresh(None);
}

#[test]
fn a_library_that_an_edit_imports_is_read_like_those_of_the_load() {
    let host = WithLibraries::new();
    host.primed();
    let text = USER.replace("\"io\"\n", "\"io\"\n\t\"late\"\n");
    let text = text.replace("call.Run(carried)", "late.Start(carried)");
    host.0.open("use.go", &text);
    host.is_fresh(Some(("use.go", &text)));
    host.primed();
    host.is_fresh(Some(("use.go", &text)));
}

#[test]
fn an_edit_in_a_body_leaves_everything_read() {
    let host = WithLibraries::new();
    host.primed();
    host.0.open("use.go", USER);
    let text = USER.replace("call.Run(carried)", "carried()");
    host.0.change("use.go", &text);
    host.is_fresh(Some(("use.go", &text)));
    let tables = host.0.tables();
    assert!(!tables.may_have_unread_files());
}

#[test]
fn a_file_of_a_library_whose_lowering_panics_is_taken_out_and_its_package_not_read_again() {
    let host = WithLibraries::new();
    host.primed();
    let live = &host.0;
    let alone = live.callers("call.Alone");
    assert_eq!(alone.as_deref(), Ok(""));
    let core = live.host.inner.core.clone();
    let path = live.folder.path().join("go/src/call/call.go");
    let path = std::fs::canonicalize(path).expect("there");
    let answer = live.host.ask(live.ask(Priority::Agent), move |snapshot| {
        let path = path.to_str().expect("UTF-8");
        let file = snapshot.state.files.get(path).expect("known").file;
        prime::note_broken(&core, snapshot, file);
    });
    answer.expect("an answer");
    let found = || {
        let answer = live.host.ask(live.ask(Priority::Agent), |snapshot| {
            let request = GraphRequest::new(Operation::Callers, "call.Alone");
            let request = request.check().expect("a request");
            snapshot.graph(&request).is_ok()
        });
        answer.expect("an answer").value
    };
    let started = Instant::now();
    while found() {
        assert!(started.elapsed() < PATIENCE, "it is never taken out");
        std::thread::sleep(Duration::from_millis(1));
    }
    host.primed();
    // A new layout does not bring it back.
    live.write("w/other.go", "package m\n\nimport _ \"late\"\n");
    live.open("other.go", "package m\n\nimport _ \"late\"\n");
    live.ready();
    assert!(!found());
}
