//! Type inference and unification (Go spec, Type inference, Type unification).

use codeweft_db::SymbolId;
use codeweft_syntax::go::ChanDir;

use super::{Args, Basic, MemberName, Ty, Type, Types, subst};

/// What stands behind types, as far as inference asks.
pub trait Behind {
    /// The table.
    fn types(&self) -> &Types;
    /// The underlying type.
    fn underlying(&self, ty: Ty) -> Ty;
    /// The methods of an interface type, embedded ones included.
    fn interface_methods(&self, ty: Ty) -> Vec<(MemberName, Ty)>;
    /// The signature of a method of any type.
    fn method(&self, ty: Ty, name: MemberName) -> Option<Ty>;
    /// The core type of a constraint and whether it is `~`; `None` without one.
    fn core_of_constraint(&self, constraint: Ty) -> Option<(bool, Ty)>;
}

/// How deep unification follows nested types.
const MAX_DEPTH: u32 = 50;

/// Infers the type arguments of a call.
///
/// `explicit` are the arguments that are written out; `constraints` has one entry for each type
/// parameter of `owner`; `pairs` are parameter types with the types of their arguments, untyped
/// constants included. Gives one type for each type parameter; what stays open is
/// [`Ty::UNKNOWN`].
pub fn infer(
    behind: &dyn Behind,
    owner: SymbolId,
    explicit: &[Ty],
    constraints: &[Ty],
    pairs: &[(Ty, Ty)],
) -> Vec<Ty> {
    let types = behind.types();
    let mut unifier = Unifier {
        behind,
        owner,
        bound: vec![None; constraints.len()],
    };
    for (slot, &ty) in unifier.bound.iter_mut().zip(explicit) {
        *slot = Some(ty);
    }
    for &(parameter, argument) in pairs {
        if types.has_param(parameter) && !types.is_untyped(argument) && argument != Ty::UNKNOWN {
            unifier.unify(parameter, argument, false, 0);
        }
    }
    // Core types and methods of constraints may give further parameters, in any order.
    for _ in 0..constraints.len() {
        let before = unifier.bound.clone();
        for (index, &constraint) in constraints.iter().enumerate() {
            unifier.by_constraint(index, constraint);
        }
        if unifier.bound == before {
            break;
        }
    }
    // Untyped constants: the greatest kind among all arguments of one parameter.
    let mut greatest: Vec<Option<Basic>> = vec![None; constraints.len()];
    for &(parameter, argument) in pairs {
        if let (Type::Param(of, index), Some(basic)) =
            (types.get(parameter), types.as_basic(argument))
            && *of == owner
            && basic.is_untyped()
            && basic != Basic::UntypedNil
            && let Some(slot) = greatest.get_mut(*index as usize)
        {
            *slot = (*slot).max(Some(basic));
        }
    }
    for (slot, basic) in unifier.bound.iter_mut().zip(greatest) {
        if slot.is_none()
            && let Some(basic) = basic
        {
            *slot = Some(Ty::basic(basic.default_type()));
        }
    }
    for _ in 0..constraints.len() {
        let before = unifier.bound.clone();
        for (index, &constraint) in constraints.iter().enumerate() {
            unifier.by_constraint(index, constraint);
        }
        if unifier.bound == before {
            break;
        }
    }
    unifier
        .bound
        .iter()
        .map(|bound| bound.unwrap_or(Ty::UNKNOWN))
        .collect()
}

struct Unifier<'a> {
    behind: &'a dyn Behind,
    owner: SymbolId,
    bound: Vec<Option<Ty>>,
}

impl Unifier<'_> {
    fn by_constraint(&mut self, index: usize, constraint: Ty) {
        let types = self.behind.types();
        if let Some((tilde, core)) = self.behind.core_of_constraint(constraint) {
            match self.bound[index] {
                Some(bound) => {
                    let bound = if tilde {
                        self.behind.underlying(bound)
                    } else {
                        bound
                    };
                    self.unify(core, bound, false, 0);
                }
                None => {
                    // `~[]E` with E known: the core itself is the best that can be said.
                    let known: Vec<Ty> = self
                        .bound
                        .iter()
                        .map(|bound| bound.unwrap_or(Ty::UNKNOWN))
                        .collect();
                    let ty = subst(
                        types,
                        core,
                        Args {
                            owner: self.owner,
                            types: &known,
                        },
                    );
                    if !types.has_param(ty) && !mentions_unknown(types, ty) {
                        self.bound[index] = Some(ty);
                    }
                }
            }
        }
        if let Some(bound) = self.bound[index] {
            for (name, signature) in self.behind.interface_methods(constraint) {
                if types.has_param(signature)
                    && let Some(own) = self.behind.method(bound, name)
                {
                    self.unify(signature, own, true, 0);
                }
            }
        }
    }

    fn parameter(&self, ty: Ty) -> Option<usize> {
        match self.behind.types().get(ty) {
            Type::Param(owner, index)
                if *owner == self.owner && (*index as usize) < self.bound.len() =>
            {
                Some(*index as usize)
            }
            _ => None,
        }
    }

    /// Unifies a type that may hold parameters with one that holds arguments.
    fn unify(&mut self, left: Ty, right: Ty, exact: bool, depth: u32) -> bool {
        let types = self.behind.types();
        if depth > MAX_DEPTH {
            return false;
        }
        if let Some(index) = self.parameter(left) {
            return match self.bound[index] {
                None => {
                    self.bound[index] = Some(right);
                    true
                }
                Some(bound) if types.identical(bound, right) => true,
                Some(bound) if self.parameter(bound).is_some() => true,
                Some(bound) => {
                    let fits = self.unify(bound, right, exact, depth + 1);
                    // Of a defined type and its underlying type the defined one is kept.
                    if fits && !exact && matches!(types.get(right), Type::Named(..)) {
                        self.bound[index] = Some(right);
                    }
                    fits
                }
            };
        }
        if types.identical(left, right) {
            return true;
        }
        let (left_shape, right_shape) = (types.get(left), types.get(right));
        if let (Type::Named(left_symbol, left_args), Type::Named(right_symbol, right_args)) =
            (left_shape, right_shape)
            && left_symbol == right_symbol
        {
            return left_args.len() == right_args.len()
                && left_args
                    .iter()
                    .zip(&**right_args)
                    .all(|(&left, &right)| self.unify(left, right, true, depth + 1));
        }
        if !exact {
            let left_under = self.behind.underlying(left);
            if let Type::Interface(_) = types.get(left_under) {
                let methods = self.behind.interface_methods(left);
                let mut all = true;
                for (name, signature) in methods {
                    all &= match self.behind.method(right, name) {
                        Some(own) => self.unify(signature, own, true, depth + 1),
                        None => false,
                    };
                }
                return all;
            }
            match (left_shape, right_shape) {
                (Type::Named(..), Type::Named(..)) => return false,
                (Type::Named(..), _) => return self.unify(left_under, right, false, depth + 1),
                (_, Type::Named(..)) => {
                    let under = self.behind.underlying(right);
                    return under != right && self.unify(left, under, false, depth + 1);
                }
                _ => {}
            }
        }
        match (left_shape, right_shape) {
            (Type::Pointer(left), Type::Pointer(right))
            | (Type::Slice(left), Type::Slice(right)) => self.unify(*left, *right, true, depth + 1),
            (Type::Array(left, left_len), Type::Array(right, right_len)) => {
                (left_len == right_len || left_len.is_none() || right_len.is_none())
                    && self.unify(*left, *right, true, depth + 1)
            }
            (Type::Map(left_key, left), Type::Map(right_key, right)) => {
                self.unify(*left_key, *right_key, true, depth + 1)
                    & self.unify(*left, *right, true, depth + 1)
            }
            (Type::Chan(left_dir, left), Type::Chan(right_dir, right)) => {
                (left_dir == right_dir || !exact && *right_dir == ChanDir::Both)
                    && self.unify(*left, *right, true, depth + 1)
            }
            (Type::Func(left), Type::Func(right)) => {
                left.params.len() == right.params.len()
                    && left.results.len() == right.results.len()
                    && left.variadic == right.variadic
                    && {
                        let left = left.params.iter().chain(&*left.results);
                        let right = right.params.iter().chain(&*right.results);
                        left.zip(right).fold(true, |all, (&left, &right)| {
                            all & self.unify(left, right, true, depth + 1)
                        })
                    }
            }
            (Type::Struct(left), Type::Struct(right)) => {
                left.len() == right.len()
                    && left.iter().zip(&**right).all(|(left, right)| {
                        left.name == right.name && self.unify(left.ty, right.ty, true, depth + 1)
                    })
            }
            (Type::Interface(left), Type::Interface(right)) => {
                left.methods.len() == right.methods.len()
                    && left
                        .methods
                        .iter()
                        .zip(&*right.methods)
                        .all(|(left, right)| {
                            left.0 == right.0 && self.unify(left.1, right.1, true, depth + 1)
                        })
            }
            _ => false,
        }
    }
}

fn mentions_unknown(types: &Types, ty: Ty) -> bool {
    match types.get(ty) {
        Type::Unknown => true,
        Type::Pointer(part) | Type::Slice(part) | Type::Array(part, _) | Type::Chan(_, part) => {
            mentions_unknown(types, *part)
        }
        Type::Map(key, value) => mentions_unknown(types, *key) || mentions_unknown(types, *value),
        Type::Func(signature) => signature
            .params
            .iter()
            .chain(&*signature.results)
            .any(|&part| mentions_unknown(types, part)),
        Type::Named(_, args) => args.iter().any(|&part| mentions_unknown(types, part)),
        _ => false,
    }
}
