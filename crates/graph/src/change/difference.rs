//! The difference of two states: the symbols that differ, and the files of units whose edges may.

use std::sync::Arc;

use codeweft_db::{File, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

use super::side::{NO_CODE, Side, UnitFacts};
use crate::answer::{ChangeType, SymbolChange};

/// One of the two states of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The texts before the change.
    Before,
    /// The texts after it.
    After,
}

/// What differs between the states before and after a change.
pub struct Difference {
    /// Each symbol once.
    pub(super) symbols: Vec<(SymbolId, SymbolChange)>,
    /// The files of units whose edges may differ.
    pub(super) units: Vec<(Unit, FxHashSet<File>)>,
}

impl Difference {
    /// Compares two states that were read with the same files.
    pub fn of(before: &Side, after: &Side) -> Difference {
        let mut difference = Difference {
            symbols: changed_symbols(before, after),
            units: Vec::new(),
        };
        let of_both = before.units.keys().chain(after.units.keys());
        let of_both: FxHashSet<Unit> = of_both.copied().collect();
        for unit in of_both {
            let ends = (before.units.get(&unit), after.units.get(&unit));
            let files = match ends {
                (Some(before), Some(after)) => files_that_differ(before, after),
                (Some(only), None) | (None, Some(only)) => {
                    only.uses.iter().map(|&(file, _)| file).collect()
                }
                (None, None) => continue,
            };
            if !files.is_empty() {
                difference.units.push((unit, files));
            }
        }
        difference
    }

    /// Returns the symbols that are looked for in one of the states, each with the change that its users
    /// see: removed ones before the change, all others after it.
    pub(super) fn changes_at(&self, end: End) -> FxHashMap<SymbolId, ChangeType> {
        let symbols = self.symbols.iter();
        let at_end = symbols.filter_map(|&(symbol, change)| match (change, end) {
            (SymbolChange::Removed, End::Before) => Some((symbol, ChangeType::Removal)),
            (SymbolChange::Signature, End::After) => Some((symbol, ChangeType::Signature)),
            (SymbolChange::Added | SymbolChange::Behavior, End::After) => {
                Some((symbol, ChangeType::Behavior))
            }
            _ => None,
        });
        at_end.collect()
    }
}

fn changed_symbols(before: &Side, after: &Side) -> Vec<(SymbolId, SymbolChange)> {
    let mut changed: FxHashMap<SymbolId, SymbolChange> = FxHashMap::default();
    for (&symbol, code) in &before.declared {
        match after.declared.get(&symbol) {
            // A declaration that moved to a file that does not differ is still there.
            None if declares(after, symbol) => {}
            None => {
                changed.insert(symbol, SymbolChange::Removed);
            }
            Some(now) if now.signature != code.signature => {
                changed.insert(symbol, SymbolChange::Signature);
            }
            Some(now) if now != code => {
                changed.insert(symbol, SymbolChange::Behavior);
            }
            Some(_) => {}
        }
    }
    for &symbol in after.declared.keys() {
        if !before.declared.contains_key(&symbol) && !declares(before, symbol) {
            changed.insert(symbol, SymbolChange::Added);
        }
    }
    let rest = before.rest.keys().chain(after.rest.keys());
    let rest: FxHashSet<&(SymbolId, Arc<str>)> = rest.collect();
    for key in rest {
        let of = |side: &Side| side.rest.get(key).copied().unwrap_or(NO_CODE);
        if of(before) != of(after) {
            changed.entry(key.0).or_insert(SymbolChange::Behavior);
        }
    }
    changed.into_iter().collect()
}

/// Returns whether a state declares a symbol in any file.
fn declares(side: &Side, symbol: SymbolId) -> bool {
    let mut units = side.units.values();
    units.any(|facts| facts.symbols.row(symbol).is_some())
}

fn is_same<T: PartialEq + ?Sized>(one: &Arc<T>, other: &Arc<T>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Returns the files of a unit whose edges may differ.
fn files_that_differ(before: &UnitFacts, after: &UnitFacts) -> FxHashSet<File> {
    let of_both = before.uses.iter().chain(&after.uses);
    if !is_same(&before.symbols, &after.symbols)
        || !is_same(&before.imports, &after.imports)
        || !is_same(&before.hierarchy, &after.hierarchy)
    {
        return of_both.map(|&(file, _)| file).collect();
    }
    let known: FxHashMap<File, &_> = before
        .uses
        .iter()
        .map(|(file, uses)| (*file, uses))
        .collect();
    let differ = after.uses.iter().filter(|(file, uses)| {
        let known = known.get(file);
        known.is_none_or(|known| !is_same(known, uses))
    });
    let mut differ: FxHashSet<File> = differ.map(|&(file, _)| file).collect();
    let now: FxHashSet<File> = after.uses.iter().map(|&(file, _)| file).collect();
    differ.extend(known.into_keys().filter(|file| !now.contains(file)));
    differ
}
