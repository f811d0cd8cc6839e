//! What is asked about: the standard libraries, and the projects that were fetched.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::answers::graph::Graph;
use crate::answers::library::Library;
use crate::asks::projects::{self, Language};
use crate::place;
use crate::python::packages;

/// The part of the questions that is about projects, where some were fetched: two in five.
const PROJECTS: (usize, usize) = (2, 5);

/// A folder of sources in one language.
pub struct Corpus {
    pub name: String,
    pub root: PathBuf,
    /// The language, named by its library.
    pub library: Library,
    is_project: bool,
}

impl Corpus {
    /// Returns a folder of a language.
    pub fn of(root: &Path, language: Language) -> Result<Corpus> {
        let root = root.canonicalize();
        let root = root.context("the folder is not there")?;
        let name = root.file_name().unwrap_or_default();
        Ok(Corpus {
            name: name.to_string_lossy().into_owned(),
            root,
            library: match language {
                Language::Go => Library::Go,
                Language::Python => Library::Python,
            },
            is_project: false,
        })
    }

    /// Returns its nodes and calls, as a binary exports them.
    pub fn export(&self, binary: &Path) -> Result<Graph> {
        let file = place::work()?.join("tokens.json");
        let mut export = Command::new(binary);
        export.args(["export", "--quiet", "--format", "json", "--edges", "calls"]);
        export.arg("--root").arg(&self.root);
        export.arg("--output").arg(&file);
        place::stdout(&mut export)?;
        let graph = Graph::read(BufReader::new(File::open(&file)?))?;
        std::fs::remove_file(&file)?;
        Ok(graph)
    }
}

/// Returns the standard libraries, and the projects of `cargo xtask asks` that were fetched.
pub fn all() -> Result<Vec<Corpus>> {
    let mut all = vec![
        Corpus {
            name: "go".to_owned(),
            ..Corpus::of(&place::goroot_src()?, Language::Go)?
        },
        Corpus {
            name: "python".to_owned(),
            ..Corpus::of(&packages::library()?, Language::Python)?
        },
    ];
    for project in projects::all()? {
        match project.folder() {
            Ok(folder) => all.push(Corpus {
                name: project.name.to_owned(),
                is_project: true,
                ..Corpus::of(&folder, project.language)?
            }),
            Err(error) => eprintln!("not asked about {}: {error:#}", project.name),
        }
    }
    Ok(all)
}

/// Returns how many questions each corpus gets: the same number each library, the same each project.
pub fn shares(corpora: &[Corpus], count: usize) -> Vec<usize> {
    let projects = corpora.iter().filter(|one| one.is_project).count();
    let libraries = corpora.len() - projects;
    let about_projects = match (projects, libraries) {
        (0, _) => 0,
        (_, 0) => count,
        _ => count * PROJECTS.0 / PROJECTS.1,
    };
    let share =
        |index: usize, of: usize, count: usize| count / of + usize::from(index < count % of);
    let (mut project, mut library) = (0, 0);
    corpora
        .iter()
        .map(|corpus| {
            if corpus.is_project {
                project += 1;
                share(project - 1, projects, about_projects)
            } else {
                library += 1;
                share(library - 1, libraries, count - about_projects)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_is_about_one_corpus() {
        let corpus = |is_project| Corpus {
            name: String::new(),
            root: PathBuf::new(),
            library: Library::Go,
            is_project,
        };
        assert_eq!(shares(&[corpus(false), corpus(false)], 500), [250, 250]);
        let projects = [true, false, true, false, true].map(corpus);
        assert_eq!(shares(&projects, 500), [67, 150, 67, 150, 66]);
    }
}
