//! The `codeweft` binary: command line arguments and output.

mod arguments;
mod bundle;
mod command;
mod connection;
mod database;
mod detach;
mod doctor;
mod eval;
mod excluded_files;
mod export;
mod fields;
mod frontends;
mod index;
mod init;
mod knowledge;
mod lsp;
mod map;
mod mcp;
mod mcp_config;
mod model;
mod output;
mod pictures;
mod progress;
mod query;
mod restarts;
mod serve;
mod sql;
mod sql_query;
mod stats;
mod store;
mod table;
mod validate;
mod workspace;

use std::process::ExitCode;

use clap::Parser as _;

use command::{Arguments, Command};

/// The allocator of the whole process, the C code of the parsers included.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The stack size of the main work: deeply nested code makes deep recursions.
const STACK: usize = 64 << 20;

/// The exit code of an internal error.
const INTERNAL: u8 = 3;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Command::Serve(serve) = &arguments.command
        && serve.detached
    {
        // While there is one thread, and only inherited descriptors are open.
        detach::detach_from_client();
    }
    std::panic::set_hook(Box::new(|panic| {
        // The standard hook prints the text that a wrong slice is of; it may be one with a secret.
        let at = panic.location().map(ToString::to_string);
        let words = codeweft_db::panic_message(panic.payload());
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("?");
        eprintln!(
            "thread '{thread}' panicked at {}:\n{words}",
            at.unwrap_or_default()
        );
    }));
    let run = move || match arguments.command {
        Command::Init(init) => init::run(&init),
        Command::Index(index) => index::run(&index),
        Command::Query(query) => query::run(&query),
        Command::Impact(impact) => query::impact(&impact),
        Command::Analyze(analyze) => query::analyze(&analyze),
        Command::Map(map) => map::run(&map),
        Command::Export(export) => export::run(&export),
        Command::Sql(sql) => sql::run(&sql),
        Command::Bundle(bundle) => bundle::run(&bundle),
        Command::Model(model) => model::run(&model),
        Command::Knowledge(knowledge) => knowledge::run(&knowledge),
        Command::Serve(serve) => serve::run(&serve),
        Command::Lsp(lsp) => lsp::run(&lsp),
        Command::Mcp(mcp) => mcp::run(&mcp),
        Command::McpConfig(config) => mcp_config::run(&config),
        Command::Stats(stats) => stats::run(&stats),
        Command::Validate(validate) => validate::run(&validate),
        Command::Eval(eval) => eval::run(&eval),
        Command::Doctor(doctor) => doctor::run(&doctor),
    };
    let thread = std::thread::Builder::new()
        .name("codeweft".to_owned())
        .stack_size(STACK)
        .spawn(run);
    match thread {
        Ok(thread) => match thread.join() {
            Ok(code) => ExitCode::from(code),
            // The panic message is on standard error already.
            Err(_) => ExitCode::from(INTERNAL),
        },
        Err(error) => {
            output::print_error(&format!("no thread could be started: {error}"));
            ExitCode::from(INTERNAL)
        }
    }
}
