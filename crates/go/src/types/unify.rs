//! Type inference and unification (Go spec, Type inference, Type unification).

use std::cell::Cell;

use codeweft_db::SymbolId;
use codeweft_syntax::go::ChanDir;

use super::subst::bounded;
use super::{Basic, MemberName, Ty, Type, Types};

/// What stands behind types, as far as inference asks.
pub trait UnderlyingTypes {
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

/// How deep unification follows nested types, and how many it looks at: arguments that hold each
/// other have no end.
const MAX_DEPTH: u32 = 50;
const MAX_STEPS: u32 = 20_000;

/// Type parameters from this index on are the unknowns of an inference, numbered across all
/// functions that take part: a call may pass a generic function to itself.
const FIRST_UNKNOWN: u16 = 0x4000;

/// One type parameter whose argument is looked for.
#[derive(Clone, Copy, Debug)]
pub struct InferredTypeParam {
    /// What is written out.
    pub explicit: Option<Ty>,
    /// Its constraint, in terms of unknowns.
    pub constraint: Ty,
}

/// The type that stands for the `number`-th unknown of an inference, a parameter of `owner`.
pub fn unknown(types: &Types, owner: SymbolId, number: usize) -> Ty {
    types.intern(Type::Param(
        owner,
        FIRST_UNKNOWN + number.min(0x1000) as u16,
    ))
}

/// Infers the type arguments of a call: one for each unknown, [`Ty::UNKNOWN`] where it stays open.
///
/// `pairs` are parameter types with the types of their arguments, both in terms of unknowns,
/// untyped constants included.
pub fn infer(
    behind: &dyn UnderlyingTypes,
    unknowns: &[InferredTypeParam],
    pairs: &[(Ty, Ty)],
) -> Vec<Ty> {
    let types = behind.types();
    let mut unifier = Unifier {
        behind,
        bound: unknowns.iter().map(|unknown| unknown.explicit).collect(),
        steps: Cell::new(MAX_STEPS),
    };
    for &(parameter, argument) in pairs {
        if types.has_param(parameter) && !types.is_untyped(argument) && argument != Ty::UNKNOWN {
            unifier.unify(parameter, argument, false, 0);
        }
    }
    unifier.by_constraints(unknowns);
    // Untyped constants: the greatest kind among all arguments of one parameter.
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

struct Unifier<'a> {
    behind: &'a dyn UnderlyingTypes,
    bound: Vec<Option<Ty>>,
    /// What is left of [`MAX_STEPS`].
    steps: Cell<u32>,
}

impl Unifier<'_> {
    /// Core types and methods of constraints may give further arguments, in any order.
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

    fn by_constraint(&mut self, slot: usize, constraint: Ty) {
        let types = self.behind.types();
        let slot = self.root(slot);
        if let Some((tilde, core)) = self.behind.core_of_constraint(constraint) {
            match self.bound[slot] {
                Some(bound) => {
                    let bound = if tilde {
                        self.behind.underlying(bound)
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
            for (name, signature) in self.behind.interface_methods(constraint) {
                if types.has_param(signature)
                    && let Some(own) = self.behind.method(bound, name)
                {
                    self.unify(signature, own, true, 0);
                }
            }
        }
    }

    /// The slot of an unknown, followed to the one that it was joined with.
    fn parameter(&self, ty: Ty) -> Option<usize> {
        match self.behind.types().get(ty) {
            Type::Param(_, index) if *index >= FIRST_UNKNOWN => {
                let slot = (*index - FIRST_UNKNOWN) as usize;
                (slot < self.bound.len()).then(|| self.root(slot))
            }
            _ => None,
        }
    }

    fn root(&self, mut slot: usize) -> usize {
        for _ in 0..self.bound.len() {
            let Some(bound) = self.bound[slot] else { break };
            match self.behind.types().get(bound) {
                Type::Param(_, index) if *index >= FIRST_UNKNOWN => {
                    slot = (*index - FIRST_UNKNOWN) as usize;
                }
                _ => break,
            }
        }
        slot
    }

    /// A type with all unknowns replaced, open ones by [`Ty::UNKNOWN`].
    fn known(&self, ty: Ty, depth: u32) -> Ty {
        let types = self.behind.types();
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

    /// Counts a step; whether there was one left.
    fn step(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    /// Unifies an unknown with a type.
    fn bind(&mut self, slot: usize, ty: Ty, exact: bool, depth: u32) -> bool {
        let Some(bound) = self.bound[slot] else {
            self.bound[slot] = Some(ty);
            return true;
        };
        let types = self.behind.types();
        if types.identical(bound, ty) {
            return true;
        }
        let fits = self.unify(bound, ty, exact, depth + 1);
        // Of a defined type and its underlying type the defined one is kept, of two channels the
        // one with a direction.
        let has_direction = |ty: Ty| match types.get(self.behind.underlying(ty)) {
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

    /// Unifies two types that may hold unknowns.
    fn unify(&mut self, left: Ty, right: Ty, exact: bool, depth: u32) -> bool {
        let types = self.behind.types();
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
            let left_under = self.behind.underlying(left);
            let right_under = self.behind.underlying(right);
            let is_interface = |ty| matches!(types.get(ty), Type::Interface(_));
            match (is_interface(left_under), is_interface(right_under)) {
                (false, false) => {}
                (true, false) => return self.unify_methods(left, right, depth),
                (false, true) => return self.unify_methods(right, left, depth),
                (true, true) => {
                    let count = |ty| self.behind.interface_methods(ty).len();
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

    /// The methods of an interface with those of a type that must have them.
    fn unify_methods(&mut self, interface: Ty, ty: Ty, depth: u32) -> bool {
        let mut all = true;
        for (name, signature) in self.behind.interface_methods(interface) {
            all &= match self.behind.method(ty, name) {
                Some(own) => self.unify(signature, own, true, depth + 1),
                None => false,
            };
        }
        all
    }
}
