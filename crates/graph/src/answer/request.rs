//! What is asked (docs/graph.md §3).

use serde::{Deserialize, Serialize};

use super::{ApiError, FIELDS, FieldKind, default_number, default_number_for};

/// The eleven operations of `cortex_graph`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum Operation {
    Callers,
    Callees,
    Dependencies,
    Dependents,
    TypeUsages,
    Implementations,
    Implements,
    References,
    Definition,
    Impact,
    Path,
}

impl Operation {
    /// All of them, in the order of the specification.
    pub const ALL: [Operation; 11] = [
        Operation::Callers,
        Operation::Callees,
        Operation::Dependencies,
        Operation::Dependents,
        Operation::TypeUsages,
        Operation::Implementations,
        Operation::Implements,
        Operation::References,
        Operation::Definition,
        Operation::Impact,
        Operation::Path,
    ];

    /// The name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            Operation::Callers => "callers",
            Operation::Callees => "callees",
            Operation::Dependencies => "dependencies",
            Operation::Dependents => "dependents",
            Operation::TypeUsages => "type_usages",
            Operation::Implementations => "implementations",
            Operation::Implements => "implements",
            Operation::References => "references",
            Operation::Definition => "definition",
            Operation::Impact => "impact",
            Operation::Path => "path",
        }
    }
}

/// What kind of change `impact` supposes.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangeType {
    /// Parameters, results, the type or the name's meaning change.
    #[default]
    Signature,
    /// What it does changes, not how it is used.
    Behavior,
    /// It goes away.
    Removal,
}

impl ChangeType {
    /// The names on the wire.
    pub const NAMES: [&'static str; 3] = ["signature", "behavior", "removal"];
}

/// A question with every default filled in. Deserializing refuses unknown fields and values out
/// of bounds; `null` stands for the default; `max_depth` is read as `depth`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawRequest")]
pub struct GraphRequest {
    /// What is asked.
    pub operation: Operation,
    /// Of what: see docs/graph.md §2.
    pub target: String,
    /// The end of a `path`; empty for every other operation.
    pub to: String,
    /// Shows only what fits; empty: all.
    pub scope: String,
    /// Shows nothing that fits one of them.
    pub exclude_patterns: Vec<String>,
    /// Whether results carry code.
    pub include_context: bool,
    /// Lines around the code.
    pub context_lines: u32,
    /// How many steps.
    pub depth: u32,
    /// How many results are listed.
    pub max_results: u32,
    /// How many results of one depth are listed, where `depth` is above 1.
    pub max_per_level: u32,
    /// What `impact` supposes.
    pub change_type: ChangeType,
    /// Shows sites that fit by name and arity alone.
    pub include_unresolved: bool,
    /// Shows nodes and sites in tests.
    pub include_tests: bool,
}

impl GraphRequest {
    /// A question with the defaults of its operation.
    pub fn new(operation: Operation, target: impl Into<String>) -> GraphRequest {
        GraphRequest {
            operation,
            target: target.into(),
            to: String::new(),
            scope: String::new(),
            exclude_patterns: Vec::new(),
            include_context: true,
            context_lines: default_number("context_lines"),
            depth: GraphRequest::default_depth(operation),
            max_results: default_number("max_results"),
            max_per_level: default_number("max_per_level"),
            change_type: ChangeType::default(),
            include_unresolved: false,
            include_tests: true,
        }
    }

    /// The depth that an operation is asked with when none is given.
    pub fn default_depth(operation: Operation) -> u32 {
        default_number_for("depth", operation)
    }

    /// Whether every value is within the bounds of [`FIELDS`] and what is required is there. The
    /// error names field, value and bounds: `depth: 11 is out of bounds 1 to 10`.
    pub fn check(&self) -> Result<(), ApiError> {
        let numbers = [
            ("context_lines", self.context_lines),
            ("depth", self.depth),
            ("max_results", self.max_results),
            ("max_per_level", self.max_per_level),
        ];
        for (name, value) in numbers {
            checked_number(name, i64::from(value)).map_err(ApiError::invalid_request)?;
        }
        if self.target.trim().is_empty() {
            return Err(ApiError::invalid_request("target: must not be empty"));
        }
        if self.operation == Operation::Path && self.to.trim().is_empty() {
            return Err(ApiError::invalid_request("to: is required by path"));
        }
        Ok(())
    }
}

/// A question as clients write it: everything but operation and target may be absent or `null`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "GraphRequest")]
struct RawRequest {
    operation: Operation,
    target: String,
    to: Option<String>,
    scope: Option<String>,
    exclude_patterns: Option<Vec<String>>,
    include_context: Option<bool>,
    context_lines: Option<i64>,
    depth: Option<i64>,
    max_depth: Option<i64>,
    max_results: Option<i64>,
    max_per_level: Option<i64>,
    change_type: Option<ChangeType>,
    include_unresolved: Option<bool>,
    include_tests: Option<bool>,
}

impl TryFrom<RawRequest> for GraphRequest {
    type Error = String;

    fn try_from(written: RawRequest) -> Result<GraphRequest, String> {
        fn number(name: &str, value: Option<i64>, default: u32) -> Result<u32, String> {
            value.map_or(Ok(default), |value| checked_number(name, value))
        }
        let depth = match (written.depth, written.max_depth) {
            (Some(depth), Some(max_depth)) if depth != max_depth => {
                return Err(format!(
                    "depth: {depth} and max_depth: {max_depth} name the same field and differ"
                ));
            }
            (depth, max_depth) => depth.or(max_depth),
        };
        let plain = GraphRequest::new(written.operation, written.target);
        let request = GraphRequest {
            to: written.to.unwrap_or_default(),
            scope: written.scope.unwrap_or_default(),
            exclude_patterns: written.exclude_patterns.unwrap_or_default(),
            include_context: written.include_context.unwrap_or(plain.include_context),
            context_lines: number("context_lines", written.context_lines, plain.context_lines)?,
            depth: number("depth", depth, plain.depth)?,
            max_results: number("max_results", written.max_results, plain.max_results)?,
            max_per_level: number("max_per_level", written.max_per_level, plain.max_per_level)?,
            change_type: written.change_type.unwrap_or_default(),
            include_unresolved: written
                .include_unresolved
                .unwrap_or(plain.include_unresolved),
            include_tests: written.include_tests.unwrap_or(plain.include_tests),
            ..plain
        };
        request.check().map_err(|error| error.message)?;
        Ok(request)
    }
}

/// The value as a number of the request, if it is within the field's bounds.
fn checked_number(name: &str, value: i64) -> Result<u32, String> {
    let bounds = FIELDS.iter().find_map(|field| match field.kind {
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
