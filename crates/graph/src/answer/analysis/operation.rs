//! The table of the operations of `cortex_analysis`: as [`super::super::operation`], a row declares an
//! operation, except for the function that computes it.

use serde::{Deserialize, Serialize};

use crate::answer::operation::TargetRules;
use crate::answer::{FileScope, LocalTargets, TargetKinds};

/// Expands `$expand! { rows }` with a row for each operation, in the order of the specification.
macro_rules! analysis_table {
    ($expand:ident) => {
        $expand! {
            Symbols("symbols") {
                spec: AnalysisSpec {
                    fields: &[
                        "kinds",
                        "visibility",
                        "path_prefix",
                        "ref_count_min",
                        "ref_count_max",
                        "max_results",
                        "include_tests",
                    ],
                    ..spec("symbols")
                },
                run: |query, request, _| symbols::symbols(query, request),
            }
            Search("search") {
                spec: AnalysisSpec {
                    fields: &[
                        "pattern",
                        "kinds",
                        "visibility",
                        "path_prefix",
                        "ref_count_min",
                        "ref_count_max",
                        "max_results",
                        "include_tests",
                    ],
                    ..spec("search")
                },
                run: |query, request, _| symbols::symbols(query, request),
            }
            Summary("summary") {
                spec: AnalysisSpec {
                    fields: &["top_n"],
                    ..spec("summary")
                },
                run: |query, request, _| summary::summary(query, request),
            }
            PackageSummary("package_summary") {
                spec: AnalysisSpec {
                    target: TargetUse::Required,
                    fields: &["path_prefix", "max_results"],
                    ..spec("package_summary")
                },
                run: |query, request, target| package_summary::package_summary(query, request, target),
            }
            Detail("detail") {
                spec: AnalysisSpec {
                    target: TargetUse::Required,
                    rules: rules("detail", TargetKinds::Any),
                    ..spec("detail")
                },
                run: |query, _, target| detail::detail(query, target),
            }
            TypeHierarchy("type_hierarchy") {
                spec: AnalysisSpec {
                    target: TargetUse::Required,
                    rules: rules("type_hierarchy", TargetKinds::Type),
                    fields: &["max_results"],
                },
                run: |query, request, target| type_hierarchy::type_hierarchy(query, request, target),
            }
            Scope("scope") {
                spec: AnalysisSpec {
                    target: TargetUse::Required,
                    rules: rules("scope", TargetKinds::Text),
                    ..spec("scope")
                },
                run: |query, request, _| scopes::scopes(query, request),
            }
            UnusedSymbols("unused_symbols") {
                spec: AnalysisSpec {
                    fields: &["kinds", "visibility", "path_prefix", "max_results", "include_tests"],
                    ..spec("unused_symbols")
                },
                run: |query, request, _| unused::unused_symbols(query, request),
            }
            Hotspots("hotspots") {
                spec: AnalysisSpec {
                    fields: &["top_n", "include_tests"],
                    ..spec("hotspots")
                },
                run: |query, request, _| hotspots::hotspots(query, request),
            }
            CircularDependencies("circular_dependencies") {
                spec: AnalysisSpec {
                    target: TargetUse::Optional,
                    fields: &["max_results"],
                    ..spec("circular_dependencies")
                },
                run: |query, request, target| circular_dependencies::circular_dependencies(query, request, target),
            }
            DependencyGraph("dependency_graph") {
                spec: AnalysisSpec {
                    target: TargetUse::Optional,
                    ..spec("dependency_graph")
                },
                run: |query, _, target| dependency_graph::dependency_graph(query, target),
            }
        }
    };
}
pub(crate) use analysis_table;

macro_rules! declare_operations {
    ($($variant:ident($name:literal) { spec: $spec:expr, run: $run:expr, })*) => {
        /// The operations of `cortex_analysis`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "the wire's own words")]
        pub enum AnalysisOperation {
            $(#[serde(rename = $name)] $variant,)*
        }

        impl AnalysisOperation {
            /// The names on the wire, in the order of the specification.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// All of them, in the order of the specification.
            pub const ALL: [AnalysisOperation; AnalysisOperation::NAMES.len()] =
                [$(AnalysisOperation::$variant),*];

            /// Returns the name on the wire.
            pub fn wire_name(self) -> &'static str {
                match self {
                    $(AnalysisOperation::$variant => $name,)*
                }
            }

            /// Returns the row of the table.
            pub(crate) fn spec(self) -> &'static AnalysisSpec {
                match self {
                    $(AnalysisOperation::$variant => const { &$spec },)*
                }
            }
        }
    };
}
analysis_table!(declare_operations);

/// The data of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AnalysisSpec {
    /// Whether a request has a target.
    pub(crate) target: TargetUse,
    /// What the operation accepts as a target.
    pub(crate) rules: TargetRules,
    /// The request's fields that the operation uses, beside `operation` and `target`.
    pub(crate) fields: &'static [&'static str],
}

/// Whether a request of an operation has a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TargetUse {
    /// It must not have one.
    Never,
    /// It may have one, which narrows the answer.
    Optional,
    /// It must have one.
    Required,
}

const fn rules(name: &'static str, targets: TargetKinds) -> TargetRules {
    TargetRules {
        name,
        targets,
        locals: LocalTargets::None,
        files: FileScope::Package,
        package_means: None,
        counts_file_declarations: false,
    }
}

/// Returns the row of an operation about the whole workspace, or about packages.
const fn spec(name: &'static str) -> AnalysisSpec {
    AnalysisSpec {
        target: TargetUse::Never,
        rules: rules(name, TargetKinds::Package),
        fields: &[],
    }
}

impl AnalysisOperation {
    /// Returns whether the operation uses a field of the request.
    pub(crate) fn uses(self, field: &str) -> bool {
        let spec = self.spec();
        match field {
            "operation" => true,
            "target" => spec.target != TargetUse::Never,
            _ => spec.fields.contains(&field),
        }
    }

    /// Returns whether tests are included if a request does not say it: a use by tests alone does not
    /// keep a symbol, but lists show tests.
    pub(crate) fn includes_tests(self) -> bool {
        self != AnalysisOperation::UnusedSymbols
    }
}
