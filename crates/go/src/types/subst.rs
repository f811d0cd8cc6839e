//! Substitution of type parameters (Go spec, Instantiations).

use codeweft_db::SymbolId;

use super::{Ty, Type, Types};

/// The arguments for the type parameters of one owner.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    /// Whose parameters they replace.
    pub owner: SymbolId,
    /// One for each parameter; further parameters stay as they are.
    pub types: &'a [Ty],
}

/// Nesting of a type beyond which substitution gives the unknown type: expanding types such as
/// `type T[P any] struct { f *T[[]P] }` are legal and endless.
const MAX_DEPTH: u32 = 100;

/// The size of a type beyond which it is not built: nobody writes it, and walks over it would not
/// end.
pub const MAX_SIZE: u32 = 10_000;

/// `ty` with the parameters of `args.owner` replaced.
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

/// The type itself, or the unknown type where it is too large.
pub fn bounded(types: &Types, ty: Ty) -> Ty {
    if types.size(ty) > MAX_SIZE {
        Ty::UNKNOWN
    } else {
        ty
    }
}
