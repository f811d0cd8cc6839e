//! Elements of containers, by the type arguments that the model of the builtins declares (Python
//! library, Built-in Types; Collections Abstract Base Classes).

use expect_test::{Expect, expect};

use super::harness::Fixture;

/// Checks what `x.go()` runs in a function with these parameters and this body.
fn check(params: &str, body: &str, expected: Expect) {
    let head = "
from collections import defaultdict, deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from typing import DefaultDict, Deque, Dict, FrozenSet, List, Set, Tuple
class A:
    def go(self): ...
class Many(list[A]): ...
class Own:
    def __iter__(self):
        yield A()
def same(a: A) -> A: ...
";
    // The part of the library that the model's classes are found by.
    let library = "
#- collections/__init__.py
from _collections import defaultdict, deque
#- collections/abc.py
class Collection: ...
class Generator: ...
class Iterable: ...
class Iterator: ...
class Mapping: ...
class Sequence: ...
";
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let text = format!("#- a.py{head}def f({params}):\n{body}{library}");
    let uses = Fixture::new(&text).uses("a.py");
    let uses = uses.lines().filter_map(|line| line.split_once(" go "));
    let uses = uses.map(|(_, what)| format!("{what}\n"));
    expected.assert_eq(&uses.collect::<String>());
}

#[test]
fn for_over_a_list() {
    check(
        "xs: list[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_set() {
    check(
        "xs: set[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_frozenset() {
    check(
        "xs: frozenset[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_tuple_of_any_length() {
    check(
        "xs: tuple[A, ...]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_the_keys_of_a_dict() {
    check(
        "xs: dict[A, int]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_an_iterable() {
    check(
        "xs: Iterable[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_an_iterator() {
    check(
        "xs: Iterator[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_generator() {
    check(
        "xs: Generator[A, int, str]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_sequence() {
    check(
        "xs: Sequence[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_mapping() {
    check(
        "xs: Mapping[A, int]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_collection() {
    check(
        "xs: Collection[A]",
        "for x in xs: x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_forms_of_typing() {
    check(
        "xs: List[A], ys: Set[A], zs: Dict[A, int], us: FrozenSet[A], vs: Tuple[A, ...]",
        "for x in xs: x.go()\nfor x in ys: x.go()\nfor x in zs: x.go()\nfor x in us: x.go()\nfor x in vs: x.go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn for_over_a_deque() {
    check(
        "xs: deque[A], ys: Deque[A]",
        "for x in xs: x.go()\nys.popleft().go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn values_of_a_default_dict() {
    check(
        "xs: defaultdict[str, A], ys: DefaultDict[str, A]",
        "xs['k'].go()\nfor y in ys.values(): y.go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn a_list_comprehension() {
    check(
        "xs: list[A]",
        "[x.go() for x in xs]",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn a_set_comprehension() {
    check(
        "xs: list[A]",
        "{x.go() for x in xs}",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn a_dict_comprehension() {
    check(
        "xs: list[A]",
        "{x: x.go() for x in xs}",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn a_generator_expression() {
    check(
        "xs: list[A]",
        "any(x.go() for x in xs)\nall(x.go() for x in xs)",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn what_a_comprehension_makes() {
    check(
        "xs: list[A]",
        "for x in [x for x in xs]: x.go()\nfor x in (x for x in xs): x.go()",
        expect![[r#"
        -> a.A.go call value
        open unknown_receiver
        -> a.A.go call value
    "#]],
    );
}

#[test]
fn enumerated() {
    check(
        "xs: list[A]",
        "for i, x in enumerate(xs): x.go()",
        expect![[r#"
            -> a.A.go call
        "#]],
    );
}

#[test]
fn zipped() {
    check(
        "xs: list[int], ys: set[A]",
        "for x, y in zip(xs, ys): y.go()",
        expect![[r#"
            -> a.A.go call
        "#]],
    );
}

#[test]
fn values_of_a_dict() {
    check(
        "xs: dict[str, A]",
        "for x in xs.values(): x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn items_of_a_dict() {
    check(
        "xs: dict[str, A]",
        "for k, x in xs.items(): x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn keys_of_a_dict() {
    check(
        "xs: dict[A, str]",
        "for x in xs.keys(): x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn values_and_items_of_a_mapping() {
    check(
        "xs: Mapping[str, A]",
        "for x in xs.values(): x.go()\nfor k, x in xs.items(): x.go()\nxs['k'].go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn reversed_iterators() {
    check(
        "xs: list[A]",
        "for x in reversed(xs): x.go()",
        expect![[r#"
            -> a.A.go call
        "#]],
    );
}

#[test]
fn sorted_lists() {
    check(
        "xs: set[A]",
        "for x in sorted(xs): x.go()",
        expect![[r#"
        -> a.A.go call
    "#]],
    );
}

#[test]
fn containers_made_of_containers() {
    check(
        "xs: set[A]",
        "for x in list(xs): x.go()\nfor x in set(xs): x.go()\nfor x in tuple(xs): x.go()\nfor x in frozenset(xs): x.go()",
        expect![[r#"
        -> a.A.go call value
        -> a.A.go call value
        -> a.A.go call value
        -> a.A.go call value
    "#]],
    );
}

#[test]
fn iter_and_next() {
    check(
        "xs: list[A], ys: Iterator[A]",
        "next(iter(xs)).go()\nnext(ys).go()\nys.__next__().go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn an_element_by_its_index() {
    check(
        "xs: list[A], ys: tuple[A, ...], zs: Sequence[A]",
        "xs[0].go()\nys[0].go()\nzs[0].go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn slices() {
    check(
        "xs: list[A], ys: tuple[A, ...], zs: Sequence[A]",
        "for x in xs[1:]: x.go()\nfor y in ys[1:]: y.go()\nfor z in zs[::2]: z.go()\nxs[1:][0].go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn unpacked_with_a_rest() {
    check(
        "xs: list[A]",
        "a, *b = xs\na.go()\nfor x in b: x.go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn popped() {
    check(
        "xs: list[A], ys: set[A]",
        "xs.pop().go()\nys.pop().go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn values_by_key() {
    check(
        "xs: dict[str, A]",
        "xs['k'].go()\nxs.get('k').go()\nxs.pop('k').go()\nxs.setdefault('k', A()).go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn mapped_and_filtered() {
    check(
        "xs: list[A]",
        "for x in map(same, xs): x.go()\nfor x in filter(None, xs): x.go()",
        expect![[r#"
            -> a.A.go call
            -> a.A.go call
        "#]],
    );
}

#[test]
fn least_and_greatest() {
    check(
        "xs: list[A], a: A",
        "min(xs).go()\nmax(xs).go()\nmax(a, a).go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call value
    "#]],
    );
}

#[test]
fn containers_in_containers() {
    check(
        "xs: dict[str, dict[str, list[A]]], ys: list[tuple[int, A]]",
        "for k, v in xs.items():\n    for n, us in v.items():\n        for u in us: u.go()\nfor n, y in ys: y.go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn a_list_display() {
    check(
        "",
        "for x in [A(), A()]: x.go()",
        expect![[r#"
        -> a.A.go call value direct
        open unknown_receiver
    "#]],
    );
}

#[test]
fn a_dict_display() {
    check(
        "",
        "for k, x in {'k': A()}.items(): x.go()",
        expect![[r#"
        -> a.A.go call value direct
        open unknown_receiver
    "#]],
    );
}

#[test]
fn a_class_derived_from_a_list() {
    check(
        "xs: Many",
        "for x in xs: x.go()\nxs[0].go()\nfor x in sorted(xs): x.go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}

#[test]
fn a_class_with_an_iterator_of_its_own() {
    check(
        "xs: Own",
        "for x in xs: x.go()\nfor x in list(xs): x.go()\nfor i, x in enumerate(xs): x.go()",
        expect![[r#"
            -> a.A.go call direct
            -> a.A.go call value direct
            -> a.A.go call direct
        "#]],
    );
}

#[test]
fn stars_of_a_signature() {
    check(
        "*xs: A, **ys: A",
        "for x in xs: x.go()\nfor y in ys.values(): y.go()",
        expect![[r#"
        -> a.A.go call
        -> a.A.go call
    "#]],
    );
}
