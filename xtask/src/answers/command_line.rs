//! Asks by command line.

use anyhow::{Context, Result, bail};

use crate::place;

use super::server::Server;

/// Runs a command and returns its exit code and both of its streams.
pub fn ask(server: &Server, words: &[String]) -> Result<String> {
    let mut command = server.command(words.iter().map(String::as_str));
    let output = place::output(&mut command)?;
    let words = || format!("{} printed no UTF-8", place::shown(&command));
    let printed = String::from_utf8(output.stdout).with_context(words)?;
    let complained = String::from_utf8(output.stderr).with_context(words)?;
    let Some(code) = output.status.code() else {
        bail!("{} ended with {}", place::shown(&command), output.status);
    };
    Ok(format!(
        "exit code {code}\nstandard output:\n{printed}\nstandard error:\n{complained}"
    ))
}
