//! `codeweft lsp`.

use std::collections::HashMap;
use std::io::{self, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use codeweft_server::{Frontend, Hello};

use crate::arguments::Lsp;
use crate::output::print_error;
use crate::restarts::Restarts;
use crate::{connection, workspace};

/// Serves an editor until it disconnects; returns the exit code.
pub fn run(lsp: &Lsp) -> u8 {
    let standalone = lsp.standalone;
    let build = lsp.workspace.build.clone();
    if let Err(words) = workspace::check(&build) {
        print_error(&words);
        return workspace::WRONG_USE;
    }
    // By root: each has a server of its own.
    let restarts: Mutex<HashMap<PathBuf, Arc<Restarts>>> = Mutex::default();
    codeweft_lsp::proxy::run(
        stdin(),
        stdout(),
        lsp.workspace.root.root.clone(),
        move |root: &Path, decided, client_name| {
            let restarts = {
                // The map is consistent at every point that could panic.
                let mut restarts = restarts.lock().unwrap_or_else(PoisonError::into_inner);
                restarts.entry(root.to_owned()).or_default().clone()
            };
            let root = root
                .to_str()
                .ok_or_else(|| io::Error::other("the folder's name is not UTF-8"))?;
            thread::sleep(restarts.next().map_err(io::Error::other)?);
            let decided = serde_json::to_value(decided)?;
            let hello = Hello::new(Frontend::Lsp, root, client_name, decided);
            connection::open(hello, standalone, &build).map_err(io::Error::other)
        },
        print_error,
    )
}
