//! Which program a name on PATH means: links and shims lead to the one that they start, so that two ways to
//! one program are one program.
//!
//! ```text
//! ~/.pyenv/shims/python3  --.python-version, ~/.pyenv/version-->  ~/.pyenv/versions/3.11.7/bin/python3
//!                         --links-->                              ~/.pyenv/versions/3.11.7/bin/python3.11
//! ```

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The name of a folder of shims; beside it lie `version` and `versions`.
const SHIMS: &str = "shims";

/// What is read of a file that names a version, in bytes.
const VERSION_BYTES: u64 = 4096;

/// A program that a language's layout depends on; see the fields of the same names of
/// [`specs`](codeweft_graph::languages::specs).
#[derive(Clone, Copy, Debug)]
pub(super) struct LanguageProgram {
    pub(super) program: &'static str,
    pub(super) environment_file: Option<&'static str>,
    pub(super) version_file: Option<&'static str>,
}

impl LanguageProgram {
    /// Returns the program that is found in the absolute ones of these folders, for the workspace at `root`:
    /// with links followed, and for a shim the program that it starts there. A program in an environment of its
    /// own stays itself, because it has other libraries than the one that it links to.
    pub(super) fn installed(
        &self,
        root: &Path,
        folders: impl Iterator<Item = PathBuf>,
    ) -> Option<String> {
        let mut folders = folders.filter(|folder| folder.is_absolute());
        let found = folders.find_map(|folder| {
            let file = folder.join(self.program);
            if !file.is_file() {
                return None;
            }
            match folder.parent() {
                Some(manager) if folder.file_name() == Some(OsStr::new(SHIMS)) => {
                    self.behind_shim(manager, root)
                }
                _ => Some(file),
            }
        })?;
        let program = if self.is_in_environment(&found) {
            found
        } else {
            fs::canonicalize(&found).unwrap_or(found)
        };
        program.into_os_string().into_string().ok()
    }

    fn is_in_environment(&self, file: &Path) -> bool {
        let folder = file.parent().and_then(Path::parent);
        let marker = folder.zip(self.environment_file);
        marker.is_some_and(|(folder, name)| folder.join(name).is_file())
    }

    /// Returns the program that a shim of the manager in a folder starts in a workspace.
    fn behind_shim(&self, manager: &Path, root: &Path) -> Option<PathBuf> {
        let own = self.version_file.map(|name| root.join(name));
        let files = own.into_iter().chain([manager.join("version")]);
        let versions = files.filter_map(|file| first_word(&file));
        let mut programs = versions.map(|version| {
            let folder = manager.join("versions").join(version);
            folder.join("bin").join(self.program)
        });
        programs.find(|file| file.is_file())
    }
}

/// Returns the first word of a file.
fn first_word(file: &Path) -> Option<String> {
    if !file.is_file() {
        return None;
    }
    let mut text = String::new();
    let opened = File::open(file).ok()?;
    opened.take(VERSION_BYTES).read_to_string(&mut text).ok()?;
    text.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const PROGRAM: LanguageProgram = LanguageProgram {
        program: "toy",
        environment_file: Some("toy.cfg"),
        version_file: Some(".toy-version"),
    };

    /// A home with two versions behind a shim, and a workspace.
    struct Home {
        top: tempfile::TempDir,
    }

    impl Home {
        fn new() -> Home {
            let home = Home {
                top: tempfile::tempdir().expect("a temporary folder"),
            };
            home.write("env/shims/toy", "#!/bin/sh\n");
            home.write("env/version", "1.0\n");
            for version in ["1.0", "2.0"] {
                home.write(&format!("env/versions/{version}/bin/toy3"), "");
                symlink("toy3", home.at(&format!("env/versions/{version}/bin/toy"))).expect("made");
            }
            home.write("w/a.toy", "");
            home
        }

        fn at(&self, path: &str) -> PathBuf {
            let top = fs::canonicalize(self.top.path()).expect("there");
            top.join(path)
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.at(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }

        /// Returns the program on a path of these folders, relative to the home.
        fn installed(&self, folders: &[&str]) -> Option<String> {
            let path = folders.iter().map(|folder| self.at(folder));
            let found = PROGRAM.installed(&self.at("w"), path)?;
            let relative = Path::new(&found).strip_prefix(self.at("")).ok()?.to_str()?;
            Some(relative.to_owned())
        }
    }

    #[test]
    fn a_shim_is_the_program_that_it_starts() {
        let home = Home::new();
        let shim = home.installed(&["none", "env/shims"]);
        assert_eq!(shim.as_deref(), Some("env/versions/1.0/bin/toy3"));
        assert_eq!(shim, home.installed(&["env/versions/1.0/bin"]));
        home.write("w/.toy-version", "2.0\n1.0\n");
        let shim = home.installed(&["env/shims"]);
        assert_eq!(shim.as_deref(), Some("env/versions/2.0/bin/toy3"));
        // One that is not installed, as `system`.
        home.write("w/.toy-version", "system\n");
        let shim = home.installed(&["env/shims"]);
        assert_eq!(shim.as_deref(), Some("env/versions/1.0/bin/toy3"));
        home.write("env/version", "system\n");
        assert_eq!(home.installed(&["env/shims"]), None);
        let behind = home.installed(&["env/shims", "env/versions/2.0/bin"]);
        assert_eq!(behind.as_deref(), Some("env/versions/2.0/bin/toy3"));
    }

    #[test]
    fn a_program_of_an_environment_is_not_the_one_that_it_links_to() {
        let home = Home::new();
        home.write("w/.venv/toy.cfg", "");
        fs::create_dir(home.at("w/.venv/bin")).expect("made");
        let linked = home.at("env/versions/1.0/bin/toy3");
        symlink(&linked, home.at("w/.venv/bin/toy")).expect("made");
        let own = home.installed(&["w/.venv/bin", "env/shims"]);
        assert_eq!(own.as_deref(), Some("w/.venv/bin/toy"));
        fs::remove_file(home.at("w/.venv/toy.cfg")).expect("there");
        let plain = home.installed(&["w/.venv/bin"]);
        assert_eq!(plain.as_deref(), Some("env/versions/1.0/bin/toy3"));
    }
}
