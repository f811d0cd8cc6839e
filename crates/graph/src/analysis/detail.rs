//! The operation `detail`: a symbol with the parts of its declaration, as they are written.

use codeweft_db::{
    DeclarationRange, Language, NodeKind, SymbolId, detail::ParameterRole, visible_text,
};

use super::symbol_info::symbol_info;
use crate::answer::{
    AnalysisOperation, AnalysisResponse, Annotation, ApiError, Member, Parameter, SymbolDetail,
    TypeParameter,
};
use crate::query_context::QueryContext;
use crate::rendering::skipped;
use crate::symbols;
use crate::targets::resolved::Target;

/// Returns the parts of the target's declaration; of several definitions of a name those of the first.
///
/// # Errors
///
/// There is no target.
pub(super) fn detail(
    query: &QueryContext<'_>,
    target: Option<&Target>,
) -> Result<AnalysisResponse, ApiError> {
    let found = target.and_then(|target| Some((target, *target.symbols.first()?)));
    let (target, symbol) =
        found.ok_or_else(|| ApiError::invalid_request("target: is required by detail"))?;
    let kind = query.kind(symbol);
    let mut detail = SymbolDetail {
        symbol: symbol_info(query, symbol),
        ..SymbolDetail::default()
    };
    if let Some((language, range)) = declaration(query, symbol) {
        let text = visible_text(query.db, range.file);
        let written = language.detail(text, &range, kind);
        detail.doc = language.doc(text, &range, kind);
        detail.parameters = written
            .parameters
            .into_iter()
            .map(|one| Parameter {
                name: one.name,
                type_expr: one.type_expr,
                is_receiver: one.role == ParameterRole::Receiver,
                is_return: one.role == ParameterRole::Result,
                default: one.default,
            })
            .collect();
        let type_params = written.type_params.into_iter();
        detail.type_params = type_params
            .map(|(name, constraints)| TypeParameter { name, constraints })
            .collect();
        let annotations = written.annotations.into_iter();
        detail.annotations = annotations
            .map(|(name, arguments)| Annotation { name, arguments })
            .collect();
    }
    if kind.is_type() {
        detail.members = members(query, symbol);
    }
    let declared = declaration(query, symbol).map(|(_, range)| range.file);
    let of_members = symbols::members_of(query, symbol)
        .into_iter()
        .filter(|_| kind.is_type());
    let of_members = of_members.filter_map(|member| Some(declaration(query, member)?.1.file));
    let skipped = skipped::warnings(query, declared.into_iter().chain(of_members));
    let several = match target.symbols.len() {
        0 | 1 => None,
        many => Some(format!("the first of {many} definitions")),
    };
    let notes: Vec<String> = target.note.clone().into_iter().chain(several).collect();
    let mut response = AnalysisResponse {
        target: Some(target.printed.clone()),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
        detail: Some(detail),
        ..AnalysisResponse::new(AnalysisOperation::Detail)
    };
    response.add_warnings(skipped.into_iter());
    Ok(response)
}

fn declaration<'q>(
    query: &QueryContext<'q>,
    symbol: SymbolId,
) -> Option<(&'q dyn Language, DeclarationRange)> {
    let language = query.language(symbol)?;
    let range = language.declaration_range(query.db, symbol)?;
    Some((language, range))
}

/// Returns the members that a type declares itself, fields before methods, each in text order.
fn members(query: &QueryContext<'_>, ty: SymbolId) -> Vec<Member> {
    let mut declared: Vec<(bool, &str, u32, Member)> = Vec::new();
    for member in symbols::members_of(query, ty) {
        let Some((language, range)) = declaration(query, member) else {
            continue;
        };
        let kind = query.kind(member);
        let written = language.detail(visible_text(query.db, range.file), &range, kind);
        let public = query.row(member).is_some_and(|(_, row)| row.public);
        let name = query.db.shared().names.text(query.key(member).name);
        declared.push((
            kind == NodeKind::Method,
            range.file.path(query.db),
            range.span.start,
            Member {
                name: name.to_owned(),
                kind: kind.wire_name().to_owned(),
                type_expr: written.type_expr,
                visibility: if public { "public" } else { "private" }.to_owned(),
            },
        ));
    }
    declared.sort_by_key(|&(is_method, path, start, _)| (is_method, path, start));
    declared.into_iter().map(|(.., member)| member).collect()
}
