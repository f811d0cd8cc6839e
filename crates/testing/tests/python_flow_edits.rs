//! The flow of Python's values after edits of bodies: extended where nothing else changes, and always what solving anew
//! gives.

use std::fs;
use std::path::{Path, PathBuf};

use codeweft_db::UnitGraph;
use codeweft_python::{flow_anew, flow_counts, py_flow};
use codeweft_testing::SeededRng;
use codeweft_workspace::{LoadOptions, ProjectDatabase};

/// A service with hooks, and what calls them.
const PROGRAM: &str = "
class Log:
    def write(self, text):
        return text

class Service:
    def __init__(self):
        self.log = Log()
        self.hooks = []

    def on(self, hook):
        self.hooks.append(hook)

    def fire(self, data):
        for hook in self.hooks:
            hook()

    def send(self, data):
        kept = self.log.write(data)
        return kept

def helper():
    return 1

def other(job):
    job()

def run():
    service = Service()
    service.on(helper)
    service.fire(helper)
    other(helper)
    return service
";

fn load(root: &Path) -> ProjectDatabase {
    let host = ProjectDatabase::load(LoadOptions::new(root)).expect("a workspace");
    host.index_all(0, &|_| {});
    host
}

/// Returns the program in a folder, open and solved.
fn solved() -> (tempfile::TempDir, PathBuf, ProjectDatabase) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("app.py");
    fs::write(&path, PROGRAM).expect("written");
    let mut host = load(folder.path());
    host.open(&path, PROGRAM);
    is_extended(&host, "first");
    (folder, path, host)
}

/// Returns whether the solution of now is the last one or was made by an extension; it has to be what solving anew gives.
fn is_extended(host: &ProjectDatabase, what: &str) -> bool {
    let db = host.db();
    let graph = UnitGraph::get(db);
    let before = flow_counts(db);
    let found = py_flow(db, graph);
    let after = flow_counts(db);
    assert!(
        found == flow_anew(db, graph),
        "{what}: not what solving anew gives"
    );
    assert!(
        after.anew + after.extended <= before.anew + before.extended + 1,
        "{what}: solved twice"
    );
    after.anew == before.anew
}

fn after_line(text: &str, line: &str, typed: &str) -> String {
    let at = text.find(line).expect("the line") + line.len();
    format!("{}\n{typed}{}", &text[..at], &text[at..])
}

#[test]
fn a_statement_that_is_typed_extends_the_solution_unless_inference_knows_other_values_by_it() {
    let (_folder, path, mut host) = solved();
    let first = "kept = self.log.write(data)";
    let cases = [
        (first, "        x = 1"),
        (first, "        helper()"),
        (first, "        again = self.log.write(data)"),
        // The object of the class comes to `fire` in an earlier round than that which `run` makes.
        (first, "        self.fire(helper)"),
        (first, "        for hook in self.hooks: hook()"),
        (first, "        other(helper)"),
        (first, "        [one() for one in self.hooks]"),
        // These move a value to what calls it.
        (first, "        other(run)"),
        (first, "        self.on(run)"),
        (first, "        self.log.kept = helper"),
        (first, "        data = helper"),
        // Another function is another declaration.
        (first, "        later = lambda: helper"),
        ("        for hook in self.hooks:", "            run()"),
        ("def helper():", "    return run"),
        ("service = Service()", "    service.send(1)"),
        ("service = Service()", "    service.send(helper)"),
        (
            "service = Service()",
            "    service.hooks.append(service.send)",
        ),
        ("service = Service()", "    getattr(service, 'fire')(other)"),
    ];
    let mut anew = Vec::new();
    for (line, typed) in cases {
        let text = after_line(PROGRAM, line, typed);
        host.change(&path, &text);
        if !is_extended(&host, typed) {
            anew.push(typed.trim());
        }
        // A solution made anew is the one that is kept from then on: all of the program is again.
        host.change(&path, PROGRAM);
        is_extended(&host, PROGRAM);
    }
    // Inference knows another result of `helper` then, so other values begin elsewhere.
    expect_test::expect![[r#"
        later = lambda: helper
        return run"#]]
    .assert_eq(&anew.join("\n"));
}

/// Types a statement into `send` letter by letter, the first `first` at once; returns the texts of it that were solved anew, a line
/// each.
fn solved_anew(host: &mut ProjectDatabase, path: &Path, statement: &str, first: usize) -> String {
    let typed = (first..=statement.len()).map(|end| &statement[..end]);
    let anew = typed.filter(|typed| {
        let line = format!("        {typed}");
        host.change(
            path,
            &after_line(PROGRAM, "kept = self.log.write(data)", &line),
        );
        !is_extended(host, typed)
    });
    anew.collect::<Vec<_>>().join("\n")
}

#[test]
fn while_a_name_is_typed_letter_by_letter_the_solution_before_its_first_letter_is_extended() {
    let (_folder, path, mut host) = solved();
    let anew = solved_anew(&mut host, &path, "self.log.write(data)", 1);
    // Of a text that is no Python all that is whole is read; a letter may be the name of nothing.
    expect_test::expect![""].assert_eq(&anew);
}

#[test]
fn while_the_arguments_of_a_new_call_are_typed_its_solution_is_extended() {
    let (_folder, path, mut host) = solved();
    let statement = "self.fire(missing, helper, key=self.log)";
    let anew = solved_anew(&mut host, &path, statement, "self.fir".len());
    // A name that nothing binds may be anything, so it opens the parameter: that is found without solving anew.
    expect_test::expect![""].assert_eq(&anew);
}

/// The set of `take` holds 64 objects, and 66 come there in one round.
fn full_set() -> String {
    let mut text = String::new();
    for number in 0..70 {
        text += &format!("class C{number}:\n    def run(self):\n        pass\n");
    }
    text += "def take(job):\n    job.run()\ndef middle(job):\n    take(job)\ndef far(job):\n    middle(job)\n";
    text += "def all():\n";
    for number in 0..66 {
        text += &format!("    middle(C{number}())\n");
    }
    text + "def send():\n    x = 1\n"
}

#[test]
fn a_value_that_comes_to_a_full_set_later_extends_the_solution_and_an_earlier_one_is_solved_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("app.py");
    let program = full_set();
    fs::write(&path, &program).expect("written");
    let mut host = load(folder.path());
    host.open(&path, &program);
    is_extended(&host, "first");
    let mut anew = Vec::new();
    for typed in ["far(C69())", "take(C69())", "far(C3())", "take(C3())"] {
        host.change(
            &path,
            &after_line(&program, "x = 1", &format!("    {typed}")),
        );
        if !is_extended(&host, typed) {
            anew.push(typed);
        }
        host.change(&path, &program);
        is_extended(&host, "taken back");
    }
    expect_test::expect!["take(C69())"].assert_eq(&anew.join("\n"));
    // In the round of the others the order of the program decides, as it does when all is solved anew.
    for number in 66..70 {
        let typed = format!("    middle(C{number}())");
        host.change(&path, &after_line(&program, "x = 1", &typed));
        is_extended(&host, &typed);
    }
}

/// Returns whether an edit of a program extends its solution.
fn extends(program: &str, edited: &str) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("app.py");
    fs::write(&path, program).expect("written");
    let mut host = load(folder.path());
    host.open(&path, program);
    is_extended(&host, "first");
    host.change(&path, edited);
    is_extended(&host, edited)
}

#[test]
fn a_known_value_that_comes_earlier_is_handed_on_earlier() {
    // The last object comes to `take` after the set is full; through `side` alone it would come before.
    let mut program = full_set();
    program += "def side(job):\n    take(job)\ndef late(job):\n    side(job)\ndef later(job):\n    late(job)\n";
    program = program.replace("    middle(C", "    far(C");
    program += "def last():\n    later(C69())\n";
    let edited = after_line(&program, "x = 1", "    side(C69())");
    assert!(!extends(&program, &edited));
}

#[test]
fn a_call_with_more_arguments_is_solved_anew_if_a_function_of_a_library_comes_there() {
    let program = "
def helper(*args):
    return args
hooks = [helper]
def run(data, other):
    for hook in hooks:
        hook(data)
def more():
    x = 1
";
    let longer = program.replace("hook(data)", "hook(data, other)");
    assert!(extends(program, &longer));
    let edited = after_line(&longer, "x = 1", "    hooks.append(max)");
    assert!(!extends(program, &edited));
}

#[test]
fn statements_of_several_bodies_extend_one_solution() {
    let (_folder, path, mut host) = solved();
    let mut text = PROGRAM.to_owned();
    for (line, typed) in [
        ("kept = self.log.write(data)", "        helper()"),
        ("service = Service()", "    other(helper)"),
        ("def other(job):", "    y = job"),
    ] {
        text = after_line(&text, line, typed);
        host.change(&path, &text);
        assert!(is_extended(&host, typed), "{typed}");
    }
    host.change(&path, PROGRAM);
    assert!(is_extended(&host, "all taken back"));
}

/// Lines of real files, typed into bodies of the same files. `CODEWEFT_SLOW=1`, `CODEWEFT_CORPORA` with the packages that
/// `cargo xtask judge flow --fetch` gets, `CODEWEFT_PACKAGE` for those with a name.
#[test]
fn lines_typed_into_real_packages_give_what_solving_anew_gives() {
    for package in packages() {
        let (mut host, mut rng) = (load(&package), SeededRng::new(7));
        let files = sources(&package);
        is_extended(&host, "first");
        let (mut extended, mut count) = (0, 0);
        for _ in 0..60 {
            let Some((path, text, at, typed)) = position(&mut rng, &files) else {
                continue;
            };
            host.open(&path, &text);
            host.change(&path, &with_line(&text, at, &typed));
            count += 1;
            extended += u32::from(is_extended(&host, &typed));
            host.change(&path, &text);
            host.close(&path);
            is_extended(&host, "taken back");
        }
        let counts = flow_counts(host.db());
        println!(
            "{}: {extended} of {count} extended, {counts:?}",
            package.display()
        );
    }
}

/// The same, letter by letter: most of these texts are no Python, and many name an attribute or a function.
#[test]
fn letters_typed_into_real_packages_give_what_solving_anew_gives() {
    for package in packages() {
        let (mut host, mut rng) = (load(&package), SeededRng::new(11));
        let files = sources(&package);
        is_extended(&host, "first");
        let (mut extended, mut count) = (0, 0);
        for _ in 0..12 {
            let Some((path, text, at, typed)) = position(&mut rng, &files) else {
                continue;
            };
            host.open(&path, &text);
            let ends = typed.char_indices().map(|(at, _)| at).skip(1);
            for end in ends.chain([typed.len()]).take(40) {
                host.change(&path, &with_line(&text, at, &typed[..end]));
                count += 1;
                extended += u32::from(is_extended(&host, &typed[..end]));
            }
            host.change(&path, &text);
            host.close(&path);
        }
        println!("{}: {extended} of {count} extended", package.display());
    }
}

/// Returns the packages of slow tests; none without `CODEWEFT_SLOW` and `CODEWEFT_CORPORA`.
fn packages() -> Vec<PathBuf> {
    let corpora = std::env::var_os("CODEWEFT_CORPORA");
    let Some(corpora) = corpora.filter(|_| std::env::var_os("CODEWEFT_SLOW").is_some()) else {
        println!("skipped: CODEWEFT_SLOW or CODEWEFT_CORPORA is not set");
        return Vec::new();
    };
    let only = std::env::var("CODEWEFT_PACKAGE").unwrap_or_default();
    let mut packages: Vec<PathBuf> = fs::read_dir(corpora)
        .expect("the corpora")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("pyproject.toml").is_file() || path.join("setup.py").is_file())
        .filter(|path| path.to_string_lossy().contains(&only))
        .filter(|path| !sources(path).is_empty())
        .collect();
    packages.sort();
    packages
}

/// Returns a file with its text, the number of a line of a function there, from 0, and a statement of the file to be typed before
/// that.
fn position(rng: &mut SeededRng, files: &[PathBuf]) -> Option<(PathBuf, String, usize, String)> {
    let path = rng.one(files)?.clone();
    let text = fs::read_to_string(&path).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let bodies: Vec<usize> = (0..lines.len())
        .filter(|&at| {
            lines[at].trim_start().starts_with("return ") && lines[at].starts_with("    ")
        })
        .collect();
    let statements: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| {
            line.ends_with(')')
                && line.contains('(')
                && !line.starts_with(['@', ')', '\'', '"', '#', '('])
        })
        .filter(|line| line.matches('(').count() == line.matches(')').count())
        .collect();
    let (&at, &typed) = (rng.one(&bodies)?, rng.one(&statements)?);
    let typed = typed.to_owned();
    Some((path, text, at, typed))
}

/// Returns a text with a further line before one, as deep as that.
fn with_line(text: &str, at: usize, typed: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let depth = lines[at].len() - lines[at].trim_start().len();
    let line = format!("{}{typed}", &lines[at][..depth]);
    lines.insert(at, &line);
    lines.join("\n")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "py") {
            found.push(path);
        }
    }
    found.sort();
    found
}
