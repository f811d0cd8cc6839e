//! Every string literal in the code of a file: in expressions, patterns, the tokens of macros, and the
//! arguments of attributes. Documentation is no code.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Lit, LitStr, Macro, Meta};

use super::source::File;

/// Hands over the value of each literal.
pub fn visit_literals(file: &File, visit: &mut dyn FnMut(&str)) {
    Literals { visit }.visit_file(&file.syntax);
}

struct Literals<'a> {
    visit: &'a mut dyn FnMut(&str),
}

impl<'ast> Visit<'ast> for Literals<'_> {
    fn visit_lit_str(&mut self, literal: &'ast LitStr) {
        (self.visit)(&literal.value());
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }
}

impl Literals<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        // `#[doc = ".."]` is what a doc comment in the tokens of a macro becomes.
        let mut documents = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) if !documents => {
                    if let Lit::Str(literal) = Lit::new(literal) {
                        (self.visit)(&literal.value());
                    }
                }
                TokenTree::Ident(name) => documents = name == "doc",
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::visit_literals;
    use crate::house::source::inline;

    #[test]
    fn literals_of_code_are_found_and_documentation_is_not() {
        let text = "/// \"no\"\nconst A: &str = \"a\"; #[arg(name = \"b\")] struct S; \
                    macro_rules! t { () => { m! { /// no\n V(\"c\") } } } \
                    fn f(x: &str) { match x { \"d\" => g(json!({\"e\": 1, \"f\": b\"no\"})), _ => {} } }";
        let read = inline("c", &[("lib.rs", text)]);
        let mut found = Vec::new();
        visit_literals(&read.files[0], &mut |text| found.push(text.to_owned()));
        assert_eq!(found, ["a", "b", "c", "d", "e", "f"]);
    }
}
