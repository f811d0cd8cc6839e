//! Threads that run tasks.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use codeweft_eval::{Outcome, Task, TextCache, score};
use codeweft_git::Objects;
use codeweft_retrieval::stems_of;
use indicatif::ProgressBar;
use tempfile::TempDir;

use super::plan::Plan;
use super::tree::TreeFolder;
use super::{ranking, repositories};

/// How many tasks of one repository a thread takes at once. They share what is known of equal contents; fewer leave
/// the threads less uneven at the end.
const BATCH: usize = 16;

/// The stack of a thread, in bytes: deeply nested code makes deep recursions.
const STACK: usize = 64 << 20;

/// A task that could not be run.
pub struct Failure {
    /// The task.
    pub task_id: String,
    /// The reason, with what to do.
    pub reason: String,
}

/// Runs tasks; outcomes and failures are in the order of the tasks.
///
/// Errors: no temporary folder can be made, or no thread be started.
pub fn run(plan: &Plan<'_>, tasks: &[Task]) -> io::Result<(Vec<Outcome>, Vec<Failure>)> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    // Neighbours differ little, so that little is written from one to the next.
    order.sort_by_key(|at| tasks.get(*at).map(|task| (&task.repo, *at)));
    let batches = batches(&order, |at| tasks.get(at).map(|task| task.repo.as_str()));
    let cache = tempfile::Builder::new()
        .prefix("codeweft-eval-cache-")
        .tempdir()?;
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Result<Outcome, String>>> = Mutex::default();
    let bar = if plan.quiet {
        ProgressBar::hidden()
    } else {
        // It is drawn on a terminal alone.
        ProgressBar::new(tasks.len() as u64)
    };
    std::thread::scope(|scope| -> io::Result<()> {
        let mut threads = Vec::new();
        for _ in 0..plan.threads.min(batches.len()).max(1) {
            let work = || -> io::Result<()> {
                while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let batch = order.get(batch.clone()).unwrap_or_default();
                    let mut worker = Worker::new(plan, &cache)?;
                    for at in batch {
                        if let Some(task) = tasks.get(*at) {
                            let result = worker.run(task);
                            let mut results =
                                results.lock().unwrap_or_else(PoisonError::into_inner);
                            results.insert(*at, result);
                        }
                        bar.inc(1);
                    }
                }
                Ok(())
            };
            let thread = std::thread::Builder::new()
                .name("eval".to_owned())
                .stack_size(STACK);
            threads.push(thread.spawn_scoped(scope, work)?);
        }
        for thread in threads {
            // A panic has printed its message, and the tasks of the thread are missing below.
            thread.join().unwrap_or(Ok(()))?;
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut outcomes, mut failures) = (Vec::new(), Vec::new());
    for (at, task) in tasks.iter().enumerate() {
        match results.remove(&at) {
            Some(Ok(outcome)) => outcomes.push(outcome),
            result => failures.push(Failure {
                task_id: task.task_id.clone(),
                reason: match result {
                    Some(Err(reason)) => reason,
                    _ => "an internal error, printed above".to_owned(),
                },
            }),
        }
    }
    Ok((outcomes, failures))
}

/// Cuts an order of tasks into runs of one repository.
fn batches<'a>(order: &[usize], repo: impl Fn(usize) -> Option<&'a str>) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut last = None;
    for (position, at) in order.iter().enumerate() {
        let of = repo(*at);
        match batches.last_mut() {
            Some(batch) if last == Some(of) && batch.len() < BATCH => batch.end = position + 1,
            _ => batches.push(position..position + 1),
        }
        last = Some(of);
    }
    batches
}

/// What a thread has for the tasks of one repository.
struct Worker<'a> {
    plan: &'a Plan<'a>,
    cache: PathBuf,
    tree: TreeFolder,
    texts: TextCache,
    /// The clone, or why there is none; looked for at the first task.
    objects: Option<Result<Objects, String>>,
}

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan<'a>, cache: &TempDir) -> io::Result<Worker<'a>> {
        Ok(Worker {
            plan,
            cache: cache.path().to_owned(),
            tree: TreeFolder::new()?,
            texts: TextCache::new(stems_of),
            objects: None,
        })
    }

    fn run(&mut self, task: &Task) -> Result<Outcome, String> {
        let found = || repositories::find(self.plan.repositories, &task.repo);
        let objects = self.objects.get_or_insert_with(found).clone()?;
        let commit = objects
            .commit(&task.commit_before)
            .map_err(|error| format!("{error}; {}", error.what_to_do()))?;
        let files = self.tree.show(&objects, &commit)?;
        let history = self
            .plan
            .history
            .then(|| ranking::history(&objects, &commit))
            .transpose()?;
        let tree = ranking::Tree {
            folder: self.tree.path(),
            cache: &self.cache,
            files: &files,
            history: history.as_ref(),
        };
        let answer = ranking::answer(self.plan, task, &tree)?;
        score(task, &files, &answer, &mut self.texts).ok_or_else(|| {
            "none of files_edited is a source file of commit_before: name files that were there"
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_tasks_of_one_repository() {
        let repos = ["a", "a", "b", "a"];
        let order = [0, 1, 3, 2];
        let found = batches(&order, |at| repos.get(at).copied());
        assert_eq!(found, [0..3, 3..4]);
        let many: Vec<usize> = (0..20).collect();
        assert_eq!(batches(&many, |_| Some("a")), [0..16, 16..20]);
        assert!(batches(&[], |_| None).is_empty());
    }
}
