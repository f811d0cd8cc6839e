//! Symbols by number: an append-only table beside salsa.

use codeweft_syntax::{Lang, NameId};
use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::Unit;

/// A declared thing by its number in [`Symbols`]. The number differs from run to run: nothing is
/// printed or ordered by it in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The number itself, for packing.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// What a symbol is, by everything that keeps it the same through unrelated edits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SymbolKey {
    /// Where it is declared.
    pub declared_in: DeclaredIn,
    /// The symbol around it: the type of a field or method, the function of a local type.
    /// `None` for packages and what they declare.
    pub parent: Option<SymbolId>,
    /// What kind of name it is.
    pub class: SymbolClass,
    /// Its name.
    pub name: NameId,
    /// Which of several of one name.
    pub disambiguator: Disambiguator,
}

/// Where a symbol is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclaredIn {
    /// A loaded unit.
    Unit(Unit),
    /// A package that is named by an import but not loaded.
    Absent(NameId),
    /// The language's universe: Go's `error`.
    Builtin(Lang),
}

/// Kind classes: two symbols of one parent and name differ by them.
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

/// Which of several symbols of one parent and name; counted inside one file, so that no other
/// file renumbers it. [`Disambiguator::ONLY`] unless the language lets the name repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Disambiguator {
    /// The file's name for names that may repeat over files (`init`, `_`).
    pub file: Option<NameId>,
    /// How many stand before it in that file.
    pub n: u32,
}

impl Disambiguator {
    /// The usual case.
    pub const ONLY: Disambiguator = Disambiguator { file: None, n: 0 };
}

/// The table of symbols. Entries are never dropped or changed, so reading one is pure.
#[derive(Default)]
pub struct Symbols {
    numbers: DashMap<SymbolKey, u32, FxBuildHasher>,
    keys: boxcar::Vec<SymbolKey>,
}

impl Symbols {
    /// The number of `key`, given now if it has none.
    pub fn intern(&self, key: SymbolKey) -> SymbolId {
        if let Some(number) = self.numbers.get(&key) {
            return SymbolId(*number);
        }
        let number = self
            .numbers
            .entry(key)
            .or_insert_with(|| u32::try_from(self.keys.push(key)).expect("under 2^32 symbols"));
        SymbolId(*number)
    }

    /// What a symbol of this table is.
    pub fn key(&self, symbol: SymbolId) -> SymbolKey {
        self.keys[symbol.0 as usize]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.keys.count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
