//! Substitution of type parameters (Go spec, Instantiations).
//!
//! ```text
//! subst(map[K][]V, [K -> string, V -> int]) = map[string][]int
//! ```

use codeweft_db::SymbolId;

use super::{Ty, Type, Types};

/// The type arguments for the type parameters of one declaration.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    /// The declaration whose parameters are replaced.
    pub owner: SymbolId,
    /// The arguments in order; parameters without one stay as they are.
    pub types: &'a [Ty],
}

/// The nesting beyond which substitution returns the unknown type: expanding types such as `type
/// T[P any] struct { f *T[[]P] }` are legal and infinite.
const MAX_DEPTH: u32 = 100;

/// The size beyond which a type is replaced by the unknown type. Only pathological code reaches it,
/// and walks over such a type would not end in reasonable time.
pub const MAX_SIZE: u32 = 10_000;

/// Returns `ty` with the parameters of `args.owner` replaced.
pub fn subst(types: &Types, ty: Ty, args: Args<'_>) -> Ty {
    if args.types.is_empty() {
        ty
    } else {
        subst_at(types, ty, args, 0)
    }
}

fn subst_at(types: &Types, ty: Ty, args: Args<'_>, depth: u32) -> Ty {
    if !types.has_param(ty) {
        return ty;
    }
    if depth > MAX_DEPTH {
        return Ty::UNKNOWN;
    }
    match types.get(ty) {
        Type::Param(owner, index) if *owner == args.owner => {
            args.types.get(*index as usize).copied().unwrap_or(ty)
        }
        Type::Param(..) => ty,
        shape => {
            let shape = types.map_parts(shape, &|part| subst_at(types, part, args, depth + 1));
            bounded(types, types.intern(shape))
        }
    }
}

/// Returns the type itself, or the unknown type if it is too large.
pub fn bounded(types: &Types, ty: Ty) -> Ty {
    if types.size(ty) > MAX_SIZE {
        Ty::UNKNOWN
    } else {
        ty
    }
}
