//! The frames of an event whose channel is a field of an object, or of what the callers around give it: the program publishes
//! that chooses the object.
//!
//! ```python
//! class Sender:
//!     def __init__(self, topic): self.topic = topic
//!     def send(self, text): producer.produce(self.topic, text)    # whose topic?
//!
//! def report(sender): sender.send("x")
//! report(Sender("paid"))                                          # a frame: this publishes "paid"
//! ```
//!
//! Only what the channel is made of is followed: other arguments give no frames.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use codeweft_db::{
    Db as _, NameId, RECEIVER, SymbolClass, SymbolId, ValueId, WireArgument, WireCall,
    WireFunction, WireValue,
};
use rustc_hash::FxHashSet;

use super::facts::Composer;
use super::value::{Abstract, CallAt, Class, FrameRef, Site, framed_by_caller};

/// The most frames of a call; of more it is evaluated with everything that any of them gives.
const MAX_FRAMES: usize = 1000;
/// The most functions around each other.
const MAX_FUNCTIONS: usize = 12;

/// The parameters that values are made of, by function.
type Needed = BTreeMap<u32, BTreeSet<u32>>;

impl Composer<'_> {
    /// Returns the frames of a call by the objects and texts that values of it are made of; none if that are no parameters
    /// of a function that is called.
    pub(super) fn frames_by_need(
        &self,
        at: CallAt,
        values: &[ValueId],
    ) -> Option<Vec<(FrameRef, CallAt)>> {
        let (function, numbers) = self.needed_function(at.0, values)?;
        let mut open = vec![function];
        let frames = self.frames_of_need(function, &numbers, &mut open);
        (!frames.is_empty() && frames.len() <= MAX_FRAMES).then_some(frames)
    }

    /// Returns the first function with callers that values are made of parameters of, with these.
    fn needed_function(
        &self,
        file: u32,
        values: &[ValueId],
    ) -> Option<((u32, u32), BTreeSet<u32>)> {
        let loaded = self.loaded(file);
        let needed = self.needed(file, values);
        let mut called = needed.into_iter().filter(|(function, _)| {
            let declared = loaded.wires.functions.get(*function as usize);
            declared.is_some_and(|declared| {
                declared.is_named && !self.callers_of_object(declared.symbol).is_empty()
            })
        });
        called
            .next()
            .map(|(function, numbers)| ((file, function), numbers))
    }

    /// Returns the frames of a function, one for each way to it from where what is needed is no parameter.
    fn frames_of_need(
        &self,
        function: (u32, u32),
        numbers: &BTreeSet<u32>,
        open: &mut Vec<(u32, u32)>,
    ) -> Vec<(FrameRef, CallAt)> {
        let loaded = self.loaded(function.0);
        let Some(declared) = loaded.wires.functions.get(function.1 as usize) else {
            return Vec::new();
        };
        let mut frames: Vec<(FrameRef, CallAt)> = Vec::new();
        for &caller in self.callers_of_object(declared.symbol).iter() {
            self.db.unwind_if_cancelled();
            let Some(call) = self.call(caller) else {
                continue;
            };
            let values: Vec<ValueId> = numbers
                .iter()
                .filter_map(|&number| self.given(caller.0, &call, declared, number))
                .collect();
            let around = self.needed_function(caller.0, &values);
            let outer = match around {
                // A function that calls itself is called from elsewhere.
                Some((around, _)) if open.contains(&around) => continue,
                Some((around, numbers)) if open.len() < MAX_FUNCTIONS => {
                    open.push(around);
                    let outer = self.frames_of_need(around, &numbers, open);
                    open.pop();
                    outer
                }
                _ => vec![(None, caller)],
            };
            for (outer, origin) in outer {
                if frames.len() > MAX_FRAMES {
                    return frames;
                }
                if !self.may_run(caller, &call, declared.symbol, &outer) {
                    continue;
                }
                let frame = framed_by_caller(function, caller, &outer);
                frames.push((Some(frame), origin));
            }
        }
        frames
    }

    /// Returns what a call gives a parameter, the receiver too.
    fn given(
        &self,
        file: u32,
        call: &WireCall,
        declared: &WireFunction,
        number: u32,
    ) -> Option<ValueId> {
        if number == RECEIVER {
            return self.receiver(file, call);
        }
        let parameter = declared.parameters.get(number as usize)?;
        let by_position = |argument: &&WireArgument| argument.name.is_none();
        let mut named = call.arguments.iter();
        let named = named.find(|argument| argument.name == Some(parameter.name));
        let mut positional = call.arguments.iter().filter(by_position);
        let given = named.or_else(|| positional.nth(number as usize))?;
        Some(given.value)
    }

    /// Returns the calls of a function, with those of methods on values that only their evaluation says the type of, and those of
    /// values that the function is given as.
    fn callers_of_object(&self, symbol: SymbolId) -> Rc<Vec<CallAt>> {
        if let Some(known) = self.object_callers.borrow().get(&symbol) {
            return known.clone();
        }
        let mut found: BTreeSet<CallAt> = self.callers(symbol).into_iter().collect();
        let name = self.name_of_symbol(symbol);
        let home = self.file_of(symbol).and_then(|file| self.file(file));
        let is_method = self.class(symbol) == SymbolClass::Method;
        if let Some(home) = home {
            for &file in self.files_with(home.lang, name).iter() {
                let loaded = self.loaded(file);
                // What a decorator that is not loaded makes of a function has no calls in the graph.
                let named = loaded.calls_of.get(&symbol).into_iter().flatten();
                found.extend(named.map(|&call| (file, call)));
                if !is_method {
                    continue;
                }
                let calls = (0..).zip(&loaded.wires.calls);
                let calls = calls.filter(|(_, call)| self.is_on_object(file, call, symbol));
                found.extend(calls.map(|(number, _)| (file, number)));
            }
        }
        // A call of a parameter, a field or a variable: the code graph has it where the function may come from elsewhere.
        let (_, files) = self.calling(symbol).unwrap_or_default();
        for file in files {
            let loaded = self.loaded(file);
            let calls = (0..).zip(&loaded.wires.calls);
            let calls = calls.filter(|(_, call)| {
                self.is_of_value(file, call) && self.may_be(file, call, symbol, &None)
            });
            found.extend(calls.map(|(number, _)| (file, number)));
        }
        let found = Rc::new(found.into_iter().collect::<Vec<_>>());
        self.object_callers
            .borrow_mut()
            .insert(symbol, found.clone());
        found
    }

    /// Returns whether what a call runs is a value: what a parameter, a local variable, a field or a variable holds.
    fn is_of_value(&self, file: u32, call: &WireCall) -> bool {
        match self.value(file, call.callee) {
            WireValue::Parameter { .. } | WireValue::Local(_) => true,
            WireValue::Declared(symbol)
            | WireValue::Member {
                symbol: Some(symbol),
                ..
            } => matches!(
                self.class(symbol),
                SymbolClass::Field | SymbolClass::Variable
            ),
            _ => false,
        }
    }

    /// Returns whether what a call of a value runs may be a function.
    fn may_be(&self, file: u32, call: &WireCall, function: SymbolId, frame: &FrameRef) -> bool {
        let values = self.evaluate(file, call.callee, frame);
        values.contains(&Abstract::Function(function))
    }

    /// Returns whether a call is one of a method on an object that only evaluation finds: a value, or an attribute of an
    /// object of a library.
    fn is_on_object(&self, file: u32, call: &WireCall, method: SymbolId) -> bool {
        let name = self.name_of_symbol(method);
        match self.value(file, call.callee) {
            WireValue::Member {
                base,
                name: of,
                symbol: None,
            } => {
                let objects = || self.evaluate(file, base, &None);
                of == name && objects().iter().any(|of| self.has_method(file, of, method))
            }
            WireValue::Absent(path) if path.rsplit('.').next() == Some(self.name(name)) => {
                let mut objects = self.receiver_of_library(file, call).into_iter();
                objects.any(|of| self.has_method(file, &of, method))
            }
            _ => false,
        }
    }

    /// Returns whether a call in a frame is one of a method by the objects that it is called on, as far as calls of the
    /// workspace make them: one of another type may have a method of its own instead.
    /// A value is what the frame gives it.
    fn may_run(&self, caller: CallAt, call: &WireCall, method: SymbolId, frame: &FrameRef) -> bool {
        if self.is_of_value(caller.0, call) {
            return self.may_be(caller.0, call, method, frame);
        }
        let receiver = self.receiver(caller.0, call);
        let Some(receiver) = receiver.filter(|_| self.class(method) == SymbolClass::Method) else {
            return true;
        };
        let objects = self.evaluate(caller.0, receiver, frame);
        let is_made =
            |of: &Abstract| matches!(of, Abstract::Object(Site::Call(_), Class::Declared(_), _));
        let has_method = |of: &Abstract| self.has_method(caller.0, of, method);
        objects.is_empty() || !objects.iter().all(is_made) || objects.iter().any(has_method)
    }

    fn name_of_symbol(&self, symbol: SymbolId) -> NameId {
        self.db.shared().symbols.key(symbol).name
    }

    fn has_method(&self, file: u32, of: &Abstract, method: SymbolId) -> bool {
        let name = self.name_of_symbol(method);
        matches!(of, Abstract::Object(_, Class::Declared(class), _)
            if self.member_of(file, *class, name) == Some(method))
    }

    /// Returns the parameters of functions that values are made of.
    fn needed(&self, file: u32, values: &[ValueId]) -> Needed {
        let loaded = self.loaded(file);
        let wires = &loaded.wires;
        let mut needed = Needed::new();
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let mut open: Vec<ValueId> = values.to_vec();
        while let Some(value) = open.pop() {
            if value == 0 || !seen.insert(value) {
                continue;
            }
            let made = wires.value(value);
            if let WireValue::Parameter { function, number } = made {
                needed.entry(*function).or_default().insert(*number);
            }
            open.extend(wires.operands(made));
        }
        needed
    }
}
