//! The first answer beside that of other language servers, in one run: `xtask/judges/race/race.py` asks each
//! over LSP, cold and with its cache.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::place;

/// Workspaces in `$CODEWEFT_CORPORA`, each with a file and a function of it.
const CORPORA: [(&str, &str); 4] = [
    ("github.com_caddyserver_caddy_v2", "caddy.go:Load"),
    (
        "google.golang.org_grpc",
        "internal/transport/http2_server.go:NewServerTransport",
    ),
    ("django-5.2.15", "django/utils/encoding.py:force_str"),
    ("sympy-1.14.0", "sympy/core/sympify.py:sympify"),
];

/// Runs the race on Go's library and the corpora that are there.
pub fn run(binary: &Path, gopls: Option<PathBuf>, ty: Option<PathBuf>) -> Result<ExitCode> {
    let library = place::goroot_src()?;
    let mut questions = vec![format!(
        "go-library={}:net/http/server.go:Error",
        library.display()
    )];
    let corpora = std::env::var_os("CODEWEFT_CORPORA").map(PathBuf::from);
    for (folder, question) in CORPORA {
        match corpora.as_ref().map(|corpora| corpora.join(folder)) {
            Some(root) if root.is_dir() => {
                questions.push(format!("{folder}={}:{question}", root.display()));
            }
            _ => println!("skipped {folder}: cargo xtask corpora, and CODEWEFT_CORPORA"),
        }
    }
    let mut command = Command::new("python3");
    command.arg(place::root().join("xtask/judges/race/race.py"));
    command.arg("--codeweft").arg(binary);
    for (flag, server) in [("--gopls", gopls), ("--ty", ty)] {
        if let Some(server) = server {
            command.arg(flag).arg(server);
        }
    }
    let status = command.args(questions).status();
    let status = status.context("python3 could not be run")?;
    Ok(ExitCode::from(u8::from(!status.success())))
}
