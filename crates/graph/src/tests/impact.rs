//! The nodes that a change reaches.

use codeweft_db::RootDb;
use expect_test::{Expect, expect};

use super::{execute, lines, toy};
use crate::answer::{ChangeType, GraphRequest, Operation};
use crate::completeness;

const CHANGES: [ChangeType; 3] = [
    ChangeType::Signature,
    ChangeType::Behavior,
    ChangeType::Removal,
];

/// Returns the answers for every kind of change.
fn changed(db: &RootDb, target: &str) -> String {
    let mut text = String::new();
    for change_type in CHANGES {
        let request = GraphRequest {
            change_type,
            ..GraphRequest::new(Operation::Impact, target)
        };
        text.push_str(&format!("{change_type:?}\n"));
        text.push_str(&lines(&execute(db, &request)));
    }
    text
}

fn check(text: &str, target: &str, expected: Expect) {
    expected.assert_eq(&changed(&toy::load(text), target));
}

const WRITERS: &str = "
//- a/a.go
interface Writer
abstract Writer.Write 1
interface Closer
abstract Closer.Write 1
abstract Closer.Close 0
struct File
method *File.Write 1
method *File.Close 0
struct Wrapped
embed Wrapped a.Writer
fn Fprint : Writer.Write
fn open : #File ^*File>Closer
fn wrap : ^Wrapped>Writer
fn save : File.Write
fn close : Closer.Close
fn keep : &Fprint &File.Write
//- b/b.go
use a
fn main : a.Fprint ^*a.File>a.Writer
fn start : main
fn early : start
fn first : early
";

#[test]
fn a_changed_function_reaches_its_callers_and_uses_as_a_value() {
    check(
        WRITERS,
        "a.Fprint",
        expect![[r#"
        Signature
        1 a.keep Reference MustUpdate  a/a.go:16:11 exact
        1 b.main DirectCaller MustUpdate  b/b.go:2:11 exact
        2 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        3 b.early TransitiveCaller ReviewNeeded  b/b.go:4:12 exact
        Behavior
        1 b.main DirectCaller ReviewNeeded  b/b.go:2:11 exact
        2 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        3 b.early TransitiveCaller ReviewNeeded  b/b.go:4:12 exact
        Removal
        1 a.keep Reference MustUpdate  a/a.go:16:11 exact
        1 b.main DirectCaller MustUpdate  b/b.go:2:11 exact
        2 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        3 b.early TransitiveCaller ReviewNeeded  b/b.go:4:12 exact
    "#]],
    );
}

#[test]
fn a_changed_method_reaches_callers_through_interfaces_and_broken_conversions() {
    check(
        WRITERS,
        "File.Write",
        expect![[r#"
        Signature
        1 a.Fprint DirectCaller MustUpdate  a/a.go:11:13 dispatch class_hierarchy
        1 a.keep Reference MustUpdate  a/a.go:16:19 exact
        1 a.open LostImplementation MustUpdate  a/a.go:12:17 exact
        1 a.save DirectCaller MustUpdate  a/a.go:14:11 exact
        1 b.main LostImplementation MustUpdate  b/b.go:2:20 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        Behavior
        1 a.Fprint DirectCaller ReviewNeeded  a/a.go:11:13 dispatch class_hierarchy
        1 a.save DirectCaller ReviewNeeded  a/a.go:14:11 exact
        2 b.main TransitiveCaller ReviewNeeded  b/b.go:2:11 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        Removal
        1 a.Fprint DirectCaller MustUpdate  a/a.go:11:13 dispatch class_hierarchy
        1 a.keep Reference MustUpdate  a/a.go:16:19 exact
        1 a.open LostImplementation MustUpdate  a/a.go:12:17 exact
        1 a.save DirectCaller MustUpdate  a/a.go:14:11 exact
        1 b.main LostImplementation MustUpdate  b/b.go:2:20 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
    "#]],
    );
}

#[test]
fn a_changed_interface_method_reaches_implementations_and_conversions_to_embedding_interfaces() {
    check(
        WRITERS,
        "Writer.Write",
        expect![[r#"
        Signature
        1 a.File.Write Implementation MustUpdate
        1 a.Fprint DirectCaller MustUpdate  a/a.go:11:13 exact
        1 b.main LostImplementation MustUpdate  b/b.go:2:20 exact
        2 a.save TransitiveCaller ReviewNeeded  a/a.go:14:11 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        Behavior
        1 a.File.Write Implementation ReviewNeeded
        1 a.Fprint DirectCaller ReviewNeeded  a/a.go:11:13 exact
        2 a.save TransitiveCaller ReviewNeeded  a/a.go:14:11 exact
        2 b.main TransitiveCaller ReviewNeeded  b/b.go:2:11 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        Removal
        1 a.File.Write Implementation MustUpdate
        1 a.Fprint DirectCaller MustUpdate  a/a.go:11:13 exact
        2 a.save TransitiveCaller ReviewNeeded  a/a.go:14:11 exact
        2 b.main TransitiveCaller ReviewNeeded  b/b.go:2:11 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
    "#]],
    );
}

#[test]
fn a_lost_embedded_interface_breaks_conversions_to_the_embedding_one() {
    let text = "
//- a/a.go
interface Reader
abstract Reader.Read 1
interface ReadCloser
embed ReadCloser a.Reader
abstract ReadCloser.Close 0
struct File
method File.Read 1
method File.Close 0
fn open : ^File>ReadCloser
";
    check(
        text,
        "Reader.Read",
        expect![[r#"
        Signature
        1 a.File.Read Implementation MustUpdate
        1 a.open LostImplementation MustUpdate  a/a.go:9:11 exact
        Behavior
        1 a.File.Read Implementation ReviewNeeded
        Removal
        1 a.File.Read Implementation MustUpdate
    "#]],
    );
}

#[test]
fn a_changed_type_reaches_its_usages_and_a_removed_one_every_use() {
    check(
        WRITERS,
        "a.File",
        expect![[r#"
        Signature
        1 a.open TypeUsage ReviewNeeded  a/a.go:12:11 exact
        Behavior
        1 a.Fprint DirectCaller ReviewNeeded  a/a.go:11:13 dispatch class_hierarchy
        1 a.close DirectCaller ReviewNeeded  a/a.go:15:12 dispatch class_hierarchy
        1 a.open TypeUsage ReviewNeeded  a/a.go:12:11 exact
        1 a.save DirectCaller ReviewNeeded  a/a.go:14:11 exact
        2 b.main TransitiveCaller ReviewNeeded  b/b.go:2:11 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        Removal
        1 a.Fprint DirectCaller MustUpdate  a/a.go:11:13 dispatch class_hierarchy
        1 a.close DirectCaller MustUpdate  a/a.go:15:12 dispatch class_hierarchy
        1 a.open TypeUsage MustUpdate  a/a.go:12:11 exact, a/a.go:12:17 exact
        1 a.save DirectCaller MustUpdate  a/a.go:14:11 exact
        1 b.main LostImplementation MustUpdate  b/b.go:2:20 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
    "#]],
    );
    check(
        WRITERS,
        "a.Writer",
        expect![[r#"
        Signature
        1 a TypeUsage ReviewNeeded  a/a.go:10:15 exact
        1 a.File Implementation MustUpdate
        1 a.Wrapped Implementation MustUpdate
        Behavior
        1 a TypeUsage ReviewNeeded  a/a.go:10:15 exact
        1 a.File Implementation ReviewNeeded
        1 a.Fprint DirectCaller ReviewNeeded  a/a.go:11:13 exact
        1 a.Wrapped Implementation ReviewNeeded
        2 b.main TransitiveCaller ReviewNeeded  b/b.go:2:11 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
        Removal
        1 a TypeUsage MustUpdate  a/a.go:10:15 exact
        1 a.File Implementation MustUpdate
        1 a.Fprint DirectCaller MustUpdate  a/a.go:11:13 exact
        1 a.Wrapped Implementation MustUpdate
        1 a.wrap LostImplementation MustUpdate  a/a.go:13:11 exact
        1 b.main LostImplementation MustUpdate  b/b.go:2:20 exact
        3 b.start TransitiveCaller ReviewNeeded  b/b.go:3:12 exact
    "#]],
    );
}

#[test]
fn a_changed_constant_reaches_its_references() {
    check(
        "//- a/a.go\nvar v : f\nfn f : =v\nfn g : f\n",
        "a.v",
        expect![[r#"
            Signature
            1 a.f Reference MustUpdate  a/a.go:2:8 exact
            Behavior
            1 a.f Reference ReviewNeeded  a/a.go:2:8 exact
            Removal
            1 a.f Reference MustUpdate  a/a.go:2:8 exact
        "#]],
    );
}

#[test]
fn a_changed_package_reaches_its_importers() {
    check(
        "//- a/a.go\n//- b/b.go\nuse a\n//- c/c.go\nuse b\n",
        "a",
        expect![[r#"
            Signature
            1 b Reference MustUpdate  b/b.go:1:5 exact
            Behavior
            1 b Reference ReviewNeeded  b/b.go:1:5 exact
            Removal
            1 b Reference MustUpdate  b/b.go:1:5 exact
        "#]],
    );
}

#[test]
fn a_changed_class_reaches_subclasses_and_constructions() {
    let db = toy::load(
        "
//- a/a.py
class Base
method Base.run 0
class Sub
embed Sub a.Base
method Sub.run 0
fn make : Base
fn use : Base.run
fn top : use make
",
    );
    let mut text = String::new();
    for target in ["a.Base", "Base.run"] {
        for change_type in CHANGES {
            let request = GraphRequest {
                change_type,
                ..GraphRequest::new(Operation::Impact, target)
            };
            text.push_str(&format!("{target} {change_type:?}\n"));
            text.push_str(&lines(&execute(&db, &request)));
        }
    }
    expect![[r#"
        a.Base Signature
        1 a.Sub Implementation MustUpdate
        1 a.make DirectCaller MustUpdate  a/a.py:6:11 exact
        1 a/a TypeUsage ReviewNeeded  a/a.py:4:11 exact
        2 a.top TransitiveCaller ReviewNeeded  a/a.py:8:14 exact
        a.Base Behavior
        1 a.Sub Implementation ReviewNeeded
        1 a.make DirectCaller ReviewNeeded  a/a.py:6:11 exact
        1 a.use DirectCaller ReviewNeeded  a/a.py:7:10 exact
        1 a/a TypeUsage ReviewNeeded  a/a.py:4:11 exact
        2 a.top TransitiveCaller ReviewNeeded  a/a.py:8:10 exact, a/a.py:8:14 exact
        a.Base Removal
        1 a.Sub Implementation MustUpdate
        1 a.make DirectCaller MustUpdate  a/a.py:6:11 exact
        1 a.use DirectCaller MustUpdate  a/a.py:7:10 exact
        1 a/a TypeUsage MustUpdate  a/a.py:4:11 exact
        2 a.top TransitiveCaller ReviewNeeded  a/a.py:8:10 exact, a/a.py:8:14 exact
        Base.run Signature
        1 a.Sub.run Implementation MustUpdate
        1 a.use DirectCaller MustUpdate  a/a.py:7:10 exact
        2 a.top TransitiveCaller ReviewNeeded  a/a.py:8:10 exact
        Base.run Behavior
        1 a.Sub.run Implementation ReviewNeeded
        1 a.use DirectCaller ReviewNeeded  a/a.py:7:10 exact
        2 a.top TransitiveCaller ReviewNeeded  a/a.py:8:10 exact
        Base.run Removal
        1 a.Sub.run Implementation MustUpdate
        1 a.use DirectCaller MustUpdate  a/a.py:7:10 exact
        2 a.top TransitiveCaller ReviewNeeded  a/a.py:8:10 exact
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_node_reached_in_one_and_in_two_steps_is_listed_at_depth_one() {
    // `keep` uses `f` as a value and calls `g`, which calls `f`; the caller of `keep` is three
    // steps away.
    check(
        "//- a/a.go\nfn f\nfn g : f\nfn keep : &f g\nfn top : keep\n",
        "a.f",
        expect![[r#"
            Signature
            1 a.g DirectCaller MustUpdate  a/a.go:2:8 exact
            1 a.keep Reference MustUpdate  a/a.go:3:11 exact
            3 a.top TransitiveCaller ReviewNeeded  a/a.go:4:10 exact
            Behavior
            1 a.g DirectCaller ReviewNeeded  a/a.go:2:8 exact
            2 a.keep TransitiveCaller ReviewNeeded  a/a.go:3:14 exact
            3 a.top TransitiveCaller ReviewNeeded  a/a.go:4:10 exact
            Removal
            1 a.g DirectCaller MustUpdate  a/a.go:2:8 exact
            1 a.keep Reference MustUpdate  a/a.go:3:11 exact
            3 a.top TransitiveCaller ReviewNeeded  a/a.go:4:10 exact
        "#]],
    );
}

#[test]
fn the_summary_counts_after_filters_and_before_limits() {
    let db = toy::load(WRITERS);
    let summary = |request: GraphRequest| {
        serde_json::to_string(&execute(&db, &request).unwrap().summary).unwrap()
    };
    let plain = GraphRequest::new(Operation::Impact, "a.Fprint");
    let cut = GraphRequest {
        max_results: 1,
        ..plain.clone()
    };
    expect![[r#"{"implementations":0,"direct_callers":1,"transitive_callers":2,"type_usages":0,"external_packages":1,"files":2,"packages":2}"#]].assert_eq(&summary(plain.clone()));
    assert_eq!(summary(cut), summary(plain.clone()));
    expect![[r#"{"implementations":0,"direct_callers":1,"transitive_callers":2,"type_usages":0,"external_packages":1,"files":1,"packages":1}"#]].assert_eq(&summary(GraphRequest {
        scope: "b".into(),
        ..plain
    }));
}

#[test]
fn unresolved_calls_of_every_expanded_node_count() {
    let db = toy::load("//- a/a.go\nfn end 0\nfn Mid 1 : end\nfn f : ?Mid/1\nfn g : ?end/0\n");
    expect![[r#"
        Signature
        1 a.Mid DirectCaller MustUpdate  a/a.go:2:12 exact
        1 reached node found; 2 sites could belong to it under toy/1
          a/a.go:3:8 unknown_receiver
          a/a.go:4:8 unknown_receiver
        Behavior
        1 a.Mid DirectCaller ReviewNeeded  a/a.go:2:12 exact
        1 reached node found; 2 sites could belong to it under toy/1
          a/a.go:3:8 unknown_receiver
          a/a.go:4:8 unknown_receiver
        Removal
        1 a.Mid DirectCaller MustUpdate  a/a.go:2:12 exact
        1 reached node found; 2 sites could belong to it under toy/1
          a/a.go:3:8 unknown_receiver
          a/a.go:4:8 unknown_receiver
    "#]]
    .assert_eq(&changed(&db, "a.end"));
}

#[test]
fn a_verdict_on_a_part_of_the_nodes_says_so() {
    let db = toy::load("//- a/a.go\nfn f\n");
    let cache = crate::RevisionCache::default();
    let query = crate::query_context::QueryContext::new(&db, crate::QueryOptions::new(&cache, 1));
    let nouns = crate::answer::AnswerNouns {
        singular: "reached node",
        plural: "reached nodes",
        could: "could belong to it",
    };
    let unresolved = crate::completeness::unresolved_sites::UnresolvedSites::default();
    let counted = crate::completeness::verdict::VerdictCounts {
        found: 7,
        partial: Some(5),
        ..Default::default()
    };
    let verdict = completeness::completeness(&query, &unresolved, String::new(), nouns, &counted);
    assert!(!verdict.complete);
    assert_eq!(
        verdict.words.as_deref(),
        Some("7 reached nodes found; asked of the first 5 nodes only")
    );
}
