//! Which services read a variable of a package: its value counts for those alone.

use std::collections::BTreeSet;

use codeweft_db::SymbolId;
use rustc_hash::FxHashSet;

use super::environment::Wired;
use crate::wires::{Reader, Readers};

/// Returns the names of the services that run code that reads a variable, itself or by another that is made of it. `None` if
/// nothing of the workspace reads it: a library may, by its name.
pub(super) fn reading<'a>(
    wired: &Wired<'a>,
    readers: &Readers,
    variable: SymbolId,
) -> Option<BTreeSet<&'a str>> {
    readers.get(&variable).filter(|of| !of.is_empty())?;
    let mut services: BTreeSet<&str> = BTreeSet::new();
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    let mut open = vec![variable];
    while let Some(variable) = open.pop() {
        if !seen.insert(variable) {
            continue;
        }
        for reader in readers.get(&variable).into_iter().flatten() {
            match reader {
                Reader::Variable(variable) => open.push(*variable),
                Reader::Code(file, around) => {
                    let running = wired.running(*file, *around).into_iter();
                    services.extend(running.map(|service| &*service.name));
                }
            }
        }
    }
    Some(services)
}
