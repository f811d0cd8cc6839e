//! Resolution of an import path to the folder of its package.

use super::build_list::BuildList;
use super::context::{Context, Contexts, Mains};
use super::modules::Modules;
use super::paths::{below, join, parent};
use super::standard::looks_standard;
use super::tree::CachedFileSystem;

/// The target of an import path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// The folder; it contains Go files.
    pub(super) dir: String,
    /// The import path as the go command prints it: with `vendor/` in the standard library and in
    /// GOPATH mode.
    pub(super) import_path: String,
    /// The source that it was found in.
    pub(super) source: ImportOrigin,
}

/// The source of a [`Target`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ImportOrigin {
    /// The GOROOT.
    Goroot,
    /// A module of the workspace, or a folder that a main module names.
    Main,
    /// The `vendor` folder of main modules.
    Vendor,
    /// A required module at this version.
    Required(String),
    /// GOPATH.
    Gopath,
}

/// Returns whether an import path names no folder: packages that the compiler or cgo provides.
pub(super) fn is_built_in(path: &str) -> bool {
    matches!(path, "" | "unsafe" | "C" | "builtin")
}

/// Looks an import path up; `None` if it is absent.
pub(super) fn resolve(
    tree: &CachedFileSystem<'_>,
    contexts: &Contexts<'_>,
    modules: &Modules<'_>,
    context: usize,
    path: &str,
) -> Option<Target> {
    // A path with such parts is relative or malformed.
    if is_built_in(path)
        || path.starts_with('/')
        || path.split('/').any(|part| matches!(part, "" | "." | ".."))
    {
        return None;
    }
    let src = contexts.goroot_src();
    match &contexts.all[context] {
        Context::Std => vendored_or_standard(tree, src?, "vendor", path),
        Context::Cmd => vendored_or_standard(tree, src?, "cmd/vendor", path),
        Context::Modules(mains) => standard(tree, src, path)
            .or_else(|| mains.resolve(tree, path))
            .or_else(|| of_workspace(tree, modules, path)),
        Context::Gopath(vendors) => vendors
            .iter()
            .find_map(|vendor| in_gopath(tree, modules, &join(vendor, path)))
            .or_else(|| standard(tree, src, path))
            .or_else(|| {
                modules
                    .gopath_sources()
                    .iter()
                    .find_map(|source| in_gopath(tree, modules, &join(source, path)))
            }),
    }
}

/// Looks a path up in the standard library, without its `vendor` and the commands.
fn standard(tree: &CachedFileSystem<'_>, src: Option<&str>, path: &str) -> Option<Target> {
    if !looks_standard(path) || path.starts_with("vendor/") || path.starts_with("cmd/") {
        return None;
    }
    in_goroot(tree, src?, path.to_owned())
}

/// Looks a path up from inside GOROOT, where paths with a domain are in `vendor`.
fn vendored_or_standard(
    tree: &CachedFileSystem<'_>,
    src: &str,
    vendor: &str,
    path: &str,
) -> Option<Target> {
    if looks_standard(path) {
        in_goroot(tree, src, path.to_owned())
    } else {
        in_goroot(tree, src, join(vendor, path))
    }
}

fn in_goroot(tree: &CachedFileSystem<'_>, src: &str, import_path: String) -> Option<Target> {
    let dir = join(src, &import_path);
    tree.holds_go(&dir).then_some(Target {
        dir,
        import_path,
        source: ImportOrigin::Goroot,
    })
}

fn in_gopath(tree: &CachedFileSystem<'_>, modules: &Modules<'_>, dir: &str) -> Option<Target> {
    let source = modules.gopath_source(dir)?;
    let import_path = below(&source, dir)?.to_owned();
    tree.holds_go(dir).then(|| Target {
        dir: dir.to_owned(),
        import_path,
        source: ImportOrigin::Gopath,
    })
}

/// Returns a package of a workspace module that the importer's own module does not require. The
/// whole workspace is searched, so that its packages find each other before they are published.
fn of_workspace(tree: &CachedFileSystem<'_>, modules: &Modules<'_>, path: &str) -> Option<Target> {
    let found = modules.all.iter().filter_map(|module| {
        if module.path.is_empty() {
            return None;
        }
        let rest = below(&module.path, path)?;
        let dir = join(&module.dir, rest);
        (tree.holds_go(&dir) && !is_nested(tree, &module.dir, &dir)).then_some((module, dir))
    });
    let (_, dir) =
        found.max_by(|(a, _), (b, _)| (a.path.len(), &b.dir).cmp(&(b.path.len(), &a.dir)))?;
    Some(Target {
        dir,
        import_path: path.to_owned(),
        source: ImportOrigin::Main,
    })
}

/// Returns whether a folder inside a module's folder belongs to a nested module.
fn is_nested(tree: &CachedFileSystem<'_>, module: &str, dir: &str) -> bool {
    std::iter::successors(Some(dir), |dir| parent(dir))
        .take_while(|dir| dir.len() > module.len())
        .any(|dir| tree.go_mod(dir).is_some())
}

impl Mains {
    /// Looks a path up in the main modules, in their `vendor` folder, or in the modules that they
    /// require.
    fn resolve(&self, tree: &CachedFileSystem<'_>, path: &str) -> Option<Target> {
        let target = |dir: String, source: ImportOrigin| Target {
            dir,
            import_path: path.to_owned(),
            source,
        };
        let of_main = self.mains.iter().find_map(|(module, folder)| {
            let dir = join(folder, below(module, path)?);
            (tree.holds_go(&dir) && !is_nested(tree, folder, &dir)).then_some(dir)
        });
        if let Some(dir) = of_main {
            return Some(target(dir, ImportOrigin::Main));
        }
        if let Some(vendor) = &self.vendor {
            let dir = join(vendor, path);
            return tree
                .holds_go(&dir)
                .then(|| target(dir, ImportOrigin::Vendor));
        }
        let requirements = &self.requirements;
        if requirements.lists_all() {
            // Like the go command, reads the whole module graph only if the listed modules do not
            // provide the package.
            let listed = self.listed.get_or_init(|| requirements.listed());
            if let Some((dir, source)) = self.required(tree, listed, path) {
                return Some(target(dir, source));
            }
        }
        let selected = self.selected.get_or_init(|| requirements.selected(tree));
        self.required(tree, selected, path)
            .map(|(dir, source)| target(dir, source))
    }

    /// Returns the folder of a package in a required module: of the modules whose path is a prefix,
    /// the longest that contains it.
    fn required(
        &self,
        tree: &CachedFileSystem<'_>,
        list: &BuildList,
        path: &str,
    ) -> Option<(String, ImportOrigin)> {
        let mut module = Some(path);
        while let Some(prefix) = module {
            module = prefix.rsplit_once('/').map(|(before, _)| before);
            let Some(version) = list.get(prefix) else {
                continue;
            };
            let Some(location) = self.requirements.location(prefix, version) else {
                continue;
            };
            if !tree.is_folder(&location.dir) {
                self.absent
                    .borrow_mut()
                    .insert((prefix.to_owned(), version.clone()));
                continue;
            }
            let dir = join(&location.dir, below(prefix, path).unwrap_or_default());
            if tree.holds_go(&dir) && !is_nested(tree, &location.dir, &dir) {
                return Some((dir, ImportOrigin::Required(version.clone())));
            }
        }
        None
    }
}
