//! The judge of the SCIP export: `xtask/judges/scip` over Go modules.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;
use serde_json::Value;

use crate::corpora;
use crate::place;
use crate::product::Product;

/// Modules for development of the list of Go modules (`cargo xtask corpora` fetches them).
const MODULES: [&str; 5] = [
    "github.com_gin-gonic_gin",
    "github.com_junegunn_fzf",
    "github.com_samber_lo",
    "github.com_zyedidia_generic",
    "go.etcd.io_bbolt",
];

/// The tools to compare with; nothing is downloaded here.
#[derive(clap::Args)]
pub struct Scip {
    /// Go modules: folders of the corpora, or paths
    #[arg(long, num_args = 1.., default_values = MODULES)]
    modules: Vec<PathBuf>,
    /// The command line of SCIP
    #[arg(long, default_value = "scip")]
    scip: PathBuf,
    /// scip-go
    #[arg(long, default_value = "scip-go")]
    scip_go: PathBuf,
    /// The least share of shared places with the same symbol
    #[arg(long, default_value_t = 0.999)]
    least: f64,
    /// How many differences of each cause to print
    #[arg(long, default_value_t = 0)]
    show: usize,
}

/// Runs the judge and prints what it says; fails if a module is below the least share.
pub fn judge(wanted: &Scip) -> Result<ExitCode> {
    let status = command(wanted)?.status()?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns what the judge says of each module: `share`, `without_contradictions`, the number of errors of `scip lint`.
pub fn figures() -> Result<Value> {
    let wanted = Scip {
        modules: MODULES.map(PathBuf::from).into(),
        scip: "scip".into(),
        scip_go: "scip-go".into(),
        least: 0.999,
        show: 0,
    };
    let text = place::stdout(command(&wanted)?.arg("--json"))?;
    Ok(serde_json::from_str(&text)?)
}

fn command(wanted: &Scip) -> Result<Command> {
    let product = Product::build()?;
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(place::root().join("xtask/judges/scip/agreement.py"))
        .arg("--codeweft")
        .arg(product.binary())
        .arg("--scip")
        .arg(&wanted.scip)
        .arg("--scip-go")
        .arg(&wanted.scip_go)
        .arg("--least")
        .arg(wanted.least.to_string())
        .arg("--show")
        .arg(wanted.show.to_string());
    for module in &wanted.modules {
        if module.is_dir() {
            command.arg(module);
        } else {
            command.arg(corpora::folder()?.join(module));
        }
    }
    Ok(command)
}
