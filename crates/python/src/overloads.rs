//! Overloads: signatures of the function that implements them, not functions of their own (Python
//! library, `typing.overload`).
//!
//! ```python
//! @overload
//! def get(key: str) -> str: ...
//! @overload
//! def get(key: int) -> int: ...
//! def get(key): ...            # the implementation: the only node named get
//! ```

use codeweft_db::{Db, File, NameId};
use codeweft_python_syntax::{Item, ItemKind, Items};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::imported_names::{ImportedNames, KnownName};

/// The items of a file that are overloads of another item.
#[derive(Default)]
pub(crate) struct Overloads {
    /// The implementing item by overload.
    representatives: FxHashMap<u32, u32>,
    /// The overloads and everything declared inside them.
    without_node: FxHashSet<u32>,
    /// The number of overloads before an item of the same scope and name, if there are any.
    before: FxHashMap<u32, u32>,
}

impl Overloads {
    /// Reads the overloads of a file. The next function of the same scope and name without the
    /// decorator implements them; without one, as in a stub or a protocol, the first overload
    /// represents all.
    pub(crate) fn of_file(db: &dyn Db, file: File, items: &Items) -> Overloads {
        let has_redefinitions = |item: &Item| item.nth > 0 && item.kind == ItemKind::Function;
        if !items.items.iter().any(has_redefinitions) {
            return Overloads::default();
        }
        let Some(known_names) = ImportedNames::of_file(db, file) else {
            return Overloads::default();
        };
        let mut by_name: FxHashMap<(u32, NameId), Vec<u32>> = FxHashMap::default();
        for (item, number) in items.items.iter().zip(0..) {
            let siblings = by_name.entry((item.parent, item.name)).or_default();
            siblings.push(number);
        }
        let is_overload = |number: u32| {
            let item = items.items.get(number as usize);
            item.is_some_and(|item| {
                let mut decorators = item.decorators.iter();
                item.kind == ItemKind::Function
                    && decorators.any(|&node| known_names.is(node, KnownName::Overload))
            })
        };
        let mut overloads = Overloads::default();
        for siblings in by_name.values().filter(|siblings| siblings.len() > 1) {
            let mut pending: Vec<u32> = Vec::new();
            for &number in siblings {
                if is_overload(number) {
                    pending.push(number);
                    continue;
                }
                let item = items.items.get(number as usize);
                if item.is_some_and(|item| item.kind == ItemKind::Function) {
                    let pending = pending.drain(..);
                    overloads
                        .representatives
                        .extend(pending.map(|one| (one, number)));
                }
            }
            if let Some((&first, others)) = pending.split_first() {
                let others = others.iter();
                overloads
                    .representatives
                    .extend(others.map(|&one| (one, first)));
            }
            let mut before = 0;
            for &number in siblings {
                if overloads.representatives.contains_key(&number) {
                    before += 1;
                } else if before > 0 {
                    overloads.before.insert(number, before);
                }
            }
        }
        for (item, number) in items.items.iter().zip(0..) {
            if overloads.representatives.contains_key(&number)
                || number > 0 && overloads.without_node.contains(&item.parent)
            {
                overloads.without_node.insert(number);
            }
        }
        overloads
    }

    /// Returns the item that represents `item` in the graph: the implementation of an overload,
    /// else the item itself.
    pub(crate) fn representative_of(&self, item: u32) -> u32 {
        self.representatives.get(&item).copied().unwrap_or(item)
    }

    /// Returns whether an item has a node of its own, that is, it is neither an overload nor inside
    /// one.
    pub(crate) fn is_node(&self, item: u32) -> bool {
        !self.without_node.contains(&item)
    }

    /// Returns the index, from 0, of an item among the items of its scope and name that have nodes.
    pub(crate) fn nth(&self, items: &Items, item: u32) -> u32 {
        let representative = self.representative_of(item);
        let own = items
            .items
            .get(representative as usize)
            .map_or(0, |item| item.nth);
        own - self
            .before
            .get(&representative)
            .copied()
            .unwrap_or(0)
            .min(own)
    }
}
