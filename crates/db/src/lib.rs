//! The incremental database: salsa inputs, the [`Db`] and [`Language`] traits, lowering with its
//! firewall queries, durabilities, and the append-only interners of names and symbols.
//!
//! The inputs are [`File`], [`Unit`], [`UnitGraph`] and [`LanguageConfig`]; everything else is a tracked
//! query or a pure function of query results:
//!
//! ```text
//! File (text, header, items)      Unit, UnitGraph      LanguageConfig  inputs
//!   └─ lower ─ file_bodies, file_identifiers, file_ranges, file_report  firewalls (this crate)
//!        └─ Language: symbols, imports, hierarchy, uses, index, flows   queries of a language crate
//!             └─ codeweft-graph                                         plain functions, no salsa
//! ```
//!
//! Start reading at [`File`] (what changes), [`saved`] and [`edited`] (how a keystroke is kept away
//! from everything else) and [`Language`] (what a language crate provides).

mod answers;
mod body_parts;
mod cancel;
mod distinct;
mod durability;
mod flows;
#[allow(missing_docs, reason = "salsa adds accessors to the inputs")]
mod inputs;
mod language;
mod layout;
mod lowering;
mod outside;
mod packaging;
mod reachability;
mod reason;
mod root;
#[allow(missing_docs, reason = "salsa adds accessors to the inputs")]
mod secrets;
mod symbols;
mod text_queries;
mod uses;
mod wires;

pub use answers::{
    DeclarationRange, ExcludedDeclaration, GenericInterfaceRow, Hierarchy, ImportRow, ImportTime,
    LocalUse, MethodRow, NONE, NameTarget, NodeKind, Receiver, Relation, SupertypeRow, SymbolRow,
    TypeRow, UnitSymbols, VisibilityScope,
};
pub use body_parts::{
    BodyParts, EditedPart, PartUses, RowKey, edited_file_uses, join_parts, saved_file_uses,
};
pub use cancel::{
    CancellationHook, RequestCancellation, RequestCancelled, UnwindReason, panic_message,
};
pub use distinct::distinct;
pub use durability::{EDITED_DURABILITY, Origin, base_durability};
pub use flows::{
    FileFlows, FlowEdge, FlowInstance, FlowInstantiated, FlowNode, FlowRole, FlowSite, FlowSource,
    FlowTarget, FlowValue, Flows,
};
pub use inputs::{File, ImportTables, LanguageConfig, Unit, UnitGraph, UnitKind};
pub use language::{
    Carrier, Completeness, Dispatch, EditorText, Holders, Language, NamedSymbol, OpenSitesOf,
    ProjectLayout, Semantics, ValueFlow, first_word,
};
pub use layout::{FileSystem, Layout, LayoutFile, LayoutInput, PlannedUnit, UnknownValue};
pub use lowering::{
    LARGE_TEXT, edited, file_bodies, file_identifiers, file_ranges, file_report, lower_saved_text,
    read_saved_parts, saved, unit_broken,
};
pub use outside::OutsideCaller;
pub use packaging::{
    AbsentMember, Alias, Distribution, DistributionVersion, PackageSource, Packaging, QualifiedName,
};
pub use reachability::{BoxedType, HiddenUse, Keeper, Reachability, UnitKeepers};
pub use reason::Reason;
pub use root::{Db, DropSink, EventRecording, LanguageTables, RecordedEvents, RootDb, Shared};
pub use secrets::{
    AllowedSecrets, allowed_secrets_fingerprint, file_secrets, has_secret,
    saved::file_secrets as saved_file_secrets, skipped, visible_text,
};
pub use symbols::{DeclaredIn, Disambiguator, SymbolClass, SymbolId, SymbolKey, Symbols};
pub use text_queries::TextKey;
pub use uses::{
    Conversion, FileGroupIndex, FileUses, LocalDecl, PossibleCall, Resolution, Role, UnitIndex,
    UnresolvedSite, Use, UsesByTarget,
};

pub use wires::{
    FileWires, FormatStyle, RECEIVER, ValueId, WireArgument, WireBranch, WireBuilder, WireCall,
    WireFunction, WireParameter, WireValue, Wires,
};

pub use codeweft_cache as cache;
pub use codeweft_secrets as secret_rules;
pub use codeweft_syntax::{
    Bodies, CachedTree, Configuration, FileIr, Header, Identifiers, Items, Lang, LanguageSpec,
    NameId, Names, Ranges, Report, SettingsKey, SettingsType, Span,
};
pub use codeweft_syntax::{
    detail, excerpt, lower as lower_text, lower_edited as lower_text_edited, lower_header,
    lower_items, lower_next as lower_text_next, scopes, text_parts,
};
pub use salsa::Setter;
