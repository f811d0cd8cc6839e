//! Runs the program `git` with a deadline, without a terminal, locks, or the network.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::GitError;

/// The time after which a run of the program is ended. A server must answer, and a `git` that waits for a
/// dead disk does not end by itself.
const DEADLINE: Duration = Duration::from_secs(30);

/// At most so many bytes of the program's error output are kept.
const MAX_WORDS: u64 = 4096;

/// The pause between two looks at whether the program has ended, after it has closed its output.
const PAUSE: Duration = Duration::from_micros(300);

/// Variables that would lead `git` to another repository than that of its folder, or change how it reads
/// paths and writes diffs: a server that a hook has started has those that `git rev-parse --local-env-vars` lists.
/// `GIT_CONFIG_COUNT` is kept: users set it, for `safe.directory`.
const REMOVED_VARIABLES: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
];

/// Variables that every run gets: no lock is taken, no object is fetched (versions before 2.45 do not know
/// `GIT_NO_LAZY_FETCH`, so no transport is allowed either), nothing waits for a person, and messages are in English.
const SET_VARIABLES: &[(&str, &str)] = &[
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("LC_ALL", "C"),
];

/// Options before every command. `core.fsmonitor` can name a program, or start a daemon.
const OPTIONS: &[&str] = &["--no-pager", "-c", "core.fsmonitor=false"];

/// The program and how long it may run.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    program: OsString,
    deadline: Duration,
}

/// A run that has ended by itself.
pub(crate) struct Ended<T> {
    command: String,
    /// True if its exit code was 0.
    pub success: bool,
    /// The result of the function that read its output.
    output: io::Result<T>,
    /// The error output on one line, without `fatal: ` and `error: `; bounded.
    pub words: String,
}

impl Git {
    /// The program that the `PATH` leads to.
    pub(crate) fn on_path() -> Git {
        Git {
            program: OsString::from("git"),
            deadline: DEADLINE,
        }
    }

    /// The same program with another deadline.
    pub(crate) fn with_deadline(&self, deadline: Duration) -> Git {
        Git {
            program: self.program.clone(),
            deadline,
        }
    }

    /// Runs a command in a folder and returns all of its output.
    pub(crate) fn output(
        &self,
        folder: &Path,
        arguments: &[&str],
    ) -> Result<Ended<Vec<u8>>, GitError> {
        self.run(folder, arguments, Vec::new(), |output| {
            let mut bytes = Vec::new();
            output.read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    /// Runs a command in a folder, gives it `input`, and reads its output with `read`. Input, output and
    /// error output have a thread each, so that none can wait for another.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        folder: &Path,
        arguments: &[&str],
        input: Vec<u8>,
        read: impl FnOnce(&mut dyn BufRead) -> io::Result<T> + Send + 'static,
    ) -> Result<Ended<T>, GitError> {
        let name = arguments.first().copied().unwrap_or_default();
        let command = format!("git {name}");
        let until = Instant::now() + self.deadline;
        let mut child = self
            .command(folder, arguments, !input.is_empty())
            .spawn()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound if folder.is_dir() => GitError::NoGit,
                io::ErrorKind::NotFound => GitError::NoRepository {
                    folder: folder.to_string_lossy().into_owned(),
                },
                _ => not_started(&error),
            })?;
        match watch(&mut child, input, read, until) {
            Ok((output, words, status)) => Ok(Ended {
                command,
                success: status.success(),
                output,
                words,
            }),
            Err(reason) => {
                abandon(child);
                Err(match reason {
                    Abandoned::Late => GitError::TookTooLong {
                        command,
                        seconds: self.deadline.as_secs(),
                    },
                    Abandoned::Unread => GitError::UnexpectedOutput { command },
                    Abandoned::Io(error) => not_started(&error),
                })
            }
        }
    }

    fn command(&self, folder: &Path, arguments: &[&str], has_input: bool) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(OPTIONS)
            .args(arguments)
            .current_dir(folder)
            .stdin(if has_input {
                Stdio::piped()
            } else {
                Stdio::null()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for name in REMOVED_VARIABLES {
            command.env_remove(name);
        }
        command.envs(SET_VARIABLES.iter().copied());
        command
    }
}

impl<T> Ended<T> {
    /// The output of a run that succeeded; else the error that its words name.
    pub(crate) fn into_output(self) -> Result<T, GitError> {
        match self.partial()? {
            (output, None) => Ok(output),
            (_, Some(error)) => Err(error),
        }
    }

    /// The output as far as it could be read, with the error that the words of a run name that has failed.
    pub(crate) fn partial(self) -> Result<(T, Option<GitError>), GitError> {
        let Ended {
            command,
            success,
            output,
            words,
        } = self;
        match (output, success) {
            (Ok(output), true) => Ok((output, None)),
            (Err(_), true) => Err(GitError::UnexpectedOutput { command }),
            (output, false) => {
                let error = match missing_object(&words) {
                    Some(object) => GitError::ObjectMissing { object },
                    None => GitError::Failed { command, words },
                };
                match output {
                    Ok(output) => Ok((output, Some(error))),
                    Err(_) => Err(error),
                }
            }
        }
    }
}

/// The object that would have to be fetched, if the words of git say so: its hash, in words.
pub(crate) fn missing_object(words: &str) -> Option<String> {
    let is_missing = [
        "promisor remote",
        "lazy fetching disabled",
        "unable to read",
        "Could not read",
    ]
    .iter()
    .any(|part| words.contains(part));
    let is_hash =
        |word: &&str| word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_missing.then(|| match words.split(' ').find(is_hash) {
        Some(hash) => format!("the object {hash}"),
        None => "an object".to_owned(),
    })
}

/// The reason why a run was given up.
enum Abandoned {
    /// The deadline has passed.
    Late,
    /// The thread that read the output ended without a result.
    Unread,
    /// The system failed.
    Io(io::Error),
}

impl From<io::Error> for Abandoned {
    fn from(error: io::Error) -> Abandoned {
        Abandoned::Io(error)
    }
}

impl From<RecvTimeoutError> for Abandoned {
    fn from(error: RecvTimeoutError) -> Abandoned {
        match error {
            RecvTimeoutError::Timeout => Abandoned::Late,
            RecvTimeoutError::Disconnected => Abandoned::Unread,
        }
    }
}

type Watched<T> = (io::Result<T>, String, ExitStatus);

/// Feeds and reads a started program until it ends or the deadline comes.
fn watch<T: Send + 'static>(
    child: &mut Child,
    input: Vec<u8>,
    read: impl FnOnce(&mut dyn BufRead) -> io::Result<T> + Send + 'static,
    until: Instant,
) -> Result<Watched<T>, Abandoned> {
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ends before it has read everything says why in its error output.
        in_thread(move || stdin.write_all(&input))?;
    }
    let stdout = child.stdout.take().ok_or(Abandoned::Unread)?;
    let output = in_thread(move || read(&mut BufReader::new(stdout)))?;
    let stderr = child.stderr.take().ok_or(Abandoned::Unread)?;
    let words = in_thread(move || read_words(stderr))?;
    let output = output.recv_timeout(left(until))?;
    let words = words.recv_timeout(left(until))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((output, words, status));
        }
        if left(until).is_zero() {
            return Err(Abandoned::Late);
        }
        thread::sleep(PAUSE);
    }
}

fn left(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

/// Runs `work` in a thread of its own, which nothing waits for.
fn in_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<Receiver<T>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .name("git".to_owned())
        .spawn(move || {
            // The receiver is gone if the run was given up.
            let _ = sender.send(work());
        })?;
    Ok(receiver)
}

/// Ends a program. A thread collects its exit status, since a program that waits for a dead disk cannot be
/// ended at once.
fn abandon(mut child: Child) {
    // It fails if the program has just ended.
    let _ = child.kill();
    let _ = in_thread(move || child.wait());
}

/// The first bytes of the error output, as one line; the rest is read and dropped, so that the program
/// never waits for it.
fn read_words(mut stderr: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = stderr.by_ref().take(MAX_WORDS).read_to_end(&mut bytes);
    let _ = io::copy(&mut stderr, &mut io::sink());
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(|line| {
        let line = line.trim();
        let words = line
            .strip_prefix("fatal: ")
            .or_else(|| line.strip_prefix("error: "));
        words.unwrap_or(line)
    });
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

fn not_started(error: &io::Error) -> GitError {
    GitError::NotStarted {
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Repository;

    fn has_git() -> bool {
        let found = Command::new("git").arg("--version").output().is_ok();
        if !found {
            println!("skipped: there is no program git");
        }
        found
    }

    #[test]
    fn a_missing_program_is_reported() {
        let git = Git {
            program: OsString::from("/nowhere/git"),
            ..Git::on_path()
        };
        let folder = tempfile::tempdir().expect("a folder");
        let error = Repository::read_by(git, folder.path()).expect_err("no program");
        assert_eq!(error, GitError::NoGit);
        assert!(error.what_to_do().contains("install git"));
    }

    #[test]
    fn a_run_ends_at_its_deadline_even_if_a_child_keeps_its_output_open() {
        if !has_git() {
            return;
        }
        let git = Git {
            deadline: Duration::from_millis(150),
            ..Git::on_path()
        };
        let folder = tempfile::tempdir().expect("a folder");
        let start = Instant::now();
        let ended = git.output(folder.path(), &["-c", "alias.rest=!sleep 5", "rest"]);
        let error = ended.err().expect("too long");
        assert!(matches!(error, GitError::TookTooLong { .. }), "{error}");
        assert!(start.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn much_input_and_much_output_do_not_wait_for_each_other() {
        if !has_git() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let git = Git::on_path();
        let made = git.output(folder.path(), &["init", "-q", "."]);
        made.and_then(Ended::into_output).expect("a repository");
        let line = "0123456789012345678901234567890123456789\n";
        let ended = git.run(
            folder.path(),
            &["cat-file", "--batch"],
            line.repeat(20_000).into_bytes(),
            |output| Ok(output.lines().count()),
        );
        let count = ended.and_then(Ended::into_output).expect("read");
        assert_eq!(count, 20_000);
    }

    #[test]
    fn variables_of_another_repository_are_removed() {
        let command = Git::on_path().command(Path::new("/"), &["rev-parse"], false);
        let variables: Vec<_> = command.get_envs().collect();
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            assert!(variables.contains(&(name.as_ref(), None)), "{name}");
        }
        let set = ("GIT_OPTIONAL_LOCKS".as_ref(), Some("0".as_ref()));
        assert!(variables.contains(&set));
    }

    #[test]
    fn words_about_a_missing_object_name_its_hash() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let words = format!("could not fetch {hash} from promisor remote");
        assert_eq!(missing_object(&words), Some(format!("the object {hash}")));
        let words = "warning: lazy fetching disabled; some objects may not be available";
        assert_eq!(missing_object(words).as_deref(), Some("an object"));
        assert_eq!(missing_object("Not a valid object name"), None);
    }

    #[test]
    fn words_are_one_bounded_line() {
        let words = "fatal: no\nerror: never\n\n\thelp\n";
        assert_eq!(read_words(words.as_bytes()), "no never help");
        let many = "x".repeat(100_000);
        assert_eq!(read_words(many.as_bytes()).len() as u64, MAX_WORDS);
    }
}
