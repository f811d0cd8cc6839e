//! The bars of Python: traces of packages' own tests, true answers about the library, and times on
//! the library and on a large package.

use crate::python::questions::Question;

use super::list::{self, Bar, Limit, Source};

use Limit::{AtLeast, AtMost, Reported, True};
use Source::PythonBench;

/// The packages whose tests are traced.
pub const TRACED: [&str; 3] = ["click", "jinja2", "httpx"];

/// The row that is a mean, not a share.
pub const TARGETS: &str = "targets a site";

const fn bar(
    name: &'static str,
    what: &'static str,
    limits: (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 3,
        ..list::bar(name, what, limits, source)
    }
}

/// Defines the bars of a traced package.
macro_rules! traced {
    ($package:literal) => {
        &[
            bar(
                concat!($package, "-call"),
                concat!($package, ": traced pairs of caller and callee found, %"),
                (AtLeast(45.0), Reported),
                Source::Traced($package, "recall call"),
            ),
            bar(
                concat!($package, "-library"),
                concat!(
                    $package,
                    ": such pairs with a caller outside tests found, %"
                ),
                (AtLeast(45.0), Reported),
                Source::Traced($package, "recall library"),
            ),
            bar(
                concat!($package, "-site"),
                concat!($package, ": called names that ran with a callee found, %"),
                (Reported, Reported),
                Source::Traced($package, "recall site"),
            ),
            bar(
                concat!($package, "-exact"),
                concat!(
                    $package,
                    ": exact edges at sites that ran that are right, %"
                ),
                (AtLeast(98.0), Reported),
                Source::Traced($package, "precision exact"),
            ),
            bar(
                concat!($package, "-claimed"),
                concat!(
                    $package,
                    ": called names with one callee that have an exact edge, %"
                ),
                (AtLeast(40.0), Reported),
                Source::Traced($package, "claimed exact"),
            ),
            bar(
                concat!($package, "-unjudged"),
                concat!($package, ": exact edges to what a wrapper hides, %"),
                (AtMost(5.0), Reported),
                Source::Traced($package, "unjudged exact"),
            ),
            bar(
                concat!($package, "-targets"),
                concat!($package, ": targets a site that ran, mean"),
                (AtMost(2.5), Reported),
                Source::Traced($package, TARGETS),
            ),
            bar(
                concat!($package, "-class"),
                concat!($package, ": traced calls by class statements found, %"),
                (Reported, Reported),
                Source::Traced($package, "recall class"),
            ),
            bar(
                concat!($package, "-via-c"),
                concat!($package, ": traced calls back from C functions found, %"),
                (Reported, Reported),
                Source::Traced($package, "recall via_c"),
            ),
            bar(
                concat!($package, "-implicit"),
                concat!(
                    $package,
                    ": traced calls without a call expression found, %"
                ),
                (Reported, Reported),
                Source::Traced($package, "recall implicit"),
            ),
        ]
    };
}

const CLICK: &[Bar] = traced!("click");
const JINJA2: &[Bar] = traced!("jinja2");
const HTTPX: &[Bar] = traced!("httpx");

const REST: &[Bar] = &[
    bar(
        "callers-of-dumps",
        "who calls json.dumps in Python's library, by name",
        (True, Reported),
        Source::Python(Question::Callers("json.dumps")),
    ),
    bar(
        "subclasses-of-handler",
        "what subclasses logging.Handler, with its distance",
        (True, Reported),
        Source::Python(Question::Subclasses("logging.Handler")),
    ),
    bar(
        "callees-of-parse-args",
        "what argparse.ArgumentParser.parse_args reaches by self, to depth 3",
        (True, Reported),
        Source::Python(Question::Callees(
            "argparse.ArgumentParser.parse_args",
            3,
            &["_parse_known_args", "error", "exit"],
        )),
    ),
    bar(
        "impact-of-emit",
        "what changing logging.Handler.emit reaches",
        (True, Reported),
        Source::Python(Question::Impact("logging.Handler.emit")),
    ),
    bar(
        "impact-of-write",
        "what changing io.Writer.Write reaches",
        (True, Reported),
        Source::Question(list::Question::Impact("io.Writer.Write")),
    ),
    bar(
        "python-cold",
        "cold index of Python's library against the bare parse, times",
        (AtMost(4.0), AtMost(2.0)),
        PythonBench("python-cold"),
    ),
    bar(
        "sympy-cold",
        "cold index of sympy against the bare parse, times",
        (AtMost(4.0), AtMost(2.0)),
        PythonBench("sympy-cold"),
    ),
    bar(
        "python-edit",
        "Python's library: an edit to the answer of callers, files under 50 KB, p99, ms",
        (AtMost(25.0), AtMost(5.0)),
        PythonBench("python-edit-under-50kb"),
    ),
    bar(
        "python-edit-cycle",
        "the same, in the largest import cycle",
        (AtMost(25.0), AtMost(5.0)),
        PythonBench("python-edit-cycle-under-50kb"),
    ),
    bar(
        "sympy-edit",
        "sympy: an edit to the answer of callers, files under 50 KB, p99, ms",
        (AtMost(25.0), AtMost(5.0)),
        PythonBench("sympy-edit-under-50kb"),
    ),
    bar(
        "sympy-edit-cycle",
        "the same, in the largest import cycle",
        (AtMost(25.0), AtMost(5.0)),
        PythonBench("sympy-edit-cycle-under-50kb"),
    ),
    bar(
        "sympy-open",
        "opening sympy/core/basic.py and asking for callers in it, ms",
        (Reported, AtMost(40.0)),
        PythonBench("sympy-open"),
    ),
    bar(
        "python-memory",
        "Python's library: anonymous memory after a cold index, per source byte",
        (Reported, AtMost(4.0)),
        PythonBench("python-memory-per-byte"),
    ),
    bar(
        "sympy-memory",
        "sympy: anonymous memory after a cold index, per source byte",
        (Reported, AtMost(4.0)),
        PythonBench("sympy-memory-per-byte"),
    ),
];

/// Returns all bars.
pub fn bars() -> impl Iterator<Item = &'static Bar> {
    [CLICK, JINJA2, HTTPX, REST].into_iter().flatten()
}
