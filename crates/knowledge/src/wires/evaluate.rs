//! The evaluation of values, backward from where they are used.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use codeweft_db::{Db as _, FormatStyle, SymbolClass, SymbolId, ValueId, WireArgument, WireValue};

use super::objects::Attributes;
use super::program::{Program, Task};
use super::text::{BracePart, Part, Text, brace_parts, concatenated, percent_parts};
use super::value::{Abstract, CallAt, Class, FrameRef, Inside, Site, add, add_all};
use crate::recognisers::Match;
use rustc_hash::{FxHashMap, FxHashSet};

/// The evaluations that one value takes beyond which the rest of it is not known.
const MAX_STEPS: u32 = 20_000;

/// The nesting of evaluations beyond which a value is not known.
const MAX_DEPTH: u32 = 80;

/// What a value may be.
type Values = Rc<Vec<Abstract>>;

/// The evaluation of the values of a program: what it has found, so that each value is evaluated once.
pub(crate) struct Evaluator<'p> {
    program: &'p Program<'p>,
    pub(super) matches: RefCell<FxHashMap<CallAt, Rc<Vec<Match>>>>,
    values: RefCell<FxHashMap<(u32, ValueId), Values>>,
    /// The values that are being evaluated, with the address of their frame.
    pub(super) open: RefCell<FxHashSet<(u32, ValueId, usize)>>,
    /// How often an evaluation met itself so far: what it gives then is not kept.
    pub(super) cycles: Cell<u32>,
    depth: Cell<u32>,
    /// The evaluations since one began that is in no other.
    steps: Cell<u32>,
    /// What variables and fields may be.
    variables: RefCell<FxHashMap<SymbolId, Vec<Abstract>>>,
    /// The functions that a decorator makes tasks; read once.
    pub(super) tasks: RefCell<Option<FxHashMap<SymbolId, Task>>>,
    /// What is written to attributes of objects of libraries, by language and name; read once.
    pub(super) attributes: RefCell<Option<Attributes>>,
    /// The functions that make the objects of types.
    pub(super) constructors: RefCell<FxHashMap<SymbolId, Option<(u32, u32)>>>,
    /// The calls of methods, by evaluation.
    pub(super) object_callers: RefCell<FxHashMap<SymbolId, Rc<Vec<CallAt>>>>,
}

impl<'p> Deref for Evaluator<'p> {
    type Target = Program<'p>;

    fn deref(&self) -> &Program<'p> {
        self.program
    }
}

impl<'p> Evaluator<'p> {
    pub(crate) fn new(program: &'p Program<'p>) -> Evaluator<'p> {
        Evaluator {
            program,
            matches: RefCell::default(),
            values: RefCell::default(),
            open: RefCell::default(),
            cycles: Cell::new(0),
            depth: Cell::new(0),
            steps: Cell::new(0),
            variables: RefCell::default(),
            tasks: RefCell::default(),
            attributes: RefCell::default(),
            constructors: RefCell::default(),
            object_callers: RefCell::default(),
        }
    }
}

impl Evaluator<'_> {
    /// Returns what a value of a file may be; nothing if it is not known.
    pub(crate) fn evaluate(
        &self,
        file: u32,
        value: ValueId,
        frame: &FrameRef,
    ) -> Rc<Vec<Abstract>> {
        if value == 0 || self.depth.get() > MAX_DEPTH {
            return Rc::default();
        }
        if frame.is_none()
            && let Some(known) = self.values.borrow().get(&(file, value))
        {
            return known.clone();
        }
        if self.open.borrow().is_empty() {
            self.steps.set(0);
        }
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS {
            self.cycles.set(self.cycles.get().wrapping_add(1));
            return Rc::default();
        }
        let number = frame.as_ref().map_or(0, |frame| Rc::as_ptr(frame).addr());
        let key = (file, value, number);
        if !self.open.borrow_mut().insert(key) {
            self.cycles.set(self.cycles.get().wrapping_add(1));
            return Rc::default();
        }
        let cycles = self.cycles.get();
        self.depth.set(self.depth.get() + 1);
        let found = Rc::new(self.evaluated(file, value, frame));
        self.depth.set(self.depth.get() - 1);
        self.open.borrow_mut().remove(&key);
        let is_whole = cycles == self.cycles.get() && self.depth.get() < MAX_DEPTH / 2;
        if frame.is_none() && (is_whole || self.open.borrow().is_empty()) {
            self.values
                .borrow_mut()
                .insert((file, value), found.clone());
        }
        found
    }

    /// Returns the texts of a value; one that is not known if there are none.
    pub(crate) fn texts(&self, file: u32, value: ValueId, frame: &FrameRef) -> Vec<Text> {
        texts_of(&self.evaluate(file, value, frame), file)
    }

    fn evaluated(&self, file: u32, value: ValueId, frame: &FrameRef) -> Vec<Abstract> {
        let mut all = Vec::new();
        if let Some(text) = self.constant_of_library(file, value) {
            return vec![Abstract::Text(Text::literal(&text, file))];
        }
        if let Some(setting) = self.setting_of_library(file, value) {
            return vec![setting];
        }
        match self.value(file, value) {
            WireValue::Unknown => {}
            WireValue::Text(text) => add(&mut all, Abstract::Text(Text::literal(&text, file))),
            WireValue::Concat(parts) => {
                let lists: Vec<_> = parts
                    .iter()
                    .map(|&part| self.texts(file, part, frame))
                    .collect();
                let texts = concatenated(&lists, file);
                add_all(&mut all, texts.into_iter().map(Abstract::Text).collect());
            }
            WireValue::Format {
                template,
                arguments,
                style,
            } => {
                for template in self.texts(file, template, frame) {
                    let texts = self.formatted(file, &template, &arguments, style, frame);
                    add_all(&mut all, texts.into_iter().map(Abstract::Text).collect());
                }
            }
            WireValue::Any(values) => {
                for &value in &values {
                    add_all(&mut all, self.evaluate(file, value, frame).to_vec());
                }
            }
            WireValue::Local(local) => {
                let loaded = self.loaded(file);
                let values = loaded.wires.locals.get(local as usize);
                for &value in values.into_iter().flatten() {
                    add_all(&mut all, self.evaluate(file, value, frame).to_vec());
                }
            }
            WireValue::Parameter { function, number } => {
                add_all(&mut all, self.parameter(file, function, number, frame));
            }
            WireValue::Declared(symbol) => {
                let values = self.declared(symbol);
                add_all(&mut all, constant_in(file, values));
            }
            WireValue::Absent(path) => {
                let name = path.rsplit('.').next().unwrap_or_default();
                let name = self.db.shared().names.get(name);
                add(&mut all, Abstract::Path(path));
                if let Some(name) = name {
                    add_all(&mut all, self.attribute_of_library(file, name));
                }
            }
            WireValue::Member { base, name, symbol } => {
                let found = self.member(file, base, name, symbol, frame);
                add_all(&mut all, found);
            }
            WireValue::Result { call, number } => {
                add_all(&mut all, self.result((file, call), number, frame));
            }
            WireValue::Function(function) => add(&mut all, Abstract::Literal(file, function)),
            WireValue::Object { .. } | WireValue::List(_) | WireValue::Pairs(_) => {
                add(&mut all, Abstract::Written(file, value, frame.clone()));
            }
            WireValue::Element(_) if let Some(chosen) = chosen_element(file, value, frame) => {
                let (of_file, of, of_frame) = chosen;
                add_all(&mut all, self.evaluate(*of_file, *of, of_frame).to_vec());
            }
            WireValue::Element(base) | WireValue::At(base, _) | WireValue::Key(base) => {
                let part = self.value(file, value);
                for of in self.evaluate(file, base, frame).iter() {
                    add_all(&mut all, self.part(of, &part));
                }
            }
            WireValue::Index(base, key) => {
                let keys = self.texts(file, key, frame);
                if let Some(variables) = self.environment(file, base, &keys) {
                    return variables;
                }
                for of in self.evaluate(file, base, frame).iter() {
                    add_all(&mut all, self.indexed(of, &keys));
                }
            }
            WireValue::Pointer(value) | WireValue::Pointee(value) => {
                add_all(&mut all, self.evaluate(file, value, frame).to_vec());
            }
        }
        all
    }

    /// Returns the elements or keys of what is written out. The values of a variadic parameter are its elements.
    fn part(&self, of: &Abstract, part: &WireValue) -> Vec<Abstract> {
        let Abstract::Written(file, value, frame) = of else {
            return vec![of.clone()];
        };
        let mut all = Vec::new();
        let values: Vec<ValueId> = match (self.value(*file, *value), part) {
            (WireValue::List(values), WireValue::At(_, at)) => {
                let count = values.len() as i64;
                let at = if *at < 0 {
                    count + i64::from(*at)
                } else {
                    i64::from(*at)
                };
                let at = usize::try_from(at).ok();
                at.and_then(|at| values.get(at))
                    .copied()
                    .into_iter()
                    .collect()
            }
            (WireValue::List(values), WireValue::Element(_)) => values.to_vec(),
            (WireValue::Pairs(pairs), WireValue::Key(_)) => {
                pairs.iter().map(|(key, _)| *key).collect()
            }
            (WireValue::Pairs(pairs), _) => pairs.iter().map(|(_, value)| *value).collect(),
            _ => Vec::new(),
        };
        for value in values {
            add_all(&mut all, self.evaluate(*file, value, frame).to_vec());
        }
        all
    }

    /// Returns the values of a map by keys, or the elements of a list.
    fn indexed(&self, of: &Abstract, keys: &[Text]) -> Vec<Abstract> {
        let Abstract::Written(file, value, frame) = of else {
            return Vec::new();
        };
        let mut all = Vec::new();
        match self.value(*file, *value) {
            WireValue::Pairs(pairs) => {
                let known = |text: &Text| text.known(&|_| None);
                let wanted: Vec<_> = keys.iter().map(known).collect();
                for &(key, value) in &pairs {
                    let mut texts = self.texts(*file, key, frame).into_iter();
                    let is_wanted = wanted.contains(&None)
                        || texts.any(|text| {
                            known(&text).is_none_or(|text| wanted.contains(&Some(text)))
                        });
                    if is_wanted {
                        add_all(&mut all, self.evaluate(*file, value, frame).to_vec());
                    }
                }
            }
            WireValue::List(values) => {
                for &value in &values {
                    add_all(&mut all, self.evaluate(*file, value, frame).to_vec());
                }
            }
            _ => {}
        }
        all
    }

    /// Returns the texts of a template that arguments fill.
    pub(super) fn formatted(
        &self,
        file: u32,
        template: &Text,
        arguments: &[WireArgument],
        style: FormatStyle,
        frame: &FrameRef,
    ) -> Vec<Text> {
        let Some(written) = template.known(&|_| None) else {
            return vec![Text::of(Part::Hole, file)];
        };
        let mut positional = arguments.iter().filter(|argument| argument.name.is_none());
        let texts = |argument: Option<&WireArgument>| match argument {
            Some(argument) if !argument.is_spread => self.texts(file, argument.value, frame),
            _ => vec![Text::of(Part::Hole, file)],
        };
        let literal = |text: &str| vec![Text::literal(text, file)];
        let lists: Vec<Vec<Text>> = match style {
            FormatStyle::Percent => {
                let parts = percent_parts(&written).into_iter();
                let lists = parts.map(|part| match part {
                    Some(text) => literal(&text),
                    None => texts(positional.next()),
                });
                lists.collect()
            }
            FormatStyle::Braces => {
                let by_position: Vec<&WireArgument> = positional.clone().collect();
                let parts = brace_parts(&written).into_iter();
                let lists = parts.map(|part| match part {
                    BracePart::Literal(text) => literal(&text),
                    BracePart::Next => texts(positional.next()),
                    BracePart::Position(at) => texts(by_position.get(at).copied()),
                    BracePart::Name(name) => {
                        let named = |argument: &&WireArgument| {
                            argument.name.is_some_and(|known| self.name(known) == name)
                        };
                        texts(arguments.iter().find(named))
                    }
                });
                lists.collect()
            }
        };
        concatenated(&lists, file)
    }

    /// Returns what a declaration may be: for a variable, constant or field whatever is written to it anywhere.
    pub(super) fn declared(&self, symbol: SymbolId) -> Vec<Abstract> {
        match self.class(symbol) {
            SymbolClass::Function | SymbolClass::Method => vec![Abstract::Function(symbol)],
            SymbolClass::Type => vec![Abstract::Class(symbol)],
            SymbolClass::Package => vec![Abstract::Module(symbol)],
            SymbolClass::Field | SymbolClass::Constant | SymbolClass::Variable => {
                self.variable(symbol)
            }
        }
    }

    fn variable(&self, symbol: SymbolId) -> Vec<Abstract> {
        let Some(home) = self.file_of(symbol) else {
            return vec![Abstract::Named(symbol)];
        };
        if let Some(known) = self.variables.borrow().get(&symbol) {
            return known.clone();
        }
        let cycles = self.cycles.get();
        let key = self.db.shared().symbols.key(symbol);
        let files = match (key.class, self.file(home)) {
            (SymbolClass::Constant, _) | (_, None) => vec![home],
            (_, Some(source)) => self.files_with(source.lang, key.name).to_vec(),
        };
        let mut all = Vec::new();
        for file in files {
            let loaded = self.loaded(file);
            for &value in loaded.writes.get(&symbol).into_iter().flatten() {
                add_all(&mut all, self.evaluate(file, value, &None).to_vec());
            }
            add_all(&mut all, self.written_through_pointers(file, symbol));
        }
        let loaded = self.loaded(home);
        let class = loaded.types.get(&symbol).copied();
        let class = class.map(|class| self.class_of_type(home, class));
        if let Some(class) = class.filter(|class| *class != Class::Unknown) {
            // What a library makes is of the type that the declaration says.
            for value in &mut all {
                if let Abstract::Object(_, of @ Class::Unknown, _) = value {
                    of.clone_from(&class);
                }
            }
            if all.is_empty() {
                add(
                    &mut all,
                    Abstract::Object(Site::Variable(symbol), class, None),
                );
            }
        }
        if cycles == self.cycles.get() {
            self.variables.borrow_mut().insert(symbol, all.clone());
        }
        all
    }

    /// Returns the type that a type expression means.
    pub(super) fn class_of_type(&self, file: u32, value: ValueId) -> Class {
        match self.value(file, value) {
            WireValue::Declared(symbol) => Class::Declared(symbol),
            WireValue::Absent(path) => Class::Path(path),
            _ => Class::Unknown,
        }
    }
}

/// Returns what a frame says that an element of a list is.
fn chosen_element(
    file: u32,
    value: ValueId,
    frame: &FrameRef,
) -> Option<&(u32, ValueId, FrameRef)> {
    let mut around = frame.as_ref();
    while let Some(known) = around {
        if let Inside::Element { element, chosen } = &known.inside
            && *element == (file, value)
        {
            return Some(chosen);
        }
        around = known.outer.as_ref();
    }
    None
}

/// Returns values with their texts constant in a file: what a name means is as constant as the name.
fn constant_in(file: u32, values: Vec<Abstract>) -> Vec<Abstract> {
    let moved = values.into_iter().map(|value| match value {
        Abstract::Text(text) => Abstract::Text(Text {
            file,
            others: Vec::new(),
            ..text
        }),
        other => other,
    });
    moved.collect()
}

/// Returns the texts among values: if none is known, one that is not.
pub(super) fn texts_of(values: &[Abstract], file: u32) -> Vec<Text> {
    let texts = values.iter().filter_map(|value| match value {
        Abstract::Text(text) => Some(text.clone()),
        _ => None,
    });
    let mut texts: Vec<Text> = texts.collect();
    if texts.iter().any(|text| !text.is_hole()) {
        texts.retain(|text| !text.is_hole());
    } else {
        texts = vec![Text::of(Part::Hole, file)];
    }
    texts.truncate(super::text::MAX_TEXTS);
    texts
}
