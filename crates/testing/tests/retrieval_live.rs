//! Retrieval in a live host: after any edits, saved or not, after files come and go, a text gets the answer of a fresh
//! database; and an edit of a file reads the words of that file alone.

use std::path::Path;
use std::time::Duration;

use codeweft_ide::api::{BundleRequest, BundleResponse};
use codeweft_testing::fixture::{settings, texts, write};
use codeweft_testing::{Fixture, SHOP, SeededRng, Texts, Workspace};
use codeweft_workspace::{
    AnalysisHost, ClientId, Edit, Encoding, HostOptions, LoadOptions, Priority, ProjectDatabase,
    RequestCancellation, RequestOptions,
};

/// Returns requests of several kinds: a text, names, a path, a file at hand, a symbol.
fn requests() -> Vec<BundleRequest> {
    let texts = [
        (
            "Orders are not paid\nThe order of `GetOrder` has no payment.",
            "",
        ),
        ("put item in web/app.py", ""),
        ("pay", "orders/main.go"),
        ("GetOrder", ""),
    ];
    texts
        .map(|(query, cursor_file)| BundleRequest {
            query: query.to_owned(),
            cursor_file: cursor_file.to_owned(),
            max_depth: 1,
            token_budget: None,
            include_snippets: false,
            include_tests: false,
            explain: true,
        })
        .into()
}

/// Prints an answer without what differs from run to run.
fn printed(answer: Result<BundleResponse, impl std::fmt::Display>) -> String {
    match answer {
        Err(error) => error.to_string(),
        Ok(response) => {
            let rows = response.files.iter().map(|row| format!("{row:?}\n"));
            // The first answer of a database does not know yet that there is no repository.
            let lines = response.text.lines().filter(|line| !line.contains(" git "));
            let lines = lines.map(|line| format!("{line}\n"));
            rows.chain(lines).collect::<String>()
        }
    }
}

fn fresh(texts: &Texts, threads: usize) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("shop");
    for (path, text) in texts {
        write(&root, path, text);
    }
    let database = ProjectDatabase::load(LoadOptions {
        threads,
        settings: settings(),
        ..LoadOptions::new(&root)
    });
    let database = database.expect("a workspace");
    let snapshot = database.snapshot(&RequestCancellation::default());
    let requests = requests();
    let answers = requests.iter();
    answers
        .map(|request| printed(snapshot.bundle(request)))
        .collect()
}

/// A host, and the texts that it has now.
struct Live {
    host: AnalysisHost,
    editors: [ClientId; 2],
    root: std::path::PathBuf,
    open: Texts,
    version: i32,
}

impl Live {
    fn start(root: &Path, threads: usize) -> Live {
        let host = AnalysisHost::start(HostOptions {
            root: root.canonicalize().expect("it is there"),
            settings: settings(),
            variables: None,
            threads,
            watch: false,
            cache: None,
            cookies: None,
        })
        .expect("a folder for a workspace");
        Live {
            editors: [host.connect("one"), host.connect("two")],
            root: host.root().into(),
            host,
            open: Texts::new(),
            version: 1,
        }
    }

    /// Sets the text of a file in one of two editors, or on disk.
    fn set(&mut self, path: &str, text: &str, is_saved: bool) {
        let absolute = self.root.join(path);
        let absolute = absolute.to_str().expect("UTF-8");
        let editor = self.editors[path.len() % 2];
        self.version += 1;
        if self.open.remove(path).is_some() {
            self.host.close(editor, absolute);
        }
        if is_saved {
            write(&self.root, path, text);
            self.host.disk_changed(vec![absolute.to_owned()]);
        } else {
            // As editors do: what is opened is the text of the disk, which yields to a newer one until it is edited.
            let disk = std::fs::read_to_string(absolute).expect("it is there");
            self.host.open(editor, absolute, self.version, &disk);
            self.version += 1;
            let edit = Edit {
                range: None,
                text: text.to_owned(),
            };
            let edited = self
                .host
                .edit(editor, absolute, self.version, &[edit], Encoding::Utf8);
            edited.expect("it is open");
            self.open.insert(path.to_owned(), text.to_owned());
        }
    }

    fn ask(&self, request: BundleRequest) -> String {
        let options = RequestOptions::new(
            self.editors[0],
            Priority::Agent,
            self.host.now(),
            Duration::from_secs(60),
        );
        let answer = self
            .host
            .ask(options, move |snapshot| snapshot.bundle(&request));
        match answer {
            Ok(answer) => printed(answer.value),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns a text with one of its lines doubled, removed, or with words changed.
fn edited(text: &str, rng: &mut SeededRng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return "x: 1\n".to_owned();
    }
    let at = rng.below(lines.len());
    match rng.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => lines[at] = lines[at].replace("Order", "Item"),
        3 => lines[at] = lines[at].replace("get", "put").replace("orders", "pay"),
        4 => lines[at].push_str("  "),
        _ => lines.insert(at, String::new()),
    }
    lines.join("\n") + "\n"
}

fn check(threads: usize, seed: u64) {
    let slow = std::env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    let steps = if slow { 400 } else { 8 };
    let mut start = texts(SHOP);
    start.insert("go.mod".to_owned(), "module m\n\ngo 1.26\n".to_owned());
    start.insert("web/.env".to_owned(), "PAY=http://pay:80\n".to_owned());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("shop");
    for (path, text) in &start {
        write(&root, path, text);
    }
    let mut live = Live::start(&root, threads);
    let paths: Vec<String> = start.keys().cloned().collect();
    let mut now = start.clone();
    let mut rng = SeededRng::new(seed);
    for step in 0..steps {
        for _ in 0..=rng.below(2) {
            let path = &paths[rng.below(paths.len())];
            // Most edits begin from the first text, so that the workspace does not fall apart.
            let before = if rng.below(4) == 0 {
                &now[path]
            } else {
                &start[path]
            };
            let text = edited(before, &mut rng);
            // What only editors have of a module's file is no layout yet.
            let is_saved = rng.below(2) == 0 || path == "go.mod";
            live.set(path, &text, is_saved);
            now.insert(path.clone(), text);
        }
        let expected = fresh(&now, threads);
        for (request, expected) in requests().into_iter().zip(expected) {
            let query = request.query.clone();
            assert_eq!(
                live.ask(request),
                expected,
                "seed {seed}, step {step}, {query}"
            );
        }
    }
}

#[test]
fn after_random_edits_a_text_is_answered_as_on_a_fresh_database_on_one_thread() {
    check(1, 11);
}

#[test]
fn after_random_edits_a_text_is_answered_as_on_a_fresh_database_on_four_threads() {
    check(4, 12);
}

#[test]
fn an_edit_reads_the_words_of_its_own_file_alone() {
    let mut all = texts(SHOP);
    all.insert("go.mod".to_owned(), "module m\n\ngo 1.26\n".to_owned());
    let mut workspace = Fixture::of(all.clone()).recording().load();
    let words_read = |workspace: &Workspace| -> Vec<String> {
        let host = &workspace.host;
        let snapshot = host.snapshot(&RequestCancellation::default());
        snapshot.bundle(&requests()[0]).expect("it is answered");
        let happened = host.recording().expect("it records").take(host.db());
        let lexed = happened
            .executed
            .into_iter()
            .filter(|(name, _)| name == "file_lex");
        lexed.map(|(_, key)| key).collect()
    };
    let sources = all
        .keys()
        .filter(|path| path.ends_with(".go") || path.ends_with(".py"));
    let sources: Vec<&String> = sources.collect();
    assert_eq!(words_read(&workspace).len(), sources.len());
    assert_eq!(words_read(&workspace), [""; 0]);
    let path = sources[0];
    workspace.open(path, &format!("{}\n", all[path]));
    assert_eq!(words_read(&workspace).len(), 1);
    workspace.change(path, &format!("{}\n\n", all[path]));
    assert_eq!(words_read(&workspace).len(), 1);
}
