//! Responses (docs/graph.md §1 and §3).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Operation, TextChange};

pub(super) fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The response to a [`super::GraphRequest`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GraphResponse {
    /// The operation of the request.
    pub operation: Operation,
    /// The resolved id of the target; a pattern or position that means several symbols as given.
    pub target: String,
    /// Why the target was taken for this symbol, if the text is neither its id nor the end of it
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The results, by depth, then the workspace's before libraries', then by id; of `path` from the
    /// target to its end, of `search` the best first, of `outline` in text order.
    pub results: Vec<GraphResult>,
    /// The number of results after filters, before limits.
    pub total_found: u32,
    /// The same results by whose they are; absent for `path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<OriginCounts>,
    /// The length of `results`.
    pub total_returned: u32,
    /// Whether limits cut any result.
    pub truncated: bool,
    /// The smallest depth at which results were cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated_at_depth: Option<u32>,
    /// Whether the traversal itself stopped at its node limit.
    #[serde(default, skip_serializing_if = "is_false")]
    pub total_found_is_lower_bound: bool,
    /// Results and sites hidden by the request's filters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Hidden>,
    /// The field that would narrow a cut answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Cycles found by the traversal, as ids; the first 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<Vec<String>>,
    /// The number of cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles_total: Option<u32>,
    /// The counts of an `impact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<ImpactSummary>,
    /// For `impact` with `diff`: what the change touches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Box<TextChange>>,
    /// The sites that could still belong to the answer.
    pub completeness: Completeness,
    /// The first ten warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The number of warnings, if there are more than ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings_total: Option<u32>,
    /// The only part that may differ between equal requests on equal texts.
    pub metadata: Metadata,
}

/// How many warnings an answer lists.
pub const MAX_WARNINGS: usize = 10;

impl GraphResponse {
    /// Adds warnings behind those that the answer has. Beyond a bound they are only counted, in
    /// `warnings_total`.
    pub fn add_warnings(&mut self, more: impl ExactSizeIterator<Item = Warning>) {
        add_bounded_warnings(&mut self.warnings, &mut self.warnings_total, more);
    }
}

/// Adds warnings to a list that has at most [`MAX_WARNINGS`]; `total` is the number of all if the list
/// does not have them.
pub(super) fn add_bounded_warnings(
    list: &mut Vec<Warning>,
    total: &mut Option<u32>,
    more: impl ExactSizeIterator<Item = Warning>,
) {
    let all = total.unwrap_or(list.len() as u32) + more.len() as u32;
    let free = MAX_WARNINGS.saturating_sub(list.len());
    list.extend(more.take(free));
    if all as usize > list.len() {
        *total = Some(all);
    }
}

/// A node of an answer with the sites that link it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GraphResult {
    /// The node.
    pub node: Node,
    /// Its code, after a line `// Lines a-b`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The distance from the target; of `outline` the nesting, from 1; absent for operations without
    /// levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How the type satisfies the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<ReceiverKind>,
    /// The type arguments of an instance of a generic type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_args: Vec<String>,
    /// The first 20 sites, by file, line and column.
    pub sites: Vec<Site>,
    /// The number of sites.
    pub site_count: u32,
    /// For `impact`: how the change reaches the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact_type: Option<ImpactType>,
    /// For `impact`: the severity there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
}

/// A node of the graph (docs/graph.md §1). Without a declaration in a file `file` is empty and
/// every number 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// Unique within its language, and stable.
    pub id: String,
    /// `package`, `function`, …
    pub kind: String,
    /// The last part of the id.
    pub name: String,
    /// Relative to the workspace's root with `/`; absolute outside of it.
    pub file: String,
    /// 1-based.
    pub start_line: u32,
    /// 1-based, inclusive.
    pub end_line: u32,
    /// 0-based byte offset; 0, as `end_pos`, if unknown.
    pub start_pos: u32,
    /// 0-based byte offset, exclusive.
    pub end_pos: u32,
    /// 1-based.
    pub name_line: u32,
    /// 1-based, in bytes.
    pub name_column: u32,
    /// `go` or `python`.
    pub language: String,
    /// `public` or `private`, by the name alone.
    pub visibility: String,
    /// The id of its package.
    pub package: String,
    /// Whether it belongs to a library.
    pub external: bool,
    /// The header of its declaration in one line; absent for packages and where there is no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Whether the positions are those of an unsaved text.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unsaved: bool,
}

/// A use in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Site {
    /// As [`Node::file`].
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// `exact`, `dispatch`, `value` or `name`.
    pub resolution: String,
    /// How an inexact site was found: `class_hierarchy`, a chain of values, or why the site is
    /// unresolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the use is inside a function literal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_literal: bool,
    /// For calls: whether only a function literal runs that is made inside the callee. Listed with
    /// `include_literal_calls`, and by `impact` and `path`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub of_literal: bool,
    /// If the target means several symbols: the ids of those that the site belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// The kind of use. `references`: `call`, `read`, `write`, `type`, `embed`, `key`, `value`,
    /// `import`. `type_usages`: `parameter`, `return`, `field`, `variable`, `literal`,
    /// `conversion`, `assertion`, `embed`, `type_argument`, `constraint`, `base`, `annotation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The line of code, without indentation and without what begins a block at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// The sites that could still belong to an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Completeness {
    /// Whether no unresolved site could belong to the answer under `configuration`.
    pub complete: bool,
    /// The build configuration, printed.
    pub configuration: String,
    /// The number of unresolved sites that could belong to the answer.
    pub unresolved_sites: u32,
    /// The number of sites of each reason, ordered by the reasons' names. A site with several
    /// reasons counts for one.
    #[serde(default)]
    pub by_reason: BTreeMap<String, u32>,
    /// Five of the sites: one of each reason before a second of any, the workspace's own code
    /// before its tests and those before libraries; in that order, then by file, line and column.
    pub first: Vec<UnresolvedSiteAnswer>,
    /// If there are more sites than in `first`: all of them by file and reason, the first ten
    /// groups. Own code, then its tests, then libraries; there the files that import a target
    /// or belong to its package, then the others; then by count, file and reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<UnresolvedGroup>,
    /// The number of groups, if not all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups_total: Option<u32>,
    /// How many of the sites the request lists among its results with `include_unresolved`;
    /// absent if none, or if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_unresolved: Option<u32>,
    /// The verdict in words, unless the answer is simply complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// Results and their sites, after filters and before limits, by whose they are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OriginCounts {
    /// In the workspace.
    pub workspace: ResultCounts,
    /// In libraries.
    pub libraries: ResultCounts,
}

/// Numbers of results and sites.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCounts {
    /// The number of results that are declared there.
    pub nodes: u32,
    /// The number of sites that are in files there.
    pub sites: u32,
}

impl OriginCounts {
    /// Returns in words, with a space before them, how many results are in libraries; nothing if
    /// none is.
    ///
    /// ```
    /// use codeweft_graph::answer::{OriginCounts, ResultCounts};
    ///
    /// let counts = OriginCounts {
    ///     workspace: ResultCounts { nodes: 40, sites: 52 },
    ///     libraries: ResultCounts { nodes: 200, sites: 310 },
    /// };
    /// assert_eq!(counts.words(), " (40 in the workspace, 200 in libraries)");
    /// ```
    pub fn words(&self) -> String {
        match (self.workspace.nodes, self.libraries.nodes) {
            (_, 0) => String::new(),
            (0, 1) => " (in a library)".to_owned(),
            (0, _) => " (all in libraries)".to_owned(),
            (own, others) => format!(" ({own} in the workspace, {others} in libraries)"),
        }
    }
}

/// Results and sites hidden by filters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hidden {
    /// The number of hidden results.
    pub nodes: u32,
    /// The number of hidden sites, including those of hidden results.
    pub sites: u32,
    /// The filters that hid them: `include_literal_calls`, `scope`, `exclude_patterns`, `within`,
    /// `include_tests`.
    pub by: Vec<String>,
    /// What each of them hid: ``40 callers outside `src/`, 2 callers in tests``.
    #[serde(default)]
    pub words: String,
}

/// An unresolved site that could belong to an answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UnresolvedSiteAnswer {
    /// As [`Node::file`].
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// Why it is not resolved.
    pub reason: String,
}

/// The unresolved sites of one file and reason.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UnresolvedGroup {
    /// As [`Node::file`].
    pub file: String,
    /// The line of the first of them; 1-based.
    pub line: u32,
    /// Its column; 1-based, in bytes.
    pub column: u32,
    /// Why they are not resolved.
    pub reason: String,
    /// The number of sites.
    pub count: u32,
}

impl Completeness {
    /// Lists the first `most` groups only, with the number of all.
    pub fn limit_groups(&mut self, most: usize) {
        if self.groups.len() > most {
            self.groups_total.get_or_insert(self.groups.len() as u32);
            self.groups.truncate(most);
        }
    }
}

/// A warning about the files of an answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// As [`Node::file`].
    pub file: String,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The kind of warning.
    pub kind: WarningKind,
    /// The message.
    pub message: String,
}

impl Warning {
    /// Returns the warning as a line of text, with the line of the file or without. The message about a file that is not visible
    /// names it itself.
    pub fn words(&self, with_line: bool) -> String {
        let Warning { file, message, .. } = self;
        match (self.kind, self.line.filter(|_| with_line)) {
            (WarningKind::Secret, _) => message.clone(),
            (_, None) => format!("{file}: {message}"),
            (_, Some(line)) => format!("{file}:{line}: {message}"),
        }
    }
}

/// The kinds of warnings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum WarningKind {
    ParseError,
    Excluded,
    Unreadable,
    Secret,
    Stale,
}

/// How a type satisfies an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiverKind {
    /// The type itself does.
    Value,
    /// Only a pointer to it does.
    Pointer,
}

/// How a change reaches a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum ImpactType {
    Implementation,
    DirectCaller,
    TransitiveCaller,
    TypeUsage,
    Reference,
    LostImplementation,
}

/// The severity of a change for a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum Severity {
    MustUpdate,
    ReviewNeeded,
}

/// The counts of an `impact`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ImpactSummary {
    pub implementations: u32,
    pub direct_callers: u32,
    pub transitive_callers: u32,
    pub type_usages: u32,
    pub external_packages: u32,
    pub files: u32,
    pub packages: u32,
}

/// Data about the execution, not part of the answer proper. `ide` fills it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Metadata {
    /// The duration in milliseconds.
    pub took_ms: f64,
    /// The source of the answer: `live`, `disk`, `sql`.
    pub source: String,
    /// The revision of the database.
    pub revision: u64,
    /// Whether part of the workspace was not read yet.
    pub partial: bool,
    /// Files that were answered from unsaved texts.
    pub unsaved: Vec<String>,
    /// The size of all code in bytes, if above 256 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_bytes: Option<u64>,
}
