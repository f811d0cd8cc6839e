//! The bars of the first answer, from nothing and from the cache, and of a new declaration.

use super::list::{Bar, Limit, Source};

use Limit::{AtMost, Reported};
use Source::{Bench, LiveBench};

const fn bar(name: &'static str, what: &'static str, limits: (Limit, Limit), from: Source) -> Bar {
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

const BARS: &[Bar] = &[
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
        "query-django-warm",
        "Django, one command from the cache, ms",
        700.0,
        400.0,
    ),
    live(
        "start-parses",
        "texts parsed by servers that started with a full cache",
        0.0,
        0.0,
    ),
    bar(
        "go-new-declaration",
        "a function added in Go's library, to the answer of callers, p50, ms",
        (AtMost(30.0), AtMost(10.0)),
        Bench("new-declaration-median"),
    ),
];

/// Returns all bars.
pub fn bars() -> impl Iterator<Item = &'static Bar> {
    BARS.iter()
}
