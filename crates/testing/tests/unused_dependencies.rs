//! Checks that every dependency in a `Cargo.toml` of the workspace is used.
//!
//! A dependency counts as used if its crate's name occurs as the first part of a path, or in a `use`, outside of
//! comments:
//!
//! ```text
//! [dependencies]          src/ and build.rs               serde::Serialize, use serde as s
//! [dev-dependencies]      also tests/, benches/, examples/
//! [workspace.dependencies]  the key of a dependency of some crate
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A package of the workspace.
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
    sources: Vec<Source>,
}

/// A dependency of a package.
struct Dependency {
    /// The key in `Cargo.toml`.
    key: String,
    /// Whether only tests, benches and examples may use it.
    dev: bool,
}

/// A source file of a package.
struct Source {
    /// From the folder of the package, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// Returns whether the library or the binary of the package is built from the file.
    fn is_built(&self) -> bool {
        self.path.starts_with("src/") || self.path == "build.rs"
    }
}

/// Returns the dependencies that no source of their package names.
fn unused(packages: &[Package]) -> Vec<String> {
    let mut unused = Vec::new();
    for package in packages {
        for Dependency { key, dev } in &package.dependencies {
            let name = key.replace('-', "_");
            let may_use = package
                .sources
                .iter()
                .filter(|source| *dev || source.is_built());
            if !may_use
                .flat_map(|source| source.text.lines())
                .any(|line| names(line, &name))
            {
                let kind = if *dev {
                    "dev-dependencies"
                } else {
                    "dependencies"
                };
                unused.push(format!("{}: {key} in [{kind}]", package.name));
            }
        }
    }
    unused
}

/// Returns whether a line of source names a crate.
fn names(line: &str, name: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let whole = !before.ends_with(part) && !after.starts_with(part);
        let before = before.trim_end();
        // `::some_crate` is the crate; `other::some_crate` is not.
        let (outside, before) = match before.strip_suffix("::") {
            Some(outside) => (
                outside.ends_with(|c| part(c) || c == '>'),
                outside.trim_end(),
            ),
            None => (false, before),
        };
        let used = before.ends_with("use") || before.ends_with("crate");
        whole && !outside && (after.trim_start().starts_with("::") || used)
    })
}

/// Returns the keys of `[workspace.dependencies]` that no package has as a dependency.
fn unused_in_workspace(manifest: &str, packages: &[Package]) -> Vec<String> {
    let section = manifest
        .lines()
        .skip_while(|line| line.trim() != "[workspace.dependencies]");
    let rows = section.skip(1).take_while(|line| !line.starts_with('['));
    let keys = rows.filter_map(|row| Some(row.split_once('=')?.0.trim()));
    let is_used = |key: &str| {
        let mut dependencies = packages.iter().flat_map(|package| &package.dependencies);
        dependencies.any(|dependency| dependency.key == key)
    };
    keys.filter(|key| !is_used(key))
        .map(|key| format!("{key} in [workspace.dependencies]"))
        .collect()
}

/// Returns the packages in the output of `cargo metadata --no-deps`, with the sources that `sources` reads from a
/// package's folder.
fn packages(metadata: &Value, sources: impl Fn(&Path) -> Vec<Source>) -> Vec<Package> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let dependency = |value: &Value| Dependency {
        key: text(&value["rename"])
            .or_else(|| text(&value["name"]))
            .unwrap_or_default(),
        dev: value["kind"] == "dev",
    };
    list(&metadata["packages"])
        .iter()
        .map(|package| {
            let manifest = PathBuf::from(text(&package["manifest_path"]).unwrap_or_default());
            Package {
                name: text(&package["name"]).unwrap_or_default(),
                dependencies: list(&package["dependencies"])
                    .iter()
                    .map(dependency)
                    .collect(),
                sources: manifest.parent().map(&sources).unwrap_or_default(),
            }
        })
        .collect()
}

/// Reads the sources of a package.
fn read(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder of the workspace can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(folder).expect("below the package");
                sources.push(Source {
                    path: below.to_string_lossy().replace('\\', "/"),
                    text: std::fs::read_to_string(&path).expect("a source is text"),
                });
            }
        }
    }
    sources
}

#[test]
fn every_dependency_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testing lies two folders below the root");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .expect("cargo starts");
    let metadata = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = packages(&metadata, read);
    assert!(packages.len() > 10, "cargo metadata lists the packages");
    assert!(packages.iter().all(|package| !package.sources.is_empty()));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the root has one");
    let mut unused = unused(&packages);
    unused.extend(unused_in_workspace(&manifest, &packages));
    assert_eq!(unused, [""; 0]);
}

// The rule on inputs that break it, and on inputs that do not.

/// Returns a package with one dependency `some-crate` and one source.
fn package(kind: Value, path: &str, text: &str) -> Vec<Package> {
    let metadata = serde_json::json!({"packages": [{
        "name": "one",
        "manifest_path": "/one/Cargo.toml",
        "dependencies": [{"name": "some-crate", "kind": kind}],
    }]});
    packages(&metadata, |_| {
        vec![Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }]
    })
}

#[test]
fn a_dependency_that_no_source_names_is_reported() {
    for text in [
        "",
        "// some_crate::f()",
        "fn f() {} // use some_crate;",
        "use other::some_crate::f;",
        "let some_crate = 1;",
        "some_crates::f(); awesome_crate::f();",
    ] {
        let packages = package(Value::Null, "src/lib.rs", text);
        assert_eq!(
            unused(&packages),
            ["one: some-crate in [dependencies]"],
            "{text}"
        );
    }
}

#[test]
fn a_dependency_that_a_source_names_is_not_reported() {
    for text in [
        "use some_crate::f;",
        "use some_crate as other;",
        "pub use ::some_crate::f;",
        "extern crate some_crate;",
        "#[derive(some_crate::Derive)]",
        "fn f(of: &some_crate::Type) {}",
    ] {
        let packages = package(Value::Null, "src/a/b.rs", text);
        assert_eq!(unused(&packages), [""; 0], "{text}");
    }
}

#[test]
fn a_dependency_that_only_tests_name_belongs_to_the_dev_dependencies() {
    let text = "use some_crate::f;";
    let packages = package(Value::Null, "tests/a.rs", text);
    assert_eq!(unused(&packages), ["one: some-crate in [dependencies]"]);
    for path in ["tests/a.rs", "benches/a.rs", "src/a/tests.rs"] {
        assert_eq!(
            unused(&package("dev".into(), path, text)),
            [""; 0],
            "{path}"
        );
    }
    let unnamed = package("dev".into(), "tests/a.rs", "");
    assert_eq!(unused(&unnamed), ["one: some-crate in [dev-dependencies]"]);
}

#[test]
fn a_renamed_dependency_is_named_by_its_key() {
    let metadata = serde_json::json!({"packages": [{
        "name": "one",
        "manifest_path": "/one/Cargo.toml",
        "dependencies": [{"name": "some-crate", "rename": "short", "kind": null}],
    }]});
    let with = |text: &str| {
        let text = text.to_owned();
        let path = "src/lib.rs".to_owned();
        unused(&packages(&metadata, |_| {
            vec![Source {
                path: path.clone(),
                text: text.clone(),
            }]
        }))
    };
    assert_eq!(with("use short::f;"), [""; 0]);
    assert_eq!(with("use some_crate::f;"), ["one: short in [dependencies]"]);
}

#[test]
fn a_dependency_of_the_workspace_that_no_crate_has_is_reported() {
    let packages = package(Value::Null, "src/lib.rs", "use some_crate::f;");
    let manifest = "[workspace]\nmembers = []\n\n[workspace.dependencies]\nsome-crate = \"1\"\n\
                    other = { path = \"other\" }\n\n[profile.dev]\nopt-level = 3\n";
    assert_eq!(
        unused_in_workspace(manifest, &packages),
        ["other in [workspace.dependencies]"]
    );
}
