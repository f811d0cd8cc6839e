//! The layout of Python files: a unit a folder, dotted names from the roots.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::{Layout, LayoutInput, Origin, UnitKind, UnitPlan};
use codeweft_syntax::Header;

use crate::roots::{Root, below, join, roots};

/// Groups Python files by folder. A folder belongs to the deepest root around it and is named by
/// its dotted path there; where that root is neither the workspace's nor its `src`, the root
/// stands before the name with `/`. Tables hold every module's dotted name; importers look through
/// their own root's first, then the others' in order of path, then through names that start at the
/// workspace's root although a deeper root is nearer (`src.app`).
pub(crate) fn layout(input: &LayoutInput<'_>) -> Layout {
    let folders = folders(input);
    let with_init: BTreeMap<&str, bool> = folders
        .iter()
        .map(|(&dir, files)| (dir, files.iter().any(|path| stem(path) == "__init__")))
        .collect();
    let roots = roots(input, &with_init);
    let mut plans: Vec<Plan<'_>> = folders
        .iter()
        .filter_map(|(&dir, files)| Plan::new(dir, files, &roots))
        .collect();
    tell_apart(&mut plans);
    plans.sort_by(|a, b| (&a.name, a.dir).cmp(&(&b.name, b.dir)));

    let mut tables: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); roots.len() + 1];
    for (number, plan) in plans.iter().enumerate() {
        let from_workspace = plan.dir.replace('/', ".");
        for (table, package) in [(plan.root, &plan.dotted), (roots.len(), &from_workspace)] {
            for module in plan.modules() {
                let name = dotted(package, module);
                if !name.is_empty() {
                    tables[table].entry(name).or_insert(number);
                }
            }
            // Of a folder without `__init__.py` the name is a namespace package's.
            if !package.is_empty() {
                tables[table].entry(package.clone()).or_insert(number);
            }
        }
    }
    let count = roots.len() as u32;
    let chains = (0..count)
        .map(|own| {
            std::iter::once(own)
                .chain((0..count).filter(|&other| other != own))
                .chain([count])
                .collect()
        })
        .collect();
    Layout {
        units: plans.iter().map(|plan| plan.unit(input.root)).collect(),
        chains,
        tables,
        ..Layout::default()
    }
}

/// The Python files of the workspace by folder, relative; files in order of path bytes.
fn folders<'a>(input: &LayoutInput<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in input.files {
        let Header::Python(_) = file.header else {
            continue;
        };
        let Some(path) = file
            .path
            .strip_prefix(input.root)
            .and_then(|path| path.strip_prefix('/'))
        else {
            continue;
        };
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        folders.entry(dir).or_default().push(file.path);
    }
    for files in folders.values_mut() {
        files.sort_unstable();
    }
    folders
}

/// A unit to be.
struct Plan<'a> {
    /// Relative to the workspace's root.
    dir: &'a str,
    /// Absolute.
    files: &'a [&'a str],
    /// The number of its root.
    root: usize,
    /// What stands before dotted names of this unit: empty, or the root's path and `/`.
    prefix: String,
    /// The folder's dotted name in its root; empty for the root's own folder.
    dotted: String,
    /// Prefix and dotted name.
    name: String,
}

impl<'a> Plan<'a> {
    fn new(dir: &'a str, files: &'a [&'a str], roots: &[Root]) -> Option<Plan<'a>> {
        let (number, root) = roots
            .iter()
            .enumerate()
            .filter(|(_, root)| below(&root.dir, dir).is_some())
            .max_by_key(|(_, root)| root.dir.len())?;
        let dotted = below(&root.dir, dir)?.replace('/', ".");
        let prefix = if root.is_plain {
            String::new()
        } else {
            format!("{}/", root.dir)
        };
        Some(Plan {
            dir,
            files,
            root: number,
            name: format!("{prefix}{dotted}"),
            prefix,
            dotted,
        })
    }

    /// The names of its modules without `__init__`, which is the folder's own.
    fn modules(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.files
            .iter()
            .map(|path| stem(path))
            .filter(|&stem| stem != "__init__")
    }

    fn unit(&self, root: &str) -> UnitPlan {
        UnitPlan {
            name: self.name.clone(),
            import_path: self.dotted.clone(),
            kind: UnitKind::Base,
            dir: join(root, self.dir),
            origin: Origin::Workspace,
            chain: self.root as u32,
            files: self.files.iter().map(|&path| path.to_owned()).collect(),
        }
    }
}

/// Where a folder of `src` and one of the workspace's root would have an id in common, the one in
/// `src` is named with its root before it.
fn tell_apart(plans: &mut [Plan<'_>]) {
    let of_root: BTreeMap<String, BTreeSet<String>> = plans
        .iter()
        .filter(|plan| plan.prefix.is_empty() && below("src", plan.dir).is_none())
        .map(|plan| {
            let modules = plan.modules().map(str::to_owned).collect();
            (plan.dotted.clone(), modules)
        })
        .collect();
    for plan in plans {
        if !plan.prefix.is_empty() || below("src", plan.dir).is_none() {
            continue;
        }
        let clashes = of_root.get(&plan.dotted).is_some_and(|modules| {
            !plan.dotted.is_empty() || plan.modules().any(|module| modules.contains(module))
        });
        if clashes {
            plan.prefix = "src/".to_owned();
            plan.name = format!("{}{}", plan.prefix, plan.dotted);
        }
    }
}

/// The name of a file without folders and `.py` or `.pyi`.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".py")
        .or_else(|| name.strip_suffix(".pyi"))
        .unwrap_or(name)
}

/// Two parts of a dotted name; either may be empty.
pub(crate) fn dotted(package: &str, module: &str) -> String {
    match (package, module) {
        ("", name) | (name, "") => name.to_owned(),
        (package, module) => format!("{package}.{module}"),
    }
}
