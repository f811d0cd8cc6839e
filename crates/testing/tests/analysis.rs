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
        expect![[r#"
            symbols: 7 declarations
            uses  other  symbol
               3      2  store.Open  store/db.go:24  func Open(path string) (db *DB, err error)
               2      0  store.newCache  store/db.go:31  func newCache() *Cache
               1      1  store.DB.Get  store/db.go:33  func (db *DB) Get(key string) string
               0      0  app.quiet.Print  app/main.go:7  func (quiet) Print(words ...string)
               0      0  app.main  app/main.go:9  func main()
               0      0  store.Log.Print  store/db.go:16  Print(words ...string)
               0      0  store.helper  store/db_test.go:3  func helper()
        "#]],
    );
}

#[test]
fn symbols_are_filtered_by_path_visibility_uses_and_tests() {
    check(
        GO,
        json!({"operation": "symbols", "path_prefix": "store", "visibility": "private",
               "ref_count_max": 1, "include_tests": false}),
        expect![[r#"
            symbols: 3 declarations
            uses  other  symbol
               1      0  store.DB.path  store/db.go:8  path  string `json:"path"`
               1      0  store.Cache.rows  store/db.go:13  rows map[string]string
               1      0  store.limit  store/db.go:19  const limit = 3
        "#]],
    );
}

#[test]
fn a_search_lists_the_names_that_match_a_pattern_or_have_a_part() {
    check(
        GO,
        json!({"operation": "search", "pattern": "*ache"}),
        expect![[r#"
            search: 3 declarations
            uses  other  symbol
               3      0  store.Cache  store/db.go:13  type Cache struct{ rows map[string]string }
               2      0  store.DB.cache  store/db.go:9  cache *Cache
               2      0  store.newCache  store/db.go:31  func newCache() *Cache
        "#]],
    );
    check(
        GO,
        json!({"operation": "search", "pattern": "CACHE"}),
        expect![[r#"
            search: 3 declarations
            uses  other  symbol
               3      0  store.Cache  store/db.go:13  type Cache struct{ rows map[string]string }
               2      0  store.DB.cache  store/db.go:9  cache *Cache
               2      0  store.newCache  store/db.go:31  func newCache() *Cache
        "#]],
    );
}

#[test]
fn a_summary_counts_files_lines_and_declarations_of_each_language() {
    check(
        GO,
        json!({"operation": "summary", "top_n": 2}),
        expect![[r#"
            summary: 2 packages
            go: 3 files, 50 lines, 18 declarations: constant 1, field 4, function 4, interface 1, method 3, package 2, struct 3
            uses  other  symbol
               3      0  store.DB  store/db.go:7  type DB struct
               3      0  store.Cache  store/db.go:13  type Cache struct{ rows map[string]string }
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "summary", "top_n": 1}),
        expect![[r#"
            summary: 4 packages
            python: 4 files, 35 lines, 14 declarations: class 3, field 2, function 1, method 4, package 4
            uses  other  symbol
               4      4  shop.orders.Order  shop/orders.py:5  class Order
        "#]],
    );
}

#[test]
fn a_package_summary_has_what_is_exported_and_the_ties() {
    check(
        GO,
        json!({"operation": "package_summary", "target": "store"}),
        expect![[r#"
            package_summary of store: package store, 2 files; constant 1, field 4, function 3, interface 1, method 2, struct 2
            imported by: app
            uses  other  symbol
               3      2  store.Open  store/db.go:24  func Open(path string) (db *DB, err error)
               3      0  store.DB  store/db.go:7  type DB struct
               3      0  store.Cache  store/db.go:13  type Cache struct{ rows map[string]string }
               1      0  store.Log  store/db.go:15  type Log interface
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "package_summary", "target": "shop.models"}),
        expect![[r#"
            package_summary of shop.models: package models, 1 file; class 2, field 1, method 3
            imports: shop.orders, typing
            imported by: shop.orders
            uses  other  symbol
               1      1  shop.models.Customer  shop/models.py:12  class Customer(Base)
               1      0  shop.models.Base  shop/models.py:7  class Base
        "#]],
    );
}

#[test]
fn a_detail_has_parameters_results_directives_and_the_comment() {
    check(
        GO,
        json!({"operation": "detail", "target": "store.Open"}),
        expect![[r#"
            detail of store.Open: store/db.go:24  func Open(path string) (db *DB, err error)
            public function, 3 uses, 2 in other packages
            annotation go:noinline
            parameter path string
            result db *DB
            result err error
              Open opens a table.
        "#]],
    );
}

#[test]
fn a_detail_of_a_type_has_its_members_fields_first() {
    check(
        GO,
        json!({"operation": "detail", "target": "store.DB"}),
        expect![[r#"
            detail of store.DB: store/db.go:7  type DB struct
            public struct, 3 uses, 0 in other packages
            field path string
            field cache *Cache
            field Log Log
            method Get (key string) string
              DB is a table.
  
              It is safe for one user.
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "detail", "target": "shop.models.Customer"}),
        expect![[r#"
            detail of shop.models.Customer: shop/models.py:12  class Customer(Base)
            public class, 1 use, 1 in other packages
            field name str
            method orders (self) -> "list[Order]"
            method total (self, least: int = 0, *rest: int) -> int
              Who buys.
        "#]],
    );
}

#[test]
fn a_detail_of_a_method_of_python_has_its_receiver_defaults_and_decorators() {
    check(
        PYTHON,
        json!({"operation": "detail", "target": "Customer.total"}),
        expect![[r#"
            detail of shop.models.Customer.total: shop/models.py:21  def total(self, least: int = 0, *rest: int) -> int
            public method, 0 uses, 0 in other packages
            receiver self
            parameter least int = 0
            parameter *rest int
            result int
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "detail", "target": "Customer.orders"}),
        expect![[r#"
            detail of shop.models.Customer.orders: shop/models.py:17  def orders(self) -> "list[Order]"
            public method, 1 use, 0 in other packages
            annotation property
            receiver self
            result "list[Order]"
        "#]],
    );
}

#[test]
fn a_type_hierarchy_has_what_a_type_satisfies_embeds_and_has_as_fields() {
    check(
        GO,
        json!({"operation": "type_hierarchy", "target": "store.DB"}),
        expect![[r#"
            type_hierarchy of store.DB: store/db.go:7  type DB struct
            implements: 1
              store.Log  [implicit]  store/db.go:15  type Log interface
            composes: 2
              store.Cache  [composition]  store/db.go:13  type Cache struct{ rows map[string]string }
              store.Log  [embedding]  store/db.go:15  type Log interface
        "#]],
    );
    check(
        GO,
        json!({"operation": "type_hierarchy", "target": "store.Log"}),
        expect![[r#"
            type_hierarchy of store.Log: store/db.go:15  type Log interface
            implemented by: 2
              app.quiet  [implicit]  app/main.go:5  type quiet struct{}
              store.DB  [implicit]  store/db.go:7  type DB struct
            composed by: 1
              store.DB  [embedding]  store/db.go:7  type DB struct
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "type_hierarchy", "target": "shop.models.Customer"}),
        expect![[r#"
            type_hierarchy of shop.models.Customer: shop/models.py:12  class Customer(Base)
            implements: 2
              shop.models.Base  [inheritance]  shop/models.py:7  class Base
              typing.Hashable  [implicit]  <codeweft>/python/typing.pyi:92  class Hashable(Protocol)
            composes: 1
              builtins.str  [composition]  <codeweft>/python/builtins.pyi:278  class str(Sequence[str])
            composed by: 1
              shop.orders.Order  [composition]  shop/orders.py:5  class Order
        "#]],
    );
}

#[test]
fn the_scopes_of_a_position_are_those_of_the_language() {
    check(
        GO,
        json!({"operation": "scope", "target": "store/db.go:26:10"}),
        expect![[r#"
            scope of store/db.go:26:10: 4 scopes, the innermost first
            store/db.go:25-27  block
            store/db.go:25-27  block
            store/db.go:24-29  function  store.Open
            store/db.go:1-33  file  store
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "scope", "target": "shop/models.py:22:22"}),
        expect![[r#"
            scope of shop/models.py:22:22: 4 scopes, the innermost first
            shop/models.py:22-22  comprehension
            shop/models.py:21-22  function  shop.models.Customer.total
            shop/models.py:12-22  class  shop.models.Customer
            shop/models.py:1-22  file  shop.models
        "#]],
    );
    check(
        GO,
        json!({"operation": "scope", "target": "store.Open"}),
        expect![[r#"
            store.Open: no position of a file that was read
            give path:line:column, both from 1, columns in bytes
        "#]],
    );
}

#[test]
fn hotspots_are_the_functions_with_the_most_callers() {
    check(
        GO,
        json!({"operation": "hotspots", "top_n": 3}),
        expect![[r#"
            hotspots: the 3 most called
            callers  callees  symbol
                  2        1  store.Open  store/db.go:24  func Open(path string) (db *DB, err error)
                  2        0  store.newCache  store/db.go:31  func newCache() *Cache
                  1        0  store.DB.Get  store/db.go:33  func (db *DB) Get(key string) string
        "#]],
    );
    check(
        GO,
        json!({"operation": "hotspots", "top_n": 3, "include_tests": false}),
        expect![[r#"
            hotspots: the 3 most called
            callers  callees  symbol
                  1        1  store.Open  store/db.go:24  func Open(path string) (db *DB, err error)
                  1        0  store.newCache  store/db.go:31  func newCache() *Cache
                  1        0  store.DB.Get  store/db.go:33  func (db *DB) Get(key string) string
        "#]],
    );
}

#[test]
fn a_ring_has_the_imports_that_close_it_and_says_if_it_is_none_when_the_code_runs() {
    check(
        PYTHON,
        json!({"operation": "circular_dependencies"}),
        expect![[r#"
            circular_dependencies: 2 cycles in 1 component
            shop.models -> shop.orders -> shop.models  [only for types]
              shop/models.py:4  shop.models imports shop.orders
              shop/orders.py:1  shop.orders imports shop.models
            shop.orders -> shop.prices -> shop.orders  [an import inside a function]
              shop/orders.py:2  shop.orders imports shop.prices
              shop/prices.py:2  shop.prices imports shop.orders
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "circular_dependencies", "target": "shop.prices"}),
        expect![[r#"
            circular_dependencies of shop.prices: 1 cycle in 1 component
            shop.orders -> shop.prices -> shop.orders  [an import inside a function]
              shop/orders.py:2  shop.orders imports shop.prices
              shop/prices.py:2  shop.prices imports shop.orders
        "#]],
    );
    check(
        GO,
        json!({"operation": "circular_dependencies"}),
        expect![[r#"
            circular_dependencies: 0 cycles in 0 components
        "#]],
    );
}

#[test]
fn a_test_inside_a_go_package_may_import_what_imports_the_package() {
    let fixture = "
//- low/low.go
package low

func Low() int { return 1 }
//- low/low_test.go
package low

import \"m/high\"

func use() int { return high.High() }
//- high/high.go
package high

import \"m/low\"

func High() int { return low.Low() }
";
    check(
        fixture,
        json!({"operation": "circular_dependencies"}),
        expect![[r#"
            circular_dependencies: 0 cycles in 0 components
        "#]],
    );
    check(
        fixture,
        json!({"operation": "dependency_graph"}),
        expect![[r#"
            dependency_graph: 2 packages, 1 edge
             files    lines  fan-in  fan-out  package
                 1        5       0        1  high
                 2        8       1        0  low
            high -> low (1)
        "#]],
    );
}

#[test]
fn a_dependency_graph_has_packages_and_counted_edges() {
    check(
        GO,
        json!({"operation": "dependency_graph"}),
        expect![[r#"
            dependency_graph: 2 packages, 1 edge
             files    lines  fan-in  fan-out  package
                 1       14       0        1  app
                 2       36       1        0  store
            app -> store (1)
        "#]],
    );
    check(
        PYTHON,
        json!({"operation": "dependency_graph", "target": "shop.prices"}),
        expect![[r#"
            dependency_graph of shop.prices: 2 packages, 2 edges
             files    lines  fan-in  fan-out  package
                 1        9       1        1  shop.orders
                 1        4       1        1  shop.prices
            shop.orders -> shop.prices (1)
            shop.prices -> shop.orders (1)
        "#]],
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
        (
            json!({"operation": "search"}),
            "pattern: is required by search",
        ),
        (
            json!({"operation": "detail"}),
            "target: is required by detail",
        ),
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
        (
            json!({"operation": "symbols", "depth": 1}),
            "unknown field `depth`",
        ),
    ] {
        let error = parse_analysis(request).expect_err("refused");
        assert!(error.message.contains(words), "{}", error.message);
    }
}

/// Names that are read and called at one position: variables and fields of a function type, instances.
const CALLED: &str = "
//- hooks/hooks.go
package hooks

type Hooks struct{ done func() }

var hook func()

func run(h Hooks) {
	h.done()
	hook()
	f := hook
	f()
}
//- pyproject.toml
[project]
name = \"shop\"
//- shop/__init__.py
from shop.work import Work, work as again

WORK = Work()
WORK()
again(WORK.size)
Work.make().size
WORK += 1
//- shop/work.py
class Work:
    def __call__(self):
        return self.size

    def __iadd__(self, other):
        return self

    @property
    def size(self):
        return 1

    @classmethod
    def make(cls):
        return cls()

def work(n):
    return work(n)
";

#[test]
fn the_uses_of_a_symbol_are_the_sites_that_references_lists() {
    use codeweft_graph::answer::{GraphRequest, Operation};
    for fixture in [GO, PYTHON, CALLED] {
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
