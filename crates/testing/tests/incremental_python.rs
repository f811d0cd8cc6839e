//! The same for Python, alone and beside Go: after any edits, in any order of questions, on one
//! thread and on four, every answer is that of a fresh database. `CODEWEFT_SLOW=1` tries many more.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::generate::python::{PythonEditKind, edit, workspace};
use codeweft_testing::generate::{self, Edit, Size};
use codeweft_testing::rows::rows;
use codeweft_testing::same::{ask, ask_all, questions};
use codeweft_testing::script::Edits;
use codeweft_testing::{Fixture, Script, SeededRng, Texts};

/// How many scripts of edits, and how long each is.
fn amount() -> (u64, usize) {
    match std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        true => (20, 30),
        false => {
            println!("skipped: 17 more scripts of 30 edits; CODEWEFT_SLOW=1 runs them");
            (3, 6)
        }
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
    // An empty world would be the same as a fresh one, too.
    assert!(rows(script.live.host.db()).len() > 1000);
    script
}

#[test]
fn incremental_answers_about_python_are_those_of_a_fresh_database_on_one_thread() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        script(seed, 1).run(steps);
    }
}

#[test]
fn incremental_answers_about_python_are_those_of_a_fresh_database_on_four_threads() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        script(1000 + seed, 4).run(steps);
    }
}

#[test]
fn every_kind_of_edit_alone_leaves_answers_about_python_as_fresh_ones_and_is_undone() {
    let texts = workspace(9, Size::SMALL);
    for kind in PythonEditKind::ALL {
        let mut script = script(9, 1);
        let list = questions(script.live.host.db(), &texts, &mut script.lot, 22);
        let answers = ask_all(script.live.host.db(), &list, 1);
        let edit = edit(&mut script.lot, &texts, kind).expect("a place for every kind");
        script.apply(&edit);
        script.check();
        script.apply(&edit.undo(&texts));
        let again = ask_all(script.live.host.db(), &list, 1);
        assert_eq!(again, answers, "{kind:?} undone");
    }
}

#[test]
fn the_same_question_about_python_gives_the_same_bytes_on_one_thread_and_on_four() {
    for seed in 4..8 {
        let texts = workspace(seed, Size::SMALL);
        let one = Fixture::of(texts.clone()).load();
        let other = Fixture::of(texts.clone()).threads(4).load();
        let mut lot = SeededRng::new(seed);
        let list = questions(one.host.db(), &texts, &mut lot, 66);
        let answers = ask_all(one.host.db(), &list, 1);
        let found = answers.iter().filter(|answer| answer.contains("\"node\":"));
        assert!(found.count() > list.len() / 4);
        let mut order: Vec<usize> = (0..list.len()).collect();
        lot.shuffle(&mut order);
        for at in order {
            for (workspace, threads) in [(&other, 4), (&other, 1), (&one, 4), (&one, 2)] {
                let again = ask(workspace.host.db(), &list[at], threads);
                assert_eq!(again, answers[at], "{:?} on {threads}", list[at]);
            }
        }
    }
}

/// Go and Python in the same folders.
fn mixed(seed: u64) -> Texts {
    let mut texts = generate::workspace(seed, Size::SMALL);
    texts.extend(workspace(seed, Size::SMALL));
    texts.extend(codeweft_testing::fixture::texts(
        "//- twin/twin.go\npackage twin\n\nfunc Shared() int { return 1 }\n\nfunc calls() int { return Shared() }\n\
         //- twin/__init__.py\ndef Shared():\n    return 1\n\n\ndef calls():\n    return Shared()\n",
    ));
    texts
}

/// An edit of either language, by lot.
fn either(
    lot: &mut SeededRng,
    texts: &Texts,
    kind: PythonEditKind,
) -> Option<Edit<PythonEditKind>> {
    if lot.chance(1, 2) {
        return edit(lot, texts, kind);
    }
    let go = *lot.one(&generate::GoEditKind::ALL)?;
    let Edit { path, text, .. } = generate::edit(lot, texts, go)?;
    Some(Edit { kind, path, text })
}

#[test]
fn incremental_answers_about_a_mixed_tree_are_those_of_a_fresh_database() {
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
    let ask_of = |live: &codeweft_testing::Workspace, target: &str| {
        let mut request = GraphRequest::new(Operation::Callers, target);
        request.include_context = false;
        ask(live.host.db(), &request, 1)
    };
    let go = ask_of(&live, "go:twin.Shared");
    let python = ask_of(&live, "py:twin.Shared");
    let ends = |answer: &str| {
        (
            answer.contains("twin/twin.go"),
            answer.contains("twin/__init__.py"),
        )
    };
    assert_eq!(ends(&go), (true, false), "{go}");
    assert_eq!(ends(&python), (false, true), "{python}");
    let both = ask_of(&live, "twin.Shar*");
    assert_eq!(ends(&both), (true, true), "{both}");

    // An edit of one leaves the other's bytes as they were.
    let text =
        "\n\ndef Shared():\n    return 1\n\n\ndef calls():\n    return Shared() + Shared()\n";
    live.open("twin/__init__.py", text);
    assert_eq!(ask_of(&live, "go:twin.Shared"), go);
    assert_ne!(ask_of(&live, "py:twin.Shared"), python);
}

/// Names of special methods that no text has when the workspace is loaded.
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
            "//- m.py\n{}//- use.py\n{before}{code}\n",
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

/// A module of many functions and classes, whose bodies are in several chunks once it is open.
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
fn an_open_module_in_chunks_uses_what_a_fresh_database_says() {
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
