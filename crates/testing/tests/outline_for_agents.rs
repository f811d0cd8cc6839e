//! The operation `outline`, in Go and Python.

use codeweft_graph::answer::{GraphRequest, Operation, verdict};
use codeweft_testing::Fixture;
use expect_test::{Expect, expect};

/// Compares the outline of a target: a line each with file, line, nesting, id and signature, and the
/// verdict.
fn check(fixture: &str, target: &str, depth: Option<u32>, expected: Expect) {
    let workspace = Fixture::new(fixture).load();
    let mut request = GraphRequest::new(Operation::Outline, target);
    request.depth = depth.unwrap_or(request.depth);
    let answer = workspace.host.ask(&request).expect("an outline");
    let mut text = String::new();
    for result in &answer.results {
        let node = &result.node;
        text.push_str(&format!(
            "{}:{} {}{}{}\n",
            node.file,
            node.name_line,
            "  ".repeat(result.depth.unwrap_or(0) as usize),
            node.id,
            node.signature
                .as_ref()
                .map_or_else(|| format!(" ({})", node.kind), |words| format!(": {words}")),
        ));
    }
    text.push_str(&verdict(&answer));
    text.push('\n');
    expected.assert_eq(&text);
}

const GO: &str = "
//- store/a.go
package store

func (db *DB) Close() error { return nil }

type DB struct {
	path string
}

type Opener interface {
	Open(path string) *DB
}
//- store/b.go
package store

const limit = 3

func Open(path string) *DB { return nil }

func (db *DB) Get(key string) string { return key }
//- store/b_test.go
package store

func (db *DB) reset() {}
//- store/b_windows.go
package store

func (db *DB) handle() {}
";

#[test]
fn a_go_package_has_its_files_in_order() {
    check(
        GO,
        "store",
        None,
        expect![[r#"
        store/a.go:3     store.DB.Close: func (db *DB) Close() error
        store/a.go:5   store.DB: type DB struct
        store/a.go:6     store.DB.path: path string
        store/a.go:9   store.Opener: type Opener interface
        store/a.go:10     store.Opener.Open: Open(path string) *DB
        store/b.go:3   store.limit: const limit = 3
        store/b.go:5   store.Open: func Open(path string) *DB
        store/b.go:7     store.DB.Get: func (db *DB) Get(key string) string
        store/b_test.go:3     store.DB.reset: func (db *DB) reset()
        9 declarations found; 1 site could declare more under linux/amd64 cgo=0 tags=: store/b_windows.go:1:1 excluded_file
    "#]],
    );
}

#[test]
fn a_go_file_has_methods_where_they_are_written() {
    check(
        GO,
        "store/a.go",
        None,
        expect![[r#"
        store/a.go:3     store.DB.Close: func (db *DB) Close() error
        store/a.go:5   store.DB: type DB struct
        store/a.go:6     store.DB.path: path string
        store/a.go:9   store.Opener: type Opener interface
        store/a.go:10     store.Opener.Open: Open(path string) *DB
        5 declarations found; complete under linux/amd64 cgo=0 tags=
    "#]],
    );
    check(
        GO,
        "store/a.go",
        Some(1),
        expect![[r#"
        store/a.go:5   store.DB: type DB struct
        store/a.go:9   store.Opener: type Opener interface
        2 declarations found; complete under linux/amd64 cgo=0 tags=
    "#]],
    );
}

#[test]
fn a_go_type_has_the_members_of_all_files() {
    check(
        GO,
        "store.DB",
        None,
        expect![[r#"
        store/a.go:3   store.DB.Close: func (db *DB) Close() error
        store/a.go:6   store.DB.path: path string
        store/b.go:7   store.DB.Get: func (db *DB) Get(key string) string
        store/b_test.go:3   store.DB.reset: func (db *DB) reset()
        4 declarations found; 1 site could declare more under linux/amd64 cgo=0 tags=: store/b_windows.go:3:1 excluded_file
    "#]],
    );
    check(
        GO,
        "error",
        None,
        expect![[r#"
        :0   error.Error (method)
        1 declaration (in a library); complete under linux/amd64 cgo=0 tags=
    "#]],
    );
}

#[test]
fn a_file_of_another_platform_has_an_outline_too() {
    check(
        GO,
        "store/b_windows.go",
        None,
        expect![[r#"
        store/b_windows.go:3     store.DB.handle@b_windows: func (db *DB) handle()
        1 declaration found; complete under linux/amd64 cgo=0 tags=
    "#]],
    );
}

const PYTHON: &str = "
//- shop/__init__.py
from .cart import Cart

version = 1
//- shop/cart.py
class Cart:
    kind = 'cart'

    def __init__(self, owner):
        self.owner = owner

    def total(self):
        def price(item):
            return item.price
        return sum(price(item) for item in self.items)

    class Line:
        def text(self): pass

def load(path): return Cart(path)
//- shop/tools.py
def tool(): pass
";

#[test]
fn a_python_file_is_outlined_to_methods_and_fields() {
    check(
        PYTHON,
        "shop/cart.py",
        None,
        expect![[r#"
        shop/cart.py:1   shop.cart.Cart: class Cart
        shop/cart.py:2     shop.cart.Cart.kind: kind = 'cart'
        shop/cart.py:4     shop.cart.Cart.__init__: def __init__(self, owner)
        shop/cart.py:5     shop.cart.Cart.owner: self.owner = owner
        shop/cart.py:7     shop.cart.Cart.total: def total(self)
        shop/cart.py:12     shop.cart.Cart.Line: class Line
        shop/cart.py:15   shop.cart.load: def load(path)
        7 declarations found; complete
    "#]],
    );
}

#[test]
fn a_python_class_has_nested_functions_and_classes() {
    check(
        PYTHON,
        "Cart",
        None,
        expect![[r#"
        shop/cart.py:2   shop.cart.Cart.kind: kind = 'cart'
        shop/cart.py:4   shop.cart.Cart.__init__: def __init__(self, owner)
        shop/cart.py:5   shop.cart.Cart.owner: self.owner = owner
        shop/cart.py:7   shop.cart.Cart.total: def total(self)
        shop/cart.py:8     shop.cart.Cart.total.<locals>.price: def price(item)
        shop/cart.py:12   shop.cart.Cart.Line: class Line
        shop/cart.py:13     shop.cart.Cart.Line.text: def text(self)
        7 declarations; complete
    "#]],
    );
    check(
        PYTHON,
        "Cart",
        Some(1),
        expect![[r#"
        shop/cart.py:2   shop.cart.Cart.kind: kind = 'cart'
        shop/cart.py:4   shop.cart.Cart.__init__: def __init__(self, owner)
        shop/cart.py:5   shop.cart.Cart.owner: self.owner = owner
        shop/cart.py:7   shop.cart.Cart.total: def total(self)
        shop/cart.py:12   shop.cart.Cart.Line: class Line
        5 declarations; complete
    "#]],
    );
}

#[test]
fn a_python_package_has_its_modules_as_members() {
    check(
        PYTHON,
        "shop",
        None,
        expect![[r#"
        shop/__init__.py:3   shop.version: version = 1
        shop/cart.py:1   shop.cart (package)
        shop/cart.py:1     shop.cart.Cart: class Cart
        shop/cart.py:15     shop.cart.load: def load(path)
        shop/tools.py:1   shop.tools (package)
        shop/tools.py:1     shop.tools.tool: def tool()
        6 declarations; complete
    "#]],
    );
    check(
        PYTHON,
        "shop/__init__.py",
        None,
        expect![[r#"
        shop/__init__.py:3   shop.version: version = 1
        1 declaration found; complete
    "#]],
    );
    check(
        PYTHON,
        "shop.tools",
        None,
        expect![[r#"
        shop/tools.py:1   shop.tools.tool: def tool()
        1 declaration; complete
    "#]],
    );
}

#[test]
fn code_is_listed_only_on_request() {
    let workspace = Fixture::new(GO).load();
    let mut request = GraphRequest::new(Operation::Outline, "store");
    let has_code = |request: &GraphRequest| {
        let answer = workspace.host.ask(request).expect("an outline");
        answer.results.iter().any(|result| result.context.is_some())
    };
    assert!(!has_code(&request));
    request.include_context = true;
    assert!(has_code(&request));
}
