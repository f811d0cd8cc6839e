//! Tasks around Codeweft that need more than one cargo command: the figures behind its promises,
//! the judges, the corpora, and the generated pages.

mod answers;
mod asks;
mod bars;
mod bench;
mod completeness;
mod corpora;
mod docs;
mod histories;
mod house;
mod impact;
mod judge;
mod judged;
mod knowledge;
mod locals;
mod modules;
mod place;
mod plots;
mod product;
mod python;
mod questions;
mod race;
mod repositories;
mod retrieval;
mod scip;
mod secrets;
mod session;
mod tokens;
mod truth;
mod unused;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Tasks around Codeweft.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Measures and prints every bar: figure, floor, goal, and the command behind it
    Bars {
        /// Only the bars of this issue
        #[arg(long)]
        issue: Option<u32>,
        /// Only the bars of these names; a word that is no bar's name stands for all that contain it
        #[arg(long, num_args = 1..)]
        only: Vec<String>,
        /// Print the list without measuring
        #[arg(long)]
        list: bool,
        /// Also measure what takes tens of minutes: the fresh clone
        #[arg(long)]
        slow: bool,
        /// Also write the rows here
        #[arg(long)]
        json: Option<PathBuf>,
        /// How many differences to print below a bar that was missed
        #[arg(long, default_value_t = 10)]
        show: usize,
        /// Also write the figures into the pages of docs/ that show them
        #[arg(long)]
        record: bool,
        /// End with exit code 4 when a floor was missed or could not be measured
        #[arg(long)]
        fail: bool,
    },
    /// Proves that a change of structure changed no answer: records answers, compares recordings
    Answers {
        #[command(subcommand)]
        task: answers::Task,
    },
    /// Asks 200 questions with names as people say them and scores the answers
    Asks {
        /// Only fetch the projects from their registries into $CODEWEFT_CORPORA
        #[arg(long, conflicts_with_all = ["binary", "project", "show"])]
        fetch: bool,
        /// The `codeweft` to ask; without it $CODEWEFT_BINARY, else a release build
        #[arg(long)]
        binary: Option<PathBuf>,
        /// Only the questions about this project
        #[arg(long)]
        project: Option<String>,
        /// How many questions that were not answered right to print
        #[arg(long, default_value_t = 10)]
        show: usize,
    },
    /// Draws the tables of docs/figures as SVG
    Plots {
        /// Only compare: exit code 1 if a plot is not what its table gives
        #[arg(long)]
        check: bool,
    },
    /// Measures gopls and ty beside us over LSP, in one run: the first answer, cold and with their caches,
    /// callers by lot, memory
    Race(race::Wanted),
    /// Asks default questions by lot and counts the tokens of the answers, beside those of grep
    Tokens {
        /// The `codeweft` to ask; without it $CODEWEFT_BINARY, else a release build
        #[arg(long)]
        binary: Option<PathBuf>,
        /// Only ask about this folder, of this language; without it the standard libraries and the
        /// projects of `cargo xtask asks` that were fetched
        #[arg(long, requires = "language")]
        root: Option<PathBuf>,
        /// Its language: go or python
        #[arg(long, requires = "root")]
        language: Option<asks::projects::Language>,
        /// How many questions
        #[arg(long, default_value_t = tokens::QUESTIONS)]
        count: usize,
        /// How many answers that are wrong, or longer than grep's, to print
        #[arg(long, default_value_t = 10)]
        show: usize,
    },
    /// Compares an export with an outside judge
    Judge {
        #[command(subcommand)]
        language: Judged,
    },
    /// Brings the corpora of the slow tests into $CODEWEFT_CORPORA, or says where they are
    Corpora {
        /// Also bring the modules of the judge's test set
        #[arg(long)]
        test_set: bool,
    },
    /// Writes the generated pages of docs/
    Docs {
        /// Change nothing; end with exit code 4 when a page is not up to date
        #[arg(long)]
        check: bool,
    },
    /// Measures the source itself: import cycles, wide types, homonyms, documentation
    House {
        /// The root of the workspace to read; without it, this one
        #[arg(long)]
        root: Option<PathBuf>,
        /// Also write the figures into docs/house.md
        #[arg(long)]
        write: bool,
        /// End with exit code 4 when a floor is broken
        #[arg(long)]
        check: bool,
    },
}

#[derive(Subcommand)]
enum Judged {
    /// The SCIP export, with scip-go and `scip lint`
    Scip(scip::Scip),
    /// Questions across repositories in three engines, with plain dictionaries
    Repositories(repositories::Repositories),
    /// The knowledge graph, with go/types, Python's parser and tables written by reading
    Knowledge(knowledge::Knowledge),
    /// Secrets planted in clean trees, with detect-secrets
    Secrets(secrets::Secrets),
    /// What retrieval finds for issues and commits whose edited files are known
    Retrieval(retrieval::Retrieval),
    /// Sixteen packages of Python, with traces of what their tests call
    Flow(python::flow::Flow),
    /// What is unused, with deadcode, staticcheck, vulture and traces
    Unused(unused::Unused),
    /// The tests that a change can reach, by running the tests of commits
    Impact(histories::Tests),
    /// The edges that come and go with a change, by exports of both sides of commits
    EdgeDelta(histories::Edges),
    /// With a trace of what the package's own tests call
    Python {
        /// The package: click, jinja2, httpx, flask, werkzeug, starlette, attrs or marshmallow
        #[arg(long, required_unless_present = "all")]
        package: Option<String>,
        /// All packages
        #[arg(long, requires = "completeness", conflicts_with = "package")]
        all: bool,
        /// Ask for the callers of every function that ran, and compare the answers that are complete
        #[arg(long, conflicts_with = "export")]
        completeness: bool,
        /// An export of its tree to score, instead of a new one
        #[arg(long)]
        export: Option<PathBuf>,
        /// How many misses and wrong edges to print
        #[arg(long, default_value_t = 0)]
        show: usize,
        /// Also write the figures here
        #[arg(long)]
        json: Option<PathBuf>,
    },
    /// With the type checker of the Go distribution
    Go {
        /// Packages to compare, as `go list` takes them
        #[arg(long, num_args = 1.., default_value = "net/http")]
        packages: Vec<String>,
        /// The folder to index and to ask `go list` in; without it $(go env GOROOT)/src
        #[arg(long)]
        corpus: Option<PathBuf>,
        /// An export to score, instead of a new one
        #[arg(long)]
        export: Option<PathBuf>,
        /// Judge test files too
        #[arg(long)]
        tests: bool,
        /// Compare uses and definitions, too
        #[arg(long)]
        references: bool,
        /// Only ask for the definitions of this many local identifiers by lot
        #[arg(long, value_name = "COUNT", conflicts_with_all = ["references", "export", "json"])]
        locals: Option<usize>,
        /// Compare what may run at calls with x/tools' call graph of this command, a package
        #[arg(long, value_name = "COMMAND", conflicts_with = "locals")]
        dispatch: Option<String>,
        /// Ask for the callers of every function, and compare the answers that are complete; with the call
        /// graphs of these commands, too
        #[arg(long, value_name = "COMMANDS", num_args = 0.., conflicts_with_all = ["locals", "dispatch"])]
        completeness: Option<Vec<String>>,
        #[command(flatten)]
        modules: judged::Modules,
        /// How many differences of each kind to print
        #[arg(long, default_value_t = 0)]
        show: usize,
        /// Also write the figures here
        #[arg(long)]
        json: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Bars {
            issue,
            only,
            list,
            slow,
            json,
            show,
            record,
            fail,
        } => bars::run(&bars::Wanted {
            issue,
            only,
            list,
            slow,
            json,
            show,
            fail,
            record,
        }),
        Task::Judge {
            language: Judged::Scip(wanted),
        } => scip::judge(&wanted),
        Task::Judge {
            language: Judged::Repositories(wanted),
        } => repositories::judge(&wanted),
        Task::Judge {
            language: Judged::Knowledge(wanted),
        } => knowledge::judge(&wanted),
        Task::Judge {
            language: Judged::Secrets(wanted),
        } => secrets::judge(&wanted),
        Task::Judge {
            language: Judged::Retrieval(wanted),
        } => retrieval::judge(&wanted),
        Task::Judge {
            language: Judged::Flow(wanted),
        } => python::flow::judge(&wanted),
        Task::Judge {
            language: Judged::Unused(wanted),
        } => unused::judge(&wanted),
        Task::Judge {
            language: Judged::Impact(wanted),
        } => histories::judge_tests(&wanted),
        Task::Judge {
            language: Judged::EdgeDelta(wanted),
        } => histories::judge_edges(&wanted),
        Task::Judge {
            language:
                Judged::Go {
                    packages,
                    corpus,
                    export,
                    tests,
                    references,
                    locals,
                    dispatch,
                    completeness,
                    modules,
                    show,
                    json,
                },
        } => judged::run(
            &modules,
            judged::Wanted {
                packages,
                corpus,
                export,
                tests,
                references,
                locals,
                dispatch,
                completeness,
                show,
                json,
            },
        ),
        Task::Judge {
            language:
                Judged::Python {
                    package,
                    all: _,
                    completeness,
                    export,
                    show,
                    json,
                },
        } => {
            let figures = match (completeness, package) {
                (true, package) => python::completeness::judge_and_print(package.as_deref(), show)?,
                (false, Some(package)) => python::judge::judge_and_print(package, export, show)?,
                (false, None) => anyhow::bail!("which package?"),
            };
            if let Some(file) = json {
                std::fs::write(file, serde_json::to_string_pretty(&figures)?)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Task::Asks { fetch: true, .. } => asks::fetch(),
        Task::Asks {
            fetch: false,
            binary,
            project,
            show,
        } => {
            let binary = match binary {
                Some(binary) => binary,
                None => product::Product::build()?.binary().to_owned(),
            };
            asks::run(&binary, project.as_deref(), show)
        }
        Task::Plots { check } => plots::run(check),
        Task::Race(wanted) => race::run(wanted),
        Task::Tokens {
            binary,
            root,
            language,
            count,
            show,
        } => {
            let binary = match binary {
                Some(binary) => binary.canonicalize()?,
                None => product::Product::build()?.binary().to_owned(),
            };
            tokens::run(&binary, root.zip(language), count, show)
        }
        Task::Answers { task } => answers::run(task),
        Task::Corpora { test_set } => corpora::run(test_set),
        Task::Docs { check } => docs::run(check),
        Task::House { root, write, check } => house::run(&house::Wanted { root, write, check }),
    }
}
