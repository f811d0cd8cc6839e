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
    rules.targets.take(&Live { query, symbol })
}

/// What decides whether an operation takes a symbol.
pub trait TargetNode {
    /// Returns its kind.
    fn kind(&self) -> NodeKind;
    /// Returns whether it is called to create objects, an abstract class too.
    fn is_class(&self) -> bool;
    /// Returns whether it is a method that an interface declares.
    fn is_interface_method(&self) -> bool;
    /// Returns whether it is a member of a package that is not loaded: its kind is unknown.
    fn is_absent(&self) -> bool;
    /// Returns the kind of the declaration around it.
    fn parent_kind(&self) -> Option<NodeKind>;
}

struct Live<'a, 'q> {
    query: &'a QueryContext<'q>,
    symbol: SymbolId,
}

impl TargetNode for Live<'_, '_> {
    fn kind(&self) -> NodeKind {
        self.query.kind(self.symbol)
    }

    fn is_class(&self) -> bool {
        symbols::is_class(self.query, self.symbol)
    }

    fn is_interface_method(&self) -> bool {
        symbols::is_interface_method(self.query, self.symbol)
    }

    fn is_absent(&self) -> bool {
        let declared_in = self.query.key(self.symbol).declared_in;
        matches!(declared_in, DeclaredIn::Absent(_))
    }

    fn parent_kind(&self) -> Option<NodeKind> {
        let parent = self.query.key(self.symbol).parent;
        parent.map(|parent| self.query.kind(parent))
    }
}

impl TargetKinds {
    /// Returns whether a symbol is one of these kinds.
    pub fn take(self, node: &dyn TargetNode) -> bool {
        let kind = node.kind();
        match self {
            TargetKinds::Callable => {
                matches!(
                    kind,
                    NodeKind::Function | NodeKind::Method | NodeKind::Package
                ) || node.is_class()
                    || node.is_absent()
            }
            TargetKinds::Package => kind == NodeKind::Package,
            TargetKinds::Implementable => match kind {
                NodeKind::Interface | NodeKind::Class => true,
                NodeKind::Method if node.is_interface_method() => true,
                NodeKind::Method => matches!(
                    node.parent_kind(),
                    Some(NodeKind::Interface | NodeKind::Class)
                ),
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
}

fn refusal(query: &QueryContext<'_>, rules: &TargetRules, symbol: SymbolId) -> ApiError {
    refused_kind(rules, &symbols::id(query, symbol), query.kind(symbol))
}

/// Returns the error for a symbol of a kind that the operation does not take, with one that does.
pub fn refused_kind(rules: &TargetRules, id: &str, kind: NodeKind) -> ApiError {
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
        id,
        &format!("{id} is a {}", kind.wire_name()),
        &format!("{} takes {takes}; ask {instead}", rules.name),
    )
}

/// Returns the error for a target that the operation does not take.
pub fn refused(rules: &TargetRules, text: &str, why: &str, instead: &str) -> ApiError {
    ApiError::new(
        crate::answer::ErrorType::InvalidRequest,
        format!("{} of {text}: {why}: {instead}", rules.name),
        instead,
    )
}
