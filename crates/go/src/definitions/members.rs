//! The fields and methods of a type, promoted ones included (Go spec, Selectors, Struct types,
//! Method sets).
//!
//! [`flatten`] searches breadth first over embedded fields. A name belongs to the shallowest depth
//! where it occurs; two occurrences at that depth make it ambiguous:
//!
//! ```go
//! type A struct{ x, y int }
//! type B struct{ y int }
//! type T struct { A; *B; x int }
//! // T.x: depth 0, hides A.x      T.y: ambiguous (A.y and B.y at depth 1)
//! ```

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::declared::{MethodDef, TypeDef, TypeParams};
use crate::types::{Args, Interface, MemberName, Ty, Type, Types, subst};

/// The fields and methods of a type, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Members {
    /// The members, sorted by name.
    pub list: Box<[Member]>,
}

impl Members {
    /// Returns the member that a selector of this name denotes.
    pub fn get(&self, name: MemberName) -> Option<&Member> {
        let at = self
            .list
            .binary_search_by_key(&name, |member| member.name)
            .ok()?;
        Some(&self.list[at])
    }
}

/// A field or method at the shallowest depth where its name occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: MemberName,
    /// Its kind.
    pub kind: MemberKind,
    /// Its declaration; `None` for fields and methods of type literals inside bodies.
    pub symbol: Option<SymbolId>,
    /// The type of a field or the signature of a method, in terms of the parameters of the
    /// outermost type.
    pub ty: Ty,
    /// The number of embedded fields on the path to it.
    pub depth: u16,
    /// Whether the path leads through an embedded pointer.
    pub through_pointer: bool,
    /// The type parameters of a generic method.
    pub params: TypeParams,
    /// The last embedded field on the path to it, on which a promoted method is called.
    pub via: Option<SymbolId>,
}

/// The kinds of [`Member`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// A struct field.
    Field,
    /// A declared method.
    Method {
        /// Whether its receiver is a pointer: `func (x *T)`.
        pointer: bool,
    },
    /// A method of an interface.
    InterfaceMethod,
    /// Two of this name at one depth: a selector of it is illegal, and deeper ones are hidden.
    Ambiguous,
}

/// The limits on the depth of embedding and on the number of types: a generic type that embeds
/// larger instances of itself has infinitely many.
const MAX_DEPTH: u16 = 64;
const MAX_TYPES: usize = 1000;

/// Returns all members of any type. `extra` are methods that an in-package test adds to types;
/// `def_of` returns the definition of a defined type.
pub fn flatten(
    types: &Types,
    ty: Ty,
    extra: &[(SymbolId, Box<[MethodDef]>)],
    def_of: &dyn Fn(SymbolId) -> Option<Arc<TypeDef>>,
) -> Members {
    let mut found: FxHashMap<MemberName, Member> = FxHashMap::default();
    let mut seen: FxHashSet<Ty> = FxHashSet::default();
    // Type, whether reached through a pointer, the embedding field, whether reached more than once
    // at this depth.
    let mut level: Vec<(Ty, bool, Option<SymbolId>, bool)> = vec![(ty, false, None, false)];
    for depth in 0..MAX_DEPTH {
        if level.is_empty() {
            break;
        }
        let mut here: Vec<Member> = Vec::new();
        let mut hidden = false;
        let mut next: Vec<(Ty, bool, Option<SymbolId>)> = Vec::new();
        for (ty, through_pointer, via, multiple) in std::mem::take(&mut level) {
            let from = here.len();
            let mut shape_of = ty;
            if let Type::Named(symbol, args) = types.get(ty) {
                if !seen.insert(types.canonical(ty)) || seen.len() > MAX_TYPES {
                    continue;
                }
                let Some(def) = def_of(*symbol) else {
                    hidden = true;
                    continue;
                };
                let args = Args {
                    owner: *symbol,
                    types: args,
                };
                let added = extra
                    .iter()
                    .filter(|(of, _)| of == symbol)
                    .flat_map(|(_, methods)| methods);
                for method in def.methods.iter().chain(added) {
                    let own = method_member(types, method, args, depth, through_pointer);
                    here.push(Member { via, ..own });
                }
                shape_of = subst(types, def.underlying, args);
            }
            match types.get(shape_of) {
                Type::Struct(fields) => {
                    for field in fields {
                        here.push(Member {
                            name: field.name,
                            kind: MemberKind::Field,
                            symbol: field.symbol,
                            ty: field.ty,
                            depth,
                            through_pointer,
                            params: no_params(),
                            via,
                        });
                        if field.embedded {
                            let via = field.symbol;
                            match types.get(field.ty) {
                                Type::Pointer(target) => next.push((*target, true, via)),
                                _ => next.push((field.ty, through_pointer, via)),
                            }
                        }
                    }
                }
                Type::Interface(_) => {
                    for (name, signature, symbol) in interface_methods(types, shape_of, def_of) {
                        here.push(Member {
                            name,
                            kind: MemberKind::InterfaceMethod,
                            symbol,
                            ty: signature,
                            depth,
                            through_pointer,
                            params: no_params(),
                            via,
                        });
                    }
                }
                Type::Unknown => hidden = true,
                _ => {}
            }
            if multiple {
                here[from..]
                    .iter_mut()
                    .for_each(|member| member.kind = MemberKind::Ambiguous);
            }
        }
        let mut names: FxHashMap<MemberName, usize> = FxHashMap::default();
        for (at, member) in here.iter().enumerate() {
            match names.get(&member.name) {
                _ if found.contains_key(&member.name) => {}
                None => {
                    names.insert(member.name, at);
                }
                Some(_) => {
                    names.insert(member.name, usize::MAX);
                }
            }
        }
        let mut by_name: FxHashMap<MemberName, Member> = FxHashMap::default();
        for (at, mut member) in here.into_iter().enumerate() {
            match names.get(&member.name) {
                Some(&only) if only == at => {
                    by_name.insert(member.name, member);
                }
                Some(&usize::MAX) => {
                    member.kind = MemberKind::Ambiguous;
                    by_name.insert(member.name, member);
                }
                _ => {}
            }
        }
        for (name, member) in by_name {
            found.insert(name, member);
        }
        // The members of an unknown type at this depth may hide all deeper ones.
        if hidden {
            break;
        }
        // A type that occurs twice at one depth makes all its members ambiguous.
        for (ty, through_pointer, via) in next {
            match level
                .iter_mut()
                .find(|(other, ..)| types.identical(*other, ty))
            {
                Some((.., multiple)) => *multiple = true,
                None => level.push((ty, through_pointer, via, false)),
            }
        }
    }
    let mut list: Vec<Member> = found.into_values().collect();
    list.sort_unstable_by_key(|member| member.name);
    Members { list: list.into() }
}

/// Returns the shared empty list of type parameters.
fn no_params() -> TypeParams {
    use std::sync::OnceLock;
    static NONE: OnceLock<TypeParams> = OnceLock::new();
    NONE.get_or_init(|| Arc::new([])).clone()
}

/// Returns a declared method as a member of an instance with these type arguments.
fn method_member(
    types: &Types,
    method: &MethodDef,
    args: Args<'_>,
    depth: u16,
    through_pointer: bool,
) -> Member {
    Member {
        name: method.name,
        kind: MemberKind::Method {
            pointer: method.pointer,
        },
        symbol: Some(method.symbol),
        ty: subst(types, method.signature, args),
        depth,
        through_pointer,
        params: method.params.clone(),
        via: None,
    }
}

/// Returns the methods of an interface, embedded ones included; of equal names the first counts.
pub fn interface_methods(
    types: &Types,
    interface: Ty,
    def_of: &dyn Fn(SymbolId) -> Option<Arc<TypeDef>>,
) -> Vec<(MemberName, Ty, Option<SymbolId>)> {
    let mut methods: Vec<(MemberName, Ty, Option<SymbolId>)> = Vec::new();
    let mut names: FxHashSet<MemberName> = FxHashSet::default();
    let mut seen: FxHashSet<Ty> = FxHashSet::default();
    let mut stack = vec![interface];
    while let Some(ty) = stack.pop() {
        if !seen.insert(ty) || seen.len() > 1000 {
            continue;
        }
        match types.get(ty) {
            Type::Interface(interface) => {
                for &(name, signature, symbol) in &interface.methods {
                    if names.insert(name) {
                        methods.push((name, signature, symbol));
                    }
                }
                stack.extend(interface.embeds.iter().rev());
            }
            Type::Named(symbol, args) => {
                if let Some(def) = def_of(*symbol) {
                    stack.push(subst(
                        types,
                        def.underlying,
                        Args {
                            owner: *symbol,
                            types: args,
                        },
                    ));
                }
            }
            _ => {}
        }
    }
    methods
}

/// Returns a type in which interface literals list the methods of their embedded interfaces,
/// because literals with equal type sets are identical (Go spec, Type identity).
///
/// ```go
/// interface{ io.Reader; Close() error } // -> interface{ Close() error; Read([]byte) (int, error) }
/// ```
pub fn flat(types: &Types, ty: Ty, def_of: &dyn Fn(SymbolId) -> Option<Arc<TypeDef>>) -> Ty {
    Flattening {
        types,
        def_of,
        expanding: Vec::new(),
        steps: 0,
    }
    .flat(ty)
}

/// An expansion of interface literals; see [`flat`].
struct Flattening<'a> {
    types: &'a Types,
    def_of: &'a dyn Fn(SymbolId) -> Option<Arc<TypeDef>>,
    /// The literals that are being expanded; a recursive occurrence is kept as it is.
    expanding: Vec<Ty>,
    steps: usize,
}

impl Flattening<'_> {
    fn flat(&mut self, ty: Ty) -> Ty {
        let types = self.types;
        self.steps += 1;
        if !types.has_embeds(ty) || self.steps > 1000 || self.expanding.contains(&ty) {
            return ty;
        }
        self.expanding.push(ty);
        let shape = match types.get(ty) {
            Type::Interface(interface) if !interface.embeds.is_empty() => {
                let mut methods = interface_methods(types, ty, self.def_of);
                methods.sort_by_key(|&(name, ..)| name);
                Type::Interface(Box::new(Interface {
                    methods: methods.into(),
                    embeds: interface
                        .embeds
                        .iter()
                        .copied()
                        .filter(|&ty| !self.is_interface(ty))
                        .collect(),
                    unions: interface.unions.clone(),
                    comparable: interface.comparable,
                }))
            }
            shape => shape.clone(),
        };
        let this = RefCell::new(&mut *self);
        let shape = types.map_parts(&shape, &|part| this.borrow_mut().flat(part));
        self.expanding.pop();
        types.intern(shape)
    }

    /// Returns whether an embedded type is an interface; an unknown one is kept.
    fn is_interface(&self, ty: Ty) -> bool {
        let under = match self.types.get(ty) {
            Type::Named(symbol, _) => (self.def_of)(*symbol).map(|def| def.underlying),
            _ => Some(ty),
        };
        under.is_some_and(|under| matches!(self.types.get(under), Type::Interface(_)))
    }
}

/// Returns the methods that a type or its pointer has, each with whether it is in the method set of
/// the type itself (Go spec, Method sets).
///
/// ```go
/// func (T) A()  // in the method sets of T and *T: (A, true)
/// func (*T) B() // in that of *T only:             (B, false)
/// ```
pub fn method_set(members: &Members) -> impl Iterator<Item = (&Member, bool)> + '_ {
    members.list.iter().filter_map(|member| match member.kind {
        MemberKind::Method { pointer } => Some((member, !pointer || member.through_pointer)),
        MemberKind::InterfaceMethod => Some((member, true)),
        MemberKind::Field | MemberKind::Ambiguous => None,
    })
}
