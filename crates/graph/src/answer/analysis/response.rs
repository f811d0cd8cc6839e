//! Responses of `cortex_analysis` (docs/graph.md §5). Each operation fills one field of
//! [`AnalysisResponse`] beside `operation` and `metadata`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::AnalysisOperation;
use crate::answer::response::is_false;
use crate::answer::{Metadata, UnresolvedSiteAnswer, Warning, add_bounded_warnings};

/// The response to an [`super::AnalysisRequest`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnalysisResponse {
    /// The operation of the request.
    pub operation: AnalysisOperation,
    /// The resolved id of the target, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What a reader should know of the answer: why the target was taken for this symbol, what a bound
    /// cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Of `symbols`, `search` and `unused_symbols`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbols: Option<SymbolList>,
    /// Of `summary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<WorkspaceSummary>,
    /// Of `package_summary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package_summary: Option<PackageSummary>,
    /// Of `detail`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<SymbolDetail>,
    /// Of `type_hierarchy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<TypeHierarchy>,
    /// Of `scope`: the innermost first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<Scope>>,
    /// Of `hotspots`: by the number of callers, the greatest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hotspots: Option<Vec<Hotspot>>,
    /// Of `circular_dependencies`: each elementary cycle once, as the ids of its packages, from the
    /// smallest on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<Vec<Vec<String>>>,
    /// For each of `cycles` the imports that close it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle_imports: Vec<CycleImports>,
    /// The number of cycles found, and whether a bound ended the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_counts: Option<CycleCounts>,
    /// Of `dependency_graph`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependency_graph: Option<DependencyGraph>,
    /// The first ten warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The number of warnings, if there are more than ten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings_total: Option<u32>,
    /// The only part that may differ between equal requests on equal texts.
    pub metadata: Metadata,
}

impl AnalysisResponse {
    /// Returns a response without any field.
    pub fn new(operation: AnalysisOperation) -> AnalysisResponse {
        AnalysisResponse {
            operation,
            target: None,
            note: None,
            symbols: None,
            summary: None,
            package_summary: None,
            detail: None,
            hierarchy: None,
            scopes: None,
            hotspots: None,
            cycles: None,
            cycle_imports: Vec::new(),
            cycle_counts: None,
            dependency_graph: None,
            warnings: Vec::new(),
            warnings_total: None,
            metadata: Metadata::default(),
        }
    }

    /// Returns whether the answer lists nothing, as [`crate::answer::GraphResponse::results`] may.
    pub fn is_empty(&self) -> bool {
        let no_symbols = self
            .symbols
            .as_ref()
            .is_none_or(|list| list.items.is_empty());
        let no_cycles = self.cycles.as_ref().is_none_or(Vec::is_empty);
        let no_hotspots = self.hotspots.as_ref().is_none_or(Vec::is_empty);
        let no_packages =
            (self.dependency_graph.as_ref()).is_none_or(|graph| graph.packages.is_empty());
        let others = self.summary.is_none()
            && self.package_summary.is_none()
            && self.detail.is_none()
            && self.hierarchy.is_none()
            && self.scopes.as_ref().is_none_or(Vec::is_empty);
        no_symbols && no_cycles && no_hotspots && no_packages && others
    }

    /// Adds warnings behind those that the answer has. Beyond a bound they are only counted, in
    /// `warnings_total`.
    pub fn add_warnings(&mut self, more: impl ExactSizeIterator<Item = Warning>) {
        add_bounded_warnings(&mut self.warnings, &mut self.warnings_total, more);
    }

    /// Makes no symbol certainly unused: a file that was not read could use any of them.
    pub fn doubt_symbols(&mut self) {
        let items = self.symbols.iter_mut().flat_map(|list| &mut list.items);
        for open in items.filter_map(|item| item.completeness.as_mut()) {
            open.complete = false;
        }
    }

    /// Returns every symbol of the answer, in no order.
    pub fn each_symbol(&self) -> impl Iterator<Item = &SymbolInfo> {
        let listed = self
            .symbols
            .iter()
            .flat_map(|list| list.items.iter().map(|item| &item.symbol));
        let top = self.summary.iter().flat_map(|summary| &summary.top_symbols);
        let exported = (self.package_summary.iter()).flat_map(|package| &package.exported_symbols);
        let detail = self.detail.iter().map(|detail| &detail.symbol);
        let hierarchy = self.hierarchy.iter().flat_map(TypeHierarchy::each_symbol);
        let hotspots = self
            .hotspots
            .iter()
            .flatten()
            .map(|hotspot| &hotspot.symbol);
        listed
            .chain(top)
            .chain(exported)
            .chain(detail)
            .chain(hierarchy)
            .chain(hotspots)
    }
}

/// A list of symbols that `max_results` may cut.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SymbolList {
    /// The symbols.
    pub items: Vec<ListedSymbol>,
    /// The number of symbols before the cut.
    pub total_found: u32,
    /// The length of `items`.
    pub total_returned: u32,
}

/// A symbol of a list; of `unused_symbols` with why it is believed unused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ListedSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub symbol: SymbolInfo,
    /// Why it is believed unused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<UnusedReason>,
    /// Whether tests use it and nothing else does.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_tests: bool,
    /// What could still use it; only of `unused_symbols`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completeness: Option<SymbolCompleteness>,
}

/// Why a symbol is believed unused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnusedReason {
    /// Nothing refers to it.
    Unreferenced,
    /// Only symbols that are unused themselves refer to it.
    OnlyFromUnused,
    /// Tests reach it, and nothing else does.
    OnlyTests,
}

/// What could still use a symbol that is believed unused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SymbolCompleteness {
    /// Whether nothing unresolved could use it, and all files of the workspace were read.
    pub complete: bool,
    /// The number of sites that could use it.
    pub unresolved_sites: u32,
    /// The first three of them, by file, line and column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<UnresolvedSiteAnswer>,
}

/// A symbol of an analysis. Without a declaration in a file `file` is empty and every line 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SymbolInfo {
    /// As [`crate::answer::Node::id`].
    pub id: String,
    /// The last part of the id.
    pub name: String,
    /// `package`, `function`, …
    pub kind: String,
    /// `public` or `private`, by the name alone.
    pub visibility: String,
    /// Relative to the workspace's root with `/`; absolute outside of it.
    pub file: String,
    /// 1-based.
    pub start_line: u32,
    /// 1-based, inclusive.
    pub end_line: u32,
    /// The number of sites that `references` of it has.
    pub ref_count: u32,
    /// Those in other packages than its own.
    pub external_ref_count: u32,
    /// The header of its declaration in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

/// What a workspace holds: its own files, without libraries.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WorkspaceSummary {
    /// The languages by name.
    pub languages: Vec<LanguageSummary>,
    /// The number of packages and modules.
    pub package_count: u32,
    /// The symbols with the most uses, the greatest number first.
    pub top_symbols: Vec<SymbolInfo>,
}

/// The files and declarations of one language.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LanguageSummary {
    /// `go` or `python`.
    pub language: String,
    /// The number of files that the build configuration includes.
    pub file_count: u32,
    /// Their lines.
    pub line_count: u32,
    /// The number of declarations, packages too.
    pub symbol_count: u32,
    /// The same by kind.
    pub kind_counts: BTreeMap<String, u32>,
}

/// What a package holds and is tied to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PackageSummary {
    /// The name by which other packages refer to it: that of Go's package clause, the last part of a
    /// Python module's.
    pub package_name: String,
    /// The id.
    pub package_path: String,
    /// The number of its files, tests too.
    pub file_count: u32,
    /// Its public symbols, by the number of uses in other packages, the greatest first.
    pub exported_symbols: Vec<SymbolInfo>,
    /// The number of public symbols before `max_results` cuts.
    pub exported_total: u32,
    /// The number of its declarations by kind.
    pub kind_counts: BTreeMap<String, u32>,
    /// The ids of the packages that it imports.
    pub dependencies: Vec<String>,
    /// The ids of the packages that import it.
    pub dependents: Vec<String>,
}

/// A symbol with the parts of its declaration.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SymbolDetail {
    /// The symbol.
    pub symbol: SymbolInfo,
    /// The receiver, the parameters and the results of a function, in text order.
    pub parameters: Vec<Parameter>,
    /// The members of a type, declared and promoted or inherited ones apart by `kind`, in text order.
    pub members: Vec<Member>,
    /// The type parameters.
    pub type_params: Vec<TypeParameter>,
    /// Python's decorators, Go's directives and struct tags.
    pub annotations: Vec<Annotation>,
    /// The comment or docstring; empty without one.
    pub doc: String,
}

/// A parameter or result.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Parameter {
    /// The name; empty without one.
    pub name: String,
    /// The type as it is written; empty without one.
    pub type_expr: String,
    /// Whether it is the receiver; of a Python method its first parameter.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_receiver: bool,
    /// Whether it is a result.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_return: bool,
    /// The default value as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// A member of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Member {
    /// The name.
    pub name: String,
    /// `field`, `method`, …
    pub kind: String,
    /// The type of a field, the header of a method behind its name, as they are written; empty without
    /// one.
    pub type_expr: String,
    /// `public` or `private`.
    pub visibility: String,
}

/// A type parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeParameter {
    /// The name.
    pub name: String,
    /// The constraint or bound as it is written; empty without one.
    pub constraints: String,
}

/// A decorator, directive or tag.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Annotation {
    /// The name.
    pub name: String,
    /// The arguments as they are written; empty without any.
    pub arguments: String,
}

/// What a type is related to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeHierarchy {
    /// The type.
    pub symbol: SymbolInfo,
    /// The interfaces that it satisfies and the classes that it extends.
    pub implements: Vec<TypeRelation>,
    /// The types that satisfy or extend it.
    pub implemented_by: Vec<TypeRelation>,
    /// The types of its fields, and those that it embeds.
    pub composes: Vec<TypeRelation>,
    /// The types that have it as a field's type, or embed it.
    pub composed_by: Vec<TypeRelation>,
    /// The lengths of the four lists before `max_results` cuts each.
    pub totals: HierarchyTotals,
}

impl TypeHierarchy {
    fn each_symbol(&self) -> impl Iterator<Item = &SymbolInfo> {
        let up = self.implements.iter().chain(&self.implemented_by);
        let parts = self.composes.iter().chain(&self.composed_by);
        let related = up.chain(parts).map(|relation| &relation.symbol);
        related.chain([&self.symbol])
    }
}

/// The lengths of the lists of a [`TypeHierarchy`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct HierarchyTotals {
    pub implements: u32,
    pub implemented_by: u32,
    pub composes: u32,
    pub composed_by: u32,
}

/// A related type.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeRelation {
    /// The other type.
    pub symbol: SymbolInfo,
    /// How they are related.
    pub kind: RelationKind,
}

/// The kinds of relations of types.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum RelationKind {
    /// A class and its base.
    Inheritance,
    /// A class and the interface that it names: an abstract class or a protocol.
    InterfaceImpl,
    /// A type and that of one of its fields.
    Composition,
    /// A type and one that it embeds.
    Embedding,
    /// A type and an interface that it satisfies by its methods.
    #[default]
    Implicit,
}

/// A scope around a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scope {
    /// The kind.
    pub kind: ScopeKind,
    /// The file, as [`SymbolInfo::file`].
    pub file: String,
    /// 1-based.
    pub start_line: u32,
    /// 1-based, inclusive.
    pub end_line: u32,
    /// The id of the symbol whose scope it is, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
}

/// The kinds of scopes.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum ScopeKind {
    #[default]
    File,
    Class,
    Function,
    Block,
    Comprehension,
}

/// A symbol that much code depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hotspot {
    /// The symbol.
    pub symbol: SymbolInfo,
    /// The number of functions and packages with a resolved call of it.
    pub caller_count: u32,
    /// The number of functions that it calls by resolved calls.
    pub callee_count: u32,
}

/// The imports that close a cycle of packages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CycleImports {
    /// The first import statement of each step, in the order of the cycle.
    pub imports: Vec<CycleImport>,
    /// Whether a step has no import but under `TYPE_CHECKING`: the cycle is none when the code runs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_types: bool,
    /// Whether a step has no import that runs when its module is loaded: one inside a function breaks
    /// the cycle at import time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deferred: bool,
}

/// A step of a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CycleImport {
    /// The importing package's id.
    pub from: String,
    /// The imported package's id.
    pub to: String,
    /// The file of the first import statement, as [`SymbolInfo::file`].
    pub file: String,
    /// Its line; 1-based.
    pub line: u32,
    /// The number of import statements.
    pub import_count: u32,
}

/// How many cycles there are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CycleCounts {
    /// The number of cycles found.
    pub total_found: u32,
    /// The length of `cycles`.
    pub total_returned: u32,
    /// The number of sets of packages that reach each other.
    pub components: u32,
    /// The bound that ended the search, in words; then there are more cycles than `total_found`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
}

/// The packages of a workspace and their imports.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DependencyGraph {
    /// The packages, by id.
    pub packages: Vec<DependencyNode>,
    /// The pairs of packages of which one imports the other, by ids.
    pub edges: Vec<DependencyEdge>,
}

/// A package of a [`DependencyGraph`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DependencyNode {
    /// The id.
    pub name: String,
    /// The number of its files, tests too.
    pub file_count: u32,
    /// Their lines.
    pub line_count: u32,
    /// The number of packages of the graph that import it.
    pub fan_in: u32,
    /// The number of packages of the graph that it imports.
    pub fan_out: u32,
}

/// An edge of a [`DependencyGraph`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DependencyEdge {
    /// The importing package's id.
    pub from: String,
    /// The imported package's id.
    pub to: String,
    /// The number of import statements.
    pub import_count: u32,
}
