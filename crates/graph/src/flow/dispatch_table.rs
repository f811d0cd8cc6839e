//! The methods that a name runs, by the type of the value that it is called on.
//!
//! A question that follows values has a table for each method name that it meets, with an entry for
//! each type that has such a method: millions of entries in a large module. So an entry is two
//! numbers in sorted lists, and there are no maps:
//!
//! ```text
//! targets    Square.Area ------ Disc.Area ----- Shape.Area through Boxed.Shape
//! values     1 4 9              2 7             3                   grouped by target
//! by_value   (1,0) (2,1) (3,2) (4,0) (7,1) (9,0)
//! ```

use codeweft_db::{FlowTarget, SymbolId};

use super::merged::FlowValueId;

/// The methods that a name runs, by value.
#[derive(Default)]
pub(super) struct DispatchTable {
    /// The number of values that were evaluated so far.
    pub(super) evaluated: usize,
    /// The targets, by method, then those that are no embedded interface's first.
    targets: Vec<TargetValues>,
    /// Whether one of them is an embedded interface's.
    has_fields: bool,
    /// The values of all targets, each target's ascending.
    values: Vec<FlowValueId>,
    /// The values with the number of their target, ascending.
    by_value: Vec<(FlowValueId, u32)>,
}

/// A target with where its values end in the list of all.
#[derive(Clone, Copy)]
struct TargetValues {
    target: FlowTarget,
    end: u32,
}

impl DispatchTable {
    /// Returns the table with the targets of more values, which are greater than those it has.
    pub(super) fn with(
        &self,
        new: impl Iterator<Item = (FlowValueId, FlowTarget)>,
        evaluated: usize,
    ) -> DispatchTable {
        let known = self.by_value.iter().filter_map(|&(value, target)| {
            let target = self.targets.get(target as usize)?;
            Some((value, target.target))
        });
        let mut entries: Vec<(FlowValueId, FlowTarget)> = known.chain(new).collect();
        entries.sort_unstable_by_key(|&(value, target)| (order(target), value));
        let mut table = DispatchTable {
            evaluated,
            values: entries.iter().map(|&(value, _)| value).collect(),
            ..DispatchTable::default()
        };
        table.by_value.reserve_exact(entries.len());
        for of_target in entries.chunk_by(|a, b| a.1 == b.1) {
            let Some(&(_, target)) = of_target.first() else {
                continue;
            };
            let number = table.targets.len() as u32;
            let values = of_target.iter().map(|&(value, _)| (value, number));
            table.by_value.extend(values);
            table.has_fields |= matches!(target, FlowTarget::Through(..));
            table.targets.push(TargetValues {
                target,
                end: table.by_value.len() as u32,
            });
        }
        table.by_value.sort_unstable();
        table.targets.shrink_to_fit();
        table
    }

    /// Returns what the name runs on a value.
    pub(super) fn target(&self, value: FlowValueId) -> Option<FlowTarget> {
        let at = self.by_value.binary_search_by_key(&value, |entry| entry.0);
        let &(_, number) = self.by_value.get(at.ok()?)?;
        self.targets
            .get(number as usize)
            .map(|target| target.target)
    }

    /// Returns the values on which the name runs a method.
    pub(super) fn values_of(&self, method: SymbolId) -> &[FlowValueId] {
        let target = FlowTarget::Method(method);
        let number = self.first_of(method);
        match self.targets.get(number) {
            Some(known) if known.target == target => self.values_between(number, number + 1),
            _ => &[],
        }
    }

    /// Returns the values that have exactly this method, be it an embedded interface's.
    pub(super) fn values_of_target(&self, method: SymbolId) -> &[FlowValueId] {
        let first = self.first_of(method);
        let others = self.targets.get(first..).unwrap_or_default();
        let own = others.partition_point(|known| method_of(known.target) == method);
        self.values_between(first, first + own)
    }

    /// Returns each method with the values that have it.
    pub(super) fn by_target(&self) -> impl Iterator<Item = (SymbolId, &[FlowValueId])> + '_ {
        let same = |a: &TargetValues, b: &TargetValues| method_of(a.target) == method_of(b.target);
        let mut first = 0;
        self.targets.chunk_by(same).filter_map(move |targets| {
            let from = first;
            first += targets.len();
            let method = method_of(targets.first()?.target);
            Some((method, self.values_between(from, first)))
        })
    }

    /// Returns whether the name is promoted from an embedded interface for any value.
    pub(super) fn has_fields(&self) -> bool {
        self.has_fields
    }

    /// Returns the embedded fields through which the name is promoted, each with values that have
    /// it, in unspecified order.
    pub(super) fn fields(&self) -> impl Iterator<Item = (SymbolId, &[FlowValueId])> + '_ {
        let targets = self.targets.iter().enumerate();
        targets.filter_map(|(number, known)| match known.target {
            FlowTarget::Method(_) => None,
            FlowTarget::Through(field, _) => Some((field, self.values_between(number, number + 1))),
        })
    }

    /// Returns the number of the first target with a method, if it has one.
    fn first_of(&self, method: SymbolId) -> usize {
        let wanted = order(FlowTarget::Method(method));
        self.targets
            .partition_point(|known| order(known.target) < wanted)
    }

    /// Returns the values of the targets from one number to before another.
    fn values_between(&self, from: usize, to: usize) -> &[FlowValueId] {
        let before = |number: usize| {
            let last = number
                .checked_sub(1)
                .and_then(|last| self.targets.get(last));
            last.map_or(0, |last| last.end as usize)
        };
        self.values
            .get(before(from)..before(to))
            .unwrap_or_default()
    }
}

/// Returns the method that runs, be it an embedded interface's.
fn method_of(target: FlowTarget) -> SymbolId {
    let (FlowTarget::Method(method) | FlowTarget::Through(_, method)) = target;
    method
}

/// Returns the sort key of a target.
fn order(target: FlowTarget) -> (SymbolId, Option<SymbolId>) {
    match target {
        FlowTarget::Method(method) => (method, None),
        FlowTarget::Through(field, method) => (method, Some(field)),
    }
}
