//! Tasks: functions that a decorator makes events of.

use codeweft_db::SymbolId;
use rustc_hash::FxHashMap;

use super::evaluate::Evaluator;
use super::program::Task;

impl Evaluator<'_> {
    /// Returns the task that a function is.
    pub(super) fn task(&self, symbol: SymbolId) -> Option<Task> {
        if self.tasks.borrow().is_none() {
            // What decorates the functions depends on none of them.
            *self.tasks.borrow_mut() = Some(FxHashMap::default());
            let mut found = FxHashMap::default();
            for file in self.relevant_files() {
                let loaded = self.loaded(file);
                for (number, call) in (0..).zip(&loaded.wires.calls) {
                    let Some(decorated) = call.decorates else {
                        continue;
                    };
                    let at = (file, number);
                    for of in self.matches(at).iter() {
                        let event = self.row(*of).and_then(|row| row.consume.as_ref());
                        if let Some(class) = event.and_then(|event| event.task.clone()) {
                            found.insert(
                                decorated,
                                Task {
                                    class,
                                    decorator: at,
                                },
                            );
                        }
                    }
                }
            }
            *self.tasks.borrow_mut() = Some(found);
        }
        self.tasks.borrow().as_ref()?.get(&symbol).cloned()
    }
}
