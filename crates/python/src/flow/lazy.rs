//! Iterators of the library that work as they are consumed: what they call runs where an element is taken.
//!
//! ```python
//! found = map(load, paths)      # nothing runs
//! for one in found: ...         # `load` runs here
//! ```

use super::calls::{Argument, CallSite};
use super::cells::{CellId, NOWHERE};
use super::constraints::Constraint;
use super::solver::{NO_SITE, SiteId, Solver};

/// What taking an element of an iterator does.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Takes an element of another iterable.
    Takes(CellId),
    /// Calls a function.
    Calls {
        /// The function.
        function: CellId,
        /// What it gets.
        arguments: Vec<Argument>,
    },
}

/// Says what taking an element of a container does.
pub(super) fn add(solver: &mut Solver<'_, '_>, container: CellId, work: Work) {
    if container < solver.cells.complete() {
        // What took elements of it before does this, too.
        solver.give_up();
        return;
    }
    solver.lazy.entry(container).or_default().push(work);
}

/// Takes an element of a container at a site.
pub(super) fn consume(solver: &mut Solver<'_, '_>, container: CellId, site: SiteId) {
    if site == NO_SITE
        || !solver.lazy.contains_key(&container)
        || !solver.is_new_consumed((container, site))
    {
        return;
    }
    for work in solver.lazy.get(&container).cloned().unwrap_or_default() {
        match work {
            Work::Takes(from) => {
                let constraint = Constraint::Iterate {
                    to: NOWHERE,
                    is_async: false,
                    site,
                };
                solver.constrain(from, constraint);
            }
            Work::Calls {
                function,
                arguments,
            } => {
                let call = CallSite::new(arguments, NOWHERE, site).kept(solver);
                solver.constrain(function, Constraint::Call { call });
            }
        }
    }
}
