//! Where what is followed ends: what is open, and so what is known of calls, look-ups and classes.

use super::class_values::ClassValues;
use super::closed_sites::{ClosedSites, closed_sites};
use super::computed_names::KnownLookUps;
use super::open_cells::OpenCells;
use super::solver::Solver;

/// Where what is followed ends, once solved.
#[derive(Default)]
pub(super) struct Ends {
    /// The cells that may hold other values.
    pub(super) open: OpenCells,
    /// Those that are open if code outside of the workspace calls its public functions.
    pub(super) open_to_others: OpenCells,
    /// The sites of which none of the first is a callee or object.
    pub(super) closed: ClosedSites,
    /// What is known of look-ups by names that are values.
    pub(super) look_ups: KnownLookUps,
    /// What is known of the classes of objects that are values.
    pub(super) class_values: ClassValues,
}

impl Ends {
    /// Finds where what is followed ends in a solution.
    pub(super) fn of(solver: &Solver<'_, '_>) -> Ends {
        let (open, open_to_others) = OpenCells::of(solver);
        Ends::by(solver, open, open_to_others)
    }

    /// Finds it by the open cells.
    pub(super) fn by(solver: &Solver<'_, '_>, open: OpenCells, open_to_others: OpenCells) -> Ends {
        Ends {
            closed: closed_sites(solver, &open, &open_to_others),
            look_ups: KnownLookUps::of(solver, &open, &open_to_others),
            class_values: ClassValues::of(solver, &open_to_others),
            open,
            open_to_others,
        }
    }
}
