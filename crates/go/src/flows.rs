//! What the flow graph asks of Go: what places can hold, what runs on a value, what generic places
//! are in instances.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, FlowInstantiated, FlowNode, FlowTarget, FlowValue, NameId, SymbolClass,
    SymbolId, Unit, UnitGraph, UnitKind,
};
use smallvec::SmallVec;

use crate::decls::{
    Decl, DeclKey, MemberKind, TypeDef, TypeKey, decl, extra_methods, flat, flatten,
    interface_methods, members, method_set, type_def,
};
use crate::types::{
    Args, MemberName, Signature, Ty, Type, all_alike, may_be_identical, subst, table,
};
use crate::units::package_path;
use crate::uses::local_type_def;

/// The key of [`methods_of`]: a type by its number.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct MethodsKey<'db> {
    /// The number.
    #[returns(copy)]
    pub number: u32,
}

/// The key of [`type_passes`]: a concrete type and what it is put into.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct PassKey<'db> {
    /// The number of the type.
    #[returns(copy)]
    pub ty: u32,
    /// The number of the place's type.
    #[returns(copy)]
    pub through: u32,
}

/// A method in the method set of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowMethod {
    /// See [`MemberName::qualified`].
    name: NameId,
    /// The signature that identical ones share.
    signature: Ty,
    /// Its declaration.
    symbol: Option<SymbolId>,
    /// The last embedded field on the path to it.
    via: Option<SymbolId>,
    /// Whether an interface declares it.
    is_interface: bool,
}

/// What stands behind a defined type, one of a function's blocks too.
fn def_of(db: &dyn Db, symbol: SymbolId) -> Option<Arc<TypeDef>> {
    let key = TypeKey::new(db, symbol);
    match db.shared().symbols.key(symbol).parent {
        None => type_def(db, key),
        Some(_) => local_type_def(db, key),
    }
}

/// The underlying type (Go spec, Underlying types).
fn underlying(db: &dyn Db, ty: Ty) -> Ty {
    let types = table(db);
    match types.get(ty) {
        Type::Named(symbol, args) => match def_of(db, *symbol) {
            Some(def) => {
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                subst(types, def.underlying, args)
            }
            None => Ty::UNKNOWN,
        },
        _ => ty,
    }
}

/// The in-package test of a package, which may declare methods on its types.
#[salsa::tracked(returns(copy))]
fn test_of(db: &dyn Db, unit: Unit) -> Option<Unit> {
    let units = UnitGraph::get(db).units(db);
    let mut tests = units
        .iter()
        .filter(|other| other.kind(db) == UnitKind::InTest);
    tests.find(|other| other.base(db) == Some(unit)).copied()
}

/// The view in which a type has all methods that any file of its package declares.
fn view_of(db: &dyn Db, symbol: SymbolId) -> Option<Unit> {
    let DeclaredIn::Unit(unit) = db.shared().symbols.key(symbol).declared_in else {
        return None;
    };
    test_of(db, unit).filter(|&view| !extra_methods(db, view).is_empty())
}

/// The method set of a type (Go spec, Method sets), of an interface its methods; sorted by name.
#[salsa::tracked(returns(clone))]
fn methods_of<'db>(db: &'db dyn Db, key: MethodsKey<'db>) -> Arc<[FlowMethod]> {
    let types = table(db);
    let Some(ty) = types.of_number(key.number(db)) else {
        return Arc::new([]);
    };
    let behind = |symbol| def_of(db, symbol);
    let identical = |signature| types.canonical(flat(types, signature, &behind));
    let mut list: Vec<FlowMethod> = Vec::new();
    if let Type::Interface(_) = types.get(underlying(db, ty)) {
        let methods = interface_methods(types, ty, &behind).into_iter();
        list.extend(methods.map(|(name, signature, symbol)| FlowMethod {
            name: name.qualified(db),
            signature: identical(signature),
            symbol,
            via: None,
            is_interface: true,
        }));
    } else {
        let (target, by_pointer) = match types.get(ty) {
            Type::Pointer(target) => (*target, true),
            _ => (ty, false),
        };
        let base = underlying(db, target);
        let has_none = matches!(types.get(base), Type::Pointer(_))
            || by_pointer && matches!(types.get(base), Type::Interface(_) | Type::Param(..));
        if has_none {
            return Arc::new([]);
        }
        let (found, args) = match types.get(target) {
            Type::Named(symbol, args) => {
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                let view = view_of(db, *symbol);
                let is_local = db.shared().symbols.key(*symbol).parent.is_some();
                if view.is_none() && !is_local {
                    (members(db, TypeKey::new(db, *symbol)), Some(args))
                } else {
                    (Arc::new(flatten(db, target, view, &behind)), None)
                }
            }
            _ => (Arc::new(flatten(db, target, None, &behind)), None),
        };
        let own = method_set(&found)
            .filter(|(member, by_value)| member.params.is_empty() && (by_pointer || *by_value));
        list.extend(own.map(|(member, _)| FlowMethod {
            name: member.name.qualified(db),
            signature: identical(match args {
                Some(args) => subst(types, member.ty, args),
                None => member.ty,
            }),
            symbol: member.symbol,
            via: member.via,
            is_interface: member.kind == MemberKind::InterfaceMethod,
        }));
    }
    list.sort_unstable_by_key(|method| method.name);
    list.into()
}

fn method(methods: &[FlowMethod], name: NameId) -> Option<&FlowMethod> {
    let at = methods.binary_search_by_key(&name, |method| method.name);
    Some(&methods[at.ok()?])
}

/// Whether a place of a type can hold a value (Go spec, Assignability).
pub fn passes(db: &dyn Db, value: FlowValue, through: u32) -> bool {
    let types = table(db);
    let Some(place) = types.of_number(through) else {
        return true;
    };
    match value {
        FlowValue::Unknown(_) => true,
        FlowValue::Type(ty) => ty == through || type_passes(db, PassKey::new(db, ty, through)),
        FlowValue::Literal(_, signature) => {
            function_passes(db, types.of_number(signature), false, place)
        }
        FlowValue::Function(symbol) | FlowValue::InterfaceMethod(symbol) => {
            let is_method = db.shared().symbols.key(symbol).class == SymbolClass::Method;
            function_passes(db, signature_of(db, symbol), is_method, place)
        }
    }
}

/// Whether a place can hold a value of a concrete type.
#[salsa::tracked(returns(copy))]
fn type_passes<'db>(db: &'db dyn Db, key: PassKey<'db>) -> bool {
    let types = table(db);
    let numbers = (key.ty(db), key.through(db));
    let (Some(ty), Some(place)) = (types.of_number(numbers.0), types.of_number(numbers.1)) else {
        return true;
    };
    match types.get(underlying(db, place)) {
        Type::Param(..) | Type::Unknown => true,
        Type::Interface(_) => {
            let own = methods_of(db, MethodsKey::new(db, numbers.0));
            let wanted = methods_of(db, MethodsKey::new(db, numbers.1));
            wanted.iter().all(|wanted| {
                let found = method(&own, wanted.name);
                found
                    .is_some_and(|found| may_be_identical(types, found.signature, wanted.signature))
            })
        }
        _ => may_be_identical(types, ty, place),
    }
}

/// Whether a place can hold a function. Of a method also as a method expression, which has its
/// receiver first.
fn function_passes(db: &dyn Db, signature: Option<Ty>, is_method: bool, place: Ty) -> bool {
    let types = table(db);
    let base = underlying(db, place);
    match types.get(base) {
        Type::Param(..) | Type::Unknown => true,
        Type::Interface(_) => methods_of(db, MethodsKey::new(db, place.number())).is_empty(),
        Type::Func(wanted) => {
            let Some(signature) = signature else {
                return true;
            };
            let as_expression = || match types.get(signature) {
                Type::Func(own) if !wanted.params.is_empty() => {
                    own.variadic == wanted.variadic
                        && all_alike(types, &own.params, &wanted.params[1..])
                        && all_alike(types, &own.results, &wanted.results)
                }
                _ => false,
            };
            may_be_identical(types, signature, base) || is_method && as_expression()
        }
        _ => false,
    }
}

/// The signature of a declared function or method, in terms of type parameters.
fn signature_of(db: &dyn Db, symbol: SymbolId) -> Option<Ty> {
    let key = db.shared().symbols.key(symbol);
    match (key.class, key.declared_in, key.parent) {
        (SymbolClass::Function, DeclaredIn::Unit(unit), _) => {
            match decl(db, DeclKey::new(db, unit, key.name))? {
                Decl::Func { signature, .. } => Some(signature),
                _ => None,
            }
        }
        (SymbolClass::Method, _, Some(parent)) => {
            let def = def_of(db, parent)?;
            let mut own = def.methods.iter();
            if let Some(method) = own.find(|method| method.symbol == symbol) {
                return Some(method.signature);
            }
            let methods =
                interface_methods(table(db), def.underlying, &|symbol| def_of(db, symbol));
            let mut own = methods.into_iter();
            own.find_map(|(_, signature, declared)| (declared == Some(symbol)).then_some(signature))
        }
        _ => None,
    }
}

/// The name of a method as rows have it.
pub fn method_name(db: &dyn Db, method: SymbolId) -> NameId {
    let key = db.shared().symbols.key(method);
    let name = match key.declared_in {
        DeclaredIn::Unit(unit) => MemberName::new(db, key.name, package_path(db, unit)),
        DeclaredIn::Builtin(_) | DeclaredIn::Absent(_) => MemberName {
            name: key.name,
            package: None,
        },
    };
    name.qualified(db)
}

/// The interface that declares a method, by its number; of a generic one with its own type
/// parameters as arguments.
pub fn interface_of(db: &dyn Db, method: SymbolId) -> Option<u32> {
    let parent = db.shared().symbols.key(method).parent?;
    if db.shared().symbols.key(parent).class != SymbolClass::Type {
        return None;
    }
    let types = table(db);
    let def = def_of(db, parent)?;
    let own = (0..def.params.len())
        .map(|index| types.intern(Type::Param(parent, index as u16)))
        .collect();
    let ty = types.intern(Type::Named(parent, own));
    is_interface(db, ty).then(|| types.canonical(ty).number())
}

/// Whether an interface, by its number, is a constraint that nothing implements.
pub fn has_type_set(db: &dyn Db, interface: u32) -> bool {
    let interface = table(db).of_number(interface);
    interface.is_none_or(|interface| {
        crate::hierarchy::has_type_set(db, interface, &|symbol| def_of(db, symbol))
    })
}

/// Whether a method is one of an interface literal in the declaration of a type that is none: of its
/// parts, of the constraint of a type parameter, or what an alias stands for.
pub fn is_of_literal(db: &dyn Db, method: SymbolId) -> bool {
    let key = db.shared().symbols.key(method);
    let Some(parent) = key.parent.filter(|_| key.class == SymbolClass::Method) else {
        return false;
    };
    if db.shared().symbols.key(parent).class != SymbolClass::Type {
        return true;
    }
    let Some(def) = def_of(db, parent) else {
        return true;
    };
    // A struct's fields own the literals in them.
    if def.params.is_empty() && matches!(table(db).get(def.underlying), Type::Struct(_)) {
        return false;
    }
    let own = |of: &crate::decls::MethodDef| of.symbol == method;
    let in_tests = || {
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return false;
        };
        let mut extra = test_of(db, unit).into_iter().chain([unit]);
        extra.any(|view| {
            view.kind(db) == UnitKind::InTest
                && extra_methods(db, view)
                    .iter()
                    .any(|(_, methods)| methods.iter().any(own))
        })
    };
    !def.methods.iter().any(own) && !in_tests()
}

/// What runs where an interface's method is called on a value of a type (Go spec, Method sets).
pub fn runs(db: &dyn Db, ty: u32, method: SymbolId) -> Option<FlowTarget> {
    let name = method_name(db, method);
    let methods = methods_of(db, MethodsKey::new(db, ty));
    let found = self::method(&methods, name)?;
    let symbol = found.symbol?;
    match (found.via, found.is_interface) {
        (Some(field), true) => Some(FlowTarget::Through(field, symbol)),
        (None, true) => None,
        (_, false) => Some(FlowTarget::Method(symbol)),
    }
}

/// The type that keys a place.
fn key_of(place: FlowNode) -> Option<u32> {
    match place {
        FlowNode::SignatureParameter(ty, _)
        | FlowNode::SignatureResult(ty, _)
        | FlowNode::Element(ty)
        | FlowNode::Key(ty)
        | FlowNode::MapValue(ty)
        | FlowNode::Received(ty)
        | FlowNode::Pointee(ty) => Some(ty),
        _ => None,
    }
}

/// The owners of the type parameters in what a place is keyed by.
pub fn owners(db: &dyn Db, place: FlowNode) -> SmallVec<[SymbolId; 2]> {
    let types = table(db);
    let mut found = SmallVec::new();
    if let FlowNode::TypeParameter(owner, _) = place {
        found.push(owner);
    }
    let key = key_of(place).and_then(|number| types.of_number(number));
    let mut open: Vec<Ty> = key.into_iter().collect();
    while let Some(ty) = open.pop() {
        if !types.has_param(ty) {
            continue;
        }
        match types.get(ty) {
            Type::Param(owner, _) if !found.contains(owner) => found.push(*owner),
            shape => {
                let parts = std::cell::RefCell::new(&mut open);
                types.map_parts(shape, &|part| {
                    parts.borrow_mut().push(part);
                    part
                });
            }
        }
    }
    found
}

/// What a place of generic code is in an instance (Go spec, Instantiations).
pub fn instantiate(
    db: &dyn Db,
    place: FlowNode,
    owner: SymbolId,
    args: &[u32],
) -> FlowInstantiated {
    let types = table(db);
    let unknown = |number: &u32| types.of_number(*number).unwrap_or(Ty::UNKNOWN);
    let args: SmallVec<[Ty; 4]> = args.iter().map(unknown).collect();
    if let FlowNode::TypeParameter(of, index) = place {
        let argument = args.get(index as usize).filter(|_| of == owner);
        return match argument.map(|&argument| types.get(argument)) {
            Some(&Type::Param(other, other_index)) => {
                let to = FlowNode::TypeParameter(other, other_index);
                match to == place {
                    true => FlowInstantiated::Nothing,
                    false => FlowInstantiated::From(to),
                }
            }
            Some(_) => match args.get(index as usize) {
                Some(&argument) if !is_interface(db, argument) => concrete(db, argument),
                _ => FlowInstantiated::Nothing,
            },
            None => FlowInstantiated::Nothing,
        };
    }
    let Some((number, ty)) = key_of(place).and_then(|key| Some((key, types.of_number(key)?)))
    else {
        return FlowInstantiated::Nothing;
    };
    let args = Args {
        owner,
        types: &args,
    };
    let actual = types.canonical(subst(types, ty, args));
    if actual.number() == number {
        return FlowInstantiated::Nothing;
    }
    let signature = || match types.get(actual) {
        Type::Func(signature) => Some(signature),
        _ => None,
    };
    let key = actual.number();
    let part = |of: fn(&Signature) -> &[Ty], at: u16| {
        let part = signature().and_then(|signature| of(signature).get(at as usize));
        part.copied().unwrap_or(Ty::UNKNOWN)
    };
    let (to, held) = match place {
        FlowNode::SignatureParameter(_, at) => (
            FlowNode::SignatureParameter(key, at),
            part(|signature| &signature.params, at),
        ),
        FlowNode::SignatureResult(_, at) => (
            FlowNode::SignatureResult(key, at),
            part(|signature| &signature.results, at),
        ),
        FlowNode::Element(_) => (FlowNode::Element(key), actual),
        FlowNode::Key(_) => (FlowNode::Key(key), actual),
        FlowNode::MapValue(_) => (FlowNode::MapValue(key), actual),
        FlowNode::Received(_) => (FlowNode::Received(key), actual),
        FlowNode::Pointee(_) => (FlowNode::Pointee(key), actual),
        _ => return FlowInstantiated::Nothing,
    };
    match is_followed(db, held) {
        true => FlowInstantiated::Place(to, types.canonical(held).number()),
        false => concrete(db, held),
    }
}

fn is_interface(db: &dyn Db, ty: Ty) -> bool {
    matches!(table(db).get(underlying(db, ty)), Type::Interface(_))
}

/// Whether places of a type are nodes of the flow graph.
fn is_followed(db: &dyn Db, ty: Ty) -> bool {
    let shape = table(db).get(underlying(db, ty));
    matches!(shape, Type::Interface(_) | Type::Func(_) | Type::Param(..))
}

/// Values of a concrete type, where it has methods.
fn concrete(db: &dyn Db, ty: Ty) -> FlowInstantiated {
    let number = table(db).canonical(ty).number();
    match methods_of(db, MethodsKey::new(db, number)).is_empty() {
        true => FlowInstantiated::Nothing,
        false => FlowInstantiated::Value(FlowValue::Type(number)),
    }
}
