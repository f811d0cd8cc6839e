//! The binary: arguments and output, nothing else.

mod arguments;
mod export;
mod fields;
mod index;
mod mcp;
mod output;
mod progress;
mod query;
mod workspace;

use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};

/// Deep code makes deep questions.
const STACK: usize = 64 << 20;

/// What went wrong inside.
const INTERNAL: u8 = 3;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let run = move || match arguments.command {
        Command::Index(index) => index::run(&index),
        Command::Query(query) => query::run(&query),
        Command::Export(export) => export::run(&export),
        Command::Mcp(mcp) => mcp::run(&mcp),
    };
    let thread = std::thread::Builder::new()
        .name("codeweft".to_owned())
        .stack_size(STACK)
        .spawn(run);
    match thread {
        Ok(thread) => match thread.join() {
            Ok(code) => ExitCode::from(code),
            // What it was stands on stderr already.
            Err(_) => ExitCode::from(INTERNAL),
        },
        Err(error) => {
            output::complain(&format!("no thread could be started: {error}"));
            ExitCode::from(INTERNAL)
        }
    }
}
