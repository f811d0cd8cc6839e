//! A file system in memory, loaded as the workspace loader does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use codeweft_db::{
    Db as _, File, FileSystem, ImportTables, LanguageConfig, Layout, LayoutFile, LayoutInput,
    NameId, Origin, ProjectLayout as _, RootDb, Semantics as _, Unit, UnitGraph,
};
use codeweft_python_syntax::PYTHON;
use codeweft_syntax::lower;
use expect_test::Expect;
use rustc_hash::FxHashMap;

use crate::layout::MODEL_DIR;
use crate::{Python, py_modules};

struct Memory {
    files: BTreeMap<String, Arc<str>>,
    variables: BTreeMap<String, String>,
}

impl FileSystem for Memory {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.files.get(path).cloned()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let dir = format!("{dir}/");
        let mut names: Vec<String> = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix(&dir))
            .map(|rest| match rest.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => rest.to_owned(),
            })
            .collect();
        names.sort();
        names.dedup();
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}

/// Checks the modules of a project (`path: text`, one file a line; `;` ends a line of the text) and
/// what each imports. Absolute paths are outside the workspace.
pub(super) fn check(world: &str, roots: &str, expected: Expect) {
    expected.assert_eq(&loaded(world, &[("roots", roots)], &[]));
}

/// Does the same with environment variables.
pub(super) fn check_with(world: &str, variables: &[(&str, &str)], expected: Expect) {
    expected.assert_eq(&loaded(world, &[], variables));
}

/// Does the same with settings.
pub(super) fn check_settings(world: &str, settings: &[(&str, &str)], expected: Expect) {
    expected.assert_eq(&loaded(world, settings, &[]));
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

fn loaded(world: &str, settings: &[(&str, &str)], variables: &[(&str, &str)]) -> String {
    let files = world
        .lines()
        .filter_map(|line| line.trim().split_once(':'))
        .map(|(path, text)| {
            let path = if path.starts_with('/') {
                path.to_owned()
            } else {
                format!("/w/{path}")
            };
            (path, text.trim_start().replace(';', "\n").into())
        });
    let world = World::load(files.collect(), settings, variables);
    printed(&world.db, &world.units, &world.layout)
}

/// A loaded file system; paths are absolute.
pub(super) struct World {
    pub(super) db: RootDb,
    pub(super) files: BTreeMap<String, File>,
    pub(super) units: Vec<Unit>,
    layout: Layout,
}

impl World {
    /// Loads the Python files below `/w` and what they import.
    pub(super) fn load(
        files: BTreeMap<String, Arc<str>>,
        settings: &[(&str, &str)],
        variables: &[(&str, &str)],
    ) -> World {
        let db = RootDb::default();
        let disk = Memory {
            files,
            variables: pairs(variables),
        };
        let settings = pairs(settings);
        let mut files: BTreeMap<String, File> = disk
            .files
            .iter()
            .filter(|(path, _)| path.starts_with("/w/") && !path.contains("/.venv/"))
            .filter(|(path, _)| PYTHON.reads_path(path))
            .map(|(path, text)| {
                let file = lowered(&db, &path[3..], text.clone(), Origin::Workspace);
                (path.clone(), file)
            })
            .collect();
        let mut rounds = 0;
        let layout = loop {
            let layout = lay_out(&db, &disk, &settings, &files);
            let mut come = false;
            for (path, text) in &layout.texts {
                if !files.contains_key(path) {
                    come = true;
                    let file = lowered(&db, path, (*text).into(), Origin::Library);
                    files.insert(path.clone(), file);
                }
            }
            for path in &layout.missing_files {
                come = true;
                let text = disk.files[path].clone();
                let file = lowered(&db, path, text, Origin::Library);
                let known = files.insert(path.clone(), file);
                assert!(known.is_none(), "{path} is loaded already");
            }
            rounds += 1;
            assert!(rounds < 50, "loading comes to an end");
            if !come {
                break layout;
            }
        };
        if let Some(configuration) = &layout.configuration {
            let config = LanguageConfig::new(&db, configuration.clone());
            db.shared().add_configuration(PYTHON, config);
        }
        let units = universe(&db, &layout, &files);
        World {
            db,
            files,
            units,
            layout,
        }
    }
}

fn lowered(db: &RootDb, path: &str, text: Arc<str>, origin: Origin) -> File {
    let names = &db.shared().names;
    let ir = lower(&text, PYTHON, names, &|| false).expect("lowering ends");
    let (header, items) = (ir.header.clone(), ir.items.clone());
    File::new(db, path.into(), PYTHON, origin, text, header, items)
}

fn lay_out(
    db: &RootDb,
    disk: &Memory,
    settings: &BTreeMap<String, String>,
    files: &BTreeMap<String, File>,
) -> Layout {
    let input: Vec<LayoutFile<'_>> = files
        .iter()
        .map(|(path, file)| LayoutFile {
            path,
            origin: file.origin(db),
            header: file.header(db),
        })
        .collect();
    Python.layout(&LayoutInput {
        root: "/w",
        files: &input,
        names: &db.shared().names,
        reader: disk,
        settings,
    })
}

/// Sets the inputs as the workspace loader does.
fn universe(db: &RootDb, layout: &Layout, files: &BTreeMap<String, File>) -> Vec<Unit> {
    let shared = db.shared();
    let keys = |unit: &codeweft_db::PlannedUnit| (unit.name.clone(), unit.kind);
    assert!(layout.units.is_sorted_by_key(keys), "units are sorted");
    let units: Vec<Unit> = layout
        .units
        .iter()
        .map(|plan| {
            let mut members: Vec<File> =
                plan.files.iter().map(|path| files[path.as_str()]).collect();
            members.sort_by_key(|file| file.path(db).clone());
            Unit::new(
                db,
                PYTHON,
                shared.names.intern(&plan.name),
                shared.names.intern(&plan.import_path),
                plan.kind,
                plan.dir.as_str().into(),
                plan.origin,
                plan.chain,
                members.into(),
                None,
                None,
            )
        })
        .collect();
    let tables = layout.tables.iter().map(|table| {
        let entry = |(name, &unit): (&String, &usize)| (shared.names.intern(name), units[unit]);
        table.iter().map(entry).collect::<FxHashMap<NameId, Unit>>()
    });
    let chains = layout.chains.iter();
    let imports = ImportTables {
        chains: chains.map(|chain| chain.clone().into()).collect(),
        tables: tables.collect(),
        entries: layout.entries.as_slice().into(),
        distributed: layout.distributed.as_slice().into(),
        scripts: layout.scripts.as_slice().into(),
    };
    let mut owners = FxHashMap::default();
    for &unit in &units {
        for &file in unit.files(db).iter() {
            let other = owners.insert(file, unit);
            assert!(other.is_none(), "{} is in two units", file.path(db));
        }
    }
    UnitGraph::new(
        db,
        units.clone().into(),
        Arc::new(imports),
        Arc::new(owners),
    );
    units
}

fn printed(db: &RootDb, units: &[Unit], layout: &Layout) -> String {
    let shared = db.shared();
    let name = |symbol| shared.names.text(shared.symbols.key(symbol).name);
    let mut out = String::new();
    let mut ids = std::collections::BTreeSet::new();
    for &unit in units {
        let in_model = unit.dir(db).starts_with(MODEL_DIR);
        let rows = Python.imports(db, unit);
        for module in py_modules(db, unit).modules.iter() {
            let id = shared.names.text(module.name);
            assert!(ids.insert(id), "two modules have the id {id}");
            if in_model {
                continue;
            }
            let path = |file: u32| {
                let file = unit.files(db).get(file as usize);
                file.map_or("-", |file| file.path(db))
            };
            let _ = write!(out, "{id} ({}", path(module.file));
            if module.stub != codeweft_db::NONE {
                let _ = write!(out, ", {}", path(module.stub));
            }
            out.push_str(")\n");
            for row in rows.iter().filter(|row| row.from == module.symbol) {
                let absent = if row.unit.is_none() { " absent" } else { "" };
                let _ = writeln!(out, "    {} {}{absent}", row.import, name(row.to));
            }
        }
    }
    for (path, words) in &layout.notes {
        let _ = writeln!(out, "{path}: {words}");
    }
    out
}
