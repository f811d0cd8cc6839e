//! Libraries of Python: their files are loaded when an import leads to them.

use std::collections::BTreeMap;

use codeweft_db::{Origin, UnitGraph};

use super::{LoadOptions, ProjectDatabase, Sources};

/// Returns a workspace beside an installation of an interpreter, which is its environment.
fn sources(files: &[(&str, &str)]) -> Sources {
    let sources = Sources {
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
        sources.write(path, text);
    }
    sources
}

fn load(sources: &Sources) -> ProjectDatabase {
    let environment = sources.folder.path().join("py");
    ProjectDatabase::load(LoadOptions {
        variables: Some(BTreeMap::from([(
            "VIRTUAL_ENV".to_owned(),
            environment.to_string_lossy().into_owned(),
        )])),
        threads: 2,
        ..LoadOptions::new(sources.folder.path().join("w"))
    })
    .expect("a workspace")
}

/// Returns the Python files of all units but the model's; of a library, by their path in it.
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
fn the_progress_of_a_load_counts_on_when_libraries_are_found() {
    let sources = sources(&[("w/main.py", "import json\nimport os\n")]);
    let environment = sources.folder.path().join("py");
    let counts = std::sync::Mutex::new(Vec::new());
    ProjectDatabase::load(LoadOptions {
        variables: Some(BTreeMap::from([(
            "VIRTUAL_ENV".to_owned(),
            environment.to_string_lossy().into_owned(),
        )])),
        threads: 1,
        progress: &|progress| counts.lock().unwrap().push((progress.done, progress.total)),
        ..LoadOptions::new(sources.folder.path().join("w"))
    })
    .expect("a workspace");
    let counts = counts.into_inner().unwrap();
    assert!(counts.is_sorted(), "{counts:?}");
    assert!(counts.iter().all(|(done, total)| done <= total));
    let (done, total) = counts.last().copied().expect("reported");
    assert_eq!(done, total);
    // The workspace's file, those of the library, and the model's.
    assert!(counts.iter().any(|(_, total)| *total < done), "{counts:?}");
}

#[test]
fn a_new_import_loads_its_files_and_a_removed_one_unloads_them() {
    let sources = sources(&[("w/a.py", "import stat\n")]);
    let mut host = load(&sources);
    assert_eq!(files(&host), ["a.py", "python3.11/stat.py"]);

    sources.write("w/a.py", "import json\n");
    host.disk_changed(&["a.py"]);
    let wanted = [
        "a.py",
        "python3.11/json/__init__.py",
        "python3.11/json/tool.py",
    ];
    assert_eq!(files(&host), wanted);
    assert_eq!(files(&host), files(&load(&sources)));

    sources.write("w/a.py", "import stat\n");
    host.disk_changed(&["a.py"]);
    assert_eq!(files(&host), ["a.py", "python3.11/stat.py"]);
}

#[test]
fn a_workspace_without_python_loads_none_of_it() {
    let sources = sources(&[("w/a.go", "package a\n"), ("w/go.mod", "module m\n")]);
    assert!(files(&load(&sources)).is_empty());
}

#[test]
fn a_file_of_an_unknown_encoding_is_reported_and_the_others_are_read() {
    let sources = sources(&[("w/a.py", "import stat, b\n"), ("w/b.py", "")]);
    let unknown = b"# coding: klingon\nx = '\xE9'\n";
    std::fs::write(sources.folder.path().join("w/b.py"), unknown).expect("written");
    let latin = b"# -*- coding: latin-1 -*-\nimport json\nx = '\xE9'\n";
    std::fs::write(sources.folder.path().join("w/c.py"), latin).expect("written");
    let host = load(&sources);
    let unread: Vec<String> = host
        .unread()
        .into_iter()
        .map(|unread| format!("{}: {}", unread.file, unread.reason))
        .collect();
    assert_eq!(
        unread,
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
    let sources = sources(&[
        ("w/a.py", "import new, stat\n"),
        ("w/env/bin/activate_this.py", ""),
    ]);
    let home = sources.folder.path().join("py/bin");
    let settings = format!("home = {}\nversion = 3.11.2\n", home.display());
    sources.write("w/venv/pyvenv.cfg", &settings);
    sources.write("w/venv/lib/python3.11/site-packages/new.py", "");
    let host = ProjectDatabase::load(LoadOptions {
        variables: Some(BTreeMap::new()),
        ..LoadOptions::new(sources.folder.path().join("w"))
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
