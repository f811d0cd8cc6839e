//! What is sent of a revision: files with other rows, then `implements` edges, then what calls may run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use codeweft_graph::RevisionCache;
use codeweft_graph::export::{DetailedPackage, GraphParts};

use super::batch::{Batch, FileChange, FileRows, size_of};
use super::follow::{Behind, FollowStep, FollowedRevision, Phase, SentFile};
use crate::sqlite::gather::Gathered;

/// The size of rows that are sent before the end of a pass, in bytes.
const CHUNK: usize = 8 << 20;

/// The size of rows of one revision beyond which the file is partial until its end, in bytes: a branch with
/// thousands of other files.
const MOST: usize = 64 << 20;

/// The pause while the thread has as much to write as it may.
const FULL_PAUSE: Duration = Duration::from_millis(50);

/// The time after a write before all calls are solved again: further edits may follow, and each solves anew.
const AFTER_EDITS: Duration = Duration::from_millis(500);

impl Behind {
    /// Sends the files with other rows.
    pub(super) fn send_files(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        let parts = GraphParts::new(revision.db, &pass.cache);
        while let Some(file) = pass.files.get(pass.next) {
            let path = file.file().path(revision.db).clone();
            let unsaved = is_unsaved(revision, &path);
            let known = self.sent.get(&path);
            let is_quick = pass.has_same_rest && !pass.all && pass.renamed.is_empty();
            if is_quick
                && let Some(known) = known
                && known.unsaved == unsaved
                && parts.has_code_of(file, &known.stamp)
            {
                pass.next += 1;
                if pass.next.is_multiple_of(64) && is_over() {
                    return FollowStep::Again;
                }
                continue;
            }
            let stamp = parts.stamp(file);
            let is_same = known
                .is_some_and(|known| known.stamp == stamp && known.unsaved == unsaved)
                && !pass.all
                && (pass.renamed.is_empty() || !parts.names_any(file, &pass.renamed));
            if !is_same {
                if !self.store.takes_more() {
                    return FollowStep::Wait(FULL_PAUSE);
                }
                if let Some(part) = parts.file(file) {
                    let gathered = gathered(part.package);
                    let known = self.sent.get(&path);
                    let locals = known.and_then(|known| known.locals);
                    let runs = known.and_then(|known| known.runs);
                    self.has_other_locals |= locals != Some(part.locals);
                    self.sets_of.insert(path.clone());
                    self.pending.bytes += size_of(&gathered) + part.row.text.len();
                    let rows = FileRows {
                        row: part.row,
                        unsaved,
                        part: gathered,
                    };
                    let change = FileChange::Rows(Box::new(rows));
                    self.pending.files.insert(path.clone(), change);
                    let sent = SentFile {
                        stamp,
                        unsaved,
                        locals: Some(part.locals),
                        runs,
                    };
                    self.sent.insert(path, sent);
                }
            }
            pass.next += 1;
            // A new file is partial anyway.
            let most = if self.is_complete { MOST } else { CHUNK };
            if self.pending.bytes > most {
                let batch = std::mem::take(&mut self.pending);
                let revision = revision.revision;
                self.store.post(self.opened, Batch { revision, ..batch });
            }
            if is_over() {
                return FollowStep::Again;
            }
        }
        pass.next = 0;
        pass.phase = Phase::Joins;
        self.stamped = self.list.clone();
        // A later pass has nothing to send for it.
        pass.all = false;
        pass.renamed.clear();
        FollowStep::Again
    }

    /// Sends the files that are gone, packages and `implements` edges, with which the exact rows are level.
    pub(super) fn send_joins(&mut self, revision: FollowedRevision<'_>) -> FollowStep {
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        if !self.store.takes_more() {
            return FollowStep::Wait(FULL_PAUSE);
        }
        let shared = GraphParts::new(revision.db, revision.cache);
        let joins = shared.joins(false);
        let are_same = self
            .pairs
            .as_ref()
            .is_some_and(|known| known.has_pairs_of(&joins));
        if !are_same || self.has_other_locals {
            let pairs = shared.implements();
            self.pending.pairs = Some(pairs.into_iter().map(gathered).collect());
            let packages = shared.packages();
            self.pending.packages = Some(packages.into_iter().map(gathered).collect());
        }
        // From here on nothing unwinds.
        self.pairs = Some(joins);
        self.has_other_locals = false;
        let files = pass.files.iter();
        let paths: BTreeSet<Arc<str>> = files
            .map(|file| file.file().path(revision.db).clone())
            .collect();
        let gone = self.sent.keys().filter(|path| !paths.contains(*path));
        let gone: Vec<Arc<str>> = gone.cloned().collect();
        for path in gone {
            self.sent.remove(&path);
            self.sets_of.remove(&path);
            self.pending.files.insert(path, FileChange::Gone);
        }
        if !self.is_complete {
            self.pending.paths = Some(paths);
            self.is_complete = true;
        }
        let batch = std::mem::take(&mut self.pending);
        let batch = Batch {
            revision: revision.revision,
            is_level: true,
            ..batch
        };
        self.store.post(self.opened, batch);
        pass.phase = Phase::Sets;
        FollowStep::Again
    }

    /// Sends what calls may run, with which everything is level.
    pub(super) fn send_sets(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        if revision.since_write < AFTER_EDITS {
            return FollowStep::Wait(AFTER_EDITS - revision.since_write);
        }
        let shared = GraphParts::new(revision.db, revision.cache);
        let joins = match &pass.joins {
            Some(known) => known.clone(),
            None => pass.joins.insert(shared.joins(true)).clone(),
        };
        let are_same = self
            .sets
            .as_ref()
            .is_some_and(|known| known.has_runs_of(&joins));
        if !are_same && !self.all_sets {
            self.all_sets = true;
            pass.next = 0;
        }
        while let Some(file) = pass.files.get(pass.next) {
            let path = file.file().path(revision.db).clone();
            if self.all_sets || self.sets_of.contains(&path) {
                if !self.store.takes_more() {
                    return FollowStep::Wait(FULL_PAUSE);
                }
                let found = shared.find_runs(file);
                let hash = found.hash();
                let is_new = self.sets_of.contains(&path);
                let known = self.sent.get_mut(&path);
                let is_same = known.as_ref().is_some_and(|known| known.runs == Some(hash));
                if !is_same || is_new {
                    let gathered = shared.runs(file, found).map(gathered);
                    self.pending.bytes += gathered.as_ref().map_or(64, size_of);
                    self.pending.runs.insert(path, gathered);
                    if let Some(known) = known {
                        known.runs = Some(hash);
                    }
                }
            }
            pass.next += 1;
            if self.pending.bytes > CHUNK {
                let batch = std::mem::take(&mut self.pending);
                let batch = Batch {
                    revision: revision.revision,
                    is_level: true,
                    ..batch
                };
                self.store.post(self.opened, batch);
            }
            if is_over() {
                return FollowStep::Again;
            }
        }
        let Some(inputs) = self.inputs(revision, is_over) else {
            return FollowStep::Again;
        };
        shared.keep_within_budget();
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        let batch = std::mem::take(&mut self.pending);
        let batch = Batch {
            revision: revision.revision,
            is_level: true,
            has_level_sets: true,
            inputs: Some(inputs),
            ..batch
        };
        self.store.post(self.opened, batch);
        self.sets = Some(joins);
        self.sets_of.clear();
        self.all_sets = false;
        pass.phase = Phase::Done;
        pass.texts = None;
        pass.cache = RevisionCache::default();
        FollowStep::Done
    }
}

pub(super) fn is_unsaved(revision: FollowedRevision<'_>, path: &str) -> bool {
    let unsaved = revision.unsaved;
    unsaved
        .binary_search_by(|one| one.as_str().cmp(path))
        .is_ok()
}

/// Returns rows as numbers. Kinds that the tables do not have leave a part without rows: the whole-file writer reports
/// them.
fn gathered(package: DetailedPackage) -> Gathered {
    Gathered::of_part(package).unwrap_or_default()
}
