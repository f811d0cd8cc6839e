//! Method dispatch by interfaces: which methods may run where one is called.

use expect_test::expect;

use super::{answer, toy};
use crate::answer::Operation;
use crate::symbols;
use crate::type_graph;

const LAYERS: &str = "
//- a/a.go
interface Writer
abstract Writer.Write 1
interface Flusher
abstract Flusher.Write 1
abstract Flusher.Flush 0
struct Buffer
method *Buffer.Write 1
struct Null
method Null.Write 1
struct Wrapped
embed Wrapped a.Writer
method Wrapped.Flush 0
struct List
method List.Write 9
instance List[int] Write 1
fn write : Writer.Write
fn flush : Flusher.Write
//- a/a_test.go
struct Fake
method Fake.Write 1
method Null.Flush 0
";

#[test]
fn a_method_promoted_from_an_embedded_interface_runs_its_implementations() {
    let db = toy::load(LAYERS);
    expect![[r#"
        1 a.Buffer.Write  a/a.go:17:12 dispatch class_hierarchy
        1 a.Fake.Write  a/a.go:17:12 dispatch class_hierarchy
        1 a.Flusher.Write  a/a.go:17:12 exact
        1 a.List.Write  a/a.go:17:12 dispatch class_hierarchy
        1 a.Null.Write  a/a.go:17:12 dispatch class_hierarchy
    "#]]
    .assert_eq(&answer(&db, Operation::Callees, "a.flush"));
    expect![[r#"
        1 a.flush  a/a.go:17:12 dispatch class_hierarchy
        1 a.write  a/a.go:16:12 dispatch class_hierarchy
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "Buffer.Write"));
}

#[test]
fn an_instance_is_listed_with_its_type_arguments() {
    let db = toy::load(LAYERS);
    expect![[r#"
        a.Buffer Pointer
        a.Fake Value
        a.List[int] Value
        a.Null Value
        a.Wrapped Value
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "a.Writer"));
}

#[test]
fn methods_declared_only_in_tests_count() {
    let db = toy::load(LAYERS);
    expect![[r#"
        a.Null Value
        a.Wrapped Value
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "a.Flusher"));
}

#[test]
fn dispatch_targets_and_dispatched_from_are_inverse() {
    let db = toy::load(LAYERS);
    let cache = crate::RevisionCache::default();
    let query = crate::query_context::QueryContext::new(&db, crate::QueryOptions::new(&cache, 1));
    let methods: Vec<_> = query
        .units
        .all
        .iter()
        .flat_map(|&unit| query.symbols(unit).rows.to_vec())
        .filter(|row| row.kind == codeweft_db::NodeKind::Method)
        .map(|row| row.symbol)
        .collect();
    for &of_interface in &methods {
        for &method in &methods {
            if symbols::is_interface_method(&query, of_interface)
                && !symbols::is_interface_method(&query, method)
            {
                assert_eq!(
                    type_graph::dispatch_targets(&query, of_interface).contains(&method),
                    type_graph::dispatched_from(&query, method).contains(&of_interface),
                    "{} {}",
                    symbols::id(&query, of_interface),
                    symbols::id(&query, method),
                );
            }
        }
    }
}
