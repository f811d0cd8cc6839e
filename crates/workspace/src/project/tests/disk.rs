//! What happens on disk: named paths lead to the World that a fresh one would be.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

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
fn texts(world: &ProjectDatabase) -> BTreeMap<String, String> {
    let db = world.db();
    let own = world.sources.table.present_in_workspace();
    own.map(|(_, entry)| {
        let text = entry.file.text(db).to_string();
        (entry.file.path(db).to_string(), text)
    })
    .collect()
}

/// As [`check`], and the files are those of a fresh database.
fn check_all(world: &Sources, host: &ProjectDatabase) {
    let fresh = world.host();
    assert_eq!(texts(host), texts(&fresh));
    assert_eq!(host.unread(), fresh.unread());
    check(world, host);
}

const C: &str = "package c\n\nimport \"m/a\"\n\nvar C = a.X(3)\n";

#[test]
fn a_renamed_folder_is_told_by_its_two_names() {
    let world = Sources::new();
    world.write("b/deep/er/c.go", &C.replace("package c", "package er"));
    let mut host = world.host();
    assert_eq!(callers(&host, "a.X"), "b.Call b/deep/er");
    world.rename("b", "d");
    host.disk_changed(&["b", "d"]);
    assert_eq!(callers(&host, "a.X"), "d.Call d/deep/er");
    check_all(&world, &host);
    world.rename("d", "b");
    host.disk_changed(&["b", "d"]);
    assert_eq!(callers(&host, "a.X"), "b.Call b/deep/er");
    check_all(&world, &host);
}

#[test]
fn a_deleted_folder_takes_all_below_it() {
    let world = Sources::new();
    world.write("b/deep/c.go", &C.replace("package c", "package deep"));
    let mut host = world.host();
    fs::remove_dir_all(world.at("b")).expect("removed");
    host.disk_changed(&["b"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&world, &host);
    // A file where the folder was, and a folder where that was.
    world.write("b", "no folder");
    host.disk_changed(&["b"]);
    check_all(&world, &host);
    world.remove("b");
    world.write("b/b.go", B);
    host.disk_changed(&["b"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check_all(&world, &host);
}

#[test]
fn only_what_is_named_is_looked_at() {
    let world = Sources::new();
    let mut host = world.host();
    world.write("c/c.go", C);
    world.write("b/new.go", "package b\n\nfunc New() { Other() }\n");
    host.disk_changed(&["b/new.go"]);
    assert_eq!(callers(&host, "b.Other"), "b.New");
    // A walk of everything would have found this one too.
    assert_eq!(callers(&host, "a.X"), "b.Call");
    host.disk_changed(&["c"]);
    assert_eq!(callers(&host, "a.X"), "b.Call c");
    check_all(&world, &host);
}

#[test]
fn a_named_file_that_a_walk_would_leave_out_is_left_out() {
    let world = Sources::new();
    world.write(".gitignore", "/out/\n*_gen.go\n");
    world.write("env/pyvenv.cfg", "");
    let mut host = world.host();
    let before = host.revision();
    let names = [
        "out/c.go",
        "b/b_gen.go",
        "env/lib/x.py",
        ".hidden/c.go",
        "notes.txt",
    ];
    for name in names {
        world.write(name, C);
    }
    host.disk_changed(&names);
    host.disk_changed(&["out", "env/lib", ".hidden", "b"]);
    assert_eq!(host.revision(), before);
    check_all(&world, &host);
}

#[test]
fn a_changed_ignore_file_hides_and_reveals() {
    let world = Sources::new();
    let mut host = world.host();
    world.write("b/.gitignore", "b.go\n");
    host.disk_changed(&["b/.gitignore"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&world, &host);
    world.remove("b/.gitignore");
    world.write(".codeweftignore", "a/\n");
    host.disk_changed(&["b/.gitignore", ".codeweftignore"]);
    check_all(&world, &host);
    world.remove(".codeweftignore");
    host.disk_changed(&[".codeweftignore"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check_all(&world, &host);
    world.write("b/pyvenv.cfg", "");
    host.disk_changed(&["b/pyvenv.cfg"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&world, &host);
}

#[test]
fn a_file_that_goes_and_comes_within_one_batch_is_no_change() {
    let world = Sources::new();
    let mut host = world.host();
    let before = host.revision();
    world.remove("b/b.go");
    world.write("b/b.go.tmp", B);
    world.rename("b/b.go.tmp", "b/b.go");
    host.disk_changed(&["b/b.go", "b/b.go.tmp"]);
    fs::remove_dir_all(world.at("b")).expect("removed");
    world.write("b/b.go", B);
    host.disk_changed(&["b", "b/b.go"]);
    assert_eq!(host.revision(), before);
    assert_eq!(host.recheck(), before);
}

#[test]
fn a_changed_text_of_the_same_size_and_time_is_seen() {
    let world = Sources::new();
    let mut host = world.host();
    let time = fs::metadata(world.at("b/b.go"))
        .and_then(|metadata| metadata.modified())
        .expect("a time");
    world.write("b/b.go", &B.replace("func Call", "func Gall"));
    fs::File::options()
        .write(true)
        .open(world.at("b/b.go"))
        .and_then(|file| file.set_modified(time))
        .expect("set back");
    host.recheck();
    assert_eq!(callers(&host, "a.X"), "b.Gall");
    check_all(&world, &host);
}

#[test]
fn a_file_that_cannot_be_read_any_more_loses_its_text_and_is_told() {
    let world = Sources::new();
    let mut host = world.host();
    fs::write(world.at("b/b.go"), b"package b\0").expect("written");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    assert_eq!(host.unread().len(), 1);
    check_all(&world, &host);
    // Told of by a walk and by a look alike, and forgotten with its folder.
    host.recheck();
    assert_eq!(host.unread().len(), 1);
    fs::remove_dir_all(world.at("b")).expect("removed");
    host.disk_changed(&["b"]);
    assert_eq!(host.unread().len(), 0);
    check_all(&world, &host);
}

#[cfg(unix)]
#[test]
fn a_file_that_becomes_a_link_is_judged_as_a_walk_would() {
    use std::os::unix::fs::symlink;
    let world = Sources::new();
    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("b.go"), B).expect("written");
    let mut host = world.host();
    world.remove("b/b.go");
    symlink(outside.path().join("b.go"), world.at("b/b.go")).expect("linked");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    assert_eq!(host.unread().len(), 1);
    check_all(&world, &host);
    world.remove("b/b.go");
    symlink(world.at("a/a.go"), world.at("b/b.go")).expect("linked");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(host.unread().len(), 0);
    check_all(&world, &host);
    world.remove("b/b.go");
    world.write("b/b.go", B);
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check_all(&world, &host);
}

#[test]
fn a_document_that_a_walk_leaves_out_is_read_while_it_is_open() {
    let world = Sources::new();
    world.write(".gitignore", "*_gen.go\n");
    world.write("b/b_gen.go", "package b\n\nfunc Gen() { Other() }\n");
    let mut host = world.host();
    let text = "package b\n\nfunc Typed() { Other() }\n";
    host.open(Path::new("b/b_gen.go"), text);
    for _ in 0..2 {
        assert_eq!(callers(&host, "b.Other"), "b.Typed");
        world.write("b/b_gen.go", "package b\n\nfunc Again() { Other() }\n");
        host.disk_changed(&["b/b_gen.go"]);
        host.disk_changed(&["b"]);
        host.recheck();
    }
    host.close(Path::new("b/b_gen.go"));
    assert_eq!(callers(&host, "b.Other"), "");
    check_all(&world, &host);
}

#[test]
fn a_new_document_is_the_disks_once_it_is_saved() {
    for named in [true, false] {
        let world = Sources::new();
        let mut host = world.host();
        let text = "package b\n\nfunc New() { Other() }\n";
        host.open(Path::new("b/new.go"), text);
        host.recheck();
        host.disk_changed(&["b/new.go"]);
        assert_eq!(callers(&host, "b.Other"), "b.New");
        world.write("b/new.go", text);
        if named {
            host.disk_changed(&["b/new.go"])
        } else {
            host.recheck()
        };
        assert_eq!(**host.unsaved(), [""; 0]);
        host.close(Path::new("b/new.go"));
        assert_eq!(callers(&host, "b.Other"), "b.New");
        check_all(&world, &host);
    }
}

#[test]
fn a_checkout_is_one_revision() {
    let world = Sources::new();
    let names: Vec<String> = (0..2_000)
        .map(|n| format!("d/p{}/f{n}.go", n % 40))
        .collect();
    let write = |text: &dyn Fn(usize) -> String| {
        for (n, name) in names.iter().enumerate() {
            world.write(name, &format!("package p{}\n\n{}", n % 40, text(n)));
        }
    };
    write(&|n| format!("func F{n}() {{}}\n"));
    let mut host = world.host();
    let before = host.revision();
    write(&|n| format!("func G{n}() {{}}\n"));
    fs::remove_dir_all(world.at("b")).expect("removed");
    let mut paths = names.clone();
    paths.push("b".to_owned());
    host.disk_changed(&paths);
    assert_eq!(host.revision(), before + 1);
    let fresh = world.host();
    assert_eq!(texts(&host), texts(&fresh));
    assert!(host.sources.table.iter().all(|(_, entry)| !entry.touched));
    for target in ["d/p0.G40", "d/p0.F40", "a.X"] {
        let asked = |world| ask(world, Operation::Callers, target);
        assert_eq!(asked(&host), asked(&fresh));
    }
}

#[test]
fn a_layout_is_asked_again_for_its_own_files_and_not_for_a_save_by_renaming() {
    let world = Sources::new();
    let mut host = world.host();
    host.recheck();
    world.write("b/tmp", &B.replace("a.X(1)", "a.X(2)"));
    world.rename("b/tmp", "b/b.go");
    assert!(!host.sources.disk.layout_is_stale());
    world.write("go.mod", "module other\n\ngo 1.24\n");
    host.disk_changed(&["go.mod", "b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    check_all(&world, &host);
}

/// Numbers that look drawn by lot, the same in each run.
struct Lot(u64);

impl Lot {
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

/// Does something to the disk and gives the paths that a watch would name.
fn happen(world: &Sources, lot: &mut Lot) -> Vec<String> {
    let folder = lot.of(&["a", "b", "c", "b/x", "c/y", "c/y/z"]).to_owned();
    let file = format!("{folder}/{}", lot.of(&["a.go", "b.go", "m.py"]));
    match lot.below(10) {
        0..=3 => {
            let (number, package) = (lot.below(3), folder.rsplit('/').next().expect("a name"));
            let text = if file.ends_with(".go") {
                format!("package {package}\n\nfunc F{number}() {{ F{number}() }}\n")
            } else {
                format!("def f{number}():\n    f{number}()\n")
            };
            let new = first_new(world, &folder);
            world.write(&file, &text);
            new.into_iter().chain([file]).collect()
        }
        4 => {
            let _ = fs::remove_file(world.at(&file));
            vec![file]
        }
        5 => {
            let _ = fs::remove_dir_all(world.at(&folder));
            vec![folder]
        }
        6 | 7 => {
            let to = lot.of(&["b", "c", "d", "b/x"]).to_owned();
            let _ = fs::rename(world.at(&folder), world.at(&to));
            vec![folder, to]
        }
        8 => {
            let rules = lot.of(&["", "*.py\n", "x/\n", "/b/\n", "y\n"]);
            world.write(".gitignore", rules);
            vec![".gitignore".to_owned()]
        }
        _ => {
            let new = first_new(world, &folder);
            fs::create_dir_all(world.at(&folder)).expect("made");
            fs::write(world.at(&file), b"\0").expect("written");
            new.into_iter().chain([file]).collect()
        }
    }
}

/// Of folders that are made at once the first, which is all that a watch may see.
fn first_new(world: &Sources, folder: &str) -> Option<String> {
    let ends = folder.match_indices('/').map(|(at, _)| at);
    ends.chain([folder.len()])
        .map(|end| folder[..end].to_owned())
        .find(|folder| !world.at(folder).exists())
}

#[test]
fn whatever_happens_on_disk_named_paths_lead_to_a_fresh_world() {
    for seed in 0..5 {
        let world = Sources::new();
        let mut host = world.host();
        let mut lot = Lot(seed);
        for step in 0..14 {
            let mut paths: Vec<String> = Vec::new();
            for _ in 0..=lot.below(3) {
                paths.extend(happen(&world, &mut lot));
            }
            host.disk_changed(&paths);
            let fresh = world.host();
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
        check_all(&world, &host);
    }
}
