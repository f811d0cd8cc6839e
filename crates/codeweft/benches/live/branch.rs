//! A branch that is switched and back: how many texts are parsed although the cache has them all. The
//! workspace is copied and made a repository; its second branch has every tenth file changed.
//!
//! ```text
//! first branch    a server reads everything, the cache is written, it ends
//! second branch   the same
//! first branch    a new server reads everything: nothing to parse
//! second, first   switched under the running server: nothing to parse
//! ```

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use codeweft_testing::clients::Sandbox;

use crate::clients::stats_of;
use crate::warm::{first_answer, wait_until_written};

/// Every file of this number is changed on the second branch.
const CHANGED: usize = 10;

/// Time for the watcher to notice a switch and for the server to read what it has changed.
const SEEN: Duration = Duration::from_secs(5);

/// Returns how many texts the last server has parsed, which is asked for callers of `target`.
pub fn parses(root: &Path, target: &str) -> io::Result<u64> {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().canonicalize()?.join("copy");
    run(Command::new("cp").arg("-r").arg(root).arg(&copy))?;
    git(&copy, &["init", "--quiet", "--initial-branch", "first"])?;
    git(&copy, &["add", "--all"])?;
    git(&copy, &["commit", "--quiet", "-m", "first"])?;
    git(&copy, &["switch", "--quiet", "--create", "second"])?;
    let mut number = 0;
    change(&copy, &mut number)?;
    git(&copy, &["commit", "--quiet", "--all", "-m", "second"])?;

    let mut site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), &copy)?;
    for branch in ["first", "second", "first"] {
        site.end_server();
        git(&copy, &["switch", "--quiet", branch])?;
        first_answer(&mut site, target)?;
        wait_until_written(&site)?;
    }
    for branch in ["second", "first"] {
        git(&copy, &["switch", "--quiet", branch])?;
        thread::sleep(SEEN);
        first_answer(&mut site, target)?;
    }
    let parses = stats_of(&site)?["parses"].as_u64();
    parses.ok_or_else(|| io::Error::other("the server does not say what it has parsed"))
}

/// Adds a comment to every tenth source file below a folder.
fn change(folder: &Path, number: &mut usize) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with(".git") {
            change(&path, number)?;
        }
        let comment = match path.extension().and_then(|end| end.to_str()) {
            Some("go") => "\n// On the second branch.\n",
            Some("py") => "\n# On the second branch.\n",
            _ => continue,
        };
        if number.is_multiple_of(CHANGED) {
            let mut file = fs::OpenOptions::new().append(true).open(&path)?;
            file.write_all(comment.as_bytes())?;
        }
        *number += 1;
    }
    Ok(())
}

fn git(folder: &Path, arguments: &[&str]) -> io::Result<()> {
    let mut command = Command::new("git");
    let who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    command.args(who).args(["-c", "commit.gpgsign=false"]);
    run(command.args(arguments).current_dir(folder))
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command:?}: {errors}")))
}
