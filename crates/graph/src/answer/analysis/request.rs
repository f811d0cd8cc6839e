//! Requests of `cortex_analysis`, and the one check of their values.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::operation::TargetUse;
use super::{ANALYSIS_FIELDS, AnalysisOperation};
use crate::answer::fields::{checked_number, default_number};
use crate::answer::{ApiError, KIND_NAMES};

/// The visibility of a symbol outside its package, by its name alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// It is exported.
    Public,
    /// It is not.
    Private,
}

impl Visibility {
    /// The names on the wire.
    pub const NAMES: [&'static str; 2] = ["public", "private"];
}

/// A request of `cortex_analysis`, not checked yet: see [`CheckedAnalysis`]. An absent field is one
/// that the request does not have.
///
/// ```
/// use codeweft_graph::answer::{AnalysisOperation, AnalysisRequest};
///
/// let request = AnalysisRequest {
///     path_prefix: Some("internal/".to_owned()),
///     ..AnalysisRequest::new(AnalysisOperation::UnusedSymbols)
/// };
/// assert!(request.check().is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The operation.
    pub operation: AnalysisOperation,
    /// The target, as of a [`crate::answer::GraphRequest`]; for `scope` a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Lists only symbols whose names match: LIKE if it has a `%`, a glob with `*` or `?`, else a
    /// part of the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Lists only symbols of these kinds; empty or absent means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<String>>,
    /// Lists only symbols of this visibility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Lists only what is declared in this file or below this folder, relative to the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_prefix: Option<String>,
    /// The number of symbols at the top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_n: Option<i64>,
    /// Lists only symbols with at least so many uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ref_count_min: Option<i64>,
    /// Lists only symbols with at most so many uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ref_count_max: Option<i64>,
    /// The maximal number of listed items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_results: Option<i64>,
    /// Whether tests are listed; for `unused_symbols` whether their uses count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_tests: Option<bool>,
}

impl AnalysisRequest {
    /// Returns a request without any other field.
    pub fn new(operation: AnalysisOperation) -> AnalysisRequest {
        AnalysisRequest {
            operation,
            target: None,
            pattern: None,
            kinds: None,
            visibility: None,
            path_prefix: None,
            top_n: None,
            ref_count_min: None,
            ref_count_max: None,
            max_results: None,
            include_tests: None,
        }
    }

    /// Checks that every field is one that the operation uses, that required ones are there, and that
    /// numbers and words are within the bounds of [`ANALYSIS_FIELDS`].
    ///
    /// # Errors
    ///
    /// Names the field, and what to do: `ref_count_min: hotspots does not take it; symbols and search do`.
    pub fn check(self) -> Result<CheckedAnalysis, ApiError> {
        self.checked().map_err(ApiError::invalid_request)
    }

    fn checked(self) -> Result<CheckedAnalysis, String> {
        let operation = self.operation;
        let name = operation.wire_name();
        let given = [
            ("target", self.target.is_some()),
            ("pattern", self.pattern.is_some()),
            ("kinds", self.kinds.is_some()),
            ("visibility", self.visibility.is_some()),
            ("path_prefix", self.path_prefix.is_some()),
            ("top_n", self.top_n.is_some()),
            ("ref_count_min", self.ref_count_min.is_some()),
            ("ref_count_max", self.ref_count_max.is_some()),
            ("max_results", self.max_results.is_some()),
            ("include_tests", self.include_tests.is_some()),
        ];
        for (field, is_given) in given {
            if is_given && !operation.uses(field) {
                return Err(unused_field(operation, field));
            }
        }
        let is_empty =
            |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
        if operation.spec().target == TargetUse::Required && is_empty(&self.target) {
            return Err(format!("target: is required by {name}"));
        }
        if operation.uses("pattern") && is_empty(&self.pattern) {
            return Err(format!("pattern: is required by {name}"));
        }
        for kind in self.kinds.iter().flatten() {
            if !KIND_NAMES.contains(&kind.as_str()) {
                let known = KIND_NAMES.join(", ");
                return Err(format!("kinds: {kind} is no kind; the kinds are {known}"));
            }
        }
        let number = |name: &str, value: Option<i64>| -> Result<Option<u32>, String> {
            value
                .map(|value| checked_number(ANALYSIS_FIELDS, name, value))
                .transpose()
        };
        let with_default = |name: &str, value: Option<i64>| -> Result<u32, String> {
            Ok(number(name, value)?.unwrap_or_else(|| default_number(ANALYSIS_FIELDS, name)))
        };
        let checked = CheckedAnalysis {
            top_n: with_default("top_n", self.top_n)?,
            max_results: with_default("max_results", self.max_results)?,
            ref_count_min: number("ref_count_min", self.ref_count_min)?,
            ref_count_max: number("ref_count_max", self.ref_count_max)?,
            include_tests: self.include_tests.unwrap_or(operation.includes_tests()),
            request: self,
        };
        match (checked.ref_count_min, checked.ref_count_max) {
            (Some(least), Some(most)) if least > most => Err(format!(
                "ref_count_min: {least} is above ref_count_max: {most}, so that nothing could be listed"
            )),
            _ => Ok(checked),
        }
    }
}

/// Returns the words for a field that the operation does not use.
fn unused_field(operation: AnalysisOperation, field: &str) -> String {
    let name = operation.wire_name();
    let all = AnalysisOperation::ALL.into_iter();
    let users: Vec<&str> = all
        .filter(|other| other.uses(field))
        .map(AnalysisOperation::wire_name)
        .collect();
    let verb = if users.len() == 1 { "does" } else { "do" };
    format!(
        "{field}: {name} does not take it; {} {verb}",
        users.join(", ")
    )
}

/// A request of `cortex_analysis` whose fields fit the operation, made by [`AnalysisRequest::check`]
/// or by deserialization, which rejects unknown fields; `null` means absent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "AnalysisRequest", into = "AnalysisRequest")]
pub struct CheckedAnalysis {
    request: AnalysisRequest,
    /// The number of symbols at the top.
    pub top_n: u32,
    /// The maximal number of listed items.
    pub max_results: u32,
    /// The least number of uses of a listed symbol.
    pub ref_count_min: Option<u32>,
    /// The greatest number of uses of a listed symbol.
    pub ref_count_max: Option<u32>,
    /// Whether tests are listed; for `unused_symbols` whether their uses count.
    pub include_tests: bool,
}

impl Deref for CheckedAnalysis {
    type Target = AnalysisRequest;

    fn deref(&self) -> &AnalysisRequest {
        &self.request
    }
}

impl TryFrom<AnalysisRequest> for CheckedAnalysis {
    type Error = String;

    fn try_from(request: AnalysisRequest) -> Result<CheckedAnalysis, String> {
        request.checked()
    }
}

impl From<CheckedAnalysis> for AnalysisRequest {
    fn from(checked: CheckedAnalysis) -> AnalysisRequest {
        checked.request
    }
}
