//! Members of values: fields, methods, what a module declares.

use std::collections::VecDeque;
use std::sync::Arc;

use codeweft_db::{NameId, SymbolClass, SymbolId, ValueId, WireValue};

use super::arguments::CallSite;
use super::evaluate::Evaluator;
use super::text::{Part, Text, setting_key};
use super::value::{Abstract, CallAt, Class, FrameRef, Site, add_all};
use crate::recognisers::{Match, One};

/// The most fields that lead to a setting.
const MAX_SETTING_PARTS: usize = 12;

impl Evaluator<'_> {
    /// Returns what `base.name` may be.
    pub(super) fn member(
        &self,
        file: u32,
        base: ValueId,
        name: NameId,
        symbol: Option<SymbolId>,
        frame: &FrameRef,
    ) -> Vec<Abstract> {
        if let Some(symbol) = symbol {
            let class = self.class(symbol);
            for of in self.evaluate(file, base, frame).iter() {
                if let Abstract::Object(Site::Call(made), _, made_in) = of
                    && let Some(texts) = self.member_text(*made, made_in, name)
                {
                    return texts;
                }
            }
            if matches!(
                class,
                SymbolClass::Function | SymbolClass::Method | SymbolClass::Type
            ) {
                return self.declared(symbol);
            }
            let mut all = Vec::new();
            // The fields of an object that is written out are its own.
            for of in self.evaluate(file, base, frame).iter() {
                add_all(&mut all, self.field(of, name, Some(symbol)));
            }
            if all.is_empty() {
                all = self.declared(symbol);
            }
            if all.is_empty() {
                all.extend(self.setting(file, base, name));
            }
            return all;
        }
        let mut all = Vec::new();
        for of in self.evaluate(file, base, frame).iter() {
            let found = match of {
                Abstract::Object(Site::Call(made), _, made_in)
                    if let Some(texts) = self.member_text(*made, made_in, name) =>
                {
                    texts
                }
                Abstract::Written(..) => self.field(of, name, None),
                Abstract::Path(path) => {
                    let path = format!("{path}.{}", self.name(name));
                    vec![Abstract::Path(path.into())]
                }
                Abstract::Object(_, Class::Path(class), _) => {
                    let path = format!("{class}.{}", self.name(name));
                    vec![Abstract::Path(path.into())]
                }
                Abstract::Object(_, Class::Declared(class), _)
                    if let Some(member) = self.member_of(file, *class, name)
                        && self.class(member) == SymbolClass::Field =>
                {
                    let own = self.field(of, name, Some(member));
                    if own.is_empty() {
                        self.declared(member)
                    } else {
                        own
                    }
                }
                Abstract::Object(_, Class::Declared(of), _)
                | Abstract::Class(of)
                | Abstract::Module(of)
                | Abstract::Named(of) => {
                    let member = self.member_of(file, *of, name);
                    member.map_or_else(Vec::new, |member| self.declared(member))
                }
                _ => Vec::new(),
            };
            add_all(&mut all, found);
        }
        if all.iter().all(|of| matches!(of, Abstract::Path(_))) {
            add_all(&mut all, self.attribute_of_library(file, name));
        }
        if all.is_empty() && self.evaluate(file, base, frame).is_empty() {
            add_all(&mut all, self.only_field(file, name));
        }
        all
    }

    /// Returns the setting that a value is which a library reads from the configuration: a member of what its row names, over any
    /// number of members and elements, or all of it.
    ///
    /// ```go
    /// broker := clowder.LoadedConfig.Kafka.Brokers[0]
    /// broker.Hostname                                  // .kafka.brokers.hostname
    /// ```
    pub(super) fn setting_of_library(&self, file: u32, value: ValueId) -> Option<Abstract> {
        let lang = self.file(file)?.lang;
        let key_of = |rows: &[Match], names: &[&str]| {
            let mut texts = rows.iter().filter_map(|of| self.row(*of)?.text.as_ref());
            let text = texts.next()?;
            let written = text.setting.as_ref().and_then(|key| match key.0.first()? {
                One::Text(key) => Some(setting_key(key.split('.'))),
                _ => None,
            });
            let of_members = || setting_key(names.iter().copied());
            match (written, names.is_empty()) {
                (Some(key), true) => Some(key),
                (_, false) if text.settings => Some(of_members()),
                _ => None,
            }
        };
        let mut names: VecDeque<&str> = VecDeque::new();
        let mut of = value;
        for _ in 0..MAX_SETTING_PARTS {
            of = match self.value(file, of) {
                WireValue::Member { base, name, .. } => {
                    names.push_front(self.name(name));
                    base
                }
                WireValue::Index(base, _)
                | WireValue::At(base, _)
                | WireValue::Element(base)
                | WireValue::Pointer(base)
                | WireValue::Pointee(base) => base,
                WireValue::Local(local) => match self.loaded(file).wires.locals.get(local as usize)
                {
                    Some(values) if values.len() == 1 => *values.first()?,
                    _ => return None,
                },
                WireValue::Declared(symbol) => {
                    let key = key_of(self.resolved.of_symbol(symbol), names.make_contiguous())?;
                    return Some(Abstract::Text(Text::of(Part::Environment(key, None), file)));
                }
                WireValue::Absent(path) => {
                    let mut rest: &str = &path;
                    let mut of_path: VecDeque<&str> = VecDeque::new();
                    loop {
                        let rows = self.resolved.of_path(lang, rest);
                        if !rows.is_empty() {
                            of_path.extend(names.iter().copied());
                            let key = key_of(rows, of_path.make_contiguous())?;
                            let part = Part::Environment(key, None);
                            return Some(Abstract::Text(Text::of(part, file)));
                        }
                        let (before, name) = rest.rsplit_once('.')?;
                        of_path.push_front(name);
                        rest = before;
                    }
                }
                _ => return None,
            };
        }
        None
    }

    /// Returns what a field is that nothing of the code writes: the value of a setting, if the fields that lead to it are a key
    /// of the configuration. A name alone may be a field of anything.
    fn setting(&self, file: u32, base: ValueId, name: NameId) -> Option<Abstract> {
        let mut names = vec![self.name(name)];
        let mut around = base;
        loop {
            around = match self.value(file, around) {
                WireValue::Member { base, name, .. } => {
                    names.push(self.name(name));
                    base
                }
                WireValue::Pointer(of) | WireValue::Pointee(of) => of,
                _ => break,
            };
        }
        let is_path = (2..=MAX_SETTING_PARTS).contains(&names.len());
        let key = is_path.then(|| setting_key(names.into_iter().rev()));
        key.map(|key| Abstract::Text(Text::of(Part::Environment(key, None), file)))
    }

    /// Returns the text that a member of what a call makes is, by the row of the call.
    fn member_text(&self, made: CallAt, frame: &FrameRef, name: NameId) -> Option<Vec<Abstract>> {
        let matches = self.matches(made);
        let mut rows = matches.iter().filter_map(|of| self.row(*of)?.text.as_ref());
        let text = rows.find(|text| text.member.as_deref() == Some(self.name(name)))?;
        let site = CallSite {
            frame: frame.clone(),
            ..self.site(made)?
        };
        Some(self.text_of(&site, text))
    }

    /// Returns the paths of the types of libraries that are not loaded whose members a type has: its bases, and theirs.
    pub(super) fn absent_bases(&self, class: SymbolId) -> Vec<Arc<str>> {
        let mut seen = vec![class];
        let mut open = vec![class];
        let mut paths = Vec::new();
        while let Some(class) = open.pop() {
            let Some(file) = self.file_of(class) else {
                continue;
            };
            let loaded = self.loaded(file);
            let bases = loaded.wires.bases.iter().filter(|(of, _)| *of == class);
            for (_, base) in bases {
                for of in self.evaluate(file, *base, &None).iter() {
                    match of {
                        Abstract::Path(path) => paths.push(path.clone()),
                        Abstract::Class(base) if !seen.contains(base) => {
                            seen.push(*base);
                            open.push(*base);
                        }
                        _ => {}
                    }
                }
            }
        }
        paths
    }

    /// Returns the member of a type or module by its name.
    pub(super) fn member_of(&self, file: u32, of: SymbolId, name: NameId) -> Option<SymbolId> {
        let source = self.file(file)?;
        source.language.member_named(self.db, of, name)
    }

    /// Returns a field of an object that is written out, or that a call of its type makes.
    pub(super) fn field(
        &self,
        of: &Abstract,
        name: NameId,
        symbol: Option<SymbolId>,
    ) -> Vec<Abstract> {
        if let (Abstract::Object(Site::Call(made), Class::Declared(class), frame), Some(symbol)) =
            (of, symbol)
        {
            // Another type may have a field of the same name.
            if self.member_of(made.0, *class, name) != Some(symbol) {
                return Vec::new();
            }
            return self.field_of_made((*made, *class), frame, symbol);
        }
        let Abstract::Written(file, value, frame) = of else {
            return Vec::new();
        };
        let WireValue::Object { fields, .. } = self.value(*file, *value) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (known, declared, value) in &fields {
            let is_same = match (symbol, declared) {
                (Some(symbol), Some(declared)) => symbol == *declared,
                _ => *known == name,
            };
            if is_same {
                add_all(&mut all, self.evaluate(*file, *value, frame).to_vec());
            }
        }
        all
    }
}
