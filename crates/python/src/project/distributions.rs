//! The distributions that modules belong to, as SCIP symbols of Python name them.
//!
//! ```text
//! folder                                 found in
//! lib/python3.11/json                    the interpreter's folder: python-stdlib 3.11
//! lib/python3.11/site-packages/yaml      PyYAML-6.0.dist-info: top_level.txt or RECORD names yaml
//! src/app                                the nearest pyproject.toml, setup.cfg or setup.py with a name
//! not loaded                             the top-level name
//! ```

use codeweft_db::{Distribution, DistributionVersion, FileSystem, PackageSource};
use rustc_hash::FxHashMap;
use toml::{Table, Value};

use super::metadata::ini;
use super::paths::{join, parent, resolve};
use super::tree::OutsideFiles;
use super::{literals, metadata::PROJECT_FILES};

/// The distribution of the standard library in SCIP symbols: that of scip-python.
const STANDARD: &str = "python-stdlib";

/// Returns the distributions of modules, in their order.
pub(crate) fn distributions(
    packages: &[PackageSource],
    root: &str,
    reader: &dyn FileSystem,
) -> Vec<Distribution> {
    let tree = OutsideFiles::new(reader);
    let mut found = Installed {
        tree: &tree,
        by_site: FxHashMap::default(),
        by_project: FxHashMap::default(),
    };
    let of = |package: &PackageSource| {
        let top = package.import_path.split('.').next().unwrap_or_default();
        let unknown = || Distribution {
            name: normalized(top),
            version: DistributionVersion::Unknown,
        };
        let Some(folder) = package.folder.as_deref() else {
            return unknown();
        };
        // Stubs of the model have paths in angle brackets.
        if folder.starts_with('<') {
            return standard(None);
        }
        let Some(folder) = resolve(root, folder) else {
            return unknown();
        };
        if let Some((lib, rest)) = split_at_version(&folder) {
            let in_site = ["site-packages", "dist-packages"]
                .iter()
                .find(|site| rest == **site || rest.starts_with(&format!("{site}/")));
            return match in_site {
                None => standard(lib.rsplit('/').next()),
                Some(site) => found.in_site(&join(lib, site), top).unwrap_or_else(unknown),
            };
        }
        for site in ["/site-packages", "/dist-packages"] {
            if let Some(at) = folder.find(site) {
                let dir = folder.get(..at + site.len()).unwrap_or(&folder);
                return found.in_site(dir, top).unwrap_or_else(unknown);
            }
        }
        match found.project(&folder, root) {
            Some(project) => project,
            None if package.library => unknown(),
            None => Distribution {
                name: normalized(top),
                version: DistributionVersion::Own,
            },
        }
    };
    packages.iter().map(of).collect()
}

fn standard(folder: Option<&str>) -> Distribution {
    let version = folder.and_then(|name| name.strip_prefix("python"));
    Distribution {
        name: STANDARD.to_owned(),
        version: version.map_or(DistributionVersion::Unknown, |version| {
            DistributionVersion::Known(version.to_owned())
        }),
    }
}

/// Splits a path behind the interpreter's folder, such as `lib/python3.11`; `None` outside of one.
fn split_at_version(folder: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(at) = folder.get(from..)?.find("/python") {
        let start = from + at + 1;
        let end = folder
            .get(start..)?
            .find('/')
            .map_or(folder.len(), |end| start + end);
        let version = folder.get(start + "python".len()..end)?;
        let is_version = version.split('.').count() == 2
            && version
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_version {
            return Some((
                folder.get(..end)?,
                folder.get(end + 1..).unwrap_or_default(),
            ));
        }
        from = end;
    }
    None
}

/// What is installed, and the projects of the workspace, as far as it was read.
struct Installed<'a> {
    tree: &'a OutsideFiles<'a>,
    by_site: FxHashMap<String, FxHashMap<String, Distribution>>,
    by_project: FxHashMap<String, Option<Distribution>>,
}

impl Installed<'_> {
    /// Returns the distribution of a site folder that installed a top-level module.
    fn in_site(&mut self, site: &str, top: &str) -> Option<Distribution> {
        if !self.by_site.contains_key(site) {
            let read = self.read_site(site);
            self.by_site.insert(site.to_owned(), read);
        }
        self.by_site.get(site)?.get(top).cloned()
    }

    /// Reads the metadata of a site folder (Python packaging, "Recording installed projects").
    fn read_site(&self, site: &str) -> FxHashMap<String, Distribution> {
        let mut tops = FxHashMap::default();
        for name in self.tree.list(site).iter() {
            let Some(folder) = name.strip_suffix(".dist-info/") else {
                continue;
            };
            let dir = join(site, &format!("{folder}.dist-info"));
            let Some(text) = self.tree.read(&dir, "METADATA") else {
                continue;
            };
            let field = |field: &str| {
                let lines = text.lines().take_while(|line| !line.is_empty());
                let mut values = lines.filter_map(|line| line.strip_prefix(field));
                Some(values.next()?.strip_prefix(':')?.trim().to_owned())
            };
            let (Some(name), Some(version)) = (field("Name"), field("Version")) else {
                continue;
            };
            let found = Distribution {
                name: normalized(&name),
                version: DistributionVersion::Known(version),
            };
            let named = self.tree.read(&dir, "top_level.txt");
            let listed = match named {
                Some(text) => text.lines().map(|line| line.trim().to_owned()).collect(),
                None => self
                    .tree
                    .read(&dir, "RECORD")
                    .map_or_else(Vec::new, |text| {
                        let paths = text.lines().filter_map(|line| line.split(',').next());
                        let mut tops: Vec<String> = paths.filter_map(top_of_path).collect();
                        tops.sort_unstable();
                        tops.dedup();
                        tops
                    }),
            };
            for top in listed {
                tops.entry(top).or_insert_with(|| found.clone());
            }
        }
        tops
    }

    /// Returns the project of the nearest folder from this one up to the root that names one.
    fn project(&mut self, folder: &str, root: &str) -> Option<Distribution> {
        if let Some(known) = self.by_project.get(folder) {
            return known.clone();
        }
        let found = self.declared(folder).or_else(|| match parent(folder) {
            Some(above) if folder != root && !above.is_empty() => self.project(above, root),
            _ => None,
        });
        self.by_project.insert(folder.to_owned(), found.clone());
        found
    }

    /// Returns the project that the files of a folder declare.
    fn declared(&self, folder: &str) -> Option<Distribution> {
        let [pyproject, setup_py, setup_cfg] =
            PROJECT_FILES.map(|file| self.tree.read(folder, file));
        let in_toml = || {
            let table = pyproject.as_deref()?.parse::<Table>().ok()?;
            let text = |table: &Value, key: &str| Some(table.get(key)?.as_str()?.to_owned());
            let project = table
                .get("project")
                .or_else(|| table.get("tool")?.get("poetry"))?;
            Some((text(project, "name")?, text(project, "version")))
        };
        let in_cfg = || {
            let name = ini(setup_cfg.as_deref()?, "metadata", "name")?;
            let version = ini(setup_cfg.as_deref()?, "metadata", "version");
            // `attr:` and `file:` lead to other files.
            Some((name, version.filter(|version| !version.contains(':'))))
        };
        let in_setup = || {
            let argument = |word: &str| {
                let text = setup_py.as_deref()?;
                literals::after_word(text, word)
                    .into_iter()
                    .find_map(|rest| {
                        let rest = rest.trim_start().strip_prefix('=')?;
                        Some(literals::string(literals::blank(rest))?.0)
                    })
            };
            Some((argument("name")?, argument("version")))
        };
        let (name, version) = in_toml().or_else(in_cfg).or_else(in_setup)?;
        Some(Distribution {
            name: normalized(&name),
            version: version.map_or(DistributionVersion::Own, DistributionVersion::Known),
        })
    }
}

/// Returns the top-level module of an installed file.
fn top_of_path(path: &str) -> Option<String> {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    if first == ".." || first.ends_with(".dist-info") || first == "__pycache__" {
        return None;
    }
    match rest {
        "" => first.strip_suffix(".py").map(str::to_owned),
        _ => Some(first.to_owned()),
    }
}

/// Returns a name as indexes compare it (PEP 503, "Normalized Names").
fn normalized(name: &str) -> String {
    let words = name.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{normalized, split_at_version, top_of_path};

    #[test]
    fn names_are_compared_by_pep_503() {
        assert_eq!(normalized("Friendly-._.Bard"), "friendly-bard");
        assert_eq!(normalized("PyYAML"), "pyyaml");
        assert_eq!(normalized("zope.interface"), "zope-interface");
    }

    #[test]
    fn the_interpreters_folder_ends_with_its_version() {
        assert_eq!(
            split_at_version("/usr/lib/python3.11/json"),
            Some(("/usr/lib/python3.11", "json"))
        );
        assert_eq!(
            split_at_version("/v/python-x/lib/python3.13"),
            Some(("/v/python-x/lib/python3.13", ""))
        );
        assert_eq!(split_at_version("/w/python3/app"), None);
    }

    #[test]
    fn a_record_lists_the_top_level_modules() {
        assert_eq!(top_of_path("yaml/nodes.py").as_deref(), Some("yaml"));
        assert_eq!(top_of_path("six.py").as_deref(), Some("six"));
        assert_eq!(top_of_path("../../bin/x"), None);
        assert_eq!(top_of_path("six-1.0.dist-info/RECORD"), None);
    }
}
