//! A file that another process has written, from the same texts: its rows are taken as they are.

use std::sync::Arc;

use codeweft_graph::export::GraphParts;
use rustc_hash::FxHashSet;

use super::batch::Batch;
use super::follow::{Behind, FollowStep, FollowedRevision, Phase, SentFile};
use super::send::is_unsaved;

impl Behind {
    /// Takes the rows of the file as they are if they were made from equal texts.
    pub(super) fn adopt(
        &mut self,
        revision: FollowedRevision<'_>,
        inputs: Option<&str>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(own) = self.inputs(revision, is_over) else {
            return FollowStep::Again;
        };
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        if Some(own.as_str()) != inputs {
            pass.phase = Phase::Files;
            return FollowStep::Again;
        }
        let parts = GraphParts::new(revision.db, &pass.cache);
        while let Some(file) = pass.files.get(pass.next) {
            let path = file.file().path(revision.db).clone();
            let sent = SentFile {
                stamp: parts.stamp(file),
                unsaved: is_unsaved(revision, &path),
                locals: None,
                runs: None,
            };
            self.sent.insert(path, sent);
            pass.next += 1;
            if is_over() {
                return FollowStep::Again;
            }
        }
        let shared = GraphParts::new(revision.db, revision.cache);
        let joins = shared.joins(true);
        self.pairs = Some(joins.clone());
        self.sets = Some(joins);
        self.is_complete = true;
        pass.phase = Phase::Done;
        let batch = Batch {
            revision: revision.revision,
            is_level: true,
            has_level_sets: true,
            inputs: Some(own),
            ..Batch::default()
        };
        self.store.post(self.opened, batch);
        FollowStep::Done
    }

    /// Returns a hash of all that rows are made from; `None` if it takes another step.
    pub(super) fn inputs(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<String> {
        let pass = self.pass.as_mut()?;
        let texts = match &pass.texts {
            Some(known) => known.clone(),
            None => {
                let texts = GraphParts::new(revision.db, &pass.cache).texts();
                pass.texts.insert(texts.into()).clone()
            }
        };
        for (path, text) in texts.iter() {
            let known = self.hashes.get(path);
            if known.is_none_or(|(of, _)| !Arc::ptr_eq(of, text)) {
                let hash = blake3::hash(text.as_bytes());
                self.hashes.insert(path.clone(), (text.clone(), hash));
                if is_over() {
                    return None;
                }
            }
        }
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(self.salt.as_bytes());
        for language in codeweft_graph::languages::ALL {
            add(language.configuration(revision.db).as_bytes());
        }
        add(&codeweft_db::allowed_secrets_fingerprint(revision.db));
        for (path, _) in texts.iter() {
            add(path.as_bytes());
            if let Some((_, hash)) = self.hashes.get(path) {
                add(hash.as_bytes());
            }
        }
        for path in revision.unsaved {
            add(path.as_bytes());
        }
        if self.hashes.len() > texts.len() + 1024 {
            let known: FxHashSet<&Arc<str>> = texts.iter().map(|(path, _)| path).collect();
            self.hashes.retain(|path, _| known.contains(path));
        }
        Some(hasher.finalize().to_hex().to_string())
    }
}
