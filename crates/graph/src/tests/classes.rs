//! Classes: overrides, bases, and protocols.

use expect_test::expect;

use super::{answer, toy};
use crate::answer::Operation;
use crate::export::{EdgeType, ExportOptions, each_package};
use crate::symbols;
use crate::type_graph;

const HANDLERS: &str = "
//- a/a.py
class Handler
method Handler.emit 1
method Handler.flush 0
class Stream
embed Stream a.Handler
method Stream.emit 1
class File
embed File a.Stream
class Null
embed Null a.Handler
method Null.emit 1
class Mixin
method Mixin.flush 0
class Mixed
embed Mixed a.Mixin
embed Mixed a.Handler
interface Emitter
abstract Emitter.emit 1
abstract Emitter.name 0
class Duck
method Duck.emit 1
method Duck.name 0
fn log : Handler.emit
fn exactly : !Handler.emit
fn flush : Handler.flush
fn any : Emitter.emit
";

#[test]
fn a_call_of_a_base_method_may_run_its_overrides() {
    let db = toy::load(HANDLERS);
    expect![[r#"
        1 a.Handler.emit  a/a.py:23:10 exact
        1 a.Null.emit  a/a.py:23:10 dispatch class_hierarchy
        1 a.Stream.emit  a/a.py:23:10 dispatch class_hierarchy
    "#]]
    .assert_eq(&answer(&db, Operation::Callees, "a.log"));
}

#[test]
fn a_direct_call_runs_exactly_its_method() {
    let db = toy::load(HANDLERS);
    expect![[r#"
        1 a.Handler.emit  a/a.py:24:14 exact
    "#]]
    .assert_eq(&answer(&db, Operation::Callees, "a.exactly"));
    expect![[r#"
        1 a.log  a/a.py:23:10 dispatch class_hierarchy
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "Stream.emit"));
    expect![[r#"
        1 a.exactly  a/a.py:24:14 exact
        1 a.log  a/a.py:23:10 exact
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "Handler.emit"));
}

#[test]
fn a_mixins_method_runs_for_the_subclass_that_mixes_it_in() {
    let db = toy::load(HANDLERS);
    expect![[r#"
        1 a.flush  a/a.py:25:12 dispatch class_hierarchy
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "Mixin.flush"));
}

#[test]
fn implementations_of_a_class_are_all_subclasses_with_their_distance() {
    let db = toy::load(HANDLERS);
    expect![[r#"
        1 a.Mixed
        1 a.Null
        1 a.Stream
        2 a.File
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "Handler"));
    expect![[r#"
        1 a.Null.emit
        1 a.Stream.emit
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "Handler.emit"));
}

#[test]
fn a_protocol_has_structural_implementations_beside_subclasses() {
    let db = toy::load(&format!(
        "{HANDLERS}class Declared\nembed Declared a.Emitter\nclass Below\nembed Below a.Declared\n"
    ));
    expect![[r#"
        1 a.Below
        1 a.Declared
        1 a.Duck
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "Emitter"));
    expect![[r#"
        1 a.Emitter
    "#]]
    .assert_eq(&answer(&db, Operation::Implements, "Duck"));
    expect![[r#"
        1 a.any  a/a.py:26:10 dispatch class_hierarchy
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "Duck.emit"));
}

#[test]
fn implements_of_a_class_are_all_its_bases_and_of_a_method_what_it_overrides() {
    let db = toy::load(HANDLERS);
    expect![[r#"
        1 a.Stream
        2 a.Handler
    "#]]
    .assert_eq(&answer(&db, Operation::Implements, "a.File"));
    expect![[r#"
        1 a.Handler.emit
    "#]]
    .assert_eq(&answer(&db, Operation::Implements, "Stream.emit"));
    expect![[r#"
        1 a.Handler.flush
    "#]]
    .assert_eq(&answer(&db, Operation::Implements, "Mixin.flush"));
}

#[test]
fn a_class_that_is_its_own_base_terminates() {
    let db = toy::load("//- a/a.py\nclass A\nembed A a.B\nclass B\nembed B a.A\n");
    expect![[r#"
        1 a.B
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "a.A"));
}

#[test]
fn dispatch_targets_and_dispatched_from_are_inverse() {
    let db = toy::load(HANDLERS);
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
    let mut pairs = 0;
    for &called in &methods {
        for &run in &methods {
            let runs = type_graph::dispatch_targets(&query, called).contains(&run);
            pairs += u32::from(runs);
            assert_eq!(
                runs,
                type_graph::dispatched_from(&query, run).contains(&called),
                "{} {}",
                symbols::id(&query, called),
                symbols::id(&query, run),
            );
        }
    }
    assert_eq!(pairs, 5);
}

#[test]
fn exports_contain_bases_overrides_and_implementations_of_protocols() {
    let db = toy::load(HANDLERS);
    let options = ExportOptions {
        edges: vec![EdgeType::Calls, EdgeType::Embeds, EdgeType::Implements],
        dispatch: true,
        ..ExportOptions::default()
    };
    let mut text = String::new();
    each_package(&db, &options, 1, &mut |rows| {
        for edge in &rows.edges {
            let how = edge.resolution.clone().unwrap_or_default();
            text.push_str(&format!(
                "{} {} {} {how}\n",
                edge.edge_type.wire_name(),
                edge.from,
                edge.to
            ));
        }
    });
    expect![[r#"
        implements a.Duck a.Emitter 
        implements a.Duck.emit a.Emitter.emit 
        implements a.Duck.name a.Emitter.name 
        embeds a.File a.Stream 
        embeds a.Mixed a.Handler 
        embeds a.Mixed a.Mixin 
        embeds a.Null a.Handler 
        embeds a.Stream a.Handler 
        calls a.any a.Duck.emit dispatch
        calls a.any a.Emitter.emit exact
        calls a.exactly a.Handler.emit exact
        calls a.flush a.Handler.flush exact
        calls a.flush a.Mixin.flush dispatch
        calls a.log a.Handler.emit exact
        calls a.log a.Null.emit dispatch
        calls a.log a.Stream.emit dispatch
    "#]]
    .assert_eq(&text);
}
