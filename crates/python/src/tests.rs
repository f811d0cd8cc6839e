//! Layouts and imports over small worlds in memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use codeweft_db::{
    Db as _, File, ImportTables, Language as _, LayoutFile, LayoutInput, NameId, Origin, Reader,
    RootDb, Unit, Universe,
};
use codeweft_syntax::{Lang, lower};
use expect_test::{Expect, expect};
use rustc_hash::FxHashMap;

use crate::Python;

struct Memory(BTreeMap<String, Arc<str>>);

impl Reader for Memory {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.0.get(path).cloned()
    }

    fn list(&self, _dir: &str) -> Vec<String> {
        Vec::new()
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// The modules of a workspace of files (`path: text`, a line each; `;` ends a line of the text)
/// and what each imports.
fn check(world: &str, roots: &str, expected: Expect) {
    let db = RootDb::default();
    let shared = db.shared();
    let disk = Memory(
        world
            .lines()
            .filter_map(|line| line.trim().split_once(':'))
            .map(|(path, text)| (format!("/w/{path}"), text.replace(';', "\n").into()))
            .collect(),
    );
    let files: BTreeMap<&str, File> = disk
        .0
        .iter()
        .filter(|(path, _)| Lang::of_path(path) == Some(Lang::Python))
        .map(|(path, text)| {
            let ir = lower(text, Lang::Python, &shared.names, &|| false).expect("lowering ends");
            let printed = path.trim_start_matches("/w/").into();
            let (header, items) = (ir.header.clone(), ir.items.clone());
            let origin = Origin::Workspace;
            let file = File::new(
                &db,
                printed,
                Lang::Python,
                origin,
                text.clone(),
                header,
                items,
            );
            (path.as_str(), file)
        })
        .collect();
    let input: Vec<LayoutFile<'_>> = files
        .iter()
        .map(|(path, file)| LayoutFile {
            path,
            origin: Origin::Workspace,
            header: file.header(&db),
        })
        .collect();
    let layout = Python.layout(&LayoutInput {
        root: "/w",
        files: &input,
        names: &shared.names,
        reader: &disk,
        settings: &BTreeMap::from([("roots".to_owned(), roots.to_owned())]),
    });
    let units: Vec<Unit> = layout
        .units
        .iter()
        .map(|plan| {
            Unit::new(
                &db,
                Lang::Python,
                shared.names.intern(&plan.name),
                shared.names.intern(&plan.import_path),
                plan.kind,
                plan.dir.as_str().into(),
                plan.origin,
                plan.chain,
                plan.files.iter().map(|path| files[path.as_str()]).collect(),
                None,
                None,
            )
        })
        .collect();
    let tables = layout.tables.iter().map(|table| {
        let entry = |(name, &unit): (&String, &usize)| (shared.names.intern(name), units[unit]);
        table.iter().map(entry).collect::<FxHashMap<NameId, Unit>>()
    });
    let imports = ImportTables {
        chains: layout
            .chains
            .iter()
            .map(|chain| chain.clone().into())
            .collect(),
        tables: tables.collect(),
    };
    let mut owners = FxHashMap::default();
    for &unit in &units {
        owners.extend(unit.files(&db).iter().map(|&file| (file, unit)));
    }
    Universe::new(
        &db,
        units.clone().into(),
        Arc::new(imports),
        Arc::new(owners),
    );

    let name = |symbol| shared.names.text(shared.symbols.key(symbol).name);
    let mut out = String::new();
    for unit in units {
        let rows = Python.imports(&db, unit);
        for module in Python.symbols(&db, unit).rows.iter() {
            let place = Python.place(&db, module.symbol);
            let file = place.map_or("-", |place| place.file.path(&db));
            let _ = writeln!(out, "{} ({file})", shared.names.text(module.name));
            for row in rows.iter().filter(|row| row.from == module.symbol) {
                let absent = if row.unit.is_none() { " absent" } else { "" };
                let _ = writeln!(out, "    {} {}{absent}", row.import, name(row.to));
            }
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn a_module_is_named_by_its_dotted_path_in_its_root() {
    check(
        "main.py:import app.auth
         app/__init__.py:
         app/auth.py:import os.path, app
         app/api/__init__.py:
         app/api/v1.py:",
        "",
        expect![[r#"
            main (main.py)
                0 app.auth
            app (app/__init__.py)
            app.auth (app/auth.py)
                0 os.path absent
                1 app
            app.api (app/api/__init__.py)
            app.api.v1 (app/api/v1.py)
        "#]],
    );
}

#[test]
fn a_relative_import_counts_from_the_package() {
    check(
        "app/__init__.py:from . import a
         app/a.py:from . import b, c; from .sub import x; from .sub.m import y
         app/b.py:
         app/sub/__init__.py:from .. import b
         app/sub/m.py:from ... import z; from .... import z",
        "",
        expect![[r#"
            app (app/__init__.py)
                0 app.a
            app.a (app/a.py)
                0 app.b
                0 app
                1 app.sub
                2 app.sub.m
            app.b (app/b.py)
            app.sub (app/sub/__init__.py)
                0 app.b
            app.sub.m (app/sub/m.py)
                1 .... absent
        "#]],
    );
}

#[test]
fn names_of_a_from_import_are_submodules_where_there_are_some() {
    check(
        "app/__init__.py:
         app/a.py:
         app/b.py:
         main.py:from app import a, b; from app import a, Thing; from app import *; from app.a import f
         out.py:from requests import get; from . import main",
        "",
        expect![[r#"
            main (main.py)
                0 app.a
                0 app.b
                1 app.a
                1 app
                2 app
                3 app.a
            out (out.py)
                0 requests absent
                1 main
            app (app/__init__.py)
            app.a (app/a.py)
            app.b (app/b.py)
        "#]],
    );
}

#[test]
fn a_folder_without_init_is_a_namespace_package() {
    check(
        "ns/x.py:import ns, ns.deep.y, ns.deep
         ns/deep/y.py:from ns import x",
        "",
        expect![[r#"
            ns (-)
            ns.x (ns/x.py)
                0 ns
                1 ns.deep.y
                2 ns.deep
            ns.deep (-)
            ns.deep.y (ns/deep/y.py)
                0 ns.x
        "#]],
    );
}

#[test]
fn the_src_folder_is_a_root_unless_it_is_a_package() {
    check(
        "pyproject.toml:
         src/app/__init__.py:
         src/app/a.py:import app.b
         src/app/b.py:
         tests/test_a.py:from app.a import f; import src.app.b",
        "",
        expect![[r#"
            app (src/app/__init__.py)
            app.a (src/app/a.py)
                0 app.b
            app.b (src/app/b.py)
            tests (-)
            tests.test_a (tests/test_a.py)
                0 app.a
                1 app.b
        "#]],
    );
    check(
        "src/__init__.py:
         src/a.py:import src.a",
        "",
        expect![[r#"
            src (src/__init__.py)
            src.a (src/a.py)
                0 src.a
        "#]],
    );
}

#[test]
fn a_project_below_the_root_is_a_root_that_stands_before_its_names() {
    check(
        "services/a/pyproject.toml:
         services/a/app/__init__.py:
         services/a/app/main.py:import app.main, lib
         services/b/setup.py:
         services/b/src/app/main.py:import app.main
         services/b/src/lib.py:",
        "",
        expect![[r#"
            services/a/app (services/a/app/__init__.py)
            services/a/app.main (services/a/app/main.py)
                0 services/a/app.main
                1 services/b/src/lib
            services/b/setup (services/b/setup.py)
            services/b/src/lib (services/b/src/lib.py)
            services/b/src/app (-)
            services/b/src/app.main (services/b/src/app/main.py)
                0 services/b/src/app.main
        "#]],
    );
}

#[test]
fn the_settings_name_more_roots() {
    check(
        "code/python/app.py:import lib
         code/python/lib.py:",
        "./code/python/, nowhere",
        expect![[r#"
            code/python/app (code/python/app.py)
                0 code/python/lib
            code/python/lib (code/python/lib.py)
        "#]],
    );
}

#[test]
fn a_stub_beside_its_module_is_the_same_module() {
    check(
        "app/__init__.py:
         app/a.py:import app.b
         app/a.pyi:import app.c
         app/b.pyi:
         app/c.py:",
        "",
        expect![[r#"
            app (app/__init__.py)
            app.a (app/a.py)
                0 app.b
                0 app.c
            app.b (app/b.pyi)
            app.c (app/c.py)
        "#]],
    );
}

#[test]
fn equal_names_of_the_root_and_of_src_are_told_apart() {
    check(
        "app/x.py:import app.x
         conftest.py:
         src/app/x.py:import app.x
         src/conftest.py:",
        "",
        expect![[r#"
            conftest (conftest.py)
            app (-)
            app.x (app/x.py)
                0 app.x
            src/conftest (src/conftest.py)
            src/app (-)
            src/app.x (src/app/x.py)
                0 src/app.x
        "#]],
    );
}
