//! Which kinds of targets an operation takes.

use codeweft_db::{DeclaredIn, NodeKind, SymbolId};

use super::resolved::Target;
use crate::answer::{ApiError, LocalTargets, TargetKinds, TargetRules};
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the target if the operation takes it, and an error that names a suitable operation
/// otherwise.
pub(super) fn accepted(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    text: &str,
    mut target: Target,
) -> Result<Target, ApiError> {
    if let Some(local) = &target.local {
        return match rules.locals {
            LocalTargets::All => Ok(target),
            _ if local.excluded => Err(refused(
                rules,
                &target.printed,
                "the configuration leaves its file out, so it has no edges",
                "definition takes it",
            )),
            LocalTargets::OfBuild => Ok(target),
            LocalTargets::None => Err(refused(
                rules,
                text,
                &format!("{} is a local", local.name),
                "definition and references take locals",
            )),
        };
    }
    // Redefinitions may differ in kind: those that the operation takes are kept.
    let takes = |symbol: &SymbolId| takes(query, rules, *symbol);
    match target.symbols.iter().find(|symbol| !takes(symbol)) {
        Some(&refused) if !target.symbols.iter().any(takes) => Err(refusal(query, rules, refused)),
        Some(_) => {
            target.symbols.retain(takes);
            Ok(target)
        }
        None => Ok(target),
    }
}

/// Returns whether the operation takes a symbol of this kind.
pub(crate) fn takes(query: &QueryContext<'_>, rules: &TargetRules, symbol: SymbolId) -> bool {
    let kind = query.kind(symbol);
    match rules.targets {
        TargetKinds::Callable => {
            matches!(
                kind,
                NodeKind::Function | NodeKind::Method | NodeKind::Package
            ) || symbols::is_class(query, symbol)
                // A member of a package that is not loaded: its kind is unknown.
                || matches!(query.key(symbol).declared_in, DeclaredIn::Absent(_))
        }
        TargetKinds::Package => kind == NodeKind::Package,
        TargetKinds::Implementable => match kind {
            NodeKind::Interface | NodeKind::Class => true,
            NodeKind::Method if symbols::is_interface_method(query, symbol) => true,
            NodeKind::Method => query.key(symbol).parent.is_some_and(|parent| {
                matches!(query.kind(parent), NodeKind::Interface | NodeKind::Class)
            }),
            _ => false,
        },
        TargetKinds::Implementing => matches!(
            kind,
            NodeKind::Interface
                | NodeKind::Struct
                | NodeKind::Class
                | NodeKind::Type
                | NodeKind::Method
        ),
        TargetKinds::Type => kind.is_type(),
        TargetKinds::Container => kind == NodeKind::Package || kind.is_type(),
        TargetKinds::Any | TargetKinds::Text => true,
    }
}

fn refusal(query: &QueryContext<'_>, rules: &TargetRules, symbol: SymbolId) -> ApiError {
    let kind = query.kind(symbol);
    let id = symbols::id(query, symbol);
    let is_type = kind.is_type();
    let (takes, instead) = match rules.targets {
        TargetKinds::Callable => (
            "functions, methods and packages",
            if is_type { "type_usages" } else { "references" },
        ),
        TargetKinds::Package => ("packages, directories and files", "references"),
        TargetKinds::Implementable => (
            "interfaces and their methods",
            if is_type || kind == NodeKind::Method {
                "implements"
            } else {
                "references"
            },
        ),
        TargetKinds::Implementing => ("types and methods", "references"),
        TargetKinds::Container => ("files, packages and types", "definition"),
        TargetKinds::Type | TargetKinds::Any | TargetKinds::Text => (
            "types",
            match kind {
                NodeKind::Function | NodeKind::Method => "callers",
                NodeKind::Package => "dependents",
                _ => "references",
            },
        ),
    };
    refused(
        rules,
        &id,
        &format!("{id} is a {}", kind.wire_name()),
        &format!("{} takes {takes}; ask {instead}", rules.name),
    )
}

fn refused(rules: &TargetRules, text: &str, why: &str, instead: &str) -> ApiError {
    ApiError::new(
        crate::answer::ErrorType::InvalidRequest,
        format!("{} of {text}: {why}: {instead}", rules.name),
        instead,
    )
}
