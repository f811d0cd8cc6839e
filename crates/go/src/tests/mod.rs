//! Tests of the rules of Go, one each, on small fixtures: `//- path` starts a file of the module
//! `m`. `tests/judge` compares every fixture with go/types.

mod aliases;
mod blocks;
mod broken;
mod calls;
mod composites;
mod constants;
mod converts;
mod excluded;
mod expressions;
mod fixture;
mod flows;
mod flows_answers;
mod flows_calls;
mod flows_generics;
mod flows_nodes;
mod generics;
mod identity;
mod implementing;
mod imports;
mod inference;
mod interfaces;
mod locals;
mod method_sets;
mod methods;
mod packages;
mod ranges;
mod robustness;
mod scope;
mod selectors;
mod smoke;
mod statements;
mod tokens;
mod types;

use expect_test::Expect;
use fixture::Fixture;

/// Compares the calls of a fixture.
fn calls(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).calls());
}

/// Compares the uses of a fixture that are no calls.
fn references(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).references());
}

/// Compares the pairs of types and interfaces of a fixture.
fn implements(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).implements());
}

/// Compares the types of package-level names of a fixture.
fn types(text: &str, names: &[&str], expected: Expect) {
    expected.assert_eq(&Fixture::new(text).types_of(names));
}
