//! Calls: which functions a value runs, and how arguments and results flow.

use std::sync::Arc;

use codeweft_db::NameId;
use codeweft_python_syntax::ParamKind;

use super::cells::{CellId, CellKey, Key, NOWHERE};
use super::constraints::Constraint;
use super::instances::{self, Instance};
use super::program::{ItemId, NO_ITEM};
use super::seeds::Registered;
use super::solver::{HUB, MAX_LINKED, SiteId, Solver};
use super::special;
use super::values::{ContainerKind, ContextId, FlowObject, InstanceId, SHARED, ValueId, Wrapper};
use super::{attributes, contexts, library};

/// A positional argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// One value.
    One(CellId),
    /// `*x`
    Spread(CellId),
}

/// How the text has a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CallForm {
    /// Not as a call: an operator or a library makes it.
    Implicit,
    /// As a call.
    Written,
    /// As a call of a parameter.
    OfParameter,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    /// The positional arguments.
    pub(super) positional: Vec<Argument>,
    /// The keyword arguments; `**x` has the empty name.
    pub(super) keywords: Vec<(NameId, CellId)>,
    /// What the call gives.
    pub(super) result: CellId,
    /// Where what runs is recorded.
    pub(super) site: SiteId,
    /// The first argument as the key of an element.
    pub(super) key: Key,
    /// Whether it applies a decorator.
    pub(super) is_decorator: bool,
    /// Whether it applies a decorator or makes one: what it runs and the object that it makes are kept apart.
    pub(super) of_decorator: bool,
    /// Its number, if it is kept; else [`u32::MAX`].
    pub(super) number: u32,
    /// The run that it is in, if that is separate; else [`super::instances::NO_INSTANCE`].
    pub(super) within: InstanceId,
    /// The context of the object that it makes; [`SHARED`] if it makes none of its own.
    pub(super) made_for: ContextId,
    /// How the text has it.
    pub(super) form: CallForm,
    /// Whether it applies a decorator that is known to give back the function, and to call it with what flows.
    pub(super) keeps: bool,
    /// The arguments that it registers with a framework.
    pub(super) registers: Option<Registered>,
    /// How many calls of partials and objects it was made of.
    depth: u8,
}

/// The number of elements of `*x` that keep their order; those behind are not passed on.
pub(super) const MAX_SPREAD: u32 = 8;

/// The maximum number of calls of partials and objects that a call is made of.
const MAX_MADE: u8 = 4;

impl CallSite {
    /// Creates a call without keyword arguments.
    pub(super) fn new(positional: Vec<Argument>, result: CellId, site: SiteId) -> CallSite {
        CallSite {
            positional,
            keywords: Vec::new(),
            result,
            site,
            key: Key::Any,
            is_decorator: false,
            of_decorator: false,
            number: u32::MAX,
            within: instances::NO_INSTANCE,
            made_for: SHARED,
            form: CallForm::Implicit,
            keeps: false,
            registers: None,
            depth: 0,
        }
    }

    /// Returns whether it is made by the call of a partial or an object.
    pub(super) fn is_made(&self) -> bool {
        self.depth > 0
    }

    /// Returns a call that this one makes at its site; `None` if this one was made by too many.
    pub(super) fn making(&self, positional: Vec<Argument>, result: CellId) -> Option<CallSite> {
        let made = CallSite {
            depth: self.depth + 1,
            within: self.within,
            ..CallSite::new(positional, result, self.site)
        };
        (self.depth < MAX_MADE).then_some(made)
    }

    /// Keeps the call; returns its number.
    pub(super) fn kept(mut self, solver: &mut Solver<'_, '_>) -> u32 {
        let number = solver.calls.len() as u32;
        self.number = number;
        solver.calls.push(Arc::new(self));
        solver.call_targets.push(Vec::new());
        number
    }

    /// Returns the cell of a positional argument that is behind no `*x`.
    pub(super) fn argument(&self, at: usize) -> CellId {
        match self.positional.get(..=at) {
            Some([before @ .., Argument::One(cell)])
                if before.iter().all(|one| matches!(one, Argument::One(_))) =>
            {
                *cell
            }
            _ => NOWHERE,
        }
    }

    /// Returns the cell of an argument by position or name.
    pub(super) fn named(&self, solver: &Solver<'_, '_>, at: usize, name: &str) -> CellId {
        match self.argument(at) {
            NOWHERE => self.keyword(solver, name),
            cell => cell,
        }
    }

    /// Returns the cell of a keyword argument.
    pub(super) fn keyword(&self, solver: &Solver<'_, '_>, name: &str) -> CellId {
        let mut keywords = self.keywords.iter();
        let found = keywords.find(|&&(key, _)| solver.program.text(key) == name);
        found.map_or(NOWHERE, |&(_, cell)| cell)
    }
}

/// What a call of a function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// What the function returns.
    Plain,
    /// A context manager.
    Context,
}

/// Calls a value.
pub(super) fn run(solver: &mut Solver<'_, '_>, value: ValueId, call: &Arc<CallSite>) {
    run_with(solver, value, None, call, Outcome::Plain);
}

/// Calls a value with a first argument.
pub(super) fn run_with(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    receiver: Option<ValueId>,
    call: &Arc<CallSite>,
    outcome: Outcome,
) {
    match solver.values.get(value) {
        FlowObject::Function { item, made_in } => {
            run_function(solver, item, made_in, receiver, call, outcome);
        }
        FlowObject::Bound {
            function,
            receiver: bound,
        } if receiver.is_none() => run_with(solver, function, Some(bound), call, outcome),
        FlowObject::Class(class) => construct(solver, class, value, call),
        FlowObject::Declared(_) => {
            let name = solver.name("__call__");
            for object in special::declared_objects(solver, value, &[name]).unwrap_or_default() {
                call_object(solver, object, name, call);
            }
        }
        FlowObject::Instance(..) => {
            // `__call__` is looked up like any special method, with all arguments.
            let name = solver.name("__call__");
            call_object(solver, value, name, call);
        }
        FlowObject::Wrapped { by, inner } => match by {
            Wrapper::ContextManager => run_with(solver, inner, receiver, call, Outcome::Context),
            Wrapper::StaticMethod => run_with(solver, inner, None, call, outcome),
            _ => {}
        },
        FlowObject::Partial(made) => run_partial(solver, made, receiver, call),
        FlowObject::Library(symbol) => library::run(solver, symbol, call),
        FlowObject::Method { receiver, name } => {
            library::run_method(solver, receiver, name, call);
        }
        FlowObject::Instead { inner } => {
            let call = Arc::new(CallSite {
                result: NOWHERE,
                ..CallSite::clone(call)
            });
            run_with(solver, inner, receiver, &call, outcome);
        }
        FlowObject::Identity => {
            let from = call.argument(0);
            solver.edge(from, call.result);
        }
        _ => {}
    }
}

fn call_object(solver: &mut Solver<'_, '_>, value: ValueId, name: NameId, call: &Arc<CallSite>) {
    let program = solver.program;
    let FlowObject::Instance(class, _) = solver.values.get(value) else {
        return;
    };
    if call.depth >= MAX_MADE {
        solver.lose_call(call);
        return;
    }
    let key = (value, name, call.result, call.site, call.number);
    if program.binding_class(program.mro(class), name).is_none() || !solver.is_new_special_run(key)
    {
        return;
    }
    let method = solver.cells.block(1);
    let inner = CallSite {
        depth: call.depth + 1,
        ..CallSite::clone(call)
    };
    let inner = inner.kept(solver);
    solver.constrain(method, Constraint::Call { call: inner });
    attributes::class_names(solver, program.mro(class), value, name, method, call.site);
}

fn run_partial(
    solver: &mut Solver<'_, '_>,
    made: u32,
    receiver: Option<ValueId>,
    call: &Arc<CallSite>,
) {
    let number = made;
    let made = solver.calls[number as usize].clone();
    let Some((&Argument::One(function), given)) = made.positional.split_first() else {
        return;
    };
    if call.depth >= MAX_MADE {
        solver.lose_call(call);
        solver.lose_value(FlowObject::Partial(number));
        return;
    }
    let mut positional = Vec::new();
    if let Some(receiver) = receiver {
        let cell = solver.cells.block(1);
        solver.add_value(cell, receiver);
        positional.push(Argument::One(cell));
    }
    positional.extend_from_slice(given);
    positional.extend_from_slice(&call.positional);
    let mut keywords = call.keywords.clone();
    for &(name, cell) in &made.keywords {
        if !keywords.iter().any(|&(given, _)| given == name) {
            keywords.push((name, cell));
        }
    }
    let whole = CallSite {
        positional,
        keywords,
        depth: call.depth + 1,
        ..CallSite::clone(call)
    };
    let number = whole.kept(solver);
    solver.constrain(function, Constraint::Call { call: number });
}

fn run_function(
    solver: &mut Solver<'_, '_>,
    item: ItemId,
    made_in: InstanceId,
    receiver: Option<ValueId>,
    call: &Arc<CallSite>,
    outcome: Outcome,
) {
    let before = solver.record(call.site, call.number, item);
    let context = contexts::of_call(solver, item, receiver, call);
    let instance = instances::ensure(solver, item, made_in, context);
    if before < MAX_LINKED {
        pass_arguments(solver, instance, receiver, call);
    }
    let reads = solver.name("__getattribute__");
    let is_nothing =
        solver.program.item(item).name == reads && attributes::is_not_found(solver, call.site);
    if before < HUB && !is_nothing {
        let run = solver.instances[instance as usize];
        let flags = solver.program.item(item).flags;
        match outcome {
            Outcome::Context => solver.add(call.result, FlowObject::Context(instance)),
            Outcome::Plain if flags.is_generator => {
                solver.add(call.result, FlowObject::Generator(instance));
            }
            Outcome::Plain if flags.is_async => {
                solver.add(call.result, FlowObject::Coroutine(instance));
            }
            Outcome::Plain => solver.edge(run.result, call.result),
        }
    }
    if solver.program.is_wrapping(item) && call.number != u32::MAX {
        let name = solver.name("__wrapped__");
        let wrapped = solver.cell(CellKey::OfFunction(item, made_in, name));
        run_instead(solver, wrapped, call.number);
    }
    let registered = CellKey::Registered(item);
    let is_decorated = !solver.program.item(item).decorators.is_empty();
    if is_decorated && call.number != u32::MAX {
        let cell = solver.cell(registered);
        run_instead(solver, cell, call.number);
    }
}

/// Lets a call run what a cell holds, too: once, since a function may wrap itself.
fn run_instead(solver: &mut Solver<'_, '_>, cell: CellId, call: u32) {
    if solver.is_new_instead((cell, call)) {
        solver.constrain(cell, Constraint::Call { call });
    }
}

/// Returns the number of a run's positional parameters, and those of `*args` and `**kwargs`.
fn shape_of(solver: &Solver<'_, '_>, run: &Instance) -> (u32, Option<u32>, Option<u32>) {
    let params = solver.program.params(run.item);
    let (mut count, mut star, mut double) = (0, None, None);
    for (param, at) in params.iter().zip(0..) {
        match param.kind {
            ParamKind::PositionalOnly | ParamKind::Normal => count = at + 1,
            ParamKind::Star => star = Some(at),
            ParamKind::DoubleStar => double = Some(at),
            ParamKind::KeywordOnly => {}
        }
    }
    (count, star, double)
}

/// Returns where the positional argument of a number goes.
fn positional_cell(solver: &mut Solver<'_, '_>, run: &Instance, at: u32) -> CellId {
    let (count, star, _) = shape_of(solver, run);
    if at < count {
        return run.params + at;
    }
    match star {
        Some(star) => {
            let site = run.params + star;
            solver.cell(CellKey::Element(site, Key::Index(at - count)))
        }
        None => NOWHERE,
    }
}

/// Returns where the keyword argument of a name goes.
fn keyword_cell(solver: &mut Solver<'_, '_>, run: &Instance, name: NameId) -> CellId {
    let params = solver.program.params(run.item);
    let takes = |kind| matches!(kind, ParamKind::Normal | ParamKind::KeywordOnly);
    let mut named = params.iter().zip(0..);
    let found = named.find(|(param, _)| param.name == name && takes(param.kind));
    if let Some((_, at)) = found {
        return run.params + at;
    }
    match shape_of(solver, run).2 {
        Some(double) => {
            let site = run.params + double;
            let keys = solver.cell(CellKey::Element(site, Key::Keys));
            solver.add_text(keys, name, NO_ITEM);
            solver.cell(CellKey::Element(site, Key::Text(name)))
        }
        None => NOWHERE,
    }
}

fn pass_arguments(
    solver: &mut Solver<'_, '_>,
    instance: InstanceId,
    receiver: Option<ValueId>,
    call: &CallSite,
) {
    let run = solver.instances[instance as usize];
    let mut at = 0;
    if let Some(receiver) = receiver {
        let to = positional_cell(solver, &run, 0);
        solver.add_value(to, receiver);
        at = 1;
    }
    for argument in &call.positional {
        match *argument {
            Argument::One(from) => {
                let to = positional_cell(solver, &run, at);
                solver.edge(from, to);
                at += 1;
            }
            Argument::Spread(from) => {
                let key = (from, instance, at);
                if from != NOWHERE && solver.is_new_spread(key) {
                    solver.constrain(from, Constraint::Spread { instance, from: at });
                }
            }
        }
    }
    for &(name, from) in &call.keywords {
        if solver.program.text(name).is_empty() {
            let key = (from, instance, u32::MAX);
            if from != NOWHERE && solver.is_new_spread(key) {
                solver.constrain(from, Constraint::SpreadKeywords { instance });
            }
        } else {
            let to = keyword_cell(solver, &run, name);
            solver.edge(from, to);
        }
    }
}

/// Gives the elements of `*x` to the parameters of a run.
pub(super) fn spread(solver: &mut Solver<'_, '_>, value: ValueId, instance: InstanceId, from: u32) {
    let run = solver.instances[instance as usize];
    let (count, star, _) = shape_of(solver, &run);
    let FlowObject::Container { site, .. } = solver.values.get(value) else {
        // Of other values, any element goes anywhere.
        let any = solver.cells.block(1);
        super::containers::elements(solver, value, any);
        for at in from..count {
            solver.edge(any, run.params + at);
        }
        if let Some(star) = star {
            let to = solver.cell(CellKey::Element(run.params + star, Key::Any));
            solver.edge(any, to);
        }
        return;
    };
    let any = solver.cell(CellKey::Element(site, Key::Any));
    for at in from..count {
        let element = solver.cell(CellKey::Element(site, Key::Index(at - from)));
        solver.edge(element, run.params + at);
        solver.edge(any, run.params + at);
    }
    let Some(star) = star else { return };
    let rest = run.params + star;
    if from >= count {
        // The elements keep their order behind those that were given.
        let skipped = from - count;
        for at in 0..MAX_SPREAD {
            let element = solver.cell(CellKey::Element(site, Key::Index(at)));
            let to = solver.cell(CellKey::Element(rest, Key::Index(at + skipped)));
            solver.edge(element, to);
        }
    } else {
        for at in 0..MAX_SPREAD {
            let element = solver.cell(CellKey::Element(site, Key::Index(at + count - from)));
            let to = solver.cell(CellKey::Element(rest, Key::Index(at)));
            solver.edge(element, to);
        }
    }
    let to = solver.cell(CellKey::Element(rest, Key::Any));
    solver.edge(any, to);
}

/// Gives the elements of `**x` to the parameters of a run.
pub(super) fn spread_keywords(solver: &mut Solver<'_, '_>, value: ValueId, instance: InstanceId) {
    let run = solver.instances[instance as usize];
    let FlowObject::Container { site, .. } = solver.values.get(value) else {
        return;
    };
    let params = solver.program.params(run.item);
    let any = solver.cell(CellKey::Element(site, Key::Any));
    for (param, at) in params.iter().zip(0..) {
        if matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly) {
            let element = solver.cell(CellKey::Element(site, Key::Text(param.name)));
            solver.edge(element, run.params + at);
            solver.edge(any, run.params + at);
        }
    }
    if let Some(double) = shape_of(solver, &run).2 {
        super::containers::copy_into(solver, value, run.params + double);
    }
}

/// Constructs an object of a class (Python reference, Data model, "Customizing instance creation").
fn construct(solver: &mut Solver<'_, '_>, class: ItemId, value: ValueId, call: &Arc<CallSite>) {
    let program = solver.program;
    let before = solver.record(call.site, call.number, class);
    let result = if before < HUB { call.result } else { NOWHERE };
    let is_generated = program
        .class(class)
        .is_some_and(|facts| facts.generates_init);
    let made_for = if call.of_decorator && !is_generated {
        contexts::of_object(solver, call.site, call.within)
    } else {
        SHARED
    };
    let made = FlowObject::Instance(class, made_for);
    if before >= MAX_LINKED {
        return;
    }
    let order = program.mro(class);
    let Some(made) = solver.values.number(made) else {
        return;
    };
    let (new, init, called) = (
        solver.name("__new__"),
        solver.name("__init__"),
        solver.name("__call__"),
    );
    // What `__new__` returns is known of each class apart.
    let own = match program.binding_class(order, new) {
        Some(_) if result != NOWHERE => {
            let own = solver.cells.block(1);
            solver.edge(own, result);
            own
        }
        _ => result,
    };
    let kept = CallSite {
        result: own,
        made_for,
        ..CallSite::clone(call)
    };
    let kept = kept.kept(solver);
    let by = |solver: &mut Solver<'_, '_>, order: &[ItemId], name, receiver, takes_result| {
        let Some(at) = program.binding_class(order, name) else {
            return false;
        };
        let cell = solver.cell(CellKey::ClassName(order[at], name));
        let constraint = Constraint::Construct {
            call: kept,
            receiver,
            takes_result,
        };
        solver.constrain(cell, constraint);
        true
    };
    if let Some(meta) = program.class(class).and_then(|facts| facts.metaclass) {
        by(solver, program.mro(meta), called, value, true);
    }
    if by(solver, order, new, value, true) {
        // Where nothing is known of what it returns, that is an object of the class.
        if own != NOWHERE {
            let object = solver.cells.block(1);
            solver.add_value(object, made);
            solver.otherwise.push((object, own));
        }
    } else {
        solver.add_value(result, made);
    }
    let has_init = by(solver, order, init, made, false);
    let Some(facts) = program.class(class) else {
        return;
    };
    if !has_init && facts.generates_init {
        let fields = program.fields(class);
        for (&(of, name), at) in fields.iter().zip(0..) {
            let to = solver.cell(CellKey::Attribute(of, name, SHARED));
            let text = program.text(name).trim_start_matches('_');
            solver.edge(call.argument(at), to);
            let by_name = call.keyword(solver, text);
            solver.edge(by_name, to);
        }
        let after = solver.name("__post_init__");
        special::run_method(solver, made, after, &[], NOWHERE, call.site);
    }
    if facts.is_container {
        let kind = if facts.is_mapping {
            ContainerKind::Mapping
        } else {
            ContainerKind::Sequence
        };
        let site = solver.cell(CellKey::Elements(class));
        super::library::fill(solver, call, site, kind);
    }
}

/// Calls what a class has as its constructor.
pub(super) fn construct_by(
    solver: &mut Solver<'_, '_>,
    value: ValueId,
    receiver: ValueId,
    call: &Arc<CallSite>,
    takes_result: bool,
) {
    let call = if takes_result {
        call.clone()
    } else {
        Arc::new(CallSite {
            result: NOWHERE,
            ..CallSite::clone(call)
        })
    };
    let receiver = match solver.values.get(value) {
        FlowObject::Function { .. } => Some(receiver),
        FlowObject::Wrapped { .. } => None,
        _ => return,
    };
    run_with(solver, value, receiver, &call, Outcome::Plain);
}
