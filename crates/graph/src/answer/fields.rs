//! The table of request fields, from which flags, schemas and checks are made. Which operations use
//! a field or have a default of their own is in the rows of the operations.

use super::{ChangeType, Operation, Within};

/// One field of a [`super::GraphRequest`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name on the wire; with dashes the name of the flag.
    pub name: &'static str,
    /// The type of the value.
    pub kind: FieldKind,
    /// The value of an absent field.
    pub default: FieldDefault,
    /// The description for people and agents.
    pub words: &'static str,
}

/// The type of a field's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// An integer within inclusive bounds.
    Number {
        /// The smallest value.
        least: u32,
        /// The largest value.
        most: u32,
    },
    /// A boolean.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of these words.
    Choices(&'static [&'static str]),
}

/// The value of an absent field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldDefault {
    /// The field is required.
    Required,
    /// The empty string or list.
    Empty,
    /// A number; some operations have others, see [`RequestFields::other_defaults`].
    Number(u32),
    /// A boolean.
    Flag(bool),
    /// A word.
    Word(&'static str),
    /// It depends on the operation, as the description says.
    OfOperation,
}

/// The fields of the requests of one tool, by its operations.
pub trait RequestFields {
    /// Every field, in the order of docs/graph.md.
    const FIELDS: &'static [Field];

    /// Returns the names of the operations that use a field; empty means all.
    fn operations(field: &str) -> Vec<&'static str>;

    /// Returns the operations with a default of their own for a number field, with that number.
    fn other_defaults(field: &str) -> Vec<(&'static str, u32)>;
}

const FILTERED: &str = "path, LIKE with %, glob";

/// Every field of a request, in the order of docs/graph.md §3: the only definition of defaults and
/// bounds.
pub const FIELDS: &[Field] = &[
    Field {
        name: "operation",
        kind: FieldKind::Choice(Operation::NAMES),
        default: FieldDefault::Required,
        words: "what is asked",
    },
    Field {
        name: "target",
        kind: FieldKind::Text,
        default: FieldDefault::Required,
        words: "id or its end (Type.Method), pattern, path:line, package, file; search: part of a name",
    },
    Field {
        name: "to",
        kind: FieldKind::Text,
        default: FieldDefault::Empty,
        words: "end of path",
    },
    Field {
        name: "scope",
        kind: FieldKind::Text,
        default: FieldDefault::Empty,
        words: FILTERED,
    },
    Field {
        name: "exclude_patterns",
        kind: FieldKind::Texts,
        default: FieldDefault::Empty,
        words: "as scope, hides",
    },
    Field {
        name: "within",
        kind: FieldKind::Choice(&Within::NAMES),
        default: FieldDefault::Word("all"),
        words: "workspace hides libraries",
    },
    Field {
        name: "include_context",
        kind: FieldKind::Flag,
        default: FieldDefault::Flag(true),
        words: "results have code; of search and outline only if given",
    },
    Field {
        name: "context_lines",
        kind: FieldKind::Number { least: 0, most: 20 },
        default: FieldDefault::Number(3),
        words: "lines around the code",
    },
    Field {
        name: "depth",
        kind: FieldKind::Number { least: 1, most: 10 },
        default: FieldDefault::Number(1),
        words: "steps",
    },
    Field {
        name: "max_results",
        kind: FieldKind::Number {
            least: 1,
            most: 500,
        },
        default: FieldDefault::Number(100),
        words: "results listed",
    },
    Field {
        name: "max_per_level",
        kind: FieldKind::Number {
            least: 1,
            most: 100,
        },
        default: FieldDefault::Number(50),
        words: "of each depth",
    },
    Field {
        name: "change_type",
        kind: FieldKind::Choice(&ChangeType::NAMES),
        default: FieldDefault::Word("signature"),
        words: "what impact supposes",
    },
    Field {
        name: "diff",
        kind: FieldKind::Flag,
        default: FieldDefault::Flag(false),
        words: "impact: target is HEAD, A..B or a patch",
    },
    Field {
        name: "include_unresolved",
        kind: FieldKind::Flag,
        default: FieldDefault::Flag(false),
        words: "by name too",
    },
    Field {
        name: "include_literal_calls",
        kind: FieldKind::Flag,
        default: FieldDefault::Flag(false),
        words: "calls of function literals made in the callee too",
    },
    Field {
        name: "include_tests",
        kind: FieldKind::Flag,
        default: FieldDefault::Flag(true),
        words: "tests too",
    },
];

impl RequestFields for Operation {
    const FIELDS: &'static [Field] = FIELDS;

    fn operations(field: &str) -> Vec<&'static str> {
        let all = Operation::ALL.into_iter();
        let users = all.filter(|operation| operation.uses(field));
        users.map(Operation::wire_name).collect()
    }

    fn other_defaults(field: &str) -> Vec<(&'static str, u32)> {
        let all = Operation::ALL.into_iter();
        all.filter_map(|operation| Some((operation.wire_name(), operation.own_default(field)?)))
            .collect()
    }
}

/// Returns the default of a number field of a table.
pub(super) fn default_number(fields: &[Field], name: &str) -> u32 {
    let default = fields.iter().find(|field| field.name == name);
    match default.map(|field| field.default) {
        Some(FieldDefault::Number(number)) => number,
        _ => 0,
    }
}

/// Returns the default of a number field for one operation.
pub fn default_number_for(name: &str, operation: Operation) -> u32 {
    let own = operation.own_default(name);
    own.unwrap_or_else(|| default_number(FIELDS, name))
}

/// Returns the value of a number field of a table if it is within the field's bounds.
pub(super) fn checked_number(fields: &[Field], name: &str, value: i64) -> Result<u32, String> {
    let bounds = fields.iter().find_map(|field| match field.kind {
        FieldKind::Number { least, most } if field.name == name => Some((least, most)),
        _ => None,
    });
    let (least, most) = bounds.unwrap_or((0, u32::MAX));
    match u32::try_from(value) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!(
            "{name}: {value} is out of bounds {least} to {most}"
        )),
    }
}
