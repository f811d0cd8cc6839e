//! The calls and reads of attributes of which all that they run is known: no cell of the callee or object is open.

use codeweft_python_syntax::ItemKind;
use rustc_hash::FxHashMap;

use super::calls::{Argument, CallForm};
use super::cells::{CellId, CellKey};
use super::constraints::Constraint;
use super::followed::Followed;
use super::open_cells::{OpenCells, is_called_from_outside};
use super::program::{ItemId, Program};
use super::solver::{NO_SITE, SiteId, SiteTargets, Solver};
use super::values::{FlowObject, ValueId, Wrapper};

/// The maximum number of partials and objects that a callee is made of.
const MAX_DEPTH: u32 = 4;

/// What is known of the callee of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Callee {
    /// Nothing comes there.
    None,
    /// One function or class.
    One(ItemId),
    /// Several, or what is neither.
    Several,
}

impl Callee {
    fn join(self, other: Callee) -> Callee {
        match (self, other) {
            (Callee::None, known) | (known, Callee::None) => known,
            (one, other) if one == other => one,
            _ => Callee::Several,
        }
    }
}

/// A call or the reading of an attribute that the text writes, of which no callee or object is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClosedSite {
    callee: Callee,
    /// Whether the callee is a parameter of a public function: code outside of the workspace may pass something else to it.
    is_parameter: bool,
    /// Whether it is closed, too, if code outside of the workspace calls its public functions.
    pub(super) is_closed_to_others: bool,
}

/// The closed sites of a solution.
pub(super) type ClosedSites = FxHashMap<SiteId, ClosedSite>;

/// Returns the closed sites among those of the rules of a solution, or of an extension, by the open cells, and those that are open
/// if code outside of the workspace calls its public functions.
pub(super) fn closed_sites(
    solver: &Solver<'_, '_>,
    open: &OpenCells,
    open_to_others: &OpenCells,
) -> ClosedSites {
    let callees = Callees {
        solver,
        open,
        followed: Followed::of(solver, open.unknown_stores().clone()),
    };
    let mut calls: FxHashMap<SiteId, Option<ClosedSite>> = FxHashMap::default();
    let mut reads: FxHashMap<SiteId, Option<ClosedSite>> = FxHashMap::default();
    for (cell, number) in solver.rules() {
        let (site, form) = match solver.constraints[number as usize] {
            Constraint::Call { call } => {
                let call = &solver.calls[call as usize];
                if call.form == CallForm::Implicit || call.is_made() {
                    continue;
                }
                (call.site, Some(call.form))
            }
            Constraint::Load { site, .. } => (site, None),
            _ => continue,
        };
        if site == NO_SITE {
            continue;
        }
        let here = (!open.has(cell)).then(|| ClosedSite {
            callee: match form {
                Some(_) => callees.at(cell, 0),
                None if solver.cells.values(cell).is_empty() => Callee::None,
                None => Callee::Several,
            },
            is_parameter: form == Some(CallForm::OfParameter)
                && is_called_from_outside(solver, solver.sites[site as usize].item),
            is_closed_to_others: !open_to_others.has(cell),
        });
        let sites = match form {
            Some(_) => &mut calls,
            None => &mut reads,
        };
        let known = sites.entry(site).or_insert(here);
        *known = known.zip(here).map(|(known, here)| known.join(here));
    }
    // A method that is called is read, too: what is called counts.
    reads.extend(calls);
    let closed = reads.into_iter();
    let closed = closed.filter_map(|(site, closed)| Some((site, closed?)));
    closed
        .filter(|(_, closed)| closed.callee != Callee::None)
        .collect()
}

impl ClosedSite {
    fn join(self, other: ClosedSite) -> ClosedSite {
        ClosedSite {
            callee: self.callee.join(other.callee),
            is_parameter: self.is_parameter || other.is_parameter,
            is_closed_to_others: self.is_closed_to_others && other.is_closed_to_others,
        }
    }

    /// Returns whether the call runs one function, or makes objects of one class.
    pub(super) fn is_exact(&self, program: &Program<'_>, site: &SiteTargets) -> bool {
        let Callee::One(callee) = self.callee else {
            return false;
        };
        let is_class = program.item(callee).kind == ItemKind::Class;
        let makes = |&target: &ItemId| {
            let name = program.text(program.item(target).name);
            is_class && matches!(name, "__init__" | "__new__" | "__post_init__")
        };
        let is_callee_or_makes = |target: &ItemId| *target == callee || makes(target);
        !self.is_parameter
            && site.targets.contains(&callee)
            && site.targets.iter().all(is_callee_or_makes)
    }
}

struct Callees<'s, 'a, 'p> {
    solver: &'s Solver<'a, 'p>,
    open: &'s OpenCells,
    followed: Followed<'s, 'a, 'p>,
}

impl Callees<'_, '_, '_> {
    /// Returns what the values of a cell call.
    fn at(&self, cell: CellId, depth: u32) -> Callee {
        if depth > MAX_DEPTH || self.open.has(cell) {
            return Callee::Several;
        }
        let values = self.solver.cells.values(cell).iter();
        values.fold(Callee::None, |found, &value| {
            found.join(self.of(value, depth))
        })
    }

    fn of(&self, value: ValueId, depth: u32) -> Callee {
        match self.solver.values.get(value) {
            FlowObject::Function { item, .. } => {
                let class = self.solver.program.class_of_method(item);
                if class.is_some_and(|class| self.is_protocol(class)) {
                    Callee::Several
                } else {
                    Callee::One(item)
                }
            }
            FlowObject::Class(class) if self.is_protocol(class) => Callee::Several,
            FlowObject::Class(class) => Callee::One(class),
            FlowObject::Bound { function, .. } => self.of(function, depth),
            FlowObject::Wrapped {
                by: Wrapper::ContextManager | Wrapper::StaticMethod,
                inner,
            } => self.of(inner, depth),
            FlowObject::Instance(class, _) => self.of_object(class, depth),
            FlowObject::Declared(class) => {
                let below = self.solver.program.subclasses(class).iter();
                let own = self.of_object(class, depth);
                below.fold(own, |found, &class| {
                    found.join(self.of_object(class, depth))
                })
            }
            FlowObject::Partial(made) => {
                match self.solver.calls[made as usize].positional.first() {
                    Some(&Argument::One(function)) => self.at(function, depth + 1),
                    _ => Callee::Several,
                }
            }
            FlowObject::Module(_)
            | FlowObject::Container { .. }
            | FlowObject::Generator(_)
            | FlowObject::Coroutine(_)
            | FlowObject::Context(_)
            | FlowObject::Namespace { .. }
            | FlowObject::Super { .. }
            | FlowObject::Text { .. }
            | FlowObject::TextStart { .. }
            | FlowObject::Request(_)
            | FlowObject::MonkeyPatch => Callee::None,
            _ => Callee::Several,
        }
    }

    /// Returns what a call of an object runs.
    fn of_object(&self, class: ItemId, depth: u32) -> Callee {
        let program = self.solver.program;
        let name = program.name("__call__");
        let order = program.mro(class);
        match program.binding_class(order, name) {
            Some(at) => {
                let held = CellKey::ClassName(order[at], name);
                let held = self.solver.cells.known(held);
                held.map_or(Callee::Several, |held| self.at(held, depth + 1))
            }
            None if self.followed.has_library_base(class) => Callee::Several,
            None => Callee::None,
        }
    }

    /// Returns whether objects of any class with its methods are of a class (PEP 544).
    fn is_protocol(&self, class: ItemId) -> bool {
        let facts = self.solver.program.class(class);
        facts.is_some_and(|facts| facts.is_protocol)
    }
}
