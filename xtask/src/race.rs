//! Other language servers beside ours, in one run: `xtask/judges/race/race.py` asks each over LSP for the first
//! answer, cold and with its cache, and for callers by lot, and reads its memory.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::product::Product;
use crate::{corpora, place};

/// Workspaces among the corpora: the name in figures, the folder, a file and a function of it.
const CORPORA: [(&str, &str, &str); 4] = [
    ("caddy", "github.com_caddyserver_caddy_v2", "caddy.go:Load"),
    (
        "grpc",
        "google.golang.org_grpc",
        "internal/transport/http2_server.go:NewServerTransport",
    ),
    (
        "django",
        "django-5.2.15",
        "django/utils/encoding.py:force_str",
    ),
    ("sympy", "sympy-1.14.0", "sympy/core/sympify.py:sympify"),
];

/// The options of a race.
#[derive(clap::Args, Default)]
pub struct Wanted {
    /// The `codeweft` to ask; without it $CODEWEFT_BINARY, else a release build
    #[arg(long)]
    binary: Option<PathBuf>,
    /// A gopls; without it $GOPLS, and without that only `codeweft` answers about Go
    #[arg(long)]
    gopls: Option<PathBuf>,
    /// A ty; without it $TY, and without that only `codeweft` answers about Python
    #[arg(long)]
    ty: Option<PathBuf>,
    /// Only these workspaces: library, caddy, grpc, django, sympy
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
}

/// Runs the race on Go's library and the corpora that are there.
pub fn run(wanted: Wanted) -> Result<ExitCode> {
    let status = command(wanted)?.status();
    let status = status.context("python3 could not be run")?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

/// Runs the race and writes our figures, divided by those of the others, as lines of JSON.
pub fn write(file: &Path) -> Result<()> {
    let mut command = command(Wanted::default())?;
    let status = command.env("CODEWEFT_BENCH_JSON", file).status();
    if status.context("python3 could not be run")?.success() {
        Ok(())
    } else {
        bail!("cargo xtask race did not end well")
    }
}

fn command(wanted: Wanted) -> Result<Command> {
    let library = place::goroot_src()?;
    let mut workspaces = vec![("library", library, "net/http/server.go:Error")];
    let corpora = corpora::folder()?;
    workspaces.extend(CORPORA.map(|(name, folder, asked)| (name, corpora.join(folder), asked)));
    let mut command = Command::new("python3");
    command.arg(place::root().join("xtask/judges/race/race.py"));
    command.arg("--codeweft").arg(match wanted.binary {
        Some(binary) => binary.canonicalize()?,
        None => Product::build()?.binary().to_owned(),
    });
    let of_environment = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let gopls = wanted.gopls.or_else(|| of_environment("GOPLS"));
    let ty = wanted.ty.or_else(|| of_environment("TY"));
    for (flag, server) in [("--gopls", gopls), ("--ty", ty)] {
        if let Some(server) = server {
            command.arg(flag).arg(server);
        }
    }
    for (name, root, asked) in workspaces {
        if !wanted.only.is_empty() && !wanted.only.iter().any(|one| one == name) {
            continue;
        }
        if root.is_dir() {
            command.arg(format!("{name}={}:{asked}", root.display()));
        } else {
            println!("skipped {name}: cargo xtask corpora, cargo xtask asks --fetch");
        }
    }
    Ok(command)
}
