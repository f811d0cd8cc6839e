//! The same as `incremental.rs` for Python, alone and beside Go: after any edits, in any query
//! order, on one thread and on four, every answer equals that of a fresh database.
//! `CODEWEFT_SLOW=1` tries many more edits.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::fresh_check::{ask, ask_all, questions};
use codeweft_testing::generate::python::{PythonEditKind, edit, workspace};
use codeweft_testing::generate::{self, Edit, Size};
use codeweft_testing::rows::rows;
use codeweft_testing::script::Edits;
use codeweft_testing::{Fixture, Script, SeededRng, Texts};

/// Returns the number of scripts of edits, and the length of each.
fn amount() -> (u64, usize) {
    if std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        (20, 30)
    } else {
        println!("skipped: 17 more scripts of 30 edits; CODEWEFT_SLOW=1 runs them");
        (3, 6)
    }
}

fn edits() -> Edits<PythonEditKind> {
    Edits {
        kinds: &PythonEditKind::ALL,
        edit,
        is_half_done: PythonEditKind::is_half_done,
    }
}

fn script(seed: u64, threads: usize) -> Script<PythonEditKind> {
    let script = Script::new(workspace(seed, Size::SMALL), edits(), seed, threads);
    // An empty database would equal a fresh one as well.
    assert!(rows(script.live.host.db()).len() > 1000);
    script
}

#[test]
fn incremental_answers_about_python_equal_those_of_a_fresh_database_on_one_thread() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        script(seed, 1).run(steps);
    }
}

#[test]
fn incremental_answers_about_python_equal_those_of_a_fresh_database_on_four_threads() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        script(1000 + seed, 4).run(steps);
    }
}

#[test]
fn after_every_kind_of_edit_answers_about_python_equal_fresh_ones_and_undo_restores_them() {
    let texts = workspace(9, Size::SMALL);
    for kind in PythonEditKind::ALL {
        let mut script = script(9, 1);
        let list = questions(script.live.host.db(), &texts, &mut script.rng, 22);
        let answers = ask_all(script.live.host.db(), &list, 1);
        let edit = edit(&mut script.rng, &texts, kind).expect("a place for every kind");
        script.apply(&edit);
        script.check();
        script.apply(&edit.undo(&texts));
        let again = ask_all(script.live.host.db(), &list, 1);
        assert_eq!(again, answers, "{kind:?} undone");
    }
}

#[test]
fn the_same_request_about_python_gives_the_same_bytes_on_one_thread_and_on_four() {
    for seed in 4..8 {
        let texts = workspace(seed, Size::SMALL);
        let one = Fixture::of(texts.clone()).load();
        let other = Fixture::of(texts.clone()).threads(4).load();
        let mut rng = SeededRng::new(seed);
        let list = questions(one.host.db(), &texts, &mut rng, 66);
        let answers = ask_all(one.host.db(), &list, 1);
        let found = answers.iter().filter(|answer| answer.contains("\"node\":"));
        assert!(found.count() > list.len() / 4);
        let mut order: Vec<usize> = (0..list.len()).collect();
        rng.shuffle(&mut order);
        for at in order {
            for (workspace, threads) in [(&other, 4), (&other, 1), (&one, 4), (&one, 2)] {
                let again = ask(workspace.host.db(), &list[at], threads);
                assert_eq!(again, answers[at], "{:?} on {threads}", list[at]);
            }
        }
    }
}

/// Returns Go and Python files in the same folders.
fn mixed(seed: u64) -> Texts {
    let mut texts = generate::workspace(seed, Size::SMALL);
    texts.extend(workspace(seed, Size::SMALL));
    texts.extend(codeweft_testing::fixture::texts(
        r#"//- twin/twin.go
package twin

func Shared() int { return 1 }

func calls() int { return Shared() }
//- twin/__init__.py
def Shared():
    return 1


def calls():
    return Shared()
"#,
    ));
    texts
}

/// Draws an edit of either language.
fn either(
    rng: &mut SeededRng,
    texts: &Texts,
    kind: PythonEditKind,
) -> Option<Edit<PythonEditKind>> {
    if rng.chance(1, 2) {
        return edit(rng, texts, kind);
    }
    let go = *rng.one(&generate::GoEditKind::ALL)?;
    let Edit { path, text, .. } = generate::edit(rng, texts, go)?;
    Some(Edit { kind, path, text })
}

#[test]
fn incremental_answers_about_a_mixed_tree_equal_those_of_a_fresh_database() {
    let edits = Edits {
        edit: either,
        ..edits()
    };
    let steps = amount().1;
    Script::new(mixed(21), edits, 21, 4).run(steps);
}

#[test]
fn the_same_name_in_two_languages_is_two_symbols_and_one_pattern_finds_both() {
    let mut live = Fixture::of(mixed(22)).load();
    let execute_in_languages = |live: &codeweft_testing::Workspace, target: &str| {
        let mut request = GraphRequest::new(Operation::Callers, target);
        request.include_context = false;
        ask(live.host.db(), &request, 1)
    };
    let go = execute_in_languages(&live, "go:twin.Shared");
    let python = execute_in_languages(&live, "py:twin.Shared");
    let ends = |answer: &str| {
        (
            answer.contains("twin/twin.go"),
            answer.contains("twin/__init__.py"),
        )
    };
    assert_eq!(ends(&go), (true, false), "{go}");
    assert_eq!(ends(&python), (false, true), "{python}");
    let both = execute_in_languages(&live, "twin.Shar*");
    assert_eq!(ends(&both), (true, true), "{both}");

    // An edit of one language leaves the other's bytes unchanged.
    let text =
        "\n\ndef Shared():\n    return 1\n\n\ndef calls():\n    return Shared() + Shared()\n";
    live.open("twin/__init__.py", text);
    assert_eq!(execute_in_languages(&live, "go:twin.Shared"), go);
    assert_ne!(execute_in_languages(&live, "py:twin.Shared"), python);
}

/// The special method's name occurs in no text when the workspace is loaded.
#[test]
fn a_special_method_that_comes_later_is_seen_by_files_that_were_asked_before() {
    let before = "import m\n\nmade = m.A\n";
    for (method, code) in [
        ("__class_getitem__", "m.A[1]"),
        ("__post_init__", "m.A(1)"),
        ("__prepare__", "m.A()"),
        ("__matmul__", "m.A() @ m.A()"),
        ("__aenter__", "m.A()"),
        ("__getattr__", "m.A().nothing"),
    ] {
        let text = |more: &str| format!("class A:\n    def run(self):\n        pass\n{more}");
        let mut texts = codeweft_testing::fixture::texts(&format!(
            r#"//- m.py
{}//- use.py
{before}{code}
"#,
            text("")
        ));
        let mut live = Fixture::of(texts.clone()).load();
        rows(live.host.db());
        let more = text(&format!(
            "    def {method}(self, it=None):\n        return self\n"
        ));
        live.open("m.py", &more);
        texts.insert("m.py".into(), more);
        let fresh = Fixture::of(texts).load();
        assert_eq!(rows(live.host.db()), rows(fresh.host.db()), "{method}");
    }
}

/// Returns a module of many functions and classes, whose bodies are in several chunks once it is
/// open.
fn large_module(more: &str) -> String {
    let mut text = String::from("from small import Base, make\n\n");
    for number in 0..60 {
        let before = number.max(1) - 1;
        text += &format!(
            "class Kind{number}(Base):\n    def run(self, other):\n        self.part = make(other)\n        \
             for one in self.part:\n            one.run(number=[self, {{1: (one, other)}}])\n        \
             return [step{number}(one + other) for one in self.part if one < other]\n\n\
             def step{number}(value):\n    if value:\n        return Kind{number}().run(value)\n    \
             while not value:\n        value = step{before}(lambda: value.run())\n    return value\n\n"
        );
    }
    text.replace(
        "    if value:\n        return Kind30()",
        &format!("{more}    if value:\n        return Kind30()"),
    )
}

#[test]
fn an_open_module_in_chunks_has_the_uses_of_a_fresh_database() {
    let small = "class Base:\n    def run(self, other):\n        return 1\n\ndef make(it):\n    return [Base()]\n";
    let texts = |more: &str| {
        let large = ("large.py".to_owned(), large_module(more));
        Texts::from_iter([("small.py".to_owned(), small.to_owned()), large])
    };
    let mut live = Fixture::of(texts("")).load();
    for more in [
        "",
        "    step7(value)\n",
        "    step8(Kind9())\n",
        "    # A note.\n",
        "    def inner():\n        return value.run()\n",
    ] {
        let all = texts(more);
        live.open("large.py", &all["large.py"]);
        let fresh = Fixture::of(all.clone()).load();
        assert_eq!(rows(live.host.db()), rows(fresh.host.db()), "{more}");
        let list = questions(fresh.host.db(), &all, &mut SeededRng::new(3), 40);
        assert_eq!(
            ask_all(live.host.db(), &list, 1),
            ask_all(fresh.host.db(), &list, 1),
            "{more}"
        );
    }
}

/// What completeness reads of texts follows edits: the words of literals, the sites that look names
/// up, and syntax errors, of the edited file and of the others in its folder.
#[test]
fn literals_and_look_ups_and_syntax_errors_are_those_of_the_edited_text() {
    let before = codeweft_testing::fixture::texts(
        r#"
//- a.py
def save(): pass
def drop(): pass
//- b.py
import a
NAMES = ["save"]
def run(n):
    return getattr(a, n)()
//- c.py
OTHERS = ["save", "drop"]
//- d.py
def broken(:
    save
"#,
    );
    let edits = [
        ("b.py", before["b.py"].clone()),
        ("b.py", before["b.py"].replace("save", "drop")),
        ("b.py", format!("# A note.\n{}", before["b.py"])),
        ("b.py", before["b.py"].replace("getattr(a, n)", "n")),
        ("c.py", "drop = save = 1\n".to_owned()),
        ("d.py", "def mended(save): pass\n".to_owned()),
        ("c.py", "def broken(:\n    drop\n".to_owned()),
    ];
    let list = ["a.save", "a.drop"].map(|of| GraphRequest::new(Operation::Callers, of));
    let mut live = Fixture::of(before.clone()).load();
    let mut texts = before;
    let mut seen = vec![ask_all(live.host.db(), &list, 1)];
    for (path, text) in edits {
        live.open(path, &text);
        texts.insert(path.to_owned(), text);
        let fresh = Fixture::of(texts.clone()).load();
        let answers = ask_all(live.host.db(), &list, 1);
        assert_eq!(answers, ask_all(fresh.host.db(), &list, 1), "{texts:?}");
        seen.push(answers);
    }
    // The first edit opens a file as it is; each of the others changes an answer.
    seen.dedup();
    assert_eq!(seen.len(), 7);
}
