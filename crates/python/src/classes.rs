//! Classes: bases, method resolution order, members (Python reference, Customizing class creation;
//! The Python 2.3 method resolution order for C3).

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, SymbolClass, SymbolId};
use codeweft_syntax::python::{BindingKind, ItemKind, Items, NONE, Node, NodeId};

use crate::declared::{file_symbols, items, located};
use crate::infer::{
    Frame, FunctionKey, FunctionKind, NameIndex, function_info, name_index, path_of, variable,
};
use crate::values::{Class, Shape, Substitution, Values, shape};

/// A class.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ClassKey<'db> {
    /// Its symbol.
    #[returns(copy)]
    pub symbol: SymbolId,
}

/// A base of a class, by its place in the class statement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Base {
    /// The class; `None` where it is not known or no class.
    pub symbol: Option<SymbolId>,
    /// Its type arguments.
    pub args: Box<[Values]>,
}

/// What a class is, from class statements alone: no body of a function is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassInfo {
    /// By the place in the statement.
    pub bases: Box<[Base]>,
    /// The class itself, then its ancestors in method resolution order; unknown ones left out.
    pub mro: Box<[SymbolId]>,
    /// The type arguments of each class of `mro`, in terms of this class's type parameters.
    pub mro_args: Box<[Box<[Values]>]>,
    /// Its type parameters.
    pub type_params: Box<[NameId]>,
    /// Whether a base, its own or an ancestor's, is not known.
    pub has_unknown_base: bool,
    /// A direct subclass of `typing.Protocol`.
    pub is_protocol: bool,
    /// `dataclasses.dataclass`, `attrs`, `NamedTuple`, `TypedDict`: its constructor is generated
    /// unless it defines one.
    pub generates_init: bool,
    /// An enumeration: calling it looks a member up.
    pub is_enum: bool,
    /// Its metaclass where it names one, or an ancestor does.
    pub metaclass: Option<SymbolId>,
}

/// What a class statement says.
#[salsa::tracked(returns(clone), cycle_fn = info_again, cycle_initial = info_first)]
pub fn class_info<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Arc<ClassInfo> {
    stacker::maybe_grow(1 << 18, 1 << 20, || Arc::new(info(db, key.symbol(db))))
}

fn alone(symbol: SymbolId) -> ClassInfo {
    ClassInfo {
        mro: [symbol].into(),
        mro_args: [Box::default()].into(),
        ..ClassInfo::default()
    }
}

fn info_first(db: &dyn Db, _: salsa::Id, key: ClassKey<'_>) -> Arc<ClassInfo> {
    Arc::new(alone(key.symbol(db)))
}

fn info_again(
    db: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Arc<ClassInfo>,
    new: Arc<ClassInfo>,
    key: ClassKey<'_>,
) -> Arc<ClassInfo> {
    // A class that is its own ancestor has no order: after some rounds it stands alone.
    match cycle.iteration() {
        0..=8 => new,
        9 => Arc::new(ClassInfo {
            has_unknown_base: true,
            ..alone(key.symbol(db))
        }),
        _ => last.clone(),
    }
}

fn info(db: &dyn Db, class: SymbolId) -> ClassInfo {
    let unknown = || ClassInfo {
        has_unknown_base: true,
        ..alone(class)
    };
    let Some((file, number)) = located(db, class) else {
        return unknown();
    };
    let Some(items) = items(db, file) else {
        return unknown();
    };
    let declared = &items.items[number as usize];
    if declared.kind != ItemKind::Class {
        return unknown();
    }
    let metaclass = declared.keywords.iter();
    let metaclass = metaclass
        .filter(|(name, _)| db.shared().names.text(*name) == "metaclass")
        .map(|&(_, node)| node)
        .next();
    let roots: Vec<NodeId> = declared.bases.iter().copied().chain(metaclass).collect();
    let frame = Frame::of_items(db, file, declared.parent).evaluate(&roots);

    let mut info = alone(class);
    let mut type_params: Vec<NameId> = declared.type_params.iter().map(|&(name, _)| name).collect();
    let mut explicit = !type_params.is_empty();
    let mut bases = Vec::new();
    for &node in &declared.bases {
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
        match form {
            Some("NamedTuple" | "TypedDict") => {
                info.generates_init = true;
                bases.push(Base::default());
                continue;
            }
            _ => {}
        }
        match values.single_but_none(db).map(|one| shape(db, one)) {
            Some(Shape::Class(base)) => {
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
                        info.has_unknown_base = true;
                        bases.push(Base::default());
                    }
                }
            }
            _ => {
                info.has_unknown_base = true;
                // Several branches may name one: the first by its path is better than none.
                let known = values.iter().filter_map(|one| match shape(db, one) {
                    Shape::Class(base) => Some(base.clone()),
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

    let mut lines: Vec<Vec<(SymbolId, Box<[Values]>)>> = Vec::new();
    let mut direct = Vec::new();
    for base in &bases {
        let Some(symbol) = base.symbol.filter(|&symbol| symbol != class) else {
            continue;
        };
        let of_base = class_info(db, ClassKey::new(db, symbol));
        info.has_unknown_base |= of_base.has_unknown_base;
        info.is_enum |= of_base.is_enum;
        info.generates_init |= of_base.generates_init;
        info.metaclass = info.metaclass.or(of_base.metaclass);
        let as_class = Class {
            symbol,
            args: base.args.clone(),
        };
        let substitution = Substitution::of_class(&of_base.type_params, &as_class);
        let line = of_base.mro.iter().zip(of_base.mro_args.iter()).enumerate();
        let line = line.map(|(at, (&ancestor, args))| match at {
            0 => (ancestor, base.args.clone()),
            _ => (
                ancestor,
                args.iter().map(|arg| substitution.apply(db, arg)).collect(),
            ),
        });
        lines.push(line.collect());
        direct.push((symbol, base.args.clone()));
    }
    lines.push(direct);
    let merged = merge(lines);
    let own = info.type_params.iter().map(|&name| {
        Values::of(
            db,
            Shape::OfTypeVar {
                name,
                bound: Values::none(),
            },
        )
    });
    let own: Box<[Values]> = own.collect();
    let mut merged = merged;
    // Every class ends in `object`.
    if let Some(object) = crate::infer::object_class(db, file)
        && object != class
        && merged.last().is_none_or(|(last, _)| *last != object)
    {
        merged.push((object, Box::default()));
    }
    info.mro = [class]
        .into_iter()
        .chain(merged.iter().map(|(symbol, _)| *symbol))
        .collect();
    info.mro_args = [own]
        .into_iter()
        .chain(merged.into_iter().map(|(_, args)| args))
        .collect();
    if info.mro.contains(&class) && info.mro[1..].contains(&class) {
        return unknown();
    }

    if let Some(node) = metaclass {
        match frame.node(node).single().map(|one| shape(db, one)) {
            Some(Shape::Class(class)) => info.metaclass = Some(class.symbol),
            _ => info.has_unknown_base |= metaclass_is_unknown(&frame, node),
        }
    }
    let path = crate::infer::dotted(db, class);
    if matches!(
        path.as_str(),
        "enum.Enum" | "enum.EnumType" | "enum.EnumMeta"
    ) {
        info.is_enum = path == "enum.Enum";
    }
    for &decorator in &declared.decorators {
        let path = path_of(&Frame::of_items(db, file, declared.parent), decorator);
        if matches!(
            path.as_deref(),
            Some(
                "dataclasses.dataclass"
                    | "attr.s"
                    | "attr.attrs"
                    | "attr.define"
                    | "attr.frozen"
                    | "attr.mutable"
                    | "attrs.define"
                    | "attrs.frozen"
                    | "attrs.mutable"
                    | "attr._make.attrs"
                    | "attr._next_gen.define"
                    | "attr._next_gen.frozen"
            )
        ) {
            info.generates_init = true;
        }
    }
    info.bases = bases.into();
    info
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

/// The C3 merge; where there is none, the order of reading.
fn merge(mut lines: Vec<Vec<(SymbolId, Box<[Values]>)>>) -> Vec<(SymbolId, Box<[Values]>)> {
    let mut merged: Vec<(SymbolId, Box<[Values]>)> = Vec::new();
    loop {
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            return merged;
        }
        let is_good = |candidate: SymbolId| {
            !lines
                .iter()
                .any(|line| line[1..].iter().any(|(other, _)| *other == candidate))
        };
        let good = lines
            .iter()
            .map(|line| line[0].0)
            .find(|&candidate| is_good(candidate));
        let next = good.unwrap_or(lines[0][0].0);
        let args = lines
            .iter()
            .find(|line| line[0].0 == next)
            .map(|line| line[0].1.clone());
        merged.push((next, args.unwrap_or_default()));
        for line in &mut lines {
            line.retain(|(other, _)| *other != next);
        }
    }
}

/// A private name as its class binds it (Python reference, Identifiers, Private name mangling).
pub(crate) fn mangled(db: &dyn Db, class: SymbolId, name: NameId) -> NameId {
    let shared = db.shared();
    let text = shared.names.text(name);
    if !text.starts_with("__") || text.ends_with("__") {
        return name;
    }
    let class = shared
        .names
        .text(shared.symbols.key(class).name)
        .trim_start_matches('_');
    match class.is_empty() {
        true => name,
        false => shared.names.intern(&format!("_{class}{text}")),
    }
}

/// Whether a class is another or one of its subclasses.
pub(crate) fn is_subclass(db: &dyn Db, class: SymbolId, base: SymbolId) -> bool {
    class == base || class_info(db, ClassKey::new(db, class)).mro.contains(&base)
}

/// What a class's own text declares by a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Own {
    /// Functions: the last that is no setter.
    Function {
        /// What reading it gives.
        function: SymbolId,
        /// Whether `self.name` is stored too, or the name is bound otherwise as well.
        also_stored: bool,
    },
    /// A class inside it.
    Class(SymbolId),
    /// A value: a class variable or an attribute of its objects.
    Field(SymbolId),
}

impl Own {
    /// The declared symbol.
    pub(crate) fn symbol(self) -> SymbolId {
        match self {
            Own::Function { function, .. } => function,
            Own::Class(symbol) | Own::Field(symbol) => symbol,
        }
    }
}

/// What a class's own text declares by a name.
pub(crate) fn own(db: &dyn Db, class: SymbolId, name: NameId) -> Option<Own> {
    let (file, number) = located(db, class)?;
    let items = items(db, file)?;
    let index = name_index(db, file);
    own_in(db, file, items, &index, class, number, name)
}

fn own_in(
    db: &dyn Db,
    file: File,
    items: &Items,
    index: &NameIndex,
    class: SymbolId,
    number: u32,
    name: NameId,
) -> Option<Own> {
    let stored = index.stores(number, name).next().is_some();
    let bindings: Vec<_> = index
        .bindings(number, name)
        .filter_map(|at| items.bindings.get(at as usize))
        .filter(|binding| binding.kind != BindingKind::Deleted)
        .collect();
    if bindings.is_empty() {
        return stored.then(|| Own::Field(variable(db, class, name)));
    }
    let symbols = file_symbols(db, file);
    let declared = |item: u32| symbols.get(item as usize).copied();
    let is_setter = |item: u32| {
        let has_decorators = items
            .items
            .get(item as usize)
            .is_some_and(|item| !item.decorators.is_empty());
        has_decorators
            && declared(item).is_some_and(|symbol| {
                function_info(db, FunctionKey::new(db, symbol)).kind == FunctionKind::Setter
            })
    };
    let last = bindings
        .iter()
        .rev()
        .find_map(|binding| match binding.kind {
            BindingKind::Item(item) if !is_setter(item) => Some(item),
            _ => None,
        });
    let is_value =
        |kind: BindingKind| matches!(kind, BindingKind::Value { value, .. } if value != NONE);
    let Some(item) = last else {
        return Some(Own::Field(variable(db, class, name)));
    };
    let symbol = declared(item)?;
    if items.items[item as usize].kind == ItemKind::Class {
        return Some(Own::Class(symbol));
    }
    // A property stands before what is stored in the object (Invoking descriptors).
    let is_property = !items.items[item as usize].decorators.is_empty()
        && function_info(db, FunctionKey::new(db, symbol)).kind == FunctionKind::Property;
    let stored = stored && !is_property;
    Some(Own::Function {
        function: symbol,
        also_stored: stored || bindings.iter().any(|binding| is_value(binding.kind)),
    })
}

/// The setter or deleter that a store into a property of a class runs.
pub(crate) fn setter(db: &dyn Db, class: SymbolId, name: NameId) -> Option<SymbolId> {
    let info = class_info(db, ClassKey::new(db, class));
    for &class in &info.mro {
        let Some((file, number)) = located(db, class) else {
            continue;
        };
        let Some(items) = items(db, file) else {
            continue;
        };
        let index = name_index(db, file);
        let symbols = file_symbols(db, file);
        let mut any = false;
        for at in index.bindings(number, name) {
            any = true;
            if let Some(BindingKind::Item(item)) = items.bindings.get(at as usize).map(|b| b.kind)
                && let Some(&symbol) = symbols.get(item as usize)
                && !items.items[item as usize].decorators.is_empty()
                && function_info(db, FunctionKey::new(db, symbol)).kind == FunctionKind::Setter
            {
                return Some(symbol);
            }
        }
        if any {
            return None;
        }
    }
    None
}

/// What a name means on a class, with the place in the order of the class that declares it.
pub(crate) fn find(
    db: &dyn Db,
    info: &ClassInfo,
    name: NameId,
    from: usize,
) -> Option<(usize, Own)> {
    let ancestors = info.mro.iter().enumerate().skip(from);
    ancestors
        .into_iter()
        .find_map(|(at, &class)| Some((at, own(db, class, name)?)))
}

/// The method, class or field that a name means on a class by its method resolution order.
pub fn lookup(db: &dyn Db, class: SymbolId, name: NameId) -> Option<SymbolId> {
    if db.shared().symbols.key(class).class != SymbolClass::Type {
        return None;
    }
    let info = class_info(db, ClassKey::new(db, class));
    find(db, &info, name, 0).map(|(_, own)| own.symbol())
}
