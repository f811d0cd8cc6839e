//! The standard libraries that questions are asked about.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::place;

/// A standard library, named by its language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Library {
    Go,
    Python,
}

/// All of them, in the order in which they are asked.
pub const LIBRARIES: [Library; 2] = [Library::Go, Library::Python];

impl Library {
    /// The folder of its sources, as the `go` and `python3` on `PATH` name it.
    pub fn find(self) -> Result<PathBuf> {
        let folder = match self {
            Library::Go => place::goroot_src()?,
            Library::Python => {
                let script = "import sysconfig; print(sysconfig.get_path('stdlib'))";
                let printed = place::stdout(Command::new("python3").args(["-c", script]))
                    .context("python3 is asked where its library is; is Python installed?")?;
                let folder = PathBuf::from(printed.trim());
                if !folder.join("json").is_dir() {
                    bail!("{} holds no Python library", folder.display());
                }
                folder
            }
        };
        let real = folder.canonicalize();
        real.with_context(|| format!("cannot find {}", folder.display()))
    }

    /// As messages and recordings name it.
    pub fn name(self) -> &'static str {
        match self {
            Library::Go => "go",
            Library::Python => "python",
        }
    }

    /// The prefix of ids that names the language.
    pub fn id_prefix(self) -> &'static str {
        match self {
            Library::Go => "go:",
            Library::Python => "py:",
        }
    }
}
