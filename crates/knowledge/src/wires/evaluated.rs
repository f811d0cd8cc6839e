//! The facts of a program's wires with all that their evaluation read, to know whether another program has the same facts.

use std::sync::Arc;

use codeweft_db::{Db as _, File, FileWires, Language, NameId, RootDb, SymbolId, file_identifiers};

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{WireFacts, facts};
use super::program::{Calling, Program, wires_of};

/// The facts of a program, and what they were evaluated of beside its symbols and its settings.
#[derive(Default)]
pub(crate) struct EvaluatedWires {
    pub(crate) facts: WireFacts,
    files: Vec<ReadFile>,
    /// The names that files were chosen by.
    names: Vec<NameId>,
    /// The functions whose callers were read: what [`Program::calling`] says of them.
    called: Vec<(SymbolId, Option<Calling>)>,
    /// The methods that implement those of interfaces, by number.
    implementers: FxHashMap<u32, Vec<u32>>,
}

struct ReadFile {
    file: File,
    language: &'static dyn Language,
    text: Arc<str>,
    /// Its wires, if they were read.
    wires: Option<Arc<FileWires>>,
    /// Those of the names that it mentions.
    mentioned: Vec<NameId>,
}

impl EvaluatedWires {
    /// Evaluates the wires of a program.
    pub(crate) fn new(program: &Program<'_>) -> EvaluatedWires {
        let facts = facts(program);
        let names = program.names_of_files();
        let db = program.db;
        let files = (0..).zip(&program.files).map(|(number, source)| {
            db.unwind_if_cancelled();
            ReadFile {
                file: source.file,
                language: source.language,
                text: source.file.text(db).clone(),
                wires: program.read_wires(number),
                mentioned: mentioned(db, source.file, &names),
            }
        });
        let mut files: Vec<ReadFile> = files.collect();
        for (file, language, wires) in program.read_generated() {
            files.push(ReadFile {
                file,
                language,
                text: file.text(db).clone(),
                wires: Some(wires),
                mentioned: mentioned(db, file, &names),
            });
        }
        let called = program.called().into_iter();
        EvaluatedWires {
            facts,
            files,
            names,
            called: called
                .map(|symbol| (symbol, program.calling(symbol)))
                .collect(),
            implementers: program.all_implementers().clone(),
        }
    }

    /// Returns whether the evaluation of a program with the same files, symbols and settings would read the same: its facts are
    /// these, and the calls in them have the same numbers.
    pub(crate) fn is_of(&self, program: &Program<'_>) -> bool {
        self.implementers == *program.all_implementers() && self.has_files_of(program.db) && {
            let mut called = self.called.iter();
            called.all(|(symbol, known)| program.calling(*symbol) == *known)
        }
    }

    fn has_files_of(&self, db: &RootDb) -> bool {
        let commands = self.facts.commands.list.iter();
        let with_lines: FxHashSet<&str> = commands.map(|command| &*command.path).collect();
        self.files.iter().all(|known| {
            db.unwind_if_cancelled();
            if Arc::ptr_eq(known.file.text(db), &known.text) {
                // What it names may be another file's and have changed with that.
                return match &known.wires {
                    Some(wires) => is_same(&wires_of(db, known.language, known.file), wires),
                    None => true,
                };
            }
            // Commands have lines of their files.
            !with_lines.contains(&**known.file.path(db))
                && mentioned(db, known.file, &self.names) == known.mentioned
                && known
                    .wires
                    .as_ref()
                    .is_none_or(|wires| is_same(&wires_of(db, known.language, known.file), wires))
        })
    }

    /// Returns whether a graph of these facts, of code whose texts and edges are the same, would be the same.
    pub(crate) fn is_same(&self, db: &RootDb) -> bool {
        let mut read = self.files.iter().filter(|known| known.wires.is_some());
        read.all(|known| Arc::ptr_eq(known.file.text(db), &known.text)) && self.has_files_of(db)
    }
}

fn is_same(one: &Arc<FileWires>, other: &Arc<FileWires>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Returns those of some names that a file mentions.
fn mentioned(db: &RootDb, file: File, names: &[NameId]) -> Vec<NameId> {
    let identifiers = file_identifiers(db, file);
    let names = names.iter().copied();
    names.filter(|&name| identifiers.contains(name)).collect()
}
