//! The folders of installed packages: site-packages, and what their `.pth` files and editable
//! installs add (Python library, "site"; setuptools, "Development Mode").

use super::literals;
use super::paths::{below, parent, resolve};
use super::tree::OutsideFiles;

/// A folder of library modules, by absolute path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SiteFolder {
    pub(crate) dir: String,
    /// The top-level modules that it is searched for; `None` for all.
    pub(crate) only: Option<Vec<String>>,
    pub(crate) group: PathGroup,
}

/// The part of the search path that a folder belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PathGroup {
    /// The standard library.
    Standard,
    /// Installed packages.
    Site,
}

/// Returns the entries of the site folders in the order of `sys.path`, without those inside the
/// workspace's own sources. `is_own` decides that by a path relative to `root`.
pub(crate) fn entries(
    tree: &OutsideFiles<'_>,
    site: &[String],
    root: &str,
    is_own: &dyn Fn(&str) -> bool,
) -> Vec<SiteFolder> {
    let mut entries: Vec<SiteFolder> = Vec::new();
    let mut add = |dir: String, only: Option<Vec<String>>| {
        let own = below(root, &dir).is_some_and(is_own);
        let known = entries
            .iter()
            .any(|entry| entry.dir == dir && entry.only == only);
        if !own && !known && !tree.list(&dir).is_empty() {
            entries.push(SiteFolder {
                dir,
                only,
                group: PathGroup::Site,
            });
        }
    };
    for dir in site {
        add(dir.clone(), None);
        for name in tree.list(dir).iter() {
            if name.ends_with(".pth") {
                let text = tree.read(dir, name).unwrap_or_default();
                for line in text.lines() {
                    let line = line.trim();
                    // A line that starts with `import` is code, which is not run.
                    if !line.is_empty()
                        && !line.starts_with('#')
                        && !is_code(line)
                        && let Some(dir) = resolve(dir, line)
                    {
                        add(dir, None);
                    }
                }
            } else if name.starts_with("__editable__") && name.ends_with("finder.py") {
                let text = tree.read(dir, name).unwrap_or_default();
                for (module, path) in mapping(&text) {
                    let path = resolve(dir, &path).unwrap_or_default();
                    let last = path.rsplit('/').next().unwrap_or("");
                    if last.strip_suffix(".py").unwrap_or(last) == module
                        && let Some(dir) = parent(&path)
                    {
                        add(dir.to_owned(), Some(vec![module]));
                    }
                }
            }
        }
    }
    entries
}

fn is_code(line: &str) -> bool {
    line.strip_prefix("import")
        .is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Returns the packages and their paths in the finder that setuptools generates for an editable
/// install.
fn mapping(finder: &str) -> Vec<(String, String)> {
    for rest in literals::after_word(finder, "MAPPING") {
        // `MAPPING: dict[str, str] = {…}`
        let rest = match rest.split_once('=') {
            Some((annotation, rest)) if !annotation.contains('\n') => rest,
            _ => continue,
        };
        if let Some(pairs) = literals::dict(rest) {
            return pairs;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_finder_of_an_editable_install_is_read_not_run() {
        let finder = "import sys\n\nMAPPING: dict[str, str] = {'a': '/x/src/a', \"b\": '/x/b.py'}\n\
                      NAMESPACES: dict[str, list[str]] = {}\n";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            super::mapping(finder),
            [pair("a", "/x/src/a"), pair("b", "/x/b.py")]
        );
        assert!(super::mapping("MAPPING = dict(a=1)").is_empty());
    }
}
