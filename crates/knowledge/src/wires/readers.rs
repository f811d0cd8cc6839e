//! Readers of variables: the code that a variable of a package, whose first value is an address, counts for.
//!
//! ```python
//! MAIL_HOST = os.environ["MAIL_HOST"]       # settings.py, which all programs import
//! client = connect(settings.MAIL_HOST)      # clients.py: read where `client` is
//! ```

use codeweft_db::{Db as _, NameId, SymbolId, ValueId, WireValue};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Composer;
use super::mentions::MentionFact;
use super::program::Loaded;
use super::value::{Abstract, Around};

/// What reads a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// Code of a file, by its number.
    Code(u32, Around),
    /// Another variable, whose first value is made of it.
    Variable(SymbolId),
}

/// The readers of variables.
pub(crate) type Readers = FxHashMap<SymbolId, Vec<Reader>>;

impl Composer<'_> {
    /// Returns the readers of the variables that hold what is mentioned, and of the variables that are made of those.
    pub(super) fn readers(&self, mentions: &[MentionFact]) -> Readers {
        let mut readers = Readers::default();
        let held_by = mentions.iter().flat_map(|mention| &mention.held_by);
        let mut open: Vec<SymbolId> = held_by.copied().collect();
        while let Some(variable) = open.pop() {
            if readers.contains_key(&variable) {
                continue;
            }
            let found = self.readers_of(variable);
            open.extend(found.iter().filter_map(|reader| match reader {
                Reader::Variable(variable) => Some(*variable),
                Reader::Code(..) => None,
            }));
            readers.insert(variable, found);
        }
        readers
    }

    fn readers_of(&self, variable: SymbolId) -> Vec<Reader> {
        let mut found: Vec<Reader> = Vec::new();
        let home = self.file_of(variable);
        let Some(lang) = home.and_then(|home| self.file(home)).map(|home| home.lang) else {
            return found;
        };
        let name = self.db.shared().symbols.key(variable).name;
        for &file in self.files_with(lang, name).iter() {
            let loaded = self.loaded(file);
            let targets = loaded.wires.writes.iter().map(|(target, _)| *target);
            let targets: FxHashSet<ValueId> = targets.collect();
            let mut is_known = false;
            for id in 1..loaded.wires.values.len() as ValueId {
                if targets.contains(&id) || !self.is_variable(file, &loaded, id, (variable, name)) {
                    continue;
                }
                is_known = true;
                let mut held_by = self.held_by(file, id);
                held_by.retain(|held_by| *held_by != variable);
                let mut of_value: Vec<Reader> = held_by.into_iter().map(Reader::Variable).collect();
                if of_value.is_empty() {
                    let around = Around {
                        function: self.function_using(file, id),
                        command: None,
                    };
                    of_value.push(Reader::Code(file, around));
                }
                of_value.retain(|reader| !found.contains(reader));
                found.extend(of_value);
            }
            // A file that has the name in code of which wires say nothing.
            if !is_known && Some(file) != home {
                found.push(Reader::Code(file, Around::default()));
            }
        }
        found
    }

    /// Returns whether a value is a variable, by its name or as a member of its module.
    fn is_variable(
        &self,
        file: u32,
        loaded: &Loaded,
        id: ValueId,
        (variable, name): (SymbolId, NameId),
    ) -> bool {
        match *loaded.wires.value(id) {
            WireValue::Declared(symbol)
            | WireValue::Member {
                symbol: Some(symbol),
                ..
            } => symbol == variable,
            WireValue::Member {
                base,
                name: of,
                symbol: None,
            } if of == name => {
                let of = self.evaluate(file, base, &None);
                of.iter().any(|of| match of {
                    Abstract::Module(module) => {
                        self.member_of(file, *module, name) == Some(variable)
                    }
                    _ => false,
                })
            }
            _ => false,
        }
    }
}
