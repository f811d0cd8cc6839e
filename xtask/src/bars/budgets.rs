//! The bars of edits, new declarations, questions and memory: what the benches measure, with the limits of
//! issue 14.

use super::list::{Bar, Limit, Source};
use super::start::bar;

use Limit::{AtMost, Reported};
use Source::{Bench, LiveBench, PythonBench};

/// Returns a bar with a goal.
const fn most(name: &'static str, what: &'static str, floor: f64, goal: f64, from: Source) -> Bar {
    bar(name, what, (AtMost(floor), AtMost(goal)), from)
}

/// Returns a bar without one.
const fn floor(name: &'static str, what: &'static str, floor: f64, from: Source) -> Bar {
    bar(name, what, (AtMost(floor), Reported), from)
}

/// All bars.
pub const BARS: &[Bar] = &[
    most(
        "std-edit-small",
        "Go's library: an edit of a body, files under 50 KB, p99, ms",
        8.0,
        5.0,
        Bench("edit-under-50kb"),
    ),
    most(
        "std-edit-medium",
        "the same, files of 50 to 150 KB, p99, ms",
        12.0,
        5.0,
        Bench("edit-under-150kb"),
    ),
    most(
        "std-edit-large",
        "the same, files above, p99, ms",
        30.0,
        10.0,
        Bench("edit-above-150kb"),
    ),
    most(
        "std-open",
        "Go's library: open a file and ask, p99, ms",
        15.0,
        5.0,
        Bench("first-touch"),
    ),
    most(
        "python-edit-small",
        "Python's library: an edit of a body, files under 50 KB, p99, ms",
        15.0,
        5.0,
        PythonBench("python-edit-under-50kb"),
    ),
    most(
        "python-edit-medium",
        "the same, files of 50 to 150 KB, p99, ms",
        25.0,
        8.0,
        PythonBench("python-edit-medium-under-150kb"),
    ),
    most(
        "python-edit-large",
        "the same, files above, p99, ms",
        60.0,
        15.0,
        PythonBench("python-edit-large-above-150kb"),
    ),
    most(
        "python-edit-in-cycle",
        "the same in the largest import cycle, files under 50 KB, p99, ms",
        15.0,
        5.0,
        PythonBench("python-edit-cycle-under-50kb"),
    ),
    most(
        "python-first-touch",
        "Python's library: open a file and ask, p99, ms",
        15.0,
        5.0,
        PythonBench("python-edit-first-touch"),
    ),
    most(
        "sympy-edit-small",
        "sympy: an edit of a body, files under 50 KB, p99, ms",
        15.0,
        5.0,
        PythonBench("sympy-edit-under-50kb"),
    ),
    most(
        "sympy-edit-medium",
        "the same, files of 50 to 150 KB, p99, ms",
        25.0,
        8.0,
        PythonBench("sympy-edit-medium-under-150kb"),
    ),
    most(
        "sympy-edit-large",
        "the same, files above, p99, ms",
        60.0,
        15.0,
        PythonBench("sympy-edit-large-above-150kb"),
    ),
    most(
        "sympy-edit-in-cycle",
        "the same in the largest import cycle, files under 50 KB, p99, ms",
        15.0,
        5.0,
        PythonBench("sympy-edit-cycle-under-50kb"),
    ),
    most(
        "sympy-first-touch",
        "sympy: open a file and ask, p99, ms",
        15.0,
        5.0,
        PythonBench("sympy-edit-first-touch"),
    ),
    most(
        "frontends-edit-small",
        "three processes, Go: didChange to the agent's answer, files under 50 KB, p99, ms",
        13.0,
        10.0,
        LiveBench("typed-under-50kb"),
    ),
    most(
        "frontends-edit-medium",
        "the same, files of 50 to 150 KB, p99, ms",
        17.0,
        10.0,
        LiveBench("typed-under-150kb"),
    ),
    most(
        "frontends-edit-large",
        "the same, files above, p99, ms",
        35.0,
        15.0,
        LiveBench("typed-above-150kb"),
    ),
    most(
        "frontends-first-touch",
        "the same: open a file and ask, p99, ms",
        20.0,
        10.0,
        LiveBench("first-touch"),
    ),
    most(
        "go-new-declaration",
        "a function added in Go's library, to the answer of callers, p50, ms",
        30.0,
        10.0,
        Bench("new-declaration-median"),
    ),
    most(
        "django-new-declaration",
        "the same in Django, p50, ms",
        15.0,
        8.0,
        PythonBench("django-new-declaration-median"),
    ),
    most(
        "sympy-new-declaration",
        "the same in sympy, p50, ms",
        100.0,
        40.0,
        PythonBench("sympy-new-declaration-median"),
    ),
    most(
        "std-signature",
        "an exported signature of 1,000 files changed, to the answer of callers, p99, ms",
        300.0,
        150.0,
        Bench("signature"),
    ),
    most(
        "std-operations-random",
        "Go's library: operations at depth 1 to 3 of random symbols, p99, ms",
        3.0,
        2.0,
        Bench("operations-lot"),
    ),
    most(
        "std-operations-used",
        "the same, the most used, p99, ms",
        60.0,
        30.0,
        Bench("operations-used"),
    ),
    most(
        "std-deep-random",
        "Go's library: impact and path at depth 10 of random symbols, p99, ms",
        40.0,
        20.0,
        Bench("deep-lot"),
    ),
    most(
        "std-deep-used",
        "the same, the most used, p99, ms",
        300.0,
        200.0,
        Bench("deep-used"),
    ),
    floor(
        "std-question-slowest",
        "Go's library with commands, 2 million lines: the slowest question, ms",
        2000.0,
        Bench("question-slowest"),
    ),
    most(
        "python-operations-random",
        "Python's library: operations at depth 1 to 3 of random symbols, p99, ms",
        3.0,
        2.0,
        PythonBench("python-operations-lot"),
    ),
    most(
        "python-operations-used",
        "the same, the most used, p99, ms",
        60.0,
        30.0,
        PythonBench("python-operations-used"),
    ),
    most(
        "python-deep-random",
        "Python's library: impact and path at depth 10 of random symbols, p99, ms",
        40.0,
        20.0,
        PythonBench("python-deep-lot"),
    ),
    most(
        "python-deep-used",
        "the same, the most used, p99, ms",
        300.0,
        200.0,
        PythonBench("python-deep-used"),
    ),
    most(
        "sympy-operations-random",
        "sympy: operations at depth 1 to 3 of random symbols, p99, ms",
        3.0,
        2.0,
        PythonBench("sympy-operations-lot"),
    ),
    most(
        "sympy-operations-used",
        "the same, the most used, p99, ms",
        60.0,
        30.0,
        PythonBench("sympy-operations-used"),
    ),
    most(
        "sympy-deep-random",
        "sympy: impact and path at depth 10 of random symbols, p99, ms",
        40.0,
        20.0,
        PythonBench("sympy-deep-lot"),
    ),
    most(
        "sympy-deep-used",
        "the same, the most used, p99, ms",
        300.0,
        200.0,
        PythonBench("sympy-deep-used"),
    ),
    most(
        "std-memory-questioned",
        "Go's library: memory after 1,000 questions, per source byte",
        5.0,
        4.0,
        Bench("memory-per-byte"),
    ),
    most(
        "python-memory-questioned",
        "Python's library: the same",
        8.0,
        6.0,
        PythonBench("python-memory-asked"),
    ),
    most(
        "sympy-memory-questioned",
        "sympy: the same",
        8.0,
        6.0,
        PythonBench("sympy-memory-asked"),
    ),
    most(
        "django-memory-questioned",
        "Django: the same",
        8.0,
        6.0,
        PythonBench("django-memory-asked"),
    ),
    floor(
        "library-memory-given-back",
        "a server on Go's library: memory a minute after the 20 deepest questions, more than before, %",
        10.0,
        LiveBench("library-memory-given-back"),
    ),
    floor(
        "django-memory-given-back",
        "the same on Django, %",
        10.0,
        LiveBench("django-memory-given-back"),
    ),
    most(
        "std-cold-resolved",
        "Go's library: cold with everything resolved, times the bare parse",
        1.4,
        1.0,
        Bench("cold"),
    ),
    most(
        "python-cold-resolved",
        "Python's library: the same",
        1.4,
        1.0,
        PythonBench("python-cold"),
    ),
    most(
        "sympy-cold-resolved",
        "sympy: the same",
        1.4,
        1.0,
        PythonBench("sympy-cold"),
    ),
    floor(
        "std-growth-cold",
        "cold at twice the code, times",
        2.1,
        Bench("growth-cold"),
    ),
    floor(
        "std-growth-memory",
        "memory at twice the code, times",
        2.1,
        Bench("growth-memory"),
    ),
];
