//! Addresses that the code mentions: variables of the environment that it reads, with their defaults, and texts that are
//! addresses by themselves.

use codeweft_db::{SymbolId, ValueId, WireValue};
use rustc_hash::FxHashSet;

use super::arguments::CallSite;
use super::facts::Composer;
use super::text::{Part, Text};
use super::value::{Abstract, Around, CallAt};
use crate::recognisers::Match;

/// A text that may be the address of a service.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct MentionFact {
    /// The name of the variable that it is the value of; empty for a literal.
    pub(crate) variable: String,
    /// The literal, or the value of the variable without one.
    pub(crate) text: Option<String>,
    /// Whether it is a name that a call is given, which may be that of an object of the cluster.
    pub(crate) is_given: bool,
    /// The file, by number, and the code that mentions it, or that calls the function around it that is given its name.
    pub(crate) file: u32,
    pub(crate) around: Around,
    /// The variables and constants of packages whose first values are made of it, if nothing else is.
    pub(crate) held_by: Vec<SymbolId>,
}

impl Composer<'_> {
    /// Adds the variables that a call reads.
    pub(super) fn add_variables(
        &self,
        mentions: &mut Vec<MentionFact>,
        (site, origin): (&CallSite, CallAt),
        of: Match,
    ) {
        let Some(text) = self.row(of).and_then(|row| row.text.as_ref()) else {
            return;
        };
        if text.environment.is_none() {
            return;
        }
        let around = self.around_call(origin);
        let loaded = self.loaded(origin.0);
        let result = WireValue::Result {
            call: origin.1,
            number: 0,
        };
        let result = (0..)
            .zip(&loaded.wires.values)
            .find(|(_, value)| **value == result);
        let held_by = result.map(|(result, _)| self.held_by(origin.0, result));
        let held_by = held_by.unwrap_or_default();
        for value in self.text_of(site, text) {
            self.add_variable(mentions, &value, origin.0, (around, &held_by));
        }
    }

    fn add_variable(
        &self,
        mentions: &mut Vec<MentionFact>,
        value: &Abstract,
        file: u32,
        (around, held_by): (Around, &[SymbolId]),
    ) {
        let Abstract::Text(text) = value else {
            return;
        };
        if let [Part::Environment(name, default)] = &text.parts[..] {
            mentions.push(MentionFact {
                variable: name.clone(),
                text: default.clone(),
                is_given: false,
                file,
                around,
                held_by: held_by.to_vec(),
            });
        }
    }

    /// Returns the variables and constants of packages whose first values are made of a value; none if anything else is.
    pub(super) fn held_by(&self, file: u32, value: ValueId) -> Vec<SymbolId> {
        let loaded = self.loaded(file);
        let users = loaded.users();
        let mut seen = FxHashSet::from_iter([value]);
        let mut open = vec![value];
        let mut held_by: Vec<SymbolId> = Vec::new();
        while let Some(value) = open.pop() {
            let users = users.get(&value).map_or(&[][..], Vec::as_slice);
            let writes = loaded.wires.writes.iter();
            let writes: Vec<_> = writes.filter(|(_, of)| *of == value).collect();
            let is_result = matches!(loaded.wires.value(value), WireValue::Result { .. });
            if is_result && users.is_empty() && writes.is_empty() {
                return Vec::new();
            }
            for (target, _) in writes {
                match *loaded.wires.value(*target) {
                    WireValue::Declared(variable) if !held_by.contains(&variable) => {
                        held_by.push(variable);
                    }
                    WireValue::Declared(_) => {}
                    _ => return Vec::new(),
                }
            }
            open.extend(users.iter().filter(|user| seen.insert(**user)));
        }
        held_by
    }

    /// Adds the literals of a file that have the form of an address, and the variables that it reads by index.
    pub(super) fn add_mentions(&self, mentions: &mut Vec<MentionFact>, file: u32) {
        let loaded = self.loaded(file);
        for (id, value) in (0..).zip(&loaded.wires.values) {
            match value {
                WireValue::Text(text) if is_address(text) => {
                    let using = self.commands_using(file, id);
                    let function = self.function_using(file, id);
                    let all = using.is_empty().then_some(None);
                    for command in using.into_iter().map(Some).chain(all) {
                        mentions.push(MentionFact {
                            variable: String::new(),
                            text: Some(text.to_string()),
                            is_given: false,
                            file,
                            around: Around { function, command },
                            held_by: self.held_by(file, id),
                        });
                    }
                }
                WireValue::Index(base, key) => {
                    let keys: Vec<Text> = match loaded.wires.value(*key) {
                        WireValue::Text(text) => vec![Text::literal(text, file)],
                        _ => continue,
                    };
                    let variables = self.environment(file, *base, &keys);
                    for value in variables.into_iter().flatten() {
                        let held_by = self.held_by(file, id);
                        self.add_variable(mentions, &value, file, (Around::default(), &held_by));
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the names that the calls of a file are given, as literals or as constants.
    pub(super) fn add_given_names(&self, mentions: &mut Vec<MentionFact>, file: u32) {
        let loaded = self.loaded(file);
        for (number, call) in (0..).zip(&loaded.wires.calls) {
            let mut names: Vec<String> = Vec::new();
            for argument in &call.arguments {
                match loaded.wires.value(argument.value) {
                    WireValue::Text(text) if is_object_name(text) => names.push(text.to_string()),
                    WireValue::Declared(symbol) if self.is_constant(*symbol) => {
                        let values = self.evaluate(file, argument.value, &None);
                        let texts = values.iter().filter_map(|value| match value {
                            Abstract::Text(text) => text.known(&|_| None),
                            _ => None,
                        });
                        names.extend(texts.filter(|text| is_object_name(text)));
                    }
                    _ => {}
                }
            }
            for name in names {
                mentions.push(MentionFact {
                    variable: String::new(),
                    text: Some(name),
                    is_given: true,
                    file,
                    around: self.around_call((file, number)),
                    held_by: Vec::new(),
                });
            }
        }
    }

    /// Returns whether a symbol is a constant of the workspace.
    fn is_constant(&self, symbol: SymbolId) -> bool {
        let number = self.code.number_of(symbol);
        let symbol = number.and_then(|number| self.code.symbol(number));
        symbol.is_some_and(|symbol| symbol.kind == "constant" && !symbol.is_external)
    }
}

/// Returns whether a text may name an object of a cluster: labels of small letters and digits, with a hyphen (Kubernetes,
/// Object Names and IDs). One word alone says too little.
fn is_object_name(text: &str) -> bool {
    let is_of_name =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    text.len() <= MAX_ADDRESS
        && text.contains('-')
        && text.chars().all(is_of_name)
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// The longest address, in bytes.
const MAX_ADDRESS: usize = 256;

/// Returns whether a literal may be an address, or name a document that has some: it has a scheme, a port, or the end of a
/// document's name, and no space.
fn is_address(text: &str) -> bool {
    let has_port = || {
        let port = text.rsplit(':').next().unwrap_or_default();
        let digits = port.split('/').next().unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_one = !text.contains(char::is_whitespace) && text.len() <= MAX_ADDRESS;
    let is_document = || codeweft_documents::is_document(text);
    is_one && (text.contains("://") || text.contains(':') && has_port() || is_document())
}
