//! The ten projects that are asked about: `bench-data/asks/projects.tsv`, and fetching them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::modules::Module;
use crate::python::interpreter::{Interpreter, module};
use crate::python::packages;
use crate::{corpora, place};

const LIST: &str = include_str!("../../../bench-data/asks/projects.tsv");

/// The language of a project.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    Go,
    Python,
}

impl Language {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Language::Go => "go",
            Language::Python => "python",
        }
    }
}

/// A project of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    /// `flask`.
    pub name: &'static str,
    pub language: Language,
    /// The path of the Go module, or the name of the package on PyPI.
    registered: &'static str,
    version: &'static str,
    /// The subfolder of its tree that Python imports from.
    sources: &'static str,
    /// What is installed into its environment: `NAME==VERSION`.
    installed: Vec<&'static str>,
}

/// Returns all projects, in order.
pub fn all() -> Result<Vec<Project>> {
    read(LIST)
}

fn read(list: &'static str) -> Result<Vec<Project>> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, language, registered, version, sources, installed] = fields[..] else {
                bail!("projects.tsv: not six fields: {line}");
            };
            let language = match language {
                "go" => Language::Go,
                "python" => Language::Python,
                other => bail!("projects.tsv: no language {other}"),
            };
            let installed = installed.split(',').filter(|one| *one != "-");
            Ok(Project {
                name,
                language,
                registered,
                version,
                sources: if sources == "." { "" } else { sources },
                installed: installed.collect(),
            })
        })
        .collect()
}

impl Project {
    /// Returns its folder, with the environment of a Python project; an error if one of them was not
    /// fetched.
    pub fn folder(&self) -> Result<PathBuf> {
        let folder = match self.language {
            Language::Go => corpora::folder()?.join(self.module().name()),
            Language::Python => corpora::folder()?.join(self.package().label()),
        };
        let is_complete = match self.environment()? {
            Some(environment) => environment.join(MARK).is_file(),
            None => folder.join("go.mod").is_file(),
        };
        if !folder.is_dir() || !is_complete {
            bail!("{} is not there: cargo xtask asks --fetch", self.name);
        }
        Ok(folder)
    }

    /// Returns the folder of a Python project's virtual environment, which holds its dependencies
    /// and not the project.
    pub fn environment(&self) -> Result<Option<PathBuf>> {
        match self.language {
            Language::Go => Ok(None),
            Language::Python => {
                let name = format!("asks-venv-{}", self.name);
                Ok(Some(corpora::folder()?.join(name)))
            }
        }
    }

    /// Downloads it from its registry, with its dependencies, and returns its folder.
    pub fn fetch(&self) -> Result<PathBuf> {
        match self.environment()? {
            None => self.module().bring(),
            Some(environment) => {
                let folder = self.package().bring()?;
                self.install(&environment)?;
                Ok(folder)
            }
        }
    }

    fn module(&self) -> Module {
        Module {
            path: self.registered.to_owned(),
            version: self.version.to_owned(),
            nested: Vec::new(),
            commands: Vec::new(),
            is_test: false,
        }
    }

    fn package(&self) -> packages::Package {
        packages::source(self.registered, self.version, self.sources, None)
    }

    /// Makes the environment, if it was not made of these packages. The file of their names is
    /// written last.
    fn install(&self, environment: &Path) -> Result<()> {
        let mark = environment.join(MARK);
        let wanted = self.installed.join("\n") + "\n";
        if std::fs::read_to_string(&mark).is_ok_and(|made_of| made_of == wanted) {
            return Ok(());
        }
        let python = Interpreter::find()?.program;
        place::stdout(
            module(&python, "venv")
                .args(["--clear", "--without-pip"])
                .arg(environment),
        )?;
        if !self.installed.is_empty() {
            place::stdout(
                module(&python, "pip")
                    .arg("--python")
                    .arg(environment.join("bin/python"))
                    .args(["install", "--quiet", "--no-deps"])
                    .args(&self.installed),
            )?;
        }
        std::fs::write(&mark, wanted).with_context(|| format!("cannot write {}", mark.display()))
    }
}

/// The file of an environment that says what it was made of.
const MARK: &str = "installed.txt";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_five_projects_in_each_language() {
        let projects = all().unwrap();
        for language in [Language::Go, Language::Python] {
            let count = projects.iter().filter(|one| one.language == language);
            assert_eq!(count.count(), 5, "{}", language.name());
        }
        let flask = projects.iter().find(|one| one.name == "flask").unwrap();
        assert_eq!(flask.package().label(), "flask-3.1.0");
        assert!(flask.installed.contains(&"werkzeug==3.1.3"));
    }

    #[test]
    fn a_list_of_another_form_is_refused() {
        assert!(read("a\tgo\tb\n").is_err());
        assert!(read("a\tc\tb\tv1\t.\t-\n").is_err());
        let [one] = &read("# words\na\tgo\tb/c\tv1\t.\t-\n").unwrap()[..] else {
            panic!("one project");
        };
        assert_eq!(one.module().name(), "b_c");
        assert!(one.installed.is_empty() && one.sources.is_empty());
    }
}
