//! The `codeweft` binary under measurement: a release build, queried as a user does.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::place;
use crate::session::Session;

/// A built `codeweft`.
pub struct Product {
    binary: PathBuf,
}

impl Product {
    /// Builds the release binary, with which everything is measured. If CODEWEFT_BINARY names one,
    /// that is used unchanged.
    pub fn build() -> Result<Product> {
        match std::env::var_os("CODEWEFT_BINARY") {
            Some(binary) => Ok(Product {
                binary: binary.into(),
            }),
            None => Product::of_profile("release", &["--release"]),
        }
    }

    /// Takes a binary that is built already.
    pub fn of(binary: PathBuf) -> Product {
        Product { binary }
    }

    /// Builds the debug binary, which the tests have built already.
    pub fn build_for_tests() -> Result<Product> {
        Product::of_profile("debug", &[])
    }

    fn of_profile(folder: &str, flags: &[&str]) -> Result<Product> {
        place::stdout(
            Command::new(env!("CARGO"))
                .args(["build", "--quiet", "--package", "codeweft"])
                .args(flags)
                .current_dir(place::root()),
        )?;
        Ok(Product {
            binary: place::target().join(folder).join("codeweft"),
        })
    }

    /// Returns the program.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// Runs `codeweft index --root ROOT --json`.
    pub fn index(&self, root: &Path) -> Result<Value> {
        self.json(&["index"], root)
    }

    /// Runs `codeweft query OPERATION TARGET … --root ROOT --json`; returns the response of
    /// `cortex_graph`.
    pub fn query(&self, words: &[&str], root: &Path) -> Result<Value> {
        let mut all = vec!["query"];
        all.extend(words);
        self.json(&all, root)
    }

    /// Starts `codeweft mcp --root ROOT`, for many queries.
    pub fn session(&self, root: &Path) -> Result<Session> {
        Session::start(&self.binary, root)
    }

    /// Runs `codeweft export --format json --edges EDGES --root ROOT --output FILE`.
    pub fn export(&self, root: &Path, edges: &str, file: &Path) -> Result<()> {
        place::stdout(
            Command::new(&self.binary)
                .args(["export", "--format", "json", "--edges", edges, "--root"])
                .arg(root)
                .arg("--output")
                .arg(file),
        )?;
        Ok(())
    }

    /// Returns the tools that `codeweft mcp` lists.
    pub fn tools(&self) -> Result<Value> {
        use std::io::Write as _;
        let messages = [
            serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "xtask", "version": "0"}}}),
            serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
        ];
        let mut child = Command::new(&self.binary)
            .args(["mcp", "--standalone", "--tools", "all", "--root"])
            .arg(place::root())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", self.binary.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            for message in &messages {
                writeln!(stdin, "{message}")?;
            }
        }
        let output = child.wait_with_output()?;
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find(|message| message["id"] == 2)
            .map(|message| message["result"]["tools"].clone())
            .context("`codeweft mcp` gave no answer to tools/list")
    }

    /// Returns what a command prints, both streams, in a module of the test fixtures, under a
    /// configuration that is the same on every machine.
    pub fn console(&self, words: &[String]) -> Result<String> {
        let fixtures = place::root().join("test-fixtures");
        let mut command = Command::new(&self.binary);
        command
            .args(words)
            .current_dir(fixtures.join("go-small"))
            .env_clear()
            .env("GOROOT", fixtures.join("goroot-small"))
            .env("GOENV", "off")
            .env("GOOS", "linux")
            .env("GOARCH", "amd64");
        // The folder is inside a repository, which would be taken for the workspace.
        if !words.iter().any(|word| word == "--help") {
            command.args(["--root", "."]);
        }
        let output = place::output(&mut command)?;
        Ok(format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ))
    }

    /// Exit code 0 is a result, 1 an empty one.
    fn json(&self, words: &[&str], root: &Path) -> Result<Value> {
        let mut command = Command::new(&self.binary);
        command.args(words).arg("--root").arg(root).arg("--json");
        let output = place::output(&mut command)?;
        if !matches!(output.status.code(), Some(0 | 1)) || output.stdout.is_empty() {
            bail!(
                "{} ended with {}: {} {}",
                place::shown(&command),
                output.status,
                String::from_utf8_lossy(&output.stdout).trim(),
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{} printed no JSON", place::shown(&command)))
    }
}
