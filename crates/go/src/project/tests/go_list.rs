//! Compares the layout of the real standard library with the output of `go list`. Slow, and needs a
//! Go toolchain: run with `CODEWEFT_SLOW=1`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use crate::settings::GoSettings;
use crate::units::{IN_TEST, X_TEST};
use codeweft_db::{FileSystem, Layout, LayoutFile, LayoutInput, Origin, UnitKind};
use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::GO;
use codeweft_syntax::{Header, Names, lower};

use super::world::find;
use crate::project::{file_matches, layout};

/// The real disk and environment.
struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        std::fs::read_to_string(path).ok().map(Arc::from)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| {
                let end = if entry.path().is_dir() { "/" } else { "" };
                Some(format!("{}{end}", entry.file_name().to_str()?))
            })
            .collect();
        names.sort();
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

fn slow() -> bool {
    std::env::var_os("CODEWEFT_SLOW").is_some()
}

fn go(dir: &str, platform: (&str, &str), arguments: &[&str]) -> String {
    let output = Command::new("go")
        .args(arguments)
        .current_dir(dir)
        .env("CGO_ENABLED", "0")
        .env("GOOS", platform.0)
        .env("GOARCH", platform.1)
        .env("GOFLAGS", "-mod=mod")
        .output()
        .expect("a Go toolchain");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns every Go file below a folder, without test data, with its header.
fn headers(root: &str, names: &Names) -> Vec<(String, Arc<Header>)> {
    let mut paths = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for name in Disk.list(&dir) {
            match name.strip_suffix('/') {
                Some("testdata") => {}
                Some(folder) => open.push(format!("{dir}/{folder}")),
                None if name.ends_with(".go") => paths.push(format!("{dir}/{name}")),
                None => {}
            }
        }
    }
    paths.sort();
    let read = |path: &String| {
        let text = std::fs::read_to_string(path).ok()?;
        let ir = lower(&text, GO, names, &|| false)?;
        Some((path.clone(), ir.header))
    };
    let half = paths.len() / 2;
    let (left, right) = std::thread::scope(|scope| {
        let left = scope.spawn(|| paths[..half].iter().filter_map(read).collect::<Vec<_>>());
        let right: Vec<_> = paths[half..].iter().filter_map(read).collect();
        (left.join().expect("lowered"), right)
    });
    left.into_iter().chain(right).collect()
}

fn lay_out(
    root: &str,
    headers: &[(String, Arc<Header>)],
    names: &Names,
    os: (&str, &str),
) -> Layout {
    let files: Vec<LayoutFile<'_>> = headers
        .iter()
        .map(|(path, header)| LayoutFile {
            path,
            origin: Origin::Workspace,
            header,
        })
        .collect();
    let settings =
        [("goos", os.0), ("goarch", os.1)].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let started = Instant::now();
    let layout = layout(&LayoutInput {
        root,
        files: &files,
        names,
        reader: &Disk,
        settings: &BTreeMap::from(settings),
    });
    println!("layout of {} files: {:?}", files.len(), started.elapsed());
    layout
}

/// Returns `folder|files` of the selected files of each unit of a kind.
fn chosen(
    layout: &Layout,
    kind: UnitKind,
    headers: &BTreeMap<&str, &Header>,
    names: &Names,
) -> BTreeMap<String, String> {
    let settings: &GoSettings = layout
        .configuration
        .as_ref()
        .and_then(|it| it.downcast())
        .expect("a configuration");
    let mut lists = BTreeMap::new();
    for unit in layout.units.iter().filter(|unit| unit.kind == kind) {
        let files: Vec<&str> = unit
            .files
            .iter()
            .filter_map(|path| {
                let name = path.rsplit('/').next()?;
                let header = headers[path.as_str()].go()?;
                file_matches(name, header, settings, names).then_some(name)
            })
            .collect();
        if !files.is_empty() {
            lists.insert(unit.import_path.clone(), files.join(" "));
        }
    }
    lists
}

#[test]
fn every_package_of_the_standard_library_has_the_files_that_go_list_prints() {
    if !slow() {
        return;
    }
    let goroot = go("/", ("linux", "amd64"), &["env", "GOROOT"]);
    let src = format!("{}/src", goroot.trim());
    let names = Names::default();
    let headers = headers(&src, &names);
    let by_path = headers
        .iter()
        .map(|(path, header)| (path.as_str(), &**header))
        .collect();
    let platforms = [
        ("linux", "amd64"),
        ("windows", "amd64"),
        ("windows", "arm64"),
        ("darwin", "arm64"),
        ("js", "wasm"),
        ("illumos", "amd64"),
    ];
    for platform in platforms {
        let layout = lay_out(&src, &headers, &names, platform);
        assert_eq!(layout.missing, [""; 0]);
        assert!(layout.notes.is_empty());
        let format = "{{.ImportPath}}|{{join .GoFiles \" \"}}|{{join .TestGoFiles \" \"}}|{{join .XTestGoFiles \" \"}}";
        let mut listed = go(&src, platform, &["list", "-e", "-f", format, "std", "cmd"]);
        assert!(listed.lines().count() > 300);
        // The patterns do not match vendored commands and packages that need cgo; they are listed
        // by name.
        let unnamed: Vec<&str> = layout
            .units
            .iter()
            .filter(|unit| unit.kind == UnitKind::BASE)
            .map(|unit| unit.import_path.as_str())
            .filter(|path| !listed.contains(&format!("{path}|")))
            .collect();
        let arguments = [&["list", "-e", "-f", format], &*unnamed].concat();
        listed.push_str(&go(&src, platform, &arguments));
        let kinds = [
            (1, UnitKind::BASE, ""),
            (2, IN_TEST, ""),
            (3, X_TEST, "_test"),
        ];
        for (column, kind, suffix) in kinds {
            let ours = chosen(&layout, kind, &by_path, &names);
            let mut theirs = BTreeMap::new();
            for line in listed.lines() {
                let fields: Vec<&str> = line.split('|').collect();
                if !fields[column].is_empty() && fields[0] != "unsafe" {
                    theirs.insert(format!("{}{suffix}", fields[0]), fields[column].to_owned());
                }
            }
            let differing: Vec<_> = theirs
                .iter()
                .filter(|(path, files)| ours.get(*path) != Some(files))
                .map(|(path, files)| (path, files, ours.get(path)))
                .chain(
                    ours.iter()
                        .filter(|(path, _)| !theirs.contains_key(*path))
                        .map(|(path, files)| (path, files, None)),
                )
                .collect();
            println!("{platform:?} {kind:?}: {} packages", theirs.len());
            assert!(
                differing.is_empty(),
                "{platform:?} {kind:?}: {differing:#?}"
            );
        }
    }
}

#[test]
fn every_import_of_the_standard_library_resolves_as_go_list_prints() {
    if !slow() {
        return;
    }
    let platform = ("linux", "amd64");
    let goroot = go("/", platform, &["env", "GOROOT"]);
    let src = format!("{}/src", goroot.trim());
    let names = Names::default();
    let headers = headers(&src, &names);
    let layout = lay_out(&src, &headers, &names, platform);
    // Imports as written are at the same index as the paths that they map to.
    let format = "{{$p := .}}{{range .Imports}}{{$p.Dir}}|{{.}}\n{{end}}";
    let listed = go(&src, platform, &["list", "-e", "-f", format, "std", "cmd"]);
    let mut count = 0;
    for line in listed.lines().filter(|line| !line.is_empty()) {
        let Some((dir, path)) = line.split_once('|') else {
            continue;
        };
        // A command built with a profile has variants of its packages: `p [cmd/compile]`.
        let path = path.split(' ').next().unwrap_or(path);
        if matches!(path, "unsafe" | "C") {
            continue;
        }
        let written = path
            .strip_prefix("cmd/vendor/")
            .or_else(|| path.strip_prefix("vendor/"))
            .unwrap_or(path);
        assert!(Path::new(dir).is_absolute());
        assert_eq!(
            find(&layout, dir, written),
            format!("{src}/{path}"),
            "{dir}"
        );
        count += 1;
    }
    println!("{count} imports");
    assert!(count > 3000);
}
