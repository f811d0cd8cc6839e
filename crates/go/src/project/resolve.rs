//! From an import path to the folder of its package.

use super::build_list::BuildList;
use super::context::{Context, Contexts, Mains};
use super::modules::Modules;
use super::paths::{below, join, parent};
use super::standard::looks_standard;
use super::tree::CachedFileSystem;

/// Where an import path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// The folder; it holds Go files.
    pub(super) dir: String,
    /// The import path as the go command prints it: with `vendor/` in the standard library and in
    /// GOPATH mode.
    pub(super) import_path: String,
    /// Whose it is.
    pub(super) source: ImportOrigin,
}

/// What a [`Target`] was found in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ImportOrigin {
    /// The GOROOT.
    Goroot,
    /// A module of the workspace, or a folder that a main module names.
    Main,
    /// The `vendor` folder of main modules.
    Vendor,
    /// A required module at a version.
    Required(String),
    /// GOPATH.
    Gopath,
}

/// Paths that name no folder: written in Rust, or by cgo.
pub(super) fn is_built_in(path: &str) -> bool {
    matches!(path, "" | "unsafe" | "C" | "builtin")
}

/// Looks an import path up; `None`: it is absent.
pub(super) fn resolve(
    tree: &CachedFileSystem<'_>,
    contexts: &Contexts<'_>,
    modules: &Modules<'_>,
    context: usize,
    path: &str,
) -> Option<Target> {
    // A path with such parts names nothing outside its file's own folder.
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

fn standard(tree: &CachedFileSystem<'_>, src: Option<&str>, path: &str) -> Option<Target> {
    if !looks_standard(path) || path.starts_with("vendor/") || path.starts_with("cmd/") {
        return None;
    }
    in_goroot(tree, src?, path.to_owned())
}

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

/// A module of the workspace that the importer's own module does not require: the workspace is
/// read as one, so that its packages find each other before they are published.
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

/// Whether a folder below a module's folder belongs to a module nested in it.
fn is_nested(tree: &CachedFileSystem<'_>, module: &str, dir: &str) -> bool {
    std::iter::successors(Some(dir), |dir| parent(dir))
        .take_while(|dir| dir.len() > module.len())
        .any(|dir| tree.go_mod(dir).is_some())
}

impl Mains {
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
            // The whole graph is read only where what the module lists does not do, as the go
            // command does.
            let listed = self.listed.get_or_init(|| requirements.listed());
            if let Some((dir, source)) = self.required(tree, listed, path) {
                return Some(target(dir, source));
            }
        }
        let selected = self.selected.get_or_init(|| requirements.selected(tree));
        self.required(tree, selected, path)
            .map(|(dir, source)| target(dir, source))
    }

    /// The folder of a package of a required module: of those whose path is a prefix, the longest
    /// that holds it.
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
            let Some(place) = self.requirements.place(prefix, version) else {
                continue;
            };
            if !tree.is_folder(&place.dir) {
                self.absent
                    .borrow_mut()
                    .insert((prefix.to_owned(), version.clone()));
                continue;
            }
            let dir = join(&place.dir, below(prefix, path).unwrap_or_default());
            if tree.holds_go(&dir) && !is_nested(tree, &place.dir, &dir) {
                return Some((dir, ImportOrigin::Required(version.clone())));
            }
        }
        None
    }
}
