//! Queries of the flow graph: which values variables hold, which methods run, what nodes become in
//! instances.

use codeweft_db::{
    FlowInstantiated, FlowNode, FlowTarget, FlowValue, Reason, SymbolId, ValueFlow as _,
};
use expect_test::expect;

use super::Fixture;
use super::flows::{FlowPrinter, TYPES};
use crate::Go;
use crate::decls::{DeclKey, decl};
use crate::definitions::Decl;
use crate::types::{Ty, Type, table};
use crate::typing::Unnamed;

/// A fixture with variables whose types are looked up by name.
struct TypedVariables {
    world: Fixture,
}

impl TypedVariables {
    fn new(code: &str) -> TypedVariables {
        TypedVariables {
            world: Fixture::new(&format!("package m\n{TYPES}\n{code}")),
        }
    }

    fn decl(&self, name: &str) -> Decl {
        let db = &self.world.db;
        let name = codeweft_db::Db::shared(db).names.intern(name);
        decl(db, DeclKey::new(db, self.world.units[0], name)).expect("declared")
    }

    fn symbol(&self, name: &str) -> SymbolId {
        match self.decl(name) {
            Decl::Func { symbol, .. } | Decl::Var { symbol, .. } | Decl::Type { symbol, .. } => {
                symbol
            }
            _ => panic!("no symbol"),
        }
    }

    /// Returns the canonical number of a variable's type.
    fn ty(&self, variable: &str) -> u32 {
        match self.decl(variable) {
            Decl::Var { ty, .. } => table(&self.world.db).canonical(ty).number(),
            _ => panic!("no variable"),
        }
    }

    /// Returns the variables whose values a variable of the type of `to` can hold.
    fn holds(&self, to: &str, variables: &[&str]) -> String {
        let to = self.ty(to);
        let mut held = variables.to_vec();
        held.retain(|one| {
            let value = FlowValue::Type(self.ty(one));
            Go.flow_assignable(&self.world.db, value, to)
        });
        held.join(" ")
    }

    /// Prints the target of an interface's method on the type of a variable.
    fn runs(&self, variable: &str, method: SymbolId) -> String {
        match Go.flow_target(&self.world.db, self.ty(variable), method) {
            None => "nothing".into(),
            Some(FlowTarget::Method(symbol)) => self.world.id(symbol),
            Some(FlowTarget::Through(field, symbol)) => {
                format!("{} {}", self.world.id(field), self.world.id(symbol))
            }
        }
    }

    /// Returns the method of an interface.
    fn method(&self, interface: &str, name: &str) -> SymbolId {
        let db = &self.world.db;
        let ty = table(db).intern(Type::Named(self.symbol(interface), Box::default()));
        let flat = crate::decls::members_in_view(db, ty, None, &|symbol| {
            crate::decls::type_def(db, crate::decls::TypeKey::new(db, symbol))
        });
        let mut found = flat.list.iter().filter_map(|member| member.symbol);
        let named = |symbol: &SymbolId| self.world.id(*symbol).ends_with(&format!(".{name}"));
        found.find(named).expect("a method")
    }

    /// Prints a node of generic code in an instance with the types of these variables.
    fn instance(&self, node: FlowNode, owner: &str, args: &[&str]) -> String {
        let args: Vec<u32> = args.iter().map(|one| self.ty(one)).collect();
        let file = *self.world.files.values().next().expect("a file");
        let printer = FlowPrinter {
            world: &self.world,
            file,
        };
        match Go.flow_instantiate(&self.world.db, node, self.symbol(owner), &args) {
            FlowInstantiated::Node(node, _) => printer.node(node),
            FlowInstantiated::From(node) => format!("from {}", printer.node(node)),
            FlowInstantiated::Value(value) => format!("value {}", printer.value(value)),
            FlowInstantiated::Nothing => "nothing".into(),
        }
    }

    fn param(&self, owner: &str, index: u16) -> Ty {
        table(&self.world.db).intern(Type::Param(self.symbol(owner), index))
    }
}

#[test]
fn an_interface_holds_types_with_its_methods() {
    let variables = TypedVariables::new(
        "
type V struct{}

func (V) M() {}

type Emb struct{ I }

type Wrong struct{}

func (Wrong) M(int) {}

var (
	i  I
	t  T
	pt *T
	v  V
	pv *V
	e  Emb
	w  Wrong
	s  struct{ *T }
	a  any
)
",
    );
    expect!["pt v pv e s"].assert_eq(&variables.holds("i", &["t", "pt", "v", "pv", "e", "w", "s"]));
    expect!["t pt w"].assert_eq(&variables.holds("a", &["t", "pt", "w"]));
    expect!["pt"].assert_eq(&variables.holds("pt", &["t", "pt", "v"]));
}

#[test]
fn unexported_methods_of_two_packages_differ() {
    let world = Fixture::new(
        "
//- a/a.go
package a

type I interface{ m() }

type T struct{}

func (T) m() {}

//- b/b.go
package b

import \"m/a\"

type T struct{}

func (T) m() {}

var i a.I

var t T

var at a.T
",
    );
    let number = world
        .units
        .iter()
        .position(|unit| &**unit.dir(&world.db) == "b" || unit.dir(&world.db).ends_with("/b"))
        .expect("package b");
    let mut world = world;
    world.units.swap(0, number);
    let variables = TypedVariables { world };
    expect!["at"].assert_eq(&variables.holds("i", &["t", "at"]));
}

#[test]
fn functions_are_assignable_by_signature() {
    let variables = TypedVariables::new(
        "
type F func(int)

func (F) M() {}

func g(int) {}

func gen[E any](E) {}

func (T) Do(int) {}

var (
	f F
	p func(int)
	s func(string)
	i I
	a any
)
",
    );
    let db = &variables.world.db;
    let passes = |value: FlowValue, to: &str| Go.flow_assignable(db, value, variables.ty(to));
    let g = FlowValue::Function(variables.symbol("g"));
    assert!(passes(g, "f") && passes(g, "p") && passes(g, "a"));
    assert!(!passes(g, "s") && !passes(g, "i"));
    let gen_ = FlowValue::Function(variables.symbol("gen"));
    assert!(passes(gen_, "p") && passes(gen_, "s"));
    let literal = FlowValue::Literal(variables.symbol("g"), variables.ty("s"));
    assert!(passes(literal, "s") && !passes(literal, "p"));
    assert!(passes(FlowValue::Unknown(Reason::Reflection), "i"));
}

#[test]
fn everything_is_assignable_to_a_type_parameter_and_instances_by_shape() {
    let variables = TypedVariables::new(
        "
type Iter[E any] interface{ Next() E }

type List[E any] struct{}

func (*List[E]) Next() E { var e E; return e }

func of[E any](e E) {}

var (
	ints    Iter[int]
	strings Iter[string]
	list    *List[int]
	t       *T
)
",
    );
    let db = &variables.world.db;
    let types = table(db);
    let param = variables.param("of", 0);
    let value = FlowValue::Type(variables.ty("t"));
    assert!(Go.flow_assignable(db, value, param.number()));
    expect!["list"].assert_eq(&variables.holds("ints", &["list", "t"]));
    expect![""].assert_eq(&variables.holds("strings", &["list", "t"]));
    let open = types.pointer(types.intern(Type::Named(variables.symbol("List"), [param].into())));
    let open = FlowValue::Type(open.number());
    assert!(Go.flow_assignable(db, open, variables.ty("ints")));
}

#[test]
fn a_call_runs_the_method_of_its_name() {
    let variables = TypedVariables::new(
        "
type V struct{}

func (V) M() {}

type Emb struct{ I }

type Deep struct{ *Emb }

type Own struct{ I }

func (Own) M() {}

type L[E any] struct{}

func (L[E]) M() {}

var (
	t    T
	pt   *T
	pv   *V
	emb  Emb
	deep *Deep
	own  Own
	list L[int]
	n    int
)
",
    );
    let m = variables.method("I", "M");
    let all = ["t", "pt", "pv", "emb", "deep", "own", "list", "n"];
    let lines: Vec<_> = all
        .iter()
        .map(|one| format!("{one}: {}\n", variables.runs(one, m)))
        .collect();
    expect![[r#"
        t: nothing
        pt: m.T.M
        pv: m.V.M
        emb: m.Emb.I m.I.M
        deep: m.Emb.I m.I.M
        own: m.Own.M
        list: m.L.M
        n: nothing
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn types_declared_in_functions_run_promoted_methods() {
    let variables = TypedVariables::new(
        "
func f(i I) {
	type local struct{ I }
	type other struct{ T }
	var x I = local{i}
	var y I = &other{}
	var z I = struct{ I }{i}
	_, _, _ = x, y, z
}

var v = func() I {
	type inner struct{ *T }
	return inner{}
}()
",
    );
    let m = variables.method("I", "M");
    let uses = variables.world.uses("a.go");
    let mut lines = Vec::new();
    for source in uses.flows.iter().flat_map(|flows| flows.sources.iter()) {
        let FlowValue::Type(ty) = source.value else {
            continue;
        };
        let interface =
            table(&variables.world.db).intern(Type::Named(variables.symbol("I"), [].into()));
        let passes = Go.flow_assignable(&variables.world.db, source.value, interface.number());
        let runs = match Go.flow_target(&variables.world.db, ty, m) {
            Some(FlowTarget::Method(symbol)) => variables.world.id(symbol),
            Some(FlowTarget::Through(field, symbol)) => {
                format!(
                    "{} {}",
                    variables.world.id(field),
                    variables.world.id(symbol)
                )
            }
            None => "nothing".into(),
        };
        let name = crate::types::printed(
            &variables.world.db,
            table(&variables.world.db).of_number(ty).unwrap(),
        );
        lines.push(format!("{name}: {runs} {passes}\n"));
    }
    lines.sort();
    expect![[r#"
        *m.f.other: m.T.M true
        m.f.local: m.f.local.I m.I.M true
        m.v.inner: m.T.M true
        struct{m.I}: m.f.I m.I.M true
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn an_interface_declared_in_a_function_holds_types_with_its_methods() {
    let variables = TypedVariables::new(
        "
func f(a any) {
	type own interface{ M() }
	_ = a.(own)
	b := a.(own)
	_ = b
}

var (
	t  T
	pt *T
)
",
    );
    let uses = variables.world.uses("a.go");
    let mut edges = uses.flows.iter().flat_map(|flows| flows.edges.iter());
    let own = edges.next().expect("an edge").pass;
    let passes = |name| {
        let value = FlowValue::Type(variables.ty(name));
        Go.flow_assignable(&variables.world.db, value, own)
    };
    assert!(passes("pt") && !passes("t"));
}

#[test]
fn methods_of_in_package_tests_are_in_the_method_set() {
    let world = Fixture::new(
        "
//- a.go
package m

type T struct{}

var t T

//- a_test.go
package m

type I interface{ M() }

func (T) M() {}

var i I
",
    );
    let variables = TypedVariables { world };
    let test = variables.world.units[1];
    let db = &variables.world.db;
    let name = codeweft_db::Db::shared(db).names.intern("i");
    let Some(Decl::Var { ty, .. }) = decl(db, DeclKey::new(db, test, name)) else {
        panic!("no variable");
    };
    let value = FlowValue::Type(variables.ty("t"));
    assert!(Go.flow_assignable(db, value, ty.number()));
}

#[test]
fn nodes_of_generic_code_are_replaced_in_an_instance() {
    let variables = TypedVariables::new(
        "
func of[E any, F any](e E, f F) {}

func other[G any](g G) {}

var (
	i I
	t *T
	n int
	f func()
	h F
)

type F func()

func (F) M() {}
",
    );
    let db = &variables.world.db;
    let types = table(db);
    let e = variables.param("of", 0);
    let canonical = |ty: Ty| types.canonical(ty).number();
    let sig = types.intern(Type::Func(crate::types::Signature {
        params: [
            e,
            types.intern(Type::Named(variables.symbol("I"), [].into())),
        ]
        .into(),
        results: [types.slice(e), e].into(),
        variadic: false,
    }));
    let nodes = [
        Unnamed::Element.of(canonical(e)),
        Unnamed::Pointee.of(canonical(e)),
        FlowNode::TypeParameter(variables.symbol("of"), 0),
        FlowNode::SignatureParameter(canonical(sig), 0),
        FlowNode::SignatureParameter(canonical(sig), 1),
        FlowNode::SignatureResult(canonical(sig), 1),
        Unnamed::Element.of(variables.ty("i")),
        FlowNode::Parameter(variables.symbol("of"), 0),
    ];
    let mut lines = String::new();
    let file = *variables.world.files.values().next().expect("a file");
    let printer = FlowPrinter {
        world: &variables.world,
        file,
    };
    for node in nodes {
        let of: Vec<_> = ["i", "t", "n", "f", "h"]
            .iter()
            .map(|arg| format!("{arg}: {}", variables.instance(node, "of", &[arg, "n"])))
            .collect();
        lines.push_str(&format!("{}: {}\n", printer.node(node), of.join(", ")));
        let owners = Go.flow_owners(db, node);
        let owners: Vec<_> = owners.iter().map(|&one| variables.world.id(one)).collect();
        lines.push_str(&format!("  of {}\n", owners.join(" ")));
    }
    let g = variables.param("other", 0);
    let node = FlowNode::TypeParameter(variables.symbol("of"), 0);
    let into = Go.flow_instantiate(db, node, variables.symbol("of"), &[g.number(), g.number()]);
    let expected = FlowNode::TypeParameter(variables.symbol("other"), 0);
    assert_eq!(into, FlowInstantiated::From(expected));
    let same = Go.flow_instantiate(db, node, variables.symbol("of"), &[e.number(), e.number()]);
    assert_eq!(same, FlowInstantiated::Nothing);
    expect![[r#"
        element of$0: i: element I, t: value *T, n: nothing, f: element func(), h: element F
          of m.of
        pointee of$0: i: pointee I, t: value *T, n: nothing, f: pointee func(), h: pointee F
          of m.of
        of$0: i: nothing, t: value *T, n: nothing, f: nothing, h: value F
          of m.of
        func(of$0, I) ([]of$0, of$0) (0): i: func(I, I) ([]I, I) (0), t: value *T, n: nothing, f: func(func(), I) ([]func(), func()) (0), h: func(F, I) ([]F, F) (0)
          of m.of
        func(of$0, I) ([]of$0, of$0) (1): i: func(I, I) ([]I, I) (1), t: func(*T, I) ([]*T, *T) (1), n: func(int, I) ([]int, int) (1), f: func(func(), I) ([]func(), func()) (1), h: func(F, I) ([]F, F) (1)
          of m.of
        func(of$0, I) ([]of$0, of$0) result 1: i: func(I, I) ([]I, I) result 1, t: value *T, n: nothing, f: func(func(), I) ([]func(), func()) result 1, h: func(F, I) ([]F, F) result 1
          of m.of
        element I: i: nothing, t: nothing, n: nothing, f: nothing, h: nothing
          of 
        of(0): i: nothing, t: nothing, n: nothing, f: nothing, h: nothing
          of 
    "#]].assert_eq(&lines);
}
