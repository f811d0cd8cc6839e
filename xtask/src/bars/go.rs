//! The bars of Go against the compiler: the type checker on Go's library and on modules, x/tools'
//! call graphs of commands, answers that claim to be complete, and times.

use crate::completeness::{NEVER_VALUES, WITHOUT_STATIC, WITHOUT_VTA};

use super::list::{self, Bar, Limit, Source};

use Limit::{AtLeast, AtMost, Reported, True};
use Source::{Bench, Completeness, WholeJudge, WholeReferences};

/// All of Go's library and commands.
pub const WHOLE: &[&str] = &["std", "cmd"];

/// The commands of the Go distribution whose call graphs are compared.
pub const COMMANDS: &[&str] = &["cmd/go", "cmd/vet"];

const fn bar(
    name: &'static str,
    what: &'static str,
    limits: (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 5,
        ..list::bar(name, what, limits, source)
    }
}

/// Nearly all of it is right.
const RIGHT: (Limit, Limit) = (AtLeast(99.5), AtLeast(99.9));
/// All but the known causes is right.
const PAIRS: (Limit, Limit) = (AtLeast(99.9), AtLeast(99.9));
const REFERENCES: (Limit, Limit) = (AtLeast(99.5), Reported);

/// Returns the source of a row of the library's score.
const fn whole(_: &'static str, row: &'static str) -> Source {
    match row.as_bytes().first_chunk::<3>() {
        Some(b"ref") => WholeReferences(row),
        _ => WholeJudge(row),
    }
}

/// Returns the source of a row of a module's score.
const fn module(path: &'static str, row: &'static str) -> Source {
    Source::Module(path, row)
}

/// Defines the bars of the type checker.
macro_rules! types {
    ($name:literal, $words:literal, $make:ident) => {
        [
            bar(
                concat!($name, "-static"),
                concat!($words, ": static calls found as exact, %"),
                RIGHT,
                $make($words, "recall static"),
            ),
            bar(
                concat!($name, "-exact"),
                concat!($words, ": exact edges that are right, %"),
                RIGHT,
                $make($words, "precision exact"),
            ),
            bar(
                concat!($name, "-callers"),
                concat!($words, ": found calls with the right caller, %"),
                PAIRS,
                $make($words, "caller of the call"),
            ),
            bar(
                concat!($name, "-interface"),
                concat!($words, ": calls of interface methods found as exact, %"),
                RIGHT,
                $make($words, "recall interface"),
            ),
            bar(
                concat!($name, "-implements"),
                concat!(
                    $words,
                    ": pairs of type and interface found, with the receiver, %"
                ),
                PAIRS,
                $make($words, "recall implements"),
            ),
            bar(
                concat!($name, "-implements-right"),
                concat!($words, ": such pairs that are right, %"),
                PAIRS,
                $make($words, "precision implements"),
            ),
            bar(
                concat!($name, "-methods"),
                concat!($words, ": pairs of method and interface method found, %"),
                PAIRS,
                $make($words, "recall implements, methods"),
            ),
            bar(
                concat!($name, "-methods-right"),
                concat!($words, ": such pairs that are right, %"),
                PAIRS,
                $make($words, "precision implements, methods"),
            ),
            bar(
                concat!($name, "-uses"),
                concat!($words, ": uses found by (use, definition), %"),
                REFERENCES,
                $make($words, "references recall"),
            ),
            bar(
                concat!($name, "-uses-right"),
                concat!($words, ": such uses that are right, %"),
                REFERENCES,
                $make($words, "references precision"),
            ),
        ]
    };
}

/// Defines the bars of the call graph of a command.
macro_rules! command {
    ($name:literal, $module:expr, $command:literal) => {
        [
            bar(
                concat!($name, "-dispatch"),
                concat!($name, ": what vta has at interface calls found, %"),
                (AtLeast(97.0), AtLeast(99.0)),
                Source::Command($module, $command, "recall dispatch"),
            ),
            bar(
                concat!($name, "-dispatch-size"),
                concat!($name, ": targets at interface calls, times vta's"),
                (AtMost(1.6), AtMost(1.4)),
                Source::Command($module, $command, "size dispatch"),
            ),
            bar(
                concat!($name, "-values"),
                concat!($name, ": what vta has at calls of function values found, literals by the function that \
                                 holds them, %"),
                (AtLeast(80.0), AtLeast(90.0)),
                Source::Command($module, $command, "recall either"),
            ),
            bar(
                concat!($name, "-values-size"),
                concat!($name, ": targets at calls of function values, times vta's"),
                (AtMost(2.0), AtMost(2.0)),
                Source::Command($module, $command, "size either"),
            ),
            bar(
                concat!($name, "-values-declared"),
                concat!($name, ": the same of declared functions alone, %"),
                (Reported, Reported),
                Source::Command($module, $command, "recall values"),
            ),
            bar(
                concat!($name, "-type-parameters"),
                concat!($name, ": what vta has at calls on type parameters found, %"),
                (Reported, Reported),
                Source::Command($module, $command, "recall type parameters"),
            ),
        ]
    };
}

const LIBRARY: &[Bar] = &types!("go", "library, commands, tests", whole);

const MODULES: &[&[Bar]] = &[
    &types!("fzf", "github.com/junegunn/fzf", module),
    &types!(
        "client-golang",
        "github.com/prometheus/client_golang",
        module
    ),
    &types!("x-tools", "golang.org/x/tools", module),
    &types!("gin", "github.com/gin-gonic/gin", module),
    &types!("generic", "github.com/zyedidia/generic", module),
    &types!("otel", "go.opentelemetry.io/otel", module),
    &types!("wazero", "github.com/tetratelabs/wazero", module),
    &types!("bbolt", "go.etcd.io/bbolt", module),
    &types!("esbuild", "github.com/evanw/esbuild", module),
    &types!("grpc", "google.golang.org/grpc", module),
    &types!("sh", "mvdan.cc/sh/v3", module),
    &types!("sqlite3", "github.com/mattn/go-sqlite3", module),
    &types!("lo", "github.com/samber/lo", module),
    &types!("go-ethereum", "github.com/ethereum/go-ethereum", module),
    &types!("protobuf", "google.golang.org/protobuf", module),
];

const CALL_GRAPHS: &[&[Bar]] = &[
    &command!("cmd-go", None, "cmd/go"),
    &command!("cmd-vet", None, "cmd/vet"),
    &command!("fzf", Some("github.com/junegunn/fzf"), "."),
    &command!("callgraph", Some("golang.org/x/tools"), "./cmd/callgraph"),
    &command!("goimports", Some("golang.org/x/tools"), "./cmd/goimports"),
    &command!(
        "wazero",
        Some("github.com/tetratelabs/wazero"),
        "./cmd/wazero"
    ),
    &command!("bbolt", Some("go.etcd.io/bbolt"), "./cmd/bbolt"),
    &command!("esbuild", Some("github.com/evanw/esbuild"), "./cmd/esbuild"),
    &command!("shfmt", Some("mvdan.cc/sh/v3"), "./cmd/shfmt"),
    &command!("gosh", Some("mvdan.cc/sh/v3"), "./cmd/gosh"),
    &command!("evm", Some("github.com/ethereum/go-ethereum"), "./cmd/evm"),
    &command!(
        "protoc-gen-go",
        Some("google.golang.org/protobuf"),
        "./cmd/protoc-gen-go"
    ),
];

const COMPLETE: &[Bar] = &[
    bar(
        "complete-static",
        "library, commands, tests: complete answers to callers that lack a static one",
        (AtMost(0.0), Reported),
        Completeness(WITHOUT_STATIC),
    ),
    bar(
        "complete-vta",
        "of those that vta reaches, such that lack a caller that it has, %",
        (AtMost(0.5), Reported),
        Completeness(WITHOUT_VTA),
    ),
    bar(
        "complete-share",
        "functions never used as values whose callers are complete, %",
        (AtLeast(85.0), Reported),
        Completeness(NEVER_VALUES),
    ),
];

/// The times of `spec/live.md` §6.
const TIMES: &[Bar] = &[
    bar(
        "go-cold",
        "cold index of the Go library against the bare parse, times",
        (AtMost(2.5), AtMost(2.0)),
        Bench("cold"),
    ),
    bar(
        "go-edit-under-50kb",
        "an edit to the answer of callers, files under 50 KB, p99, ms",
        (AtMost(10.0), AtMost(5.0)),
        Bench("edit-under-50kb"),
    ),
    bar(
        "go-edit-under-150kb",
        "the same, files of 50 to 150 KB, p99, ms",
        (AtMost(20.0), AtMost(5.0)),
        Bench("edit-under-150kb"),
    ),
    bar(
        "go-edit-above-150kb",
        "the same, files above, p99, ms",
        (AtMost(60.0), AtMost(10.0)),
        Bench("edit-above-150kb"),
    ),
    bar(
        "go-first-touch",
        "the first answer after a file was opened, p99, ms",
        (AtMost(40.0), AtMost(15.0)),
        Bench("first-touch"),
    ),
    bar(
        "go-signature",
        "an exported signature that 1,000 files use, ms",
        (AtMost(1500.0), AtMost(150.0)),
        Bench("signature"),
    ),
    bar(
        "go-comment",
        "a comment, a blank line: queries of other files that run",
        (AtMost(0.0), Reported),
        Bench("comment"),
    ),
    bar(
        "go-memory",
        "anonymous memory after a cold index and 1,000 questions, per source byte",
        (AtMost(8.0), AtMost(4.0)),
        Bench("memory-per-byte"),
    ),
    bar(
        "go-operations-lot",
        "operations at depth 1 to 3 on 1,000 symbols by lot, p99, ms",
        (AtMost(5.0), AtMost(2.0)),
        Bench("operations-lot"),
    ),
    bar(
        "go-operations-used",
        "the same on the 20 most used, p99, ms",
        (AtMost(100.0), AtMost(30.0)),
        Bench("operations-used"),
    ),
    bar(
        "go-deep-lot",
        "impact and path at depth 10 on symbols by lot, p99, ms",
        (AtMost(50.0), AtMost(20.0)),
        Bench("deep-lot"),
    ),
    bar(
        "go-deep-used",
        "the same on the most used, p99, ms",
        (AtMost(500.0), AtMost(200.0)),
        Bench("deep-used"),
    ),
    bar(
        "go-growth-cold",
        "twice the code: cold index, times",
        (AtMost(2.2), Reported),
        Bench("growth-cold"),
    ),
    bar(
        "go-growth-memory",
        "twice the code: memory, times",
        (AtMost(2.2), Reported),
        Bench("growth-memory"),
    ),
    bar(
        "go-growth-memos",
        "twice the code: memos that an edit validates more, less the units asked",
        (AtMost(0.0), Reported),
        Bench("growth-memos"),
    ),
];

const TESTS: &[Bar] = &[
    bar(
        "go-broken",
        "damaged files of Go's library: declarations before the damage as in the whole file, time",
        (True, Reported),
        Source::CrateTests("codeweft-go-syntax", "broken_go"),
    ),
    bar(
        "go-validate",
        "codeweft validate --deep",
        (True, Reported),
        Source::BinaryTests("validate"),
    ),
];

/// Returns all bars.
pub fn bars() -> impl Iterator<Item = &'static Bar> {
    let many = MODULES.iter().chain(CALL_GRAPHS).copied().flatten();
    let alone = [LIBRARY, COMPLETE, TIMES, TESTS].into_iter().flatten();
    alone.chain(many)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules;

    /// A module that is judged repeatedly is not in the test set; each has its bars.
    #[test]
    fn every_module_for_development_has_bars_and_no_other() {
        for module in modules::all().unwrap() {
            let of_it = bars()
                .filter(|bar| matches!(bar.source, Source::Module(path, _) if path == module.path));
            assert_eq!(of_it.count() > 0, !module.is_test, "{}", module.path);
            for command in &module.commands {
                let has = bars().any(|bar| {
                    matches!(bar.source, Source::Command(Some(path), name, _)
                        if path == module.path && name == command)
                });
                assert_eq!(has, !module.is_test, "{} {command}", module.path);
            }
        }
    }
}
