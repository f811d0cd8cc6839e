//! Value flow: variables, results, and operations that narrow a value.

use std::collections::BTreeSet;

use codeweft_db::{
    File, FlowNode, FlowSource, FlowValue, Flows, NONE, Semantics as _, SymbolId, file_ranges,
};
use expect_test::{Expect, expect};

use super::Fixture;
use crate::Go;
use crate::types::{printed, table};
use crate::typing::Unnamed;

/// A printer of a fragment.
pub struct FlowPrinter<'a> {
    pub world: &'a Fixture,
    pub file: File,
}

impl FlowPrinter<'_> {
    pub fn ty(&self, number: u32) -> String {
        let ty = table(&self.world.db).of_number(number);
        ty.map_or_else(String::new, |ty| {
            printed(&self.world.db, ty).replace("m.", "")
        })
    }

    fn id(&self, symbol: SymbolId) -> String {
        let id = self.world.id(symbol);
        id.strip_prefix("m.").unwrap_or(&id).to_owned()
    }

    pub fn node(&self, node: FlowNode) -> String {
        let number = |number: u16| match number {
            FlowNode::RECEIVER => "receiver".to_owned(),
            number => number.to_string(),
        };
        match node {
            FlowNode::Local(number) => format!("local {number}"),
            FlowNode::Variable(symbol) => self.id(symbol),
            FlowNode::Parameter(symbol, at) => format!("{}({})", self.id(symbol), number(at)),
            FlowNode::Result(symbol, at) => format!("{} result {at}", self.id(symbol)),
            FlowNode::SignatureParameter(ty, at) => format!("{} ({at})", self.ty(ty)),
            FlowNode::SignatureResult(ty, at) => format!("{} result {at}", self.ty(ty)),
            FlowNode::Unnamed(kind, ty) => match Unnamed::numbered(kind) {
                Some(Unnamed::Element) => format!("element {}", self.ty(ty)),
                Some(Unnamed::Key) => format!("key {}", self.ty(ty)),
                Some(Unnamed::MapValue) => format!("value {}", self.ty(ty)),
                Some(Unnamed::Received) => format!("received {}", self.ty(ty)),
                Some(Unnamed::Pointee) => format!("pointee {}", self.ty(ty)),
                Some(Unnamed::Panic) => "panic".into(),
                None => format!("kind {kind}"),
            },
            FlowNode::TypeParameter(owner, at) => format!("{}${at}", self.id(owner)),
        }
    }

    pub fn value(&self, value: FlowValue) -> String {
        match value {
            FlowValue::Type(ty) => self.ty(ty),
            FlowValue::Function(symbol) => format!("function {}", self.id(symbol)),
            FlowValue::InterfaceMethod(symbol) => format!("interface method {}", self.id(symbol)),
            FlowValue::Literal(owner, ty) => {
                format!("literal of {} {}", self.id(owner), self.ty(ty))
            }
            FlowValue::Unknown(reason) => format!("unknown {}", reason.wire_name()),
        }
    }

    pub fn word(&self, body: u32, occ: u32) -> String {
        let Some(offset) = Go.offset(&self.world.db, self.file, body, occ) else {
            return "?".into();
        };
        let (line, _) = file_ranges(&self.world.db, self.file).line_column(offset);
        let text = &self.file.text(&self.world.db)[offset as usize..];
        let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let word = match end {
            Some(0) => &text[..1],
            Some(end) => &text[..end],
            None => text,
        };
        format!("{word}:{line}")
    }

    pub fn source(&self, source: &FlowSource) -> String {
        let role = format!("{:?}", source.role).to_lowercase();
        let word = self.word(source.body, source.occ);
        let (value, to) = (self.value(source.value), self.node(source.to));
        format!("source {value} -> {to} ({role} {word})")
    }

    pub fn flows(&self, flows: &Flows) -> BTreeSet<String> {
        let mut lines = BTreeSet::new();
        for edge in &flows.edges {
            let pass = match edge.pass {
                NONE => String::new(),
                ty => format!(" if {}", self.ty(ty)),
            };
            lines.insert(format!(
                "{} -> {}{pass}",
                self.node(edge.from),
                self.node(edge.to)
            ));
        }
        lines.extend(flows.sources.iter().map(|source| self.source(source)));
        for site in &flows.sites {
            let method = site.method.map(|method| format!(" {}", self.id(method)));
            lines.insert(format!(
                "call {} at {}{}",
                self.word(site.body, site.occ),
                self.node(site.at),
                method.unwrap_or_default()
            ));
        }
        for one in &flows.instances {
            let args: Vec<_> = one.args.iter().map(|&arg| self.ty(arg)).collect();
            lines.insert(format!(
                "instance {}[{}]",
                self.id(one.owner),
                args.join(", ")
            ));
        }
        lines
    }
}

/// Prints the fragments of all files, one fact per line.
fn printed_flows(world: &Fixture) -> String {
    let mut lines = BTreeSet::new();
    for (path, &file) in &world.files {
        if !path.starts_with("/w/") {
            continue;
        }
        let printer = FlowPrinter { world, file };
        for flows in &Go.uses(&world.db, file).flows {
            lines.extend(printer.flows(flows));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

pub const TYPES: &str = "
type I interface{ M() }

type J interface{ I; N() }

type T struct{}

func (*T) M() {}

type P struct{}
";

/// Compares the fragment of a file with [`TYPES`] before it.
pub fn check(code: &str, expected: Expect) {
    let world = Fixture::new(&format!("package m\n{TYPES}\n{code}"));
    expected.assert_eq(&printed_flows(&world));
}

/// Compares the fragments of several files.
pub fn check_all(text: &str, expected: Expect) {
    expected.assert_eq(&printed_flows(&Fixture::new(text)));
}

#[test]
fn a_concrete_value_begins_to_flow_where_an_interface_takes_it() {
    check(
        "
var global I = &T{}

func f(t *T) {
	var i I = t
	global = i
}
",
        expect![[r#"
            local 0 -> global
            source *T -> global (assigned T:14)
            source *T -> local 0 (assigned t:17)
        "#]],
    );
}

#[test]
fn a_value_without_methods_does_not_flow() {
    check(
        "
type N int

func f(p P, n N, s []T) {
	var a any = p
	a = n
	a = s
	a = 1
	a = nil
	_ = a
}
",
        expect![[""]],
    );
}

#[test]
fn a_struct_that_embeds_has_methods() {
    check(
        "
func f(s struct{ *T }, p *struct{ I }) {
	var a any = s
	a = p
	_ = a
}
",
        expect![[r#"
            source *struct{I} -> local 0 (assigned p:16)
            source struct{*T} -> local 0 (assigned s:15)
        "#]],
    );
}

#[test]
fn short_declarations_of_new_and_old_names() {
    check(
        "
func two() (I, *T) { return nil, nil }

func f(t *T) {
	i := I(t)
	j, i := t, i
	i, _ = two()
	_ = j
}
",
        expect![[r#"
            local 0 -> local 1
            source *T -> local 0 (converted t:17)
            two result 0 -> local 1
        "#]],
    );
}

#[test]
fn several_results_flow_into_several_variables() {
    check(
        "
func two() (*T, I) { return nil, nil }

var a, b I = two()

var c, d = two()

func f() (I, any) {
	var x, y I = two()
	x, y = y, x
	return two()
}
",
        expect![[r#"
            local 0 -> local 1
            local 1 -> local 0
            source *T -> a (assigned two:16)
            source *T -> f result 0 (returned two:23)
            source *T -> local 0 (assigned two:21)
            two result 1 -> b
            two result 1 -> d
            two result 1 -> f result 1
            two result 1 -> local 1
        "#]],
    );
}

#[test]
fn results_flow_into_the_result_of_the_function() {
    check(
        "
func named(t *T) (i I, err error) {
	i = t
	return
}

func (*T) get() I { return &T{} }
",
        expect![[r#"
            source *T -> T.get result 0 (returned T:19)
            source *T -> named result 0 (assigned t:15)
        "#]],
    );
}

#[test]
fn results_of_a_literal_flow_into_the_result_of_its_signature() {
    check(
        "
func f(t *T) {
	g := func(i I) (r I) {
		r = i
		return t
	}
	_ = g
}
",
        expect![[r#"
            func(I) I (0) -> local 0
            local 0 -> local 1
            local 1 -> func(I) I result 0
            source *T -> func(I) I result 0 (returned t:17)
            source literal of f func(I) I -> local 2 (assigned i:15)
        "#]],
    );
}

#[test]
fn a_literal_that_captures_a_variable_reads_that_variable() {
    check(
        "
func f(i I) {
	var last I
	func() {
		last = i
	}()
}
",
        expect![[r#"
            f(0) -> local 0
        "#]],
    );
}

#[test]
fn a_literal_of_an_initialiser_belongs_to_the_package() {
    check(
        "
var hook = func() {}

var hooks = []func(){func() {}}
",
        expect![[r#"
            source literal of m func() -> element func() (element ?)
            source literal of m func() -> hook (assigned ?)
        "#]],
    );
}

#[test]
fn the_token_of_a_literal_is_the_first_inside_it() {
    check(
        "
func g(f func())

func f(n int) {
	g(func() {
		println(n)
	})
	g(func() {})
}
",
        expect![[r#"
            source literal of f func() -> g(0) (argument g:17)
            source literal of f func() -> g(0) (argument println:18)
        "#]],
    );
}

#[test]
fn an_assertion_passes_values_that_the_type_can_hold() {
    check(
        "
func f(a any) {
	i := a.(I)
	j := i.(J)
	k, ok := a.(I).(J)
	t := a.(*T)
	_, _, _, _ = j, k, ok, t
}
",
        expect![[r#"
            f(0) -> local 0 if I
            f(0) -> local 3 if I
            local 0 -> local 1 if J
            local 2 -> local 4
            local 3 -> local 2 if J
        "#]],
    );
}

#[test]
fn the_variable_of_a_type_switch() {
    check(
        "
func f(a any) {
	switch x := a.(type) {
	case I:
		_ = x
	case *T:
		_ = x
	case J, error:
		_ = x
	default:
		_ = x
	}
}
",
        expect![[r#"
            f(0) -> local 0 if I
            f(0) -> local 1
            f(0) -> local 2
        "#]],
    );
}

#[test]
fn a_conversion_to_an_interface_is_a_node() {
    check(
        "
func f(t *T, j J) {
	i := I(t)
	i = I(j)
	_ = any(j)
	_ = i
}
",
        expect![[r#"
            f(1) -> local 1
            local 0 -> local 1
            source *T -> local 0 (converted t:15)
        "#]],
    );
}

#[test]
fn comparisons_do_not_flow() {
    check(
        "
func f(i I, t *T) bool { return i == t }
",
        expect![[""]],
    );
}

#[test]
fn panics_flow_into_the_result_of_recover() {
    check(
        "
func f(t *T) {
	defer func() {
		r := recover()
		_ = r
	}()
	panic(t)
}
",
        expect![[r#"
            panic -> local 0
            source *T -> panic (sent t:19)
        "#]],
    );
}
