//! Questions about Python functions that only their names lead to resolve the files with the name first,
//! and are answered as by a database that has resolved everything.

use codeweft_db::Db as _;
use codeweft_graph::answer::Operation;

use super::on_demand::load;
use super::{Sources, ask};
use crate::project::ProjectDatabase;

/// Functions that are called by name, imported under other names, passed on, decorated, looked up by
/// literals, by constants of another file and by computed names; methods with overrides, a property.
const WORKSPACE: &[(&str, &str)] = &[
    ("w/shop/__init__.py", "from .price import total as amount\n"),
    (
        "w/shop/price.py",
        "from functools import wraps\n\n\ndef total(x):\n    return x\n\n\ndef plain(x):\n    return total(x)\n\n\ndef passed():\n    pass\n\n\ndef hooked(f):\n    @wraps(f)\n    def inner():\n        return f()\n    return inner\n\n\n@hooked\ndef wrapped():\n    pass\n\n\ndef looked():\n    pass\n\n\ndef constant():\n    pass\n\n\n__all__ = [\"plain\", \"total\"]\n",
    ),
    (
        "w/shop/alias.py",
        "from shop import amount as again  # the same function\nfrom shop.price import passed\n\nkept = passed\n\n\ndef use():\n    return again(1)\n",
    ),
    // Neither has the name of what it calls.
    (
        "w/shop/far.py",
        "from shop import alias\n\n\ndef far():\n    alias.again(2)\n    alias.kept()\n",
    ),
    ("w/shop/names.py", "NAME = \"constant\"\n"),
    (
        "w/shop/dynamic.py",
        "from shop import price\nfrom shop.names import NAME\n\n\ndef by_literal():\n    getattr(price, \"looked\")()\n\n\ndef by_constant():\n    getattr(price, NAME)()\n\n\ndef by_parts(part):\n    getattr(price, \"pl\" + part)()\n",
    ),
    // A function that is looked up in one body and called in another, and a `getattr` by another name.
    (
        "w/shop/held.py",
        "from builtins import getattr as fetch\nfrom shop import price\nfrom shop.names import NAME\n\nheld = getattr(price, NAME)\n\n\ndef later():\n    held()\n\n\ndef fetched(name):\n    return fetch(price, name)()\n",
    ),
    // Letters outside ASCII in a comment and a string, and in a name.
    ("w/shop/note.py", "# é\ndef note():\n    return 'é'\n"),
    (
        "w/shop/letters.py",
        "from shop import price\n\n\ndef letters(é):\n    return price.plain(é)\n",
    ),
    (
        "w/shop/kinds.py",
        "class Base:\n    def run(self):\n        self.step()\n\n    def step(self):\n        pass\n\n    @property\n    def size(self):\n        return 1\n\n    def __len__(self):\n        return self.size\n\n\nclass Child(Base):\n    def step(self):\n        super().step()\n",
    ),
    (
        "w/shop/work.py",
        "from shop.kinds import Child\n\n\ndef work(x):\n    c = Child()\n    c.run()\n    len(c)\n    x.step()\n    return c.size\n",
    ),
    (
        "w/shop/other.py",
        "import shop.price\n\n\ndef other(x):\n    return shop.price.plain(x)\n",
    ),
    (
        "w/shop/apart.py",
        "def apart():\n    return [str(x) for x in (1, 2)]\n",
    ),
];

const TARGETS: [&str; 20] = [
    "price.total",
    "price.plain",
    "price.passed",
    "price.wrapped",
    "price.looked",
    "price.constant",
    "price.hooked",
    "Base.run",
    "Base.step",
    "Child.step",
    "Base.size",
    "Base.__len__",
    "Base",
    "Child",
    "far",
    "use",
    "work",
    "shop.price",
    "shop",
    "by_parts",
];

fn sources() -> Sources {
    let sources = Sources {
        folder: tempfile::tempdir().expect("a temporary folder"),
    };
    for (path, text) in WORKSPACE {
        sources.write(path, text);
    }
    sources
}

#[test]
fn every_answer_is_that_of_a_database_that_resolves_all_files() {
    let sources = sources();
    let whole = load(&sources, false);
    for operation in Operation::ALL {
        let later = load(&sources, true);
        for target in TARGETS {
            let expected = ask(&whole, operation, target);
            let found = ask(&later, operation, target);
            assert_eq!(found, expected, "{} {target}", operation.wire_name());
            // The first question of a database finds nothing resolved.
            if operation == Operation::Callers {
                let found = ask(&load(&sources, true), operation, target);
                assert_eq!(found, expected, "first {target}");
            }
        }
    }
}

#[test]
fn files_with_the_name_or_what_carries_the_function_are_resolved() {
    let sources = sources();
    for (target, callers, reads_far) in [
        (
            "price.plain",
            &["shop.other.other", "shop.letters.letters"][..],
            false,
        ),
        ("Base.run", &["shop.work.work"], false),
        ("Base.size", &["shop.work.work"], false),
        ("Child.step", &["shop.kinds.Base.run"], false),
        // An import names it anew, twice.
        ("price.total", &["shop.far.far", "shop.alias.use"], true),
        // A variable holds it.
        ("price.passed", &["shop.far.far"], true),
        // A decorator carries it.
        ("price.wrapped", &[], true),
    ] {
        let host = load(&sources, true);
        let answer = ask(&host, Operation::Callers, target);
        for caller in callers {
            assert!(answer.contains(caller), "{target}: {answer}");
        }
        let events = host.recording().expect("it records").take(host.db());
        let is_resolved = |path: &str| {
            let mut executed = events.executed.iter();
            executed.any(|(name, key)| name == "file_uses" && key == path)
        };
        // Values are followed through the whole of a workspace of this size: others may be resolved, too.
        assert!(!reads_far || is_resolved("shop/far.py"), "{target}");
        assert!(is_resolved("shop/held.py"), "{target}");
    }
}

#[test]
fn after_an_edit_of_declarations_files_are_found_by_name_again_with_the_same_answers() {
    let sources = sources();
    let path = sources.folder.path().join("w/shop/price.py");
    let saved = std::fs::read_to_string(&path).expect("the file");
    let resolves_all = |host: &ProjectDatabase| !host.db().shared().may_have_unresolved_files();
    let opened = |on_demand: bool| {
        let mut host = load(&sources, on_demand);
        host.index_all(1, &|_| {});
        host.db().shared().set_may_have_unresolved_files(false);
        host.open(&path, &saved);
        host
    };
    let in_a_body = saved.replacen("    return x\n", "    x.note()\n    return x\n", 1);
    let declared = format!("{saved}\n\ndef added(x):\n    return plain(x)\n");
    let (mut whole, mut later) = (opened(false), opened(true));
    later.change(&path, &in_a_body);
    assert!(resolves_all(&later), "a body");
    for host in [&mut whole, &mut later] {
        host.change(&path, &declared);
    }
    assert!(!resolves_all(&later), "declarations");
    assert!(resolves_all(&whole), "nothing would resolve them later");
    for operation in Operation::ALL {
        for target in TARGETS {
            let (expected, found) = (
                ask(&whole, operation, target),
                ask(&later, operation, target),
            );
            assert_eq!(found, expected, "{} {target}", operation.wire_name());
        }
    }
}
