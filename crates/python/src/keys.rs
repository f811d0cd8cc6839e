//! The keys of queries about one class, function or name.

use codeweft_db::{NameId, SymbolId};

/// The key of queries about one class.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ClassKey<'db> {
    /// The symbol of the class.
    #[returns(copy)]
    pub symbol: SymbolId,
}

/// The key of queries about a function, method or lambda.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct FunctionKey<'db> {
    /// The symbol of the function.
    #[returns(copy)]
    pub symbol: SymbolId,
}

/// The key of a name in a scope: a module, a class body, or a function whose variable is captured.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct NameKey<'db> {
    /// The symbol of the module, class or function.
    #[returns(copy)]
    pub scope: SymbolId,
    /// The name.
    #[returns(copy)]
    pub name: NameId,
}
