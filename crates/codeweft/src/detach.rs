//! Starting a server in the background: a small process starts the real one and ends once that
//! listens. So no client has a child to wait for, and no process with threads is forked.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use codeweft_server::{SocketPaths, environment};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};

use crate::arguments::Build;

/// The maximum time until a server listens. It does not load the workspace first.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// The size in bytes from which a log is rotated at the next start.
const MAX_LOG_BYTES: u64 = 8 << 20;

/// The line that the real server prints to standard output when it listens.
const READY: &str = "ready";

/// The line that it prints when another server was first.
const LOST: &str = "lost";

/// Starts a server for the workspace at `root` on behalf of a client; returns once it, or another
/// one, listens.
///
/// # Errors
/// It could not be started: the reason.
pub fn start(root: &str, build: &Build) -> Result<(), String> {
    let program = program()?;
    let output = Command::new(program)
        .args(["serve", "--detach", "--quiet", "--root", root])
        .args(build.arguments())
        .stdin(Stdio::null())
        .current_dir("/")
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = said
        .lines()
        .map(|line| line.trim_start_matches("codeweft: "))
        .collect();
    Err(if words.is_empty() {
        format!("`codeweft serve --detach` ended with {}", output.status)
    } else {
        words.join("; ")
    })
}

/// The outcome of a start.
pub enum Started {
    /// A new server listens.
    New,
    /// A server was already running.
    Running,
}

/// Runs in the small process: starts the real server and waits until it listens.
///
/// # Errors
/// It could not be started: the reason.
pub fn spawn(
    root: &str,
    build: &Build,
    idle_exit: Option<Duration>,
    store: Option<bool>,
) -> Result<Started, String> {
    let (log, name) = log(&SocketPaths::new(root))?;
    let idle_exit = idle_exit.map(|time| format!("--idle-exit={}ms", time.as_millis()));
    let store = store.map(|store| format!("--store={store}"));
    let kept = std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(environment::kept));
    let mut server = Command::new(program()?)
        .args(["serve", "--detached", "--root", root])
        .args(idle_exit)
        .args(store)
        .args(build.arguments())
        .env_clear()
        .envs(kept)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .map_err(|error| error.to_string())?;
    let said = server.stdout.take().map(|out| first_line(out, &mut server));
    let said = said.as_deref().map(str::trim_end);
    if said != Some(READY) {
        // It is about to end, and leaves nothing behind when this process says so.
        let _ = server.wait();
    }
    match said {
        Some(READY) => Ok(Started::New),
        Some(LOST) => Ok(Started::Running),
        Some("") | None => Err(format!(
            "the server ended before it listened; see {}",
            name.display()
        )),
        Some(words) => Err(words.to_owned()),
    }
}

/// Returns the first line that the server prints. Returns an empty line if none is printed in time;
/// the server is killed then.
fn first_line(out: ChildStdout, server: &mut Child) -> String {
    let until = Instant::now() + START_TIMEOUT;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: i64::from(left.subsec_nanos()),
        };
        let mut one = [PollFd::new(&out, PollFlags::IN)];
        match poll(&mut one, Some(&left)) {
            Err(rustix::io::Errno::INTR) => {}
            Ok(ready) if ready > 0 => break,
            _ => {
                // An error means that it has ended already.
                let _ = server.kill();
                let _ = server.wait();
                return String::new();
            }
        }
    }
    let mut line = String::new();
    // A line that is not UTF-8 is none of the expected ones.
    let _ = BufReader::new(out.take(64 << 10)).read_line(&mut line);
    line
}

/// Returns the executable of this process. If it was replaced meanwhile there is none under its
/// name, and the new file is not run instead.
fn program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))
}

/// Opens the server's log for appending and returns its path: `$XDG_STATE_HOME/codeweft/H.log`,
/// else a file in the socket's folder.
fn log(paths: &SocketPaths) -> Result<(File, PathBuf), String> {
    let state = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("codeweft"));
    let kept = state.and_then(|folder| {
        fs::create_dir_all(&folder).ok()?;
        let name = folder.join(format!("{}.log", paths.hash()));
        Some((open_log(&name).ok()?, name))
    });
    match kept {
        Some(kept) => Ok(kept),
        None => {
            let folder = paths.make().map_err(|error| error.to_string())?;
            let name = folder.path().join("server.log");
            let file = open_log(&name)
                .map_err(|error| format!("{} cannot be written: {error}", name.display()))?;
            Ok((file, name))
        }
    }
}

fn open_log(name: &Path) -> io::Result<File> {
    if fs::metadata(name).is_ok_and(|log| log.len() > MAX_LOG_BYTES) {
        let mut older = name.as_os_str().to_owned();
        older.push(".1");
        fs::rename(name, older)?;
    }
    let flags = OFlags::CREATE | OFlags::APPEND | OFlags::WRONLY | OFlags::CLOEXEC;
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file: OwnedFd = rustix::fs::open(name, flags, Mode::RUSR | Mode::WUSR)?;
    let stat = rustix::fs::fstat(&file)?;
    let plain = rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file();
    if plain && stat.st_uid == rustix::process::geteuid().as_raw() {
        Ok(File::from(file))
    } else {
        Err(io::Error::other("it is no file of ours"))
    }
}

/// Detaches the real server from the client that started it, before there are threads: it gets a
/// session of its own, so that a signal to the client's process group does not reach it, and closes
/// everything inherited, so that no other process waits for the end of a pipe that this one holds
/// open.
pub fn detach_from_client() {
    for descriptor in open_descriptors() {
        if descriptor > 2 {
            // The descriptor of the listed folder itself is closed already.
            let _ = nix::unistd::close(descriptor);
        }
    }
    // The child of a small process is no process group leader, the only case that fails.
    let _ = rustix::process::setsid();
    let _ = rustix::process::chdir("/");
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

fn open_descriptors() -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/dev/fd") else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.parse().ok()).collect()
}

/// Reports to the process that started this server whether it listens.
pub struct StartupReporter {
    enabled: bool,
}

impl StartupReporter {
    /// Returns a reporter; a server in the foreground reports nothing (`enabled` is false).
    pub fn new(enabled: bool) -> StartupReporter {
        StartupReporter { enabled }
    }

    /// Reports that the server listens.
    pub fn ready(&mut self) {
        self.report(READY);
    }

    /// Reports that another server was first.
    pub fn lost(&mut self) {
        self.report(LOST);
    }

    /// Reports that it cannot start, with the reason.
    pub fn failed(&mut self, words: &str) {
        self.report(&words.replace('\n', " "));
    }

    fn report(&mut self, words: &str) {
        if !std::mem::replace(&mut self.enabled, false) {
            return;
        }
        // The process that started this one may have ended.
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{words}").and_then(|()| out.flush());
        // Standard output is replaced by `/dev/null`, so that the other side sees the end of the
        // pipe.
        if let Ok(null) = File::options().write(true).open("/dev/null") {
            let _ = rustix::stdio::dup2_stdout(null.as_fd());
        }
    }
}
