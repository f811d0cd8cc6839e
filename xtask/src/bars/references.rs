//! The bars of references and definitions in Go code.

use super::list::{self, Bar, Limit, Source};

use Limit::{AtLeast, Reported};

/// The number of local identifiers that are queried.
pub const LOCALS: usize = 2_000;

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

/// All bars.
pub const BARS: &[Bar] = &[
    bar(
        "references-recall",
        "net/http: uses of package-level names, fields and methods found, %",
        (AtLeast(90.0), Reported),
        Source::References("references recall"),
    ),
    bar(
        "references-precision",
        "net/http: uses of them that are right, %",
        (AtLeast(97.0), Reported),
        Source::References("references precision"),
    ),
    bar(
        "local-definitions",
        "net/http: definitions of local identifiers by lot that are right, %",
        (AtLeast(99.0), Reported),
        Source::Locals,
    ),
    bar(
        "whole-references-recall",
        "library, commands, tests: such uses found, %",
        (Reported, Reported),
        Source::WholeReferences("references recall"),
    ),
    bar(
        "whole-references-precision",
        "library, commands, tests: such uses that are right, %",
        (Reported, Reported),
        Source::WholeReferences("references precision"),
    ),
];
