//! Reads the sources of a workspace: the crates below `crates/`, their files as syntax trees, without tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use syn::{Attribute, ImplItem, Item, Meta, TraitItem};

/// A crate with the files that its module declarations reach.
pub struct Crate {
    /// The name of its folder below `crates/`.
    pub name: String,
    /// Whether rustdoc compiles the examples in its documentation: it does for libraries, never for programs.
    pub library: bool,
    /// In order of path.
    pub files: Vec<File>,
}

/// A file of a crate.
pub struct File {
    /// Its path below `src`, with `/`.
    pub path: String,
    /// The module that the file is: `crate` for the root, then a name for each module below it.
    pub module: Vec<String>,
    /// What it holds, without items under `#[cfg(test)]`.
    pub syntax: syn::File,
}

/// Texts of files by their path below `src`, with `/`.
pub type Texts = BTreeMap<String, String>;

/// Reads all crates below `root/crates`, in order of name.
///
/// Fails where a file cannot be read or parsed, or a declared module has no file.
pub fn workspace(root: &Path) -> Result<Vec<Crate>> {
    let folder = root.join("crates");
    let mut crates = Vec::new();
    for entry in entries(&folder)? {
        let source = entry.join("src");
        let Some(name) = entry.file_name() else {
            continue;
        };
        if !source.is_dir() {
            continue;
        }
        let name = name.to_string_lossy();
        let mut texts = Texts::new();
        read(&source, "", &mut texts)?;
        let read = parse(&name, &texts);
        crates.push(read.with_context(|| format!("in {}", source.display()))?);
    }
    if crates.is_empty() {
        bail!("{} holds no crate", folder.display());
    }
    Ok(crates)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", folder.display());
    let entries = std::fs::read_dir(folder).with_context(cannot)?;
    let paths: std::io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.with_context(cannot)?;
    paths.sort();
    Ok(paths)
}

/// Adds the Rust files below a folder, whose own path below `src` is `prefix`.
fn read(folder: &Path, prefix: &str, texts: &mut Texts) -> Result<()> {
    for entry in entries(folder)? {
        let Some(name) = entry.file_name() else {
            continue;
        };
        let path = format!("{prefix}{}", name.to_string_lossy());
        if entry.is_dir() {
            read(&entry, &format!("{path}/"), texts)?;
        } else if path.ends_with(".rs") {
            let text = std::fs::read_to_string(&entry);
            let text = text.with_context(|| format!("cannot read {}", entry.display()))?;
            texts.insert(path, text);
        }
    }
    Ok(())
}

/// Parses a crate: its root, `lib.rs` or else `main.rs`, and each file that a `mod` reaches from there.
///
/// Modules of tests are not entered: those under a `cfg` that needs `test`, and those named `tests`.
pub fn parse(name: &str, texts: &Texts) -> Result<Crate> {
    let library = texts.contains_key("lib.rs");
    let root = if library { "lib.rs" } else { "main.rs" };
    let mut files = Vec::new();
    let mut open = vec![(root.to_owned(), vec!["crate".to_owned()])];
    while let Some((path, module)) = open.pop() {
        let text = texts.get(&path);
        let text = text.with_context(|| format!("{path} is missing"))?;
        let syntax = syn::parse_file(text).with_context(|| format!("cannot parse {path}"));
        let mut syntax = syntax?;
        retain(&mut syntax.items);
        declared(&syntax.items, &module, &mut |child| {
            let below = child[1..].join("/");
            let candidates = [format!("{below}.rs"), format!("{below}/mod.rs")];
            let found = candidates.into_iter().find(|path| texts.contains_key(path));
            let found = found.with_context(|| format!("module {below} of {path} has no file"))?;
            open.push((found, child));
            Ok(())
        })?;
        files.push(File {
            path,
            module,
            syntax,
        });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Crate {
        name: name.to_owned(),
        library,
        files,
    })
}

/// Hands over the path of each module that is declared without a body, in inline modules, too.
fn declared(
    items: &[Item],
    module: &[String],
    visit: &mut dyn FnMut(Vec<String>) -> Result<()>,
) -> Result<()> {
    for item in items {
        let Item::Mod(declaration) = item else {
            continue;
        };
        let child = child(module, &declaration.ident);
        match &declaration.content {
            Some((_, items)) => declared(items, &child, visit)?,
            None => visit(child)?,
        }
    }
    Ok(())
}

/// The path of a module that is declared in another.
pub fn child(module: &[String], name: &syn::Ident) -> Vec<String> {
    let mut path = module.to_vec();
    path.push(plain(name));
    path
}

/// A name as it is written in paths, without `r#`.
pub fn plain(name: &proc_macro2::Ident) -> String {
    let name = name.to_string();
    match name.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => name,
    }
}

/// Removes what is compiled for tests only.
fn retain(items: &mut Vec<Item>) {
    items.retain(|item| {
        let named_tests = matches!(item, Item::Mod(module) if module.ident == "tests");
        !named_tests && !attributes(item).iter().any(only_tests)
    });
    for item in items {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    retain(items);
                }
            }
            Item::Impl(block) => block
                .items
                .retain(|item| !impl_attributes(item).iter().any(only_tests)),
            Item::Trait(declared) => declared
                .items
                .retain(|item| !trait_attributes(item).iter().any(only_tests)),
            _ => {}
        }
    }
}

/// Whether an attribute is a `cfg` that holds in tests only: `cfg(test)`, `cfg(all(test, unix))`.
fn only_tests(attribute: &Attribute) -> bool {
    let condition = attribute.path().is_ident("cfg");
    condition && attribute.parse_args().is_ok_and(|meta| needs_test(&meta))
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let mut needs = false;
            // Parts that are no condition of a known form are no `test` either.
            let _ = list.parse_nested_meta(|part| {
                needs |= part.path.is_ident("test");
                while !part.input.is_empty() && !part.input.peek(syn::Token![,]) {
                    part.input.parse::<proc_macro2::TokenTree>()?;
                }
                Ok(())
            });
            needs
        }
        _ => false,
    }
}

/// The attributes of an item, doc comments among them.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The attributes of what an `impl` block holds.
pub fn impl_attributes(item: &ImplItem) -> &[Attribute] {
    match item {
        ImplItem::Const(item) => &item.attrs,
        ImplItem::Fn(item) => &item.attrs,
        ImplItem::Type(item) => &item.attrs,
        ImplItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

/// The attributes of what a trait declares.
pub fn trait_attributes(item: &TraitItem) -> &[Attribute] {
    match item {
        TraitItem::Const(item) => &item.attrs,
        TraitItem::Fn(item) => &item.attrs,
        TraitItem::Type(item) => &item.attrs,
        TraitItem::Macro(item) => &item.attrs,
        _ => &[],
    }
}

/// A crate of these files, for tests.
#[cfg(test)]
pub fn inline(name: &str, files: &[(&str, &str)]) -> Crate {
    let texts = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    parse(name, &texts.collect()).expect("the sources of a test parse")
}

#[cfg(test)]
mod tests {
    use super::inline;

    fn paths(files: &[(&str, &str)]) -> Vec<String> {
        let read = inline("c", files);
        read.files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn both_forms_of_a_module_file_are_found() {
        let files = [
            ("a.rs", "mod b;"),
            ("a/b.rs", ""),
            ("c/mod.rs", "mod d;"),
            ("c/d.rs", ""),
            ("lib.rs", "mod a; mod c;"),
        ];
        assert_eq!(
            paths(&files),
            ["a.rs", "a/b.rs", "c/mod.rs", "c/d.rs", "lib.rs"]
                .iter()
                .map(|path| path.to_string())
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn modules_of_tests_are_not_entered() {
        let files = [
            (
                "lib.rs",
                "#[cfg(test)] mod fixture; #[cfg(all(test, unix))] mod turns; mod tests; \
                 #[cfg(unix)] mod kept; #[cfg(not(test))] mod product;",
            ),
            ("fixture.rs", ""),
            ("turns.rs", ""),
            ("tests.rs", ""),
            ("kept.rs", ""),
            ("product.rs", ""),
        ];
        assert_eq!(paths(&files), ["kept.rs", "lib.rs", "product.rs"]);
    }

    #[test]
    fn items_and_methods_for_tests_are_left_out() {
        let text = "struct A; impl A { #[cfg(test)] fn probe(&self) {} fn kept(&self) {} } \
                    #[cfg(test)] fn only() {}";
        let read = inline("c", &[("lib.rs", text)]);
        let items = &read.files[0].syntax.items;
        assert_eq!(items.len(), 2);
        let syn::Item::Impl(block) = &items[1] else {
            panic!("the second item is the impl block");
        };
        assert_eq!(block.items.len(), 1);
    }
}
