//! The bars of Go as the compiler sees it: the type checker on Go's library and on modules, x/tools'
//! call graphs of commands, answers that call themselves complete, and times.

use crate::completeness::{NEVER_VALUES, WITHOUT_STATIC, WITHOUT_VTA};

use super::list::{Bar, Limit, Source};

use Limit::{AtLeast, AtMost, Told, True};
use Source::{Bench, Completeness, WholeJudge, WholeReferences};

/// All of Go's library and commands.
pub const WHOLE: &[&str] = &["std", "cmd"];

/// Commands of Go's own whose call graphs are compared.
pub const COMMANDS: &[&str] = &["cmd/go", "cmd/vet"];

const fn bar(
    name: &'static str,
    what: &'static str,
    (floor, goal): (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 5,
        name,
        what,
        floor,
        goal,
        source,
    }
}

/// Nearly all of it is right.
const RIGHT: (Limit, Limit) = (AtLeast(99.5), AtLeast(99.9));
/// All but what is told by cause is right.
const PAIRS: (Limit, Limit) = (AtLeast(99.9), AtLeast(99.9));
const REFERENCES: (Limit, Limit) = (AtLeast(99.5), Told);

/// The bars of the type checker. The source makes a figure of a row.
macro_rules! types {
    ($name:literal, $words:literal, $calls:expr, $references:expr) => {
        [
            bar(
                concat!($name, "-static"),
                concat!($words, ": static calls found as exact, %"),
                RIGHT,
                $calls("recall static"),
            ),
            bar(
                concat!($name, "-exact"),
                concat!($words, ": exact edges that are right, %"),
                RIGHT,
                $calls("precision exact"),
            ),
            bar(
                concat!($name, "-callers"),
                concat!($words, ": found calls with the right caller, %"),
                PAIRS,
                $calls("caller of the call"),
            ),
            bar(
                concat!($name, "-interface"),
                concat!(
                    $words,
                    ": calls of interface methods found as exact, %"
                ),
                RIGHT,
                $calls("recall interface"),
            ),
            bar(
                concat!($name, "-implements"),
                concat!(
                    $words,
                    ": pairs of type and interface found, with the receiver, %"
                ),
                PAIRS,
                $calls("recall implements"),
            ),
            bar(
                concat!($name, "-implements-right"),
                concat!($words, ": such pairs that are right, %"),
                PAIRS,
                $calls("precision implements"),
            ),
            bar(
                concat!($name, "-methods"),
                concat!(
                    $words,
                    ": pairs of method and interface method found, %"
                ),
                PAIRS,
                $calls("recall implements, methods"),
            ),
            bar(
                concat!($name, "-methods-right"),
                concat!($words, ": such pairs that are right, %"),
                PAIRS,
                $calls("precision implements, methods"),
            ),
            bar(
                concat!($name, "-uses"),
                concat!($words, ": uses found by (use, definition), %"),
                REFERENCES,
                $references("references recall"),
            ),
            bar(
                concat!($name, "-uses-right"),
                concat!($words, ": such uses that are right, %"),
                REFERENCES,
                $references("references precision"),
            ),
        ]
    };
    ($name:literal, $module:literal) => {
        types!(
            $name,
            $module,
            |row| Source::Module($module, row),
            |row| Source::Module($module, row)
        )
    };
}

/// The bars of the call graph of a command.
macro_rules! command {
    ($name:literal, $words:literal, $module:expr, $command:literal) => {
        [
            bar(
                concat!($name, "-dispatch"),
                concat!($words, ": what vta has at interface calls found, %"),
                (AtLeast(97.0), AtLeast(99.0)),
                Source::Command($module, $command, "recall dispatch"),
            ),
            bar(
                concat!($name, "-dispatch-size"),
                concat!($words, ": targets at interface calls, times vta's"),
                (AtMost(1.6), AtMost(1.4)),
                Source::Command($module, $command, "size dispatch"),
            ),
            bar(
                concat!($name, "-values"),
                concat!($words, ": what vta has at calls of function values found, literals by the function that \
                                 holds them, %"),
                (AtLeast(80.0), AtLeast(90.0)),
                Source::Command($module, $command, "recall either"),
            ),
            bar(
                concat!($name, "-values-size"),
                concat!($words, ": targets at calls of function values, times vta's"),
                (AtMost(2.0), AtMost(2.0)),
                Source::Command($module, $command, "size either"),
            ),
            bar(
                concat!($name, "-values-declared"),
                concat!($words, ": the same of declared functions alone, %"),
                (Told, Told),
                Source::Command($module, $command, "recall values"),
            ),
            bar(
                concat!($name, "-type-parameters"),
                concat!($words, ": what vta has at calls on type parameters found, %"),
                (Told, Told),
                Source::Command($module, $command, "recall type parameters"),
            ),
        ]
    };
    ($name:literal, $module:literal, $command:literal) => {
        command!($name, $name, Some($module), $command)
    };
}

const LIBRARY: &[Bar] = &types!(
    "go",
    "library, commands, tests",
    WholeJudgeOf::row,
    WholeReferencesOf::row
);
