//! The table of operations: one row declares an operation, except for the function that computes it.
//!
//! A row has the variant, the name on the wire, what the operation accepts and how its answers are
//! worded, and the function to run. To add an operation, write a file in `operations/` with that
//! function, its `mod` line, and a row here; requests, schemas, flags and verdicts follow:
//!
//! ```text
//! Siblings("siblings") {
//!     spec: OperationSpec {
//!         targets: TargetKinds::Type,
//!         ..spec("sibling", "siblings", "could declare more")
//!     },
//!     run: |query, request, target| Ok(siblings::siblings(query, request, target)),
//! }
//! ```
//!
//! The table is a macro that hands its rows to another one, because the two halves of a row belong
//! to different layers: here they become the enum [`Operation`] with its plain data, in
//! `operations/mod.rs` the calls. A table of function pointers would make the data of the wire
//! depend on the operations, which depend on it.

use serde::{Deserialize, Serialize};

/// Expands `$expand! { rows }` with a row for each operation, in the order of the specification.
macro_rules! operation_table {
    ($expand:ident) => {
        $expand! {
            Callers("callers") {
                spec: OperationSpec {
                    targets: TargetKinds::Callable,
                    files: FileScope::WithPackageCode,
                    could_of_deeper: Some("could call it or a caller of it"),
                    of_file: Some(nouns(
                        "caller from outside the file",
                        "callers from outside the file",
                        "could call what it declares",
                    )),
                    package_means: Some("its code outside functions; name a file for what it declares"),
                    fields: &[
                        "depth",
                        "max_per_level",
                        "include_unresolved",
                        "include_literal_calls",
                    ],
                    ..spec("caller", "callers", "could call it")
                },
                run: |query, request, target| Ok(calls::callers(query, request, target)),
            }
            Callees("callees") {
                spec: OperationSpec {
                    targets: TargetKinds::Callable,
                    files: FileScope::WithPackageCode,
                    of_file: Some(nouns(
                        "callee outside the file",
                        "callees outside the file",
                        "in it could call more",
                    )),
                    package_means: Some("its code outside functions; name a file for what it declares"),
                    fields: &[
                        "depth",
                        "max_per_level",
                        "include_unresolved",
                        "include_literal_calls",
                    ],
                    ..spec("callee", "callees", "in it could call more")
                },
                run: |query, request, target| Ok(calls::callees(query, request, target)),
            }
            Dependencies("dependencies") {
                spec: OperationSpec {
                    targets: TargetKinds::Package,
                    fields: &["depth", "max_per_level"],
                    ..spec("dependency", "dependencies", "could import more")
                },
                run: |query, request, target| Ok(imports::dependencies(query, request, target)),
            }
            Dependents("dependents") {
                spec: OperationSpec {
                    targets: TargetKinds::Package,
                    fields: &["depth", "max_per_level"],
                    ..spec("dependent", "dependents", "could import it")
                },
                run: |query, request, target| Ok(imports::dependents(query, request, target)),
            }
            TypeUsages("type_usages") {
                spec: OperationSpec {
                    rows: ("user of the type", "users of the type"),
                    targets: TargetKinds::Type,
                    files: FileScope::Declarations,
                    of_file: Some(nouns(
                        "usage from outside the file",
                        "usages from outside the file",
                        "could use what it declares",
                    )),
                    fields: &["include_unresolved"],
                    ..spec("usage", "usages", "could use it")
                },
                run: |query, request, target| Ok(uses::type_usages(query, request, target)),
            }
            Implementations("implementations") {
                spec: OperationSpec {
                    targets: TargetKinds::Implementable,
                    ..spec("implementation", "implementations", "could declare more")
                },
                run: |query, _, target| Ok(types::implementations(query, target)),
            }
            Implements("implements") {
                spec: OperationSpec {
                    targets: TargetKinds::Implementing,
                    ..spec("interface", "interfaces", "could declare more")
                },
                run: |query, _, target| Ok(types::implements(query, target)),
            }
            References("references") {
                spec: OperationSpec {
                    rows: ("referrer", "referrers"),
                    locals: LocalTargets::OfBuild,
                    files: FileScope::WithModule,
                    of_file: Some(nouns(
                        "reference from outside the file",
                        "references from outside the file",
                        "could use what it declares",
                    )),
                    fields: &["include_unresolved"],
                    ..spec("reference", "references", "could use it")
                },
                run: |query, request, target| Ok(uses::references(query, request, target)),
            }
            Definition("definition") {
                spec: OperationSpec {
                    locals: LocalTargets::All,
                    ..spec("definition", "definitions", "could declare it")
                },
                run: |query, request, target| Ok(declarations::definition(query, request, target)),
            }
            Impact("impact") {
                spec: OperationSpec {
                    files: FileScope::WithModule,
                    of_file: Some(nouns(
                        "node reached from the file",
                        "nodes reached from the file",
                        "could belong to it",
                    )),
                    fields: &[
                        "depth",
                        "max_per_level",
                        "change_type",
                        "diff",
                        "include_unresolved",
                    ],
                    defaults: &[("depth", 3)],
                    reads_whole_graph: true,
                    ..spec("reached node", "reached nodes", "could belong to it")
                },
                run: |query, request, target| Ok(impact::impact(query, request, target)),
            }
            Path("path") {
                spec: OperationSpec {
                    rows: ("node on a path", "nodes on the path"),
                    targets: TargetKinds::Callable,
                    files: FileScope::WithPackageCode,
                    fields: &["to", "depth", "max_per_level"],
                    defaults: &[("depth", 10)],
                    reads_whole_graph: true,
                    order: RowOrder::Steps,
                    ..spec("path", "nodes", "on the way could lead there")
                },
                run: |query, request, target| path::path(query, request, target),
            }
            Search("search") {
                spec: OperationSpec {
                    targets: TargetKinds::Text,
                    order: RowOrder::BestFirst,
                    code_on_request: true,
                    ..spec("declaration", "declarations", "could declare more")
                },
                run: |query, request, _| Ok(search::search(query, request)),
            }
            Outline("outline") {
                spec: OperationSpec {
                    targets: TargetKinds::Container,
                    fields: &["depth"],
                    defaults: &[("depth", 2)],
                    order: RowOrder::Text,
                    code_on_request: true,
                    ..spec("declaration", "declarations", "could declare more")
                },
                run: |query, request, target| outline::outline(query, request, target),
            }
        }
    };
}
pub(crate) use operation_table;

macro_rules! declare_operations {
    ($($variant:ident($name:literal) { spec: $spec:expr, run: $run:expr, })*) => {
        /// The operations of `cortex_graph`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "the wire's own words")]
        pub enum Operation {
            $(#[serde(rename = $name)] $variant,)*
        }

        impl Operation {
            /// The names on the wire, in the order of the specification.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// All of them, in the order of the specification.
            pub const ALL: [Operation; Operation::NAMES.len()] = [$(Operation::$variant),*];

            /// Returns the name on the wire.
            pub fn wire_name(self) -> &'static str {
                match self {
                    $(Operation::$variant => $name,)*
                }
            }

            /// Returns the row of the table.
            pub(crate) fn spec(self) -> &'static OperationSpec {
                match self {
                    $(Operation::$variant => const { &$spec },)*
                }
            }
        }
    };
}
operation_table!(declare_operations);

/// The data of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OperationSpec {
    /// The nouns for one row of an answer and for several, as its first line counts them.
    pub(crate) rows: (&'static str, &'static str),
    /// The nouns of the verdict.
    pub(crate) nouns: AnswerNouns,
    /// [`AnswerNouns::could`] if `depth` is above 1, if it differs.
    pub(crate) could_of_deeper: Option<&'static str>,
    /// The nouns of the verdict on a file, if they differ.
    pub(crate) of_file: Option<AnswerNouns>,
    /// What a package is taken for, if its name suggests more.
    pub(crate) package_means: Option<&'static str>,
    /// The symbols that are accepted as targets.
    pub(crate) targets: TargetKinds,
    /// The local variables and parameters that are accepted as targets.
    pub(crate) locals: LocalTargets,
    /// The symbols that a file denotes.
    pub(crate) files: FileScope,
    /// The request's fields that not every operation uses, but this one does.
    pub(crate) fields: &'static [&'static str],
    /// The defaults of number fields, if they differ from the field's own.
    pub(crate) defaults: &'static [(&'static str, u32)],
    /// Whether it may read the whole graph: agents' requests then yield to others.
    pub(crate) reads_whole_graph: bool,
    /// The order of the rows.
    pub(crate) order: RowOrder,
    /// Whether results have their code only if a request says so.
    pub(crate) code_on_request: bool,
}

/// The order of the rows of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowOrder {
    /// By depth, then the workspace's before those of libraries, then by id.
    Id,
    /// The steps of one way.
    Steps,
    /// The best match first, the workspace's before those of libraries.
    BestFirst,
    /// As they are written: by file and position; `depth` is the nesting.
    Text,
}

/// The nouns and the verb phrase of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerNouns {
    /// The noun for one result.
    pub singular: &'static str,
    /// The noun for several results.
    pub plural: &'static str,
    /// What an unresolved site could do; follows the number of sites.
    pub could: &'static str,
}

/// The kinds of symbols that an operation accepts as targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetKinds {
    /// Every kind.
    Any,
    /// Functions, methods, packages, and classes, which are called to create instances.
    Callable,
    /// Packages.
    Package,
    /// Types of every kind.
    Type,
    /// Interfaces, classes and their methods.
    Implementable,
    /// Types and methods that may implement others.
    Implementing,
    /// Packages and types: what has members.
    Container,
    /// None: the target is a text to search for.
    Text,
}

/// The local variables and parameters that an operation accepts as targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalTargets {
    /// None.
    None,
    /// Those of files that the build configuration includes.
    OfBuild,
    /// All.
    All,
}

/// The symbols that a file denotes as a target (docs/graph.md §2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileScope {
    /// The file's package.
    Package,
    /// The declarations in the file that the operation accepts.
    Declarations,
    /// The same, and the file's package if the file is a module.
    WithModule,
    /// The same, and the file's package, for code outside functions.
    WithPackageCode,
}

/// What an operation accepts as a target, and what it takes it for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetRules {
    /// The name of the operation, for errors.
    pub name: &'static str,
    /// The symbols that are accepted.
    pub targets: TargetKinds,
    /// The local variables and parameters that are accepted.
    pub locals: LocalTargets,
    /// The symbols that a file denotes.
    pub files: FileScope,
    /// What a package is taken for, if its name suggests more.
    pub package_means: Option<&'static str>,
    /// Whether an answer about a file says how many declarations of it are meant.
    pub counts_file_declarations: bool,
}

const fn nouns(singular: &'static str, plural: &'static str, could: &'static str) -> AnswerNouns {
    AnswerNouns {
        singular,
        plural,
        could,
    }
}

/// Returns the row of an operation on all symbols without fields of its own.
const fn spec(singular: &'static str, plural: &'static str, could: &'static str) -> OperationSpec {
    OperationSpec {
        rows: (singular, plural),
        nouns: nouns(singular, plural, could),
        could_of_deeper: None,
        of_file: None,
        package_means: None,
        targets: TargetKinds::Any,
        locals: LocalTargets::None,
        files: FileScope::Package,
        fields: &[],
        defaults: &[],
        reads_whole_graph: false,
        order: RowOrder::Id,
        code_on_request: false,
    }
}

impl Operation {
    /// Returns the symbols that the operation accepts as targets.
    pub fn targets(self) -> TargetKinds {
        self.spec().targets
    }

    /// Returns what the operation accepts as a target.
    pub fn target_rules(self) -> TargetRules {
        let spec = self.spec();
        TargetRules {
            name: self.wire_name(),
            targets: spec.targets,
            locals: spec.locals,
            files: spec.files,
            package_means: spec.package_means,
            counts_file_declarations: self == Operation::Callers,
        }
    }

    /// Returns whether the operation accepts local variables and parameters as targets.
    pub fn accepts_locals(self) -> bool {
        self.spec().locals != LocalTargets::None
    }

    /// Returns whether the operation may read the whole graph, whatever its target.
    pub fn reads_whole_graph(self) -> bool {
        self.spec().reads_whole_graph
    }

    /// Returns whether the operation walks the callers of its target, in one step or more.
    pub(crate) fn follows_calls(self) -> bool {
        matches!(
            self,
            Operation::Callers | Operation::Impact | Operation::Path
        )
    }

    /// Returns the order of the rows of an answer.
    pub fn row_order(self) -> RowOrder {
        self.spec().order
    }

    /// Returns whether the operation uses a field that not every operation uses.
    pub fn uses(self, field: &str) -> bool {
        self.spec().fields.contains(&field)
    }

    /// Returns the operation's own default of a number field.
    pub(crate) fn own_default(self, field: &str) -> Option<u32> {
        let mut defaults = self.spec().defaults.iter();
        let own = defaults.find(|(name, _)| *name == field);
        own.map(|(_, number)| *number)
    }

    /// Returns the nouns of the verdict on a target that is a file (`of_file`) or not, with `depth`
    /// steps.
    pub fn answer_nouns(self, of_file: bool, depth: u32) -> AnswerNouns {
        let spec = self.spec();
        if let Some(nouns) = spec.of_file.filter(|_| of_file) {
            return nouns;
        }
        let deeper = spec.could_of_deeper.filter(|_| depth > 1);
        AnswerNouns {
            could: deeper.unwrap_or(spec.nouns.could),
            ..spec.nouns
        }
    }
}
