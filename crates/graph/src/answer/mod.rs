//! Requests and responses as plain data: serde, and no protocol types. `ide::api` re-exports them;
//! both frontends and the command line print them. Fields are in the order of docs/graph.md §3,
//! which is part of the wire format.

mod analysis;
mod change;
mod error;
mod fields;
mod kinds;
mod operation;
mod request;
mod response;
mod words;

pub(crate) use analysis::analysis_table;
pub use analysis::{
    ANALYSIS_FIELDS, AnalysisOperation, AnalysisRequest, AnalysisResponse, Annotation,
    CheckedAnalysis, CycleCounts, CycleImport, CycleImports, DependencyEdge, DependencyGraph,
    DependencyNode, HierarchyTotals, Hotspot, LanguageSummary, ListedSymbol, Member,
    PackageSummary, Parameter, RelationKind, Scope, ScopeKind, SymbolCompleteness, SymbolDetail,
    SymbolInfo, SymbolList, TypeHierarchy, TypeParameter, TypeRelation, UnusedReason, Visibility,
    WorkspaceSummary,
};
pub use change::{AffectedTest, ChangedFile, ChangedSymbol, FileChange, SymbolChange, TextChange};
pub use error::*;
pub use fields::*;
pub use kinds::KIND_NAMES;
pub(crate) use operation::operation_table;
pub use operation::{
    AnswerNouns, FileScope, LocalTargets, Operation, RowOrder, TargetKinds, TargetRules,
};
pub use request::*;
use response::add_bounded_warnings;
pub use response::*;
pub use words::{found, open_sites, verdict};
