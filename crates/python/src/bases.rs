//! Class statements by themselves: bases, type parameters and metaclass (Python reference, "Class
//! definitions").
//!
//! [`class_statement`] reads one statement and evaluates its base expressions; ancestors are joined
//! in [`crate::classes`]. The two steps are separate queries so that classes which are each other's
//! ancestors are no cycle at this level.

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, NameId, SymbolId};
use codeweft_python_syntax::{ItemKind, Node, NodeId};
use rustc_hash::FxHashSet;

use crate::declared::{declaration_of, dotted_path, items};
use crate::infer::{Frame, path_of};
use crate::keys::ClassKey;
use crate::known;
use crate::recursion::{Provisional, initial, recover, recursive};
use crate::values::{Shape, Values, shape};

/// A base of a class, by its position in the class statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Base {
    /// The base class; `None` if it is unknown, a typing form, or no class.
    pub symbol: Option<SymbolId>,
    /// The type arguments: `[int]` of `Base[int]`.
    pub args: Box<[Values]>,
}

/// The contents of a class statement. The statements of its bases are not read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassStatement {
    /// The bases in the order of the statement.
    pub(crate) bases: Box<[Base]>,
    /// The type parameters, from `class C[T]`, `Generic[T]`, or the type variables of the bases.
    pub(crate) type_params: Box<[NameId]>,
    /// The metaclass that the statement names.
    pub(crate) metaclass: Option<SymbolId>,
    /// Whether a base or the metaclass is unknown.
    pub(crate) has_unknown_base: bool,
    /// The positions of unknown bases, each with the absent package that it comes from, if any.
    pub(crate) unknown: Box<[(u32, Option<NameId>)]>,
    /// Whether `Protocol` is a base.
    pub(crate) is_protocol: bool,
    /// Whether `NamedTuple` or `TypedDict` is a base, which generate `__init__`.
    pub(crate) generates_init: bool,
}

/// Returns the statement of a class; `None` if no loaded text declares it.
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn class_statement<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Option<Arc<ClassStatement>> {
    let statement = recursive(|| read_statement(db, key.symbol(db)));
    statement.map(Arc::new)
}

impl Provisional<ClassKey<'_>> for Option<Arc<ClassStatement>> {
    fn initial(_: &dyn Db, _: ClassKey<'_>) -> Option<Arc<ClassStatement>> {
        Some(Arc::default())
    }

    fn given_up(self, _: &dyn Db, last: &Self, _: ClassKey<'_>, is_first: bool) -> Self {
        if !is_first {
            return last.clone();
        }
        Some(Arc::new(ClassStatement {
            has_unknown_base: true,
            ..ClassStatement::default()
        }))
    }
}

/// Returns whether a class is its own ancestor through other classes.
pub(crate) fn is_its_own_ancestor(
    db: &dyn Db,
    class: SymbolId,
    statement: &ClassStatement,
) -> bool {
    let bases = |statement: &ClassStatement, pending: &mut Vec<SymbolId>| {
        pending.extend(statement.bases.iter().filter_map(|base| base.symbol));
    };
    let mut pending = Vec::new();
    bases(statement, &mut pending);
    // A base with the class's own symbol is an earlier binding of the same name.
    pending.retain(|&base| base != class);
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    while let Some(base) = pending.pop() {
        if base == class {
            return true;
        }
        if seen.insert(base)
            && let Some(statement) = class_statement(db, ClassKey::new(db, base))
        {
            bases(&statement, &mut pending);
        }
    }
    false
}

fn read_statement(db: &dyn Db, class: SymbolId) -> Option<ClassStatement> {
    let (file, number) = declaration_of(db, class)?;
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
        let form = path.as_deref().and_then(known::typing_name);
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
                // `Tuple[int, str]` or `List[T]` as a base.
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
                // Several branches may bind the base: the first by dotted path is better than none.
                let known = values.iter().filter_map(|one| match shape(db, one) {
                    Shape::Class(base) | Shape::Subclass(base) => Some(base.clone()),
                    _ => None,
                });
                let known = known.min_by_key(|base| dotted_path(db, base.symbol));
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
            _ => info.has_unknown_base |= !is_abc_meta(&frame, node),
        }
    }
    Some(info)
}

/// Returns whether a metaclass is `abc.ABCMeta`, which gives a class no names. The module `abc` itself binds it on two branches.
fn is_abc_meta(frame: &Frame<'_>, node: NodeId) -> bool {
    let values = frame.node(node);
    let classes: Option<Vec<String>> = values
        .iter()
        .map(|one| match shape(frame.db, one) {
            Shape::Class(class) => Some(dotted_path(frame.db, class.symbol)),
            _ => None,
        })
        .collect();
    let is_one = |path: &String| path == known::ABC_META;
    path_of(frame, node).as_ref().is_some_and(is_one)
        || !values.is_unknown() && classes.is_some_and(|classes| classes.iter().any(is_one))
}

/// Returns the node of `a.b` for `a.b[c]`.
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

/// Collects the type variables of objects, in text order as far as sets preserve it.
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
    // Sets are ordered by interned number, which differs between runs; text order is stable.
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
