//! The types of a crate: the methods that each has of its own, and public names that are declared twice.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Fields, ImplItem, Item, ItemImpl, Type, Visibility};

use super::names::{Named, Names};
use super::source::{Crate, child, plain};

/// A type with the methods of its inherent `impl` blocks.
#[derive(PartialEq, Eq, Debug)]
pub struct Wide {
    /// The type's name.
    pub name: String,
    /// The path of the file that declares it, below `src`.
    pub declared: String,
    /// Functions in inherent `impl` blocks, with and without `self`.
    pub methods: usize,
    /// Files with such a block.
    pub files: usize,
    /// Lines of these blocks.
    pub lines: usize,
    /// Fields of the struct or union; 0 for an enum.
    pub fields: usize,
}

/// Returns the types of a crate that have methods, widest first, then by name.
pub fn widest(read: &Crate, names: &Names) -> Vec<Wide> {
    let mut fields: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    for declaration in declarations(read) {
        fields.insert((declaration.module, declaration.name), declaration.fields);
    }
    let mut found: BTreeMap<(Vec<String>, String), (Wide, BTreeSet<usize>)> = BTreeMap::new();
    for (index, file) in read.files.iter().enumerate() {
        blocks(&file.module, &file.syntax.items, &mut |scope, block| {
            let Some(path) = path(&block.self_ty) else {
                return;
            };
            let Some(Named::Item { file, module, name }) = names.resolve(scope, &path) else {
                return;
            };
            let key = (module, name);
            let (wide, files) = found.entry(key.clone()).or_insert_with(|| {
                let wide = Wide {
                    name: key.1.clone(),
                    declared: read.files[file].path.clone(),
                    methods: 0,
                    files: 0,
                    lines: 0,
                    fields: fields.get(&key).copied().unwrap_or(0),
                };
                (wide, BTreeSet::new())
            });
            let function = |item: &&ImplItem| matches!(item, ImplItem::Fn(_));
            wide.methods += block.items.iter().filter(function).count();
            let first = block.impl_token.span.start().line;
            let last = block.brace_token.span.close().end().line;
            wide.lines += (last + 1).saturating_sub(first);
            files.insert(index);
        });
    }
    let mut all: Vec<Wide> = found
        .into_values()
        .map(|(mut wide, files)| {
            wide.files = files.len();
            wide
        })
        .collect();
    all.sort_by(|a, b| b.methods.cmp(&a.methods).then_with(|| a.name.cmp(&b.name)));
    all
}

/// Hands over the inherent `impl` blocks of a file, each with the module around it.
fn blocks(scope: &[String], items: &[Item], visit: &mut dyn FnMut(&[String], &ItemImpl)) {
    for item in items {
        match item {
            Item::Impl(block) if block.trait_.is_none() => visit(scope, block),
            Item::Mod(module) => {
                if let Some((_, inner)) = &module.content {
                    blocks(&child(scope, &module.ident), inner, visit);
                }
            }
            _ => {}
        }
    }
}

fn path(of: &Type) -> Option<Vec<String>> {
    match of {
        Type::Path(of) if of.qself.is_none() => Some(
            of.path
                .segments
                .iter()
                .map(|part| plain(&part.ident))
                .collect(),
        ),
        Type::Paren(inner) => path(&inner.elem),
        Type::Group(inner) => path(&inner.elem),
        _ => None,
    }
}

/// A public name that several declarations share.
#[derive(PartialEq, Eq, Debug)]
pub struct Homonym {
    /// The name.
    pub name: String,
    /// The path of the file of each declaration, below `src`, in order.
    pub files: Vec<String>,
}

/// Returns the names of public types that a crate declares more than once, by name.
///
/// Types are structs, enums, unions, traits and aliases outside functions; public is what says `pub` in any
/// form but `pub(self)`. Types that expansions of macros declare are not seen.
pub fn homonyms(read: &Crate) -> Vec<Homonym> {
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for declaration in declarations(read) {
        if declaration.public {
            let files = by_name.entry(declaration.name).or_default();
            files.push(declaration.file);
        }
    }
    let several = by_name.into_iter().filter(|(_, files)| files.len() > 1);
    several
        .map(|(name, files)| Homonym { name, files })
        .collect()
}

/// A type's declaration outside functions.
struct Declaration {
    file: String,
    module: Vec<String>,
    name: String,
    public: bool,
    fields: usize,
}

fn declarations(read: &Crate) -> Vec<Declaration> {
    let mut all = Vec::new();
    for file in &read.files {
        declare(&file.path, &file.module, &file.syntax.items, &mut all);
    }
    all
}

fn declare(file: &str, scope: &[String], items: &[Item], all: &mut Vec<Declaration>) {
    for item in items {
        let (visibility, name, fields) = match item {
            Item::Enum(item) => (&item.vis, &item.ident, 0),
            Item::Struct(item) => (&item.vis, &item.ident, count(&item.fields)),
            Item::Trait(item) => (&item.vis, &item.ident, 0),
            Item::TraitAlias(item) => (&item.vis, &item.ident, 0),
            Item::Type(item) => (&item.vis, &item.ident, 0),
            Item::Union(item) => (&item.vis, &item.ident, item.fields.named.len()),
            Item::Mod(module) => {
                if let Some((_, inner)) = &module.content {
                    declare(file, &child(scope, &module.ident), inner, all);
                }
                continue;
            }
            _ => continue,
        };
        all.push(Declaration {
            file: file.to_owned(),
            module: scope.to_vec(),
            name: plain(name),
            public: is_public(visibility),
            fields,
        });
    }
}

fn count(fields: &Fields) -> usize {
    match fields {
        Fields::Named(fields) => fields.named.len(),
        Fields::Unnamed(fields) => fields.unnamed.len(),
        Fields::Unit => 0,
    }
}

fn is_public(visibility: &Visibility) -> bool {
    match visibility {
        Visibility::Public(_) => true,
        Visibility::Restricted(within) => !within.path.is_ident("self"),
        Visibility::Inherited => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Wide, homonyms, widest};
    use crate::house::names::Names;
    use crate::house::source::{Crate, inline};

    fn wide(read: &Crate) -> Vec<Wide> {
        widest(read, &Names::of(read))
    }

    #[test]
    fn methods_of_a_type_are_counted_over_all_files_of_its_crate() {
        let read = inline(
            "c",
            &[
                ("lib.rs", "mod a; mod b;"),
                (
                    "a.rs",
                    "pub struct A<'a> { x: &'a u8, y: u8 }\nimpl<'a> A<'a> {\n  fn new() {}\n  fn f(&self) {}\n}",
                ),
                (
                    "b.rs",
                    "use crate::a::A as Long;\nimpl Long<'_> { fn g(&self) {} const C: u8 = 1; }",
                ),
            ],
        );
        let expected = Wide {
            name: "A".to_owned(),
            declared: "a.rs".to_owned(),
            methods: 3,
            files: 2,
            lines: 5,
            fields: 2,
        };
        assert_eq!(wide(&read), [expected]);
    }

    #[test]
    fn methods_of_traits_are_not_a_types_own() {
        let text = "struct A; impl Clone for A { fn clone(&self) -> A { A } } trait T { fn f(); }";
        assert_eq!(wide(&inline("c", &[("lib.rs", text)])), []);
    }

    #[test]
    fn types_of_one_name_in_two_modules_are_two() {
        let text =
            "mod a { struct A; impl A { fn f() {} } } mod b { struct A; impl A { fn f() {} } }";
        let found = wide(&inline("c", &[("lib.rs", text)]));
        assert_eq!(
            found.iter().map(|wide| wide.methods).collect::<Vec<_>>(),
            [1, 1]
        );
    }

    fn names(files: &[(&str, &str)]) -> Vec<String> {
        let found = homonyms(&inline("c", files)).into_iter();
        found
            .map(|homonym| format!("{}: {}", homonym.name, homonym.files.join(" ")))
            .collect()
    }

    #[test]
    fn a_public_name_declared_twice_is_a_homonym() {
        let found = names(&[
            ("lib.rs", "mod a; mod b; pub enum Kind {}"),
            (
                "a.rs",
                "pub(crate) struct Found; pub(super) type Kind = u8;",
            ),
            ("b.rs", "pub(in crate) trait Found {}"),
        ]);
        assert_eq!(found, ["Found: a.rs b.rs", "Kind: a.rs lib.rs"]);
    }

    #[test]
    fn private_types_and_types_in_functions_are_no_homonyms() {
        let found = names(&[
            (
                "lib.rs",
                "mod a; struct One; pub struct Two; pub(self) struct Three;",
            ),
            (
                "a.rs",
                "pub struct One; fn f() { pub struct Two; } pub struct Three;",
            ),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
