//! `codeweft model`: models of what declarations mean, which a user may add.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use codeweft_vectors::{Encoder, KeptVectors, ModelError, Models};
use codeweft_workspace::{RequestCancellation, model_folder, vector_file};
use rustc_hash::FxHashSet;

use crate::arguments::{Quiet, Workspace};
use crate::output::{counted, print, print_error};
use crate::workspace;

/// The exit code if no model has the name.
const NONE: u8 = 1;

/// The exit code if a model cannot be had.
const NOT_HAD: u8 = 5;

/// How many vectors are made before progress is printed again.
const STEP: usize = 500;

/// `codeweft model`.
#[derive(Debug, Args)]
#[command(
    after_help = "No model is needed: files are ranked by words, names, imports and history, which measured best. A model adds
what declarations mean to the profile codegrapher, and to the other one with [retrieval] weights = { meaning = 0.3 }.

  codeweft model add ~/models/all-MiniLM-L6-v2
  codeweft model build                          # with [retrieval] model = \"all-MiniLM-L6-v2\" in codeweft.toml
  codeweft bundle \"retry of failed uploads\"

A model is a folder with config.json (of BERT), tokenizer.json and model.safetensors. Its copy lies below $XDG_DATA_HOME/codeweft/models,
its vectors in .codeweft/vectors of the workspace, by the texts that they are of. An encoder is in builds with
--features encoder.

Exit codes: 0 done, 1 no model has the name, 2 wrong use, 5 the model cannot be had."
)]
pub struct Model {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Debug, Subcommand)]
enum ModelCommand {
    /// Copy a model's folder
    Add {
        /// The folder
        folder: PathBuf,
        /// The name; without it that of the folder
        #[arg(long)]
        name: Option<String>,
    },
    /// List the models
    List,
    /// Remove a model
    Remove {
        /// Its name
        name: String,
    },
    /// Make the vectors of the workspace's declarations by the model that the settings name; only what changed
    #[command(name = "build")]
    MakeVectors {
        #[command(flatten)]
        workspace: Workspace,
        #[command(flatten)]
        quiet: Quiet,
    },
}

/// Runs the command; returns the exit code.
pub fn run(model: &Model) -> u8 {
    let Some(folder) = model_folder() else {
        print_error("there is no home for models: neither HOME nor XDG_DATA_HOME is set");
        return NOT_HAD;
    };
    let models = Models::in_folder(folder);
    let done = match &model.command {
        ModelCommand::Add { folder, name } => {
            let added = models.add(folder, name.as_deref());
            added.and_then(|name| {
                // What no encoder reads is said at once.
                match Encoder::load(&models.folder(&name)?) {
                    Ok(encoder) => Ok(format!(
                        "added {name}: {} numbers a vector; name it in codeweft.toml: [retrieval] model = \"{name}\"",
                        encoder.dimensions()
                    )),
                    Err(error) => {
                        models.remove(&name)?;
                        Err(error)
                    }
                }
            })
        }
        ModelCommand::List => Ok(match models.names().as_slice() {
            [] => "no model is added, and none is needed".to_owned(),
            names => names.join("\n"),
        }),
        ModelCommand::Remove { name } => models.remove(name).map(|()| format!("removed {name}")),
        ModelCommand::MakeVectors { workspace, quiet } => return build(&models, workspace, quiet),
    };
    match done {
        Ok(words) => print(&words, 0),
        Err(error) => refused(&error),
    }
}

fn refused(error: &ModelError) -> u8 {
    print_error(&error.to_string());
    match error {
        ModelError::Unknown { .. } => NONE,
        ModelError::Name(_) => workspace::WRONG_USE,
        _ => NOT_HAD,
    }
}

/// Makes the vectors of the texts that have none.
fn build(models: &Models, wanted: &Workspace, quiet: &Quiet) -> u8 {
    let host = match workspace::load(wanted, quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let Some(name) = host.model().map(str::to_owned) else {
        print_error(
            "no model is named: [retrieval] model = \"NAME\" in codeweft.toml; codeweft model list lists those that are added",
        );
        return workspace::WRONG_USE;
    };
    let encoder = models
        .folder(&name)
        .and_then(|folder| Encoder::load(&folder));
    let encoder = match encoder {
        Ok(encoder) => encoder,
        Err(error) => return refused(&error),
    };
    let texts = host
        .snapshot(&RequestCancellation::default())
        .meaning_texts();
    let path = vector_file(host.root(), &name);
    let mut vectors = KeptVectors::read(&path, encoder.id(), encoder.dimensions())
        .unwrap_or_else(|_| KeptVectors::new(encoder.id(), encoder.dimensions()));
    let in_use: FxHashSet<_> = texts.iter().map(|text| text.hash).collect();
    vectors.retain(&in_use);
    let missing: Vec<_> = texts
        .iter()
        .filter(|text| !vectors.has(text.hash))
        .collect();
    for (number, text) in missing.iter().enumerate() {
        if let Some(vector) = encoder.encode(&text.text) {
            vectors.add(text.hash, vector);
        }
        if !quiet.quiet && (number + 1) % STEP == 0 {
            // Progress that cannot be printed is none.
            let _ = writeln!(std::io::stderr(), "{} of {}", number + 1, missing.len());
        }
    }
    if let Err(error) = vectors.write(&path) {
        print_error(&format!("{}: {error}", path.display()));
        return NOT_HAD;
    }
    let made = counted(missing.len() as u64, "vector", "vectors");
    let words = format!("{made} made, {} in {}", vectors.len(), path.display());
    print(&words, 0)
}
