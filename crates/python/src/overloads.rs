//! Overloads: signatures of the function that implements them, and no functions of their own
//! (Python library reference, `typing.overload`).

use codeweft_db::{Db, File, NameId};
use codeweft_syntax::python::{Item, ItemKind, Items};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::spelling::{ImportedNames, KnownName};

/// Which items of a file are overloads that another item stands for.
#[derive(Default)]
pub(crate) struct Overloads {
    /// The item that stands for each.
    standing: FxHashMap<u32, u32>,
    /// They, and what is declared inside of them.
    without_node: FxHashSet<u32>,
    /// How many of them come before an item of the same scope and name, where there are some.
    before: FxHashMap<u32, u32>,
}

impl Overloads {
    /// Reads the overloads of a file. The function of the same scope and name that comes next
    /// without the decorator implements them; where none does, as in a stub or a protocol, the
    /// first of them stands for all.
    pub(crate) fn of_file(db: &dyn Db, file: File, items: &Items) -> Overloads {
        let has_twins = |item: &Item| item.nth > 0 && item.kind == ItemKind::Function;
        if !items.items.iter().any(has_twins) {
            return Overloads::default();
        }
        let Some(spelling) = ImportedNames::of_file(db, file) else {
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
                    && decorators.any(|&node| spelling.is(node, KnownName::Overload))
            })
        };
        let mut overloads = Overloads::default();
        for siblings in by_name.values().filter(|siblings| siblings.len() > 1) {
            let mut waiting: Vec<u32> = Vec::new();
            for &number in siblings {
                if is_overload(number) {
                    waiting.push(number);
                    continue;
                }
                let item = items.items.get(number as usize);
                if item.is_some_and(|item| item.kind == ItemKind::Function) {
                    let waiting = waiting.drain(..);
                    overloads.standing.extend(waiting.map(|one| (one, number)));
                }
            }
            if let Some((&first, others)) = waiting.split_first() {
                let others = others.iter();
                overloads.standing.extend(others.map(|&one| (one, first)));
            }
            let mut before = 0;
            for &number in siblings {
                if overloads.standing.contains_key(&number) {
                    before += 1;
                } else if before > 0 {
                    overloads.before.insert(number, before);
                }
            }
        }
        for (item, number) in items.items.iter().zip(0..) {
            if overloads.standing.contains_key(&number)
                || number > 0 && overloads.without_node.contains(&item.parent)
            {
                overloads.without_node.insert(number);
            }
        }
        overloads
    }

    /// The item whose node an item is: its own, or that of the function that it is a signature of.
    pub(crate) fn standing_for(&self, item: u32) -> u32 {
        self.standing.get(&item).copied().unwrap_or(item)
    }

    /// Whether an item is a node of its own, and not a signature or inside of one.
    pub(crate) fn is_node(&self, item: u32) -> bool {
        !self.without_node.contains(&item)
    }

    /// The number of an item among those of its scope and name that are nodes, from 0.
    pub(crate) fn nth(&self, items: &Items, item: u32) -> u32 {
        let standing = self.standing_for(item);
        let own = items
            .items
            .get(standing as usize)
            .map_or(0, |item| item.nth);
        own - self.before.get(&standing).copied().unwrap_or(0).min(own)
    }
}
