//! What a new declaration of Python runs, by the events of the database: what reads it, and nothing
//! else, though its module is part of a cycle of modules, classes and results.

use codeweft_testing::events::{QueryRuns, QueryWatch};
use codeweft_testing::fixture::texts;

/// The results of `make`, `Leaf.again`, `Middle.clone` and `Base.clone` are computed from each
/// other.
const FIXTURE: &str = r#"
//- pkg/__init__.py
//- pkg/base.py
from pkg.leaf import make

class Base:
    def clone(self):
        note = 1
        return make(self)

    def same(self):
        return self

    def abstract(self):
        raise NotImplementedError

if make:
    def pick(n):
        return n
else:
    def pick(n):
        return Base()
//- pkg/middle.py
from pkg.base import Base

class Middle(Base):
    def clone(self):
        return Base.clone(self) or self
//- pkg/leaf.py
from pkg.middle import Middle

class Leaf(Middle):
    def again(self):
        return self.clone()

def make(of):
    if of:
        return Leaf()
    return Leaf().again()
//- user/__init__.py
//- user/use.py
from pkg.base import pick
from pkg.leaf import make

def use():
    pick(1).same()
    return make(1).again().same()
"#;

const BASE: &str = "pkg/base.py";

/// Returns the workspace with `pkg/base.py` open, queried once.
fn opened() -> QueryWatch {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "pkg.base.Base.same");
    workspace.ask();
    workspace.open(BASE);
    workspace.ask();
    workspace
}

/// Returns what the next request runs once `old` is replaced by `new`, after a check that its answer
/// is that of a fresh database.
fn edited(old: &str, new: &str) -> QueryRuns {
    let mut workspace = opened();
    workspace.replace(BASE, old, new);
    let ran = workspace.ask();
    let mut files = texts(FIXTURE);
    files.insert(BASE.to_owned(), workspace.text(BASE).to_owned());
    let fresh = QueryWatch::new(files, "pkg.base.Base.same").ask();
    assert_eq!(ran.answer, fresh.answer, "{new}");
    ran
}

fn count(ran: &QueryRuns, query: &str) -> usize {
    ran.executed.get(query).copied().unwrap_or(0)
}

/// Returns the files whose uses ran.
fn files(ran: &QueryRuns) -> Vec<&str> {
    let queries = ran.executed.keys();
    queries
        .filter_map(|query| query.strip_prefix("file_uses "))
        .collect()
}

#[test]
fn a_new_function_before_all_others_infers_no_function_again() {
    let ran = edited("class Base:", "def added(n):\n    return n\n\nclass Base:");
    assert_eq!(files(&ran), [BASE]);
    for query in ["returned", "function_info", "final_returned"] {
        assert_eq!(count(&ran, query), 0, "{query}:\n{}", ran.printed());
    }
}

#[test]
fn a_new_method_or_attribute_concerns_only_what_looked_for_its_name() {
    let method = (
        "    def same(",
        "    def added(self):\n        return 1\n\n    def same(",
    );
    let store = (
        "        note = 1\n",
        "        note = 1\n        self.added = 1\n",
    );
    for (old, new) in [method, store] {
        let ran = edited(old, new);
        assert_eq!(files(&ran), [BASE], "{new}");
        for query in ["returned", "final_returned"] {
            assert_eq!(count(&ran, query), 0, "{new}: {query}:\n{}", ran.printed());
        }
    }
}

#[test]
fn a_new_return_of_an_equal_value_runs_its_cycle_and_no_uses_of_other_files() {
    let ran = edited(
        "        note = 1\n",
        "        note = 1\n        if note:\n            return make(note)\n",
    );
    assert!(count(&ran, "returned") > 0, "{}", ran.printed());
    assert!(count(&ran, "final_returned") > 0, "{}", ran.printed());
    assert_eq!(files(&ran), [BASE]);
}

#[test]
fn a_new_method_that_others_looked_for_runs_their_uses() {
    let ran = edited(
        "class Base:\n",
        "class Base:\n    def again(self):\n        return 1\n\n",
    );
    assert!(files(&ran).contains(&BASE), "{}", ran.printed());
    let ran = edited(
        "def same(",
        "def other(self):\n        return 1\n\n    def gone(",
    );
    assert!(files(&ran).contains(&"user/use.py"), "{}", ran.printed());
}

#[test]
fn a_statement_before_a_lone_raise_of_not_implemented_runs_nothing_of_other_files() {
    let ran = edited(
        "        raise NotImplementedError",
        "        print(1)\n        raise NotImplementedError",
    );
    assert_eq!(files(&ran), [BASE]);
    assert_eq!(count(&ran, "returned"), 0, "{}", ran.printed());
}

/// A function of the same name moves the numbers of the others, not their symbols' order.
#[test]
fn functions_of_one_name_stay_apart_after_another_is_added() {
    let again = "if make:\n    def pick(n):\n        return Base()\n\nif make:\n";
    let ran = edited("if make:\n", again);
    assert!(files(&ran).contains(&"user/use.py"), "{}", ran.printed());
}
