//! Every operation is the inverse of its counterpart and agrees with the export: on fixtures, on
//! programs with every kind of edge, and on generated trees.

use codeweft_testing::edge_consistency::{AskOptions, Edges, Sampling, Sides, paths, verdicts};
use codeweft_testing::generate::{self, Size, python};
use codeweft_testing::{Fixture, Texts, fixture};

/// Returns the sides of a workspace, and the errors of its paths.
fn sides(texts: Texts, cold_cache: bool) -> (Sides, Vec<String>) {
    let workspace = Fixture::of(texts).load();
    let how = AskOptions {
        threads: 1,
        cold_cache,
        signatures: true,
    };
    let sides = Sides::read(workspace.host.db(), how);
    let sampling = Sampling { count: 60, seed: 1 };
    let mut wrong = paths(&sides, workspace.host.db(), sampling);
    let all = Sampling {
        count: usize::MAX,
        seed: 1,
    };
    wrong.extend(verdicts(&sides, workspace.host.db(), all).wrong);
    (sides, wrong)
}

/// Asserts that no side differs, whether queries share a cache or not.
fn agree(texts: Texts, name: &str, least: usize) {
    for cold_cache in [false, true] {
        let (sides, wrong) = sides(texts.clone(), cold_cache);
        let lines: Vec<String> = sides
            .differences()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            lines.is_empty(),
            "{name}, forgetting {cold_cache}: {lines:#?}"
        );
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        let calls = sides.exported_calls.list.len();
        assert!(calls >= least, "{name}: {calls} calls");
        assert!(!sides.references.list.is_empty(), "{name}");
    }
}

/// Returns the files of a folder of `test-fixtures`.
fn folder(name: &str) -> Texts {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-fixtures");
    let mut texts = Texts::new();
    let mut open = vec![root.join(name)];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of fixtures") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let below = path.strip_prefix(root.join(name)).expect("below its root");
                texts.insert(below.to_string_lossy().into_owned(), text);
            }
        }
    }
    texts
}

#[test]
fn on_the_fixtures_every_operation_is_consistent_with_its_inverse() {
    agree(folder("go-small"), "go-small", 10);
    agree(folder("live-small"), "live-small", 3);
}

#[test]
fn in_go_every_way_to_call_a_method_is_in_both_directions() {
    agree(
        fixture::texts(include_str!("edge_consistency/ways.txt")),
        "ways.txt",
        50,
    );
}

#[test]
fn in_python_every_kind_of_edge_is_in_both_directions() {
    agree(
        fixture::texts(include_str!("edge_consistency/kinds.txt")),
        "kinds.txt",
        60,
    );
}

#[test]
fn the_verdicts_of_both_directions_are_compared_at_sites_that_could_call() {
    let texts = fixture::texts(include_str!("edge_consistency/values.txt"));
    let workspace = Fixture::of(texts).load();
    let db = workspace.host.db();
    let sides = Sides::read(db, AskOptions::default());
    let all = Sampling {
        count: usize::MAX,
        seed: 1,
    };
    let compared = verdicts(&sides, db, all).sites;
    assert!(compared >= 3, "{compared} sites");
}

#[test]
fn in_python_calls_under_another_name_are_in_both_directions() {
    agree(
        fixture::texts(include_str!("edge_consistency/values.txt")),
        "values.txt",
        20,
    );
}

#[test]
fn on_generated_trees_every_operation_is_consistent_with_its_inverse() {
    for seed in 0..3 {
        let mut texts = generate::workspace(seed, Size::SMALL);
        for (path, text) in python::workspace(seed, Size::SMALL) {
            texts.entry(path).or_insert(text);
        }
        agree(texts, &format!("seed {seed}"), 200);
    }
}

/// Returns whether the export has a reference; ids are prefixed with their language.
fn refers(sides: &Sides, from: &str, to: &str, how: &str) -> bool {
    let name = |text| sides.names.known(text).unwrap_or(u32::MAX);
    let mut edges = sides.exported_references.list.iter();
    edges.any(|edge| (edge.from, edge.to, edge.how) == (name(from), name(to), name(how)))
}

#[test]
fn calls_in_a_stub_are_in_both_directions() {
    let texts = fixture::texts(
        "
//- m/__init__.py
//- m/version.py
class V:
    def __init__(self, y):
        self._y = y

    @property
    def year(self):
        return self._y


def use(v: V):
    return v.year
//- m/version.pyi
class V:
    @property
    def year(self) -> int: ...
    @classmethod
    def make(cls) -> V: ...

def use(v: V) -> int: ...
",
    );
    agree(texts, "a stub beside its module", 3);
}

#[test]
fn stub_declarations_for_imported_names_belong_to_the_module() {
    let texts = fixture::texts(
        "
//- pkg/__init__.py
from ._make import Attribute, fields
//- pkg/__init__.pyi
class Attribute:
    name: str
    @property
    def alias(self) -> str: ...
    def evolve(self) -> \"Attribute\": ...

class Only:
    @property
    def shown(self) -> bool: ...
    def whole(self, of: Attribute) -> Only: ...

def fields(cls: type) -> dict[str, Attribute]: ...
//- pkg/_make.py
class Attribute:
    def evolve(self):
        return self


def fields(cls):
    return {'a': Attribute()}
//- app.py
import pkg


def run(one: pkg.Attribute):
    return one.evolve(), pkg.fields(pkg.Attribute)
",
    );
    agree(texts.clone(), "a stub of names from elsewhere", 3);
    let (sides, _) = sides(texts, false);
    assert!(refers(&sides, "py:pkg", "py:pkg._make.Attribute", "type"));
}

#[test]
fn an_absent_module_and_a_name_of_an_absent_package_have_one_id() {
    let texts = fixture::texts(
        "
//- a.py
from hyp import strategies as st

x = st.none()
y = st.lists
//- b.py
from hyp.strategies import none

z = none()
//- c.py
import hyp.strategies
import hyp.strategies as other

w = hyp.strategies.none()


def f():
    return other.none(), hyp.strategies.lists
//- d.py
from only.here import x

x()
//- e.py
from only import here as there

there.x
",
    );
    agree(texts, "absent names", 2);
}

#[test]
fn a_declaration_and_an_absent_module_of_its_name_have_one_id() {
    let texts = fixture::texts(
        "
//- kinds.py
class io:
    one = 1


io.__name__ = 'kinds.io'
other = io
//- user.py
import kinds.io
from kinds.io import one

print(kinds.io, one)
",
    );
    agree(texts, "a declaration and an absent module", 1);
}

#[test]
fn a_store_into_a_module_from_outside_writes_the_modules_binding() {
    let texts = fixture::texts(
        "
//- compat.py
def strip(x):
    return x


limit = 3
//- utils.py
from compat import strip


def go(x):
    return strip(x)
//- test_patch.py
import compat
import utils


def mine(x):
    return x


def test_it():
    old = compat.strip
    compat.strip = mine
    utils.strip = mine
    compat.limit = 4
    compat.nothing = 5
    utils.go(1)
    compat.strip = old
    del compat.limit
",
    );
    agree(texts.clone(), "stores into modules", 2);
    let (sides, _) = sides(texts, false);
    let (from, write) = ("py:test_patch.test_it", "write");
    assert!(refers(&sides, from, "py:compat.strip", write));
    assert!(refers(&sides, from, "py:compat.limit", write));
    assert!(!refers(&sides, from, "py:utils.strip", write));
    assert!(!refers(&sides, from, "py:compat.nothing", write));
}

#[test]
fn an_import_in_a_class_is_the_imported_symbol() {
    let texts = fixture::texts(
        "
//- app.py
class Builder:
    import form
    from tools import dump as write

    dumps = staticmethod(form.dumps)
    wrote = write(1)
    del form

    def run(self):
        return self.write(), Builder.write
//- tools.py
def dump(x):
    return x
//- form.py
def dumps(x):
    return x
",
    );
    agree(texts.clone(), "imports of classes", 3);
    let (sides, _) = sides(texts, false);
    assert!(refers(&sides, "py:app.Builder", "py:form", "value"));
    assert!(refers(&sides, "py:app.Builder", "py:form", "write"));
    assert!(refers(
        &sides,
        "py:app.Builder.run",
        "py:tools.dump",
        "value"
    ));
}

#[test]
fn a_name_that_is_called_is_a_call_and_no_read() {
    let texts = fixture::texts(
        "
//- form.py
try:
    try:
        from multi.part import parse
    except ModuleNotFoundError:
        from part import parse
except ModuleNotFoundError:
    parse = None


def run(x):
    return parse(x)
",
    );
    agree(texts, "a name that may be None", 1);
}

#[test]
fn a_module_is_visible_to_importers_of_another_module_of_its_package() {
    let texts = fixture::texts(
        "
//- a/__init__.py
__all__ = ['b']
//- a/b/__init__.py
def f():
    return 1
//- a/c/__init__.py
//- one/use.py
import a


def g():
    return a.b.f()
//- two/use.py
import a.c


def g():
    return a.b.f()
//- three/use.py
import a.b
",
    );
    agree(texts.clone(), "modules of a package", 2);
    let (sides, _) = sides(texts, true);
    let to = sides.names.known("py:a.b.f");
    let callers = sides.callers.list.iter();
    assert_eq!(callers.filter(|edge| Some(edge.to) == to).count(), 2);
}

#[test]
fn an_attribute_looked_up_by_a_literal_is_called_without_an_identifier() {
    let texts = fixture::texts(
        "
//- base/__init__.py
class A:
    def go(self):
        return 1
//- other/__init__.py
from base import A

run = getattr(A(), 'go')


def f():
    return getattr(A(), 'go')()
//- third/__init__.py
from other import run


def g():
    return run()
//- fourth/__init__.py
import absent

kind = getattr(absent, 'Kind', None)


def h():
    return kind()
",
    );
    agree(texts, "attributes by literals", 4);
}

#[test]
fn a_call_resolved_in_two_ways_is_one_edge() {
    let texts = fixture::texts(
        "
//- lazy.py
class Lazy:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)

    def drop(self, name):
        self.__getattribute__(name)
",
    );
    agree(texts, "two ways to one call", 2);
}

#[test]
fn a_class_with_only_a_setter_inherits_the_property() {
    let texts = fixture::texts(
        "
//- size.py
class Size:
    @property
    def wide(self):
        return 1

    @wide.setter
    def wide(self, to):
        self.set = to

class Narrow(Size):
    @Size.wide.setter
    def wide(self, to):
        pass

class Gone(Size):
    @Size.wide.deleter
    def wide(self):
        pass

def measure():
    narrow = Narrow()
    narrow.wide = narrow.wide
    gone = Gone()
    gone.wide = 1
    del gone.wide
    return Narrow.wide
",
    );
    agree(texts, "a setter alone", 4);
}

#[test]
fn a_value_and_a_setter_of_one_name_are_one_attribute() {
    let texts = fixture::texts(
        r#"
//- a.py
class Size:
    def __init__(self):
        self._wide = 1

    @property
    def wide(self):
        return self._wide

class Box(Size):
    wide = Size.__dict__["wide"]

    @wide.setter
    def wide(self, value):
        self._wide = value

def measured():
    box = Box()
    box.wide = 2
    return box.wide
"#,
    );
    agree(texts.clone(), "a value and a setter", 2);
    let (sides, _) = sides(texts, false);
    assert!(refers(&sides, "py:a.measured", "py:a.Box.wide", "value"));
}

#[test]
fn conditional_definitions_of_a_method_do_not_override_each_other() {
    let texts = fixture::texts(
        "
//- wire.py
import os

class Wire:
    if os.name == \"nt\":
        def open(self):
            return 1
    else:
        def open(self):
            return 2

class Thin(Wire):
    pass

def use():
    return Thin().open() + Wire().open()
",
    );
    agree(texts, "two branches", 4);
}

#[test]
fn an_edge_missing_on_one_side_is_a_difference() {
    let texts = fixture::texts(include_str!("edge_consistency/kinds.txt"));
    type Side = fn(&mut Sides) -> &mut Edges;
    let broken: [(&str, Side); 12] = [
        ("callers lacks", |sides| &mut sides.callers),
        ("callees lacks", |sides| &mut sides.callees),
        ("export of calls lacks", |sides| &mut sides.exported_calls),
        ("implementations lacks", |sides| &mut sides.implementations),
        ("implements lacks", |sides| &mut sides.implements),
        ("export of implements lacks", |sides| {
            &mut sides.exported_implements
        }),
        ("dependents lacks", |sides| &mut sides.dependents),
        ("dependencies lacks", |sides| &mut sides.dependencies),
        ("references lacks", |sides| &mut sides.references),
        ("export of references lacks", |sides| {
            &mut sides.exported_references
        }),
        ("impact of a behaviour lacks", |sides| &mut sides.impact),
        ("a plain id lacks", |sides| &mut sides.of_redefinitions),
    ];
    let (mut sides, _) = sides(texts, false);
    for (side_name, side) in broken {
        let whole = side(&mut sides).clone();
        let own = |id: u32, sides: &Sides| {
            let mut nodes = sides.nodes.iter();
            nodes.any(|node| node.id == id && !node.external)
        };
        let at = whole
            .list
            .iter()
            .position(|edge| own(edge.from, &sides) && own(edge.to, &sides))
            .unwrap_or_else(|| panic!("{side_name}: nothing to lose"));
        let lost = side(&mut sides).list.remove(at);
        let found = sides.differences();
        let to = sides.names.text(lost.to).to_owned();
        assert!(
            found
                .iter()
                .any(|one| one.to_string().starts_with(side_name) && one.to == to),
            "{side_name}: {found:#?}"
        );
        *side(&mut sides) = whole;
        assert!(sides.differences().is_empty(), "{side_name}");
    }
}
