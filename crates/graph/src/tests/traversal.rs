//! Order, filters and limits of answers.

use std::sync::atomic::Ordering;

use codeweft_db::RootDb;
use expect_test::expect;

use super::{execute, lines, toy};
use crate::answer::{GraphRequest, Operation};
use crate::operations;
use crate::operations::IncludedCalls;
use crate::symbols;
use crate::targets;

fn deep(db: &RootDb, operation: Operation, target: &str, depth: u32) -> String {
    lines(&execute(
        db,
        &GraphRequest {
            depth,
            ..GraphRequest::new(operation, target)
        },
    ))
}

#[test]
fn levels_are_in_order_of_id_and_a_node_is_listed_once() {
    let db = toy::load(
        "
//- a/a.go
fn z : end
fn b : end
fn a : z b
fn top : a end
fn end
",
    );
    expect![[r#"
        1 a.b  a/a.go:2:8 exact
        1 a.top  a/a.go:4:12 exact
        1 a.z  a/a.go:1:8 exact
        2 a.a  a/a.go:3:8 exact, a/a.go:3:10 exact
    "#]]
    .assert_eq(&deep(&db, Operation::Callers, "end", 10));
    expect![[r#"
        1 a.a  a/a.go:4:10 exact
        1 a.end  a/a.go:4:12 exact
        2 a.b  a/a.go:3:10 exact
        2 a.z  a/a.go:3:8 exact
    "#]]
    .assert_eq(&deep(&db, Operation::Callees, "top", 10));
}

#[test]
fn a_recursive_function_is_its_own_caller() {
    let db = toy::load("//- a/a.go\nfn f : f\n");
    expect![[r#"
        1 a.f  a/a.go:1:8 exact
        ring a.f
    "#]]
    .assert_eq(&deep(&db, Operation::Callers, "a.f", 1));
}

#[test]
fn cycles_are_printed_in_the_direction_of_calls_from_the_smallest_id() {
    let db = toy::load(
        "
//- a/a.go
fn c : a
fn a : b
fn b : c
fn other : b
",
    );
    expect![[r#"
        1 a.b  a/a.go:3:8 exact
        2 a.a  a/a.go:2:8 exact
        2 a.other  a/a.go:4:12 exact
        3 a.c  a/a.go:1:8 exact
        ring a.a a.b a.c
    "#]]
    .assert_eq(&deep(&db, Operation::Callers, "a.c", 10));
    expect![[r#"
        1 a.c  a/a.go:3:8 exact
        2 a.a  a/a.go:1:8 exact
        3 a.b  a/a.go:2:8 exact
        ring a.a a.b a.c
    "#]]
    .assert_eq(&deep(&db, Operation::Callees, "a.b", 10));
}

fn wide() -> RootDb {
    let mut text = String::from("//- end/end.go\nfn end\n");
    for (dir, count) in [("app/web", 4), ("app/db", 3), ("lib", 2)] {
        text.push_str(&format!("//- {dir}/f.go\nuse end\n"));
        for number in 0..count {
            text.push_str(&format!("fn f{number} : end.end\n"));
        }
        text.push_str(&format!(
            "//- {dir}/f_test.go\nuse end\nfn t : end.end {dir}.f0\n"
        ));
    }
    toy::load(
        &text
            .replace("fn end", "fn End")
            .replace("end.end", "end.End"),
    )
}

#[test]
fn a_cut_list_reports_the_depth_and_the_field_that_narrows_it() {
    let db = wide();
    let cut = |request: GraphRequest| lines(&execute(&db, &request));
    let plain = GraphRequest {
        max_results: 3,
        ..GraphRequest::new(Operation::Callers, "End")
    };
    expect![[r#"
        1 app/db.f0  app/db/f.go:2:9 exact
        1 app/db.f1  app/db/f.go:3:9 exact
        1 app/db.f2  app/db/f.go:4:9 exact
        3 of 12, cut at Some(1): scope: lib would leave 3 of 12
    "#]]
    .assert_eq(&cut(plain.clone()));
    expect![[r#"
        1 app/db.f0  app/db/f.go:2:9 exact
        1 app/db.f1  app/db/f.go:3:9 exact
        1 app/db.f2  app/db/f.go:4:9 exact
        1 app/db.t  app/db/f_test.go:2:8 exact
        1 app/web.f0  app/web/f.go:2:9 exact
        1 app/web.f1  app/web/f.go:3:9 exact
        1 app/web.f2  app/web/f.go:4:9 exact
        1 app/web.f3  app/web/f.go:5:9 exact
        8 of 12, cut at Some(1): scope: lib would leave 3 of 12
    "#]]
    .assert_eq(&cut(GraphRequest {
        max_results: 8,
        ..plain.clone()
    }));
    expect![[r#"
        1 app/db.f0  app/db/f.go:2:9 exact
        1 app/db.f1  app/db/f.go:3:9 exact
        2 of 12, cut at Some(1): max_per_level: up to 100 lists more of 12
    "#]]
    .assert_eq(&cut(GraphRequest {
        depth: 2,
        max_per_level: 2,
        ..plain.clone()
    }));
    expect![[r#"
        1 app/web.f0  app/web/f.go:2:9 exact
        1 app/web.f1  app/web/f.go:3:9 exact
        1 app/web.f2  app/web/f.go:4:9 exact
        3 of 5, cut at Some(1): max_results: up to 500 lists more of 5
    "#]]
    .assert_eq(&cut(GraphRequest {
        scope: "app/web".into(),
        ..plain
    }));
}

#[test]
fn filters_hide_nodes_but_the_traversal_follows_them() {
    let db = toy::load(
        "
//- a/a.go
fn end
fn one : end
//- b/b.go
use a
fn two : a.one
//- a/a_test.go
fn TestEnd : end one
"
        .replace("one", "One")
        .as_str(),
    );
    let plain = GraphRequest {
        depth: 3,
        ..GraphRequest::new(Operation::Callers, "a.end")
    };
    let filtered = |request: GraphRequest| lines(&execute(&db, &request));
    expect![[r#"
        1 a.One  a/a.go:2:10 exact
        1 a.TestEnd  a/a_test.go:1:14 exact
        2 b.two  b/b.go:2:10 exact
    "#]]
    .assert_eq(&filtered(plain.clone()));
    expect![[r#"
        2 b.two  b/b.go:2:10 exact
    "#]]
    .assert_eq(&filtered(GraphRequest {
        scope: "b".into(),
        ..plain.clone()
    }));
    expect![[r#"
        1 a.TestEnd  a/a_test.go:1:14 exact
    "#]]
    .assert_eq(&filtered(GraphRequest {
        exclude_patterns: vec!["%One".into(), "b/*".into()],
        ..plain.clone()
    }));
    expect![[r#"
        1 a.One  a/a.go:2:10 exact
        2 b.two  b/b.go:2:10 exact
    "#]]
    .assert_eq(&filtered(GraphRequest {
        include_tests: false,
        ..plain
    }));
}

#[test]
fn twenty_sites_are_listed_and_all_are_counted() {
    let calls = "b ".repeat(25);
    let db = toy::load(&format!("//- a/a.go\nfn b\nfn a : {calls}\n"));
    let answer = execute(&db, &GraphRequest::new(Operation::Callers, "a.b")).unwrap();
    let result = &answer.results[0];
    assert_eq!((result.sites.len(), result.site_count), (20, 25));
    assert_eq!(result.sites[0].column, 8);
}

#[test]
fn context_is_clamped_to_the_file_and_names_its_lines() {
    let db = toy::load("//- a/a.go\nfn b\nfn a : b\nconst c\n");
    let context = |lines: u32| {
        let request = GraphRequest {
            context_lines: lines,
            ..GraphRequest::new(Operation::Definition, "a.a")
        };
        execute(&db, &request).unwrap().results[0]
            .context
            .clone()
            .unwrap()
    };
    assert_eq!(context(0), "// Lines 2-2\nfn a : b");
    assert_eq!(context(1), "// Lines 1-3\nfn b\nfn a : b\nconst c");
    assert_eq!(context(20), context(1));
}

#[test]
fn a_traversal_stops_at_its_node_limit_and_says_so() {
    let db = toy::load("//- a/a.go\nfn e\nfn d : e\nfn c : e\nfn b : e\nfn a : b\n");
    let cache = crate::RevisionCache::default();
    let query = crate::query_context::QueryContext::new(&db, crate::QueryOptions::new(&cache, 1));
    let target = targets::resolve(&query, &Operation::Callers.target_rules(), "a.e").unwrap();
    let traversal = operations::traversal::traverse(
        &query,
        &target.symbols,
        &crate::operations::traversal::TraversalOptions {
            depth: 10,
            backward: true,
            max_nodes: 2,
            prepare: &|_| {},
            step: &|symbol| operations::callers_of(&query, symbol, IncludedCalls::default()),
        },
    );
    let ids: Vec<_> = traversal
        .listed
        .iter()
        .map(|one| symbols::id(&query, one.symbol))
        .collect();
    assert_eq!(ids, ["a.b".into(), "a.c".into()]);
    assert!(traversal.bounded);
}

#[test]
fn the_merged_index_gives_the_same_answer_as_single_lookups() {
    let db = wide();
    let callers = |lookups: u32| {
        let cache = crate::RevisionCache::default();
        let query =
            crate::query_context::QueryContext::new(&db, crate::QueryOptions::new(&cache, 1));
        query.caches.index_lookups.store(lookups, Ordering::Relaxed);
        let target =
            targets::resolve(&query, &Operation::Callers.target_rules(), "end.End").unwrap();
        let found = operations::callers_of(&query, target.symbols[0], IncludedCalls::default());
        let mut printed: Vec<String> = found
            .iter()
            .map(|(caller, links)| format!("{} {}", symbols::id(&query, *caller), links.len()))
            .collect();
        printed.sort();
        printed
    };
    assert_eq!(callers(0), callers(1_000_000));
    assert_eq!(callers(0).len(), 12);
}
