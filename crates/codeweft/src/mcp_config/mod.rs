//! `codeweft mcp-config`: the configuration that an MCP client needs to start Codeweft.

mod json;
mod toml_file;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::arguments::{Client, McpConfig};
use crate::output::{print, print_error};
use crate::workspace;

/// The exit code if the file could not be written.
const FAILED: u8 = 3;

/// The name of the server in clients' configurations.
const NAME: &str = "codeweft";

/// Prints or merges the configuration; returns the exit code.
pub fn run(config: &McpConfig) -> u8 {
    let root = match workspace::find(&config.root) {
        Ok(root) => root,
        Err(code) => return code,
    };
    let program = match program() {
        Ok(program) => program,
        Err(words) => {
            print_error(&words);
            return FAILED;
        }
    };
    let entry = Entry { program, root };
    let file = file(config.client, &entry.root);
    if !config.write {
        if let (Ok(file), false) = (&file, config.quiet.quiet) {
            print_error(&format!("for {}; --write merges it", file.display()));
        }
        return match entry.merged(config.client, "") {
            Ok(Merged::New(text)) => print(&text, 0),
            // An empty file cannot conflict.
            Ok(Merged::Same) | Err(_) => FAILED,
        };
    }
    let file = match file {
        Ok(file) => file,
        Err(words) => {
            print_error(&words);
            return workspace::WRONG_USE;
        }
    };
    let say = |words: &str| {
        if !config.quiet.quiet {
            print_error(&format!("{} {words}", file.display()));
        }
        0
    };
    let old = match fs::read_to_string(&file) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            print_error(&format!("{} cannot be read: {error}", file.display()));
            return workspace::WRONG_USE;
        }
    };
    let text = match entry.merged(config.client, &old) {
        Ok(Merged::New(text)) => text,
        Ok(Merged::Same) => return say("names Codeweft already"),
        Err(words) => {
            print_error(&format!(
                "{} is left as it is: {words}; without --write the entry is printed",
                file.display()
            ));
            return workspace::WRONG_USE;
        }
    };
    match write(&file, &text) {
        Ok(()) => say("names Codeweft now"),
        Err(error) => {
            print_error(&format!("{} cannot be written: {error}", file.display()));
            FAILED
        }
    }
}

/// The entry of the server.
struct Entry {
    /// The path of this executable.
    program: String,
    /// The root of the workspace, absolute.
    root: String,
}

/// The result of merging the entry into a file.
#[derive(PartialEq, Eq, Debug)]
enum Merged {
    /// The file has the entry already.
    Same,
    /// The whole new text.
    New(String),
}

impl Entry {
    fn arguments(&self) -> [&str; 3] {
        ["mcp", "--root", &self.root]
    }

    /// Returns the text of a client's file with the entry merged into `old`, which is empty if
    /// there is no file.
    fn merged(&self, client: Client, old: &str) -> Result<Merged, String> {
        let (command, arguments) = (&self.program, self.arguments());
        let plain = json!({"command": command, "args": arguments});
        match client {
            Client::ClaudeCode => {
                let entry = json!({"type": "stdio", "command": command, "args": arguments});
                json::merged(old, "mcpServers", entry)
            }
            Client::Vscode => {
                let entry = json!({"type": "stdio", "command": command, "args": arguments});
                json::merged(old, "servers", entry)
            }
            Client::Cursor | Client::Windsurf => json::merged(old, "mcpServers", plain),
            Client::Zed => json::merged(old, "context_servers", plain),
            Client::Codex => toml_file::merged(old, self),
        }
    }
}

/// Returns the path of this executable, with which a client finds it whatever its PATH.
fn program() -> Result<String, String> {
    let path = std::env::current_exe().map_err(|error| error.to_string());
    path.and_then(|path| {
        path.into_os_string()
            .into_string()
            .map_err(|_| "its name is not UTF-8".to_owned())
    })
    .map_err(|words| format!("this program is not found: {words}"))
}

/// Returns the file that a client reads.
fn file(client: Client, root: &str) -> Result<PathBuf, String> {
    let root = Path::new(root);
    let variable = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
    };
    let home = || {
        variable("HOME")
            .ok_or_else(|| "HOME is not set, so the client's file is not known".to_owned())
    };
    Ok(match client {
        Client::ClaudeCode => root.join(".mcp.json"),
        Client::Cursor => root.join(".cursor/mcp.json"),
        Client::Vscode => root.join(".vscode/mcp.json"),
        Client::Zed => match variable("XDG_CONFIG_HOME") {
            Some(folder) => folder,
            None => home()?.join(".config"),
        }
        .join("zed/settings.json"),
        Client::Codex => match variable("CODEX_HOME") {
            Some(folder) => folder,
            None => home()?.join(".codex"),
        }
        .join("config.toml"),
        Client::Windsurf => home()?.join(".codeium/windsurf/mcp_config.json"),
    })
}

/// Replaces a file's text atomically. A symbolic link stays one: its target is replaced. The file's
/// permissions stay.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let target = match fs::canonicalize(file) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => file.to_owned(),
        Err(error) => return Err(error),
    };
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut temporary = target.clone().into_os_string();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let written = (|| {
        let mut new = File::create_new(&temporary)?;
        if let Ok(old) = fs::metadata(&target) {
            new.set_permissions(old.permissions())?;
        }
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
        fs::rename(&temporary, &target)
    })();
    if written.is_err() {
        // Missing if it was never created.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Returns a value as indented JSON, two spaces a level, as clients write their files.
fn pretty(value: &Value) -> String {
    // A value of strings and lists always has a JSON form.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
