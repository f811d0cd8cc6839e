//! The corpora that are measured.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use codeweft_workspace::{LoadOptions, ProjectDatabase};

/// A workspace on disk.
pub struct Corpus {
    /// The prefix of its figures' names.
    pub name: &'static str,
    /// Its root.
    pub root: PathBuf,
    /// The files of its largest import cycle, relative to the root; empty if they are not listed.
    pub cycle: BTreeSet<String>,
}

/// Returns the corpora that `cargo xtask corpora` fetches, Python's own library and sympy, and Django,
/// which `cargo xtask asks --fetch` does.
pub fn all() -> Result<Vec<Corpus>, String> {
    let folder = match std::env::var_os("CODEWEFT_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => match std::env::var_os("CARGO_TARGET_DIR") {
            Some(target) => PathBuf::from(target).join("corpora"),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora"),
        },
    };
    let mut corpora = Vec::new();
    let wanted = [
        ("python", "cpython-3.11", "corpora"),
        ("sympy", "sympy-", "corpora"),
        ("django", "django-", "asks --fetch"),
    ];
    for (name, start, fetch) in wanted {
        match starting_with(&folder, start) {
            Some(root) => corpora.push(Corpus {
                name,
                cycle: cycle_of(&root),
                root,
            }),
            None => println!(
                "\nskipped: {} has no {start}: cargo xtask {fetch}",
                folder.display()
            ),
        }
    }
    if corpora.is_empty() {
        Err(format!("{} holds no Python corpus", folder.display()))
    } else {
        Ok(corpora)
    }
}

/// Returns the folder whose name starts with `start`; the last by name if there are several.
fn starting_with(folder: &Path, start: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let fitting = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let name = path.file_name()?.to_str()?;
        let fits = name.starts_with(start) && !name.ends_with(".partial") && path.is_dir();
        fits.then_some(path)
    });
    fitting.max()
}

fn cycle_of(root: &Path) -> BTreeSet<String> {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let list = root.with_file_name(format!("{name}.cycle"));
    let text = std::fs::read_to_string(list).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

impl Corpus {
    /// Returns the options to load it with.
    pub fn options(&self) -> LoadOptions<'static> {
        LoadOptions::new(&self.root)
    }

    /// Returns a database of it that has indexed everything.
    pub fn indexed(&self) -> ProjectDatabase {
        let host = ProjectDatabase::load(self.options()).expect("the corpus is a workspace");
        host.index_all(0, &|_| {});
        host
    }

    /// Returns the same as a server has it: after a new declaration its questions find the files that they
    /// need by text, until all uses were verified again.
    pub fn served(&self) -> ProjectDatabase {
        let options = LoadOptions {
            on_demand: true,
            ..self.options()
        };
        let host = ProjectDatabase::load(options).expect("the corpus is a workspace");
        host.index_all(0, &|_| {});
        host
    }
}
