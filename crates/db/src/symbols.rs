//! The symbol interner: an append-only table beside salsa, so that a symbol is a small `Copy`
//! number whose key can be read without a database handle.

use codeweft_syntax::interner::Interner;
use codeweft_syntax::{Lang, NameId};

use crate::Unit;

/// A declared entity, by its number in [`Symbols`]. The number differs from run to run: answers
/// must neither print it nor be ordered by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(u32);

impl SymbolId {
    /// Returns the number itself, for packing.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The identity of a symbol: everything that stays the same through unrelated edits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SymbolKey {
    /// The unit or package that declares it.
    pub declared_in: DeclaredIn,
    /// The enclosing symbol: the type of a field or method, the function of a local type. `None`
    /// for packages and their top-level declarations.
    pub parent: Option<SymbolId>,
    /// The kind of name.
    pub class: SymbolClass,
    /// The name.
    pub name: NameId,
    /// Distinguishes several symbols of one name.
    pub disambiguator: Disambiguator,
}

/// The scope that declares a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclaredIn {
    /// A loaded unit.
    Unit(Unit),
    /// A package that is imported but not loaded.
    Absent(NameId),
    /// The language's universe scope: Go's `error`.
    Builtin(Lang),
}

/// The kinds of names. Symbols of one parent and name may differ by them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SymbolClass {
    /// A package or module.
    Package,
    /// A type.
    Type,
    /// A function without receiver.
    Function,
    /// A method of a type or interface.
    Method,
    /// A struct field.
    Field,
    /// A constant.
    Constant,
    /// A variable.
    Variable,
}

/// The distinction between several symbols of one parent and name. It counts within one file, so
/// that no other file renumbers it. [`Disambiguator::ONLY`] unless the language lets the name
/// repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Disambiguator {
    /// The file's name, for names that may repeat across files (`init`, `_`).
    pub file: Option<NameId>,
    /// The number of symbols of that name before it in the file.
    pub n: u32,
}

impl Disambiguator {
    /// The usual case: the name does not repeat.
    pub const ONLY: Disambiguator = Disambiguator { file: None, n: 0 };
}

/// The table of symbols. Entries are never dropped or changed, so a lookup is pure.
#[derive(Default)]
pub struct Symbols {
    keys: Interner<SymbolKey>,
}

impl Symbols {
    /// Returns the number of `key`, assigning one if it has none.
    pub fn intern(&self, key: SymbolKey) -> SymbolId {
        SymbolId(self.keys.intern(&key, |_| (key, ())))
    }

    /// Returns the key of a symbol of this table.
    pub fn key(&self, symbol: SymbolId) -> SymbolKey {
        *self.keys.key(symbol.0)
    }

    /// Returns the number of symbols.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
