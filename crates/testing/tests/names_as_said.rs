//! Targets that are no id and no end of one: what the language means by them, with a note.

use codeweft_graph::answer::{GraphRequest, Operation, verdict};
use codeweft_testing::Fixture;
use expect_test::{Expect, expect};

/// Compares what each text is taken for by an operation, in a fixture.
fn check(fixture: &str, operation: Operation, texts: &[&str], expected: Expect) {
    let workspace = Fixture::new(fixture).load();
    let mut printed = String::new();
    for text in texts {
        let line = match workspace.host.ask(&GraphRequest::new(operation, *text)) {
            Ok(answer) => answer
                .note
                .unwrap_or_else(|| format!("{text}: {}", answer.target)),
            Err(error) => format!("{}: {}", error.message, error.candidates.join(" ")),
        };
        printed.push_str(&line);
        printed.push('\n');
    }
    expected.assert_eq(&printed);
}

#[test]
fn a_python_name_is_followed_through_the_module_that_exports_it_again() {
    check(
        "
//- pkg/__init__.py
from .templating import Loader, render
//- pkg/templating.py
def render(): pass
class Loader:
    def load(self): pass
",
        Operation::Callers,
        &["pkg.render", "pkg.Loader.load", "pkg.templating.render"],
        expect![[r#"
            pkg.render is taken for pkg.templating.render: the name is declared there
            pkg.Loader.load is taken for pkg.templating.Loader.load: the name is declared there
            pkg.templating.render: pkg.templating.render
        "#]],
    );
}

#[test]
fn a_python_member_is_that_of_the_first_class_of_the_order_that_declares_it() {
    check(
        "
//- app.py
class Base:
    def __init__(self):
        self.config = {}
    def route(self): pass
class App(Base): pass
class Other(Base):
    def route(self): pass
",
        Operation::References,
        &["App.route", "Other.route", "App.config", "App.missing"],
        expect![[r#"
            App.route is taken for app.Base.route: the name is declared there
            Other.route: app.Other.route
            App.config is taken for app.Base.config: the name is declared there
            no symbol, package or file fits App.missing: _contextvars.Token.MISSING
        "#]],
    );
}

const GO: &str = "
//- go.mod
module example.com/x/shop

go 1.26
//- shop.go
package shop
func Open() {}
//- catalog/catalog.go
package catalog
type Base struct{}
func (*Base) Merge() {}
type Catalog struct{ *Base }
func (Catalog) Close() {}
//- go-bar/bar.go
package bar
func G() {}
//- cmd/shop/main.go
package main
func main() {}
";

#[test]
fn a_go_package_is_named_by_its_whole_path_the_end_of_it_or_its_clause() {
    check(
        GO,
        Operation::Callers,
        &[
            "example.com/x/shop.Open",
            "example.com/x/shop/catalog.(*Base).Merge",
            "shop/catalog.Base.Merge",
            "bar.G",
            "main.main",
        ],
        expect![[r#"
            example.com/x/shop.Open is taken for shop.Open: the name is declared there
            example.com/x/shop/catalog.(*Base).Merge is taken for catalog.Base.Merge: the name is declared there
            shop/catalog.Base.Merge is taken for catalog.Base.Merge: the name is declared there
            bar.G is taken for go-bar.G: the name is declared there
            main.main is taken for cmd/shop.main: the name is declared there
        "#]],
    );
}

#[test]
fn a_promoted_method_is_that_of_the_embedded_type() {
    check(
        GO,
        Operation::Callers,
        &["Catalog.Merge", "Catalog.Close"],
        expect![[r#"
            Catalog.Merge is taken for catalog.Base.Merge: the name is declared there
            Catalog.Close: catalog.Catalog.Close
        "#]],
    );
}

#[test]
fn a_name_behind_a_file_is_declared_in_it() {
    check(
        GO,
        Operation::Callers,
        &[
            "catalog/catalog.go:Merge",
            "catalog.go:Catalog.Close",
            "shop.go:Merge",
        ],
        expect![[r#"
            catalog/catalog.go:Merge is taken for catalog.Base.Merge: that file declares it
            catalog.go:Catalog.Close is taken for catalog.Catalog.Close: that file declares it
            no symbol, package or file fits shop.go:Merge: catalog.Base.Merge
        "#]],
    );
}

#[test]
fn another_letter_case_counts_where_nothing_fits_exactly() {
    check(
        "
//- a/a.go
package a
type DB struct{}
func (DB) Close() {}
func (DB) open() {}
func Open() {}
",
        Operation::Callers,
        &["db.close", "DB.Open", "a.open", "Open"],
        expect![[r#"
            db.close is taken for a.DB.Close: the letter case differs
            DB.Open is taken for a.DB.open: the letter case differs
            a.open is taken for a.Open: the letter case differs
            Open: a.Open
        "#]],
    );
}

#[test]
fn a_variable_means_the_only_type_that_fits_it_and_has_the_member() {
    check(
        "
//- a/a.go
package a
type Cursor struct{}
func (Cursor) Seek() {}
func (Cursor) Next() {}
type Chain struct{}
func (Chain) Next() {}
type Table struct{}
func (Table) Drop() {}
",
        Operation::Callers,
        &["c.Seek", "c.Next", "c.Drop"],
        expect![[r#"
            c.Seek is taken for a.Cursor.Seek: the only member of this name of a type that the variable may have
            c.Next fits 2 symbols: a.Chain.Next a.Cursor.Next
            no symbol, package or file fits c.Drop: a.Table.Drop
        "#]],
    );
}

#[test]
fn the_only_fit_that_the_operation_takes_and_the_only_one_outside_tests_are_taken() {
    let fixture = "
//- a/a.go
package a
type Adapter interface{ Do() }
type Config struct{}
//- b/b.go
package b
type Adapter struct{}
//- b/b_test.go
package b
type Config struct{}
";
    let ask = |operation, text, expected| check(fixture, operation, &[text], expected);
    ask(
        Operation::Callers,
        "Adapter",
        expect![[r#"
            Adapter fits 2 symbols: a.Adapter b.Adapter
        "#]],
    );
    ask(
        Operation::Implementations,
        "Adapter",
        expect![[r#"
            Adapter is taken for a.Adapter: the only one of 2 fits that implementations takes
        "#]],
    );
    ask(
        Operation::TypeUsages,
        "Config",
        expect![[r#"
            Config is taken for a.Config: the only one of 2 fits outside tests
        "#]],
    );
}

#[test]
fn nearest_names_are_ranked_by_container_kind_and_tests() {
    check(
        "
//- a/a.go
package a
type Ant struct{}
func (Ant) Handle() {}
type Server struct{ Handel int }
func (Server) Handle() {}
//- b/b_test.go
package b
func Handle() {}
",
        Operation::Callers,
        &["Servr.Handle", "Handlle"],
        expect![[r#"
            no symbol, package or file fits Servr.Handle: a.Server.Handle a.Ant.Handle b.Handle a.Server.Handel
            no symbol, package or file fits Handlle: a.Ant.Handle a.Server.Handle b.Handle a.Server.Handel
        "#]],
    );
}

#[test]
fn the_nearest_names_of_a_misspelt_package_are_packages() {
    check(
        "
//- log/internal/internal.go
package internal
func Interval() {}
//- text/internal/internal.go
package internal
//- shop/__init__.py
//- shop/catalog.py
def catalogs(): pass
",
        Operation::Dependents,
        &["log/interal", "shop.catalg", "internal.interal"],
        expect![[r#"
            no symbol, package or file fits log/interal: log/internal text/internal log/internal.Interval
            no symbol, package or file fits shop.catalg: shop.catalog shop.catalog.catalogs
            no symbol, package or file fits internal.interal: log/internal.Interval text/internal log/internal
        "#]],
    );
}

#[test]
fn the_end_of_a_path_has_no_note_and_must_be_exact() {
    let workspace = Fixture::new(GO).load();
    let mut request = GraphRequest::new(Operation::Path, "shop.Open");
    request.to = "Catalog.Merge".to_owned();
    let error = workspace.host.ask(&request).expect_err("not exact");
    expect!["catalog.Base.Merge"].assert_eq(&error.candidates.join(" "));
}

/// Compares who calls what each text means from outside of it, in a fixture.
fn check_callers(fixture: &str, texts: &[&str], expected: Expect) {
    let workspace = Fixture::new(fixture).load();
    let mut printed = String::new();
    for text in texts {
        let request = GraphRequest::new(Operation::Callers, *text);
        let answer = workspace.host.ask(&request).expect("an answer");
        let ids: Vec<&str> = answer.results.iter().map(|one| &*one.node.id).collect();
        let note = answer.note.as_deref().unwrap_or("-");
        let lines = [note, &ids.join(" "), &verdict(&answer)];
        printed.push_str(&lines.join("\n"));
        printed.push('\n');
    }
    expected.assert_eq(&printed);
}

#[test]
fn a_go_file_is_called_where_what_it_declares_is_and_a_package_where_its_own_code_is() {
    check_callers(
        "
//- go.mod
module example.com/x/shop

go 1.26
//- greet/greet.go
package greet
type Greeter struct{}
func (Greeter) Hello() { say() }
func Say() { say() }
func say() {}
//- greet/greet_test.go
package greet
func helper() { Say() }
//- greet/outside_test.go
package greet_test
import \"example.com/x/shop/greet\"
func helper() { greet.Say() }
//- app/app.go
package app
import \"example.com/x/shop/greet\"
func A() { greet.Greeter{}.Hello() }
",
        &[
            "greet/greet.go",
            "greet",
            "example.com/x/shop/greet",
            "./greet",
            "app",
        ],
        expect![[r#"
            greet/greet.go is taken for the 3 declarations in it, called from outside of it
            app.A greet.helper greet_test.helper
            3 callers from outside the file found; complete under linux/amd64 cgo=0 tags=
            greet is taken for its code outside functions; name a file for what it declares

            no caller found; complete under linux/amd64 cgo=0 tags=
            example.com/x/shop/greet is taken for its code outside functions; name a file for what it declares

            no caller found; complete under linux/amd64 cgo=0 tags=
            ./greet is taken for its code outside functions; name a file for what it declares

            no caller found; complete under linux/amd64 cgo=0 tags=
            app is taken for its code outside functions; name a file for what it declares

            no caller found; complete under linux/amd64 cgo=0 tags=
        "#]],
    );
}

#[test]
fn a_python_module_is_called_where_its_own_code_is() {
    check_callers(
        "
//- app/__init__.py
//- app/auth.py
class Token:
    def check(self): return check(self)
def check(token): pass
//- app/web.py
from app.auth import check
def page(): check(None)
//- main.py
from app.auth import Token
def main(): Token().check()
",
        &["app.auth", "app/auth.py", "app", "main"],
        expect![[r#"
            app.auth is taken for its code outside functions; name a file for what it declares

            no caller found; complete
            app/auth.py is taken for the 3 declarations in it, called from outside of it
            app.web.page main.main
            2 callers from outside the file found; complete
            app is taken for its code outside functions; name a file for what it declares

            no caller found; complete
            main is taken for its code outside functions; name a file for what it declares

            no caller found; complete
        "#]],
    );
}
