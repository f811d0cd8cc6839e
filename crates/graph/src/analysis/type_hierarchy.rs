//! The operation `type_hierarchy`: what a type implements, extends, embeds and has as fields, and the
//! inverse, one step each way.

use codeweft_db::{DeclaredIn, NodeKind, Relation, Role, SymbolId, Use};
use rustc_hash::FxHashSet;

use super::symbol_info::{symbol_info, symbol_infos};
use crate::answer::{
    AnalysisOperation, AnalysisResponse, ApiError, CheckedAnalysis, HierarchyTotals, RelationKind,
    TypeHierarchy, TypeRelation,
};
use crate::call_graph;
use crate::operations;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::symbols;
use crate::targets::resolved::Target;
use crate::visibility;

/// Relates the target to other types.
///
/// # Errors
///
/// There is no target.
pub(super) fn type_hierarchy(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
    target: Option<&Target>,
) -> Result<AnalysisResponse, ApiError> {
    let found = target.and_then(|target| Some((target, *target.symbols.first()?)));
    let (target, ty) =
        found.ok_or_else(|| ApiError::invalid_request("target: is required by type_hierarchy"))?;
    let named = named_supertypes(query, ty);
    let naming = types_that_name(query, ty);
    let up = related(
        query,
        one_step(query, ty, operations::implemented),
        |other| nominal(query, &named, other, other),
    );
    let down = related(
        query,
        one_step(query, ty, operations::implementers),
        |other| nominal(query, &naming, other, ty),
    );
    let parts = composed(query, ty, &named, field_types(query, ty));
    let wholes = composed(query, ty, &naming, types_with_field(query, ty));
    let listed = |relations: &[(SymbolId, RelationKind)]| {
        let most = relations.len().min(request.max_results as usize);
        let relations = &relations[..most];
        let symbols: Vec<SymbolId> = relations.iter().map(|&(symbol, _)| symbol).collect();
        let infos = symbol_infos(query, &symbols).into_iter();
        infos
            .zip(relations)
            .map(|(symbol, &(_, kind))| TypeRelation { symbol, kind })
            .collect()
    };
    Ok(AnalysisResponse {
        target: Some(target.printed.clone()),
        note: target.note.clone(),
        hierarchy: Some(TypeHierarchy {
            symbol: symbol_info(query, ty),
            implements: listed(&up),
            implemented_by: listed(&down),
            composes: listed(&parts),
            composed_by: listed(&wholes),
            totals: HierarchyTotals {
                implements: up.len() as u32,
                implemented_by: down.len() as u32,
                composes: parts.len() as u32,
                composed_by: wholes.len() as u32,
            },
        }),
        ..AnalysisResponse::new(AnalysisOperation::TypeHierarchy)
    })
}

/// The types that are embedded or extended, each with how.
type NamedTypes = Vec<(SymbolId, Relation)>;

/// Returns the types that a declaration embeds or extends.
fn named_supertypes(query: &QueryContext<'_>, ty: SymbolId) -> NamedTypes {
    let (DeclaredIn::Unit(unit), Some(language)) = (query.key(ty).declared_in, query.language(ty))
    else {
        return Vec::new();
    };
    let units = query.units.named(unit.lang(query.db), unit.name(query.db));
    let mut found = Vec::new();
    for &unit in units {
        let hierarchy = language.hierarchy(query.db, unit);
        let own = hierarchy.supertypes.iter().filter(|row| row.from == ty);
        found.extend(own.map(|row| (row.to, row.relation)));
    }
    found
}

/// Returns the types whose declarations embed or extend a type.
fn types_that_name(query: &QueryContext<'_>, ty: SymbolId) -> NamedTypes {
    let units = visibility::visible_units(query, ty);
    let found = query.map(&units, |languages, db, &unit| {
        let hierarchy = languages.of(unit.lang(db))?.hierarchy(db, unit);
        let rows = hierarchy.supertypes.iter().filter(|row| row.to == ty);
        Some(
            rows.map(|row| (row.from, row.relation))
                .collect::<NamedTypes>(),
        )
    });
    found.into_iter().flatten().flatten().collect()
}

/// Returns what a relation finds at distance 1, and what it finds without distances.
fn one_step(
    query: &QueryContext<'_>,
    ty: SymbolId,
    relation: impl Fn(&QueryContext<'_>, SymbolId) -> Vec<ResultRow>,
) -> Vec<SymbolId> {
    let rows = relation(query, ty).into_iter();
    rows.filter(|row| row.depth.is_none_or(|depth| depth == 1))
        .map(|row| row.symbol)
        .collect()
}

/// Returns the kind of the relation of two types of which one may name the other: `base` is the one that
/// is implemented.
fn nominal(
    query: &QueryContext<'_>,
    named: &NamedTypes,
    other: SymbolId,
    base: SymbolId,
) -> RelationKind {
    let extends =
        |&(named, relation): &(SymbolId, Relation)| named == other && relation == Relation::Extends;
    if !named.iter().any(extends) {
        return RelationKind::Implicit;
    }
    match query.kind(base) {
        NodeKind::Interface => RelationKind::InterfaceImpl,
        _ => RelationKind::Inheritance,
    }
}

/// Returns related types by id, each once.
fn related(
    query: &QueryContext<'_>,
    others: Vec<SymbolId>,
    kind: impl Fn(SymbolId) -> RelationKind,
) -> Vec<(SymbolId, RelationKind)> {
    let mut seen = FxHashSet::default();
    let others = symbols::in_order(query, others).into_iter();
    let others = others.filter(|&other| seen.insert(other));
    others.map(|other| (other, kind(other))).collect()
}

/// Returns the types that a type embeds or is embedded in, and those of fields, by id; a type with both
/// relations is listed as embedded.
fn composed(
    query: &QueryContext<'_>,
    ty: SymbolId,
    named: &NamedTypes,
    of_fields: Vec<SymbolId>,
) -> Vec<(SymbolId, RelationKind)> {
    let is_embedded = |&&(_, relation): &&(SymbolId, Relation)| relation == Relation::Embeds;
    let embedded = named.iter().filter(is_embedded);
    let embedded: FxHashSet<SymbolId> = embedded.map(|&(other, _)| other).collect();
    let others = embedded.iter().copied().chain(of_fields);
    let others = others.filter(|&other| other != ty);
    related(query, others.collect(), |other| {
        if embedded.contains(&other) {
            RelationKind::Embedding
        } else {
            RelationKind::Composition
        }
    })
}

/// Returns whether a use writes the type of a field.
fn is_of_field(one: &Use) -> bool {
    matches!(one.role, Role::FieldType | Role::Annotation)
}

/// Returns the type that a declaration of a field belongs to, if the declaration is one.
fn type_around(query: &QueryContext<'_>, enclosing: SymbolId) -> Option<SymbolId> {
    if query.kind(enclosing).is_type() {
        return Some(enclosing);
    }
    let is_field = query.kind(enclosing) == NodeKind::Field;
    let parent = query.key(enclosing).parent.filter(|_| is_field);
    parent.filter(|&parent| query.kind(parent).is_type())
}

/// Returns the types of a type's own fields, possibly more than once.
fn field_types(query: &QueryContext<'_>, ty: SymbolId) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for file in symbols::files_of_body(query, ty) {
        call_graph::enclosing(query, file, |uses, enclosing| {
            for (target, sites) in uses.iter() {
                let mut sites = sites.iter().filter(|one| is_of_field(one));
                let mut is_own = |one: &Use| type_around(query, enclosing(one.body)) == Some(ty);
                if query.kind(target).is_type() && sites.any(&mut is_own) {
                    found.push(target);
                }
            }
        });
    }
    found
}

/// Returns the types that have a field of a type, possibly more than once.
fn types_with_field(query: &QueryContext<'_>, ty: SymbolId) -> Vec<SymbolId> {
    let uses = call_graph::uses_of(query, ty, is_of_field).into_iter();
    uses.filter_map(|(enclosing, _, _)| type_around(query, enclosing))
        .collect()
}
