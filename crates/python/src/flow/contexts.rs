//! The contexts that keep runs of one function apart: its call, or the object that it is a method of.
//!
//! ```python
//! def maker(f):
//!     def run(): return f()
//!     return run
//! a, b = maker(x), maker(y)     # each call of `maker` has a context
//!
//! def register(f):
//!     kept.append(f)
//!     return f
//! @register                     # so has each call of a decorator, or of what makes one
//! def d(): ...
//!
//! class timed:
//!     def __init__(self, f): self.f = f
//!     def __call__(self): return self.f()
//! @timed                        # the object that the decorator makes is a context of its methods
//! def c(): ...
//! ```
//!
//! A call in a separate run has a context of its own for each such run, two levels deep: deeper ones would be without end
//! where functions call each other.

use super::calls::CallSite;
use super::instances::NO_INSTANCE;
use super::program::{ItemId, MAX_SMALL};
use super::solver::{NO_SITE, SiteId, Solver};
use super::values::{ContextId, FlowObject, InstanceId, SHARED, ValueId};
use crate::symbols::is_special;

/// The maximum number of nodes of a special method that is followed once for each object that has a context: what makes the
/// object, and what runs it.
const MAX_SPECIAL_METHOD: u32 = 256;

/// The same of another method.
const MAX_METHOD: u32 = 64;

/// A context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Context {
    /// The site of the call.
    pub(super) site: SiteId,
    /// The separate run that the call is in, or [`NO_INSTANCE`].
    pub(super) within: InstanceId,
    /// Whether it is that of an object that the call makes.
    pub(super) is_object: bool,
}

/// Returns the run that the calls of a run are within: the run itself, if its context is that of a call in no separate run; so
/// contexts are at most two deep.
pub(super) fn within(solver: &Solver<'_, '_>, instance: InstanceId) -> InstanceId {
    let mut at = instance;
    while let Some(run) = solver.instances.get(at as usize)
        && run.is_separate()
    {
        if run.context == SHARED {
            at = run.made_in;
            continue;
        }
        let context = solver.contexts.get(run.context as usize);
        let is_first = context.is_some_and(|context| context.within == NO_INSTANCE);
        return if is_first { instance } else { NO_INSTANCE };
    }
    NO_INSTANCE
}

/// Returns the context of the object that a call makes as a decorator.
pub(super) fn of_object(
    solver: &mut Solver<'_, '_>,
    site: SiteId,
    within: InstanceId,
) -> ContextId {
    number(
        solver,
        Context {
            site,
            within,
            is_object: true,
        },
    )
}

/// Returns the context of the run of a function that is called; [`SHARED`] if its calls share a run.
pub(super) fn of_call(
    solver: &mut Solver<'_, '_>,
    item: ItemId,
    receiver: Option<ValueId>,
    call: &CallSite,
) -> ContextId {
    let receiver = receiver.map(|receiver| solver.values.get(receiver));
    let object = match receiver {
        Some(FlowObject::Instance(_, own)) if own != SHARED => own,
        _ => call.made_for,
    };
    if object != SHARED && solver.program.size(item) <= max_nodes(solver, item) {
        return object;
    }
    let is_apart =
        solver.program.is_maker(item) || call.of_decorator && solver.program.is_small(item);
    if call.site == NO_SITE || !is_apart {
        return SHARED;
    }
    number(
        solver,
        Context {
            site: call.site,
            within: call.within,
            is_object: false,
        },
    )
}

/// Returns whether bodies of two numbers of nodes are followed apart alike.
pub(super) fn are_sizes_alike(before: u32, after: u32) -> bool {
    let mut bounds = [MAX_METHOD, MAX_SPECIAL_METHOD, MAX_SMALL].iter();
    bounds.all(|bound| (before <= *bound) == (after <= *bound))
}

/// Returns the maximum number of nodes of a method that is followed once for each object.
fn max_nodes(solver: &Solver<'_, '_>, method: ItemId) -> u32 {
    let program = solver.program;
    if is_special(program.text(program.item(method).name)) {
        MAX_SPECIAL_METHOD
    } else {
        MAX_METHOD
    }
}

/// Returns the context of the object that `object.__new__` makes in a run.
pub(super) fn of_new(solver: &Solver<'_, '_>, within: InstanceId) -> ContextId {
    let run = solver.instances.get(within as usize);
    let context = run.map_or(SHARED, |run| run.context);
    match solver.contexts.get(context as usize) {
        Some(of) if context != SHARED && of.is_object => context,
        _ => SHARED,
    }
}

fn number(solver: &mut Solver<'_, '_>, context: Context) -> ContextId {
    if context.site == NO_SITE {
        return SHARED;
    }
    if let Some(&known) = solver.context_of.get(&context) {
        return known;
    }
    let number = solver.contexts.len() as ContextId;
    solver.contexts.push(context);
    solver.context_of.insert(context, number);
    number
}
