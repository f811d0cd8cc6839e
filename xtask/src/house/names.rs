//! Resolves paths of Rust source to the file that declares what they name.
//!
//! A crate is read as a tree of modules, each with the names that it declares, imports and takes by
//! `*`. A path is followed through imports and re-exports (private ones, too, since a child module may
//! use them) to the declaration:
//!
//! ```text
//! crate::shape::Circle      lib.rs: mod shape;    shape/mod.rs: pub use round::Circle;
//!                        -> shape/round.rs: pub struct Circle
//! ```
//!
//! Macros are not expanded: a name that only an expansion declares is taken to stand in the file of the
//! module that the rest of the path names.

use std::collections::{HashMap, HashSet};

use syn::{Item, UseTree};

use super::source::{Crate, child, plain};

/// What lookups of one resolution have found, by module and path in it; `None` for those under way, too.
///
/// Without it, modules that take all of each other by `*` are searched again on every route between them.
type Seen = HashMap<(Vec<String>, Vec<String>), Option<Named>>;

/// The modules of a crate by their path, which begins with `crate`.
pub struct Names {
    modules: HashMap<Vec<String>, Module>,
}

/// A module and the names in it.
struct Module {
    /// Index of the file that holds its items.
    file: usize,
    declared: HashSet<String>,
    /// Paths as they are written in `use`, by the name that they bind.
    imports: HashMap<String, Vec<Vec<String>>>,
    /// Paths before `::*`.
    globs: Vec<Vec<String>>,
}

/// What a path names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// A module, by its path.
    Module(Vec<String>),
    /// An item of the module, or what is below it: a variant, a function of a type.
    Item {
        /// Index of the file that declares it.
        file: usize,
        /// The path of the module that declares it.
        module: Vec<String>,
        name: String,
    },
}

impl Names {
    /// Reads the modules of a crate.
    pub fn of(read: &Crate) -> Names {
        let mut names = Names {
            modules: HashMap::new(),
        };
        for (index, file) in read.files.iter().enumerate() {
            names.add(index, &file.module, &file.syntax.items);
        }
        names
    }

    fn add(&mut self, file: usize, path: &[String], items: &[Item]) {
        let mut module = Module {
            file,
            declared: HashSet::new(),
            imports: HashMap::new(),
            globs: Vec::new(),
        };
        for item in items {
            match item {
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.add(file, &child(path, &inner.ident), items);
                    }
                }
                Item::Use(import) => {
                    for leaf in leaves(&import.tree) {
                        match leaf.bound {
                            Some(name) => {
                                module.imports.entry(name).or_default().push(leaf.path);
                            }
                            None if leaf.glob => module.globs.push(leaf.path),
                            None => {}
                        }
                    }
                }
                item => module.declared.extend(declared(item)),
            }
        }
        self.modules.insert(path.to_vec(), module);
    }

    /// What a path names that is written in module `scope`; `None` for what another crate declares and
    /// for local names.
    ///
    /// Where the last part of the path is unknown in a module of this crate, the answer is an item of that
    /// module: an expansion of a macro declares it.
    pub fn resolve(&self, scope: &[String], path: &[String]) -> Option<Named> {
        self.named(scope, path, &mut Seen::new())
    }

    fn named(&self, scope: &[String], path: &[String], seen: &mut Seen) -> Option<Named> {
        if let Some(named) = self.follow(scope, path, seen) {
            return Some(named);
        }
        let (name, prefix) = path.split_last()?;
        if prefix.is_empty() {
            return None;
        }
        match self.named(scope, prefix, seen)? {
            Named::Module(module) => Some(Named::Item {
                file: self.modules.get(&module)?.file,
                module,
                name: name.clone(),
            }),
            item => Some(item),
        }
    }

    fn follow(&self, scope: &[String], path: &[String], seen: &mut Seen) -> Option<Named> {
        let mut start = scope;
        let mut rest = path;
        while let [first, after @ ..] = rest {
            match first.as_str() {
                "crate" => start = &scope[..1],
                "self" => {}
                "super" => start = &start[..start.len().checked_sub(1).filter(|&left| left > 0)?],
                _ => break,
            }
            rest = after;
        }
        self.inside(start, rest, seen)
    }

    /// Looks a path up in a module.
    fn inside(&self, path: &[String], names: &[String], seen: &mut Seen) -> Option<Named> {
        let module = self.modules.get(path)?;
        if names.is_empty() {
            return Some(Named::Module(path.to_vec()));
        }
        let key = (path.to_vec(), names.to_vec());
        if let Some(found) = seen.get(&key) {
            return found.clone();
        }
        seen.insert(key.clone(), None);
        let found = self.search(path, module, names, seen);
        seen.insert(key, found.clone());
        found
    }

    /// Looks a path of at least one part up in a module: among its modules, then items, then imports, then `*`.
    fn search(
        &self,
        path: &[String],
        module: &Module,
        names: &[String],
        seen: &mut Seen,
    ) -> Option<Named> {
        let (name, rest) = names.split_first()?;
        let mut below = path.to_vec();
        below.push(name.clone());
        let is_module = self.modules.contains_key(&below);
        if is_module && !rest.is_empty() {
            return self.inside(&below, rest, seen);
        }
        if module.declared.contains(name) {
            return Some(Named::Item {
                file: module.file,
                module: path.to_vec(),
                name: name.clone(),
            });
        }
        let mut imported = None;
        for import in module.imports.get(name).into_iter().flatten() {
            match self.named(path, import, seen) {
                Some(Named::Module(module)) if imported.is_none() => {
                    imported = self.inside(&module, rest, seen);
                }
                Some(item @ Named::Item { .. }) => return Some(item),
                Some(Named::Module(_)) | None => {}
            }
        }
        if imported.is_some() {
            return imported;
        }
        if is_module {
            return Some(Named::Module(below));
        }
        module
            .globs
            .iter()
            .find_map(|glob| match self.follow(path, glob, seen)? {
                Named::Module(from) if from != path => self.inside(&from, names, seen),
                _ => None,
            })
    }
}

/// The names that an item declares in its module.
fn declared(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(plain(name))
}

/// One import of a `use`.
pub struct Leaf {
    /// As written, without `*` and without a `self` at the end.
    pub path: Vec<String>,
    /// The name that it binds; `None` for `*` and for `as _`.
    pub bound: Option<String>,
    /// Whether it ends in `*`.
    pub glob: bool,
}

/// The imports of a `use`: `use a::{b, c as d, e::*};` has three.
pub fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(tree, &[], &mut found);
    found
}

fn collect(tree: &UseTree, prefix: &[String], found: &mut Vec<Leaf>) {
    let with = |name: &syn::Ident| {
        let mut path = prefix.to_vec();
        // `a::{self}` names `a`; `self::a` begins with it.
        if name != "self" || prefix.is_empty() {
            path.push(plain(name));
        }
        path
    };
    match tree {
        UseTree::Path(inner) => collect(&inner.tree, &with(&inner.ident), found),
        UseTree::Name(name) => {
            let path = with(&name.ident);
            let bound = path.last().cloned();
            found.push(Leaf {
                path,
                bound,
                glob: false,
            });
        }
        UseTree::Rename(name) => found.push(Leaf {
            path: with(&name.ident),
            bound: Some(plain(&name.rename)).filter(|name| name != "_"),
            glob: false,
        }),
        UseTree::Glob(_) => found.push(Leaf {
            path: prefix.to_vec(),
            bound: None,
            glob: true,
        }),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, prefix, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Named, Names};
    use crate::house::source::inline;

    /// The file that declares what a path names in the root module.
    fn file(files: &[(&str, &str)], path: &str) -> Option<String> {
        let read = inline("c", files);
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        match Names::of(&read).resolve(&["crate".to_owned()], &path)? {
            Named::Item { file, .. } => Some(read.files[file].path.clone()),
            Named::Module(module) => Some(format!("module {}", module.join("::"))),
        }
    }

    const SHAPES: &[(&str, &str)] = &[
        ("lib.rs", "mod shape; pub use shape::*; use std::fmt;"),
        (
            "shape/mod.rs",
            "mod round; pub use round::{Circle as Disc, Oval};",
        ),
        (
            "shape/round.rs",
            "pub struct Circle; pub enum Oval { Long } made! {}",
        ),
    ];

    #[test]
    fn a_name_is_followed_through_re_exports() {
        assert_eq!(file(SHAPES, "Disc").as_deref(), Some("shape/round.rs"));
        let full = "crate::shape::Oval::Long";
        assert_eq!(file(SHAPES, full).as_deref(), Some("shape/round.rs"));
    }

    #[test]
    fn a_name_that_a_macro_declares_stands_in_its_module() {
        let made = "self::shape::round::made";
        assert_eq!(file(SHAPES, made).as_deref(), Some("shape/round.rs"));
    }

    #[test]
    fn what_other_crates_declare_is_not_found() {
        assert_eq!(file(SHAPES, "std::fmt::Debug"), None);
        assert_eq!(file(SHAPES, "fmt::Debug"), None);
        assert_eq!(file(SHAPES, "local"), None);
    }

    #[test]
    fn a_module_is_no_item() {
        let module = file(SHAPES, "shape::round");
        assert_eq!(module.as_deref(), Some("module crate::shape::round"));
    }

    #[test]
    fn two_modules_that_take_all_of_each_other_come_to_an_end() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub use crate::b::*;"),
            ("b.rs", "pub use crate::a::*;"),
        ];
        let fallback = file(&files, "crate::a::Nothing");
        assert_eq!(fallback.as_deref(), Some("a.rs"));
    }

    /// Twelve modules, each of which takes all of every other by `*`; the last declares `Last`.
    fn tangle() -> Vec<(String, String)> {
        let names: Vec<String> = (0..12).map(|at| format!("m{at}")).collect();
        let modules: String = names.iter().map(|name| format!("mod {name};")).collect();
        let mut files = vec![("lib.rs".to_owned(), modules)];
        for name in &names {
            let others = names.iter().filter(|other| *other != name);
            let mut text: String = others
                .map(|other| format!("pub use crate::{other}::*;"))
                .collect();
            if name == "m11" {
                text.push_str("pub struct Last;");
            }
            files.push((format!("{name}.rs"), text));
        }
        files
    }

    /// The routes through these modules are more than could ever be walked one by one.
    #[test]
    fn twelve_modules_that_take_all_of_each_other_are_searched_once_each() {
        let files = tangle();
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(
            file(&files, "crate::m0::Last").as_deref(),
            Some("m11.rs"),
            "found over any route"
        );
        let unknown = file(&files, "crate::m0::Nothing");
        assert_eq!(
            unknown.as_deref(),
            Some("m0.rs"),
            "an expansion's, as it may be"
        );
    }
}
