//! Calls: which rows they match, what their arguments, parameters and results are.

use std::rc::Rc;

use codeweft_db::{
    FormatStyle, RECEIVER, SymbolId, ValueId, WireArgument, WireCall, WireFunction, WireValue,
};

use super::program::Program;
use super::text::{Part, Text, below};
use super::value::{Abstract, CallAt, Class, Frame, FrameRef, Site, add, add_all};
use crate::recognisers::{Argument, Match, One, Recogniser, TextOf};

/// The most calls that lead to a function whose parameters are followed.
const MAX_FRAMES: u32 = 8;

impl Program<'_> {
    /// Returns the rows that a call matches.
    pub(crate) fn matches(&self, at: CallAt) -> Rc<Vec<Match>> {
        if let Some(known) = self.matches.borrow().get(&at) {
            return known.clone();
        }
        let cycles = self.cycles.get();
        let found = match self.call(at) {
            Some(call) => self.matches_of(at.0, call.callee),
            None => Vec::new(),
        };
        let found = Rc::new(found);
        if cycles == self.cycles.get() || self.open.borrow().is_empty() {
            self.matches.borrow_mut().insert(at, found.clone());
        }
        found
    }

    /// Returns the rows that a callee or decorator matches.
    fn matches_of(&self, file: u32, callee: ValueId) -> Vec<Match> {
        let Some(source) = self.file(file) else {
            return Vec::new();
        };
        let resolved = &self.resolved;
        match self.value(file, callee) {
            WireValue::Declared(symbol) => resolved.of_symbol(symbol).to_vec(),
            WireValue::Absent(path) => resolved.of_path(source.lang, &path).to_vec(),
            WireValue::Member { base, name, symbol } => {
                if let Some(symbol) = symbol {
                    return resolved.of_symbol(symbol).to_vec();
                }
                if !resolved.has_name(name) {
                    return Vec::new();
                }
                let name_text = self.name(name);
                let mut found: Vec<Match> = Vec::new();
                for of in self.evaluate(file, base, &None).iter() {
                    let rows = match of {
                        Abstract::Object(_, Class::Path(path)) | Abstract::Path(path) => {
                            resolved.of_path(source.lang, &format!("{path}.{name_text}"))
                        }
                        Abstract::Object(_, Class::Declared(of))
                        | Abstract::Class(of)
                        | Abstract::Module(of) => match self.member_of(file, *of, name) {
                            Some(symbol) => resolved.of_symbol(symbol),
                            None => &[],
                        },
                        Abstract::Function(symbol) => match self.task(*symbol) {
                            Some(task) => resolved
                                .of_path(source.lang, &format!("{}.{name_text}", task.class)),
                            None => &[],
                        },
                        _ => &[],
                    };
                    for row in rows {
                        if !found.contains(row) {
                            found.push(*row);
                        }
                    }
                }
                found
            }
            WireValue::Local(_) => {
                let mut found: Vec<Match> = Vec::new();
                for of in self.evaluate(file, callee, &None).iter() {
                    let rows = match of {
                        Abstract::Path(path) => resolved.of_path(source.lang, path),
                        Abstract::Function(symbol)
                        | Abstract::Class(symbol)
                        | Abstract::Named(symbol) => resolved.of_symbol(*symbol),
                        _ => &[],
                    };
                    found.extend(
                        rows.iter()
                            .filter(|row| !found.contains(row))
                            .copied()
                            .collect::<Vec<_>>(),
                    );
                }
                found
            }
            _ => Vec::new(),
        }
    }

    /// Returns a row by a match.
    pub(crate) fn row(&self, of: Match) -> Option<&Recogniser> {
        self.resolved.rows.get(of.row as usize)
    }

    /// Returns what a method is called on.
    pub(super) fn receiver(&self, file: u32, call: &WireCall) -> Option<ValueId> {
        match self.value(file, call.callee) {
            WireValue::Member { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Returns the values of the call's arguments that a row names: the first of its alternatives that the call has.
    pub(super) fn arguments(&self, file: u32, call: &WireCall, spec: &Argument) -> Vec<ValueId> {
        for one in &spec.0 {
            let found = self.one_argument(file, call, one);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn one_argument(&self, file: u32, call: &WireCall, one: &One) -> Vec<ValueId> {
        let positional: Vec<&WireArgument> = call
            .arguments
            .iter()
            .filter(|argument| argument.name.is_none())
            .collect();
        match one {
            One::Position(at) | One::Field(at, _) => {
                let at = if *at < 0 {
                    positional.len() as i64 + i64::from(*at)
                } else {
                    i64::from(*at)
                };
                let found = usize::try_from(at).ok().and_then(|at| positional.get(at));
                found.map(|argument| argument.value).into_iter().collect()
            }
            One::From(first) => {
                let behind = positional.iter().skip(*first as usize);
                behind.map(|argument| argument.value).collect()
            }
            One::Keyword(name) => {
                let mut named = call.arguments.iter();
                let named = named
                    .find(|argument| argument.name.is_some_and(|known| self.name(known) == name));
                named.map(|argument| argument.value).into_iter().collect()
            }
            One::Receiver => self.receiver(file, call).into_iter().collect(),
            One::Parameter { argument, .. } => {
                let found = positional.get(*argument as usize);
                found.map(|argument| argument.value).into_iter().collect()
            }
            One::Name
            | One::Value
            | One::Decorated
            | One::Module
            | One::Result
            | One::Text(_)
            | One::Joined(_) => Vec::new(),
        }
    }

    /// Returns the texts of an argument that a row names: of the alternatives the first that the call has.
    pub(super) fn argument_texts(
        &self,
        at: CallAt,
        call: &WireCall,
        spec: &Argument,
        name: &str,
    ) -> Vec<Text> {
        for one in &spec.0 {
            let texts = self.one_text(at, call, one, name);
            if !texts.is_empty() {
                return texts;
            }
        }
        Vec::new()
    }

    fn one_text(&self, at: CallAt, call: &WireCall, one: &One, name: &str) -> Vec<Text> {
        let (file, _) = at;
        match one {
            One::Name => vec![Text::literal(name, file)],
            One::Text(text) => vec![Text::literal(text, file)],
            One::Joined(several) => {
                let mut all = Vec::new();
                for one in several {
                    let texts = self.one_text(at, call, one, name);
                    let (Some(text), true) = (texts.first(), !texts.is_empty()) else {
                        return Vec::new();
                    };
                    if all.is_empty() || text.parts.is_empty() {
                        all.extend(texts.iter().filter(|text| !text.parts.is_empty()).cloned());
                    } else {
                        let before = std::mem::take(&mut all);
                        let slash = Text::literal("/", file);
                        let joined = before.iter().flat_map(|before: &Text| {
                            texts
                                .iter()
                                .map(|text| before.with(&slash).with(text))
                                .collect::<Vec<_>>()
                        });
                        all = joined.collect();
                    }
                }
                all
            }
            One::Field(_, field) => {
                let mut all = Vec::new();
                for value in self.one_argument(file, call, one) {
                    for of in self.evaluate(file, value, &None).iter() {
                        let Some(name) = self.known_name(field) else {
                            continue;
                        };
                        add_all(&mut all, self.field(of, name, None));
                    }
                }
                super::evaluate::texts_of(&all, file)
            }
            _ => {
                let mut all: Vec<Text> = Vec::new();
                for value in self.one_argument(file, call, one) {
                    for text in self.listed_texts(file, value) {
                        if !all.contains(&text) {
                            all.push(text);
                        }
                    }
                }
                all
            }
        }
    }

    /// Returns the texts of a value, or those of its elements if it is a list.
    pub(super) fn listed_texts(&self, file: u32, value: ValueId) -> Vec<Text> {
        let values = self.evaluate(file, value, &None);
        let mut all = Vec::new();
        for of in values.iter() {
            match of {
                Abstract::Written(of_file, value, frame) => {
                    if let WireValue::List(elements) = self.value(*of_file, *value) {
                        for &element in &elements {
                            all.extend(self.texts(*of_file, element, frame));
                        }
                    }
                }
                Abstract::Text(text) => all.push(text.clone()),
                _ => {}
            }
        }
        if all.is_empty() {
            all.push(Text::of(Part::Hole, file));
        }
        all
    }

    fn known_name(&self, name: &str) -> Option<codeweft_db::NameId> {
        use codeweft_db::Db as _;
        self.db.shared().names.get(name)
    }

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
            if known.function == (file, function) {
                return self.argument_of((file, function), number, known.call, &known.outer);
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
            return vec![Abstract::Object(site, class)];
        }
        let mut all = Vec::new();
        if declared.is_named {
            for call in self.callers(declared.symbol) {
                let found = self.argument_of((file, function), number, call, &None);
                add_all(&mut all, found);
            }
        }
        for (call, argument) in self.calls_passing(file, function, declared) {
            add_all(
                &mut all,
                self.bound_parameter(file, (call, argument), number),
            );
        }
        if all.is_empty() {
            let parameter = declared.parameters.get(number as usize);
            let class = parameter.map_or(Class::Unknown, |parameter| {
                self.class_of_type(file, parameter.declared)
            });
            if class != Class::Unknown {
                let site = Site::Parameter(file, function, number);
                add(&mut all, Abstract::Object(site, class));
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
            let receiver = self.receiver(calling, &call);
            return receiver.map_or_else(Vec::new, |receiver| {
                self.evaluate(calling, receiver, frame).to_vec()
            });
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
        let files = match (declared.is_named, self.file(file)) {
            (true, Some(source)) => {
                use codeweft_db::Db as _;
                let name = self.db.shared().symbols.key(declared.symbol).name;
                self.files_with(source.lang, name)
            }
            _ => vec![file],
        };
        let mut found = Vec::new();
        for passing in files {
            let loaded = self.loaded(passing);
            for (number, call) in (0..).zip(&loaded.wires.calls) {
                for (argument, given) in (0..).zip(&call.arguments) {
                    let is_same = match loaded.wires.value(given.value) {
                        WireValue::Function(literal) => {
                            !declared.is_named && passing == file && *literal == function
                        }
                        WireValue::Declared(symbol)
                        | WireValue::Member {
                            symbol: Some(symbol),
                            ..
                        } => declared.is_named && *symbol == declared.symbol,
                        _ => false,
                    };
                    if is_same {
                        found.push(((passing, number), argument));
                    }
                }
            }
        }
        found
    }

    /// Returns what parameter `number` of a function is that a call passes as an argument: a router, by the row of the
    /// call, or what the called function calls its parameter with.
    fn bound_parameter(
        &self,
        file: u32,
        (at, argument): (CallAt, u32),
        number: u32,
    ) -> Vec<Abstract> {
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
                    Abstract::Object(Site::Call(at), self.result_class(at)),
                );
            }
        }
        let callee = self
            .call(at)
            .and_then(|call| self.called_function(at.0, call.callee));
        if let Some((callee_file, callee)) = callee {
            let loaded = self.loaded(callee_file);
            let frame = self.framed((callee_file, callee), at, &None);
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
        let _ = file;
        all
    }

    /// Returns the function of the workspace that a callee names.
    pub(super) fn called_function(&self, file: u32, callee: ValueId) -> Option<(u32, u32)> {
        match self.value(file, callee) {
            WireValue::Declared(symbol)
            | WireValue::Member {
                symbol: Some(symbol),
                ..
            } => self.function(symbol),
            _ => None,
        }
    }

    /// Returns the frame of a function that a call runs; `None` if there are too many around it.
    fn framed(&self, function: (u32, u32), call: CallAt, outer: &FrameRef) -> FrameRef {
        let depth = outer.as_ref().map_or(0, |outer| outer.depth) + 1;
        (depth <= MAX_FRAMES).then(|| {
            Rc::new(Frame {
                function,
                call,
                outer: outer.clone(),
                depth,
            })
        })
    }

    /// Returns what a result of a call may be.
    pub(super) fn result(&self, at: CallAt, number: u32, frame: &FrameRef) -> Vec<Abstract> {
        let (file, _) = at;
        let Some(call) = self.call(at) else {
            return Vec::new();
        };
        let matches = self.matches(at);
        for of in matches.iter() {
            let Some(row) = self.row(*of) else {
                continue;
            };
            if let Some(text) = &row.text {
                return self.text_of(at, &call, text, frame);
            }
            if let Some(module) = row
                .router
                .as_ref()
                .and_then(|router| router.module.as_ref())
            {
                return self.modules(at, &call, module);
            }
            if let (true, Some(receiver)) = (row.refine.is_some(), self.receiver(file, &call)) {
                return self.evaluate(file, receiver, frame).to_vec();
            }
        }
        if !matches.is_empty() {
            return vec![Abstract::Object(Site::Call(at), self.result_class(at))];
        }
        let mut all = Vec::new();
        if let Some(function) = self.called_function(file, call.callee) {
            add_all(&mut all, self.returned(function, at, number, frame));
            return all;
        }
        match self.value(file, call.callee) {
            WireValue::Declared(_) | WireValue::Absent(_) => {
                add(
                    &mut all,
                    Abstract::Object(Site::Call(at), self.result_class(at)),
                );
            }
            _ => {
                for of in self.evaluate(file, call.callee, frame).iter() {
                    let found = match of {
                        Abstract::Literal(file, function) => {
                            self.returned((*file, *function), at, number, frame)
                        }
                        Abstract::Function(symbol) => match self.function(*symbol) {
                            Some(function) => self.returned(function, at, number, frame),
                            None => vec![Abstract::Object(Site::Call(at), Class::Unknown)],
                        },
                        Abstract::Class(_) | Abstract::Path(_) | Abstract::Named(_) => {
                            vec![Abstract::Object(
                                Site::Call(at),
                                self.class_made_by(file, of),
                            )]
                        }
                        _ => Vec::new(),
                    };
                    add_all(&mut all, found);
                }
            }
        }
        all
    }

    /// Returns what a function returns where a call runs it. The texts are constant where it is called.
    fn returned(
        &self,
        function: (u32, u32),
        at: CallAt,
        number: u32,
        frame: &FrameRef,
    ) -> Vec<Abstract> {
        let Some(inner) = self.framed(function, at, frame) else {
            return Vec::new();
        };
        let loaded = self.loaded(function.0);
        let declared = loaded.wires.functions.get(function.1 as usize);
        let mut all = Vec::new();
        let returns = declared.map_or(&[][..], |declared| &declared.returns);
        for values in returns {
            let Some(&value) = values.get(number as usize) else {
                continue;
            };
            let inner = Some(inner.clone());
            for value in self.evaluate(function.0, value, &inner).iter() {
                add(
                    &mut all,
                    match value {
                        Abstract::Text(text) => Abstract::Text(Text {
                            file: at.0,
                            ..text.clone()
                        }),
                        other => other.clone(),
                    },
                );
            }
        }
        all
    }

    /// Returns the type of what a call makes.
    fn result_class(&self, (file, call): CallAt) -> Class {
        let Some(call) = self.call((file, call)) else {
            return Class::Unknown;
        };
        let mut found = Class::Unknown;
        for of in self.callee_values(file, &call) {
            found = self.class_made_by(file, &of);
            if found != Class::Unknown {
                break;
            }
        }
        found
    }

    fn callee_values(&self, file: u32, call: &WireCall) -> Vec<Abstract> {
        match self.value(file, call.callee) {
            WireValue::Declared(symbol) => self.declared_code(symbol),
            WireValue::Absent(path) => vec![Abstract::Path(path)],
            WireValue::Member {
                symbol: Some(symbol),
                ..
            } => self.declared_code(symbol),
            _ => self.evaluate(file, call.callee, &None).to_vec(),
        }
    }

    fn declared_code(&self, symbol: SymbolId) -> Vec<Abstract> {
        match self.class(symbol) {
            codeweft_db::SymbolClass::Type => vec![Abstract::Class(symbol)],
            _ => vec![Abstract::Named(symbol)],
        }
    }

    fn class_made_by(&self, file: u32, callee: &Abstract) -> Class {
        let Some(lang) = self.file(file).map(|source| source.lang) else {
            return Class::Unknown;
        };
        match callee {
            Abstract::Class(symbol) => Class::Declared(*symbol),
            Abstract::Path(path) => match self.resolved.result_of(lang, path) {
                Some(class) => Class::Path(class.into()),
                None if self.resolved.is_class(lang, path) => Class::Path(path.clone()),
                None => Class::Unknown,
            },
            _ => Class::Unknown,
        }
    }

    /// Returns the modules that an argument names by a text, or else what the argument is.
    fn modules(&self, at: CallAt, call: &WireCall, spec: &Argument) -> Vec<Abstract> {
        let (file, _) = at;
        let mut all = Vec::new();
        for value in self.arguments(file, call, spec) {
            for of in self.evaluate(file, value, &None).iter() {
                let found = match of {
                    Abstract::Text(text) => {
                        let name = text.known(&|_| None).unwrap_or_default();
                        self.module_named(file, &name).map(Abstract::Module)
                    }
                    Abstract::Written(of_file, value, frame) => {
                        // `(patterns, name)`: the first is what is included.
                        let first = match self.value(*of_file, *value) {
                            WireValue::List(values) => values.first().copied(),
                            _ => None,
                        };
                        let first = first.map(|first| self.evaluate(*of_file, first, frame));
                        let modules = first.iter().flat_map(|first| first.iter());
                        modules
                            .filter(|value| matches!(value, Abstract::Module(_)))
                            .cloned()
                            .next()
                    }
                    other => Some(other.clone()),
                };
                all.extend(found);
            }
        }
        all
    }

    /// Returns a module of the workspace by its dotted name, as code of a file would import it.
    fn module_named(&self, file: u32, name: &str) -> Option<SymbolId> {
        use codeweft_db::Db as _;
        let source = self.file(file)?;
        let path = name.replace('.', "/");
        let candidates = self.files.iter().filter(|other| other.lang == source.lang);
        let mut found = None;
        for other in candidates {
            let Some(stem) = other.path.rsplit_once('.').map(|(stem, _)| stem) else {
                continue;
            };
            let is_named = stem == path
                || stem
                    .strip_suffix(&path)
                    .is_some_and(|rest| rest.ends_with('/'));
            if is_named {
                let module = other.language.module(self.db, other.file)?;
                let printed = self.name(self.db.shared().symbols.key(module).name);
                if printed == name {
                    return Some(module);
                }
                found = found.or(Some(module));
            }
        }
        found
    }

    /// Returns the text that a constant of a library is, by its row.
    pub(super) fn constant_of_library(&self, file: u32, value: ValueId) -> Option<String> {
        let is_name = matches!(
            self.value(file, value),
            WireValue::Declared(_) | WireValue::Absent(_)
        );
        if !is_name {
            return None;
        }
        let matches = self.matches_of(file, value);
        let mut rows = matches.iter().filter_map(|of| self.row(*of));
        rows.find_map(|row| match row.text.as_ref()?.value.as_ref()?.0.first()? {
            One::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// Returns the variables of the environment that a map of them has under keys, if a value is that map.
    pub(super) fn environment(
        &self,
        file: u32,
        base: ValueId,
        keys: &[Text],
    ) -> Option<Vec<Abstract>> {
        let matches = self.matches_of(file, base);
        let mut rows = matches.iter().filter_map(|of| self.row(*of));
        rows.find(|row| {
            row.text
                .as_ref()
                .is_some_and(|text| text.environment.is_some())
        })?;
        let variables = keys.iter().filter_map(|key| {
            let name = key.known(&|_| None)?;
            Some(Abstract::Text(Text::of(
                Part::Environment(name, None),
                file,
            )))
        });
        Some(variables.collect())
    }

    /// Returns what a function makes of texts.
    fn text_of(&self, at: CallAt, call: &WireCall, of: &TextOf, frame: &FrameRef) -> Vec<Abstract> {
        let (file, _) = at;
        let mut all = Vec::new();
        if let Some(value) = &of.value {
            for value in self.arguments(file, call, value) {
                add_all(&mut all, self.evaluate(file, value, frame).to_vec());
            }
        }
        if let Some(format) = &of.format
            && let Some(One::Position(first)) = format.0.first()
        {
            let rest = call.arguments.get(*first as usize + 1..).unwrap_or(&[]);
            for value in self.arguments(file, call, format) {
                for template in self.texts(file, value, frame) {
                    let texts = self.formatted(file, &template, rest, FormatStyle::Percent, frame);
                    add_all(&mut all, texts.into_iter().map(Abstract::Text).collect());
                }
            }
        }
        if let Some(path) = &of.path {
            let mut joined: Option<Vec<Text>> = None;
            for value in self.arguments(file, call, path) {
                let texts = self.texts(file, value, frame);
                joined = Some(match joined {
                    None => texts,
                    Some(before) => {
                        let all = before.iter().flat_map(|before| {
                            texts
                                .iter()
                                .map(|text| below(before, text))
                                .collect::<Vec<_>>()
                        });
                        all.take(super::text::MAX_TEXTS).collect()
                    }
                });
            }
            let joined = joined.into_iter().flatten().map(Abstract::Text);
            add_all(&mut all, joined.collect());
        }
        if let Some(name) = &of.environment {
            let mut defaults = Vec::new();
            if let Some(default) = &of.default {
                for value in self.arguments(file, call, default) {
                    defaults.extend(self.texts(file, value, frame));
                }
            }
            let default = defaults.iter().find_map(|text| text.known(&|_| None));
            for value in self.arguments(file, call, name) {
                for name in self.texts(file, value, frame) {
                    if let Some(name) = name.known(&|_| None) {
                        let part = Part::Environment(name, default.clone());
                        add(&mut all, Abstract::Text(Text::of(part, file)));
                    }
                }
            }
        }
        all
    }

    /// Returns what a file writes to a variable or field through a pointer that it passes to a function.
    pub(super) fn written_through_pointers(&self, file: u32, symbol: SymbolId) -> Vec<Abstract> {
        let loaded = self.loaded(file);
        let wires = &loaded.wires;
        let mut all = Vec::new();
        for (number, call) in (0..).zip(&wires.calls) {
            for (argument, given) in (0u32..).zip(&call.arguments) {
                let WireValue::Pointer(inner) = wires.value(given.value) else {
                    continue;
                };
                let is_same = match wires.value(*inner) {
                    WireValue::Declared(known)
                    | WireValue::Member {
                        symbol: Some(known),
                        ..
                    } => *known == symbol,
                    _ => false,
                };
                if !is_same {
                    continue;
                }
                let Some(function) = self.called_function(file, call.callee) else {
                    continue;
                };
                let Some(frame) = self.framed(function, (file, number), &None) else {
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
                                        ..text.clone()
                                    }),
                                    other => other.clone(),
                                },
                            );
                        }
                    }
                }
            }
        }
        all
    }
}
