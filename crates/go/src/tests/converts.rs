//! Conversions of values to interface types (Go spec, Assignability, Conversions).

use codeweft_db::{Db as _, Semantics as _, file_ranges};
use expect_test::{Expect, expect};

use super::Fixture;
use crate::Go;

const TYPES: &str = "
type I interface{ M() }

type J interface{ M() }

type T struct{}

func (*T) M() {}

type N int

func (N) M() {}

type L[E any] struct{}

func (L[E]) M() {}
";

/// Compares all conversions, as `line:column type interface`, pointers with a star.
fn check(code: &str, expected: Expect) {
    let world = Fixture::new(&format!("package m\n{TYPES}\n{code}"));
    let mut found = Vec::new();
    for (_, &file) in world.files.iter() {
        let names = |symbol| {
            let shared = world.db.shared();
            shared
                .names
                .text(shared.symbols.key(symbol).name)
                .to_owned()
        };
        let text = file.text(&world.db);
        for one in Go.uses(&world.db, file).conversions.iter() {
            let offset = Go.offset(&world.db, file, one.body, one.occ).unwrap();
            let (line, column) = file_ranges(&world.db, file).line_column(offset);
            let star = if one.pointer { "*" } else { "" };
            let literal = if one.in_literal { " in_literal" } else { "" };
            let rest = &text[offset as usize..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric());
            found.push((
                (line, column),
                format!(
                    "{} {star}{} {}{literal}\n",
                    &rest[..end.unwrap_or(rest.len())],
                    names(one.ty),
                    names(one.interface)
                ),
            ));
        }
    }
    found.sort();
    let lines: String = found.into_iter().map(|(_, line)| line).collect();
    expected.assert_eq(&lines);
}

#[test]
fn assignments_declarations_and_results() {
    check(
        "
var global I = &T{}
var _ I = (*T)(nil)
var inferred = &T{}

func two() (*T, N) { return nil, 0 }

func f(n N, t *T) (i I, j J) {
	var v I = n
	var same I = v
	i = t
	_ = t
	i, j = two()
	var a, b I = two()
	w, i := 1, t
	g := func() I { return n }
	return t, n
}

func tail() (I, J) { return two() }
",
        expect![[r#"
            T *T I
             *T I
            n N I
            t *T I
            two *T I
            two N J
            two *T I
            two N I
            t *T I
            n N I in_literal
            t *T I
            n N J
            two *T I
            two N J
        "#]],
    );
}

#[test]
fn arguments_sends_elements_and_conversions() {
    check(
        "
func one(I, ...J) {}
func any1(any) {}
func generic[X I](x X) X { return x }

func f(n N, t *T, c chan I, s []I, list L[int], call func(I)) {
	one(n, t, n)
	one(n, []J{t}...)
	any1(n)
	generic(n)
	c <- n
	s = append(s, t)
	s[0] = n
	_ = I(t)
	_ = N(n)
	_ = struct{ x I }{x: n}
	_ = map[string]I{\"a\": t}
	_ = []I{list}
	call(t)
}
",
        expect![[r#"
            n N I
            t *T J
            n N J
            n N I
            t *T J
            n N I
            t *T I
            n N I
            t *T I
            n N I
            t *T I
            list L I
            t *T I
        "#]],
    );
}

#[test]
fn assertions_to_a_type_require_that_it_implements() {
    check(
        "
func f(i I) {
	_ = i.(*T)
	switch i.(type) {
	case N, *T:
	}
}
",
        expect![[r#"
            T *T I
            N N I
            T *T I
        "#]],
    );
}
