//! The instances of generic declarations that the fragments of the flow graph contain.
//!
//! A patch takes a fragment away and brings the next one, mostly with the same instances, so that changes are
//! found at its end:
//!
//! ```text
//! fragment with List[int] away: 1 -> 0    fragment with List[int] comes: 0 -> 1    nothing changed
//! ```

use codeweft_db::SymbolId;
use rustc_hash::FxHashMap;

/// The type arguments of the instances of a generic declaration, with the number of fragments that contain
/// each.
pub(super) type Instances = FxHashMap<Box<[u32]>, u32>;

/// How many fragments contain each instance.
#[derive(Default)]
pub(super) struct InstanceCounts {
    /// The instances of each generic declaration that has any.
    of_owner: FxHashMap<SymbolId, Instances>,
    /// The instances that came or went since the last [`InstanceCounts::take_changed`], with whether they were
    /// there at that time.
    touched: FxHashMap<(SymbolId, Box<[u32]>), bool>,
}

impl InstanceCounts {
    /// Adds an instance of one fragment.
    pub(super) fn add(&mut self, owner: SymbolId, args: &[u32]) {
        let counts = self.of_owner.entry(owner).or_default();
        if let Some(count) = counts.get_mut(args) {
            *count += 1;
            return;
        }
        counts.insert(args.into(), 1);
        self.touched.entry((owner, args.into())).or_insert(false);
    }

    /// Removes an instance of one fragment.
    pub(super) fn remove(&mut self, owner: SymbolId, args: &[u32]) {
        let Some(counts) = self.of_owner.get_mut(&owner) else {
            return;
        };
        let Some(count) = counts.get_mut(args) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        counts.remove(args);
        if counts.is_empty() {
            self.of_owner.remove(&owner);
        }
        self.touched.entry((owner, args.into())).or_insert(true);
    }

    /// Returns whether other instances are there than at the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        let touched = std::mem::take(&mut self.touched);
        touched.iter().any(|((owner, args), before)| {
            let counts = self.of(*owner);
            counts.is_some_and(|counts| counts.contains_key(args)) != *before
        })
    }

    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.of_owner.is_empty()
    }

    /// Returns the instances of a declaration.
    pub(super) fn of(&self, owner: SymbolId) -> Option<&Instances> {
        self.of_owner.get(&owner)
    }

    /// Returns all declarations with their instances, in no order.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&SymbolId, &Instances)> {
        self.of_owner.iter()
    }
}
