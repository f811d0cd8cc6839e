//! How tasks are run.

use std::path::Path;

use clap::ValueEnum;
use codeweft_retrieval::{Profile, Weights};

/// The formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Formula {
    /// The one that measured best; the default of a workspace
    Measured,
    /// Names, full text and calls joined by reciprocal rank
    Codegrapher,
}

impl Formula {
    /// All of them, the default first.
    pub const ALL: [Formula; 2] = [Formula::Measured, Formula::Codegrapher];

    /// Its name in what is printed.
    pub fn name(self) -> &'static str {
        match self {
            Formula::Measured => "measured",
            Formula::Codegrapher => "codegrapher",
        }
    }

    /// It, as retrieval names it.
    pub fn profile(self) -> Profile {
        match self {
            Formula::Measured => Profile::Measured,
            Formula::Codegrapher => Profile::Codegrapher,
        }
    }
}

/// How tasks are run.
pub struct Plan<'a> {
    /// The folder with the clones.
    pub repositories: &'a Path,
    /// The formulas to rank by; bundles are made by the first.
    pub formulas: &'a [Formula],
    /// The weights of the measured formula.
    pub weights: Weights,
    /// The tokens of a bundle; `None` for no bundles.
    pub token_budget: Option<u32>,
    /// Whether the history of the repository is used.
    pub history: bool,
    /// How many threads.
    pub threads: usize,
    /// Whether no progress is drawn.
    pub quiet: bool,
}
