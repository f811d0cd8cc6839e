//! The modules that Go answers are judged on: `judges/go/modules.tsv`, and fetching them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::{corpora, place};

const LIST: &str = include_str!("../judges/go/modules.tsv");

/// Every module whose number in the list is a multiple of this belongs to the test set.
const TEST_SET: usize = 4;

/// A module of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    pub path: String,
    /// `vX.Y.Z`.
    pub version: String,
    /// Modules of the same repository in subfolders, with their versions.
    pub nested: Vec<(String, String)>,
    /// Packages of commands, `./cmd/x`, whose call graphs are compared.
    pub commands: Vec<String>,
    /// Whether it belongs to the test set, which is judged only once.
    pub is_test: bool,
}

impl Module {
    /// Returns its folder's name below the corpora.
    pub fn name(&self) -> String {
        self.path.replace('/', "_")
    }

    /// Returns its folder; an error if it was not fetched.
    pub fn folder(&self) -> Result<PathBuf> {
        let folder = corpora::folder()?.join(self.name());
        if !folder.join("go.mod").is_file() {
            let flag = if self.is_test { " --test-set" } else { "" };
            bail!("{} is not there: cargo xtask corpora{flag}", self.path);
        }
        Ok(folder)
    }

    /// Returns the folders of the nested modules, relative to the root's.
    fn nested_folders(&self) -> Vec<String> {
        let below = |path: &str| path.strip_prefix(&self.path).map(str::to_owned);
        let paths = self.nested.iter().filter_map(|(path, _)| below(path));
        paths
            .map(|path| path.trim_start_matches('/').to_owned())
            .collect()
    }

    /// Returns the go command's patterns for all of its packages, including those of nested
    /// modules.
    pub fn patterns(&self) -> Vec<String> {
        let nested = self.nested_folders();
        let nested = nested.iter().map(|folder| format!("./{folder}/..."));
        std::iter::once("./...".to_owned()).chain(nested).collect()
    }

    /// Returns the value of GOWORK for the go command: a file outside of the module that joins it
    /// with its nested modules; `off` if there are none.
    pub fn workspace(&self) -> Result<String> {
        if self.nested.is_empty() {
            return Ok("off".to_owned());
        }
        let root = self.folder()?;
        let folder = place::work()?.join("workspaces").join(self.name());
        corpora::emptied(&folder)?;
        let mut init = Command::new("go");
        init.args(["work", "init"])
            .arg(&root)
            .args(self.nested_folders().iter().map(|nested| root.join(nested)))
            .env_remove("GOWORK")
            .current_dir(&folder);
        place::stdout(&mut init)?;
        Ok(folder.join("go.work").to_string_lossy().into_owned())
    }

    /// Downloads it with the `go` command and copies it, writable, with its nested modules and the
    /// folders that its modules' `replace` directives name. Downloads its imports too. A file
    /// beside its folder, written last, contains the fetched version.
    pub fn bring(&self) -> Result<PathBuf> {
        let root = corpora::folder()?.join(self.name());
        let output = corpora::folder()?.join(format!("{}.version", self.name()));
        let there = std::fs::read_to_string(&output).unwrap_or_default();
        if root.is_dir() && there == self.version {
            return Ok(root);
        }
        if !there.is_empty() {
            corpora::emptied(&root)?; // another version
        }
        copy(&self.path, &self.version, &root)?;
        let mut folders = vec![root.clone()];
        for ((path, version), below) in self.nested.iter().zip(self.nested_folders()) {
            let folder = root.join(below);
            copy(path, version, &folder)?;
            folders.push(folder);
        }
        // A replacement folder may have replacements itself.
        let mut next = 0;
        while let Some(folder) = folders.get(next).cloned() {
            next += 1;
            for (path, version, place) in replaced(&folder)? {
                if !place.join("go.mod").is_file() {
                    copy(&path, &version, &place)?;
                    folders.push(place);
                }
            }
        }
        for folder in folders {
            download(&folder)?;
        }
        std::fs::write(output, &self.version)?;
        Ok(root)
    }
}

/// Returns all modules of the list, in order.
pub fn all() -> Result<Vec<Module>> {
    read(LIST)
}

/// Returns the module with this path.
pub fn find(path: &str) -> Result<Module> {
    let found = all()?.into_iter().find(|module| module.path == path);
    found.with_context(|| format!("judges/go/modules.tsv has no {path}"))
}

fn read(list: &str) -> Result<Vec<Module>> {
    let lines = list
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut modules = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, version, nested, commands, _why] = fields[..] else {
            bail!("modules.tsv: not five fields: {line}");
        };
        let listed = |field: &str| -> Vec<String> {
            let parts = field.split(',').filter(|part| *part != "-");
            parts.map(str::to_owned).collect()
        };
        let versioned = |path: String| match path.split_once('@') {
            Some((path, version)) => (path.to_owned(), version.to_owned()),
            None => (path, version.to_owned()),
        };
        modules.push(Module {
            path: path.to_owned(),
            version: version.to_owned(),
            nested: listed(nested).into_iter().map(versioned).collect(),
            commands: listed(commands),
            is_test: (modules.len() + 1).is_multiple_of(TEST_SET),
        });
    }
    Ok(modules)
}

/// Copies a version of a module out of the module cache, if it is not copied yet.
pub fn copy(path: &str, version: &str, place: &Path) -> Result<()> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Downloaded {
        dir: PathBuf,
    }
    if place.join("go.mod").is_file() {
        return Ok(());
    }
    let output = place::stdout(
        Command::new("go")
            .args(["mod", "download", "-json", &format!("{path}@{version}")])
            .current_dir(corpora::folder()?),
    )?;
    let output: Downloaded =
        serde_json::from_str(&output).context("go mod download told no folder")?;
    if let Some(above) = place.parent() {
        std::fs::create_dir_all(above)?;
    }
    place::stdout(
        Command::new("cp")
            .args(["-R", "--no-preserve=mode", "-T"])
            .arg(&output.dir)
            .arg(place),
    )?;
    Ok(())
}

/// Returns the folders that a module's `replace` directives name and require: path, version,
/// folder.
fn replaced(module: &Path) -> Result<Vec<(String, String, PathBuf)>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Version {
        path: String,
        #[serde(default)]
        version: String,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Replace {
        old: Version,
        new: Version,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct File {
        require: Option<Vec<Version>>,
        replace: Option<Vec<Replace>>,
    }
    let output = place::stdout(
        Command::new("go")
            .args(["mod", "edit", "-json"])
            .current_dir(module),
    )?;
    let file: File = serde_json::from_str(&output).context("go mod edit printed no module")?;
    let required: BTreeMap<String, String> = file
        .require
        .unwrap_or_default()
        .into_iter()
        .map(|one| (one.path, one.version))
        .collect();
    let local = file
        .replace
        .unwrap_or_default()
        .into_iter()
        .filter(|one| one.new.path.starts_with('.'));
    Ok(local
        .filter_map(|one| {
            let version = required.get(&one.old.path)?.clone();
            Some((one.old.path, version, normal(&module.join(one.new.path))))
        })
        .collect())
}

/// Returns a path without `.` and `..`; it need not exist.
fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// Downloads a module's imports, tests included.
fn download(module: &Path) -> Result<()> {
    let go = |arguments: &[&str], flags: Option<&str>| {
        let mut command = Command::new("go");
        command
            .args(arguments)
            .env("GOWORK", "off")
            .current_dir(module);
        if let Some(flags) = flags {
            command.env("GOFLAGS", flags);
        }
        place::output(&mut command)
    };
    let complaint = |of: &Output| String::from_utf8_lossy(&of.stderr).trim().to_owned();
    let fetched = go(&["mod", "download"], None)?;
    if !fetched.status.success() {
        eprintln!("{}: {}", module.display(), complaint(&fetched));
    }
    let everything = ["list", "-deps", "-test", "./..."];
    let mut listed = go(&everything, None)?;
    if !listed.status.success() {
        // go.sum lacks what only tests of dependencies need.
        listed = go(&everything, Some("-mod=mod"))?;
    }
    if !listed.status.success() {
        bail!("{}: {}", module.display(), complaint(&listed));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_by_hash_and_every_fourth_is_a_test() {
        let modules = all().unwrap();
        assert_eq!(modules.len(), 20);
        let tests: Vec<&str> = modules
            .iter()
            .filter(|module| module.is_test)
            .map(|module| module.path.as_str())
            .collect();
        assert_eq!(
            tests,
            [
                "go.uber.org/zap",
                "gonum.org/v1/gonum",
                "honnef.co/go/tools",
                "github.com/yuin/goldmark",
                "k8s.io/client-go"
            ]
        );
    }

    #[test]
    fn nested_modules_are_in_subfolders() {
        let list = "# words\na.b/c\tv1.2.3\ta.b/c/d,a.b/c/d/e@v0.1.0\t.,./cmd/x\twhy\n\
                    f\tv1.0.0\t-\t-\twhy\n";
        let modules = read(list).unwrap();
        let module = &modules[0];
        assert_eq!(module.name(), "a.b_c");
        assert_eq!(module.nested[0].1, "v1.2.3");
        assert_eq!(module.nested[1], ("a.b/c/d/e".into(), "v0.1.0".into()));
        assert_eq!(module.patterns(), ["./...", "./d/...", "./d/e/..."]);
        assert_eq!(module.commands, [".", "./cmd/x"]);
        assert_eq!(modules[1].workspace().unwrap(), "off");
        assert!(modules[1].commands.is_empty());
        assert!(read("a\tb\n").is_err());
    }

    #[test]
    fn a_module_whose_imports_cannot_be_had_is_not_there() {
        if Command::new("go").arg("version").output().is_err() {
            eprintln!("skipped: no Go toolchain");
            return;
        }
        let folder = place::work().unwrap().join("tests/imports");
        corpora::emptied(&folder).unwrap();
        let module = "module example.com/m\n\ngo 1.23\n";
        std::fs::write(folder.join("go.mod"), module).unwrap();
        std::fs::write(folder.join("m.go"), "package m\n\nimport _ \"fmt\"\n").unwrap();
        download(&folder).unwrap();
        let absent = format!(
            "{module}\nrequire example.com/absent v1.0.0\n\nreplace example.com/absent => ./absent\n"
        );
        std::fs::write(folder.join("go.mod"), absent).unwrap();
        let text = "package m\n\nimport _ \"example.com/absent\"\n";
        std::fs::write(folder.join("m.go"), text).unwrap();
        let error = download(&folder).unwrap_err().to_string();
        assert!(error.contains("absent"), "{error}");
    }

    #[test]
    fn paths_are_made_normal() {
        assert_eq!(normal(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
    }
}
