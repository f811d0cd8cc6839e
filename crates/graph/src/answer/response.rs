//! What is answered (docs/graph.md §1 and §3).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Operation;

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The answer to a [`super::GraphRequest`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GraphResponse {
    /// What was asked.
    pub operation: Operation,
    /// The id that the target resolved to; a pattern or position set as given.
    pub target: String,
    /// In order of depth, then id; of `path` from the target to its end.
    pub results: Vec<GraphResult>,
    /// After filters, before cuts.
    pub total_found: u32,
    /// The length of `results`.
    pub total_returned: u32,
    /// Whether something was cut.
    pub truncated: bool,
    /// The smallest depth that lost something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated_at_depth: Option<u32>,
    /// Set where the walk itself ended at its bound.
    #[serde(default, skip_serializing_if = "is_false")]
    pub total_found_is_lower_bound: bool,
    /// What was found and the request's filters do not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Hidden>,
    /// Which field narrows a cut answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Rings that an ancestor of the walk closes, as ids, the first 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<Vec<String>>,
    /// How many rings there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles_total: Option<u32>,
    /// Of `impact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<ImpactSummary>,
    /// What could still belong to the answer.
    pub completeness: Completeness,
    /// The first ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// How many warnings there are, where they are more than ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings_total: Option<u32>,
    /// The only part that differs between equal questions on equal texts.
    pub metadata: Metadata,
}

/// One node of an answer with the sites that link it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GraphResult {
    /// The node.
    pub node: Node,
    /// Its code, after a line `// Lines a-b`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Its distance; absent where an operation has no levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How the type satisfies the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<ReceiverKind>,
    /// Of an instance of a generic type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_args: Vec<String>,
    /// The first 20, by file, line and column.
    pub sites: Vec<Site>,
    /// How many sites there are.
    pub site_count: u32,
    /// Of `impact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact_type: Option<ImpactType>,
    /// Of `impact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
}

/// A node of the graph (docs/graph.md §1). Without a place: `file` empty, every number 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// Unique within its language, and stable.
    pub id: String,
    /// `package`, `function`, …
    pub kind: String,
    /// The last part of the id.
    pub name: String,
    /// Relative to the workspace's root with `/`; absolute outside it.
    pub file: String,
    /// 1-based.
    pub start_line: u32,
    /// 1-based, inclusive.
    pub end_line: u32,
    /// 0-based byte offset; with `end_pos` 0 where unknown.
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
    /// Whether the place is that of a text which is not saved.
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
    /// How it was found, where it is not exact: `class_hierarchy`, or why it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it stands in a function literal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_literal: bool,
    /// Where the target means several symbols: the ids of those that the site is of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// What the use does. `references`: `call`, `read`, `write`, `type`, `embed`, `key`, `value`,
    /// `import`. `type_usages`: `parameter`, `return`, `field`, `variable`, `literal`,
    /// `conversion`, `assertion`, `embed`, `type_argument`, `constraint`, `base`, `annotation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// What could still belong to an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Completeness {
    /// Nothing unresolved could belong to the answer under `configuration`.
    pub complete: bool,
    /// The build configuration, printed.
    pub configuration: String,
    /// How many sites could.
    pub unresolved_sites: u32,
    /// How many of them there are of each reason, in order of the reasons' names. A site that is
    /// open for several counts for one.
    #[serde(default)]
    pub by_reason: BTreeMap<String, u32>,
    /// Five of them: one of each reason before a second of any, the workspace's own code before
    /// its tests and those before libraries; listed in that order, then by file, line and column.
    pub first: Vec<OpenSiteAnswer>,
    /// An empty answer that is not complete says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// What filters do not show of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hidden {
    /// Results without a row.
    pub nodes: u32,
    /// Sites, those of such results too.
    pub sites: u32,
    /// The filters that hid them: `scope`, `exclude_patterns`, `include_tests`.
    pub by: Vec<String>,
}

impl Hidden {
    /// `40 hidden by scope and include_tests`; where only sites are, `3 sites hidden by …`.
    pub fn words(&self) -> String {
        let by = match self.by.split_last() {
            None => String::new(),
            Some((last, [])) => format!(" by {last}"),
            Some((last, others)) => format!(" by {} and {last}", others.join(", ")),
        };
        match (self.nodes, self.sites) {
            (0, 1) => format!("1 site hidden{by}"),
            (0, sites) => format!("{sites} sites hidden{by}"),
            (nodes, _) => format!("{nodes} hidden{by}"),
        }
    }
}

/// A site that could belong to an answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct OpenSiteAnswer {
    /// As [`Node::file`].
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// Why it is not resolved.
    pub reason: String,
}

/// Something about the texts that a user should know.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// As [`Node::file`].
    pub file: String,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What it is about.
    pub kind: WarningKind,
    /// In words.
    pub message: String,
}

/// What a warning is about.
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
    /// Only its pointer does.
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

/// What a change asks of a node.
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

/// Of the answering, not of the answer. `ide` fills it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Metadata {
    /// How long it took.
    pub took_ms: f64,
    /// What answered: `live`, `disk`, `sql`.
    pub source: String,
    /// The revision of the database.
    pub revision: u64,
    /// Whether part of the workspace was not read yet.
    pub partial: bool,
    /// Files that were answered from texts which are not saved.
    pub unsaved: Vec<String>,
    /// The size of all context, where it is above 256 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_bytes: Option<u64>,
}
