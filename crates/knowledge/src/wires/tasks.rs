//! Tasks: functions of which a decorator makes an object of a library, such as one that is an event.

use codeweft_db::SymbolId;
use rustc_hash::FxHashMap;

use super::evaluate::Evaluator;
use super::program::Task;

/// The most groups of commands around each other.
const MAX_ROUNDS: usize = 4;

impl Evaluator<'_> {
    /// Returns the task that a function is.
    pub(super) fn task(&self, symbol: SymbolId) -> Option<Task> {
        if self.tasks.borrow().is_none() {
            *self.tasks.borrow_mut() = Some(FxHashMap::default());
            // What decorates a function may be one of them itself: what such a decorator matches is known in the next round.
            for _ in 0..MAX_ROUNDS {
                let found = self.find_tasks();
                let known = self.tasks.replace(Some(found));
                let count = |tasks: &Option<FxHashMap<SymbolId, Task>>| {
                    tasks.as_ref().map_or(0, FxHashMap::len)
                };
                let is_all = count(&known) == count(&self.tasks.borrow());
                self.matches.borrow_mut().retain(|_, rows| !rows.is_empty());
                if is_all {
                    break;
                }
            }
        }
        self.tasks.borrow().as_ref()?.get(&symbol).cloned()
    }

    fn find_tasks(&self) -> FxHashMap<SymbolId, Task> {
        let mut found = FxHashMap::default();
        for file in self.relevant_files() {
            let loaded = self.loaded(file);
            for (number, call) in (0..).zip(&loaded.wires.calls) {
                let Some(decorated) = call.decorates else {
                    continue;
                };
                let at = (file, number);
                for of in self.matches(at).iter() {
                    let row = self.row(*of);
                    let event = row.and_then(|row| row.consume.as_ref()?.task.clone());
                    let group = || row.and_then(|row| row.command.as_ref()?.group.clone());
                    if let Some(class) = event.or_else(group) {
                        let decorator = at;
                        found.insert(decorated, Task { class, decorator });
                    }
                }
            }
        }
        found
    }
}
