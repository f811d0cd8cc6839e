//! The append-only table of types.
//!
//! Each distinct shape is interned once. Beside its number, an entry has a canonical number, which
//! is equal for identical types (Go spec, Type identity): shapes may remember declarations that
//! identity ignores.
//!
//! ```go
//! type A struct{ x int } // Struct([x int, declared by A.x]) ┐ two numbers,
//! type B struct{ x int } // Struct([x int, declared by B.x]) ┘ one canonical: Struct([x int])
//! ```
//!
//! Defined types are leaves: `Named(symbol, args)` does not contain its definition, so recursive
//! types are finite.

use codeweft_db::{Db, SymbolId};
use codeweft_go_syntax::ChanDir;
use codeweft_syntax::interner::Interner;

use super::MemberName;

/// A type, by its number in [`Types`]. Numbers differ from run to run: answers must neither print
/// them nor be ordered by them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(u32);

/// The basic and untyped types (Go spec, Boolean types, Numeric types, String types, Constants).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u32)]
pub enum Basic {
    Bool,
    String,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Uintptr,
    Float32,
    Float64,
    Complex64,
    Complex128,
    UnsafePointer,
    UntypedBool,
    UntypedString,
    UntypedInt,
    UntypedRune,
    UntypedFloat,
    UntypedComplex,
    UntypedNil,
}

impl Basic {
    const ALL: [Basic; 25] = [
        Basic::Bool,
        Basic::String,
        Basic::Int,
        Basic::Int8,
        Basic::Int16,
        Basic::Int32,
        Basic::Int64,
        Basic::Uint,
        Basic::Uint8,
        Basic::Uint16,
        Basic::Uint32,
        Basic::Uint64,
        Basic::Uintptr,
        Basic::Float32,
        Basic::Float64,
        Basic::Complex64,
        Basic::Complex128,
        Basic::UnsafePointer,
        Basic::UntypedBool,
        Basic::UntypedString,
        Basic::UntypedInt,
        Basic::UntypedRune,
        Basic::UntypedFloat,
        Basic::UntypedComplex,
        Basic::UntypedNil,
    ];

    /// Returns the type that an untyped constant has where a typed value is needed (Go spec,
    /// Constants).
    pub fn default_type(self) -> Basic {
        match self {
            Basic::UntypedBool => Basic::Bool,
            Basic::UntypedString => Basic::String,
            Basic::UntypedInt => Basic::Int,
            Basic::UntypedRune => Basic::Int32,
            Basic::UntypedFloat => Basic::Float64,
            Basic::UntypedComplex => Basic::Complex128,
            other => other,
        }
    }

    /// Returns whether it is the type of an untyped constant or of `nil`.
    pub fn is_untyped(self) -> bool {
        self >= Basic::UntypedBool
    }
}

/// The shape of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An unknown type: its members are unknown, and calls on it are unresolved.
    Unknown,
    /// A basic or untyped type.
    Basic(Basic),
    /// `*T`
    Pointer(Ty),
    /// `[]T`
    Slice(Ty),
    /// `[n]T`; `None` if the length could not be computed.
    Array(Ty, Option<i64>),
    /// `map[K]V`
    Map(Ty, Ty),
    /// A channel type.
    Chan(ChanDir, Ty),
    /// A function type.
    Func(Signature),
    /// Several results of a call.
    Tuple(Box<[Ty]>),
    /// A struct type literal.
    Struct(Box<[StructField]>),
    /// An interface type literal.
    Interface(Box<Interface>),
    /// A defined type with its type arguments. Its definition is looked up when needed.
    Named(SymbolId, Box<[Ty]>),
    /// The type parameter of this index of a generic type, function or method.
    Param(SymbolId, u16),
}

/// A function type without receiver. The last parameter of a variadic one is a slice.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The types of the parameters.
    pub params: Box<[Ty]>,
    /// The types of the results.
    pub results: Box<[Ty]>,
    /// Whether the last parameter is `...T`.
    pub variadic: bool,
}

/// A field of a struct type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructField {
    /// Its name.
    pub name: MemberName,
    /// Its type.
    pub ty: Ty,
    /// Whether it is embedded.
    pub embedded: bool,
    /// A hash of its tag; 0 without one.
    pub tag: u32,
    /// Its declaration; `None` in canonical forms and in literals inside bodies.
    pub symbol: Option<SymbolId>,
}

/// An interface type literal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Interface {
    /// The explicit methods with their declarations (`None` as for fields), sorted by name.
    pub methods: Box<[(MemberName, Ty, Option<SymbolId>)]>,
    /// The embedded interfaces, and any other single embedded type.
    pub embeds: Box<[Ty]>,
    /// The unions and `~T` elements.
    pub unions: Box<[Union]>,
    /// Whether it embeds `comparable`.
    pub comparable: bool,
}

/// The terms of a union: whether written with `~`, and the type.
pub type Union = Box<[(bool, Ty)]>;

/// The precomputed properties of a type.
struct Properties {
    canonical: u32,
    has_param: bool,
    has_embeds: bool,
    /// The number of types that it consists of, each occurrence counted.
    size: u32,
}

/// The table of all types that were met. Entries are never dropped or changed, so a lookup is pure.
pub struct Types {
    entries: Interner<Type, Properties>,
}

impl Ty {
    /// The unknown type.
    pub const UNKNOWN: Ty = Ty(0);
    /// `interface{}`, of which `any` is an alias.
    pub const ANY: Ty = Ty(26);
    /// The absence of a value: the result of a function without results.
    pub const NOTHING: Ty = Ty(27);

    /// Returns a basic type.
    pub const fn basic(basic: Basic) -> Ty {
        Ty(1 + basic as u32)
    }

    /// Returns the number itself, for rows outside this crate.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Returns the type table, which is kept beside the database.
pub fn table(db: &dyn Db) -> &Types {
    db.shared().language_tables.get::<Types>()
}

impl Default for Types {
    fn default() -> Self {
        let types = Types {
            entries: Interner::default(),
        };
        types.intern(Type::Unknown);
        for basic in Basic::ALL {
            types.intern(Type::Basic(basic));
        }
        types.intern(Type::Interface(Box::default()));
        types.intern(Type::Tuple(Box::default()));
        types
    }
}

impl Types {
    /// Returns the number of a type, assigning one if it has none.
    pub fn intern(&self, shape: Type) -> Ty {
        if let Some(number) = self.entries.find(&shape) {
            return Ty(number);
        }
        let canonical = self
            .canonical_shape(&shape)
            .map(|canonical| self.intern(canonical).0);
        let has_param = match &shape {
            Type::Param(..) => true,
            other => self.any_part(other, |part| self.has_param(part)),
        };
        let has_embeds = match &shape {
            Type::Interface(interface) if !interface.embeds.is_empty() => true,
            other => self.any_part(other, |part| self.has_embeds(part)),
        };
        let mut size = 1u32;
        self.any_part(&shape, |part| {
            size = size.saturating_add(self.size(part));
            false
        });
        let properties = |number| Properties {
            canonical: canonical.unwrap_or(number),
            has_param,
            has_embeds,
            size,
        };
        let row = |number| (shape.clone(), properties(number));
        Ty(self.entries.intern(&shape, row))
    }

    /// Returns the type of a number from [`Ty::number`]; `None` if it is out of range.
    pub fn of_number(&self, number: u32) -> Option<Ty> {
        self.entries.get(number).map(|_| Ty(number))
    }

    /// Returns the shape of a type.
    pub fn get(&self, ty: Ty) -> &Type {
        self.entries.key(ty.0)
    }

    /// Returns the canonical form, equal for identical types (Go spec, Type identity).
    pub fn canonical(&self, ty: Ty) -> Ty {
        Ty(self.entries.value(ty.0).canonical)
    }

    /// Returns whether two types are identical.
    pub fn identical(&self, left: Ty, right: Ty) -> bool {
        left == right || self.canonical(left) == self.canonical(right)
    }

    /// Returns whether a type parameter occurs in the type.
    pub fn has_param(&self, ty: Ty) -> bool {
        self.entries.value(ty.0).has_param
    }

    /// Returns whether an interface literal with embedded elements occurs in the type.
    pub fn has_embeds(&self, ty: Ty) -> bool {
        self.entries.value(ty.0).has_embeds
    }

    /// Returns the number of types that it consists of, each occurrence counted. Chains of generic
    /// aliases can double it per line of text.
    pub fn size(&self, ty: Ty) -> u32 {
        self.entries.value(ty.0).size
    }

    /// Returns `*ty`.
    pub fn pointer(&self, ty: Ty) -> Ty {
        self.intern(Type::Pointer(ty))
    }

    /// Returns `[]ty`.
    pub fn slice(&self, ty: Ty) -> Ty {
        self.intern(Type::Slice(ty))
    }

    /// Returns a single result as itself, several or none as a tuple.
    pub fn tuple(&self, parts: Box<[Ty]>) -> Ty {
        match *parts {
            [one] => one,
            _ => self.intern(Type::Tuple(parts)),
        }
    }

    /// Returns the basic type if `ty` is one.
    pub fn as_basic(&self, ty: Ty) -> Option<Basic> {
        match self.get(ty) {
            Type::Basic(basic) => Some(*basic),
            _ => None,
        }
    }

    /// Returns the default type of an untyped type, and any other type as it is (Go spec,
    /// Constants).
    pub fn default_type(&self, ty: Ty) -> Ty {
        match self.as_basic(ty) {
            Some(Basic::UntypedNil) => Ty::UNKNOWN,
            Some(basic) => Ty::basic(basic.default_type()),
            None => ty,
        }
    }

    /// Returns whether it is the type of an untyped constant or of `nil`.
    pub fn is_untyped(&self, ty: Ty) -> bool {
        self.as_basic(ty).is_some_and(Basic::is_untyped)
    }

    /// Returns whether a condition holds for any direct part of a shape.
    fn any_part(&self, shape: &Type, mut holds: impl FnMut(Ty) -> bool) -> bool {
        match shape {
            Type::Unknown | Type::Basic(_) | Type::Param(..) => false,
            Type::Pointer(part)
            | Type::Slice(part)
            | Type::Array(part, _)
            | Type::Chan(_, part) => holds(*part),
            Type::Map(key, value) => holds(*key) || holds(*value),
            Type::Func(signature) => signature
                .params
                .iter()
                .chain(&*signature.results)
                .any(|&part| holds(part)),
            Type::Tuple(parts) | Type::Named(_, parts) => parts.iter().any(|&part| holds(part)),
            Type::Struct(fields) => fields.iter().any(|field| holds(field.ty)),
            Type::Interface(interface) => {
                interface.methods.iter().any(|&(_, part, _)| holds(part))
                    || interface.embeds.iter().any(|&part| holds(part))
                    || interface
                        .unions
                        .iter()
                        .flatten()
                        .any(|&(_, part)| holds(part))
            }
        }
    }

    /// Returns the canonical shape if it differs from `shape`: declarations removed, parts
    /// canonical.
    fn canonical_shape(&self, shape: &Type) -> Option<Type> {
        let declared = match shape {
            Type::Struct(fields) => fields.iter().any(|field| field.symbol.is_some()),
            Type::Interface(interface) => interface.methods.iter().any(|(_, _, s)| s.is_some()),
            _ => false,
        };
        if !declared && !self.any_part(shape, |part| self.canonical(part) != part) {
            return None;
        }
        let canonical = |part: Ty| self.canonical(part);
        Some(match self.map_parts(shape, &canonical) {
            Type::Struct(mut fields) => {
                fields.iter_mut().for_each(|field| field.symbol = None);
                Type::Struct(fields)
            }
            Type::Interface(mut interface) => {
                interface
                    .methods
                    .iter_mut()
                    .for_each(|method| method.2 = None);
                Type::Interface(interface)
            }
            other => other,
        })
    }

    /// Returns a shape with every direct part replaced.
    pub fn map_parts(&self, shape: &Type, map: &dyn Fn(Ty) -> Ty) -> Type {
        let all = |parts: &[Ty]| -> Box<[Ty]> { parts.iter().map(|&part| map(part)).collect() };
        match shape {
            Type::Unknown | Type::Basic(_) | Type::Param(..) => shape.clone(),
            Type::Pointer(part) => Type::Pointer(map(*part)),
            Type::Slice(part) => Type::Slice(map(*part)),
            Type::Array(part, len) => Type::Array(map(*part), *len),
            Type::Map(key, value) => Type::Map(map(*key), map(*value)),
            Type::Chan(dir, part) => Type::Chan(*dir, map(*part)),
            Type::Func(signature) => Type::Func(Signature {
                params: all(&signature.params),
                results: all(&signature.results),
                variadic: signature.variadic,
            }),
            Type::Tuple(parts) => Type::Tuple(all(parts)),
            Type::Named(symbol, args) => Type::Named(*symbol, all(args)),
            Type::Struct(fields) => Type::Struct(
                fields
                    .iter()
                    .map(|field| StructField {
                        ty: map(field.ty),
                        ..field.clone()
                    })
                    .collect(),
            ),
            Type::Interface(interface) => Type::Interface(Box::new(Interface {
                methods: interface
                    .methods
                    .iter()
                    .map(|&(n, ty, s)| (n, map(ty), s))
                    .collect(),
                embeds: all(&interface.embeds),
                unions: interface
                    .unions
                    .iter()
                    .map(|union| union.iter().map(|&(tilde, ty)| (tilde, map(ty))).collect())
                    .collect(),
                comparable: interface.comparable,
            })),
        }
    }
}
