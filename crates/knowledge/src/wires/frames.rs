//! The frames that a call is evaluated in: arguments that come from one caller, or from one row of a table, belong together.
//!
//! ```go
//! func (s *Server) get(path string, h Handler) { s.r.GET(path, h) }   // a frame for each call of `get`
//! for _, row := range routes { r.Handle(row.method, row.path, row.h) } // a frame for each element of `routes`
//! ```

use codeweft_db::{RECEIVER, ValueId, WireCall, WireValue};
use rustc_hash::FxHashSet;

use super::facts::Composer;
use super::value::{Abstract, CallAt, FrameRef, chosen_in_list, framed};

/// The most frames of a call; of more it is evaluated with everything that any of them gives.
const MAX_FRAMES: usize = 1000;
/// The most wrappers around each other.
const MAX_WRAPPERS: u32 = 4;

/// What the arguments of a call mention.
#[derive(Default)]
struct Mentions {
    seen: FxHashSet<ValueId>,
    /// The functions whose parameters they are made of, in the order of their mention.
    functions: Vec<u32>,
    /// The elements of lists.
    elements: Vec<ValueId>,
}

impl Composer<'_> {
    /// Returns the frames of a call, each with the call where its arguments come from.
    pub(super) fn frames(&self, at: CallAt, call: &WireCall) -> Vec<(FrameRef, CallAt)> {
        let (file, _) = at;
        let mentions = self.mentions(file, call);
        let mut frames = match self.wrapper(file, &mentions) {
            Some(function) => self.frames_of((file, function), at, MAX_WRAPPERS),
            None => vec![(None, at)],
        };
        if let [element] = mentions.elements[..] {
            let mut chosen = Vec::new();
            for (frame, origin) in &frames {
                let choices = self.choices(file, element, frame);
                if choices.is_empty() {
                    chosen.push((frame.clone(), *origin));
                }
                let choices = choices.into_iter().map(|choice| (choice, *origin));
                chosen.extend(choices);
            }
            frames = chosen;
        }
        if frames.len() > MAX_FRAMES {
            return vec![(None, at)];
        }
        frames
    }

    /// Returns the first function with a name whose parameters a call's arguments are made of.
    fn wrapper(&self, file: u32, mentions: &Mentions) -> Option<u32> {
        let loaded = self.loaded(file);
        let mut functions = mentions.functions.iter().copied();
        functions.find(|&function| {
            let declared = loaded.wires.functions.get(function as usize);
            declared.is_some_and(|declared| {
                declared.is_named && !self.callers(declared.symbol).is_empty()
            })
        })
    }

    /// Returns the frames of a function, one for each call of it, within those of the calls themselves.
    fn frames_of(&self, function: (u32, u32), at: CallAt, left: u32) -> Vec<(FrameRef, CallAt)> {
        let loaded = self.loaded(function.0);
        let Some(declared) = loaded.wires.functions.get(function.1 as usize) else {
            return vec![(None, at)];
        };
        let mut frames = Vec::new();
        for caller in self.callers(declared.symbol) {
            let Some(call) = self.call(caller) else {
                continue;
            };
            let mentions = self.mentions(caller.0, &call);
            let around = self.wrapper(caller.0, &mentions);
            // A function that calls itself is called from elsewhere.
            let around = around.filter(|&around| left > 1 && (caller.0, around) != function);
            let outer = match around {
                Some(around) => self.frames_of((caller.0, around), caller, left - 1),
                None => vec![(None, caller)],
            };
            for (outer, origin) in outer {
                if frames.len() > MAX_FRAMES {
                    return frames;
                }
                frames.push((framed(function, caller, &outer), origin));
            }
        }
        frames
    }

    /// Returns a frame for each element of the list that an element is of; none if it is not written out.
    fn choices(&self, file: u32, element: ValueId, frame: &FrameRef) -> Vec<FrameRef> {
        let WireValue::Element(base) = self.value(file, element) else {
            return Vec::new();
        };
        let mut choices = Vec::new();
        for of in self.evaluate(file, base, frame).iter() {
            let Abstract::Written(of_file, list, of_frame) = of else {
                continue;
            };
            let values: Vec<ValueId> = match self.value(*of_file, *list) {
                WireValue::List(values) => values.to_vec(),
                WireValue::Pairs(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
                _ => Vec::new(),
            };
            for value in values {
                let chosen = (*of_file, value, of_frame.clone());
                choices.push(chosen_in_list((file, element), chosen, frame));
            }
        }
        choices.retain(Option::is_some);
        choices
    }

    fn mentions(&self, file: u32, call: &WireCall) -> Mentions {
        let mut mentions = Mentions::default();
        self.mention(file, call.callee, &mut mentions);
        for argument in &call.arguments {
            self.mention(file, argument.value, &mut mentions);
        }
        mentions
    }

    fn mention(&self, file: u32, value: ValueId, mentions: &mut Mentions) {
        let loaded = self.loaded(file);
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if value == 0 || !mentions.seen.insert(value) {
                continue;
            }
            let made = loaded.wires.value(value);
            match made {
                WireValue::Parameter { function, number }
                    if *number != RECEIVER && !mentions.functions.contains(function) =>
                {
                    mentions.functions.push(*function);
                }
                WireValue::Element(_) => mentions.elements.push(value),
                _ => {}
            }
            open.extend(loaded.wires.operands(made));
        }
    }
}
