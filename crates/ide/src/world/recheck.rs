//! The check of times and sizes before an agent's question, so that its own edits are seen.

use std::sync::Arc;

use codeweft_db::Origin;

use super::{World, disk::Stamp};
use crate::parallel;

impl World {
    /// Looks whether files of the workspace changed, came or went on disk since they were read,
    /// and shows what did. Gives the revision.
    pub fn recheck(&mut self) -> u64 {
        let known: Vec<(&Arc<str>, Option<Stamp>)> = self
            .files
            .iter()
            .filter(|(_, entry)| entry.origin == Origin::Workspace && entry.present)
            .map(|(path, entry)| (path, entry.stamp))
            .collect();
        let jobs: Vec<&[(&Arc<str>, Option<Stamp>)]> = known.chunks(256).collect();
        let handles = vec![(); self.threads.min(jobs.len()).max(1)];
        let changed: Vec<Arc<str>> = parallel::each(handles, &jobs, |(), job| {
            job.iter()
                .filter(|(path, stamp)| !stamp.is_some_and(|stamp| stamp.holds(Stamp::of(path))))
                .map(|(path, _)| (*path).clone())
                .collect::<Vec<_>>()
        })
        .into_iter()
        .flatten()
        .collect();
        self.read_again(changed);
        self.walk_again();
        self.show_disk()
    }
}
