//! The judge: a Go program carried in this binary, built and run with the user's `go`. It loads the
//! module as the compiler does and prints what the compiler's own type checker resolves. Nothing is
//! downloaded, and no file of the user's is written.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use codeweft_go::GoSettings;
use codeweft_server::environment;
use tempfile::TempDir;

use super::lines::{self, Line};

/// The judge's source files, which `cargo xtask judge go` runs as well.
const SOURCES: [(&str, &str); 3] = [
    ("main.go", include_str!("../../judge/main.go")),
    ("implements.go", include_str!("../../judge/implements.go")),
    ("unify.go", include_str!("../../judge/unify.go")),
];

/// The judge's `go.mod`: it needs only the standard library.
const MODULE: &str = "module codeweft.invalid/judge\n\ngo 1.23\n";

/// The first minor release of Go 1 whose type checker reports aliases.
const MIN_MINOR_RELEASE: u32 = 23;

/// The number of error lines of a program that are kept.
const MAX_ERROR_LINES: usize = 12;

/// The user's `go`, and the judges built with it.
pub struct Go {
    program: String,
    /// Its own release; a module may request another one.
    own: String,
    folder: TempDir,
    /// The judge's binary by the release that built it.
    built: BTreeMap<String, PathBuf>,
}

/// A module to judge.
pub struct Case<'a> {
    /// The root of the workspace.
    pub root: &'a Path,
    /// The module's folder.
    pub module: &'a Path,
    /// The patterns for `go list` in that folder.
    pub patterns: &'a [String],
    /// The build configuration.
    pub settings: &'a GoSettings,
    /// Whether tests are judged.
    pub tests: bool,
}

impl Go {
    /// Finds the `go` on PATH.
    ///
    /// # Errors
    /// There is none, or it is too old.
    pub fn find() -> Result<Go, String> {
        let needs = format!(
            "the judge is Go's own type checker and needs go 1.{MIN_MINOR_RELEASE} or newer"
        );
        let program = environment::on_path("go")
            .ok_or_else(|| format!("no `go` is on PATH: {needs}; nothing was compared"))?;
        let folder = tempfile::Builder::new()
            .prefix("codeweft-judge-")
            .tempdir()
            .map_err(|error| format!("no temporary folder can be made: {error}"))?;
        let mut go = Go {
            program,
            own: String::new(),
            folder,
            built: BTreeMap::new(),
        };
        let mut command = go.command(go.folder.path());
        command.env("GOTOOLCHAIN", "local");
        let error_line = go.go_env(command, &["GOVERSION"])?;
        go.own = error_line.first().cloned().unwrap_or_default();
        match minor(&go.own) {
            Some(minor) if minor < MIN_MINOR_RELEASE => Err(format!(
                "{} is {}: {needs}; nothing was compared",
                go.program, go.own
            )),
            // A toolchain built from Go's sources is assumed to be new.
            _ => Ok(go),
        }
    }

    /// Returns the release of Go with which a module is built on this machine.
    ///
    /// # Errors
    /// The error of `go`, in one line.
    pub fn release(&self, module: &Path) -> Result<String, String> {
        let error_line = self.go_env(self.command(module), &["GOVERSION"])?;
        let release = error_line.first().cloned().unwrap_or_default();
        match minor(&release) {
            Some(minor) if minor < MIN_MINOR_RELEASE => Err(format!(
                "{release} builds it, and the judge needs go 1.{MIN_MINOR_RELEASE} or newer"
            )),
            _ => Ok(release),
        }
    }

    /// Judges a module, and passes every line of the verdict to `take`.
    ///
    /// # Errors
    /// The failure, in one line.
    pub fn judge(
        &mut self,
        release: &str,
        case: &Case<'_>,
        take: &mut dyn FnMut(&Line<'_>),
    ) -> Result<(), String> {
        let judge = self.build(release)?;
        let flags = self.go_env(self.command(case.module), &["GOFLAGS"])?;
        let mut command = self.command(case.module);
        set_program(&mut command, &judge);
        command
            .env("GOOS", &case.settings.goos)
            .env("GOARCH", &case.settings.goarch)
            .env("GOFLAGS", readonly_flags(&flags.concat()))
            .arg("-uses")
            .arg("-C")
            .arg(case.module)
            .arg("-rel")
            .arg(case.root)
            .arg(format!("-tags={}", case.settings.tags.join(",")));
        if case.tests {
            command.arg("-tests");
        }
        command.arg("--").args(case.patterns);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| format!("the judge cannot be started: {error}"))?;
        let errors = child.stderr.take().map(|stderr| {
            std::thread::spawn(move || last_lines(BufReader::new(stderr)).unwrap_or_default())
        });
        let read = match child.stdout.take() {
            Some(stdout) => lines::each(BufReader::with_capacity(1 << 20, stdout), take),
            None => Ok(()),
        };
        if read.is_err() {
            // Without a reader it would block forever; an error means that it has ended already.
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| error.to_string())?;
        let errors = errors
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default();
        read.map_err(|error| format!("the judge's words are not understood: {error}"))?;
        if status.success() {
            Ok(())
        } else {
            Err(error_line(
                &errors,
                &format!("the judge ended with {status}"),
            ))
        }
    }

    /// Builds the judge with a release, or returns the one built before.
    fn build(&mut self, release: &str) -> Result<PathBuf, String> {
        if let Some(built) = self.built.get(release) {
            return Ok(built.clone());
        }
        let broken = |error: io::Error| format!("the judge cannot be written: {error}");
        let folder = self.folder.path().join(format!("{}", self.built.len()));
        std::fs::create_dir(&folder).map_err(broken)?;
        for (name, source) in SOURCES {
            std::fs::write(folder.join(name), source).map_err(broken)?;
        }
        std::fs::write(folder.join("go.mod"), MODULE).map_err(broken)?;
        let program = folder.join("judge");
        let host = self.go_env(self.command(&folder), &["GOHOSTOS", "GOHOSTARCH"])?;
        let [os, arch] = host.as_slice() else {
            return Err("`go env` does not tell its host".to_owned());
        };
        let mut command = self.command(&folder);
        command
            .env("GOOS", os)
            .env("GOARCH", arch)
            .env("GOWORK", "off")
            .env("GO111MODULE", "on")
            // This is the judge's own module, which requires no other.
            .env("GOFLAGS", "-mod=mod")
            .env(
                "GOTOOLCHAIN",
                if release == self.own || minor(release).is_none() {
                    "local"
                } else {
                    release.split(' ').next().unwrap_or("local")
                },
            )
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&program)
            .arg(".");
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let errors = last_lines(output.stderr.as_slice()).unwrap_or_default();
            let else_said = format!("`go build` ended with {}", output.status);
            return Err(format!(
                "the judge cannot be built: {}",
                error_line(&errors, &else_said)
            ));
        }
        self.built.insert(release.to_owned(), program.clone());
        Ok(program)
    }

    /// Returns the values of variables from `go env`.
    fn go_env(&self, mut command: Command, names: &[&str]) -> Result<Vec<String>, String> {
        let output = command.arg("env").args(names).output();
        let output = output.map_err(|error| format!("{} does not start: {error}", self.program))?;
        if !output.status.success() {
            let errors = last_lines(output.stderr.as_slice()).unwrap_or_default();
            let else_said = format!("`go env` ended with {}", output.status);
            return Err(error_line(&errors, &else_said));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().map(|line| line.trim().to_owned()).collect())
    }

    /// Returns the command `go` in a folder, without network and without cgo.
    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        offline(&mut command, folder, self.folder.path());
        command
    }
}

fn offline(command: &mut Command, folder: &Path, own: &Path) {
    command
        .current_dir(folder)
        .env("PWD", folder)
        .env("GOPROXY", "off")
        .env("CGO_ENABLED", "0")
        .stdin(Stdio::null());
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // `go` has its caches below the home folder and does not start without one.
    if !set("HOME") {
        if !set("GOCACHE") && !set("XDG_CACHE_HOME") {
            command.env("GOCACHE", own.join("cache"));
        }
        if !set("GOPATH") {
            command.env("GOPATH", own.join("path"));
        }
    }
}

/// Sets the same environment and folder for another program.
fn set_program(command: &mut Command, program: &Path) {
    let mut other = Command::new(program);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => other.env(name, value),
            None => other.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        other.current_dir(folder);
    }
    other.stdin(Stdio::null());
    *command = other;
}

/// Returns GOFLAGS without the flags that write `go.mod` and those passed explicitly. Never empty:
/// an empty variable would be looked up in the file of `go env -w`.
fn readonly_flags(flags: &str) -> String {
    let mut kept = vec!["-buildvcs=false"];
    kept.extend(flags.split_whitespace().filter(|flag| {
        let flag = flag.trim_start_matches('-');
        flag != "mod=mod" && !flag.starts_with("tags=") && !flag.starts_with("buildvcs")
    }));
    kept.join(" ")
}

/// Returns the minor release: 26 for `go1.26.8` and `go1.26rc1`; `None` for any other text.
fn minor(version: &str) -> Option<u32> {
    let rest = version.strip_prefix("go1.")?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

/// Returns the last lines of a stream, without the judge's own statistics.
fn last_lines(from: impl io::BufRead) -> io::Result<VecDeque<String>> {
    let mut last = VecDeque::new();
    let mut from = from;
    let mut line = Vec::new();
    loop {
        line.clear();
        if io::Read::take(&mut from, 4 << 10).read_until(b'\n', &mut line)? == 0 {
            return Ok(last);
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if !text.is_empty() {
            last.push_back(text);
        }
        if last.len() > MAX_ERROR_LINES {
            last.pop_front();
        }
    }
}

/// Returns the error lines in one line.
fn error_line(errors: &VecDeque<String>, or_else: &str) -> String {
    if errors.is_empty() {
        or_else.to_owned()
    } else {
        Vec::from_iter(errors.iter().map(|line| line.trim())).join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minor_release_is_parsed_and_development_builds_have_none() {
        assert_eq!(minor("go1.26.8"), Some(26));
        assert_eq!(minor("go1.23rc1"), Some(23));
        assert_eq!(minor("go1.22"), Some(22));
        assert_eq!(minor("devel go1.27-abcdef Mon"), None);
    }

    #[test]
    fn flags_that_write_or_are_passed_explicitly_are_dropped() {
        assert_eq!(readonly_flags(""), "-buildvcs=false");
        assert_eq!(
            readonly_flags("-mod=mod -tags=a,b --mod=vendor -trimpath"),
            "-buildvcs=false --mod=vendor -trimpath"
        );
    }
}
