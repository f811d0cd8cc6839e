//! Every path that the code of a file names, with the module where it is written.
//!
//! Imports of items count where they are written; imports of modules do not, for each use of such a
//! module is a path of its own. The tokens given to macros and attributes are read as paths, too.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Macro, Meta, Path};

use super::names::leaves;
use super::source::{File, child, plain};

/// Hands over each path of a file: the module it is written in, and its parts.
pub fn visit_paths(file: &File, visit: &mut dyn FnMut(&[String], &[String])) {
    for attribute in &file.syntax.attrs {
        Paths {
            scope: &file.module,
            visit,
        }
        .visit_attribute(attribute);
    }
    items(&file.module, &file.syntax.items, visit);
}

fn items(scope: &[String], all: &[Item], visit: &mut dyn FnMut(&[String], &[String])) {
    for item in all {
        match item {
            Item::Mod(module) => {
                if let Some((_, inner)) = &module.content {
                    items(&child(scope, &module.ident), inner, visit);
                }
            }
            item => Paths { scope, visit }.visit_item(item),
        }
    }
}

struct Paths<'a> {
    scope: &'a [String],
    visit: &'a mut dyn FnMut(&[String], &[String]),
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        // `::name` is another crate.
        if path.leading_colon.is_none() {
            let parts: Vec<String> = path
                .segments
                .iter()
                .map(|part| plain(&part.ident))
                .collect();
            (self.visit)(self.scope, &parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        if import.leading_colon.is_none() {
            for leaf in leaves(&import.tree) {
                (self.visit)(self.scope, &leaf.path);
            }
        }
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

impl Paths<'_> {
    /// Takes names joined by `::` for paths. A name after `.` is a field or a method, a name after `'` a
    /// lifetime.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut parts: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut member = false;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end(&mut parts);
                    }
                    if !member || !parts.is_empty() {
                        parts.push(plain(&name));
                    }
                    (colons, member) = (0, false);
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    // `::name` without a name before it is another crate.
                    colons += 1;
                    member = parts.is_empty() && colons == 2;
                }
                TokenTree::Punct(mark) => {
                    self.end(&mut parts);
                    (colons, member) = (0, matches!(mark.as_char(), '.' | '\''));
                }
                TokenTree::Group(group) => {
                    self.end(&mut parts);
                    (colons, member) = (0, false);
                    self.tokens(group.stream());
                }
                TokenTree::Literal(_) => {
                    self.end(&mut parts);
                    (colons, member) = (0, false);
                }
            }
        }
        self.end(&mut parts);
    }

    fn end(&mut self, parts: &mut Vec<String>) {
        if !parts.is_empty() {
            (self.visit)(self.scope, parts);
            parts.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::visit_paths;
    use crate::house::source::inline;

    fn paths(text: &str) -> Vec<String> {
        let read = inline("c", &[("lib.rs", text)]);
        let mut found = Vec::new();
        visit_paths(&read.files[0], &mut |scope, parts| {
            found.push(format!("{} in {}", parts.join("::"), scope.join("::")));
        });
        found
    }

    #[test]
    fn imports_types_and_calls_are_paths() {
        let found = paths("use a::{b, c::*}; fn f(x: d::E) { super::g(x) }");
        assert_eq!(
            found,
            [
                "a::b in crate",
                "a::c in crate",
                "d::E in crate",
                "super::g in crate",
                "x in crate"
            ]
        );
    }

    #[test]
    fn paths_in_the_tokens_of_macros_are_found() {
        let found = paths("fn f() { m!(crate::a::B::new(x.field, 'y', ::other::C), [d::e]) }");
        assert_eq!(
            found,
            [
                "crate::a::B::new in crate",
                "x in crate",
                "d::e in crate",
                "m in crate"
            ]
        );
    }

    #[test]
    fn paths_are_written_in_the_module_around_them() {
        assert_eq!(paths("mod m { fn f() -> a::B {} }"), ["a::B in crate::m"]);
    }
}
