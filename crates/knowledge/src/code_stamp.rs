//! What the code of a revision is made of: equal parts give equal code.

use std::sync::Arc;

use codeweft_db::{Db as _, File, Lang, RootDb};
use codeweft_graph::export::{FileStamp, GraphParts, JoinStamp, ListStamp, PartFile};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, CodeFile};

/// The parts that code is made of: results of queries, compared by address.
pub(crate) struct CodeStamp {
    list: ListStamp,
    /// By path.
    files: Vec<(PartFile, FileStamp)>,
    joins: JoinStamp,
}

impl CodeStamp {
    /// Returns the stamp of a revision. What it reads is what an export reads.
    pub(crate) fn of(db: &RootDb, parts: &GraphParts<'_>) -> CodeStamp {
        let files = parts.files().into_iter();
        let files = files.map(|file| {
            db.unwind_if_cancelled();
            let stamp = parts.stamp(&file);
            (file, stamp)
        });
        CodeStamp {
            files: files.collect(),
            list: parts.list_stamp(),
            joins: parts.joins(true),
        }
    }

    /// Returns the packages of the files whose parts differ from those of another stamp, by language and printed name; `None` if
    /// anything else differs.
    pub(crate) fn changed_packages(
        &self,
        db: &RootDb,
        other: &CodeStamp,
    ) -> Option<FxHashSet<(Lang, Arc<str>)>> {
        let pairs = || self.files.iter().zip(&other.files);
        let has_files_of = self.files.len() == other.files.len()
            && pairs().all(|((one, _), (two, _))| one.file() == two.file());
        if !has_files_of || self.list != other.list || !self.joins.has_runs_of(&other.joins) {
            return None;
        }
        let changed = pairs().filter(|((_, own), (_, others))| own != others);
        Some(changed.map(|((part, _), _)| part.package(db)).collect())
    }

    /// Returns whether the units are those of another stamp.
    pub(crate) fn has_units_of(&self, other: &CodeStamp) -> bool {
        self.list.has_units_of(&other.list)
    }

    /// Returns the files, by path; those with an equal stamp are the ones of `last`.
    pub(crate) fn files(
        &self,
        db: &RootDb,
        parts: &GraphParts<'_>,
        last: Option<(&CodeStamp, &Arc<Code>)>,
    ) -> Vec<Arc<CodeFile>> {
        let mut known: FxHashMap<File, (&FileStamp, &Arc<CodeFile>)> = FxHashMap::default();
        if let Some((stamp, code)) = last {
            let stamps = stamp.files.iter().map(|(part, stamp)| (part.file(), stamp));
            let files: FxHashMap<&str, &Arc<CodeFile>> =
                code.files.iter().map(|file| (&*file.path, file)).collect();
            known.extend(
                stamps.filter_map(|(file, stamp)| {
                    Some((file, (stamp, *files.get(&**file.path(db))?)))
                }),
            );
        }
        let files = self.files.iter().filter_map(|(part, stamp)| {
            db.unwind_if_cancelled();
            match known.get(&part.file()) {
                Some((last, file)) if *last == stamp => Some((*file).clone()),
                _ => Some(Arc::new(CodeFile::new(parts.row(part)?))),
            }
        });
        files.collect()
    }
}
