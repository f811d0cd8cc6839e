//! Figures about the source of Codeweft itself: import cycles, wide types, homonyms, documentation, and how
//! many files change where something is added.
//!
//! [`bars`] has the floors; [`cycles`], [`types`], [`additions`] and [`docs`] say how each figure is counted;
//! [`history`] keeps them in `docs/house.md`.

mod additions;
mod bars;
mod cycles;
mod docs;
mod exempt;
mod figures;
mod history;
mod language;
mod literals;
mod names;
mod paths;
mod source;
mod table;
mod types;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::place;

pub use additions::Addition;
pub use bars::Metric;
pub use figures::House;

/// What one types to get the figures.
pub const COMMAND: &str = "cargo xtask house";

/// What is to be done with the figures, beside printing them.
pub struct Wanted {
    /// The root of the workspace to read; without it, this one.
    pub root: Option<PathBuf>,
    /// Write them into `docs/house.md` of this workspace.
    pub write: bool,
    /// End with exit code 4 if a floor is broken.
    pub check: bool,
}

/// Measures the workspace at `root`.
pub fn measure(root: &Path) -> Result<House> {
    Ok(House::of(&source::workspace(root)?, exempt::EXEMPT))
}

/// Warnings of exempt types that the crates no longer have.
fn warnings(house: &House) -> Vec<String> {
    let types = house
        .crates
        .iter()
        .flat_map(|of| of.types.iter().map(|one| (&*of.name, &one.wide)));
    exempt::warnings(exempt::EXEMPT, types)
}

/// Reads a workspace and prints its figures.
pub fn run(wanted: &Wanted) -> Result<ExitCode> {
    let root = wanted.root.clone().unwrap_or_else(place::root);
    let house = measure(&root)?;
    for warning in warnings(&house) {
        eprintln!("warning: {warning}");
    }
    let touched = language::touched(&root);
    let figures = table::text(&house, touched.as_deref());
    print!("{figures}");
    if wanted.write {
        let file = place::root().join(history::PAGE);
        let page = std::fs::read_to_string(&file);
        let page = page.with_context(|| format!("cannot read {}", history::PAGE))?;
        let page = history::with_section(&page, &commit(&root)?, &figures);
        let page = page.with_context(|| format!("{} has no `## Measured`", history::PAGE))?;
        std::fs::write(&file, page).with_context(|| format!("cannot write {}", history::PAGE))?;
        eprintln!("wrote {}", history::PAGE);
    }
    let mut broken = false;
    if wanted.check {
        for bar in bars::bars(&house, touched.as_deref()) {
            if let (Some(false), Some(figure), Some(floor)) = (bar.holds, bar.figure, bar.floor) {
                broken = true;
                eprintln!("{}: {figure}, but at most {floor} is allowed", bar.name);
            }
        }
    }
    Ok(ExitCode::from(if broken { 4 } else { 0 }))
}

/// The last commit that changed the crates, which names these figures for good: commits of other files
/// do not change them.
fn commit(root: &Path) -> Result<String> {
    let git =
        |arguments: &[&str]| place::stdout(Command::new("git").arg("-C").arg(root).args(arguments));
    let commit = git(&["log", "-1", "--abbrev=7", "--format=%h", "--", "crates"])?;
    let changed = git(&["status", "--porcelain", "--", "crates"])?;
    let after = if changed.trim().is_empty() {
        ""
    } else {
        ", changed"
    };
    Ok(format!("{}{after}", commit.trim()))
}
