//! The universe block (Go spec, Predeclared identifiers) and package `unsafe`.

use std::sync::{Arc, OnceLock};

use codeweft_db::{Db, DeclaredIn, Disambiguator, NameId, SymbolClass, SymbolId, SymbolKey};
use codeweft_go_syntax::GO;
use rustc_hash::FxHashMap;

use crate::definitions::TypeDef;
use crate::types::{Basic, Interface, MemberName, Signature, Ty, Type, table};

/// The meaning of a predeclared name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predeclared {
    /// A type.
    Type(Ty),
    /// `true` or `false`.
    Const(Ty),
    /// `iota`.
    Iota,
    /// `nil`.
    Nil,
    /// A built-in function.
    Builtin(Builtin),
}

/// The built-in functions, including those of `unsafe`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Append,
    Cap,
    Clear,
    Close,
    Complex,
    Copy,
    Delete,
    Imag,
    Len,
    Make,
    Max,
    Min,
    New,
    Panic,
    Print,
    Println,
    Real,
    Recover,
    Alignof,
    Offsetof,
    Sizeof,
    Add,
    Slice,
    SliceData,
    String,
    StringData,
}

#[derive(Default)]
struct Table {
    names: OnceLock<FxHashMap<NameId, Predeclared>>,
    error: OnceLock<Arc<TypeDef>>,
}

/// Returns the meaning of a name in the universe block.
pub fn lookup(db: &dyn Db, name: NameId) -> Option<Predeclared> {
    let table = db.shared().language_tables.get::<Table>();
    table
        .names
        .get_or_init(|| predeclared(db))
        .get(&name)
        .copied()
}

/// Returns the meaning of a name in package `unsafe`.
pub fn lookup_unsafe(name: &str) -> Option<Predeclared> {
    Some(match name {
        "Pointer" => Predeclared::Type(Ty::basic(Basic::UnsafePointer)),
        "Alignof" => Predeclared::Builtin(Builtin::Alignof),
        "Offsetof" => Predeclared::Builtin(Builtin::Offsetof),
        "Sizeof" => Predeclared::Builtin(Builtin::Sizeof),
        "Add" => Predeclared::Builtin(Builtin::Add),
        "Slice" => Predeclared::Builtin(Builtin::Slice),
        "SliceData" => Predeclared::Builtin(Builtin::SliceData),
        "String" => Predeclared::Builtin(Builtin::String),
        "StringData" => Predeclared::Builtin(Builtin::StringData),
        _ => return None,
    })
}

fn predeclared(db: &dyn Db) -> FxHashMap<NameId, Predeclared> {
    let names = &db.shared().names;
    let types = [
        ("bool", Basic::Bool),
        ("string", Basic::String),
        ("int", Basic::Int),
        ("int8", Basic::Int8),
        ("int16", Basic::Int16),
        ("int32", Basic::Int32),
        ("int64", Basic::Int64),
        ("rune", Basic::Int32),
        ("uint", Basic::Uint),
        ("uint8", Basic::Uint8),
        ("byte", Basic::Uint8),
        ("uint16", Basic::Uint16),
        ("uint32", Basic::Uint32),
        ("uint64", Basic::Uint64),
        ("uintptr", Basic::Uintptr),
        ("float32", Basic::Float32),
        ("float64", Basic::Float64),
        ("complex64", Basic::Complex64),
        ("complex128", Basic::Complex128),
    ];
    let functions = [
        ("append", Builtin::Append),
        ("cap", Builtin::Cap),
        ("clear", Builtin::Clear),
        ("close", Builtin::Close),
        ("complex", Builtin::Complex),
        ("copy", Builtin::Copy),
        ("delete", Builtin::Delete),
        ("imag", Builtin::Imag),
        ("len", Builtin::Len),
        ("make", Builtin::Make),
        ("max", Builtin::Max),
        ("min", Builtin::Min),
        ("new", Builtin::New),
        ("panic", Builtin::Panic),
        ("print", Builtin::Print),
        ("println", Builtin::Println),
        ("real", Builtin::Real),
        ("recover", Builtin::Recover),
    ];
    let comparable = table(db).intern(Type::Interface(Box::new(Interface {
        comparable: true,
        ..Interface::default()
    })));
    let boolean = Ty::basic(Basic::UntypedBool);
    types
        .into_iter()
        .map(|(name, basic)| (name, Predeclared::Type(Ty::basic(basic))))
        .chain(
            functions
                .into_iter()
                .map(|(name, builtin)| (name, Predeclared::Builtin(builtin))),
        )
        .chain([
            ("any", Predeclared::Type(Ty::ANY)),
            ("comparable", Predeclared::Type(comparable)),
            (
                "error",
                Predeclared::Type(table(db).intern(Type::Named(error(db), Box::default()))),
            ),
            ("true", Predeclared::Const(boolean)),
            ("false", Predeclared::Const(boolean)),
            ("iota", Predeclared::Iota),
            ("nil", Predeclared::Nil),
        ])
        .map(|(name, predeclared)| (names.intern(name), predeclared))
        .collect()
}

/// Returns the symbol of the type `error`.
pub fn error(db: &dyn Db) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Builtin(GO),
        parent: None,
        class: SymbolClass::Type,
        name: db.shared().names.intern("error"),
        disambiguator: Disambiguator::ONLY,
    })
}

/// Returns the symbol of the method `error.Error`.
pub fn error_method(db: &dyn Db) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Builtin(GO),
        parent: Some(error(db)),
        class: SymbolClass::Method,
        name: db.shared().names.intern("Error"),
        disambiguator: Disambiguator::ONLY,
    })
}

/// Returns the signature of the method `error.Error`.
pub fn error_signature(db: &dyn Db) -> Ty {
    table(db).intern(Type::Func(Signature {
        params: Box::default(),
        results: Box::new([Ty::basic(Basic::String)]),
        variadic: false,
    }))
}

/// Returns the definition of `error`.
pub fn type_def(db: &dyn Db, symbol: SymbolId) -> Option<Arc<TypeDef>> {
    if symbol != error(db) {
        return None;
    }
    let own = db.shared().language_tables.get::<Table>();
    let def = own.error.get_or_init(|| {
        let name = MemberName {
            name: db.shared().names.intern("Error"),
            package: None,
        };
        let interface = Interface {
            methods: Box::new([(name, error_signature(db), Some(error_method(db)))]),
            ..Interface::default()
        };
        Arc::new(TypeDef {
            symbol,
            params: Arc::new([]),
            underlying: table(db).intern(Type::Interface(Box::new(interface))),
            methods: Box::default(),
        })
    });
    Some(def.clone())
}
