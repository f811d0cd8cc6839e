//! The operations `references` and `type_usages`.

use codeweft_db::{File, NodeKind, Resolution, Role, SymbolId, Use};
use rustc_hash::FxHashSet;

use super::calls::retain_sites;
use super::imports;
use super::result;
use super::result::OperationResult;
use crate::answer::GraphRequest;
use crate::call_graph;
use crate::completeness;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::link::{Link, Links, SiteKey};
use crate::query_context::QueryContext;
use crate::targets::resolved::{LocalTarget, Target};
use crate::targets_of_sites::TargetsOfSites;

/// Finds every use of the target, by enclosing declaration; for a package its imports.
pub(super) fn references(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    if let Some(local) = &target.local {
        return references_of_local(query, target, local);
    }
    let mut links = Links::default();
    let mut targets_of_sites = TargetsOfSites::among(&target.symbols);
    for &symbol in &target.symbols {
        let mut own = Links::default();
        if request.include_unresolved {
            for (caller, file, site) in completeness::unresolved_calls_by_name(query, symbol, false)
            {
                let (kind, link) = (Some("call"), Link::of_unresolved(file, &site));
                own.add(caller, Link { kind, ..link });
            }
        }
        add_imports(query, &mut own, symbol);
        let mut own = own.finish();
        if let Some(file) = target.file {
            retain_sites(&mut own, |link| link.file != file);
        }
        targets_of_sites.record(symbol, &own);
        for (enclosing, own) in own {
            own.into_iter().for_each(|link| links.add(enclosing, link));
        }
    }
    used(
        query,
        request,
        target,
        |_| true,
        use_kind,
        (links, targets_of_sites),
    )
}

/// Returns every resolved use of a symbol, by enclosing declaration; for a package its imports.
pub(crate) fn references_of(
    query: &QueryContext<'_>,
    symbol: SymbolId,
) -> Vec<(SymbolId, Vec<Link>)> {
    let mut links = Links::default();
    add_imports(query, &mut links, symbol);
    for (enclosing, one, file) in
        without_callee_reads(call_graph::uses_of(query, symbol, is_resolved))
    {
        if !is_listed_import(query, &links, symbol, &one, file) {
            links.add(enclosing, Link::of_use(file, &one));
        }
    }
    links.finish()
}

/// Adds the import statements of a package.
fn add_imports(query: &QueryContext<'_>, links: &mut Links, symbol: SymbolId) {
    if query.kind(symbol) == NodeKind::Package {
        for (importer, link) in imports::importers_of_package(query, symbol) {
            let kind = Some("import");
            links.add(importer, Link { kind, ..link });
        }
    }
}

/// Returns whether a use is the name in an import statement that is among the links.
fn is_listed_import(
    query: &QueryContext<'_>,
    links: &Links,
    symbol: SymbolId,
    one: &Use,
    file: File,
) -> bool {
    let Some(language) = query.language(symbol).filter(|_| one.role == Role::Import) else {
        return false;
    };
    let at = Link::of_use(file, one).offset(query.db, language);
    at.is_some_and(|at| links.has_import_at(query.db, file, at))
}

/// Finds the positions where a type is written, except the receivers of its own methods.
pub(super) fn type_usages(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    let found = used(
        query,
        request,
        target,
        |one| is_type_usage(one.role),
        type_usage_kind,
        (Links::default(), TargetsOfSites::among(&target.symbols)),
    );
    // A call by name is no use of the type.
    OperationResult {
        unresolved: found.unresolved.without_listable(),
        ..found
    }
}

fn used(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
    keep: impl Fn(&Use) -> bool + Sync,
    kind: impl Fn(Role) -> Option<&'static str>,
    (mut links, mut targets_of_sites): (Links, TargetsOfSites),
) -> OperationResult {
    for &symbol in &target.symbols {
        for (enclosing, one, file) in
            without_callee_reads(call_graph::uses_of(query, symbol, &keep))
        {
            let is_included = request.include_unresolved || is_resolved(&one);
            let is_included = is_included && !is_listed_import(query, &links, symbol, &one, file);
            if is_included && target.file.is_none_or(|own| own != file) {
                let kind = kind(one.role);
                let link = Link::of_use(file, &one);
                targets_of_sites.record_link(symbol, enclosing, &link);
                links.add(enclosing, Link { kind, ..link });
            }
        }
    }
    let rows = result::listed(query, links.finish());
    OperationResult {
        targets_of_sites,
        ..OperationResult::list(rows, completeness::possible_users(query, &target.symbols))
    }
}

/// Returns the uses of a local, attributed to the enclosing function.
fn references_of_local(
    query: &QueryContext<'_>,
    target: &Target,
    local: &LocalTarget,
) -> OperationResult {
    let file = local.range.file;
    let mut links = Links::default();
    for &owner in &target.symbols {
        let Some(language) = query.language(owner) else {
            continue;
        };
        for one in language.local_uses(query.db, &local.range) {
            let link = Link::plain(file, SiteKey::Offset(one.offset));
            let in_literal = one.in_literal;
            links.add(owner, Link { in_literal, ..link });
        }
    }
    let rows = result::listed(query, links.finish());
    OperationResult::list(rows, UnresolvedSites::default())
}

/// Removes the read of a name that is called at the same position: it is part of the call.
fn without_callee_reads(mut uses: Vec<(SymbolId, Use, File)>) -> Vec<(SymbolId, Use, File)> {
    let called = uses.iter().filter(|(_, one, _)| one.role.is_call());
    let called: FxHashSet<(File, u32, u32)> = called
        .map(|(_, one, file)| (*file, one.body, one.occ))
        .collect();
    uses.retain(|(_, one, file)| {
        one.role.is_call() || !called.contains(&(*file, one.body, one.occ))
    });
    uses
}

/// Returns whether a use was resolved otherwise than by name and arity alone.
pub(crate) fn is_resolved(one: &Use) -> bool {
    one.resolution != Resolution::Name
}

/// Returns whether a use of this role writes a type, except as the receiver of its own method.
pub(super) fn is_type_usage(role: Role) -> bool {
    type_usage_kind(role).is_some()
}

/// Returns the kind of a use as `references` reports it.
fn use_kind(role: Role) -> Option<&'static str> {
    match role {
        Role::Import => Some("import"),
        other => reference_kind(other).or(Some("call")),
    }
}

/// Returns the kind of a use that is not a call, as `references` edges report it.
pub(crate) fn reference_kind(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Call | Role::Go | Role::Defer | Role::Import => return None,
        Role::Read | Role::Address => "read",
        Role::Write | Role::ReadWrite => "write",
        Role::Value => "value",
        Role::Key => "key",
        Role::Embed => "embed",
        Role::Receiver => "type",
        other => return is_type_usage(other).then_some("type"),
    })
}

/// Returns the kind of a written type as `type_usages` reports it; `None` for other roles.
pub(crate) fn type_usage_kind(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Parameter => "parameter",
        Role::Result => "return",
        Role::FieldType => "field",
        Role::VariableType => "variable",
        Role::Literal => "literal",
        Role::Conversion => "conversion",
        Role::Assertion => "assertion",
        Role::Embed => "embed",
        Role::TypeArgument => "type_argument",
        Role::Constraint => "constraint",
        Role::Base => "base",
        Role::Annotation => "annotation",
        _ => return None,
    })
}
