//! The operations of `cortex_analysis`, in Go and Python, as their text prints them.

use codeweft_ide::analysis_text;
use codeweft_ide::api::{AnalysisResponse, ApiError, parse_analysis};
use codeweft_testing::Fixture;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

/// Answers a request with one thread and with four, at first and again: the bytes are equal.
fn answer(fixture: &str, request: &Value) -> Result<AnalysisResponse, ApiError> {
    let request = parse_analysis(request.clone())?;
    let bytes = |threads: usize| {
        let workspace = Fixture::new(fixture).threads(threads).load();
        let plain = |mut answer: AnalysisResponse| {
            answer.metadata.took_ms = 0.0;
            answer
        };
        let first = workspace.host.answer(&request).map(plain);
        let again = workspace.host.answer(&request).map(plain);
        assert_eq!(first, again, "asked again, with {threads} threads");
        first
    };
    let one = bytes(1);
    assert_eq!(one, bytes(4), "with four threads");
    one
}

fn check(fixture: &str, request: Value, expected: Expect) {
    let text = match answer(fixture, &request) {
        Ok(answer) => analysis_text(&answer),
        Err(error) => format!("{}\n{}\n", error.message, error.fallback_suggestion),
    };
    expected.assert_eq(&text);
}

const GO: &str = "
//- store/db.go
// Package store keeps rows.
package store

// DB is a table.
//
// It is safe for one user.
type DB struct {
	path  string `json:\"path\"`
	cache *Cache
	Log
}

type Cache struct{ rows map[string]string }

type Log interface {
	Print(words ...string)
}

const limit = 3

// Open opens a table.
//
//go:noinline
func Open(path string) (db *DB, err error) {
	if limit > 0 {
		return &DB{path: path, cache: newCache()}, nil
	}
	return nil, nil
}

func newCache() *Cache { return &Cache{} }

func (db *DB) Get(key string) string { return db.cache.rows[key] }
//- store/db_test.go
package store

func helper() { Open(\"\"); newCache() }
//- app/main.go
package main

import \"m/store\"

type quiet struct{}

func (quiet) Print(words ...string) {}

func main() {
	db, _ := store.Open(\"a\")
	db.Get(\"b\")
	db.Log = quiet{}
	store.Open(\"c\")
}
";

const PYTHON: &str = "
//- pyproject.toml
[project]
name = \"shop\"
//- shop/__init__.py
//- shop/models.py
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop.orders import Order


class Base:
    def total(self) -> int:
        return 0


class Customer(Base):
    \"\"\"Who buys.\"\"\"

    name: str

    @property
    def orders(self) -> \"list[Order]\":
        return []

    def total(self, least: int = 0, *rest: int) -> int:
        return sum([len(one) for one in self.orders])
//- shop/orders.py
from shop import models
from shop.prices import price


class Order:
    customer: models.Customer

    def pay(self):
        return price(self)
//- shop/prices.py
def price(order):
    from shop.orders import Order

    return Order().pay()
";

#[test]
fn symbols_are_listed_with_their_uses_the_most_used_first() {
    check(
        GO,
        json!({"operation": "symbols", "kinds": ["function", "method"]}),
        expect![[""]],
    );
}

#[test]
fn symbols_are_filtered_by_path_visibility_uses_and_tests() {
    check(
        GO,
        json!({"operation": "symbols", "path_prefix": "store", "visibility": "private",
               "ref_count_max": 1, "include_tests": false}),
        expect![[""]],
    );
}

#[test]
fn a_search_lists_the_names_that_match_a_pattern_or_have_a_part() {
    check(GO, json!({"operation": "search", "pattern": "*ache"}), expect![[""]]);
    check(GO, json!({"operation": "search", "pattern": "CACHE"}), expect![[""]]);
}

#[test]
fn a_summary_counts_files_lines_and_declarations_of_each_language() {
    check(GO, json!({"operation": "summary", "top_n": 2}), expect![[""]]);
    check(PYTHON, json!({"operation": "summary", "top_n": 1}), expect![[""]]);
}

#[test]
fn a_package_summary_has_what_is_exported_and_the_ties() {
    check(
        GO,
        json!({"operation": "package_summary", "target": "store"}),
        expect![[""]],
    );
    check(
        PYTHON,
        json!({"operation": "package_summary", "target": "shop.models"}),
        expect![[""]],
    );
}

#[test]
fn a_detail_has_parameters_results_directives_and_the_comment() {
    check(GO, json!({"operation": "detail", "target": "store.Open"}), expect![[""]]);
}

#[test]
fn a_detail_of_a_type_has_its_members_fields_first() {
    check(GO, json!({"operation": "detail", "target": "store.DB"}), expect![[""]]);
    check(
        PYTHON,
        json!({"operation": "detail", "target": "shop.models.Customer"}),
        expect![[""]],
    );
}

#[test]
fn a_detail_of_a_method_of_python_has_its_receiver_defaults_and_decorators() {
    check(
        PYTHON,
        json!({"operation": "detail", "target": "Customer.total"}),
        expect![[""]],
    );
    check(
        PYTHON,
        json!({"operation": "detail", "target": "Customer.orders"}),
        expect![[""]],
    );
}

#[test]
fn a_type_hierarchy_has_what_a_type_satisfies_embeds_and_has_as_fields() {
    check(GO, json!({"operation": "type_hierarchy", "target": "store.DB"}), expect![[""]]);
    check(GO, json!({"operation": "type_hierarchy", "target": "store.Log"}), expect![[""]]);
    check(
        PYTHON,
        json!({"operation": "type_hierarchy", "target": "shop.models.Customer"}),
        expect![[""]],
    );
}

#[test]
fn the_scopes_of_a_position_are_those_of_the_language() {
    check(
        GO,
        json!({"operation": "scope", "target": "store/db.go:26:10"}),
        expect![[""]],
    );
    check(
        PYTHON,
        json!({"operation": "scope", "target": "shop/models.py:23:22"}),
        expect![[""]],
    );
    check(GO, json!({"operation": "scope", "target": "store.Open"}), expect![[""]]);
}

#[test]
fn hotspots_are_the_functions_with_the_most_callers() {
    check(GO, json!({"operation": "hotspots", "top_n": 3}), expect![[""]]);
    check(
        GO,
        json!({"operation": "hotspots", "top_n": 3, "include_tests": false}),
        expect![[""]],
    );
}

#[test]
fn a_ring_has_the_imports_that_close_it_and_says_if_it_is_none_when_the_code_runs() {
    check(
        PYTHON,
        json!({"operation": "circular_dependencies"}),
        expect![[""]],
    );
    check(
        PYTHON,
        json!({"operation": "circular_dependencies", "target": "shop.prices"}),
        expect![[""]],
    );
    check(GO, json!({"operation": "circular_dependencies"}), expect![[""]]);
}

#[test]
fn a_dependency_graph_has_packages_and_counted_edges() {
    check(GO, json!({"operation": "dependency_graph"}), expect![[""]]);
    check(
        PYTHON,
        json!({"operation": "dependency_graph", "target": "shop.prices"}),
        expect![[""]],
    );
}

#[test]
fn a_field_that_the_operation_does_not_take_is_an_error_that_names_it() {
    for (request, words) in [
        (
            json!({"operation": "hotspots", "ref_count_min": 1}),
            "ref_count_min: hotspots does not take it; symbols, search do",
        ),
        (
            json!({"operation": "symbols", "target": "store"}),
            "target: symbols does not take it",
        ),
        (json!({"operation": "search"}), "pattern: is required by search"),
        (json!({"operation": "detail"}), "target: is required by detail"),
        (
            json!({"operation": "symbols", "kinds": ["func"]}),
            "kinds: func is no kind; the kinds are package, interface",
        ),
        (
            json!({"operation": "symbols", "max_results": 501}),
            "max_results: 501 is out of bounds 1 to 500",
        ),
        (
            json!({"operation": "symbols", "ref_count_min": 3, "ref_count_max": 2}),
            "ref_count_min: 3 is above ref_count_max: 2",
        ),
        (json!({"operation": "symbols", "depth": 1}), "unknown field `depth`"),
    ] {
        let error = parse_analysis(request).expect_err("refused");
        assert!(error.message.contains(words), "{}", error.message);
    }
}

#[test]
fn the_uses_of_a_symbol_are_the_sites_that_references_lists() {
    use codeweft_graph::answer::{GraphRequest, Operation};
    for fixture in [GO, PYTHON] {
        let workspace = Fixture::new(fixture).load();
        let request = json!({"operation": "symbols", "max_results": 500});
        let request = parse_analysis(request).expect("a request");
        let listed = workspace.host.answer(&request).expect("symbols");
        let listed = listed.symbols.expect("a list");
        assert!(listed.total_found > 10);
        for item in &listed.items {
            let request = GraphRequest::new(Operation::References, item.symbol.id.clone());
            let answer = workspace.host.ask(&request).expect("references");
            let own = answer.results.iter().filter(|result| !result.node.external);
            let sites: u32 = own.map(|result| result.site_count).sum();
            assert_eq!(item.symbol.ref_count, sites, "{}", item.symbol.id);
        }
    }
}
