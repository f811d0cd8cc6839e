//! The queries that the flow graph makes of Go: which values a variable can hold, which method runs
//! on a value, and which node a generic node becomes in an instance.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, FlowInstantiated, FlowNode, FlowTarget, FlowValue, NameId, SymbolClass,
    SymbolId, Unit, UnitGraph,
};
use smallvec::SmallVec;

use crate::decls::{DeclKey, TypeKey, decl, extra_methods, members, members_in_view, type_def};
use crate::definitions::{
    Decl, MemberKind, MethodDef, TypeDef, flat, interface_methods, method_set,
};
use crate::types::{
    Args, MemberName, Signature, Ty, Type, all_may_be_identical, may_be_identical, subst, table,
};
use crate::units::{IN_TEST, companion_units, package_path};
use crate::uses::local_type_def;

/// The key of [`methods_of`]: a type by number.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct MethodsKey<'db> {
    /// The number.
    #[returns(copy)]
    pub number: u32,
}

/// The key of [`has_methods_of`]: a concrete type and an interface.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct AssignKey<'db> {
    /// The number of the concrete type.
    #[returns(copy)]
    pub ty: u32,
    /// The number of the variable's type.
    #[returns(copy)]
    pub to: u32,
}

/// A method in the method set of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowMethod {
    /// See [`MemberName::qualified`].
    name: NameId,
    /// The canonical signature.
    signature: Ty,
    /// Its declaration.
    symbol: Option<SymbolId>,
    /// The last embedded field on the path to it.
    via: Option<SymbolId>,
    /// Whether an interface declares it.
    is_interface: bool,
}

/// Returns the definition of a defined type, local ones included.
fn def_of(db: &dyn Db, symbol: SymbolId) -> Option<Arc<TypeDef>> {
    let key = TypeKey::new(db, symbol);
    match db.shared().symbols.key(symbol).parent {
        None => type_def(db, key),
        Some(_) => local_type_def(db, key),
    }
}

/// Returns the underlying type (Go spec, Underlying types).
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

/// Returns the in-package test of a package, which may declare methods on its types.
#[salsa::tracked(returns(copy))]
fn test_of(db: &dyn Db, unit: Unit) -> Option<Unit> {
    let companions = companion_units(db, UnitGraph::get(db)).get(&unit)?;
    let mut tests = companions.iter().filter(|other| other.kind(db) == IN_TEST);
    tests.next().copied()
}

/// Returns the view in which a type has all methods that any file of its package declares.
fn view_of(db: &dyn Db, symbol: SymbolId) -> Option<Unit> {
    let DeclaredIn::Unit(unit) = db.shared().symbols.key(symbol).declared_in else {
        return None;
    };
    test_of(db, unit).filter(|&view| !extra_methods(db, view).is_empty())
}

/// Returns the method set of a type, or the methods of an interface, sorted by name (Go spec,
/// Method sets).
#[salsa::tracked(returns(clone))]
fn methods_of<'db>(db: &'db dyn Db, key: MethodsKey<'db>) -> Arc<[FlowMethod]> {
    let types = table(db);
    let Some(ty) = types.of_number(key.number(db)) else {
        return Arc::new([]);
    };
    let def = |symbol| def_of(db, symbol);
    let identical = |signature| types.canonical(flat(types, signature, &def));
    let mut list: Vec<FlowMethod> = Vec::new();
    if let Type::Interface(_) = types.get(underlying(db, ty)) {
        let methods = interface_methods(types, ty, &def).into_iter();
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
                    (Arc::new(members_in_view(db, target, view, &def)), None)
                }
            }
            _ => (Arc::new(members_in_view(db, target, None, &def)), None),
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

/// Returns the method of a name in a sorted list.
fn method(methods: &[FlowMethod], name: NameId) -> Option<&FlowMethod> {
    let at = methods.binary_search_by_key(&name, |method| method.name);
    Some(&methods[at.ok()?])
}

/// Returns whether a variable of type `to` can hold a value (Go spec, Assignability).
///
/// ```go
/// var r io.Reader = v // any v whose method set has Read([]byte) (int, error)
/// var f func(int) = v // functions with identical signatures, defined function types too
/// ```
pub fn is_assignable(db: &dyn Db, value: FlowValue, to: u32) -> bool {
    let types = table(db);
    let Some(variable) = types.of_number(to) else {
        return true;
    };
    match value {
        FlowValue::Unknown(_) => true,
        FlowValue::Type(ty) => ty == to || type_is_assignable(db, ty, to, variable),
        FlowValue::Literal(_, signature) => {
            function_is_assignable(db, types.of_number(signature), false, variable)
        }
        FlowValue::Function(symbol) | FlowValue::InterfaceMethod(symbol) => {
            let is_method = db.shared().symbols.key(symbol).class == SymbolClass::Method;
            function_is_assignable(db, signature_of(db, symbol), is_method, variable)
        }
    }
}

/// Returns whether a variable can hold a value of a concrete type; `to` is the number of the
/// variable's type.
fn type_is_assignable(db: &dyn Db, ty: u32, to: u32, variable: Ty) -> bool {
    let types = table(db);
    match types.get(underlying(db, variable)) {
        Type::Param(..) | Type::Unknown => true,
        Type::Interface(_) => has_methods_of(db, AssignKey::new(db, ty, to)),
        _ => types
            .of_number(ty)
            .is_none_or(|ty| may_be_identical(types, ty, variable)),
    }
}

/// Returns whether a concrete type has the methods of an interface. Only these pairs are memoised:
/// the others are compared as fast as a memo is found.
#[salsa::tracked(returns(copy))]
fn has_methods_of<'db>(db: &'db dyn Db, key: AssignKey<'db>) -> bool {
    let types = table(db);
    let numbers = (key.ty(db), key.to(db));
    if types.of_number(numbers.0).is_none() {
        return true;
    }
    let own = methods_of(db, MethodsKey::new(db, numbers.0));
    let wanted = methods_of(db, MethodsKey::new(db, numbers.1));
    wanted.iter().all(|wanted| {
        let found = method(&own, wanted.name);
        found.is_some_and(|found| may_be_identical(types, found.signature, wanted.signature))
    })
}

/// Returns whether a variable can hold a function. A method may also occur as a method expression,
/// whose first parameter is the receiver.
fn function_is_assignable(
    db: &dyn Db,
    signature: Option<Ty>,
    is_method: bool,
    variable: Ty,
) -> bool {
    let types = table(db);
    let base = underlying(db, variable);
    match types.get(base) {
        Type::Param(..) | Type::Unknown => true,
        Type::Interface(_) => methods_of(db, MethodsKey::new(db, variable.number())).is_empty(),
        Type::Func(wanted) => {
            let Some(signature) = signature else {
                return true;
            };
            let as_expression = || match types.get(signature) {
                Type::Func(own) if !wanted.params.is_empty() => {
                    own.variadic == wanted.variadic
                        && all_may_be_identical(types, &own.params, &wanted.params[1..])
                        && all_may_be_identical(types, &own.results, &wanted.results)
                }
                _ => false,
            };
            may_be_identical(types, signature, base) || is_method && as_expression()
        }
        _ => false,
    }
}

/// Returns the signature of a declared function or method, in terms of type parameters.
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

/// Returns the name of a method as rows have it.
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

/// Returns the number of the interface that declares a method; a generic one has its own type
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

/// Returns whether an interface is a constraint that no type implements.
pub fn has_type_set(db: &dyn Db, interface: u32) -> bool {
    let interface = table(db).of_number(interface);
    interface.is_none_or(|interface| {
        crate::hierarchy::has_type_set(db, interface, &|symbol| def_of(db, symbol))
    })
}

/// Returns whether a method is declared by an interface literal inside the declaration of another
/// type: in one of its parts, in the constraint of a type parameter, or in the target of an alias.
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
    // The fields of a struct own the literals in them.
    if def.params.is_empty() && matches!(table(db).get(def.underlying), Type::Struct(_)) {
        return false;
    }
    let own = |of: &MethodDef| of.symbol == method;
    let in_tests = || {
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return false;
        };
        let mut extra = test_of(db, unit).into_iter().chain([unit]);
        extra.any(|view| {
            view.kind(db) == IN_TEST
                && extra_methods(db, view)
                    .iter()
                    .any(|(_, methods)| methods.iter().any(own))
        })
    };
    !def.methods.iter().any(own) && !in_tests()
}

/// Returns what runs when an interface's method is called on a value of a type (Go spec, Method
/// sets).
///
/// ```go
/// type T struct{ io.Reader } // Read on a T runs Read of the value in the field: Through(T.Reader, Read)
/// ```
pub fn target(db: &dyn Db, ty: u32, method: SymbolId) -> Option<FlowTarget> {
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

/// Returns the type that is the key of a node.
fn key_of(node: FlowNode) -> Option<u32> {
    match node {
        FlowNode::SignatureParameter(ty, _)
        | FlowNode::SignatureResult(ty, _)
        | FlowNode::Unnamed(_, ty) => Some(ty),
        _ => None,
    }
}

/// Returns the owners of the type parameters in the key of a node.
pub fn owners(db: &dyn Db, node: FlowNode) -> SmallVec<[SymbolId; 2]> {
    let types = table(db);
    let mut found = SmallVec::new();
    if let FlowNode::TypeParameter(owner, _) = node {
        found.push(owner);
    }
    let key = key_of(node).and_then(|number| types.of_number(number));
    let mut stack: Vec<Ty> = key.into_iter().collect();
    while let Some(ty) = stack.pop() {
        if !types.has_param(ty) {
            continue;
        }
        match types.get(ty) {
            Type::Param(owner, _) if !found.contains(owner) => found.push(*owner),
            shape => {
                let parts = std::cell::RefCell::new(&mut stack);
                types.map_parts(shape, &|part| {
                    parts.borrow_mut().push(part);
                    part
                });
            }
        }
    }
    found
}

/// Returns the node that a node of generic code becomes in an instance (Go spec, Instantiations).
///
/// ```go
/// func Map[T any](s []T) {} // node Element(T)
/// Map([]error{})            // in the instance [T -> error]: Element(error)
/// ```
pub fn instantiate(db: &dyn Db, node: FlowNode, owner: SymbolId, args: &[u32]) -> FlowInstantiated {
    let types = table(db);
    let unknown = |number: &u32| types.of_number(*number).unwrap_or(Ty::UNKNOWN);
    let args: SmallVec<[Ty; 4]> = args.iter().map(unknown).collect();
    if let FlowNode::TypeParameter(of, index) = node {
        let argument = args.get(index as usize).filter(|_| of == owner);
        return match argument.map(|&argument| types.get(argument)) {
            Some(&Type::Param(other, other_index)) => {
                let to = FlowNode::TypeParameter(other, other_index);
                if to == node {
                    FlowInstantiated::Nothing
                } else {
                    FlowInstantiated::From(to)
                }
            }
            Some(_) => match args.get(index as usize) {
                Some(&argument) if !is_interface(db, argument) => concrete(db, argument),
                _ => FlowInstantiated::Nothing,
            },
            None => FlowInstantiated::Nothing,
        };
    }
    let Some((number, ty)) = key_of(node).and_then(|key| Some((key, types.of_number(key)?))) else {
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
    let (to, part_type) = match node {
        FlowNode::SignatureParameter(_, at) => (
            FlowNode::SignatureParameter(key, at),
            part(|signature| &signature.params, at),
        ),
        FlowNode::SignatureResult(_, at) => (
            FlowNode::SignatureResult(key, at),
            part(|signature| &signature.results, at),
        ),
        FlowNode::Unnamed(kind, _) => (FlowNode::Unnamed(kind, key), actual),
        _ => return FlowInstantiated::Nothing,
    };
    if is_followed(db, part_type) {
        FlowInstantiated::Node(to, types.canonical(part_type).number())
    } else {
        concrete(db, part_type)
    }
}

fn is_interface(db: &dyn Db, ty: Ty) -> bool {
    matches!(table(db).get(underlying(db, ty)), Type::Interface(_))
}

/// Returns whether variables of a type are nodes of the flow graph.
fn is_followed(db: &dyn Db, ty: Ty) -> bool {
    let shape = table(db).get(underlying(db, ty));
    matches!(shape, Type::Interface(_) | Type::Func(_) | Type::Param(..))
}

/// Returns the values of a concrete type, if it has methods.
fn concrete(db: &dyn Db, ty: Ty) -> FlowInstantiated {
    let number = table(db).canonical(ty).number();
    if methods_of(db, MethodsKey::new(db, number)).is_empty() {
        FlowInstantiated::Nothing
    } else {
        FlowInstantiated::Value(FlowValue::Type(number))
    }
}
