//! A file system in memory, and its layout printed as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use codeweft_db::{FileSystem, Layout, LayoutFile, LayoutInput, Origin};
use codeweft_go_syntax::GO;
use codeweft_syntax::{Header, Names, lower};

use crate::project::layout;

/// Files by absolute path, the settings and the environment.
#[derive(Default)]
pub(super) struct World {
    files: BTreeMap<String, Arc<str>>,
    settings: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
}

/// A standard library of three packages, one of them vendored, used by most tests.
const GOROOT: &str = "
-- /goroot/VERSION --
go1.26.8
-- /goroot/src/go.mod --
module std
go 1.26
-- /goroot/src/errors/errors.go --
package errors
-- /goroot/src/fmt/fmt.go --
package fmt
import \"errors\"
-- /goroot/src/net/http/http.go --
package http
import \"golang.org/x/net/idna\"
-- /goroot/src/vendor/golang.org/x/net/idna/idna.go --
package idna
";

impl World {
    /// Returns a world of files, each after a line `-- path --`. A path without a leading `/` is
    /// below `/w`, the workspace root. The standard library is in `/goroot`, the module cache in
    /// `/cache`; the home folder is `/home`.
    pub(super) fn new(text: &str) -> World {
        let mut world = World::default();
        world.add(GOROOT);
        world.add(text);
        for (key, value) in [
            ("goroot", "/goroot"),
            ("modcache", "/cache"),
            ("goos", "linux"),
            ("goarch", "amd64"),
        ] {
            world.settings.insert(key.to_owned(), value.to_owned());
        }
        world.variables.insert("HOME".into(), "/home".into());
        world
    }

    fn add(&mut self, text: &str) {
        let mut path = String::new();
        for line in text.lines() {
            let name = line
                .strip_prefix("-- ")
                .and_then(|line| line.strip_suffix(" --"));
            if let Some(name) = name {
                path = if name.starts_with('/') {
                    name.to_owned()
                } else {
                    format!("/w/{name}")
                };
                self.files.insert(path.clone(), "".into());
            } else if let Some(text) = self.files.get_mut(&path) {
                *text = format!("{text}{line}\n").into();
            }
        }
    }

    /// Sets a setting; an empty value removes it.
    pub(super) fn setting(mut self, key: &str, value: &str) -> World {
        self.settings.insert(key.to_owned(), value.to_owned());
        self
    }

    /// Sets an environment variable.
    pub(super) fn variable(mut self, name: &str, value: &str) -> World {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Returns the layout of `/w` after everything missing was loaded.
    pub(super) fn layout(&self) -> Layout {
        self.layout_of("/w")
    }

    /// Returns the layout of another root.
    pub(super) fn layout_of(&self, root: &str) -> Layout {
        let names = Names::default();
        let below = format!("{root}/");
        let mut loaded: BTreeMap<&str, (Origin, Arc<Header>)> = self
            .files
            .iter()
            .filter(|(path, _)| path.starts_with(&below) && path.ends_with(".go"))
            .map(|(path, text)| (path.as_str(), (Origin::Workspace, header(text, &names))))
            .collect();
        let mut requested: BTreeSet<String> = BTreeSet::new();
        loop {
            let files: Vec<LayoutFile<'_>> = loaded
                .iter()
                .map(|(path, (origin, header))| LayoutFile {
                    path,
                    origin: *origin,
                    header,
                })
                .collect();
            let layout = layout(&LayoutInput {
                root,
                files: &files,
                names: &names,
                reader: self,
                settings: &self.settings,
            });
            if layout.missing.is_empty() {
                return layout;
            }
            for dir in &layout.missing {
                assert!(requested.insert(dir.clone()), "{dir} is missing again");
                let (below, mut some) = (format!("{dir}/"), false);
                for (path, text) in self.files.range(below.clone()..) {
                    let Some(name) = path.strip_prefix(&below) else {
                        break;
                    };
                    if !name.contains('/') && name.ends_with(".go") && !name.ends_with("_test.go") {
                        some = true;
                        loaded
                            .entry(path)
                            .or_insert_with(|| (Origin::Library, header(text, &names)));
                    }
                }
                assert!(some, "{dir} holds no Go file");
            }
        }
    }

    /// Returns [`World::layout`] as text: units with their files, then the imports of each package
    /// of the workspace, then notes.
    pub(super) fn printed(&self) -> String {
        print(&self.layout(), "/w")
    }
}

fn header(text: &str, names: &Names) -> Arc<Header> {
    lower(text, GO, names, &|| false)
        .expect("lowering ends")
        .header
}

/// Prints `name (import path) [kind] origin: files`, followed by `import -> unit` of its table.
pub(super) fn print(layout: &Layout, root: &str) -> String {
    let mut out = String::new();
    for unit in &layout.units {
        let files: Vec<&str> = unit
            .files
            .iter()
            .map(|file| file.rsplit('/').next().unwrap_or(file))
            .collect();
        let dir = unit.dir.strip_prefix(root).map_or(&*unit.dir, |dir| {
            if dir.is_empty() { "." } else { &dir[1..] }
        });
        let _ = writeln!(
            out,
            "{:?} {:?} {} = {} in {dir}: {}",
            unit.origin,
            unit.kind,
            unit.name,
            unit.import_path,
            files.join(" ")
        );
    }
    for (path, words) in &layout.notes {
        let _ = writeln!(out, "note {path}: {words}");
    }
    out
}

/// Returns the folder that an import path resolves to in `dir`; `-` if it is absent.
pub(super) fn find<'l>(layout: &'l Layout, dir: &str, path: &str) -> &'l str {
    let unit = layout
        .units
        .iter()
        .find(|unit| unit.dir == dir)
        .expect("a unit of the folder");
    layout.chains[unit.chain as usize]
        .iter()
        .find_map(|&table| layout.tables[table as usize].get(path))
        .map_or("-", |&unit| layout.units[unit].dir.as_str())
}

impl FileSystem for World {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.files.get(path).cloned()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let below = format!("{}/", dir.trim_end_matches('/'));
        let names: BTreeSet<String> = self
            .files
            .range(below.clone()..)
            .map_while(|(path, _)| path.strip_prefix(&below))
            .map(|rest| match rest.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => rest.to_owned(),
            })
            .collect();
        names.into_iter().collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}
