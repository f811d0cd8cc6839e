//! The fields of a request in one table: flags, schema and checks are made from it.

use super::{ChangeType, Operation};

/// One field of a [`super::GraphRequest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name on the wire; with dashes the name of its flag.
    pub name: &'static str,
    /// What it takes.
    pub kind: FieldKind,
    /// The operations that use it; empty: all.
    pub operations: &'static [Operation],
    /// What stands where it is not given.
    pub default: FieldDefault,
    /// What it does, in words for people and agents.
    pub words: &'static str,
}

/// What a field takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A text.
    Text,
    /// Any number of texts.
    Texts,
    /// A whole number within bounds, both included.
    Number {
        /// The smallest.
        least: u32,
        /// The largest.
        most: u32,
    },
    /// Yes or no.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// What stands where a field is not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldDefault {
    /// It must be given.
    Required,
    /// Nothing: the empty text or list.
    Empty,
    /// A number.
    Number(u32),
    /// A number, and others for some operations.
    NumberBy(u32, &'static [(Operation, u32)]),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Word(&'static str),
}

/// The operations by name, in the order of the specification.
pub const OPERATION_NAMES: [&str; 11] = [
    "callers",
    "callees",
    "dependencies",
    "dependents",
    "type_usages",
    "implementations",
    "implements",
    "references",
    "definition",
    "impact",
    "path",
];

const FILTERED: &str = "LIKE with %, glob with * or ?, else a path prefix at /";

/// Every field of a request, in the order of docs/graph.md §3. The only place of defaults and
/// bounds.
pub const FIELDS: &[Field] = &[
    Field {
        name: "operation",
        kind: FieldKind::Choice(&OPERATION_NAMES),
        operations: &[],
        default: FieldDefault::Required,
        words: "what is asked",
    },
    Field {
        name: "target",
        kind: FieldKind::Text,
        operations: &[],
        default: FieldDefault::Required,
        words: "id, suffix of an id (Type.Method), pattern, path:line[:column], package or file",
    },
    Field {
        name: "to",
        kind: FieldKind::Text,
        operations: &[Operation::Path],
        default: FieldDefault::Empty,
        words: "where the path ends; required by path",
    },
    Field {
        name: "scope",
        kind: FieldKind::Text,
        operations: &[],
        default: FieldDefault::Empty,
        words: FILTERED,
    },
    Field {
        name: "exclude_patterns",
        kind: FieldKind::Texts,
        operations: &[],
        default: FieldDefault::Empty,
        words: "hides what fits, as scope",
    },
    Field {
        name: "include_context",
        kind: FieldKind::Flag,
        operations: &[],
        default: FieldDefault::Flag(true),
        words: "results carry their code",
    },
    Field {
        name: "context_lines",
        kind: FieldKind::Number { least: 0, most: 20 },
        operations: &[],
        default: FieldDefault::Number(3),
        words: "lines around the code",
    },
    Field {
        name: "depth",
        kind: FieldKind::Number { least: 1, most: 10 },
        operations: &[],
        default: FieldDefault::NumberBy(1, &[(Operation::Impact, 3), (Operation::Path, 10)]),
        words: "steps to follow",
    },
    Field {
        name: "max_results",
        kind: FieldKind::Number {
            least: 1,
            most: 500,
        },
        operations: &[],
        default: FieldDefault::Number(100),
        words: "results listed",
    },
    Field {
        name: "max_per_level",
        kind: FieldKind::Number {
            least: 1,
            most: 100,
        },
        operations: &[],
        default: FieldDefault::Number(50),
        words: "results listed of each depth",
    },
    Field {
        name: "change_type",
        kind: FieldKind::Choice(&ChangeType::NAMES),
        operations: &[Operation::Impact],
        default: FieldDefault::Word("signature"),
        words: "the change that impact supposes",
    },
    Field {
        name: "include_unresolved",
        kind: FieldKind::Flag,
        operations: &[],
        default: FieldDefault::Flag(false),
        words: "also sites that fit by name and arity alone",
    },
    Field {
        name: "include_tests",
        kind: FieldKind::Flag,
        operations: &[],
        default: FieldDefault::Flag(true),
        words: "nodes and sites in tests",
    },
];

/// The default of a field that takes a number.
pub(super) fn default_number(name: &str) -> u32 {
    let default = FIELDS.iter().find(|field| field.name == name);
    match default.map(|field| field.default) {
        Some(FieldDefault::Number(number) | FieldDefault::NumberBy(number, _)) => number,
        _ => 0,
    }
}

/// The default of a field that takes a number, for one operation.
pub fn default_number_for(name: &str, operation: Operation) -> u32 {
    let default = FIELDS.iter().find(|field| field.name == name);
    match default.map(|field| field.default) {
        Some(FieldDefault::NumberBy(number, others)) => others
            .iter()
            .find(|(other, _)| *other == operation)
            .map_or(number, |(_, other)| *other),
        _ => default_number(name),
    }
}
