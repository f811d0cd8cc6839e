//! Class statements by themselves: bases, type parameters and metaclass (Python reference, Class
//! definitions).

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, NameId, SymbolId};
use codeweft_syntax::python::{ItemKind, Node, NodeId};
use rustc_hash::FxHashSet;

use crate::classes::ClassKey;
use crate::declared::{items, located};
use crate::infer::{Frame, path_of};
use crate::values::{Shape, Values, shape};

/// A base of a class, by its place in the class statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Base {
    /// The class; `None` where it is not known or no class.
    pub symbol: Option<SymbolId>,
    /// Its type arguments.
    pub args: Box<[Values]>,
}

/// What a class statement says by itself: no base's own statement is read, so that classes which
/// are each other's ancestors are no cycle here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassStatement {
    /// By the place in the statement.
    pub(crate) bases: Box<[Base]>,
    /// The type parameters.
    pub(crate) type_params: Box<[NameId]>,
    /// The metaclass that it names.
    pub(crate) metaclass: Option<SymbolId>,
    /// Whether one of the bases, or the metaclass, is not known.
    pub(crate) has_unknown_base: bool,
    /// The bases that are not known, by their places in the statement, each with the package that
    /// it comes from where that is absent.
    pub(crate) unknown: Box<[(u32, Option<NameId>)]>,
    /// `Protocol` is a base.
    pub(crate) is_protocol: bool,
    /// `NamedTuple` or `TypedDict` is one.
    pub(crate) generates_init: bool,
}

/// The statement of a class; `None` where no text declares it.
#[salsa::tracked(returns(clone), cycle_fn = statement_again, cycle_initial = statement_first)]
pub fn class_statement<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Option<Arc<ClassStatement>> {
    let said = stacker::maybe_grow(1 << 18, 1 << 20, || statement(db, key.symbol(db)));
    said.map(Arc::new)
}

fn statement_first(_: &dyn Db, _: salsa::Id, _: ClassKey<'_>) -> Option<Arc<ClassStatement>> {
    Some(Arc::default())
}

fn statement_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Option<Arc<ClassStatement>>,
    new: Option<Arc<ClassStatement>>,
    _: ClassKey<'_>,
) -> Option<Arc<ClassStatement>> {
    // Bases that are computed from the class itself may never come to rest.
    match cycle.iteration() {
        0..=8 => new,
        9 => Some(Arc::new(ClassStatement {
            has_unknown_base: true,
            ..ClassStatement::default()
        })),
        _ => last.clone(),
    }
}

/// Whether a class is its own ancestor over others.
pub(crate) fn is_own_ancestor(db: &dyn Db, class: SymbolId, said: &ClassStatement) -> bool {
    let bases = |said: &ClassStatement, open: &mut Vec<SymbolId>| {
        open.extend(said.bases.iter().filter_map(|base| base.symbol));
    };
    let mut open = Vec::new();
    bases(said, &mut open);
    // A base of the class's own name and place is an earlier binding of it.
    open.retain(|&base| base != class);
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    while let Some(base) = open.pop() {
        if base == class {
            return true;
        }
        if seen.insert(base)
            && let Some(said) = class_statement(db, ClassKey::new(db, base))
        {
            bases(&said, &mut open);
        }
    }
    false
}

fn statement(db: &dyn Db, class: SymbolId) -> Option<ClassStatement> {
    let (file, number) = located(db, class)?;
    let declared = items(db, file)?.items.get(number as usize)?;
    if declared.kind != ItemKind::Class {
        return None;
    }
    let metaclass = declared.keywords.iter();
    let metaclass = metaclass
        .filter(|(name, _)| db.shared().names.text(*name) == "metaclass")
        .map(|&(_, node)| node)
        .next();
    let roots: Vec<NodeId> = declared.bases.iter().copied().chain(metaclass).collect();
    let frame = Frame::of_items(db, file, declared.parent).evaluate(&roots);

    let mut info = ClassStatement::default();
    let mut type_params: Vec<NameId> = declared.type_params.iter().map(|&(name, _)| name).collect();
    let mut explicit = !type_params.is_empty();
    let mut bases = Vec::new();
    let mut unknown = Vec::new();
    for (number, &node) in (0..).zip(&declared.bases) {
        let values = frame.node(node);
        let path = path_of(&frame, subscripted(&frame, node));
        let form = path.as_deref().and_then(|path| {
            path.strip_prefix("typing.")
                .or_else(|| path.strip_prefix("typing_extensions."))
        });
        if let Some(form @ ("Generic" | "Protocol")) = form {
            info.is_protocol |= form == "Protocol";
            let mut of_form = Vec::new();
            type_vars_of(db, values, &mut of_form);
            if !of_form.is_empty() {
                type_params = of_form;
                explicit = true;
            }
            bases.push(Base::default());
            continue;
        }
        if let Some("NamedTuple" | "TypedDict") = form {
            info.generates_init = true;
            bases.push(Base::default());
            continue;
        }
        match values.single_but_none(db).map(|one| shape(db, one)) {
            Some(Shape::Class(base) | Shape::Subclass(base)) => {
                if !explicit {
                    for arg in &base.args {
                        object_vars(db, arg, &mut type_params);
                    }
                }
                bases.push(Base {
                    symbol: Some(base.symbol),
                    args: base.args.clone(),
                });
            }
            Some(Shape::TypeExpression(objects)) => {
                // `Tuple[int, str]`, `List[T]` as a base.
                let class = objects.single().map(|one| shape(db, one));
                match class {
                    Some(Shape::Instance { class, .. }) => bases.push(Base {
                        symbol: Some(class.symbol),
                        args: class.args.clone(),
                    }),
                    _ => {
                        unknown.push((number, None));
                        bases.push(Base::default());
                    }
                }
            }
            other => {
                let package = match other {
                    Some(Shape::Absent(symbol)) => {
                        match db.shared().symbols.key(*symbol).declared_in {
                            DeclaredIn::Absent(package) => Some(package),
                            _ => None,
                        }
                    }
                    _ => None,
                };
                unknown.push((number, package));
                // Several branches may name one: the first by its path is better than none.
                let known = values.iter().filter_map(|one| match shape(db, one) {
                    Shape::Class(base) | Shape::Subclass(base) => Some(base.clone()),
                    _ => None,
                });
                let known = known.min_by_key(|base| crate::infer::dotted(db, base.symbol));
                bases.push(match known {
                    Some(base) => Base {
                        symbol: Some(base.symbol),
                        args: base.args,
                    },
                    None => Base::default(),
                });
            }
        }
    }
    type_params.dedup();
    info.type_params = type_params.into();
    info.bases = bases.into();
    info.has_unknown_base = !unknown.is_empty();
    info.unknown = unknown.into();
    if let Some(node) = metaclass {
        match frame.node(node).single().map(|one| shape(db, one)) {
            Some(Shape::Class(class) | Shape::Subclass(class)) => {
                info.metaclass = Some(class.symbol);
            }
            _ => info.has_unknown_base |= metaclass_is_unknown(&frame, node),
        }
    }
    Some(info)
}

fn metaclass_is_unknown(frame: &Frame<'_>, node: NodeId) -> bool {
    path_of(frame, node).as_deref() != Some("abc.ABCMeta")
}

/// Of `a.b[c]` the node of `a.b`.
fn subscripted(frame: &Frame<'_>, node: NodeId) -> NodeId {
    match frame.kind(node) {
        Node::Subscript { base, .. } => base,
        _ => node,
    }
}

fn type_vars_of(db: &dyn Db, values: &Values, found: &mut Vec<NameId>) {
    for one in values.iter() {
        if let Shape::TypeExpression(objects) = shape(db, one) {
            object_vars(db, objects, found);
        }
    }
}

/// The type variables in objects, in the order of the text as far as sets keep it.
fn object_vars(db: &dyn Db, objects: &Values, found: &mut Vec<NameId>) {
    let mut names = Vec::new();
    for one in objects.iter() {
        match shape(db, one) {
            Shape::OfTypeVar { name, .. } => names.push(*name),
            Shape::Instance { class, .. } => {
                for arg in &class.args {
                    object_vars(db, arg, &mut names);
                }
            }
            Shape::Tuple(parts) => parts
                .iter()
                .for_each(|part| object_vars(db, part, &mut names)),
            _ => {}
        }
    }
    // Sets are sorted by number, which differs from run to run: by text.
    if objects.len() > 1 {
        let texts = &db.shared().names;
        names.sort_by(|&a, &b| texts.text(a).cmp(texts.text(b)));
    }
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
}
