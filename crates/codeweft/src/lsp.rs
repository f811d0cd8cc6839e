//! `codeweft lsp`.

use std::io::{self, stdin, stdout};
use std::path::Path;

use codeweft_ide::socket::{Door, Hello};

use crate::arguments::Lsp;
use crate::connection;
use crate::output::complain;

/// Serves until the editor goes; gives the exit code.
pub fn run(lsp: &Lsp) -> u8 {
    let standalone = lsp.standalone;
    codeweft_lsp::thin::run(
        stdin(),
        stdout(),
        lsp.root.root.clone(),
        move |root: &Path, decided, client_name| {
            let root = root
                .to_str()
                .ok_or_else(|| io::Error::other("the folder's name is not UTF-8"))?;
            let decided = serde_json::to_value(decided)?;
            let hello = Hello::new(Door::Lsp, root, client_name, decided);
            connection::open(hello, standalone).map_err(io::Error::other)
        },
        complain,
    )
}
