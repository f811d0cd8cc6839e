//! The bars of answers that claim to be complete: operations against their inverses, actual calls
//! in Go by vta and in Python by traces, and every reason of incompleteness disabled in turn.

use std::rc::Rc;

use anyhow::Result;

use crate::completeness::{NEVER_VALUES, WITHOUT_VTA};
use crate::product::Product;
use crate::python::completeness::{self as python, Outcome, PACKAGES};

use super::Figure;
use super::lab::{Kept, Measured, kept};
use super::list::{self, Bar, Limit, Source};

use Limit::{AtLeast, AtMost, Reported, True};
use Source::{CompleteModule, RanComplete};

/// The name of the row over all traced packages.
pub const LACKING: &str = "complete without a caller that ran";
pub const LACKING_CALLEE: &str = "complete without a callee that ran";
pub const CALLEES_SHARE: &str = "callees complete, of all that called";
pub const FUNCTIONS: &str = "functions that ran";
pub const SHARE: &str = "complete, of all that ran";
pub const UNSEEN: &str = "reasons that no answer needs";

const fn bar(
    name: &'static str,
    what: &'static str,
    limits: (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 11,
        ..list::bar(name, what, limits, source)
    }
}

/// No answer may lack a caller.
const NONE: (Limit, Limit) = (AtMost(0.0), AtMost(0.0));

/// Defines the bars of a traced package.
macro_rules! ran {
    ($package:literal) => {
        [
            bar(
                concat!("complete-", $package),
                concat!(
                    $package,
                    ": complete answers to callers that lack one that ran"
                ),
                NONE,
                RanComplete(Some($package), LACKING),
            ),
            bar(
                concat!("complete-", $package, "-share"),
                concat!(
                    $package,
                    ": functions and classes that ran whose callers are complete, %"
                ),
                (Reported, Reported),
                RanComplete(Some($package), SHARE),
            ),
        ]
    };
}

/// Defines the bars of a Go module whose commands' call graphs are compared.
macro_rules! module {
    ($name:literal, $path:literal) => {
        [
            bar(
                concat!("complete-", $name),
                concat!(
                    $path,
                    ": complete answers that lack a caller that vta has, %"
                ),
                (AtMost(0.1), AtMost(0.0)),
                CompleteModule($path, WITHOUT_VTA),
            ),
            bar(
                concat!("complete-", $name, "-share"),
                concat!(
                    $path,
                    ": functions never used as values whose callers are complete, %"
                ),
                (Reported, Reported),
                CompleteModule($path, NEVER_VALUES),
            ),
        ]
    };
}

const PYTHON: &[&[Bar]] = &[
    &ran!("click"),
    &ran!("jinja2"),
    &ran!("httpx"),
    &ran!("flask"),
    &ran!("werkzeug"),
    &ran!("starlette"),
    &ran!("attrs"),
    &ran!("marshmallow"),
];

const GO: &[&[Bar]] = &[
    &module!("fzf", "github.com/junegunn/fzf"),
    &module!("wazero", "github.com/tetratelabs/wazero"),
    &module!("bbolt", "go.etcd.io/bbolt"),
    &module!("esbuild", "github.com/evanw/esbuild"),
    &module!("sh", "mvdan.cc/sh/v3"),
];

const REST: &[Bar] = &[
    bar(
        "complete-go",
        "cmd/go, cmd/vet: complete answers that lack a caller that vta has, %",
        (AtMost(0.1), AtMost(0.0)),
        Source::Completeness(WITHOUT_VTA),
    ),
    bar(
        "complete-go-share",
        "library, commands, tests: functions never used as values whose callers are complete, %",
        (AtLeast(80.0), Reported),
        Source::Completeness(NEVER_VALUES),
    ),
    bar(
        "complete-python-functions",
        "functions that ran in the traced packages together",
        (AtLeast(5000.0), Reported),
        RanComplete(None, FUNCTIONS),
    ),
    bar(
        "complete-python",
        "all traced packages: complete answers to callers that lack one that ran",
        NONE,
        RanComplete(None, LACKING),
    ),
    bar(
        "complete-python-share",
        "all traced packages: functions and classes that ran whose callers are complete, %",
        (Reported, Reported),
        RanComplete(None, SHARE),
    ),
    bar(
        "complete-callees-python",
        "all traced packages: complete answers to callees that lack one that ran",
        NONE,
        RanComplete(None, LACKING_CALLEE),
    ),
    bar(
        "complete-callees-python-share",
        "all traced packages: functions that called one whose callees are complete, %",
        (Reported, Reported),
        RanComplete(None, CALLEES_SHARE),
    ),
    bar(
        "mutants-python",
        "reasons of incompleteness that can be switched off without a false answer, traces and programs of our own",
        NONE,
        RanComplete(None, UNSEEN),
    ),
    bar(
        "inverse",
        "callers, implementations, dependents, impact against their inverses and the export, whole workspaces",
        (True, Reported),
        Source::CrateTests("codeweft-testing", "edge_consistency_slow"),
    ),
];

/// Returns all bars.
pub fn bars() -> impl Iterator<Item = &'static Bar> {
    let many = PYTHON.iter().chain(GO).copied().flatten();
    many.chain(REST)
}

/// The results for packages, each measured once.
#[derive(Default)]
pub struct TracedResults {
    packages: Kept<Outcome>,
    /// The results over all packages and the programs of our own; the mutants are from the programs
    /// only.
    whole: Kept<Outcome>,
}

impl TracedResults {
    fn package(&self, product: &Product, package: &'static str) -> Result<Rc<Outcome>> {
        kept(&self.packages, package, || {
            Ok(python::of(product, package, 0)?.outcome)
        })
    }

    fn whole(&self, product: &Product) -> Result<Rc<Outcome>> {
        kept(&self.whole, "all", || {
            let mut all = Outcome::default();
            for package in PACKAGES {
                all.add(&*self.package(product, package)?);
            }
            all.add_mutants(&python::of_programs(product)?);
            Ok(all)
        })
    }

    /// Returns a row for a package, or over all.
    pub fn measure(
        &self,
        product: &Product,
        package: Option<&'static str>,
        row: &str,
    ) -> Result<Measured> {
        let outcome = match package {
            Some(package) => self.package(product, package)?,
            None => self.whole(product)?,
        };
        Ok(of_outcome(&outcome, row))
    }
}

fn of_outcome(outcome: &Outcome, row: &str) -> Measured {
    let (asked, complete) = (outcome.count("asked"), outcome.count("complete"));
    let number = |number: usize, words: String| Measured::number(number as f64, words);
    if asked == 0 {
        return Measured::none("nothing was asked".to_owned());
    }
    match row {
        LACKING => Measured {
            differences: outcome.lacking.iter().map(python::Lacking::words).collect(),
            ..number(outcome.lacking.len(), format!("of {complete} complete"))
        },
        LACKING_CALLEE => Measured {
            differences: outcome
                .callees
                .lacking
                .iter()
                .map(python::LackingCallee::words)
                .collect(),
            ..number(
                outcome.callees.lacking.len(),
                format!("of {} complete", outcome.callees.count("complete")),
            )
        },
        CALLEES_SHARE => {
            let (complete, asked) = (
                outcome.callees.count("complete"),
                outcome.callees.count("asked"),
            );
            Measured {
                figure: Figure::Number(complete as f64 / asked.max(1) as f64 * 100.0),
                words: format!("{complete} of {asked}"),
                differences: Vec::new(),
            }
        }
        FUNCTIONS => number(outcome.count("functions"), String::new()),
        UNSEEN => {
            let unseen = outcome.unseen();
            Measured {
                differences: unseen.iter().map(|one| (*one).to_owned()).collect(),
                ..number(unseen.len(), outcome.mutants_in_words())
            }
        }
        _ => Measured {
            figure: outcome
                .share()
                .map_or(Figure::None, |share| Figure::Number(share * 100.0)),
            words: format!("{complete} of {asked}"),
            differences: Vec::new(),
        },
    }
}
