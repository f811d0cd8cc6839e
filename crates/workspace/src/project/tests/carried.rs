//! Which files a question about a Python function resolves that is carried as a value: each rule by which a
//! file gets a value of another one, in a workspace of its own.

use codeweft_graph::answer::Operation;

use super::on_demand::load;
use super::{Sources, ask};

/// The files that a question is expected to resolve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Resolved {
    /// Neither the caller's nor the one that has nothing to do with it.
    Own,
    /// That of the caller, which has no name of the function.
    Caller,
    /// All.
    All,
}

/// Checks what callers of `price.load` resolves, where `hold` holds it and `far` may call it, and
/// that every answer is that of a database which resolves all files.
fn check(hold: &str, far: &str, resolved: Resolved) {
    let sources = Sources {
        folder: tempfile::tempdir().expect("a temporary folder"),
    };
    for (path, text) in [
        ("__init__", ""),
        ("price", "def load(x=1):\n    return x\n"),
        ("names", "NAME = \"load\"\n"),
        ("hold", hold),
        ("far", far),
        (
            "apart",
            "def apart():\n    return [str(x) for x in (1, 2)]\n",
        ),
    ] {
        sources.write(&format!("w/shop/{path}.py"), text);
    }
    let whole = load(&sources, false);
    let later = load(&sources, true);
    let expected = ask(&whole, Operation::Callers, "price.load");
    assert_eq!(ask(&later, Operation::Callers, "price.load"), expected);
    assert_eq!(
        expected.contains("shop.far.far"),
        resolved != Resolved::Own,
        "{expected}"
    );
    let events = later.recording().expect("it records").take(later.db());
    let is_resolved = |path: &str| {
        let mut executed = events.executed.iter();
        executed.any(|(name, key)| name == "file_uses" && key == path)
    };
    let found = match (is_resolved("shop/far.py"), is_resolved("shop/apart.py")) {
        (_, true) => Resolved::All,
        (true, false) => Resolved::Caller,
        (false, false) => Resolved::Own,
    };
    // Values are followed through the whole of a workspace of this size: a caller may be resolved, too.
    let is_of_caller = found == Resolved::Caller && resolved == Resolved::Own;
    assert!(found == resolved || is_of_caller, "{found:?}, {resolved:?}");
    for operation in Operation::ALL {
        let later = load(&sources, true);
        for target in ["price.load", "hold", "far.far"] {
            let expected = ask(&whole, operation, target);
            let found = ask(&later, operation, target);
            assert_eq!(found, expected, "{} {target}", operation.wire_name());
        }
    }
}

/// Checks that the caller is found where `hold` declares `held` and `far` runs `call`.
fn follows(held: &str, call: &str) {
    let hold = format!("from shop.price import load\n\n{held}");
    let far = format!("from shop import hold\n\n\ndef far():\n    {call}\n");
    check(&hold, &far, Resolved::Caller);
}

#[test]
fn a_variable_of_a_module_holds_a_function() {
    follows("kept = load\n", "hold.kept()");
}

#[test]
fn a_display_holds_its_elements() {
    follows("kept = [load]\n", "for one in hold.kept:\n        one()");
    follows("kept = {\"a\": load}\n", "hold.kept[\"a\"]()");
    follows("kept = (1, load)\n", "hold.kept[1]()");
}

#[test]
fn a_variable_of_a_class_holds_a_function() {
    follows("class Task:\n    run = load\n", "hold.Task.run()");
}

#[test]
fn an_attribute_that_a_method_stores_holds_a_function() {
    follows(
        "class Task:\n    def __init__(self):\n        self.run = load\n",
        "hold.Task().run()",
    );
}

#[test]
fn a_function_returns_another() {
    follows("def chosen():\n    return load\n", "hold.chosen()()");
}

#[test]
fn a_function_returns_the_default_of_its_parameter() {
    follows("def chosen(f=load):\n    return f\n", "hold.chosen()()");
}

#[test]
fn a_function_that_returns_another_is_held_itself() {
    follows(
        "def chosen():\n    return load\n\n\nmaker = chosen\n",
        "hold.maker()()",
    );
}

#[test]
fn a_lambda_returns_a_function() {
    follows("kept = lambda: load\n", "hold.kept()()");
}

#[test]
fn a_nested_function_returns_a_variable_of_the_enclosing_one() {
    follows(
        "def chosen():\n    inner = load\n\n    def get():\n        return inner\n\n    return get\n",
        "hold.chosen()()()",
    );
}

#[test]
fn a_property_returns_a_function() {
    follows(
        "class Task:\n    @property\n    def run(self):\n        return load\n",
        "hold.Task().run()",
    );
}

#[test]
fn a_generator_yields_a_function() {
    follows(
        "def chosen():\n    yield load\n",
        "for one in hold.chosen():\n        one()",
    );
}

#[test]
fn a_second_module_holds_what_the_first_one_holds() {
    let hold = "from shop.price import load\n\nkept = load\n\n\ndef second():\n    from shop import hold\n    return hold.kept\n";
    let far = "from shop import hold\n\n\ndef far():\n    hold.second()()\n";
    check(hold, far, Resolved::Caller);
}

#[test]
fn an_import_gives_what_holds_a_function_another_name() {
    let hold = "from shop.price import load\n\nkept = load\n";
    let far = "from shop.hold import kept as again\n\n\ndef far():\n    again()\n";
    check(hold, far, Resolved::Caller);
}

#[test]
fn a_literal_or_a_constant_of_another_file_looks_a_function_up() {
    let far = "from shop import hold\n\n\ndef far():\n    hold.kept()\n";
    let literal = "from shop import price\n\nkept = getattr(price, \"load\")\n";
    check(literal, far, Resolved::Caller);
    let constant =
        "from shop import price\nfrom shop.names import NAME\n\nkept = getattr(price, NAME)\n";
    check(constant, far, Resolved::Caller);
}

#[test]
fn an_argument_whose_call_returns_something_else_is_held_by_nothing() {
    let hold = "from shop.price import load\n\nkept = list(map(load, [1]))\n";
    let far = "from shop import hold\n\n\ndef far():\n    return hold.kept\n";
    check(hold, far, Resolved::Own);
    let hold = "from shop.price import load\n\n\ndef given(f):\n    f()\n\n\ngiven(load)\n";
    let far = "from shop import hold\n\n\ndef far(f):\n    hold.given(f)\n";
    check(hold, far, Resolved::Own);
}

#[test]
fn what_operators_return_has_all_files_resolved() {
    let hold = "from shop.price import load\n\n\nclass Tasks:\n    def __getitem__(self, n):\n        return load\n\n\nTASKS = Tasks()\n";
    let far = "from shop import hold\n\n\ndef far():\n    hold.TASKS[0]()\n";
    check(hold, far, Resolved::All);
}
