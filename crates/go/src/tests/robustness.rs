//! Broken and adversarial text: no panic, no infinite loop, no stack overflow.

use std::fmt::Write as _;

use super::Fixture;

/// Runs all queries on a fixture.
fn run_all(text: &str) -> String {
    let fixture = Fixture::new(text);
    let mut all = fixture.calls();
    all += &fixture.references();
    all += &fixture.implements();
    all += &fixture.imports();
    all
}

/// Returns the fixtures of the rule tests.
fn fixtures() -> Vec<&'static str> {
    let sources = [
        include_str!("aliases.rs"),
        include_str!("blocks.rs"),
        include_str!("calls.rs"),
        include_str!("composites.rs"),
        include_str!("constants.rs"),
        include_str!("expressions.rs"),
        include_str!("generics.rs"),
        include_str!("identity.rs"),
        include_str!("implementing.rs"),
        include_str!("imports.rs"),
        include_str!("inference.rs"),
        include_str!("interfaces.rs"),
        include_str!("method_sets.rs"),
        include_str!("methods.rs"),
        include_str!("packages.rs"),
        include_str!("ranges.rs"),
        include_str!("scope.rs"),
        include_str!("selectors.rs"),
        include_str!("statements.rs"),
        include_str!("tokens.rs"),
        include_str!("types.rs"),
    ];
    let raw = sources
        .iter()
        .flat_map(|source| source.split("r#\"").skip(1));
    let texts = raw.filter_map(|rest| rest.split("\"#").next());
    texts.filter(|text| text.contains("package ")).collect()
}

/// Returns mutants of a text: cut at every 7th token, without each line, with each brace doubled.
fn mutants(text: &str) -> Vec<String> {
    let mut mutants = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let token_starts = (1..bytes.len()).filter(|&at| {
        text.is_char_boundary(at)
            && !bytes[at].is_ascii_whitespace()
            && !(is_word(bytes[at]) && is_word(bytes[at - 1]))
    });
    mutants.extend(token_starts.step_by(7).map(|at| text[..at].to_owned()));
    let lines: Vec<&str> = text.lines().collect();
    for removed in 0..lines.len() {
        let mut rest = lines.clone();
        rest.remove(removed);
        mutants.push(rest.join("\n"));
    }
    for (at, brace) in text.match_indices(['{', '}', '(', ')']) {
        mutants.push(format!("{}{brace}{}", &text[..at], &text[at..]));
    }
    mutants
}

#[test]
fn no_mutant_of_any_fixture_panics() {
    let slow = std::env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    let step = if slow { 1 } else { 53 };
    let fixtures = fixtures();
    assert!(fixtures.len() > 190, "{} fixtures", fixtures.len());
    let mutants: Vec<String> = fixtures.iter().flat_map(|text| mutants(text)).collect();
    for mutant in mutants.iter().step_by(step) {
        run_all(mutant);
    }
}

#[test]
fn an_answer_is_the_same_in_every_run() {
    for text in fixtures().into_iter().step_by(11) {
        assert_eq!(run_all(text), run_all(text));
    }
}

/// Runs a deeply nested text on a stack of the default size of a thread.
fn on_a_small_stack(text: String) -> String {
    let work = std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(move || run_all(&text));
    work.expect("a thread").join().expect("no panic")
}

#[test]
fn long_chains_of_operators_do_not_overflow_the_stack() {
    let mut text =
        String::from("package m\n\nfunc g() int { return 0 }\n\nfunc f() int {\n return g()");
    for _ in 0..5000 {
        text += " + g()";
    }
    text += "\n}\n\nvar v = g()";
    for _ in 0..5000 {
        text += " * g()";
    }
    text += "\n\nconst c = 1";
    for _ in 0..5000 {
        text += " + 1";
    }
    text += "\n\nvar a [c]int\n";
    let calls = on_a_small_stack(text);
    assert_eq!(calls.matches("g: m.f -> m.g\n").count(), 5001);
    assert_eq!(calls.matches("g: m -> m.g\n").count(), 5001);
}

#[test]
fn deep_parentheses_do_not_overflow_the_stack() {
    let (open, close) = ("(".repeat(300), ")".repeat(300));
    let text = format!(
        "package m\n\ntype T struct{{}}\n\nfunc (T) M() T {{ return T{{}} }}\n\n\
         func f(t T) {{\n {open}t{close}.M()\n {open}t.M(){close}.M()\n}}\n\n\
         var v = {open}T{{}}{close}.M()\n\n\
         func types(p {open}T{close}) {{ p.M() }}\n"
    );
    let calls = on_a_small_stack(text);
    assert_eq!(calls.matches("-> m.T.M\n").count(), 5, "{calls}");
}

#[test]
fn long_chains_of_else_if_do_not_overflow_the_stack() {
    let mut text =
        String::from("package m\n\nfunc g() bool { return true }\n\nfunc f() {\n if g() {\n");
    for _ in 0..2000 {
        text += " } else if x := g(); x {\n";
    }
    text += " }\n}\n";
    let calls = on_a_small_stack(text);
    assert_eq!(calls.matches("g: m.f -> m.g\n").count(), 2001);
}

#[test]
fn long_chains_of_calls_do_not_overflow_the_stack() {
    let declarations = "package m\n\ntype T struct{ next *T; f func() *T }\n\n\
                        func (t *T) M() *T { return t }\n";
    let methods = ".M()".repeat(3000);
    let fields = ".next".repeat(3000);
    let mixed = "[0]".repeat(1000);
    let values = "()".repeat(1000);
    let text = format!(
        "{declarations}\nfunc f(t *T) {{\n t{methods}\n t{fields}.M()\n _ = t{mixed}\n t{values}\n}}\n\
         var v = (&T{{}}){methods}\n"
    );
    let calls = on_a_small_stack(text);
    assert_eq!(calls.matches("M: m.f -> m.T.M\n").count(), 3001);
    assert_eq!(calls.matches("M: m -> m.T.M\n").count(), 3000);
}

#[test]
fn deep_nesting_of_every_kind_does_not_overflow_the_stack() {
    let depth = 300;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let mut text = String::from("package m\n\nfunc g() int { return 0 }\n");
    let _ = writeln!(text, "var a {}", nested("[]", "int", ""));
    let _ = writeln!(text, "var b {}", nested("map[int]", "int", ""));
    let _ = writeln!(text, "var c {}", nested("struct { f ", "int", " }"));
    let _ = writeln!(text, "var d {}", nested("func() ", "int", ""));
    let _ = writeln!(text, "var e {}", nested("interface{ M() ", "int", " }"));
    let _ = writeln!(text, "var h = {}", nested("id(", "g()", ")"));
    let _ = writeln!(text, "var i = {}", nested("-", "g()", ""));
    let _ = writeln!(
        text,
        "var j = {}",
        nested("func() int { return ", "g()", " }()")
    );
    let _ = writeln!(text, "var k = {}", nested("[]any{", "g()", "}"));
    let _ = writeln!(text, "var l G{}", nested("[G", "[int]", "]"));
    let _ = writeln!(text, "func f() {}", nested("{ ", "g()", " }"));
    let _ = writeln!(text, "func o() {{ {} }}", nested("if true { ", "g()", " }"));
    let _ = writeln!(
        text,
        "func p() {{ {} }}",
        nested("switch { case true: ", "g()", " }")
    );
    let _ = writeln!(
        text,
        "func q() {{ {} }}",
        nested("for range 3 { ", "g()", " }")
    );
    let _ = writeln!(
        text,
        "func r() {{ {} }}",
        nested("func() { ", "g()", " }()")
    );
    text += "func id(n int) int { return n }\n\ntype G[P any] struct{ p P }\n";
    on_a_small_stack(text);
}

#[test]
fn wide_declarations_are_quick() {
    let mut text = String::from("package m\n\nconst (\n c0 = iota\n");
    for number in 1..3000 {
        let _ = writeln!(text, " c{number}");
    }
    text += ")\n";
    // Aliases, defined types, embeddings and variables, each in terms of the previous one.
    for number in 1..300 {
        let before = number - 1;
        let _ = writeln!(text, "type A{number} = A{before}");
        let _ = writeln!(text, "type D{number} D{before}");
        let _ = writeln!(text, "type S{number} struct{{ S{before} }}");
        let _ = writeln!(text, "var v{number} = v{before}");
        let _ = writeln!(text, "const k{number} = k{before} + 1");
    }
    text += "type A0 = int\n\ntype D0 struct{}\n\ntype S0 struct{ x D0 }\n\nvar v0 = S0{}\n\n";
    text += "const k0 = 0\n\nfunc (S0) M() {}\n\nfunc f(s S20) { s.M(); v299.M() }\n";
    let calls = on_a_small_stack(text);
    assert_eq!(calls.matches("-> m.S0.M\n").count(), 2, "{calls}");
}

#[test]
fn types_that_grow_without_end_are_cut() {
    let grown = |name: &str| {
        let mut text = format!("type {name}0[P any] = map[string]struct {{ a, b P }}\n");
        for number in 1..12 {
            let before = number - 1;
            let inner = format!("{name}{before}[P]");
            let _ = writeln!(text, "type {name}{number}[P any] = {name}{before}[{inner}]");
        }
        text
    };
    let text = format!(
        "package m\n\n{}\n\
         type T struct{{}}\n\nfunc (T) M() {{}}\n\n\
         type Embed[P any] struct {{\n *Embed[[]P]\n *Other[map[string]P]\n}}\n\n\
         type Other[P any] struct {{\n *Embed[*P]\n *Other[[2]P]\n T\n}}\n\n\
         func Again[P any](p P) P {{ return Again(p) }}\n\n\
         func Grow[P any](p P) []P {{ return Grow([]P{{p}})[0] }}\n\n\
         func Self[F func(F) | func(P), P any](f F) P {{ return Self(Self) }}\n\n\
         func Knot[A interface{{ ~[]B }}, B interface{{ ~[]A }}](a A) B {{ return Knot(a) }}\n\n\
         func Loop[A B, B A](a A) {{ a.M(); Loop(a) }}\n\n\
         func f(a A11[T], e Embed[T], o Other[int]) {{\n\
          e.M()\n o.M()\n Again(T{{}}).M()\n Grow(T{{}})[0].M()\n Self(f)\n Knot(nil)\n\
          Self(Self)\n Knot(Knot)\n a[\"\"].a[\"\"].b = nil\n}}\n\nvar x A11[T]\n\nvar y = Grow(x)\n",
        grown("A")
    );
    let calls = on_a_small_stack(text);
    assert!(calls.contains("M: m.f -> m.T.M"), "{calls}");
}
