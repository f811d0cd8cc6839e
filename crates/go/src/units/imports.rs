//! Imports (Go spec, Import declarations): the packages that a file's imports name, and cuts of
//! import cycles.

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, Unit, UnitGraph, UnitKind};
use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::ImportKind;
use rustc_hash::FxHashMap;

use super::{unit_files, unit_name, unit_of};
use crate::units::{IN_TEST, X_TEST};

/// A package as named by an import.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PackageRef {
    /// A loaded unit. An external test sees it together with its in-package tests.
    Loaded(Unit, Option<Unit>),
    /// `unsafe`.
    Unsafe,
    /// `C`.
    Cgo,
    /// A package of this path that is not loaded.
    Absent(NameId),
}

/// The imports of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileImports {
    /// The packages, one per import of the header, in its order.
    pub targets: Box<[PackageRef]>,
    /// The package names in the file block, sorted by name number, with the number of the import.
    pub names: Box<[(NameId, u32)]>,
    /// Units whose exported names a dot import declares in the file block.
    pub dots: Box<[(Unit, Option<Unit>)]>,
}

impl FileImports {
    /// Returns the package that a name denotes in the file.
    pub fn package(&self, name: NameId) -> Option<PackageRef> {
        let at = self
            .names
            .binary_search_by_key(&name, |&(name, _)| name)
            .ok()?;
        self.targets.get(self.names[at].1 as usize).copied()
    }
}

/// Returns the distinct units that a unit's files import, sorted; read from headers only. An
/// external test also imports the in-package tests.
#[salsa::tracked(returns(clone))]
pub fn unit_imports(db: &dyn Db, unit: Unit) -> Arc<[Unit]> {
    let tables = UnitGraph::get(db).imports(db);
    let mut targets = Vec::new();
    for &file in unit_files(db, unit).chosen.iter() {
        for import in file
            .header(db)
            .go()
            .map(|header| &header.imports)
            .into_iter()
            .flatten()
        {
            targets.extend(tables.find(unit.chain(db), import.path));
        }
    }
    match unit.kind(db) {
        UnitKind::BASE => {}
        IN_TEST => targets.extend(unit.base(db)),
        _ => targets.extend(unit.companion(db)),
    }
    targets.sort_unstable_by_key(|unit| unit.number());
    targets.dedup();
    targets.into()
}

/// Returns [`import_cuts`] of the unit graph.
fn graph_cuts(db: &dyn Db) -> &[(Unit, Unit)] {
    import_cuts(db, UnitGraph::get(db))
}

/// Returns the imports that close an import cycle, which the language forbids: normally none. A cut
/// import counts as absent, so that no query meets a cycle.
///
/// Depth-first search in the order of printed names; an edge back to a unit on the stack is cut:
///
/// ```text
/// a -> b -> c      visit a, b, c; c -> a leads back to the stack
/// ^---------'      cut (c, a)
/// ```
///
/// The order does not depend on the history of the database, so the same imports are cut in every
/// run.
#[salsa::tracked(returns(ref))]
pub fn import_cuts(db: &dyn Db, graph: UnitGraph) -> Box<[(Unit, Unit)]> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        OnStack,
        Done,
    }
    let mut states: FxHashMap<Unit, State> = FxHashMap::default();
    let mut cuts = Vec::new();
    let order: FxHashMap<Unit, usize> = graph
        .units(db)
        .iter()
        .enumerate()
        .map(|(at, &unit)| (unit, at))
        .collect();
    let imports = |unit: Unit| -> Vec<Unit> {
        let mut targets = unit_imports(db, unit).to_vec();
        targets.sort_by_key(|target| order.get(target));
        targets
    };
    for &root in graph.units(db).iter() {
        if root.lang(db) != codeweft_go_syntax::GO || states.contains_key(&root) {
            continue;
        }
        states.insert(root, State::OnStack);
        let mut stack = vec![(root, imports(root).into_iter())];
        while let Some((unit, rest)) = stack.last_mut() {
            let unit = *unit;
            match rest.next() {
                None => {
                    states.insert(unit, State::Done);
                    stack.pop();
                }
                Some(target) => match states.get(&target) {
                    Some(State::OnStack) => cuts.push((unit, target)),
                    Some(State::Done) => {}
                    None => {
                        states.insert(target, State::OnStack);
                        stack.push((target, imports(target).into_iter()));
                    }
                },
            }
        }
    }
    cuts.sort_unstable_by_key(|&(from, to)| (from.number(), to.number()));
    cuts.into()
}

/// Returns the meaning of a file's imports.
#[salsa::tracked(returns(clone))]
pub fn file_imports(db: &dyn Db, file: File) -> Arc<FileImports> {
    let (Some(unit), Some(header)) = (unit_of(db, file), file.header(db).go()) else {
        return Arc::default();
    };
    let shared = db.shared();
    let tables = UnitGraph::get(db).imports(db);
    let cuts = graph_cuts(db);
    let mut targets = Vec::new();
    let mut names = Vec::new();
    let mut dots = Vec::new();
    for (number, import) in header.imports.iter().enumerate() {
        let path = shared.names.text(import.path);
        let target = match path {
            "unsafe" => PackageRef::Unsafe,
            "C" => PackageRef::Cgo,
            _ => match tables.find(unit.chain(db), import.path) {
                Some(target) if !cuts.contains(&(unit, target)) => {
                    let view = (unit.kind(db) == X_TEST && unit.base(db) == Some(target))
                        .then(|| unit.companion(db))
                        .flatten();
                    PackageRef::Loaded(target, view)
                }
                _ => PackageRef::Absent(import.path),
            },
        };
        targets.push(target);
        match import.kind {
            ImportKind::Named(name) => names.push((name, number as u32)),
            ImportKind::Blank => {}
            ImportKind::Dot => {
                if let PackageRef::Loaded(unit, view) = target {
                    dots.push((unit, view));
                }
            }
            ImportKind::Plain => {
                let name = match target {
                    PackageRef::Loaded(target, _) => unit_name(db, target),
                    _ => None,
                };
                let name = name.unwrap_or_else(|| shared.names.intern(guessed_name(path)));
                names.push((name, number as u32));
            }
        }
    }
    names.sort_unstable();
    names.dedup_by_key(|&mut (name, _)| name);
    Arc::new(FileImports {
        targets: targets.into(),
        names: names.into(),
        dots: dots.into(),
    })
}

/// Returns the most likely name of a package that is not loaded, from its path: `yaml` for
/// `gopkg.in/yaml.v3`.
fn guessed_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last
        .strip_prefix('v')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    let last = if is_version {
        parts.next().unwrap_or(last)
    } else {
        last
    };
    let last = last.split_once(".v").map_or(last, |(name, _)| name);
    let last = last.strip_prefix("go-").unwrap_or(last);
    last.strip_suffix("-go")
        .or_else(|| last.strip_suffix(".go"))
        .unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::guessed_name;

    #[test]
    fn an_absent_package_is_named_by_its_path() {
        for (path, name) in [
            ("example.com/a/yaml", "yaml"),
            ("example.com/a/yaml/v3", "yaml"),
            ("gopkg.in/yaml.v3", "yaml"),
            ("example.com/go-redis", "redis"),
            ("example.com/nats.go", "nats"),
        ] {
            assert_eq!(guessed_name(path), name, "{path}");
        }
    }
}
