//! The modules that packages belong to, as SCIP symbols of Go name them.
//!
//! ```text
//! folder                              nearest go.mod, version
//! /gopath/pkg/mod/a.b/c@v1.2.0/d      a.b/c              v1.2.0   behind the @
//! lib/vendor/a.b/c                    a.b/c              the go.mod above vendor requires it
//! /usr/local/go/src/fmt               std                VERSION, as github.com/golang/go/src
//! not loaded                          the longest module that a go.mod of the workspace requires
//! ```

use std::rc::Rc;

use codeweft_db::{Distribution, DistributionVersion, FileSystem, PackageSource};
use rustc_hash::{FxHashMap, FxHashSet};

use super::modfile::ModFile;
use super::paths::{absolute, below, join, last, parent};
use super::standard::looks_standard;
use super::tree::CachedFileSystem;

/// The module of the standard library in SCIP symbols: scip-go names it by its repository.
const STANDARD: &str = "github.com/golang/go/src";

/// Returns the modules of packages, in their order.
pub fn distributions(
    packages: &[PackageSource],
    root: &str,
    reader: &dyn FileSystem,
) -> Vec<Distribution> {
    let tree = CachedFileSystem::new(reader, FxHashSet::default());
    let mut modules = ModuleFiles {
        tree: &tree,
        by_folder: FxHashMap::default(),
    };
    let folder_of = |package: &PackageSource| Some(absolute(root, package.folder.as_deref()?));
    let own = packages.iter().filter(|package| !package.library);
    let mut own: Vec<(String, Rc<ModFile>)> = own
        .filter_map(|package| modules.above(&folder_of(package)?))
        .collect();
    own.sort_by(|one, other| one.0.cmp(&other.0));
    own.dedup_by(|one, other| one.0 == other.0);
    let standard = packages.iter().find_map(|package| {
        let folder = folder_of(package)?;
        let is_standard = match modules.above(&folder) {
            Some((_, file)) => is_standard_module(&file),
            None => looks_standard(&package.import_path),
        };
        is_standard.then(|| release(&tree, &folder))?
    });
    let found = packages.iter().map(|package| match folder_of(package) {
        Some(folder) => modules.of_folder(package, &folder, standard.as_deref()),
        None => of_absent(&package.import_path, &own, standard.as_deref()),
    });
    found.collect()
}

/// The files `go.mod` of folders, found upwards.
struct ModuleFiles<'a> {
    tree: &'a CachedFileSystem<'a>,
    by_folder: FxHashMap<String, Option<(String, Rc<ModFile>)>>,
}

impl ModuleFiles<'_> {
    /// Returns the nearest `go.mod` from a folder upwards that names a module, with its folder.
    fn above(&mut self, folder: &str) -> Option<(String, Rc<ModFile>)> {
        if let Some(known) = self.by_folder.get(folder) {
            return known.clone();
        }
        let here = self.tree.go_mod(folder);
        let here = here.filter(|file| !file.module.is_empty());
        let found = match here {
            Some(file) => Some((folder.to_owned(), file)),
            None => parent(folder).and_then(|above| self.above(above)),
        };
        self.by_folder.insert(folder.to_owned(), found.clone());
        found
    }

    fn of_folder(
        &mut self,
        package: &PackageSource,
        folder: &str,
        standard: Option<&str>,
    ) -> Distribution {
        let path = &*package.import_path;
        if let Some((above, _)) = folder.split_once("/vendor/")
            && let Some((_, file)) = self.above(above)
        {
            return match required(&file, path) {
                _ if is_standard_module(&file) => of_standard(standard),
                Some((name, version)) => Distribution {
                    name: name.to_owned(),
                    version: known(version),
                },
                None => unknown(path),
            };
        }
        let cached = in_module_cache(folder, path);
        match self.above(folder) {
            Some((_, file)) if is_standard_module(&file) => of_standard(standard),
            Some((_, file)) => Distribution {
                name: file.module.clone(),
                version: match cached {
                    Some((_, version)) => known(version),
                    None => DistributionVersion::Own,
                },
            },
            // Modules that are older than `go.mod` have none in the cache.
            None => match cached {
                Some((name, version)) => Distribution {
                    name: name.to_owned(),
                    version: known(version),
                },
                None if release(self.tree, folder).is_some() => of_standard(standard),
                None => unknown(path),
            },
        }
    }
}

/// Returns the module of a package without a folder.
fn of_absent(path: &str, own: &[(String, Rc<ModFile>)], standard: Option<&str>) -> Distribution {
    let is_own = own
        .iter()
        .any(|(_, file)| below(&file.module, path).is_some());
    let requires = own.iter().filter_map(|(_, file)| required(file, path));
    let longest = requires.max_by_key(|(name, _)| name.len());
    match longest {
        Some((name, version)) => Distribution {
            name: name.to_owned(),
            version: known(version),
        },
        None if is_own => {
            let modules = own.iter().map(|(_, file)| &*file.module);
            let longest = modules
                .filter(|module| below(module, path).is_some())
                .max_by_key(|module| module.len());
            Distribution {
                name: longest.unwrap_or(path).to_owned(),
                version: DistributionVersion::Own,
            }
        }
        None if looks_standard(path) => of_standard(standard),
        None => unknown(path),
    }
}

fn of_standard(version: Option<&str>) -> Distribution {
    Distribution {
        name: STANDARD.to_owned(),
        version: version.map_or(DistributionVersion::Unknown, |version| {
            DistributionVersion::Known(version.to_owned())
        }),
    }
}

fn unknown(path: &str) -> Distribution {
    Distribution {
        name: path.to_owned(),
        version: DistributionVersion::Unknown,
    }
}

/// Returns whether a `go.mod` is one of the standard library's two.
fn is_standard_module(file: &ModFile) -> bool {
    matches!(&*file.module, "std" | "cmd")
}

/// Returns the release of a GOROOT, `go1.26.8`, by a folder below its `src`; `None` for other folders.
fn release(tree: &CachedFileSystem<'_>, folder: &str) -> Option<String> {
    let mut folders = std::iter::successors(Some(folder), |dir| parent(dir));
    let src = folders.find(|dir| last(dir) == "src")?;
    let text = tree.reader.read(&join(parent(src)?, "VERSION"))?;
    let line = text.lines().next()?.trim();
    line.starts_with("go").then(|| line.to_owned())
}

/// Returns the longest module of a `require` line that has a package.
fn required<'f>(file: &'f ModFile, path: &str) -> Option<(&'f str, &'f str)> {
    let requires = file.require.iter();
    let having = requires.filter(|(module, _)| below(module, path).is_some());
    let longest = having.max_by_key(|(module, _)| module.len())?;
    Some((&longest.0, &longest.1))
}

/// Returns the module and the version of a package by a folder of the module cache.
fn in_module_cache<'p>(folder: &'p str, path: &'p str) -> Option<(&'p str, &'p str)> {
    let (_, behind) = folder.rsplit_once('@')?;
    let (version, rest) = behind.split_once('/').unwrap_or((behind, ""));
    let module = path.strip_suffix(rest)?.trim_end_matches('/');
    Some((module, version))
}

/// Returns a version as SCIP symbols have it: the revision of a pseudo-version, else without build metadata.
fn known(version: &str) -> DistributionVersion {
    let plain = version.split('+').next().unwrap_or(version);
    let revision = plain.rsplit_once('-').and_then(|(before, revision)| {
        let time = before.get(before.len().checked_sub(14)?..)?;
        let is_time = time.bytes().all(|byte| byte.is_ascii_digit());
        (revision.len() == 12 && is_time).then_some(revision)
    });
    DistributionVersion::Known(revision.unwrap_or(plain).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{DistributionVersion, in_module_cache, known};

    #[test]
    fn a_version_without_a_tag_is_its_revision() {
        let of = |version| match known(version) {
            DistributionVersion::Known(version) => version,
            _ => String::new(),
        };
        assert_eq!(of("v1.2.3"), "v1.2.3");
        assert_eq!(of("v1.2.3-rc1"), "v1.2.3-rc1");
        assert_eq!(of("v2.0.0+incompatible"), "v2.0.0");
        assert_eq!(of("v0.0.0-20200102030405-abcdefabcdef"), "abcdefabcdef");
        assert_eq!(of("v1.0.1-0.20200102030405-abcdefabcdef"), "abcdefabcdef");
    }

    #[test]
    fn a_folder_of_the_module_cache_names_the_module_of_a_package() {
        let cached = in_module_cache("/m/github.com/!a/b@v1.0.0/c/d", "github.com/A/b/c/d");
        assert_eq!(cached, Some(("github.com/A/b", "v1.0.0")));
        assert_eq!(
            in_module_cache("/m/a.b/c@v1.0.0", "a.b/c"),
            Some(("a.b/c", "v1.0.0"))
        );
        assert_eq!(in_module_cache("/w/a/b", "a/b"), None);
    }
}
