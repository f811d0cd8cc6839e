//! Objects of the workspace: what a call gives their fields, and where they are found again.
//!
//! ```python
//! class Sender:
//!     def __init__(self, topic): self.topic = topic
//!
//! app.paid, app.lost = Sender("paid"), Sender("lost")      # app is an object of a library
//! app.paid.topic                                           # "paid"
//! ```

use codeweft_db::{Db as _, Lang, NameId, SymbolId, ValueId, WireCall, WireValue};
use rustc_hash::FxHashMap;

use super::evaluate::Evaluator;
use super::value::{Abstract, CallAt, Class, FrameRef, add, add_all, framed};

/// What is written to attributes of objects of libraries, by language and name: file and value.
pub(super) type Attributes = FxHashMap<(Lang, NameId), Vec<(u32, ValueId)>>;

/// The types above a type that are looked at.
const MAX_BASES: usize = 32;

impl Evaluator<'_> {
    /// Returns a field of an object that a call makes: what is written to it, with the arguments of the call for those of its
    /// constructor.
    pub(super) fn field_of_made(
        &self,
        (made, class): (CallAt, SymbolId),
        frame: &FrameRef,
        field: SymbolId,
    ) -> Vec<Abstract> {
        let constructor = self.constructor(class);
        let inner = constructor.and_then(|constructor| framed(constructor, made, frame));
        let (Some(inner), Some(home)) = (inner, self.file_of(field)) else {
            return Vec::new();
        };
        let inner = Some(inner);
        let loaded = self.loaded(home);
        let mut all = Vec::new();
        for &value in loaded.writes.get(&field).into_iter().flatten() {
            add_all(&mut all, self.evaluate(home, value, &inner).to_vec());
        }
        all
    }

    /// Returns the function that makes the objects of a type: its own, else that of the first type above that has one.
    fn constructor(&self, class: SymbolId) -> Option<(u32, u32)> {
        if let Some(known) = self.constructors.borrow().get(&class) {
            return *known;
        }
        let mut found = None;
        let mut above = vec![class];
        let mut at = 0;
        while let Some(&one) = above.get(at).filter(|_| at < MAX_BASES) {
            at += 1;
            let Some((file, source)) = self.file_of(one).and_then(|at| Some((at, self.file(at)?)))
            else {
                continue;
            };
            let loaded = self.loaded(file);
            let functions = (0..).zip(&loaded.wires.functions);
            let mut named = functions.filter(|(_, function)| function.is_named);
            let own = named.find(|(_, function)| {
                source.language.constructed_class(self.db, function.symbol) == Some(one)
            });
            if let Some((number, _)) = own {
                found = Some((file, number));
                break;
            }
            let bases = loaded.wires.bases.iter().filter(|(of, _)| *of == one);
            for (_, base) in bases {
                for of in self.evaluate(file, *base, &None).iter() {
                    if let Abstract::Class(base) = of
                        && !above.contains(base)
                    {
                        above.push(*base);
                    }
                }
            }
        }
        self.constructors.borrow_mut().insert(class, found);
        found
    }

    /// Returns the objects of the workspace that are written to an attribute of this name of any object of a library.
    pub(super) fn attribute_of_library(&self, file: u32, name: NameId) -> Vec<Abstract> {
        let Some(lang) = self.file(file).map(|source| source.lang) else {
            return Vec::new();
        };
        if self.attributes.borrow().is_none() {
            let read = self.read_attributes();
            *self.attributes.borrow_mut() = Some(read);
        }
        let attributes = self.attributes.borrow();
        let written = attributes.as_ref().and_then(|all| all.get(&(lang, name)));
        let written = written.cloned().unwrap_or_default();
        drop(attributes);
        let mut all = Vec::new();
        for (file, value) in written {
            for of in self.evaluate(file, value, &None).iter() {
                if let Abstract::Object(_, Class::Declared(_), _) = of {
                    add(&mut all, of.clone());
                }
            }
        }
        all
    }

    /// Returns the objects of the workspace in an attribute of a library that a call names a method of.
    pub(super) fn receiver_of_library(&self, file: u32, call: &WireCall) -> Vec<Abstract> {
        let WireValue::Absent(path) = self.value(file, call.callee) else {
            return Vec::new();
        };
        let attribute = path.rsplit('.').nth(1);
        let attribute = attribute.and_then(|name| self.db.shared().names.get(name));
        attribute.map_or_else(Vec::new, |name| self.attribute_of_library(file, name))
    }

    fn read_attributes(&self) -> Attributes {
        let mut attributes = Attributes::default();
        for file in self.relevant_files() {
            let Some(lang) = self.file(file).map(|source| source.lang) else {
                continue;
            };
            let loaded = self.loaded(file);
            for (target, value) in &loaded.wires.writes {
                if let WireValue::Member {
                    name, symbol: None, ..
                } = loaded.wires.value(*target)
                {
                    let of_name = attributes.entry((lang, *name)).or_default();
                    of_name.push((file, *value));
                }
            }
        }
        attributes
    }

    /// Returns what the field of this name is that only one type of the workspace has.
    pub(super) fn only_field(&self, file: u32, name: NameId) -> Vec<Abstract> {
        let source = self.file(file);
        let field = source.and_then(|source| self.only_field_named(source.lang, name));
        field.map_or_else(Vec::new, |field| self.declared(field))
    }
}
