//! References to methods that several branches of a class body define.

use std::sync::Arc;

use codeweft_db::{Resolution, Role, SymbolId};

use super::UseReader;
use crate::classes::conditional_redefinitions;

impl UseReader<'_> {
    /// Adds a reference, together with references to the methods of the same name in other branches
    /// of the class body, any of which may be bound.
    pub(super) fn add(
        &mut self,
        occ: u32,
        target: SymbolId,
        role: Role,
        resolution: Resolution,
        direct: bool,
    ) {
        let redefinitions = self.redefinitions_of(target);
        let resolution = if redefinitions.is_empty() {
            resolution
        } else {
            resolution.max(Resolution::Value)
        };
        self.add_use(occ, target, role, resolution, direct);
        for &redefinition in &*redefinitions {
            self.add_use(occ, redefinition, role, resolution, direct);
        }
    }

    fn redefinitions_of(&mut self, target: SymbolId) -> Arc<[SymbolId]> {
        if let Some(redefinitions) = self.redefinitions.get(&target) {
            return redefinitions.clone();
        }
        let redefinitions: Arc<[SymbolId]> = conditional_redefinitions(self.db, target).into();
        self.redefinitions.insert(target, redefinitions.clone());
        redefinitions
    }
}
