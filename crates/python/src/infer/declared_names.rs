//! What a scope's own text binds a name to, without any other scope.
//!
//! Most names of a module or class are a class, a function or an import. Then one look at the
//! bindings of the name says what it means and holds, so [`declared_name`] is the only memo between
//! the items of a file and what reads the name.
//!
//! ```python
//! def run(): ...          # Item: the function, and nothing else
//! from a import b         # Import
//! limit = 10              # Variable
//! ```

use codeweft_db::{Db, File, NameId, SymbolClass, SymbolId};
use codeweft_python_syntax::{Binding, BindingKind, Item, ItemKind};

use super::special_forms::special_form;
use crate::bindings::{name_index, visible_bindings};
use crate::declared::{declaration_of, file_of_module, file_symbols, items};
use crate::keys::NameKey;
use crate::values::{Class, Shape, Values};
use crate::whole_file;

/// What the text of a scope binds a name to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredName {
    /// Nothing, and no star import could. `is_module` for the scope of a loaded module.
    Unbound {
        /// Whether the scope is a module.
        is_module: bool,
    },
    /// Nothing, but a star import of the module may bind it; or the scope has no file.
    Elsewhere,
    /// A class, function or lambda.
    Item {
        /// The last of the items that other scopes may see.
        symbol: SymbolId,
        /// Whether it is all that the name holds, and what.
        only: Option<OnlyItem>,
    },
    /// An import, by its number in the header and the index of the name.
    Import {
        /// The number of the import.
        import: u32,
        /// The index of the name in it.
        which: u32,
        /// Whether it is all that the name holds.
        is_only: bool,
    },
    /// A variable.
    Variable,
}

/// An item that is the only value of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnlyItem {
    /// A class.
    Class,
    /// A function without decorators.
    Function,
}

impl DeclaredName {
    /// Returns the values of the name, if they are those of a class or function.
    pub(super) fn values(self, db: &dyn Db) -> Option<Values> {
        let DeclaredName::Item {
            symbol,
            only: Some(only),
        } = self
        else {
            return None;
        };
        Some(Values::of(
            db,
            match only {
                OnlyItem::Class => Shape::Class(Class::plain(symbol)),
                OnlyItem::Function => Shape::Function(symbol),
            },
        ))
    }

    /// Returns whether the scope's own text binds the name.
    pub(super) fn is_bound(self) -> bool {
        !matches!(self, DeclaredName::Unbound { .. } | DeclaredName::Elsewhere)
    }
}

/// The query behind [`declared`].
#[salsa::tracked(returns(copy))]
pub fn declared_name<'db>(db: &'db dyn Db, key: NameKey<'db>) -> DeclaredName {
    read(db, key.scope(db), key.name(db))
}

/// Returns what the text of a scope binds a name to.
pub(super) fn declared(db: &dyn Db, scope: SymbolId, name: NameId) -> DeclaredName {
    if whole_file::is_without_firewalls(db, scope) {
        read(db, scope, name)
    } else {
        declared_name(db, NameKey::new(db, scope, name))
    }
}

/// Returns the file of a scope and the scope's item in it.
pub(super) fn scope_item(db: &dyn Db, scope: SymbolId) -> Option<(File, u32)> {
    match db.shared().symbols.key(scope).class {
        SymbolClass::Package => Some((file_of_module(db, scope)?, 0)),
        _ => declaration_of(db, scope),
    }
}

fn read(db: &dyn Db, scope: SymbolId, name: NameId) -> DeclaredName {
    let is_module = db.shared().symbols.key(scope).class == SymbolClass::Package;
    let Some((file, item)) = scope_item(db, scope) else {
        return if is_module {
            DeclaredName::Elsewhere
        } else {
            DeclaredName::Unbound { is_module }
        };
    };
    let Some(items) = items(db, file) else {
        return DeclaredName::Elsewhere;
    };
    let index = name_index(db, file);
    let all: Vec<&Binding> = index
        .bindings(item, name)
        .filter_map(|number| items.bindings.get(number as usize))
        .collect();
    if all.is_empty() {
        return if index.has_stars() && item == 0 {
            DeclaredName::Elsewhere
        } else {
            DeclaredName::Unbound { is_module }
        };
    }
    let visible = visible_bindings(items, &index, item, name);
    let symbols = file_symbols(db, file);
    let last_item = |bindings: &[&Binding]| {
        let mut bindings = bindings.iter().rev();
        bindings.find_map(|binding| match binding.kind {
            BindingKind::Item(item) => {
                let symbol = *symbols.get(item as usize)?;
                Some((items.items.get(item as usize)?, symbol))
            }
            _ => None,
        })
    };
    let last_import = |bindings: &[&Binding]| {
        let mut bindings = bindings.iter().rev();
        bindings.find_map(|binding| match binding.kind {
            BindingKind::Import { import, which } => Some((import, which)),
            _ => None,
        })
    };
    if let Some((declared, symbol)) = last_item(&visible) {
        let is_form = || item == 0 && special_form(db, scope, name).is_some();
        let only = only_item(declared).filter(|_| visible.len() == 1 && !is_form());
        return DeclaredName::Item { symbol, only };
    }
    if let Some((import, which)) = last_import(&visible) {
        let is_only = visible.len() == 1;
        return DeclaredName::Import {
            import,
            which,
            is_only,
        };
    }
    // A name that is bound to a declaration and then to another value, or deleted, is one
    // declaration (docs/graph.md §1), not a variable as well.
    if let Some((_, symbol)) = last_item(&all) {
        return DeclaredName::Item { symbol, only: None };
    }
    let is_valued = |binding: &&Binding| {
        matches!(
            binding.kind,
            BindingKind::Value { .. } | BindingKind::TypeAlias(_)
        )
    };
    match last_import(&all) {
        Some((import, which)) if !all.iter().any(is_valued) => DeclaredName::Import {
            import,
            which,
            is_only: false,
        },
        _ => DeclaredName::Variable,
    }
}

fn only_item(declared: &Item) -> Option<OnlyItem> {
    match declared.kind {
        ItemKind::Class => Some(OnlyItem::Class),
        ItemKind::Function if declared.decorators.is_empty() => Some(OnlyItem::Function),
        _ => None,
    }
}
