//! Uses of a method that stands in several branches of its class's body.

use std::sync::Arc;

use codeweft_db::{Resolution, Role, SymbolId};

use super::UseReader;
use crate::classes::branch_twins;

impl UseReader<'_> {
    /// Adds a use, and that of the methods which other branches of the class's body declare by the
    /// same name: any of them may be meant.
    pub(super) fn add(
        &mut self,
        occ: u32,
        target: SymbolId,
        role: Role,
        resolution: Resolution,
        direct: bool,
    ) {
        let twins = self.twins_of(target);
        let resolution = match twins.is_empty() {
            true => resolution,
            false => resolution.max(Resolution::Value),
        };
        self.add_one(occ, target, role, resolution, direct);
        for &twin in &*twins {
            self.add_one(occ, twin, role, resolution, direct);
        }
    }

    fn twins_of(&mut self, target: SymbolId) -> Arc<[SymbolId]> {
        if let Some(twins) = self.twins.get(&target) {
            return twins.clone();
        }
        let twins: Arc<[SymbolId]> = branch_twins(self.db, target).into();
        self.twins.insert(target, twins.clone());
        twins
    }
}
