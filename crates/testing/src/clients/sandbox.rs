//! A home folder for the processes of one test: no file of the user's is touched, and no process
//! remains.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Agent, Editor};

/// A workspace, a binary, and a home folder. Processes started in it are killed when it is dropped.
pub struct Sandbox {
    binary: PathBuf,
    root: PathBuf,
    home: tempfile::TempDir,
    children: Vec<Child>,
}

impl Sandbox {
    /// Returns a sandbox for the workspace at `root`, with the built binary.
    pub fn new(binary: impl Into<PathBuf>, root: impl Into<PathBuf>) -> io::Result<Sandbox> {
        let home = tempfile::Builder::new().prefix("codeweft-site").tempdir()?;
        for folder in ["home", "run", "state", "cache", "config", "tmp"] {
            let folder = home.path().join(folder);
            fs::create_dir(&folder)?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
            }
        }
        Ok(Sandbox {
            binary: binary.into(),
            root: root.into(),
            home,
            children: Vec::new(),
        })
    }

    /// Returns the root of the workspace.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a command of the binary in this home; it does not name the root.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        let in_home = |name: &str| self.home.path().join(name);
        command
            .args(arguments)
            .env("HOME", in_home("home"))
            .env("XDG_RUNTIME_DIR", in_home("run"))
            .env("XDG_STATE_HOME", in_home("state"))
            .env("XDG_CACHE_HOME", in_home("cache"))
            .env("XDG_CONFIG_HOME", in_home("config"))
            .env("TMPDIR", in_home("tmp"))
            .current_dir(&self.root);
        // The Go command's defaults depend on the home folder, which is replaced.
        if let Some(home) = std::env::var_os("HOME") {
            let cache = Path::new(&home).join("go/pkg/mod");
            if std::env::var_os("GOMODCACHE").is_none() && cache.is_dir() {
                command.env("GOMODCACHE", cache);
            }
        }
        command
    }

    /// Starts `codeweft lsp` (with further arguments) for the workspace.
    pub fn editor(&mut self, further: &[&str]) -> io::Result<(Editor, u32)> {
        let (input, output, pid) = self.start("lsp", further)?;
        Ok((Editor::over(input, output), pid))
    }

    /// Starts `codeweft mcp` (with further arguments) for the workspace.
    pub fn agent(&mut self, further: &[&str]) -> io::Result<(Agent, u32)> {
        let (input, output, pid) = self.start("mcp", further)?;
        Ok((Agent::over(input, output), pid))
    }

    fn start(
        &mut self,
        subcommand: &str,
        further: &[&str],
    ) -> io::Result<(std::process::ChildStdout, std::process::ChildStdin, u32)> {
        let mut child = self
            .command(&[subcommand])
            .arg("--root")
            .arg(&self.root)
            .args(further)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let pid = child.id();
        let ends = child.stdout.take().zip(child.stdin.take());
        self.children.push(child);
        let (stdout, stdin) = ends.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok((stdout, stdin, pid))
    }

    /// Kills a process started here (SIGKILL) and waits for it.
    pub fn kill(&mut self, pid: u32) -> io::Result<()> {
        for child in &mut self.children {
            if child.id() == pid {
                child.kill()?;
                child.wait()?;
            }
        }
        Ok(())
    }

    /// Returns the note that the workspace's server has written about itself; `None` if there is
    /// none.
    pub fn server(&self) -> Option<Value> {
        let text = fs::read_to_string(self.root.join(".codeweft/server.json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Returns the process id of the server, if it is alive.
    pub fn server_pid(&self) -> Option<u32> {
        let pid = u32::try_from(self.server()?["pid"].as_u64()?).ok()?;
        is_ours(pid, &self.binary).then_some(pid)
    }

    /// Returns every living process of the binary whose arguments name the workspace.
    pub fn processes(&self) -> Vec<u32> {
        let root = self.root.as_os_str();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            if is_ours(pid, &self.binary) && names(pid, root) {
                found.push(pid);
            }
        }
        found.sort_unstable();
        found
    }

    /// Kills the server and all processes started for it by their process ids, and waits until they
    /// are gone, including those that start meanwhile.
    pub fn end_server(&self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let living = self.processes();
            if living.is_empty() || Instant::now() > deadline {
                return;
            }
            for pid in living {
                let _ = Command::new("kill")
                    .arg("-KILL")
                    .arg(pid.to_string())
                    .stderr(Stdio::null())
                    .status();
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
        self.end_server();
    }
}

/// Returns whether a process runs this binary (or one that was replaced since).
fn is_ours(pid: u32, binary: &Path) -> bool {
    let Ok(exe) = fs::read_link(format!("/proc/{pid}/exe")) else {
        return false;
    };
    let real = fs::canonicalize(binary).unwrap_or_else(|_| binary.to_owned());
    exe == real || exe.to_string_lossy() == format!("{} (deleted)", real.display())
}

fn names(pid: u32, root: &OsStr) -> bool {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let root = root.as_encoded_bytes();
    line.split(|&byte| byte == 0)
        .any(|argument| argument == root)
}
