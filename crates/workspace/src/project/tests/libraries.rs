//! Libraries of Python: their files are loaded when an import asks for them.

use std::collections::BTreeMap;

use codeweft_db::{Origin, UnitGraph};

use super::{LoadOptions, ProjectDatabase, Sources};

/// A workspace beside an installation of an interpreter, which is its environment.
fn world(files: &[(&str, &str)]) -> Sources {
    let world = Sources {
        folder: tempfile::tempdir().expect("a temporary folder"),
    };
    for (path, text) in [
        ("py/lib/python3.11/os.py", "import stat\n"),
        ("py/lib/python3.11/site.py", ""),
        ("py/lib/python3.11/stat.py", ""),
        ("py/lib/python3.11/json/__init__.py", "from . import tool\n"),
        ("py/lib/python3.11/json/tool.py", ""),
    ]
    .iter()
    .chain(files)
    {
        world.write(path, text);
    }
    world
}

fn load(world: &Sources) -> ProjectDatabase {
    let environment = world.folder.path().join("py");
    ProjectDatabase::load(LoadOptions {
        variables: Some(BTreeMap::from([(
            "VIRTUAL_ENV".to_owned(),
            environment.to_string_lossy().into_owned(),
        )])),
        threads: 2,
        ..LoadOptions::new(world.folder.path().join("w"))
    })
    .expect("a workspace")
}

/// The Python files of all units but the model's: of a library by their path in it.
fn files(host: &ProjectDatabase) -> Vec<String> {
    let db = host.db();
    let mut files = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        for &file in unit.files(db).iter() {
            let path = &**file.path(db);
            if unit.lang(db) == codeweft_python_syntax::PYTHON && !path.starts_with('<') {
                let library = path.split_once("/py/lib/").map(|(_, path)| path);
                assert_eq!(library.is_some(), file.origin(db) == Origin::Library);
                files.push(library.unwrap_or(path).to_owned());
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_new_import_loads_what_it_names_and_a_lost_one_leaves_nothing_behind() {
    let world = world(&[("w/a.py", "import stat\n")]);
    let mut host = load(&world);
    assert_eq!(files(&host), ["a.py", "python3.11/stat.py"]);

    world.write("w/a.py", "import json\n");
    host.disk_changed(&["a.py"]);
    let wanted = [
        "a.py",
        "python3.11/json/__init__.py",
        "python3.11/json/tool.py",
    ];
    assert_eq!(files(&host), wanted);
    assert_eq!(files(&host), files(&load(&world)));

    world.write("w/a.py", "import stat\n");
    host.disk_changed(&["a.py"]);
    assert_eq!(files(&host), ["a.py", "python3.11/stat.py"]);
}

#[test]
fn a_workspace_without_python_loads_none_of_it() {
    let world = world(&[("w/a.go", "package a\n"), ("w/go.mod", "module m\n")]);
    assert!(files(&load(&world)).is_empty());
}

#[test]
fn a_file_of_an_unknown_encoding_is_told_and_the_others_are_read() {
    let world = world(&[("w/a.py", "import stat, b\n"), ("w/b.py", "")]);
    let unknown = b"# coding: klingon\nx = '\xE9'\n";
    std::fs::write(world.folder.path().join("w/b.py"), unknown).expect("written");
    let latin = b"# -*- coding: latin-1 -*-\nimport json\nx = '\xE9'\n";
    std::fs::write(world.folder.path().join("w/c.py"), latin).expect("written");
    let host = load(&world);
    let told: Vec<String> = host
        .unread()
        .into_iter()
        .map(|left_out| format!("{}: {}", left_out.file, left_out.reason))
        .collect();
    assert_eq!(
        told,
        ["b.py: it is not in the encoding `klingon` that its coding line names"]
    );
    let wanted = [
        "a.py",
        "c.py",
        "python3.11/json/__init__.py",
        "python3.11/json/tool.py",
        "python3.11/stat.py",
    ];
    assert_eq!(files(&host), wanted);
}

#[test]
fn an_environment_in_the_workspace_is_a_library_and_not_the_workspaces() {
    let world = world(&[
        ("w/a.py", "import new, stat\n"),
        ("w/env/bin/activate_this.py", ""),
    ]);
    let home = world.folder.path().join("py/bin");
    let settings = format!("home = {}\nversion = 3.11.2\n", home.display());
    world.write("w/venv/pyvenv.cfg", &settings);
    world.write("w/venv/lib/python3.11/site-packages/new.py", "");
    let host = ProjectDatabase::load(LoadOptions {
        variables: Some(BTreeMap::new()),
        ..LoadOptions::new(world.folder.path().join("w"))
    })
    .expect("a workspace");
    let db = host.db();
    let mut paths: Vec<(Origin, String)> = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        for file in unit.files(db).iter() {
            let name = file.path(db).rsplit('/').next().unwrap_or_default();
            if !file.path(db).starts_with('<') {
                paths.push((file.origin(db), name.to_owned()));
            }
        }
    }
    paths.sort_by(|a, b| a.1.cmp(&b.1));
    let of = |origin, name: &str| (origin, name.to_owned());
    let wanted = [
        of(Origin::Workspace, "a.py"),
        of(Origin::Workspace, "activate_this.py"),
        of(Origin::Library, "new.py"),
        of(Origin::Library, "stat.py"),
    ];
    assert_eq!(paths, wanted);
}
