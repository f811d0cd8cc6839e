//! Requests (docs/graph.md §3), and the one check of their values.
//!
//! ```text
//! JSON of a client   deserialization       -> CheckedRequest -> execute
//! GraphRequest       GraphRequest::check   -> CheckedRequest -> execute
//! ```

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::fields::{checked_number, default_number};
use super::{ApiError, FIELDS, Operation, default_number_for};

/// The kind of change that `impact` assumes.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangeType {
    /// The parameters, results, type or meaning of the name change.
    #[default]
    Signature,
    /// The behaviour changes, but not the way it is used.
    Behavior,
    /// The declaration is removed.
    Removal,
}

impl ChangeType {
    /// The names on the wire.
    pub const NAMES: [&'static str; 3] = ["signature", "behavior", "removal"];
}

/// Whose results are listed: `within` of a request.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    /// The workspace's and libraries'.
    #[default]
    All,
    /// The workspace's alone.
    Workspace,
}

impl Within {
    /// The names on the wire.
    pub const NAMES: [&'static str; 2] = ["all", "workspace"];
}

/// A request with every default filled in, not checked yet: see [`CheckedRequest`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GraphRequest {
    /// The operation.
    pub operation: Operation,
    /// The target: see docs/graph.md §2.
    pub target: String,
    /// The end of a `path`; empty for other operations.
    pub to: String,
    /// Lists only matching results; empty means all.
    pub scope: String,
    /// Hides results that match any of these.
    pub exclude_patterns: Vec<String>,
    /// Whose results are listed.
    pub within: Within,
    /// Whether results include code.
    pub include_context: bool,
    /// The number of lines around the code.
    pub context_lines: u32,
    /// The number of steps to follow.
    pub depth: u32,
    /// The maximal number of listed results.
    pub max_results: u32,
    /// The maximal number of listed results per depth, if `depth` is above 1.
    pub max_per_level: u32,
    /// The change that `impact` assumes.
    pub change_type: ChangeType,
    /// Whether the target of `impact` is a change of texts: a git revision that the files are compared with,
    /// two with `..` between them, or a patch.
    pub diff: bool,
    /// Whether to list sites that fit by name and arity alone.
    pub include_unresolved: bool,
    /// Whether to list calls of function literals made inside the callee.
    pub include_literal_calls: bool,
    /// Whether to list nodes and sites in tests.
    pub include_tests: bool,
}

impl GraphRequest {
    /// Creates a request with the defaults of its operation.
    ///
    /// ```
    /// use codeweft_graph::answer::{GraphRequest, Operation};
    ///
    /// assert_eq!(GraphRequest::new(Operation::Impact, "io.Writer.Write").depth, 3);
    /// ```
    pub fn new(operation: Operation, target: impl Into<String>) -> GraphRequest {
        GraphRequest {
            operation,
            target: target.into(),
            to: String::new(),
            scope: String::new(),
            exclude_patterns: Vec::new(),
            within: Within::default(),
            include_context: !operation.spec().code_on_request,
            context_lines: default_number(FIELDS, "context_lines"),
            depth: GraphRequest::default_depth(operation),
            max_results: default_number(FIELDS, "max_results"),
            max_per_level: default_number(FIELDS, "max_per_level"),
            change_type: ChangeType::default(),
            diff: false,
            include_unresolved: false,
            include_literal_calls: false,
            include_tests: true,
        }
    }

    /// Returns the default depth of an operation.
    pub fn default_depth(operation: Operation) -> u32 {
        default_number_for("depth", operation)
    }

    /// Checks that every value is within the bounds of [`FIELDS`], and that `to` is present for `path`
    /// and absent for the others.
    ///
    /// # Errors
    ///
    /// Names field, value and bounds: `depth: 11 is out of bounds 1 to 10`.
    pub fn check(self) -> Result<CheckedRequest, ApiError> {
        let numbers = [
            ("context_lines", self.context_lines),
            ("depth", self.depth),
            ("max_results", self.max_results),
            ("max_per_level", self.max_per_level),
        ];
        for (name, value) in numbers {
            checked_number(FIELDS, name, i64::from(value)).map_err(ApiError::invalid_request)?;
        }
        self.with_checked_numbers()
            .map_err(ApiError::invalid_request)
    }

    /// Checks what [`GraphRequest::check`] does, for numbers that are within their bounds.
    fn with_checked_numbers(self) -> Result<CheckedRequest, String> {
        if self.target.trim().is_empty() {
            return Err("target: must not be empty".to_owned());
        }
        if self.operation.uses("to") && self.to.trim().is_empty() {
            return Err(format!("to: is required by {}", self.operation.wire_name()));
        }
        if !self.operation.uses("to") && !self.to.trim().is_empty() {
            let operation = self.operation.wire_name();
            return Err(format!("to: {operation} does not take it; only path does"));
        }
        if self.diff && !self.operation.uses("diff") {
            let operation = self.operation.wire_name();
            return Err(format!(
                "diff: {operation} does not take it; only impact does"
            ));
        }
        Ok(CheckedRequest(self))
    }

    /// Returns the names of the fields that differ from their defaults although the operation does not
    /// use them.
    pub fn unused_fields(&self) -> Vec<&'static str> {
        let plain = GraphRequest::new(self.operation, "");
        let given = [
            ("depth", self.depth != plain.depth),
            ("max_per_level", self.max_per_level != plain.max_per_level),
            ("change_type", self.change_type != plain.change_type),
            ("diff", self.diff != plain.diff),
            (
                "include_unresolved",
                self.include_unresolved != plain.include_unresolved,
            ),
            (
                "include_literal_calls",
                self.include_literal_calls != plain.include_literal_calls,
            ),
        ];
        let unused = given.into_iter();
        let unused = unused.filter(|&(name, is_given)| is_given && !self.operation.uses(name));
        unused.map(|(name, _)| name).collect()
    }
}

/// A request whose values are present and within their bounds, made by [`GraphRequest::check`] or
/// by deserialization.
///
/// Deserialization rejects unknown fields; `null` means the default; `max_depth` is an alias of
/// `depth`.
///
/// ```
/// use codeweft_graph::answer::{CheckedRequest, GraphRequest, Operation};
///
/// let json = r#"{"operation": "impact", "target": "io.Writer.Write", "depth": 11}"#;
/// assert!(serde_json::from_str::<CheckedRequest>(json).is_err());
/// let request = GraphRequest::new(Operation::Impact, "io.Writer.Write").check()?;
/// assert_eq!(request.depth, 3);
/// # Ok::<(), codeweft_graph::answer::ApiError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawRequest")]
pub struct CheckedRequest(GraphRequest);

impl Deref for CheckedRequest {
    type Target = GraphRequest;

    fn deref(&self) -> &GraphRequest {
        &self.0
    }
}

/// A request as clients write it: all but operation and target may be absent or `null`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "GraphRequest")]
struct RawRequest {
    operation: Operation,
    target: String,
    to: Option<String>,
    scope: Option<String>,
    exclude_patterns: Option<Vec<String>>,
    within: Option<Within>,
    include_context: Option<bool>,
    context_lines: Option<i64>,
    depth: Option<i64>,
    max_depth: Option<i64>,
    max_results: Option<i64>,
    max_per_level: Option<i64>,
    change_type: Option<ChangeType>,
    diff: Option<bool>,
    include_unresolved: Option<bool>,
    include_literal_calls: Option<bool>,
    include_tests: Option<bool>,
}

impl TryFrom<RawRequest> for CheckedRequest {
    type Error = String;

    fn try_from(written: RawRequest) -> Result<CheckedRequest, String> {
        fn number(name: &str, value: Option<i64>, default: u32) -> Result<u32, String> {
            value.map_or(Ok(default), |value| checked_number(FIELDS, name, value))
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
            within: written.within.unwrap_or_default(),
            include_context: written.include_context.unwrap_or(plain.include_context),
            context_lines: number("context_lines", written.context_lines, plain.context_lines)?,
            depth: number("depth", depth, plain.depth)?,
            max_results: number("max_results", written.max_results, plain.max_results)?,
            max_per_level: number("max_per_level", written.max_per_level, plain.max_per_level)?,
            change_type: written.change_type.unwrap_or_default(),
            diff: written.diff.unwrap_or(plain.diff),
            include_unresolved: written
                .include_unresolved
                .unwrap_or(plain.include_unresolved),
            include_literal_calls: written
                .include_literal_calls
                .unwrap_or(plain.include_literal_calls),
            include_tests: written.include_tests.unwrap_or(plain.include_tests),
            ..plain
        };
        request.with_checked_numbers()
    }
}
