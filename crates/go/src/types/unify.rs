//! Type inference and type unification (Go spec, Type inference, Type unification).
//!
//! [`infer`] solves for the type arguments that a call leaves out. Type parameters become inference
//! variables; then, in this order:
//!
//! 1. Each typed argument is unified with its parameter's type.
//! 2. Core types and methods of constraints yield further equations, until nothing changes.
//! 3. A variable that only untyped constants are assigned to gets the default type of the largest
//!    kind among them.
//!
//! ```go
//! func Map[S ~[]E, E, R any](s S, f func(E) R) []R
//! Map(names, strings.ToUpper) // names has type Names; type Names []string
//! // 1. S = Names;  func(E) R = func(string) string, so E = string, R = string
//! // 2. core type of S: []E = []string, consistent
//! ```

use std::cell::Cell;

use codeweft_db::SymbolId;
use codeweft_go_syntax::ChanDir;

use super::subst::bounded;
use super::{Basic, MemberName, Ty, Type, Types};

/// The type definitions and constraints that inference needs.
pub trait UnderlyingTypes {
    /// Returns the type table.
    fn types(&self) -> &Types;
    /// Returns the underlying type.
    fn underlying(&self, ty: Ty) -> Ty;
    /// Returns the methods of an interface type, embedded ones included.
    fn interface_methods(&self, ty: Ty) -> Vec<(MemberName, Ty)>;
    /// Returns the signature of a method of any type.
    fn method(&self, ty: Ty, name: MemberName) -> Option<Ty>;
    /// Returns the core type of a constraint and whether it is written with `~`; `None` if it has
    /// none.
    fn core_of_constraint(&self, constraint: Ty) -> Option<(bool, Ty)>;
}

/// The limits on the nesting and on the number of types that unification compares: arguments that
/// contain each other are infinite.
const MAX_DEPTH: u32 = 50;
const MAX_STEPS: u32 = 20_000;

/// The first index of inference variables, encoded as type parameters and numbered across all
/// functions of an inference, because a call may pass a generic function to itself.
const FIRST_UNKNOWN: u16 = 0x4000;

/// A type parameter whose argument is inferred.
#[derive(Clone, Copy, Debug)]
pub struct InferredTypeParam {
    /// The written argument.
    pub explicit: Option<Ty>,
    /// Its constraint, in terms of inference variables.
    pub constraint: Ty,
}

/// Returns the type of the `number`-th variable of an inference, a parameter of `owner`.
pub fn unknown(types: &Types, owner: SymbolId, number: usize) -> Ty {
    types.intern(Type::Param(
        owner,
        FIRST_UNKNOWN + number.min(0x1000) as u16,
    ))
}

/// Infers the type arguments of a call: one per variable, [`Ty::UNKNOWN`] if it remains free.
///
/// `pairs` are the types of parameters with the types of their arguments, both in terms of
/// variables, untyped constants included.
pub fn infer(
    defs: &dyn UnderlyingTypes,
    unknowns: &[InferredTypeParam],
    pairs: &[(Ty, Ty)],
) -> Vec<Ty> {
    let types = defs.types();
    let mut unifier = Unifier {
        defs,
        bound: unknowns.iter().map(|unknown| unknown.explicit).collect(),
        steps: Cell::new(MAX_STEPS),
    };
    for &(parameter, argument) in pairs {
        if types.has_param(parameter) && !types.is_untyped(argument) && argument != Ty::UNKNOWN {
            unifier.unify(parameter, argument, false, 0);
        }
    }
    unifier.by_constraints(unknowns);
    // Untyped constants: the largest kind among all arguments of one parameter (Go spec, Type
    // inference).
    let mut greatest: Vec<Option<Basic>> = vec![None; unknowns.len()];
    for &(parameter, argument) in pairs {
        if let Some(slot) = unifier.parameter(parameter)
            && let Some(basic) = types.as_basic(argument)
            && basic.is_untyped()
            && basic != Basic::UntypedNil
        {
            greatest[slot] = greatest[slot].max(Some(basic));
        }
    }
    for (slot, basic) in unifier.bound.iter_mut().zip(greatest) {
        if slot.is_none()
            && let Some(basic) = basic
        {
            *slot = Some(Ty::basic(basic.default_type()));
        }
    }
    unifier.by_constraints(unknowns);
    (0..unknowns.len())
        .map(|slot| match unifier.bound[slot] {
            Some(bound) => unifier.known(bound, 0),
            None => Ty::UNKNOWN,
        })
        .collect()
}

/// The equations solved so far: the type of each inference variable, which may be another variable.
struct Unifier<'a> {
    defs: &'a dyn UnderlyingTypes,
    bound: Vec<Option<Ty>>,
    /// The remaining steps of [`MAX_STEPS`].
    steps: Cell<u32>,
}

impl Unifier<'_> {
    /// Applies the core types and methods of constraints until nothing changes, because they may
    /// determine variables in any order.
    fn by_constraints(&mut self, unknowns: &[InferredTypeParam]) {
        for _ in 0..unknowns.len() {
            let before = self.bound.clone();
            for (slot, unknown) in unknowns.iter().enumerate() {
                self.by_constraint(slot, unknown.constraint);
            }
            if self.bound == before {
                break;
            }
        }
    }

    /// Applies the core type and the methods of a constraint to a variable.
    fn by_constraint(&mut self, slot: usize, constraint: Ty) {
        let types = self.defs.types();
        let slot = self.root(slot);
        if let Some((tilde, core)) = self.defs.core_of_constraint(constraint) {
            match self.bound[slot] {
                Some(bound) => {
                    let bound = if tilde {
                        self.defs.underlying(bound)
                    } else {
                        bound
                    };
                    self.unify(core, bound, false, 0);
                }
                None if !tilde && self.parameter(core).is_none() => self.bound[slot] = Some(core),
                None => {}
            }
        }
        if let Some(bound) = self.bound[slot] {
            for (name, signature) in self.defs.interface_methods(constraint) {
                if types.has_param(signature)
                    && let Some(own) = self.defs.method(bound, name)
                {
                    self.unify(signature, own, true, 0);
                }
            }
        }
    }

    /// Returns the slot of an inference variable, followed to the variable that it was joined with.
    fn parameter(&self, ty: Ty) -> Option<usize> {
        match self.defs.types().get(ty) {
            Type::Param(_, index) if *index >= FIRST_UNKNOWN => {
                let slot = (*index - FIRST_UNKNOWN) as usize;
                (slot < self.bound.len()).then(|| self.root(slot))
            }
            _ => None,
        }
    }

    /// Returns the slot at the end of a chain of joined variables.
    fn root(&self, mut slot: usize) -> usize {
        for _ in 0..self.bound.len() {
            let Some(bound) = self.bound[slot] else { break };
            match self.defs.types().get(bound) {
                Type::Param(_, index) if *index >= FIRST_UNKNOWN => {
                    slot = (*index - FIRST_UNKNOWN) as usize;
                }
                _ => break,
            }
        }
        slot
    }

    /// Returns a type with all variables replaced, free ones by [`Ty::UNKNOWN`].
    fn known(&self, ty: Ty, depth: u32) -> Ty {
        let types = self.defs.types();
        if !types.has_param(ty) {
            return ty;
        }
        if depth > MAX_DEPTH || !self.step() {
            return Ty::UNKNOWN;
        }
        match self.parameter(ty) {
            Some(slot) => match self.bound[slot] {
                Some(bound) if self.parameter(bound).is_none() => self.known(bound, depth + 1),
                _ => Ty::UNKNOWN,
            },
            None => match types.get(ty) {
                Type::Param(..) => ty,
                shape => {
                    let shape = types.map_parts(shape, &|part| self.known(part, depth + 1));
                    bounded(types, types.intern(shape))
                }
            },
        }
    }

    /// Takes a step; returns whether one was left.
    fn step(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    /// Unifies a variable with a type.
    fn bind(&mut self, slot: usize, ty: Ty, exact: bool, depth: u32) -> bool {
        let Some(bound) = self.bound[slot] else {
            self.bound[slot] = Some(ty);
            return true;
        };
        let types = self.defs.types();
        if types.identical(bound, ty) {
            return true;
        }
        let fits = self.unify(bound, ty, exact, depth + 1);
        // Inexact unification keeps the defined type rather than its underlying type, and the
        // channel type that has a direction.
        let has_direction = |ty: Ty| match types.get(self.defs.underlying(ty)) {
            Type::Chan(dir, _) => *dir != ChanDir::Both,
            _ => false,
        };
        let named = |ty: Ty| matches!(types.get(ty), Type::Named(..));
        if fits
            && !exact
            && (has_direction(ty) && !has_direction(bound) || named(ty) && !has_direction(bound))
        {
            self.bound[slot] = Some(ty);
        }
        fits
    }

    /// Unifies two types that may contain variables. `exact` requires identity; inexact unification
    /// also accepts assignability, such as a defined type for its underlying type.
    fn unify(&mut self, left: Ty, right: Ty, exact: bool, depth: u32) -> bool {
        let types = self.defs.types();
        if depth > MAX_DEPTH || !self.step() {
            return false;
        }
        match (self.parameter(left), self.parameter(right)) {
            (Some(left), Some(right)) if left == right => return true,
            (Some(left_slot), Some(right_slot)) => {
                return match (self.bound[left_slot], self.bound[right_slot]) {
                    (None, _) => {
                        self.bound[left_slot] = Some(right);
                        true
                    }
                    (_, None) => {
                        self.bound[right_slot] = Some(left);
                        true
                    }
                    (Some(left), Some(right)) => self.unify(left, right, exact, depth + 1),
                };
            }
            (Some(slot), None) => return self.bind(slot, right, exact, depth),
            (None, Some(slot)) => return self.bind(slot, left, exact, depth),
            (None, None) => {}
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
            let left_under = self.defs.underlying(left);
            let right_under = self.defs.underlying(right);
            let is_interface = |ty| matches!(types.get(ty), Type::Interface(_));
            match (is_interface(left_under), is_interface(right_under)) {
                (false, false) => {}
                (true, false) => return self.unify_methods(left, right, depth),
                (false, true) => return self.unify_methods(right, left, depth),
                (true, true) => {
                    let count = |ty| self.defs.interface_methods(ty).len();
                    return if count(left) <= count(right) {
                        self.unify_methods(left, right, depth)
                    } else {
                        self.unify_methods(right, left, depth)
                    };
                }
            }
            match (left_shape, right_shape) {
                (Type::Named(..), Type::Named(..)) => return false,
                (Type::Named(..), _) => return self.unify(left_under, right, false, depth + 1),
                (_, Type::Named(..)) => {
                    return right_under != right && self.unify(left, right_under, false, depth + 1);
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
                (left_dir == right_dir || !exact) && self.unify(*left, *right, true, depth + 1)
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

    /// Unifies the methods of an interface with those of a type that must implement it.
    fn unify_methods(&mut self, interface: Ty, ty: Ty, depth: u32) -> bool {
        let mut all = true;
        for (name, signature) in self.defs.interface_methods(interface) {
            all &= match self.defs.method(ty, name) {
                Some(own) => self.unify(signature, own, true, depth + 1),
                None => false,
            };
        }
        all
    }
}
