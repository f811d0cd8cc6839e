//! Sizes, alignments and offsets as the gc compiler lays values out (Go spec, Package unsafe; Size
//! and alignment guarantees).
//!
//! ```go
//! type T struct { a bool; b int64; c struct{} }
//! // amd64: a at 0, b at 8, c at 16; size 24: a byte of padding after c, then aligned to 8
//! ```

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::checker::Checker;
use crate::settings::settings;
use crate::types::{Basic, MemberName, StructField, Ty, Type};

/// The architectures with a word size of four bytes.
const FOUR_BYTE_ARCH: [&str; 6] = ["386", "arm", "armbe", "mips", "mipsle", "ppc"];

impl Checker<'_> {
    fn word_size(&self) -> i128 {
        match settings(self.cx.db) {
            Some(settings) if FOUR_BYTE_ARCH.contains(&settings.goarch.as_str()) => 4,
            _ => 8,
        }
    }

    /// Returns `unsafe.Sizeof` for a value of this type; `None` if it is not constant or unknown.
    pub(super) fn size_of(&self, ty: Ty) -> Option<i128> {
        Layout::new(self).size(ty)
    }

    /// Returns `unsafe.Alignof` for a value of this type.
    pub(super) fn align_of(&self, ty: Ty) -> Option<i128> {
        Layout::new(self).align(ty)
    }

    /// Returns `unsafe.Offsetof(x.name)` for `x` of type `ty`, through embedded structs.
    pub(super) fn offset_of(&self, ty: Ty, name: MemberName) -> Option<i128> {
        Layout::new(self).offset(self.lookup().deref(ty), name, 0)
    }
}

/// A computation of sizes, as `gcSizes` of package go/types.
struct Layout<'t, 'a> {
    checker: &'t Checker<'a>,
    word: i128,
    /// The sizes and alignments computed so far; `None` while in progress, because a type cannot
    /// contain itself.
    sizes: RefCell<FxHashMap<Ty, Option<i128>>>,
    aligns: RefCell<FxHashMap<Ty, Option<i128>>>,
}

impl<'t, 'a> Layout<'t, 'a> {
    fn new(checker: &'t Checker<'a>) -> Self {
        Layout {
            checker,
            word: checker.word_size(),
            sizes: RefCell::default(),
            aligns: RefCell::default(),
        }
    }

    fn size(&self, ty: Ty) -> Option<i128> {
        if let Some(&known) = self.sizes.borrow().get(&ty) {
            return known;
        }
        self.sizes.borrow_mut().insert(ty, None);
        let size = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.size_inner(ty));
        self.sizes.borrow_mut().insert(ty, size);
        size
    }

    fn size_inner(&self, ty: Ty) -> Option<i128> {
        Some(match self.shape(ty)? {
            Type::Pointer(_) | Type::Map(..) | Type::Chan(..) | Type::Func(_) => self.word,
            Type::Slice(_) => 3 * self.word,
            Type::Interface(_) => 2 * self.word,
            Type::Array(element, len) => self.size(*element)?.checked_mul(i128::from((*len)?))?,
            Type::Struct(fields) => self.struct_size(fields)?,
            Type::Basic(basic) => match basic {
                Basic::Bool | Basic::UntypedBool | Basic::Int8 | Basic::Uint8 => 1,
                Basic::Int16 | Basic::Uint16 => 2,
                Basic::Int32 | Basic::Uint32 | Basic::Float32 | Basic::UntypedRune => 4,
                Basic::Int64
                | Basic::Uint64
                | Basic::Float64
                | Basic::Complex64
                | Basic::UntypedFloat => 8,
                Basic::Complex128 | Basic::UntypedComplex => 16,
                Basic::String | Basic::UntypedString => 2 * self.word,
                Basic::Int
                | Basic::Uint
                | Basic::Uintptr
                | Basic::UnsafePointer
                | Basic::UntypedInt => self.word,
                Basic::UntypedNil => return None,
            },
            _ => return None,
        })
    }

    fn align(&self, ty: Ty) -> Option<i128> {
        if let Some(&known) = self.aligns.borrow().get(&ty) {
            return known;
        }
        self.aligns.borrow_mut().insert(ty, None);
        let align = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.align_inner(ty));
        self.aligns.borrow_mut().insert(ty, align);
        align
    }

    fn align_inner(&self, ty: Ty) -> Option<i128> {
        Some(match self.shape(ty)? {
            Type::Array(element, _) => self.align(*element)?,
            Type::Struct(fields) => {
                let mut max = 1;
                for field in fields {
                    max = max.max(self.align(field.ty)?);
                }
                max
            }
            Type::Slice(_) | Type::Interface(_) => self.word,
            Type::Basic(Basic::String | Basic::UntypedString) => self.word,
            Type::Basic(Basic::Complex64) => 4,
            Type::Basic(Basic::Complex128 | Basic::UntypedComplex) => self.word,
            _ => self.size(ty)?.clamp(1, self.word),
        })
    }

    /// Returns the size of a struct: fields are aligned, and a last field of size 0 is padded by a
    /// byte, so that its address stays inside the struct.
    fn struct_size(&self, fields: &[StructField]) -> Option<i128> {
        let (mut end, mut max) = (0i128, 1);
        for (at, field) in fields.iter().enumerate() {
            let align = self.align(field.ty)?;
            max = max.max(align);
            let start = aligned(end, align)?;
            let mut size = self.size(field.ty)?;
            if size == 0 && start > 0 && at + 1 == fields.len() {
                size = 1;
            }
            end = start.checked_add(size)?;
        }
        aligned(end, max)
    }

    /// Returns the offset of a field, searching embedded structs in order.
    fn offset(&self, ty: Ty, name: MemberName, depth: u32) -> Option<i128> {
        let Type::Struct(fields) = self.shape(ty)? else {
            return None;
        };
        // No code selects through deeper embeddings.
        if depth > 64 {
            return None;
        }
        let start_of = |at: usize| {
            let before = fields.get(..at)?;
            let mut end = 0i128;
            for field in before {
                let start = aligned(end, self.align(field.ty)?)?;
                end = start.checked_add(self.size(field.ty)?)?;
            }
            aligned(end, self.align(fields.get(at)?.ty)?)
        };
        if let Some(at) = fields.iter().position(|field| field.name == name) {
            return start_of(at);
        }
        let mut embedded = fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.embedded);
        embedded.find_map(|(at, field)| {
            let inner = self.offset(field.ty, name, depth + 1)?;
            start_of(at)?.checked_add(inner)
        })
    }

    /// Returns the shape of a type; `None` for type parameters, whose sizes are not constant.
    fn shape(&self, ty: Ty) -> Option<&'t Type> {
        let checker = self.checker;
        match checker.cx.types.get(ty) {
            Type::Param(..) => None,
            _ => Some(checker.cx.types.get(checker.lookup().core(ty))),
        }
    }
}

/// Returns the next multiple of `align`.
fn aligned(offset: i128, align: i128) -> Option<i128> {
    (offset.checked_add(align - 1)? / align).checked_mul(align)
}
