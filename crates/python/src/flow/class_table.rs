//! The classes of a program by symbol, for what the class hierarchy gives beside the values: the firewall between the
//! declarations and the rows of each file.
//!
//! ```python
//! class Base:
//!     def run(self): ...
//! class Job(Base):
//!     def run(self): ...
//! def main(base: Base):
//!     base.run()          # names Base.run; that Job.run may run is the hierarchy's, and no row
//! ```

use std::sync::Arc;

use codeweft_db::{Db, NameId, SymbolId, UnitGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::py_flow_declarations;
use super::program::ItemId;
use crate::classes::class_info;
use crate::keys::ClassKey;

/// The classes of a program by symbol: what decides which methods the class hierarchy gives.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClassTable {
    /// The classes of the program in method resolution order.
    orders: FxHashMap<SymbolId, Vec<SymbolId>>,
    subclasses: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// The names that a class binds.
    bound: FxHashSet<(SymbolId, NameId)>,
}

/// Returns the classes of the workspace by symbol; most changes of declarations leave them as they are.
#[salsa::tracked(returns(clone))]
pub fn py_flow_classes(db: &dyn Db, graph: UnitGraph) -> Arc<ClassTable> {
    let Some(declarations) = py_flow_declarations(db, graph) else {
        return Arc::default();
    };
    let symbol = |item: &ItemId| declarations.file(*item).symbol(*item);
    let symbols = |items: &[ItemId]| items.iter().map(symbol).collect::<Vec<SymbolId>>();
    let mut table = ClassTable::default();
    for (class, facts) in &declarations.classes {
        table.orders.insert(symbol(class), symbols(&facts.mro));
    }
    for (class, below) in &declarations.subclasses {
        table.subclasses.insert(symbol(class), symbols(below));
    }
    let of_classes = declarations.bound.iter();
    let of_classes = of_classes.filter(|(item, _)| declarations.classes.contains_key(item));
    table.bound = of_classes
        .map(|(item, name)| (symbol(item), *name))
        .collect();
    Arc::new(table)
}

impl ClassTable {
    /// Returns whether the class hierarchy says that a method may run where one of its name is called: for an object of a class
    /// below the class of that one, or of any class, if that is a protocol or declared by a library.
    pub(super) fn may_run_instead(&self, db: &dyn Db, method: SymbolId, called: SymbolId) -> bool {
        let symbols = &db.shared().symbols;
        let called = symbols.key(called);
        let own = |class: Option<SymbolId>| class.filter(|class| self.orders.contains_key(class));
        let (Some(class), Some(owner)) = (own(called.parent), own(symbols.key(method).parent))
        else {
            return true;
        };
        if class_info(db, ClassKey::new(db, class)).is_protocol {
            return true;
        }
        let below = self.subclasses.get(&class).into_iter().flatten();
        let mut orders = below.filter_map(|below| self.orders.get(below));
        orders.any(|order| {
            let mut order = order.iter();
            order.find(|&&one| self.bound.contains(&(one, called.name))) == Some(&owner)
        })
    }
}
