//! Changes on disk: checking the paths that a watch names leads to the state of a fresh database.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use codeweft_graph::answer::{AnalysisOperation, AnalysisRequest};

use super::*;

impl Sources {
    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).expect("renamed");
    }
}

/// Returns the texts that a database has of its workspace, by their paths.
fn texts(sources: &ProjectDatabase) -> BTreeMap<String, String> {
    let db = sources.db();
    let own = sources.sources.table.present_in_workspace();
    own.map(|(_, entry)| {
        let text = entry.file.text(db).to_string();
        (entry.file.path(db).to_string(), text)
    })
    .collect()
}

/// As [`check`], and the files are those of a fresh database.
fn check_all(sources: &Sources, host: &ProjectDatabase) {
    let fresh = sources.host();
    assert_eq!(texts(host), texts(&fresh));
    assert_eq!(host.unread(), fresh.unread());
    check(sources, host);
}

const C: &str = "package c\n\nimport \"m/a\"\n\nvar C = a.X(3)\n";

#[test]
fn a_renamed_folder_is_found_by_its_two_names() {
    let sources = Sources::new();
    sources.write("b/deep/er/c.go", &C.replace("package c", "package er"));
    let mut host = sources.host();
    assert_eq!(callers(&host, "a.X"), "b.Call b/deep/er");
    sources.rename("b", "d");
    host.disk_changed(&["b", "d"]);
    assert_eq!(callers(&host, "a.X"), "d.Call d/deep/er");
    check_all(&sources, &host);
    sources.rename("d", "b");
    host.disk_changed(&["b", "d"]);
    assert_eq!(callers(&host, "a.X"), "b.Call b/deep/er");
    check_all(&sources, &host);
}

#[test]
fn a_deleted_folder_removes_all_below_it() {
    let sources = Sources::new();
    sources.write("b/deep/c.go", &C.replace("package c", "package deep"));
    let mut host = sources.host();
    fs::remove_dir_all(sources.at("b")).expect("removed");
    host.disk_changed(&["b"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&sources, &host);
    // A file where the folder was, and a folder where that was.
    sources.write("b", "no folder");
    host.disk_changed(&["b"]);
    check_all(&sources, &host);
    sources.remove("b");
    sources.write("b/b.go", B);
    host.disk_changed(&["b"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check_all(&sources, &host);
}

#[test]
fn a_file_over_the_largest_size_is_not_read_from_disk_or_editors() {
    let sources = Sources::new();
    let mut host = ProjectDatabase::load(LoadOptions {
        settings: BTreeMap::from([("max_file_size".to_owned(), "90".to_owned())]),
        ..LoadOptions::new(sources.folder.path())
    })
    .expect("a workspace");
    assert_eq!(callers(&host, "a.X"), "b.Call");
    let large = B.replace("Call", "Renamed_so_that_it_is_too_large");
    sources.write("b/b.go", &large);
    host.disk_changed(&["b/b.go"]);
    let limited =
        "its 92 bytes are over the limit of 90 ([workspace] max_file_size in codeweft.toml)";
    let unread = host.unread();
    assert_eq!((&*unread[0].file, &*unread[0].reason), ("b/b.go", limited));
    assert_eq!(callers(&host, "a.X"), "");
    host.open(&sources.at("b/b.go"), &large);
    assert_eq!(callers(&host, "a.X"), "");
    host.open(&sources.at("b/b.go"), B);
    assert_eq!(callers(&host, "a.X"), "b.Call");
}

#[test]
fn a_file_that_is_not_read_leaves_no_unused_symbol_certain() {
    let sources = Sources::new();
    sources.write("a/hidden.go", "package a\n\nfunc hidden() {}\n");
    let load = |largest: &str| {
        ProjectDatabase::load(LoadOptions {
            settings: BTreeMap::from([("max_file_size".to_owned(), largest.to_owned())]),
            ..LoadOptions::new(sources.folder.path())
        })
        .expect("a workspace")
    };
    let certain = |host: &ProjectDatabase| {
        let request = AnalysisRequest::new(AnalysisOperation::UnusedSymbols).check();
        let answer = host
            .answer(&request.expect("a request"))
            .expect("an answer");
        let mut items = answer.symbols.expect("a list").items.into_iter();
        let hidden = items.find(|item| item.symbol.id == "a.hidden");
        hidden
            .and_then(|item| item.completeness)
            .map(|open| open.complete)
    };
    assert_eq!(certain(&load("8192")), Some(true));
    let filling = "x".repeat(90);
    sources.write(
        "a/uses.go",
        &format!("package a\n\n// {filling}\nfunc init() {{ hidden() }}\n"),
    );
    assert_eq!(certain(&load("90")), Some(false));
    assert_eq!(certain(&load("8192")), None);
}

#[test]
fn only_named_paths_are_checked() {
    let sources = Sources::new();
    let mut host = sources.host();
    sources.write("c/c.go", C);
    sources.write("b/new.go", "package b\n\nfunc New() { Other() }\n");
    host.disk_changed(&["b/new.go"]);
    assert_eq!(callers(&host, "b.Other"), "b.New");
    // A walk of everything would have found this one too.
    assert_eq!(callers(&host, "a.X"), "b.Call");
    host.disk_changed(&["c"]);
    assert_eq!(callers(&host, "a.X"), "b.Call c");
    check_all(&sources, &host);
}

#[test]
fn a_named_file_that_a_walk_would_not_read_is_not_read() {
    let sources = Sources::new();
    sources.write(".gitignore", "/out/\n*_gen.go\n");
    sources.write("env/pyvenv.cfg", "");
    let mut host = sources.host();
    let before = host.revision();
    let names = [
        "out/c.go",
        "b/b_gen.go",
        "env/lib/x.py",
        ".hidden/c.go",
        "notes.txt",
    ];
    for name in names {
        sources.write(name, C);
    }
    host.disk_changed(&names);
    host.disk_changed(&["out", "env/lib", ".hidden", "b"]);
    assert_eq!(host.revision(), before);
    check_all(&sources, &host);
}

#[test]
fn a_changed_ignore_file_hides_and_reveals() {
    let sources = Sources::new();
    let mut host = sources.host();
    sources.write("b/.gitignore", "b.go\n");
    host.disk_changed(&["b/.gitignore"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&sources, &host);
    sources.remove("b/.gitignore");
    sources.write(".codeweftignore", "a/\n");
    host.disk_changed(&["b/.gitignore", ".codeweftignore"]);
    check_all(&sources, &host);
    sources.remove(".codeweftignore");
    host.disk_changed(&[".codeweftignore"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check_all(&sources, &host);
    sources.write("b/pyvenv.cfg", "");
    host.disk_changed(&["b/pyvenv.cfg"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&sources, &host);
}

#[test]
fn a_file_that_goes_and_comes_within_one_batch_is_no_change() {
    let sources = Sources::new();
    let mut host = sources.host();
    let before = host.revision();
    sources.remove("b/b.go");
    sources.write("b/b.go.tmp", B);
    sources.rename("b/b.go.tmp", "b/b.go");
    host.disk_changed(&["b/b.go", "b/b.go.tmp"]);
    fs::remove_dir_all(sources.at("b")).expect("removed");
    sources.write("b/b.go", B);
    host.disk_changed(&["b", "b/b.go"]);
    assert_eq!(host.revision(), before);
    assert_eq!(host.recheck(), before);
}

#[test]
fn a_changed_text_of_the_same_size_and_time_is_seen() {
    let sources = Sources::new();
    let mut host = sources.host();
    let time = fs::metadata(sources.at("b/b.go"))
        .and_then(|metadata| metadata.modified())
        .expect("a time");
    sources.write("b/b.go", &B.replace("func Call", "func Gall"));
    fs::File::options()
        .write(true)
        .open(sources.at("b/b.go"))
        .and_then(|file| file.set_modified(time))
        .expect("set back");
    host.recheck();
    assert_eq!(callers(&host, "a.X"), "b.Gall");
    check_all(&sources, &host);
}

#[test]
fn a_file_that_cannot_be_read_any_more_loses_its_text_and_is_reported() {
    let sources = Sources::new();
    let mut host = sources.host();
    fs::write(sources.at("b/b.go"), b"package b\0").expect("written");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    assert_eq!(host.unread().len(), 1);
    check_all(&sources, &host);
    // Reported by a walk and by a named path alike, and forgotten with its folder.
    host.recheck();
    assert_eq!(host.unread().len(), 1);
    fs::remove_dir_all(sources.at("b")).expect("removed");
    host.disk_changed(&["b"]);
    assert_eq!(host.unread().len(), 0);
    check_all(&sources, &host);
}

#[cfg(unix)]
#[test]
fn a_file_that_becomes_a_link_is_treated_as_by_a_walk() {
    use std::os::unix::fs::symlink;
    let sources = Sources::new();
    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("b.go"), B).expect("written");
    let mut host = sources.host();
    sources.remove("b/b.go");
    symlink(outside.path().join("b.go"), sources.at("b/b.go")).expect("linked");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    assert_eq!(host.unread().len(), 1);
    check_all(&sources, &host);
    sources.remove("b/b.go");
    symlink(sources.at("a/a.go"), sources.at("b/b.go")).expect("linked");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(host.unread().len(), 0);
    check_all(&sources, &host);
    sources.remove("b/b.go");
    sources.write("b/b.go", B);
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check_all(&sources, &host);
}

#[test]
fn a_document_that_a_walk_would_not_read_is_read_while_it_is_open() {
    let sources = Sources::new();
    sources.write(".gitignore", "*_gen.go\n");
    sources.write("b/b_gen.go", "package b\n\nfunc Gen() { Other() }\n");
    let mut host = sources.host();
    let text = "package b\n\nfunc Typed() { Other() }\n";
    host.open(Path::new("b/b_gen.go"), text);
    for _ in 0..2 {
        assert_eq!(callers(&host, "b.Other"), "b.Typed");
        sources.write("b/b_gen.go", "package b\n\nfunc Again() { Other() }\n");
        host.disk_changed(&["b/b_gen.go"]);
        host.disk_changed(&["b"]);
        host.recheck();
    }
    host.close(Path::new("b/b_gen.go"));
    assert_eq!(callers(&host, "b.Other"), "");
    check_all(&sources, &host);
}

#[test]
fn a_new_document_has_the_text_of_the_disk_once_it_is_saved() {
    for named in [true, false] {
        let sources = Sources::new();
        let mut host = sources.host();
        let text = "package b\n\nfunc New() { Other() }\n";
        host.open(Path::new("b/new.go"), text);
        host.recheck();
        host.disk_changed(&["b/new.go"]);
        assert_eq!(callers(&host, "b.Other"), "b.New");
        sources.write("b/new.go", text);
        if named {
            host.disk_changed(&["b/new.go"])
        } else {
            host.recheck()
        };
        assert_eq!(**host.unsaved(), [""; 0]);
        host.close(Path::new("b/new.go"));
        assert_eq!(callers(&host, "b.Other"), "b.New");
        check_all(&sources, &host);
    }
}

#[test]
fn a_checkout_is_one_revision() {
    let sources = Sources::new();
    let names: Vec<String> = (0..2_000)
        .map(|n| format!("d/p{}/f{n}.go", n % 40))
        .collect();
    let write = |text: &dyn Fn(usize) -> String| {
        for (n, name) in names.iter().enumerate() {
            sources.write(name, &format!("package p{}\n\n{}", n % 40, text(n)));
        }
    };
    write(&|n| format!("func F{n}() {{}}\n"));
    let mut host = sources.host();
    let before = host.revision();
    write(&|n| format!("func G{n}() {{}}\n"));
    fs::remove_dir_all(sources.at("b")).expect("removed");
    let mut paths = names.clone();
    paths.push("b".to_owned());
    host.disk_changed(&paths);
    assert_eq!(host.revision(), before + 1);
    let fresh = sources.host();
    assert_eq!(texts(&host), texts(&fresh));
    assert!(host.sources.table.iter().all(|(_, entry)| !entry.touched));
    for target in ["d/p0.G40", "d/p0.F40", "a.X"] {
        let callers = |sources| ask(sources, Operation::Callers, target);
        assert_eq!(callers(&host), callers(&fresh));
    }
}

#[test]
fn a_layout_is_computed_again_for_its_own_files_and_not_for_a_save_by_renaming() {
    let sources = Sources::new();
    let mut host = sources.host();
    host.recheck();
    sources.write("b/tmp", &B.replace("a.X(1)", "a.X(2)"));
    sources.rename("b/tmp", "b/b.go");
    assert!(!host.sources.disk.layout_is_stale());
    sources.write("go.mod", "module other\n\ngo 1.24\n");
    host.disk_changed(&["go.mod", "b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&sources, &host);
}

/// Pseudo-random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// Changes the disk at random and returns the paths that a watch would name.
fn happen(sources: &Sources, random: &mut Random) -> Vec<String> {
    let folder = random
        .of(&["a", "b", "c", "b/x", "c/y", "c/y/z"])
        .to_owned();
    let file = format!("{folder}/{}", random.of(&["a.go", "b.go", "m.py"]));
    match random.below(10) {
        0..=3 => {
            let (number, package) = (random.below(3), folder.rsplit('/').next().expect("a name"));
            let text = if file.ends_with(".go") {
                format!("package {package}\n\nfunc F{number}() {{ F{number}() }}\n")
            } else {
                format!("def f{number}():\n    f{number}()\n")
            };
            let new = first_new(sources, &folder);
            sources.write(&file, &text);
            new.into_iter().chain([file]).collect()
        }
        4 => {
            let _ = fs::remove_file(sources.at(&file));
            vec![file]
        }
        5 => {
            let _ = fs::remove_dir_all(sources.at(&folder));
            vec![folder]
        }
        6 | 7 => {
            let to = random.of(&["b", "c", "d", "b/x"]).to_owned();
            let _ = fs::rename(sources.at(&folder), sources.at(&to));
            vec![folder, to]
        }
        8 => {
            let rules = random.of(&["", "*.py\n", "x/\n", "/b/\n", "y\n"]);
            sources.write(".gitignore", rules);
            vec![".gitignore".to_owned()]
        }
        _ => {
            let new = first_new(sources, &folder);
            fs::create_dir_all(sources.at(&folder)).expect("made");
            fs::write(sources.at(&file), b"\0").expect("written");
            new.into_iter().chain([file]).collect()
        }
    }
}

/// Returns the first of the folders that are made at once, which is all that a watch may see.
fn first_new(sources: &Sources, folder: &str) -> Option<String> {
    let ends = folder.match_indices('/').map(|(at, _)| at);
    ends.chain([folder.len()])
        .map(|end| folder[..end].to_owned())
        .find(|folder| !sources.at(folder).exists())
}

#[test]
fn after_random_changes_on_disk_named_paths_lead_to_the_state_of_a_fresh_database() {
    for seed in 0..5 {
        let sources = Sources::new();
        let mut host = sources.host();
        let mut random = Random(seed);
        for step in 0..14 {
            let mut paths: Vec<String> = Vec::new();
            for _ in 0..=random.below(3) {
                paths.extend(happen(&sources, &mut random));
            }
            host.disk_changed(&paths);
            let fresh = sources.host();
            assert_eq!(
                texts(&host),
                texts(&fresh),
                "seed {seed} step {step} {paths:?}"
            );
            assert_eq!(
                host.unread(),
                fresh.unread(),
                "seed {seed} step {step} {paths:?}"
            );
        }
        check_all(&sources, &host);
    }
}
