//! What keeps a declaration in use although no text uses it: the rules of a language by which the graph
//! says what is unused.
//!
//! ```go
//! func main() {}                   // Keeper::Start: it runs without a call
//! func Parse() {}                  // Keeper::Api, in a package that other modules can import
//! type T struct{ sync.Mutex }      // Keeper::Parent: the embedded field is used with T
//! //go:linkname now time.now      // a hidden use of time.now
//! ```

use crate::{Db, File, Reason, Semantics, SymbolClass, SymbolId, Unit};

/// A type whose values become values of an interface at a token: from there on its methods run by the
/// names of interfaces, and reflection sees its fields. Types that it consists of count too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BoxedType {
    /// The type; for an instance its generic type.
    pub ty: SymbolId,
    /// See [`crate::Use::body`].
    pub body: u32,
    /// See [`crate::Use::occ`].
    pub occ: u32,
}

/// The way a declaration is used without a use in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Keeper {
    /// The program or its runtime begins there: `main`, `init`, an entry point, a decorated handler.
    Start,
    /// A test runner runs it as a test.
    Test,
    /// A test runner runs it around tests: what sets them up, its hooks.
    TestSupport,
    /// Other projects can name it: the exported names of a library.
    Api,
    /// It is used wherever its parent is: a special method, an embedded field.
    Parent,
}

/// A way by which code that is not visible may use a symbol: file, byte offset, reason.
pub type HiddenUse = (File, u32, Reason);

/// What keeps the declarations of a unit in use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitKeepers {
    /// What keeps single declarations; a declaration may occur several times.
    pub keepers: Vec<(SymbolId, Keeper)>,
    /// The declarations that are never unused by themselves: blank ones, embedded fields, lambdas.
    pub unlisted: Vec<SymbolId>,
    /// Constants that are declared together: one that is used keeps the others.
    pub groups: Vec<Vec<SymbolId>>,
    /// Hidden uses that declarations show.
    pub hidden: Vec<(SymbolId, HiddenUse)>,
    /// A hidden use of any function and variable of the unit: its assembly.
    pub hidden_of_all: Option<HiddenUse>,
}

/// The part of a language's rules that says what is in use without a use. The default bodies are of a
/// language in which all uses are visible.
pub trait Reachability: Semantics {
    /// Returns what keeps the declarations of a unit in use.
    fn keepers(&self, _db: &dyn Db, _unit: Unit) -> UnitKeepers {
        UnitKeepers::default()
    }

    /// Returns the names of the methods that the interfaces in a text declare, literals in bodies
    /// included; names of other declarations may be among them. A method of a boxed type runs by such
    /// a name.
    fn interface_methods<'t>(&self, _text: &'t str) -> Vec<&'t str> {
        Vec::new()
    }

    /// Returns whether a program wrote the text of a file.
    fn is_generated(&self, _db: &dyn Db, _file: File) -> bool {
        false
    }

    /// Returns whether storing to a variable or field in a file uses it.
    fn write_is_use(&self, _db: &dyn Db, _file: File, _class: SymbolClass) -> bool {
        true
    }

    /// Returns whether an import statement in a file uses the names that it imports.
    fn import_is_use(&self, _db: &dyn Db, _file: File) -> bool {
        true
    }

    /// Returns those of some symbols that a look-up by a name with a constant beginning reaches.
    fn looked_up_by_prefix(&self, _db: &dyn Db, _symbols: &[SymbolId]) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Returns how code that is not visible may use each of some symbols, besides what their
    /// declarations show ([`UnitKeepers::hidden`]). What is common to the symbols is read once.
    fn hidden_uses(&self, _db: &dyn Db, _symbols: &[SymbolId]) -> Vec<(SymbolId, HiddenUse)> {
        Vec::new()
    }

    /// Returns whether a function whose declaration this is has an empty body.
    fn does_nothing(&self, _declaration: &str) -> bool {
        false
    }

    /// Returns what a test runner runs with each test of a unit: symbols of the workspace.
    fn runs_with_tests(&self, _db: &dyn Db, _unit: Unit) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Returns the parts of a text that may name a declaration when the program runs: the string
    /// literals that consist of names, by the byte offset of each name.
    fn named_in_literals<'t>(&self, _text: &'t str, _visit: &mut dyn FnMut(&'t str, u32)) {}
}
