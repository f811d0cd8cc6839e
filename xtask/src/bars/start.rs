//! The bars of the first answer, from nothing and from the cache, and beside other servers.

use super::list::{Bar, Limit, Source};

use Limit::{AtMost, Reported, True};
use Source::{CrateTests, LiveBench};

/// Returns a bar of issue 14.
pub(super) const fn bar(
    name: &'static str,
    what: &'static str,
    limits: (Limit, Limit),
    from: Source,
) -> Bar {
    Bar {
        issue: 14,
        name,
        what,
        floor: limits.0,
        goal: limits.1,
        source: from,
    }
}

/// A first answer of a new server on a workspace, in milliseconds: floor and goal.
const fn live(name: &'static str, what: &'static str, floor: f64, goal: f64) -> Bar {
    bar(name, what, (AtMost(floor), AtMost(goal)), LiveBench(name))
}

/// A figure of ours divided by that of another server: not more than 1.
const fn race(name: &'static str, what: &'static str) -> Bar {
    bar(name, what, (AtMost(1.0), Reported), Source::Race(name))
}

const BARS: &[Bar] = &[
    live(
        "start-small-cold",
        "11 Go files, nothing kept: exec to the first callers, ms",
        1000.0,
        300.0,
    ),
    live(
        "start-library-cold",
        "Go's library, nothing kept: exec to the first callers, ms",
        6000.0,
        3000.0,
    ),
    live(
        "start-caddy-cold",
        "a module with 150 dependencies, nothing kept, ms",
        4000.0,
        2000.0,
    ),
    bar(
        "start-grpc-cold",
        "grpc-go, nothing kept, ms",
        (Reported, Reported),
        LiveBench("start-grpc-cold"),
    ),
    live(
        "start-django-cold",
        "Django, nothing kept, ms",
        800.0,
        300.0,
    ),
    bar(
        "start-sympy-cold",
        "sympy, nothing kept, ms",
        (Reported, Reported),
        LiveBench("start-sympy-cold"),
    ),
    live(
        "start-small-warm",
        "11 Go files from the cache: exec to the first callers, ms",
        500.0,
        200.0,
    ),
    live(
        "start-small-used-warm",
        "the same of a method that interfaces have, ms",
        500.0,
        200.0,
    ),
    live(
        "start-library-warm",
        "2 million lines from the cache: exec to the first callers, ms",
        1000.0,
        500.0,
    ),
    live(
        "start-library-used-warm",
        "the same of a function that 1,251 call, ms",
        1000.0,
        500.0,
    ),
    live(
        "start-caddy-warm",
        "a module with 150 dependencies from the cache, ms",
        500.0,
        200.0,
    ),
    live(
        "start-caddy-used-warm",
        "the same of a function that many call, ms",
        500.0,
        200.0,
    ),
    live(
        "start-grpc-warm",
        "grpc-go from the cache, ms",
        500.0,
        200.0,
    ),
    live(
        "start-grpc-used-warm",
        "the same of a function that many call, ms",
        500.0,
        200.0,
    ),
    live(
        "start-django-warm",
        "Django from the cache, ms",
        500.0,
        200.0,
    ),
    live(
        "start-django-used-warm",
        "the same of a function that many call, ms",
        500.0,
        200.0,
    ),
    live("start-sympy-warm", "sympy from the cache, ms", 500.0, 200.0),
    live(
        "start-sympy-used-warm",
        "the same of a function that many call, ms",
        500.0,
        200.0,
    ),
    bar(
        "query-small-cold",
        "11 Go files, one command, nothing kept: the slowest of three questions, s",
        (AtMost(1.2), AtMost(0.5)),
        LiveBench("query-go-seconds"),
    ),
    live(
        "query-small-warm",
        "11 Go files, one command from the cache, ms",
        700.0,
        400.0,
    ),
    live(
        "query-small-used-warm",
        "the same of a method that interfaces have, ms",
        700.0,
        400.0,
    ),
    live(
        "query-library-warm",
        "2 million lines, one command from the cache, ms",
        1200.0,
        700.0,
    ),
    live(
        "query-library-used-warm",
        "the same of a function that 1,251 call, ms",
        1200.0,
        700.0,
    ),
    live(
        "query-caddy-warm",
        "150 dependencies, one command from the cache, ms",
        700.0,
        400.0,
    ),
    live(
        "query-caddy-used-warm",
        "the same of a function that many call, ms",
        700.0,
        400.0,
    ),
    live(
        "query-grpc-warm",
        "grpc-go, one command from the cache, ms",
        700.0,
        400.0,
    ),
    live(
        "query-grpc-used-warm",
        "the same of a function that many call, ms",
        700.0,
        400.0,
    ),
    live(
        "query-django-warm",
        "Django, one command from the cache, ms",
        700.0,
        400.0,
    ),
    live(
        "query-django-used-warm",
        "the same of a function that many call, ms",
        700.0,
        400.0,
    ),
    live(
        "query-sympy-warm",
        "sympy, one command from the cache, ms",
        700.0,
        400.0,
    ),
    live(
        "query-sympy-used-warm",
        "the same of a function that many call, ms",
        700.0,
        400.0,
    ),
    live(
        "start-parses",
        "texts parsed by servers that started with a full cache",
        0.0,
        0.0,
    ),
    live(
        "branch-parses",
        "texts parsed after a branch was switched and back, all read",
        0.0,
        0.0,
    ),
    bar(
        "unread-same-bytes",
        "500 questions while libraries are unread, and of a fresh database with a cache: the same bytes",
        (True, Reported),
        CrateTests("codeweft-testing", "unread_libraries_slow"),
    ),
    bar(
        "healthy-parser",
        "the parser of healthy Go beside tree-sitter: every corpus file, 10,000 mutations",
        (True, Reported),
        CrateTests("codeweft-go-syntax", "healthy_slow"),
    ),
    race(
        "race-library-cold",
        "Go's library, first answer, nothing kept: times gopls'",
    ),
    race(
        "race-library-warm",
        "Go's library, first answer, with caches: times gopls'",
    ),
    race("race-caddy-cold", "caddy, nothing kept: times gopls'"),
    race("race-caddy-warm", "caddy, with caches: times gopls'"),
    race("race-grpc-cold", "grpc-go, nothing kept: times gopls'"),
    race("race-grpc-warm", "grpc-go, with caches: times gopls'"),
    race("race-django-cold", "Django, nothing kept: times ty's"),
    race("race-django-warm", "Django, with caches: times ty's"),
    race("race-sympy-cold", "sympy, nothing kept: times ty's"),
    race("race-sympy-warm", "sympy, with caches: times ty's"),
    race(
        "race-django-callers",
        "Django, callers of random functions, p99: times ty's",
    ),
    race(
        "race-sympy-callers",
        "sympy, callers of random functions, p99: times ty's",
    ),
    race(
        "race-django-memory",
        "Django, resident memory after them: times ty's",
    ),
];

/// Returns all bars.
pub fn bars() -> impl Iterator<Item = &'static Bar> {
    BARS.iter()
}
