//! The classes of objects that are values, and that nothing calls: then no constructor runs there.
//!
//! ```python
//! raise TypeError(f"cannot read {type(value)}")    # only printed
//! return type(self)(self.jobs)                     # called
//! ```

use codeweft_db::NameId;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::called_values::{CalledValues, Part};
use super::cells::CellId;
use super::constraints::Constraint;
use super::open_cells::OpenCells;
use super::solver::{NO_SITE, SiteId, Solver};

/// What is known of the classes of objects that are values.
#[derive(Default)]
pub(super) struct ClassValues {
    /// The sites of which nothing calls the class.
    uncalled: FxHashSet<SiteId>,
    /// The cells along which the classes go.
    followed: FixedBitSet,
}

impl ClassValues {
    /// Finds the sites of a solution whose classes are not called, with what leaves if code outside of the workspace calls its
    /// public functions.
    pub(super) fn of(solver: &Solver<'_, '_>, open_to_others: &OpenCells) -> ClassValues {
        let name = solver.program.name("__class__");
        let mut sites: FxHashMap<SiteId, Vec<CellId>> = FxHashMap::default();
        for rule in solver.rules() {
            if let Some((site, classes)) = class_value(solver, name, rule) {
                sites.entry(site).or_default().extend(classes);
            }
        }
        let mut called = CalledValues::of(solver, open_to_others.escaped());
        let uncalled = sites.into_iter().filter_map(|(site, classes)| {
            (!called.may_be_called(&classes, Part::Class)).then_some(site)
        });
        ClassValues {
            uncalled: uncalled.collect(),
            followed: called.followed,
        }
    }

    /// Returns whether nothing calls the class of an object at a site.
    pub(super) fn is_uncalled(&self, site: SiteId) -> bool {
        self.uncalled.contains(&site)
    }

    /// Returns whether an extension may let a class be called, or adds one: then the program is solved anew.
    pub(super) fn are_changed_by(&self, solver: &Solver<'_, '_>) -> bool {
        let name = solver.program.name("__class__");
        let is_followed = |cell: CellId| self.followed.contains(cell as usize);
        let mut edges = solver.cells.edges_of_complete().iter();
        let mut rules = solver.cells.constraints_of_complete().iter();
        edges.any(|&(from, _)| is_followed(from))
            || rules.any(|&(cell, _)| is_followed(cell))
            || solver
                .rules()
                .any(|rule| class_value(solver, name, rule).is_some())
    }
}

/// Returns the site at which a rule gives the classes of objects, with the cells that these come to.
fn class_value(
    solver: &Solver<'_, '_>,
    class_name: NameId,
    (cell, number): (CellId, u32),
) -> Option<(SiteId, Vec<CellId>)> {
    let (site, classes) = match solver.constraints[number as usize] {
        Constraint::ClassOf { to, site } => (site, vec![to]),
        Constraint::Load { name, site, .. } if name == class_name => {
            (site, solver.loaded(cell, class_name).collect())
        }
        _ => return None,
    };
    (site != NO_SITE).then_some((site, classes))
}
