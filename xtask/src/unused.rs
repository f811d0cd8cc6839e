//! The judges of unused symbols: the scripts of `xtask/judges/unused` over the corpora.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::corpora;
use crate::place;
use crate::product::Product;
use crate::python::interpreter;
use crate::python::packages::Package;

/// The tools to compare with. `go install` and `pip` bring them; nothing is downloaded here.
#[derive(clap::Args)]
pub struct Unused {
    /// Go modules, folders of the corpora
    #[arg(long, num_args = 0.., default_values = ["github.com_junegunn_fzf", "github.com_evanw_esbuild", "mvdan.cc_sh_v3"])]
    modules: Vec<String>,
    /// Python packages whose tests are traced
    #[arg(long, num_args = 0.., default_values = ["click", "jinja2", "httpx"])]
    packages: Vec<String>,
    /// golang.org/x/tools/cmd/deadcode
    #[arg(long, default_value = "deadcode")]
    deadcode: PathBuf,
    /// honnef.co/go/tools/cmd/staticcheck
    #[arg(long, default_value = "staticcheck")]
    staticcheck: PathBuf,
    /// vulture
    #[arg(long, default_value = "vulture")]
    vulture: PathBuf,
    /// A folder for what we list, from which `by_lot.py` draws
    #[arg(long)]
    out: Option<PathBuf>,
    /// How many differences of each cause to print
    #[arg(long, default_value_t = 0)]
    show: usize,
}

/// Runs the judges and prints what they say.
pub fn judge(wanted: &Unused) -> Result<ExitCode> {
    let product = Product::build()?;
    let corpora = corpora::folder()?;
    let script = |name: &str| {
        let mut command = Command::new("python3");
        command
            .arg("-B")
            .arg(place::root().join("xtask/judges/unused").join(name))
            .arg("--codeweft")
            .arg(product.binary())
            .arg("--show")
            .arg(wanted.show.to_string());
        if let Some(out) = &wanted.out {
            command.arg("--out").arg(out);
        }
        command
    };
    if !wanted.modules.is_empty() {
        let mut command = script("go_unused.py");
        command.arg("--deadcode").arg(&wanted.deadcode);
        command.arg("--staticcheck").arg(&wanted.staticcheck);
        command.args(wanted.modules.iter().map(|module| corpora.join(module)));
        run(&mut command)?;
    }
    for name in &wanted.packages {
        let package = Package::traced(name)?;
        let mut command = script("python_unused.py");
        command.arg("--vulture").arg(&wanted.vulture);
        command
            .arg("--environment")
            .arg(interpreter::environment(&corpora, package.requirements)?);
        let trace = corpora
            .join("traces")
            .join(format!("{}.jsonl", package.label()));
        if trace.is_file() {
            command.arg("--trace").arg(trace);
        } else {
            println!("no trace of {name}; `cargo xtask judge python --package {name}` makes one");
        }
        command.arg(package.bring()?);
        run(&mut command)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    if !status.success() {
        bail!("{} ended with {status}", place::shown(command));
    }
    Ok(())
}
