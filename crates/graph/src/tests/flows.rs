//! Calls through variables, parameters and function values run what flows there.

use codeweft_db::RootDb;
use expect_test::{Expect, expect};

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

const SHAPES: &str = "
//- a/a.go
interface Shape
abstract Shape.Area 1
struct Square
method Square.Area 1
struct Disc
method *Disc.Area 1
var V
struct Boxed
embed Boxed Shape
field Boxed.Shape
fn Hit 7
fn Miss 7
";

/// Returns the shapes fixture with more lines in package b.
pub(super) fn shapes(text: &str) -> RootDb {
    toy::load(&format!("{SHAPES}//- b/b.go\nuse a\n{text}"))
}

fn check(text: &str, requests: &[(Operation, &str)], expected: Expect) {
    let db = shapes(text);
    let answers = requests.iter().map(|&(operation, target)| {
        format!("{operation:?} {target}\n{}", answer(&db, operation, target))
    });
    expected.assert_eq(&answers.collect::<String>());
}

use Operation::{Callees, Callers, Impact, Path};

#[test]
fn a_call_through_an_interface_runs_only_the_types_that_flow_there() {
    check(
        "fn f : +a.Square>x a.Shape.Area<x\n",
        &[
            (Callers, "Square.Area"),
            (Callers, "Disc.Area"),
            (Callees, "b.f"),
            (Impact, "Disc.Area"),
        ],
        expect![[r#"
            Callers Square.Area
            1 b.f  b/b.go:2:20 dispatch Square: b/b.go:2 (assigned) -> a local of b.f -> here
            Callers Disc.Area
            no caller found under toy/1
            Callees b.f
            1 a.Shape.Area  b/b.go:2:20 exact
            1 a.Square.Area  b/b.go:2:20 dispatch Square: b/b.go:2 (assigned) -> a local of b.f -> here
            Impact Disc.Area
            no reached node found under toy/1
        "#]],
    );
}

#[test]
fn a_call_without_flow_information_runs_all_implementations() {
    check(
        "fn f : a.Shape.Area +a.Square>x a.Shape.Area<x\n",
        &[(Callers, "Disc.Area"), (Callees, "b.f")],
        expect![[r#"
            Callers Disc.Area
            1 b.f  b/b.go:2:8 dispatch class_hierarchy
            Callees b.f
            1 a.Disc.Area  b/b.go:2:8 dispatch class_hierarchy
            1 a.Shape.Area  b/b.go:2:8 exact, b/b.go:2:33 exact
            1 a.Square.Area  b/b.go:2:8 dispatch class_hierarchy, b/b.go:2:33 dispatch Square: b/b.go:2 (assigned) -> a local of b.f -> here
        "#]],
    );
}

#[test]
fn an_unknown_value_leaves_the_call_unresolved() {
    check(
        "fn f : +a.Square>x +?>x a.Shape.Area<x\n",
        &[
            (Callers, "Square.Area"),
            (Callers, "Disc.Area"),
            (Callees, "b.f"),
        ],
        expect![[r#"
            Callers Square.Area
            1 b.f  b/b.go:2:25 dispatch Square: b/b.go:2 (assigned) -> a local of b.f -> here
            Callers Disc.Area
            no caller found; 1 site could call it under toy/1
              b/b.go:2:25 unknown_receiver
            Callees b.f
            1 a.Shape.Area  b/b.go:2:25 exact
            1 a.Square.Area  b/b.go:2:25 dispatch Square: b/b.go:2 (assigned) -> a local of b.f -> here
            2 callees found; 1 site in it could call more under toy/1
              b/b.go:2:25 unknown_receiver
        "#]],
    );
    let db = shapes("fn f : +a.Square>x +?>x a.Shape.Area<x\n");
    let unresolved = |operation, target: &str| {
        let request = GraphRequest {
            include_unresolved: true,
            ..GraphRequest::new(operation, target)
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        1 b.f  b/b.go:2:25 name unknown_receiver
        1 caller found; 1 site could call it under toy/1
          b/b.go:2:25 unknown_receiver
    "#]]
    .assert_eq(&unresolved(Callers, "Disc.Area"));
    expect![[r#"
        1 a.Disc.Area  b/b.go:2:25 name unknown_receiver
        1 a.Shape.Area  b/b.go:2:25 exact
        1 a.Square.Area  b/b.go:2:25 dispatch Square: b/b.go:2 (assigned) -> a local of b.f -> here
        3 callees found; 1 site in it could call more under toy/1
          b/b.go:2:25 unknown_receiver
    "#]]
    .assert_eq(&unresolved(Callees, "b.f"));
}

#[test]
fn values_flow_through_variables_and_type_filters_stop_those_that_do_not_fit() {
    check(
        "
interface Both
abstract Both.Area 1
abstract Both.Name 1
struct Named
method Named.Area 1
method Named.Name 1
fn g : +Named>v:a.V +a.Square>v:a.V
fn f : -v:a.V>x -x>y|Both a.Shape.Area<y
fn h : -v:a.V>x a.Shape.Area<x
",
        &[
            (Callers, "Named.Area"),
            (Callers, "Square.Area"),
            (Callees, "b.f"),
            (Callees, "b.h"),
        ],
        expect![[r#"
            Callers Named.Area
            1 b.f  b/b.go:10:27 dispatch Named: b/b.go:9 (assigned) -> variable a.V -> a local of b.f -> here
            1 b.h  b/b.go:11:17 dispatch Named: b/b.go:9 (assigned) -> variable a.V -> a local of b.h -> here
            Callers Square.Area
            1 b.h  b/b.go:11:17 dispatch Square: b/b.go:9 (assigned) -> variable a.V -> a local of b.h -> here
            Callees b.f
            1 a.Shape.Area  b/b.go:10:27 exact
            1 b.Named.Area  b/b.go:10:27 dispatch Named: b/b.go:9 (assigned) -> variable a.V -> a local of b.f -> here
            Callees b.h
            1 a.Shape.Area  b/b.go:11:17 exact
            1 a.Square.Area  b/b.go:11:17 dispatch Square: b/b.go:9 (assigned) -> variable a.V -> a local of b.h -> here
            1 b.Named.Area  b/b.go:11:17 dispatch Named: b/b.go:9 (assigned) -> variable a.V -> a local of b.h -> here
        "#]],
    );
}

#[test]
fn a_method_of_an_embedded_interface_runs_the_method_of_the_fields_value() {
    check(
        "
fn g : +*a.Disc>v:a.Boxed.Shape
fn f : +a.Boxed>x a.Shape.Area<x
",
        &[
            (Callers, "Disc.Area"),
            (Callers, "Square.Area"),
            (Callees, "b.f"),
        ],
        expect![[r#"
            Callers Disc.Area
            1 b.f  b/b.go:4:19 dispatch *Disc: b/b.go:3 (assigned) -> field Shape of a.Boxed -> here
            Callers Square.Area
            no caller found under toy/1
            Callees b.f
            1 a.Disc.Area  b/b.go:4:19 dispatch *Disc: b/b.go:3 (assigned) -> field Shape of a.Boxed -> here
            1 a.Shape.Area  b/b.go:4:19 exact
        "#]],
    );
    check(
        "
fn g : +?>v:a.Boxed.Shape
fn f : +a.Boxed>x a.Shape.Area<x
fn h : +a.Square>x a.Shape.Area<x
",
        &[(Callers, "Disc.Area")],
        expect![[r#"
            Callers Disc.Area
            no caller found; 1 site could call it under toy/1
              b/b.go:4:19 unknown_receiver
        "#]],
    );
}

#[test]
fn a_field_that_holds_its_own_struct_terminates() {
    check(
        "
fn g : +a.Boxed>v:a.Boxed.Shape +a.Square>v:a.Boxed.Shape
fn f : +a.Boxed>x a.Shape.Area<x
",
        &[(Callees, "b.f"), (Callers, "Square.Area")],
        expect![[r#"
            Callees b.f
            1 a.Shape.Area  b/b.go:4:19 exact
            1 a.Square.Area  b/b.go:4:19 dispatch Square: b/b.go:3 (assigned) -> field Shape of a.Boxed -> here
            Callers Square.Area
            1 b.f  b/b.go:4:19 dispatch Square: b/b.go:3 (assigned) -> field Shape of a.Boxed -> here
        "#]],
    );
}

#[test]
fn arguments_of_an_interface_call_reach_the_implementations_and_results_return() {
    check(
        "
interface Sink
abstract Sink.Put 1
struct One
method One.Put 1 : -p:One.Put/0>x a.Shape.Area<x +*a.Disc>r:One.Put/0
struct Two
method Two.Put 2 : -p:Two.Put/0>x a.Shape.Area<x
fn f : +a.Square>p:Sink.Put/0 -r:Sink.Put/0>y a.Shape.Area<y
",
        &[
            (Callees, "One.Put"),
            (Callees, "Two.Put"),
            (Callees, "b.f"),
            (Callers, "Square.Area"),
        ],
        expect![[r#"
            Callees One.Put
            1 a.Shape.Area  b/b.go:6:35 exact
            1 a.Square.Area  b/b.go:6:35 dispatch Square: b/b.go:9 (assigned) -> parameter 1 of b.Sink.Put -> parameter 1 of b.One.Put -> a local of b.One.Put -> here
            Callees Two.Put
            1 a.Shape.Area  b/b.go:8:35 exact
            Callees b.f
            1 a.Disc.Area  b/b.go:9:47 dispatch *Disc: b/b.go:6 (assigned) -> result 1 of b.One.Put -> result 1 of b.Sink.Put -> a local of b.f -> here
            1 a.Shape.Area  b/b.go:9:47 exact
            Callers Square.Area
            1 b.One.Put  b/b.go:6:35 dispatch Square: b/b.go:9 (assigned) -> parameter 1 of b.Sink.Put -> parameter 1 of b.One.Put -> a local of b.One.Put -> here
        "#]],
    );
}

#[test]
fn a_receiver_does_not_flow_along_dispatch_edges() {
    check(
        "
interface Sink
abstract Sink.Put 1
struct One
method One.Put 1 : -p:One.Put/r>x a.Shape.Area<x
fn f : +a.Square>p:Sink.Put/r
",
        &[(Callees, "One.Put")],
        expect![[r#"
            Callees One.Put
            1 a.Shape.Area  b/b.go:6:35 exact
        "#]],
    );
}

#[test]
fn a_function_value_is_called_only_where_it_flows() {
    check(
        "
fn run 1 : @7<p:b.run/0
fn f : &a.Hit +&a.Hit>p:b.run/0 b.run
fn g : &a.Miss +&a.Miss>x
fn h : +\\7>p:b.run/0
",
        &[
            (Callers, "a.Hit"),
            (Callers, "a.Miss"),
            (Callers, "b.h"),
            (Callees, "b.run"),
        ],
        expect![[r#"
            Callers a.Hit
            1 b.run  b/b.go:3:12 value a.Hit: b/b.go:4 (assigned) -> parameter 1 of b.run -> here
            Callers a.Miss
            no caller found under toy/1
            Callers b.h
            no caller shown; hidden: 1 caller by calls of function literals made in it (listed with `include_literal_calls`) under toy/1
            Callees b.run
            1 a.Hit  b/b.go:3:12 value a.Hit: b/b.go:4 (assigned) -> parameter 1 of b.run -> here
        "#]],
    );
}

#[test]
fn an_interface_method_used_as_a_value_runs_all_implementations() {
    check(
        "fn f : +|a.Shape.Area>x @1<x\n",
        &[(Callees, "b.f"), (Callers, "Square.Area")],
        expect![[r#"
            Callees b.f
            1 a.Disc.Area  b/b.go:2:25 value a.Shape.Area: b/b.go:2 (assigned) -> a local of b.f -> here
            1 a.Square.Area  b/b.go:2:25 value a.Shape.Area: b/b.go:2 (assigned) -> a local of b.f -> here
            Callers Square.Area
            1 b.f  b/b.go:2:25 value a.Shape.Area: b/b.go:2 (assigned) -> a local of b.f -> here
        "#]],
    );
}

#[test]
fn an_unknown_function_value_of_the_same_signature_makes_the_answer_incomplete() {
    check(
        "
fn closed : +&a.Miss>x @7<x
fn open : +?>x @7<x
fn unfollowed : @7
fn f : &a.Hit
",
        &[
            (Callers, "a.Hit"),
            (Callees, "b.closed"),
            (Callees, "b.open"),
        ],
        expect![[r#"
            Callers a.Hit
            no caller found; 2 sites could call it under toy/1
              b/b.go:4:16 unknown_receiver
              b/b.go:5:17 function_value
            Callees b.closed
            1 a.Miss  b/b.go:3:24 value a.Miss: b/b.go:3 (assigned) -> a local of b.closed -> here
            Callees b.open
            no callee found; 1 site in it could call more under toy/1
              b/b.go:4:16 unknown_receiver
        "#]],
    );
}

#[test]
fn a_function_passed_to_reflection_makes_the_answer_incomplete() {
    check(
        "
fn reflected
fn f : &a.Hit +&a.Hit>p:b.reflected/0 +a.Square>p:b.reflected/0
fn g : +*a.Disc>x a.Shape.Area<x
",
        &[
            (Callers, "a.Hit"),
            (Callers, "Square.Area"),
            (Callers, "Disc.Area"),
        ],
        expect![[r#"
            Callers a.Hit
            no caller found; 1 site could call it under toy/1
              b/b.go:3:4 reflection
            Callers Square.Area
            no caller found; 1 site could call it under toy/1
              b/b.go:3:4 reflection
            Callers Disc.Area
            1 b.g  b/b.go:5:19 dispatch *Disc: b/b.go:5 (assigned) -> a local of b.g -> here
        "#]],
    );
}

#[test]
fn values_flow_between_generic_code_and_its_instances() {
    check(
        "
fn each : -e:each$0>x a.Shape.Area<x
fn all : +[each:all$0]
fn typed : -t:typed/0>x a.Shape.Area<x
fn f : +a.Square>e:a.Shape +[all:a.Shape] +[typed:*a.Disc]
",
        &[
            (Callees, "b.each"),
            (Callees, "b.typed"),
            (Callers, "Disc.Area"),
        ],
        expect![[r#"
            Callees b.each
            1 a.Shape.Area  b/b.go:3:23 exact
            1 a.Square.Area  b/b.go:3:23 dispatch Square: b/b.go:6 (assigned) -> elements of type Shape -> elements of type all$0 -> elements of type each$0 -> a local of b.each -> here
            Callees b.typed
            1 a.Disc.Area  b/b.go:5:25 dispatch *Disc: (instance) -> type parameter 1 of b.typed -> a local of b.typed -> here
            1 a.Shape.Area  b/b.go:5:25 exact
            Callers Disc.Area
            1 b.typed  b/b.go:5:25 dispatch *Disc: (instance) -> type parameter 1 of b.typed -> a local of b.typed -> here
        "#]],
    );
}

#[test]
fn recursive_instantiation_with_growing_type_arguments_terminates() {
    let mut text = String::new();
    for number in 0..12 {
        text.push_str(&format!("fn g{number} : +[g{}:g{number}$0]\n", number + 1));
    }
    text.push_str("fn g12 : -e:g12$0>x a.Shape.Area<x\nfn f : +a.Square>e:a.Shape +[g0:a.Shape]\n");
    check(
        &text,
        &[(Callees, "b.g12"), (Callers, "Square.Area")],
        expect![[r#"
            Callees b.g12
            1 a.Shape.Area  b/b.go:14:21 exact
            1 callee found; 1 site in it could call more under toy/1
              b/b.go:14:21 unknown_receiver
            Callers Square.Area
            no caller found; 1 site could call it under toy/1
              b/b.go:14:21 unknown_receiver
        "#]],
    );
}

#[test]
fn the_reason_is_the_shortest_chain_and_of_several_the_first_by_name() {
    check(
        "
var W
fn f : +a.Square>v:W -v:W>p:b.k/0 -v:W>v:a.V -v:a.V>p:b.k/0
fn g : +a.Square>z -z>v:a.V
fn k : -p:b.k/0>x a.Shape.Area<x
fn long : +*a.Disc>l0 -l0>v:a.V
",
        &[(Callees, "b.k")],
        expect![[r#"
            Callees b.k
            1 a.Disc.Area  b/b.go:6:19 dispatch *Disc: b/b.go:7 (assigned) -> a local of b.long -> variable a.V -> parameter 1 of b.k -> a local of b.k -> here
            1 a.Shape.Area  b/b.go:6:19 exact
            1 a.Square.Area  b/b.go:6:19 dispatch Square: b/b.go:4 (assigned) -> variable b.W -> parameter 1 of b.k -> a local of b.k -> here
        "#]],
    );
}

#[test]
fn a_long_chain_is_shortened_in_the_middle() {
    let mut text = String::from("var V0\n");
    for number in 0..14 {
        text.push_str(&format!(
            "var V{}\nfn f{number} : -v:V{number}>v:V{}\n",
            number + 1,
            number + 1
        ));
    }
    text.push_str("fn f : +a.Square>v:V0\nfn k : a.Shape.Area<v:V14\n");
    check(
        &text,
        &[(Callees, "b.k")],
        expect![[r#"
        Callees b.k
        1 a.Shape.Area  b/b.go:32:8 exact
        1 a.Square.Area  b/b.go:32:8 dispatch Square: b/b.go:31 (assigned) -> variable b.V0 -> variable b.V1 -> variable b.V2 -> variable b.V3 -> variable b.V4 -> variable b.V5 -> … -> variable b.V9 -> variable b.V10 -> variable b.V11 -> variable b.V12 -> variable b.V13 -> variable b.V14 -> here
    "#]],
    );
}

#[test]
fn a_path_leads_over_dispatch_and_values_that_flow() {
    let db = shapes(
        "
fn run 1 : @7<p:b.run/0
fn f : +&a.Hit>p:b.run/0 b.run +a.Square>x a.Shape.Area<x
",
    );
    let path = |to: &str| {
        let request = GraphRequest {
            to: to.to_owned(),
            depth: 10,
            ..GraphRequest::new(Path, "b.f")
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        0 b.f
        1 b.run  b/b.go:4:26 exact
        2 a.Hit  b/b.go:3:12 value a.Hit: b/b.go:4 (assigned) -> parameter 1 of b.run -> here
    "#]]
    .assert_eq(&path("a.Hit"));
    expect![[r#"
        0 b.f
        1 a.Square.Area  b/b.go:4:44 dispatch Square: b/b.go:4 (assigned) -> a local of b.f -> here
    "#]]
    .assert_eq(&path("Square.Area"));
    expect![[r#"
        no path found under toy/1
    "#]]
    .assert_eq(&path("Disc.Area"));
}

#[test]
fn a_patched_flow_graph_answers_like_a_fresh_one() {
    use crate::{QueryOptions, RevisionCache};
    let texts = [
        "use a\nfn f : +a.Square>x a.Shape.Area<x\n",
        "use a\n\nfn f : +a.Square>x a.Shape.Area<x\n",
        "use a\nfn f : +*a.Disc>x a.Shape.Area<x\n",
        "use a\nfn f : a.Shape.Area<x +?>x\n",
        "use a\n",
        "use a\nfn f : +a.Square>v:a.V -v:a.V>x a.Shape.Area<x\nfn g : +*a.Disc>v:a.V\n",
    ];
    let mut db = shapes("");
    let mut cache = RevisionCache::default();
    for text in texts {
        toy::edit(&mut db, "b/b.go", text);
        cache = cache.next().0;
        for target in ["Square.Area", "Disc.Area"] {
            let request = GraphRequest::new(Callers, target).check().unwrap();
            let options = QueryOptions::new(&cache, 1);
            let patched = lines(&crate::execute(&db, &request, options));
            assert_eq!(patched, answer(&db, Callers, target), "{text}");
        }
    }
}
