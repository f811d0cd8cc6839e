//! Whether what a look-up by a value finds may be called: it gets to a call, or to code that is not followed.
//!
//! ```python
//! getattr(module, name)()                     # called
//! if getattr(model, attribute) == "ready":    # only compared: no function that has the name runs
//! for name, value in vars(module).items():    # only printed
//!     print(name, value)
//! ```

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::attributes::is_of_containers;
use super::cells::{CellId, NOWHERE};
use super::constraints::Constraint;
use super::escaped::Escaped;
use super::solver::Solver;

/// How many cells what is found may come through; beyond it is taken to be called.
const MAX_CELLS: usize = 2_000;

/// The attributes of a function that are the function itself, or call it.
const ITSELF: &[&str] = &["__call__", "__func__", "__get__", "__wrapped__"];

/// The attributes of a class that make an object of it.
const MAKING: &[&str] = &["__call__", "__new__"];

/// Returns whether an attribute of what was found is that itself, or calls it.
fn is_itself(part: Part, name: &str) -> bool {
    match part {
        Part::Class => MAKING.contains(&name),
        _ => ITSELF.contains(&name) || MAKING.contains(&name),
    }
}

/// What a cell has of what was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A function.
    Function,
    /// A class, of which `C[T]` is the same.
    Class,
    /// Either, or a table that has it: what is taken out of that may be the value, too.
    Table,
    /// A method of such a table.
    Method,
}

/// The search for calls.
pub(super) struct CalledValues<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    escaped: &'s Escaped,
    /// The cells that were looked at.
    pub(super) followed: FixedBitSet,
}

impl<'s, 'a, 'p> CalledValues<'s, 'a, 'p> {
    /// Begins a search in a solution with what leaves.
    pub(super) fn of(solver: &'s Solver<'a, 'p>, escaped: &'s Escaped) -> Self {
        CalledValues {
            solver,
            escaped,
            followed: FixedBitSet::with_capacity(solver.cells.count() as usize),
        }
    }

    /// Returns whether what some cells have may be called.
    pub(super) fn may_be_called(&mut self, found: &[CellId], part: Part) -> bool {
        let mut pending: Vec<(CellId, Part)> = found.iter().map(|&cell| (cell, part)).collect();
        let mut seen: FxHashSet<(CellId, Part)> = FxHashSet::default();
        while let Some((cell, part)) = pending.pop() {
            if cell == NOWHERE || !seen.insert((cell, part)) {
                continue;
            }
            self.followed.insert(cell as usize);
            if seen.len() > MAX_CELLS || self.escaped.has_cell(cell) {
                return true;
            }
            let ends = self.solver.cells.ends(cell);
            pending.extend(ends.map(|to| (to, part)));
            for &number in self.solver.cells.constraints(cell) {
                let Some(found) = self.found_by(&self.solver.constraints[number as usize], part)
                else {
                    return true;
                };
                pending.extend(found);
            }
        }
        false
    }

    /// Returns where a rule takes what a cell has; `None` if it calls that, or may do anything with it.
    fn found_by(&self, rule: &Constraint, part: Part) -> Option<Option<(CellId, Part)>> {
        let program = self.solver.program;
        let to = match *rule {
            Constraint::Load { name, .. } | Constraint::LoadBound { name, .. }
                if is_itself(part, program.text(name)) =>
            {
                return None;
            }
            Constraint::Load { name, to, .. } | Constraint::LoadBound { name, to, .. } => {
                let is_method = part == Part::Table && is_of_containers(program.text(name));
                return Some(is_method.then_some((to, Part::Method)));
            }
            Constraint::Call { call } if part == Part::Method => {
                (self.solver.calls[call as usize].result, Part::Table)
            }
            Constraint::Element { to, .. } if part == Part::Class => (to, part),
            Constraint::Element { to, .. }
            | Constraint::Iterate { to, .. }
            | Constraint::Next { to, .. }
            | Constraint::Elements { to }
            | Constraint::Unpack { to, .. }
            | Constraint::Pairs { to } => {
                // A function has no elements.
                return Some((part == Part::Table).then_some((to, part)));
            }
            Constraint::Bind { to, .. } | Constraint::ClassOf { to, .. } => (to, part),
            Constraint::Store { .. }
            | Constraint::StoreUnbound { .. }
            | Constraint::StoreStart { .. }
            | Constraint::StoreElement { .. }
            | Constraint::NamedLoad { .. }
            | Constraint::NamedStore { .. }
            | Constraint::LoadStart { .. }
            | Constraint::Special { .. }
            | Constraint::Truth { .. } => return Some(None),
            _ => return None,
        };
        Some(Some(to))
    }
}
