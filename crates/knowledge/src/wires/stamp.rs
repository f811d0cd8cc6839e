//! What an evaluation has read of files, to know whether it would read the same again.

use std::sync::Arc;

use codeweft_db::{Db as _, File, FileWires, Language, NameId, RootDb, file_identifiers};

use super::program::{Program, wires_of};

/// What an evaluation has read of each file of the program.
#[derive(Default)]
pub(crate) struct ReadWires {
    files: Vec<ReadFile>,
    /// The names that files were chosen by.
    names: Vec<NameId>,
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

impl ReadWires {
    /// Returns what a program has read so far.
    pub(super) fn of(program: &Program<'_>) -> ReadWires {
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
                mentioned: Vec::new(),
            });
        }
        ReadWires { files, names }
    }

    /// Returns whether an evaluation of the same files, under the same units and settings, would read the same, with calls in the
    /// same lines.
    pub(crate) fn is_same(&self, db: &RootDb) -> bool {
        self.files.iter().all(|known| {
            db.unwind_if_cancelled();
            let has_same_text = Arc::ptr_eq(known.file.text(db), &known.text);
            match &known.wires {
                Some(wires) => {
                    has_same_text && {
                        let now = wires_of(db, known.language, known.file);
                        Arc::ptr_eq(&now, wires) || now == *wires
                    }
                }
                None => has_same_text || mentioned(db, known.file, &self.names) == known.mentioned,
            }
        })
    }
}

/// Returns those of some names that a file mentions.
fn mentioned(db: &RootDb, file: File, names: &[NameId]) -> Vec<NameId> {
    let identifiers = file_identifiers(db, file);
    let names = names.iter().copied();
    names.filter(|&name| identifiers.contains(name)).collect()
}
