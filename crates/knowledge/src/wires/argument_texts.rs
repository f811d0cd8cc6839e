//! The texts of arguments that a row names.

use codeweft_db::{Db as _, ValueId, WireValue};

use super::arguments::CallSite;
use super::facts::Composer;
use super::text::{MAX_TEXTS, Part, Text};
use super::value::{Abstract, FrameRef, add_all};
use crate::recognisers::{Argument, One};

impl Composer<'_> {
    /// Returns the texts of an argument that a row names: of the alternatives the first that the call has.
    pub(super) fn argument_texts(&self, site: &CallSite, spec: &Argument) -> Vec<Text> {
        let mut found = spec.0.iter().map(|one| self.one_text(site, one));
        found.find(|texts| !texts.is_empty()).unwrap_or_default()
    }

    /// Returns the texts of an argument that may be absent: empty ones then.
    pub(super) fn prefixes(&self, site: &CallSite, spec: Option<&Argument>) -> Vec<Text> {
        let texts = spec.map(|spec| self.argument_texts(site, spec));
        let texts = texts.unwrap_or_default();
        if texts.is_empty() {
            vec![Text::literal("", site.file())]
        } else {
            texts
        }
    }

    fn one_text(&self, site: &CallSite, one: &One) -> Vec<Text> {
        let file = site.file();
        match one {
            One::Name => vec![Text::literal(&site.name, file)],
            One::Text(text) => vec![Text::literal(text, file)],
            One::Joined(several) => self.joined(site, several),
            One::Field(_, field) => {
                let Some(name) = self.db.shared().names.get(field) else {
                    return Vec::new();
                };
                let mut all = Vec::new();
                for value in self.one_argument(site, one) {
                    for of in self.evaluate(file, value, &site.frame).iter() {
                        add_all(&mut all, self.field(of, name, None));
                    }
                }
                super::evaluate::texts_of(&all, file)
            }
            _ => {
                let mut all: Vec<Text> = Vec::new();
                for value in self.one_argument(site, one) {
                    for text in self.listed_texts(file, value, &site.frame) {
                        if !all.contains(&text) {
                            all.push(text);
                        }
                    }
                }
                all
            }
        }
    }

    /// Returns the texts of several arguments with slashes between those that are not empty; none if one is absent.
    fn joined(&self, site: &CallSite, several: &[One]) -> Vec<Text> {
        let slash = Text::literal("/", site.file());
        let mut all = vec![Text::literal("", site.file())];
        for one in several {
            let texts = self.one_text(site, one);
            if texts.is_empty() {
                return Vec::new();
            }
            let joined = all.iter().flat_map(|before| {
                texts.iter().map(
                    |text| match (before.parts.is_empty(), text.parts.is_empty()) {
                        (true, _) => text.clone(),
                        (_, true) => before.clone(),
                        (false, false) => before.with(&slash).with(text),
                    },
                )
            });
            all = joined.take(MAX_TEXTS).collect();
        }
        all
    }

    /// Returns the texts of a value, or those of its elements if it is a list.
    pub(super) fn listed_texts(&self, file: u32, value: ValueId, frame: &FrameRef) -> Vec<Text> {
        let mut all = Vec::new();
        for of in self.evaluate(file, value, frame).iter() {
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
}
