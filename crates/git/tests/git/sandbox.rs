//! Folders with repositories that the real `git` makes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use codeweft_git::Repository;

/// A temporary folder; it goes away at the end.
pub struct Sandbox {
    _folder: tempfile::TempDir,
    /// The folder with links followed.
    pub top: PathBuf,
}

impl Sandbox {
    /// An empty folder; `None`, with a printed line, if there is no program `git`.
    pub fn new() -> Option<Sandbox> {
        if Command::new("git").arg("--version").output().is_err() {
            println!("skipped: there is no program git");
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let top = std::fs::canonicalize(folder.path()).expect("it is there");
        Some(Sandbox {
            _folder: folder,
            top,
        })
    }

    /// A folder with an empty repository.
    pub fn repository() -> Option<Sandbox> {
        let sandbox = Sandbox::new()?;
        sandbox.git("init -q .");
        Some(sandbox)
    }

    /// The path of a file or folder, as text.
    pub fn path(&self, name: &str) -> String {
        self.top.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file, and the folders that it needs.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.top.join(name);
        std::fs::create_dir_all(path.parent().expect("below the top")).expect("folders are made");
        std::fs::write(path, text).expect("it is written");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.top.join(name)).expect("it can be read")
    }

    pub fn remove(&self, name: &str) {
        std::fs::remove_file(self.top.join(name)).expect("it is removed");
    }

    /// Runs git in the folder, with words separated by blanks; it must succeed.
    pub fn git(&self, words: &str) -> String {
        self.git_with(&words.split(' ').collect::<Vec<_>>())
    }

    /// Runs git in the folder; it must succeed.
    pub fn git_with(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {words}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs git in the folder, without the settings of the user and the system.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let settings = [
            "user.name=A B",
            "user.email=a@b.example",
            "init.defaultBranch=main",
            "commit.gpgSign=false",
            "core.autocrlf=false",
            "uploadpack.allowFilter=true",
            "protocol.file.allow=always",
        ];
        let mut command = Command::new("git");
        for setting in settings {
            command.args(["-c", setting]);
        }
        command
            .args(arguments)
            .current_dir(&self.top)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env(
                "GIT_CEILING_DIRECTORIES",
                self.top.parent().expect("a parent"),
            )
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .output()
            .expect("git starts")
    }

    /// Commits everything that is on disk.
    pub fn commit(&self, message: &str) {
        self.git("add -A");
        self.git_with(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// The repository around a folder of the sandbox.
    pub fn open(&self, folder: &str) -> Repository {
        Repository::around(&self.top.join(folder)).expect("a repository")
    }

    /// The names below the top of absolute paths.
    pub fn names(&self, paths: &[String]) -> Vec<String> {
        let top = format!("{}/", self.path(""));
        let top = top.replace("//", "/");
        let below = |path: &String| path.strip_prefix(&top).expect("below the top").to_owned();
        paths.iter().map(below).collect()
    }
}

/// Whether two folders hold the same bytes at some names.
pub fn bytes(folder: &Path, names: &[&str]) -> Vec<Vec<u8>> {
    let read = |name: &&str| std::fs::read(folder.join(name)).expect("it can be read");
    names.iter().map(read).collect()
}
