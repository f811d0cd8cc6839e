//! Types that are identical for some type arguments.

use rustc_hash::FxHashMap;

use super::{Ty, Type, Types};

/// How many parts of two types are compared.
const MAX_STEPS: u32 = 2_000;

/// Whether two types are identical, or may be in an instance of the code around: a type parameter
/// may stand for anything.
pub fn may_be_identical(types: &Types, left: Ty, right: Ty) -> bool {
    IdentityCheck::new(types).alike(left, right)
}

/// As [`may_be_identical`], of lists.
pub fn all_alike(types: &Types, left: &[Ty], right: &[Ty]) -> bool {
    IdentityCheck::new(types).all(left, right)
}

/// What type parameters stand for so that pairs of types are identical (Go spec, Type identity,
/// Instantiations): one type each, in all pairs that are asked of one.
pub struct Bindings<'t> {
    likeness: IdentityCheck<'t>,
}

impl<'t> Bindings<'t> {
    /// Nothing is bound.
    pub fn new(types: &'t Types) -> Bindings<'t> {
        let bound = Some(FxHashMap::default());
        Bindings {
            likeness: IdentityCheck {
                bound,
                ..IdentityCheck::new(types)
            },
        }
    }

    /// Whether two types are identical for what the parameters stand for so far, and for those
    /// that this pair binds.
    pub fn identical(&mut self, left: Ty, right: Ty) -> bool {
        self.likeness.alike(left, right)
    }
}

struct IdentityCheck<'t> {
    types: &'t Types,
    steps: u32,
    /// What parameters stand for; `None` where each may stand for anything at each place.
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
        left.len() == right.len() && pairs.all(|(&left, &right)| self.alike(left, right))
    }

    /// A parameter stands for a type, where it stands for none yet.
    fn bind(&mut self, parameter: Ty, ty: Ty) -> bool {
        let Some(bound) = &mut self.bound else {
            return true;
        };
        match bound.get(&parameter) {
            Some(&known) => self.alike(known, ty),
            None => {
                bound.insert(parameter, ty);
                true
            }
        }
    }

    fn alike(&mut self, left: Ty, right: Ty) -> bool {
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
            | (Type::Slice(left), Type::Slice(right)) => self.alike(*left, *right),
            (Type::Array(left, left_len), Type::Array(right, right_len)) => {
                left_len == right_len && self.alike(*left, *right)
            }
            (Type::Chan(left_dir, left), Type::Chan(right_dir, right)) => {
                left_dir == right_dir && self.alike(*left, *right)
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
            // Literals of structs and interfaces with parameters inside are not looked into.
            (Type::Struct(left), Type::Struct(right)) => left.len() == right.len(),
            (Type::Interface(left), Type::Interface(right)) => {
                left.methods.len() == right.methods.len()
            }
            _ => false,
        }
    }
}
