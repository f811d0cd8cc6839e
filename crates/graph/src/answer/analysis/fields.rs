//! The table of the fields of `cortex_analysis`, from which flags, schemas and checks are made.

use super::{AnalysisOperation, Visibility};
use crate::answer::{Field, FieldDefault, FieldKind, KIND_NAMES, RequestFields};

/// Every field of a request, in the order of docs/graph.md §5: the only definition of defaults and
/// bounds.
pub const ANALYSIS_FIELDS: &[Field] = &[
    Field {
        name: "operation",
        kind: FieldKind::Choice(AnalysisOperation::NAMES),
        default: FieldDefault::Required,
        words: "what is asked",
    },
    Field {
        name: "target",
        kind: FieldKind::Text,
        default: FieldDefault::Empty,
        words: "as of cortex_graph; scope: path:line:column; package or folder narrows",
    },
    Field {
        name: "pattern",
        kind: FieldKind::Text,
        default: FieldDefault::Empty,
        words: "of names: Get*, %Handler",
    },
    Field {
        name: "kinds",
        kind: FieldKind::Choices(KIND_NAMES),
        default: FieldDefault::Empty,
        words: "kinds listed",
    },
    Field {
        name: "visibility",
        kind: FieldKind::Choice(&Visibility::NAMES),
        default: FieldDefault::Empty,
        words: "only these",
    },
    Field {
        name: "path_prefix",
        kind: FieldKind::Text,
        default: FieldDefault::Empty,
        words: "folder or file",
    },
    Field {
        name: "top_n",
        kind: FieldKind::Number {
            least: 1,
            most: 100,
        },
        default: FieldDefault::Number(10),
        words: "symbols listed",
    },
    Field {
        name: "ref_count_min",
        kind: FieldKind::Number {
            least: 0,
            most: u32::MAX,
        },
        default: FieldDefault::Empty,
        words: "uses at least",
    },
    Field {
        name: "ref_count_max",
        kind: FieldKind::Number {
            least: 0,
            most: u32::MAX,
        },
        default: FieldDefault::Empty,
        words: "uses at most",
    },
    Field {
        name: "max_results",
        kind: FieldKind::Number {
            least: 1,
            most: 500,
        },
        default: FieldDefault::Number(100),
        words: "items listed",
    },
    Field {
        name: "include_tests",
        kind: FieldKind::Flag,
        default: FieldDefault::OfOperation,
        words: "tests too (default true); unused_symbols: uses by tests count (default false)",
    },
];

impl RequestFields for AnalysisOperation {
    const FIELDS: &'static [Field] = ANALYSIS_FIELDS;

    fn operations(field: &str) -> Vec<&'static str> {
        let all = AnalysisOperation::ALL.into_iter();
        let users: Vec<&str> = all
            .filter(|operation| operation.uses(field))
            .map(AnalysisOperation::wire_name)
            .collect();
        if users.len() == AnalysisOperation::ALL.len() {
            Vec::new()
        } else {
            users
        }
    }

    fn other_defaults(_field: &str) -> Vec<(&'static str, u32)> {
        Vec::new()
    }
}
