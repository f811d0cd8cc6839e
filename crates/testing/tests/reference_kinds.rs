//! The kind of use at each site of `references` and `type_usages`.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;

const FIXTURE: &str = r#"
//- go.mod
module m

go 1.25
//- a/a.go
package a

type T struct{ n int }

type Holds struct{ field T }

type Embeds struct{ T }

func (t T) set(other T) T {
	t.n = other.n
	return T{n: 1}
}

var value = T.set

func asserts(x any) { _ = x.(T) }

func calls(t T) { t.set(t) }
"#;

/// Returns the lines of a target's sites with their kinds, in source order.
fn kinds(operation: Operation, target: &str) -> Vec<(u32, String)> {
    let workspace = Fixture::of(texts(FIXTURE)).load();
    let answer = workspace.host.ask(&GraphRequest::new(operation, target));
    let results = answer.expect("an answer").results;
    let sites = results.into_iter().flat_map(|result| result.sites);
    let mut kinds: Vec<_> = sites
        .map(|site| (site.line, site.kind.expect("each site has a kind")))
        .collect();
    kinds.sort();
    kinds
}

fn expected(kinds: &[(u32, &str)]) -> Vec<(u32, String)> {
    let kinds = kinds.iter();
    kinds.map(|&(line, kind)| (line, kind.to_owned())).collect()
}

#[test]
fn a_use_of_a_field_reads_writes_or_is_a_key() {
    let uses = kinds(Operation::References, "a.T.n");
    assert_eq!(uses, expected(&[(10, "read"), (10, "write"), (11, "key")]));
}

#[test]
fn a_use_of_a_method_calls_it_or_is_a_value() {
    let uses = kinds(Operation::References, "a.T.set");
    assert_eq!(uses, expected(&[(14, "value"), (18, "call")]));
}

#[test]
fn type_usages_have_the_kind_of_each_mention() {
    let usages = kinds(Operation::TypeUsages, "a.T");
    let written = [
        (5, "field"),
        (7, "embed"),
        (9, "parameter"),
        (9, "return"),
        (11, "literal"),
        (14, "conversion"),
        (16, "assertion"),
        (18, "parameter"),
    ];
    assert_eq!(usages, expected(&written));
}
