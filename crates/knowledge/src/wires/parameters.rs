//! Parameters: what the calls of a function give them.

use codeweft_db::{Db as _, RECEIVER, SymbolId, ValueId, WireFunction, WireValue};

use super::evaluate::Evaluator;
use super::program::Passed;
use super::text::Text;
use super::value::{Abstract, CallAt, Class, FrameRef, Inside, Site, add, add_all, framed};
use crate::recognisers::{One, TextOf};

impl Evaluator<'_> {
    /// Returns what a parameter may be: the argument of the call that led here, else those of all calls.
    pub(super) fn parameter(
        &self,
        file: u32,
        function: u32,
        number: u32,
        frame: &FrameRef,
    ) -> Vec<Abstract> {
        let mut around = frame.as_ref();
        while let Some(known) = around {
            if let Inside::Call {
                function: known_function,
                call,
            } = known.inside
                && known_function == (file, function)
            {
                return self.argument_of((file, function), number, call, &known.outer);
            }
            around = known.outer.as_ref();
        }
        let loaded = self.loaded(file);
        let Some(declared) = loaded.wires.functions.get(function as usize) else {
            return Vec::new();
        };
        if number == RECEIVER {
            let class = self.class_of_type(file, declared.receiver);
            let site = Site::Parameter(file, function, number);
            return vec![Abstract::Object(site, class, None)];
        }
        let mut all = Vec::new();
        if declared.is_named {
            for call in self.callers(declared.symbol) {
                let found = self.argument_of((file, function), number, call, &None);
                add_all(&mut all, found);
            }
        }
        for (call, argument) in self.calls_passing(file, function, declared) {
            add_all(&mut all, self.bound_parameter((call, argument), number));
        }
        if all.is_empty() {
            let parameter = declared.parameters.get(number as usize);
            let class = parameter.map_or(Class::Unknown, |parameter| {
                self.class_of_type(file, parameter.declared)
            });
            if class != Class::Unknown {
                let site = Site::Parameter(file, function, number);
                add(&mut all, Abstract::Object(site, class, None));
            }
        }
        all
    }

    /// Returns the argument that a call gives a parameter of a function.
    fn argument_of(
        &self,
        (file, function): (u32, u32),
        number: u32,
        (calling, call): CallAt,
        frame: &FrameRef,
    ) -> Vec<Abstract> {
        let loaded = self.loaded(file);
        let declared = loaded.wires.functions.get(function as usize);
        let Some(call) = self.call((calling, call)) else {
            return Vec::new();
        };
        if number == RECEIVER {
            return match self.receiver(calling, &call) {
                Some(receiver) => self.evaluate(calling, receiver, frame).to_vec(),
                None => self.receiver_of_library(calling, &call),
            };
        }
        let Some(parameter) =
            declared.and_then(|declared| declared.parameters.get(number as usize))
        else {
            return Vec::new();
        };
        let mut named = call.arguments.iter();
        let named = named.find(|argument| argument.name == Some(parameter.name));
        let mut positional = call
            .arguments
            .iter()
            .filter(|argument| argument.name.is_none());
        let mut values: Vec<ValueId> = Vec::new();
        match named {
            Some(named) => values.push(named.value),
            None if parameter.is_variadic => {
                values.extend(
                    positional
                        .skip(number as usize)
                        .map(|argument| argument.value),
                );
            }
            None => values.extend(
                positional
                    .nth(number as usize)
                    .map(|argument| argument.value),
            ),
        }
        let mut all = Vec::new();
        for value in &values {
            add_all(&mut all, self.evaluate(calling, *value, frame).to_vec());
        }
        if values.is_empty() {
            add_all(
                &mut all,
                self.evaluate(file, parameter.default, &None).to_vec(),
            );
        }
        all
    }

    /// Returns the calls that pass a function as an argument, with the number of the argument.
    fn calls_passing(
        &self,
        file: u32,
        function: u32,
        declared: &WireFunction,
    ) -> Vec<(CallAt, u32)> {
        let (files, passed) = match (declared.is_named, self.file(file)) {
            (true, Some(source)) => {
                let name = self.db.shared().symbols.key(declared.symbol).name;
                let files = self.files_with(source.lang, name).to_vec();
                (files, Passed::Declared(declared.symbol))
            }
            _ => (vec![file], Passed::Function(function)),
        };
        let mut found = Vec::new();
        for passing in files {
            let loaded = self.loaded(passing);
            let calls = loaded.passing.get(&passed).into_iter().flatten();
            found.extend(calls.map(|&(call, argument)| ((passing, call), argument)));
        }
        found
    }

    /// Returns what parameter `number` of a function is that a call passes as an argument: a router, by the row of the
    /// call, or what the called function calls its parameter with.
    fn bound_parameter(&self, (at, argument): (CallAt, u32), number: u32) -> Vec<Abstract> {
        let mut all = Vec::new();
        for of in self.matches(at).iter() {
            let to = self
                .row(*of)
                .and_then(|row| row.router.as_ref()?.to.as_ref());
            let is_bound = to.is_some_and(|to| {
                to.0.iter().any(|one| {
                    *one == One::Parameter {
                        argument,
                        parameter: number,
                    }
                })
            });
            if is_bound {
                add(
                    &mut all,
                    Abstract::Object(Site::Call(at), self.result_class(at), None),
                );
            }
        }
        let callee = self
            .call(at)
            .and_then(|call| self.called_function(at.0, call.callee));
        if let Some((callee_file, callee)) = callee {
            let loaded = self.loaded(callee_file);
            let frame = framed((callee_file, callee), at, &None);
            for call in loaded.wires.calls.iter() {
                let is_parameter = |value: &WireValue| {
                    *value
                        == WireValue::Parameter {
                            function: callee,
                            number: argument,
                        }
                };
                let is_call_of_it = match loaded.wires.value(call.callee) {
                    WireValue::Local(local) => {
                        let values = loaded.wires.locals.get(*local as usize);
                        let mut values = values.into_iter().flatten();
                        values.any(|&value| is_parameter(loaded.wires.value(value)))
                    }
                    value => is_parameter(value),
                };
                if let (true, Some(frame)) = (is_call_of_it, &frame)
                    && let Some(given) = call.arguments.get(number as usize)
                {
                    let frame = Some(frame.clone());
                    add_all(
                        &mut all,
                        self.evaluate(callee_file, given.value, &frame).to_vec(),
                    );
                }
            }
        }
        all
    }

    /// Returns the function of the workspace that a callee names.
    pub(super) fn called_function(&self, file: u32, callee: ValueId) -> Option<(u32, u32)> {
        match self.value(file, callee) {
            WireValue::Declared(symbol)
            | WireValue::Member {
                symbol: Some(symbol),
                ..
            } => self.function(symbol).or_else(|| {
                // A function inside another is no symbol of the graph.
                let number = self.loaded(file).functions.get(&symbol).copied()?;
                Some((file, number))
            }),
            _ => None,
        }
    }

    /// Returns what a function of a library gives the variable behind a pointer that is an argument, by its row.
    fn given_through(&self, at: CallAt, argument: u32) -> Vec<Abstract> {
        let matches = self.matches(at);
        let mut rows = matches.iter().filter_map(|of| self.row(*of)?.text.as_ref());
        let is_through = |text: &&TextOf| {
            let through = text.through.as_ref().and_then(|through| through.0.first());
            *through.unwrap_or(&One::Receiver) == One::Position(argument as i32)
        };
        match (rows.find(is_through), self.site(at)) {
            (Some(text), Some(site)) => self.text_of(&site, text),
            _ => Vec::new(),
        }
    }

    /// Returns what a file writes to a variable or field through a pointer that it passes to a function.
    pub(super) fn written_through_pointers(&self, file: u32, symbol: SymbolId) -> Vec<Abstract> {
        let loaded = self.loaded(file);
        let wires = &loaded.wires;
        let mut all = Vec::new();
        let passing = loaded.passing.get(&Passed::Pointer(symbol));
        for &(number, argument) in passing.into_iter().flatten() {
            let Some(call) = wires.calls.get(number as usize) else {
                continue;
            };
            let Some(function) = self.called_function(file, call.callee) else {
                add_all(&mut all, self.given_through((file, number), argument));
                continue;
            };
            let Some(frame) = framed(function, (file, number), &None) else {
                continue;
            };
            let callee = self.loaded(function.0);
            for (target, value) in &callee.wires.writes {
                let WireValue::Pointee(inner) = callee.wires.value(*target) else {
                    continue;
                };
                let wanted = WireValue::Parameter {
                    function: function.1,
                    number: argument,
                };
                let is_parameter = match callee.wires.value(*inner) {
                    WireValue::Local(local) => {
                        let values = callee.wires.locals.get(*local as usize);
                        let mut values = values.into_iter().flatten();
                        values.any(|&value| *callee.wires.value(value) == wanted)
                    }
                    other => *other == wanted,
                };
                if is_parameter {
                    let frame = Some(frame.clone());
                    for value in self.evaluate(function.0, *value, &frame).iter() {
                        add(
                            &mut all,
                            match value {
                                Abstract::Text(text) => Abstract::Text(Text {
                                    file,
                                    others: Vec::new(),
                                    ..text.clone()
                                }),
                                other => other.clone(),
                            },
                        );
                    }
                }
            }
        }
        all
    }
}
