//! A server of the product over one library, with a home of its own, and the commands that reach it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::place;

/// The longest that loading may take on a busy machine.
const LOADED: Duration = Duration::from_secs(600);

/// The longest that ending may take.
const ENDED: Duration = Duration::from_secs(20);

/// Variables of the shell that answers depend on.
const DECIDING: &[&str] = &[
    "GOOS",
    "GOARCH",
    "GOFLAGS",
    "CGO_ENABLED",
    "GOWORK",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONPATH",
];

/// Folders that stand for the user's, removed when the value is dropped.
struct Home(PathBuf);

impl Home {
    /// The path is short, for the paths of sockets are bounded.
    fn make() -> Result<Home> {
        let folder = std::env::temp_dir().join(format!("answers-{}", std::process::id()));
        let home = Home(folder);
        for name in ["home", "run", "state", "cache", "config", "tmp"] {
            let folder = home.0.join(name);
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
            }
        }
        Ok(home)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What cannot be removed stays in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A running `codeweft serve`; it ends with its value.
pub struct Server {
    binary: PathBuf,
    root: PathBuf,
    home: Home,
    child: Child,
    /// Whether the root had a folder of the product's before.
    had_folder: bool,
}

impl Server {
    /// Starts a server and waits until it has read the library.
    ///
    /// # Errors
    ///
    /// Where another server runs for the root: its answers could be another binary's.
    pub fn start(binary: &Path, root: &Path) -> Result<Server> {
        let home = Home::make()?;
        let had_folder = root.join(".codeweft").exists();
        let child = command_in(&home, binary)
            .args(["serve", "--quiet", "--idle-exit", "2m", "--root"])
            .arg(root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let mut server = Server {
            binary: binary.to_owned(),
            root: root.to_owned(),
            home,
            child,
            had_folder,
        };
        server.wait()?;
        Ok(server)
    }

    fn wait(&mut self) -> Result<()> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                bail!(
                    "the server of {root} ended with {status}; where one runs already, end it \
                     with `codeweft serve --stop --root {root}`",
                    root = self.root.display()
                );
            }
            let printed = place::output(&mut self.command(["serve", "--status", "--json"]))?;
            let status: Value = serde_json::from_slice(&printed.stdout).unwrap_or_default();
            let is_ours = status["pid"] == self.child.id();
            match status["state"].as_str() {
                Some("ready") if is_ours => return Ok(()),
                Some("failed") if is_ours => bail!("the server could not read its files: {status}"),
                _ if started.elapsed() > LOADED => bail!("the server is not ready: {status}"),
                _ => std::thread::sleep(Duration::from_millis(200)),
            }
        }
    }

    /// A command of the binary about the root, in the server's home.
    pub fn command<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = command_in(&self.home, &self.binary);
        command.args(words).arg("--root").arg(&self.root);
        command.current_dir(&self.root);
        command
    }

    /// The root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that stands for the user's, as answers could name it.
    pub fn home(&self) -> String {
        self.home.0.to_string_lossy().into_owned()
    }

    /// Ends the server; one that does not end is killed.
    fn end(&mut self) -> Result<()> {
        place::output(&mut self.command(["serve", "--stop", "--quiet"]))?;
        let started = Instant::now();
        while started.elapsed() < ENDED {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("it does not end")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.child.try_wait().ok().flatten().is_none() && self.end().is_err() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        if !self.had_folder {
            let _ = fs::remove_dir_all(self.root.join(".codeweft"));
        }
    }
}

fn command_in(home: &Home, binary: &Path) -> Command {
    let mut command = Command::new(binary);
    let folders = [
        ("HOME", "home"),
        ("XDG_RUNTIME_DIR", "run"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_CONFIG_HOME", "config"),
        ("TMPDIR", "tmp"),
    ];
    for (variable, folder) in folders {
        command.env(variable, home.0.join(folder));
    }
    for variable in DECIDING {
        command.env_remove(variable);
    }
    // The Go command's module cache lies in the user's home by default.
    if let Some(user) = std::env::var_os("HOME") {
        let cache = Path::new(&user).join("go/pkg/mod");
        if std::env::var_os("GOMODCACHE").is_none() && cache.is_dir() {
            command.env("GOMODCACHE", cache);
        }
    }
    command
}
