//! The list of bars.

use anyhow::Result;

use crate::asks::projects::Language;
use crate::bench;
use crate::house;
use crate::product::Product;
use crate::questions::{Questions, Verdict};
use crate::retrieval::Set;

use super::{
    Figure, analysis, budgets, complete, flow, go, knowledge, live, names, python, references,
    retrieval, secrets, sizes, sql, start, structure,
};

/// A bar: a figure with its floor and goal.
pub struct Bar {
    pub issue: u32,
    pub name: &'static str,
    pub what: &'static str,
    pub floor: Limit,
    pub goal: Limit,
    pub source: Source,
}

/// A limit for a figure.
#[derive(Clone, Copy)]
pub enum Limit {
    AtLeast(f64),
    AtMost(f64),
    /// The answer is the true one; the tests pass.
    True,
    /// The figure is only reported.
    Reported,
}

/// The source of a figure.
#[derive(Clone, Copy)]
pub enum Source {
    FilesRead,
    /// A row of the score on net/http.
    Judge(&'static str),
    /// The same on all of Go's library and commands, with their tests.
    WholeJudge(&'static str),
    Question(Question),
    /// A row of the score of references on net/http.
    References(&'static str),
    /// The same on all of Go's library and commands, with their tests.
    WholeReferences(&'static str),
    /// A row of the score of a module of `judges/go/modules.tsv`, by its path.
    Module(&'static str, &'static str),
    /// A row of the score against the call graph of a command: of a module of the list, or of the
    /// Go distribution.
    Command(Option<&'static str>, &'static str, &'static str),
    /// A row for answers that claim to be complete.
    Completeness(&'static str),
    /// A row for such answers about a module, by its path.
    CompleteModule(&'static str, &'static str),
    /// A row for such answers about traced calls of a package, or of all packages.
    RanComplete(Option<&'static str>, &'static str),
    /// Random local identifiers of net/http.
    Locals,
    /// A figure, by name, of the bench on Go's library.
    Bench(&'static str),
    /// A figure, by name, of the bench on Python's library and a large package.
    PythonBench(&'static str),
    /// A figure, by name, of the bench of both frontends.
    LiveBench(&'static str),
    /// A figure, by name, of the race with other language servers.
    Race(&'static str),
    /// The tests of the binary in a file of this name, including the slow ones.
    BinaryTests(&'static str),
    /// The same for another package.
    CrateTests(&'static str, &'static str),
    /// A row of the score of a Python package against the trace of its tests.
    Traced(&'static str, &'static str),
    /// A question about Python's own library.
    Python(crate::python::questions::Question),
    /// The tests of `codeweft-testing` whose names contain this.
    Tests(&'static str),
    FreshClone,
    /// The answers of a recording, repeated.
    Answers,
    /// A count of the questions with names as people say them, about the projects of a language.
    Names(Language, names::Share),
    /// A share of the judge of the knowledge graph, on the projects for development.
    Knowledge(&'static str),
    /// A figure of the judge of the flow of Python's values, on the packages for development.
    Flow(flow::OfEdges),
    /// The same of the answers that call themselves complete.
    FlowAnswers(flow::OfAnswers),
    /// A figure, by name, of the judge of secrets.
    Secrets(&'static str),
    /// A figure of the store, the SQL engine or the SCIP export.
    Sql(sql::Figure),
    /// A share in what `codeweft eval` says of a set of tasks.
    Retrieval(Set, retrieval::Share),
    /// A figure of the sizes of answers.
    Tokens(sizes::Size),
    /// A figure of the source itself.
    House(house::Metric),
}

/// A question whose true answer is known.
#[derive(Clone, Copy)]
pub enum Question {
    Callers(&'static str),
    Callees(&'static str, u32),
    Impact(&'static str),
    Implementations(&'static str),
    Implements(&'static str),
    Dependencies(&'static str),
    Dependents(&'static str),
    Path(&'static str, &'static str),
}

/// Returns a bar of issue 2.
pub(super) const fn bar(
    name: &'static str,
    what: &'static str,
    (floor, goal): (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 2,
        name,
        what,
        floor,
        goal,
        source,
    }
}

use Limit::{AtLeast, AtMost, Reported, True};
use Source::{Bench, Judge, Tests, WholeJudge};

/// The bars of issue 2.
const BARS: &[Bar] = &[
    bar(
        "files-read",
        "share of files not read in full, without testdata, %",
        (AtMost(0.1), AtMost(0.0)),
        Source::FilesRead,
    ),
    bar(
        "judge-static",
        "net/http: static calls found as exact, %",
        (AtLeast(85.0), Reported),
        Judge("recall static"),
    ),
    bar(
        "judge-interface",
        "net/http: calls of interface methods found, %",
        (Reported, Reported),
        Judge("recall interface"),
    ),
    bar(
        "judge-typeparam",
        "net/http: calls on type parameters found, %",
        (Reported, Reported),
        Judge("recall typeparam"),
    ),
    bar(
        "judge-exact",
        "net/http: exact edges that are right, %",
        (AtLeast(97.0), Reported),
        Judge("precision exact"),
    ),
    bar(
        "judge-callers",
        "net/http: found calls with the right caller, %",
        (AtLeast(99.0), Reported),
        Judge("caller of the call"),
    ),
    bar(
        "judge-implements",
        "net/http: pairs of type and interface found, %",
        (AtLeast(97.0), Reported),
        Judge("recall implements"),
    ),
    bar(
        "judge-implements-right",
        "net/http: pairs of type and interface that are right, %",
        (AtLeast(97.0), Reported),
        Judge("precision implements"),
    ),
    bar(
        "judge-dispatch",
        "net/http: targets of interface calls that are within the class hierarchy's, %",
        (AtLeast(100.0), Reported),
        Judge("dispatch within class hierarchy"),
    ),
    bar(
        "whole-static",
        "library, commands, tests: static calls found as exact, %",
        (Reported, Reported),
        WholeJudge("recall static"),
    ),
    bar(
        "whole-interface",
        "library, commands, tests: calls of interface methods found, %",
        (Reported, Reported),
        WholeJudge("recall interface"),
    ),
    bar(
        "whole-typeparam",
        "library, commands, tests: calls on type parameters found, %",
        (Reported, Reported),
        WholeJudge("recall typeparam"),
    ),
    bar(
        "whole-exact",
        "library, commands, tests: exact edges that are right, %",
        (Reported, Reported),
        WholeJudge("precision exact"),
    ),
    bar(
        "whole-callers",
        "library, commands, tests: found calls with the right caller, %",
        (Reported, Reported),
        WholeJudge("caller of the call"),
    ),
    bar(
        "whole-implements",
        "library, commands, tests: pairs of type and interface found, %",
        (Reported, Reported),
        WholeJudge("recall implements"),
    ),
    bar(
        "whole-implements-right",
        "library, commands, tests: pairs of type and interface that are right, %",
        (Reported, Reported),
        WholeJudge("precision implements"),
    ),
    bar(
        "whole-dispatch",
        "library, commands, tests: targets of interface calls within the class hierarchy's, %",
        (Reported, Reported),
        WholeJudge("dispatch within class hierarchy"),
    ),
    bar(
        "callers-of-serve",
        "who calls net/http.(*Server).Serve; dispatch within the class hierarchy",
        (True, Reported),
        Source::Question(Question::Callers("net/http.Server.Serve")),
    ),
    bar(
        "callees-of-marshal",
        "what encoding/json.Marshal calls, to depth 3; dispatch within the class hierarchy",
        (True, Reported),
        Source::Question(Question::Callees("encoding/json.Marshal", 3)),
    ),
    bar(
        "types-of-reader",
        "which types implement io.Reader",
        (True, Reported),
        Source::Question(Question::Implementations("io.Reader")),
    ),
    bar(
        "types-of-sort",
        "which types implement sort.Interface",
        (True, Reported),
        Source::Question(Question::Implementations("sort.Interface")),
    ),
    bar(
        "types-of-handler",
        "which types implement net/http.Handler",
        (True, Reported),
        Source::Question(Question::Implementations("net/http.Handler")),
    ),
    bar(
        "interfaces-of-buffer",
        "what bytes.Buffer implements",
        (True, Reported),
        Source::Question(Question::Implements("bytes.Buffer")),
    ),
    bar(
        "imports-of-types",
        "what go/types depends on",
        (True, Reported),
        Source::Question(Question::Dependencies("go/types")),
    ),
    bar(
        "importers-of-types",
        "what depends on go/types",
        (True, Reported),
        Source::Question(Question::Dependents("go/types")),
    ),
    bar(
        "path-to-syscall",
        "exact edges from net/http.ListenAndServe to syscall.Syscall",
        (True, Reported),
        Source::Question(Question::Path("net/http.ListenAndServe", "syscall.Syscall")),
    ),
    bar(
        "cold",
        "cold index of the Go library against the bare parse, times",
        (AtMost(4.0), AtMost(2.0)),
        Bench("cold"),
    ),
    bar(
        "edit-under-50kb",
        "an edit to the answer of callers, files under 50 KB, p99, ms",
        (AtMost(25.0), AtMost(5.0)),
        Bench("edit-under-50kb"),
    ),
    bar(
        "edit-under-150kb",
        "the same, files of 50 to 150 KB, p99, ms",
        (Reported, AtMost(5.0)),
        Bench("edit-under-150kb"),
    ),
    bar(
        "edit-above-150kb",
        "the same, files above, p99, ms",
        (Reported, AtMost(10.0)),
        Bench("edit-above-150kb"),
    ),
    bar(
        "comment-runs-own",
        "a comment edit runs that file's own queries and nothing else",
        (True, Reported),
        Tests("a_comment_runs"),
    ),
    bar(
        "memory",
        "anonymous memory after a cold index and 1,000 questions, per source byte",
        (Reported, AtMost(4.0)),
        Bench("memory-per-byte"),
    ),
    bar(
        "same-bytes",
        "same question, same bytes, on one thread and on four",
        (True, Reported),
        Tests("same_question_gives_the_same_bytes"),
    ),
    bar(
        "incremental-is-fresh",
        "after random edits every answer is that of a fresh database",
        (True, Reported),
        Tests("incremental_answers"),
    ),
    bar(
        "fresh-clone",
        "a fresh clone: .ci/run from start to end, minutes",
        (AtMost(25.0), Reported),
        Source::FreshClone,
    ),
];

/// Returns every bar.
pub fn all() -> impl Iterator<Item = &'static Bar> {
    let bars = BARS.iter().chain(python::bars()).chain(references::BARS);
    bars.chain(live::bars())
        .chain(start::bars())
        .chain(budgets::BARS)
        .chain(analysis::BARS)
        .chain(sql::BARS)
        .chain(secrets::BARS)
        .chain(knowledge::BARS)
        .chain(flow::BARS)
        .chain(retrieval::BARS)
        .chain(go::bars())
        .chain(complete::bars())
        .chain(structure::BARS)
        .chain(names::BARS)
        .chain(sizes::BARS)
}

impl Limit {
    /// Returns whether a figure reaches the limit; `None` if there is no limit.
    pub fn holds(self, figure: &Figure) -> Option<bool> {
        match (self, figure) {
            (Limit::Reported, _) | (_, Figure::Skipped) => None,
            (Limit::AtLeast(floor), Figure::Number(number)) => Some(*number >= floor),
            (Limit::AtMost(floor), Figure::Number(number)) => Some(*number <= floor),
            (_, Figure::True(right)) => Some(*right),
            (_, Figure::None) | (Limit::True, Figure::Number(_)) => Some(false),
        }
    }

    /// Returns the limit as the table shows it.
    pub fn printed(self) -> String {
        match self {
            Limit::AtLeast(number) => format!(">= {number}"),
            Limit::AtMost(number) => format!("<= {number}"),
            Limit::True => "true".to_owned(),
            Limit::Reported => "-".to_owned(),
        }
    }
}

impl Question {
    /// Returns the arguments after `codeweft query`.
    fn words(self) -> String {
        match self {
            Question::Callers(of) => format!("callers {of}"),
            Question::Callees(of, depth) => format!("callees {of} --depth {depth}"),
            Question::Impact(of) => format!("impact {of} --depth 1"),
            Question::Implementations(of) => format!("implementations {of}"),
            Question::Implements(of) => format!("implements {of}"),
            Question::Dependencies(of) => format!("dependencies {of}"),
            Question::Dependents(of) => format!("dependents {of}"),
            Question::Path(from, to) => format!("path {from} --to {to}"),
        }
    }

    /// Queries the product and compares.
    pub fn check(self, questions: &Questions, product: &Product) -> Result<Verdict> {
        match self {
            Question::Callers(of) => questions.callers(product, of),
            Question::Callees(of, depth) => questions.callees(product, of, depth),
            Question::Impact(of) => questions.impact(product, of),
            Question::Implementations(of) => questions.implementations(product, of),
            Question::Implements(of) => questions.implements(product, of),
            Question::Dependencies(of) => questions.dependencies(product, of),
            Question::Dependents(of) => questions.dependents(product, of),
            Question::Path(from, to) => questions.path(product, from, to),
        }
    }
}

impl Source {
    /// Returns the command that measures the figure alone.
    pub fn command(self) -> String {
        const ROOT: &str = "--root \"$(go env GOROOT)/src\"";
        match self {
            Source::FilesRead => format!("codeweft index {ROOT} --json"),
            Source::Judge(_) => "cargo xtask judge go --packages net/http".to_owned(),
            Source::WholeJudge(_) => "cargo xtask judge go --packages std cmd --tests".to_owned(),
            Source::References(_) => {
                "cargo xtask judge go --packages net/http --references".to_owned()
            }
            Source::WholeReferences(_) => {
                "cargo xtask judge go --packages std cmd --tests --references".to_owned()
            }
            Source::Locals => {
                let count = references::LOCALS;
                format!("cargo xtask judge go --packages net/http --locals {count}")
            }
            Source::Module(module, _) | Source::Command(Some(module), ..) => {
                format!("cargo xtask judge go --module {module}")
            }
            Source::Command(None, command, _) => {
                format!("cargo xtask judge go --dispatch {command}")
            }
            Source::Completeness(_) => format!(
                "cargo xtask judge go --packages {} --tests --completeness {}",
                go::WHOLE.join(" "),
                go::COMMANDS.join(" ")
            ),
            Source::CompleteModule(module, _) => {
                format!("cargo xtask judge go --module {module} --completeness")
            }
            Source::RanComplete(Some(package), _) => {
                format!("cargo xtask judge python --package {package} --completeness")
            }
            Source::RanComplete(None, _) => {
                "cargo xtask judge python --all --completeness".to_owned()
            }
            Source::Question(question) => format!("codeweft query {} {ROOT}", question.words()),
            Source::Bench(_) => bench::Bench::Spine.command().to_owned(),
            Source::PythonBench(_) => bench::Bench::Python.command().to_owned(),
            Source::LiveBench(_) => bench::Bench::Live.command().to_owned(),
            Source::Race(_) => bench::Bench::Race.command().to_owned(),
            Source::BinaryTests(file) => {
                format!("CODEWEFT_SLOW=1 cargo test --release -p codeweft --test {file}")
            }
            Source::CrateTests(package, file) => {
                format!("CODEWEFT_SLOW=1 cargo test --release -p {package} --test {file}")
            }
            Source::Traced(package, _) => format!("cargo xtask judge python --package {package}"),
            Source::Python(question) => format!(
                "codeweft query {} --root \"$CODEWEFT_CORPORA/cpython-3.11\"",
                question.words()
            ),
            Source::Tests(filter) => format!("cargo test -p codeweft-testing {filter}"),
            Source::Answers => structure::COMMAND.to_owned(),
            Source::Names(..) => names::COMMAND.to_owned(),
            Source::Tokens(_) => sizes::COMMAND.to_owned(),
            Source::Knowledge(_) => "cargo xtask judge knowledge".to_owned(),
            Source::Flow(_) => "cargo xtask judge flow".to_owned(),
            Source::FlowAnswers(_) => "cargo xtask judge flow --completeness".to_owned(),
            Source::Secrets(_) => "cargo xtask judge secrets".to_owned(),
            Source::Sql(figure) => sql::command(figure).to_owned(),
            Source::Retrieval(set, _) => {
                format!("cargo xtask judge retrieval --set {}", set.name())
            }
            Source::House(_) => house::COMMAND.to_owned(),
            Source::FreshClone => {
                "git clone . FOLDER && cd FOLDER && CI=true bash .ci/run".to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_holds_or_not() {
        assert_eq!(AtLeast(85.0).holds(&Figure::Number(85.0)), Some(true));
        assert_eq!(AtLeast(85.0).holds(&Figure::Number(84.9)), Some(false));
        assert_eq!(AtMost(0.1).holds(&Figure::Number(0.2)), Some(false));
        assert_eq!(True.holds(&Figure::True(true)), Some(true));
        assert_eq!(True.holds(&Figure::None), Some(false));
        assert_eq!(AtMost(1.0).holds(&Figure::None), Some(false));
        assert_eq!(Reported.holds(&Figure::Number(1.0)), None);
    }

    #[test]
    fn names_of_bars_are_distinct() {
        let mut names: Vec<_> = all().map(|bar| bar.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().count());
    }
}
