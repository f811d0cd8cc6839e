//! Identity of types for some type arguments: whether two types that contain type parameters have
//! identical instances (Go spec, Type identity, Instantiations).
//!
//! ```go
//! func(T) []T  and  func(int) []int      // identical for T = int
//! func(T) []T  and  func(int) []string   // [`may_be_identical`]: yes, each T is free; [`Bindings`]: no
//! ```

use rustc_hash::FxHashMap;

use super::{Ty, Type, Types};

/// The limit on the number of compared parts; beyond it types count as identical.
const MAX_STEPS: u32 = 2_000;

/// Returns whether two types are identical or may be in an instance. Each occurrence of a type
/// parameter may denote any type.
pub fn may_be_identical(types: &Types, left: Ty, right: Ty) -> bool {
    IdentityCheck::new(types).identical(left, right)
}

/// Returns the same for two lists of types, element by element.
pub fn all_may_be_identical(types: &Types, left: &[Ty], right: &[Ty]) -> bool {
    IdentityCheck::new(types).all(left, right)
}

/// An assignment of types to type parameters under which all pairs of types compared so far are
/// identical.
pub struct Bindings<'t> {
    check: IdentityCheck<'t>,
}

impl<'t> Bindings<'t> {
    /// Returns an empty assignment.
    pub fn new(types: &'t Types) -> Bindings<'t> {
        let bound = Some(FxHashMap::default());
        Bindings {
            check: IdentityCheck {
                bound,
                ..IdentityCheck::new(types)
            },
        }
    }

    /// Returns whether two types are identical under the assignment, extending it by parameters
    /// that are still free.
    pub fn identical(&mut self, left: Ty, right: Ty) -> bool {
        self.check.identical(left, right)
    }
}

/// A comparison of types, bounded by steps.
struct IdentityCheck<'t> {
    types: &'t Types,
    steps: u32,
    /// The assignment; `None` if each occurrence of a parameter may denote any type.
    bound: Option<FxHashMap<Ty, Ty>>,
}

impl<'t> IdentityCheck<'t> {
    fn new(types: &'t Types) -> IdentityCheck<'t> {
        IdentityCheck {
            types,
            steps: MAX_STEPS,
            bound: None,
        }
    }

    fn all(&mut self, left: &[Ty], right: &[Ty]) -> bool {
        let mut pairs = left.iter().zip(right);
        left.len() == right.len() && pairs.all(|(&left, &right)| self.identical(left, right))
    }

    /// Assigns a type to a parameter, or compares it with the one assigned before.
    fn bind(&mut self, parameter: Ty, ty: Ty) -> bool {
        let Some(bound) = &mut self.bound else {
            return true;
        };
        match bound.get(&parameter) {
            Some(&known) => self.identical(known, ty),
            None => {
                bound.insert(parameter, ty);
                true
            }
        }
    }

    fn identical(&mut self, left: Ty, right: Ty) -> bool {
        let types = self.types;
        if types.identical(left, right) || self.steps == 0 {
            return true;
        }
        self.steps -= 1;
        if !types.has_param(left) && !types.has_param(right) {
            return false;
        }
        match (types.get(left), types.get(right)) {
            (Type::Param(..), _) => self.bind(left, right),
            (_, Type::Param(..)) => self.bind(right, left),
            (Type::Pointer(left), Type::Pointer(right))
            | (Type::Slice(left), Type::Slice(right)) => self.identical(*left, *right),
            (Type::Array(left, left_len), Type::Array(right, right_len)) => {
                left_len == right_len && self.identical(*left, *right)
            }
            (Type::Chan(left_dir, left), Type::Chan(right_dir, right)) => {
                left_dir == right_dir && self.identical(*left, *right)
            }
            (Type::Map(left_key, left), Type::Map(right_key, right)) => {
                self.all(&[*left_key, *left], &[*right_key, *right])
            }
            (Type::Func(left), Type::Func(right)) => {
                left.variadic == right.variadic
                    && self.all(&left.params, &right.params)
                    && self.all(&left.results, &right.results)
            }
            (Type::Named(left, left_args), Type::Named(right, right_args)) => {
                left == right && self.all(left_args, right_args)
            }
            // The insides of struct and interface literals with type parameters are not compared.
            (Type::Struct(left), Type::Struct(right)) => left.len() == right.len(),
            (Type::Interface(left), Type::Interface(right)) => {
                left.methods.len() == right.methods.len()
            }
            _ => false,
        }
    }
}
