//! Which rows calls match: by the declaration that the callee names, else by the path of a library that is not loaded.

use std::rc::Rc;

use codeweft_db::{Lang, ValueId, WireValue};

use super::evaluate::Evaluator;
use super::value::{Abstract, CallAt, Class};
use crate::recognisers::{Match, Recogniser};

impl Evaluator<'_> {
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
    pub(super) fn matches_of(&self, file: u32, callee: ValueId) -> Vec<Match> {
        let Some(source) = self.file(file) else {
            return Vec::new();
        };
        let resolved = &self.resolved;
        match self.value(file, callee) {
            WireValue::Declared(symbol) => resolved.of_symbol(symbol).to_vec(),
            WireValue::Absent(path) => resolved.of_path(source.lang, &path).to_vec(),
            WireValue::Member { base, name, symbol } => {
                if !resolved.has_name(source.lang, name) {
                    return Vec::new();
                }
                let name_text = self.name(name);
                if let Some(symbol) = symbol {
                    let found = resolved.of_symbol(symbol);
                    return match found {
                        [] if self.file_of(symbol).is_some() => {
                            self.matches_of_absent(source.lang, (file, base), name_text)
                        }
                        [] => self.matches_of_variable(source.lang, (file, base), name_text),
                        found => found.to_vec(),
                    };
                }
                let mut found: Vec<Match> = Vec::new();
                for of in self.evaluate(file, base, &None).iter() {
                    let rows = match of {
                        Abstract::Object(_, Class::Path(path), _) | Abstract::Path(path) => {
                            resolved.of_path(source.lang, &format!("{path}.{name_text}"))
                        }
                        Abstract::Object(_, Class::Declared(of), _)
                        | Abstract::Class(of)
                        | Abstract::Module(of) => match self.member_of(file, *of, name) {
                            Some(symbol) => resolved.of_symbol(symbol),
                            None => {
                                let paths = self.absent_bases(*of);
                                let mut rows = paths.iter().map(|path| {
                                    resolved.of_path(source.lang, &format!("{path}.{name_text}"))
                                });
                                rows.find(|rows| !rows.is_empty()).unwrap_or_default()
                            }
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
            WireValue::Local(_) | WireValue::Any(_) => {
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

    /// Returns the rows of a method of types that are not loaded, which a value may have beside those of the workspace:
    ///
    /// ```python
    /// consumer = Silent() if off else Consumer()
    /// consumer.subscribe(…)                       # names know only that of `Silent`
    /// ```
    fn matches_of_absent(
        &self,
        lang: Lang,
        (file, base): (u32, ValueId),
        name: &str,
    ) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        for of in self.evaluate(file, base, &None).iter() {
            if let Abstract::Object(_, Class::Path(path), _) = of {
                let rows = self.resolved.of_path(lang, &format!("{path}.{name}"));
                let new = rows.iter().filter(|row| !found.contains(row)).copied();
                found.extend(new.collect::<Vec<_>>());
            }
        }
        found
    }

    /// Returns the rows of a method that the type of a variable has from elsewhere: `os.environ.get`.
    fn matches_of_variable(
        &self,
        lang: Lang,
        (file, base): (u32, ValueId),
        name: &str,
    ) -> Vec<Match> {
        let WireValue::Declared(variable) = self.value(file, base) else {
            return Vec::new();
        };
        let of_variable = self.resolved.of_symbol(variable);
        let rows = of_variable.iter().filter_map(|of| self.row(*of));
        let paths = rows.flat_map(Recogniser::paths);
        let mut methods = paths.map(|path| format!("{path}.{name}"));
        let found = methods.find_map(|path| {
            let found = self.resolved.of_path(lang, &path);
            (!found.is_empty()).then(|| found.to_vec())
        });
        let sure = found.into_iter().flatten().map(|of| Match {
            is_assumed: false,
            ..of
        });
        sure.collect()
    }

    /// Returns a row by a match.
    pub(crate) fn row(&self, of: Match) -> Option<&Recogniser> {
        self.resolved.rows.get(of.row as usize)
    }
}
