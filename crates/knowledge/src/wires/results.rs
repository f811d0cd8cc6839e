//! Results: what functions of the workspace return, and what those of libraries make by their rows.

use codeweft_db::{Db as _, FormatStyle, SymbolClass, SymbolId, ValueId, WireCall, WireValue};

use super::arguments::CallSite;
use super::evaluate::Evaluator;
use super::text::{FLAG, MAX_TEXTS, Part, Text, below, setting_key};
use super::value::{Abstract, CallAt, Class, FrameRef, Site, add, add_all, framed};
use crate::recognisers::{Argument, One, TextOf};

/// The most methods that implement one of an interface whose results are followed.
const MAX_IMPLEMENTERS: usize = 16;

impl Evaluator<'_> {
    /// Returns what a result of a call may be.
    pub(super) fn result(&self, at: CallAt, number: u32, frame: &FrameRef) -> Vec<Abstract> {
        let (file, _) = at;
        let Some(call) = self.call(at) else {
            return Vec::new();
        };
        let site = CallSite {
            at,
            call: call.clone(),
            frame: frame.clone(),
            name: String::new(),
        };
        let matches = self.matches(at);
        for of in matches.iter() {
            let Some(row) = self.row(*of) else {
                continue;
            };
            if let Some(text) = row.text.as_ref().filter(|text| text.member.is_none()) {
                return self.text_of(&site, text);
            }
            if let Some(module) = row
                .router
                .as_ref()
                .and_then(|router| router.module.as_ref())
            {
                return self.modules(&site, module);
            }
            if let (true, Some(receiver)) = (row.refine.is_some(), self.receiver(file, &call)) {
                return self.evaluate(file, receiver, frame).to_vec();
            }
        }
        if !matches.is_empty() {
            let has_members = matches.iter().any(|of| {
                let text = self.row(*of).and_then(|row| row.text.as_ref());
                text.is_some_and(|text| text.member.is_some())
            });
            let made_in = frame.clone().filter(|_| has_members);
            let class = self.result_class(at);
            return vec![Abstract::Object(Site::Call(at), class, made_in)];
        }
        let mut all = Vec::new();
        if let Some(function) = self.called_function(file, call.callee) {
            add_all(&mut all, self.returned(function, at, number, frame));
            return all;
        }
        // A method of an interface returns what those do that implement it.
        for implementer in self.implementers(file, call.callee) {
            if let Some(function) = self.function(implementer) {
                add_all(&mut all, self.returned(function, at, number, frame));
            }
        }
        if !all.is_empty() {
            return all;
        }
        match self.value(file, call.callee) {
            WireValue::Declared(_) | WireValue::Absent(_) => {
                add(&mut all, self.made(at, self.result_class(at), frame));
            }
            _ => {
                for of in self.evaluate(file, call.callee, frame).iter() {
                    let found = match of {
                        Abstract::Literal(file, function) => {
                            self.returned((*file, *function), at, number, frame)
                        }
                        Abstract::Function(symbol) => match self.function(*symbol) {
                            Some(function) => self.returned(function, at, number, frame),
                            None => vec![self.made(at, Class::Unknown, frame)],
                        },
                        Abstract::Class(_) | Abstract::Path(_) | Abstract::Named(_) => {
                            vec![self.made(at, self.class_made_by(file, of), frame)]
                        }
                        _ => Vec::new(),
                    };
                    add_all(&mut all, found);
                }
            }
        }
        all
    }

    /// Returns the methods of the workspace that implement the method of an interface that a callee names; none if there are too
    /// many.
    fn implementers(&self, file: u32, callee: ValueId) -> Vec<SymbolId> {
        let method = match self.value(file, callee) {
            WireValue::Member {
                symbol: Some(symbol),
                ..
            } => self.code.number_of(symbol),
            _ => None,
        };
        let implementers = method.and_then(|method| self.implementers_of(method));
        let implementers = implementers.filter(|all| all.len() <= MAX_IMPLEMENTERS);
        let symbols = implementers.into_iter().flatten();
        let symbols = symbols.filter_map(|&number| self.code.symbol(number));
        let symbols = symbols.filter(|symbol| !symbol.is_test);
        symbols.filter_map(|symbol| symbol.symbol).collect()
    }

    /// Returns what a call makes. Of an object of the workspace the fields are what the call gives them: its frame is known.
    fn made(&self, at: CallAt, class: Class, frame: &FrameRef) -> Abstract {
        let is_own = matches!(&class, Class::Declared(class) if self.file_of(*class).is_some());
        let made_in = frame.clone().filter(|_| is_own);
        Abstract::Object(Site::Call(at), class, made_in)
    }

    /// Returns what a function returns where a call runs it. The texts are constant where it is called.
    fn returned(
        &self,
        function: (u32, u32),
        at: CallAt,
        number: u32,
        frame: &FrameRef,
    ) -> Vec<Abstract> {
        let Some(inner) = framed(function, at, frame) else {
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
                            others: Vec::new(),
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
    pub(super) fn result_class(&self, (file, call): CallAt) -> Class {
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
            SymbolClass::Type => vec![Abstract::Class(symbol)],
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
    fn modules(&self, site: &CallSite, spec: &Argument) -> Vec<Abstract> {
        let file = site.file();
        let mut all = Vec::new();
        for value in self.arguments(site, spec) {
            for of in self.evaluate(file, value, &site.frame).iter() {
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
                        let mut modules = first.iter().flat_map(|first| first.iter());
                        modules
                            .find(|value| matches!(value, Abstract::Module(_)))
                            .cloned()
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
        if rows
            .clone()
            .any(|row| row.text.as_ref().is_some_and(|text| text.word))
        {
            return Some(vec![Abstract::Text(Text::of(Part::Word, file))]);
        }
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
    pub(super) fn text_of(&self, site: &CallSite, of: &TextOf) -> Vec<Abstract> {
        let (file, call, frame) = (site.file(), &site.call, &site.frame);
        let mut all = Vec::new();
        if of.word {
            add(&mut all, Abstract::Text(Text::of(Part::Word, file)));
        }
        if let Some(value) = &of.value {
            for value in self.arguments(site, value) {
                add_all(&mut all, self.evaluate(file, value, frame).to_vec());
            }
        }
        if let Some(format) = &of.format
            && let Some(One::Position(first)) = format.0.first()
        {
            let rest = call.arguments.get(*first as usize + 1..).unwrap_or(&[]);
            for value in self.arguments(site, format) {
                for template in self.texts(file, value, frame) {
                    let texts = self.formatted(file, &template, rest, FormatStyle::Percent, frame);
                    add_all(&mut all, texts.into_iter().map(Abstract::Text).collect());
                }
            }
        }
        if let Some(path) = &of.path {
            let mut joined: Option<Vec<Text>> = None;
            for value in self.arguments(site, path) {
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
                        all.take(MAX_TEXTS).collect()
                    }
                });
            }
            let joined = joined.into_iter().flatten().map(Abstract::Text);
            add_all(&mut all, joined.collect());
        }
        let variable = of.environment.as_ref().map(|name| (name, ""));
        let variable = variable.or(of.flag.as_ref().map(|name| (name, FLAG)));
        if let Some((name, before)) = variable {
            let mut defaults = Vec::new();
            if let Some(default) = &of.default {
                for value in self.arguments(site, default) {
                    defaults.extend(self.texts(file, value, frame));
                }
            }
            let default = defaults.iter().find_map(|text| text.known(&|_| None));
            for value in self.arguments(site, name) {
                for name in self.texts(file, value, frame) {
                    if let Some(name) = name.known(&|_| None) {
                        let part = Part::Environment(format!("{before}{name}"), default.clone());
                        add(&mut all, Abstract::Text(Text::of(part, file)));
                    }
                }
            }
        }
        if let Some(key) = &of.setting {
            for value in self.arguments(site, key) {
                let keys = self.texts(file, value, frame).into_iter();
                for key in keys.filter_map(|key| key.known(&|_| None)) {
                    let part = Part::Environment(setting_key(key.split('.')), None);
                    add(&mut all, Abstract::Text(Text::of(part, file)));
                }
            }
        }
        all
    }
}
