//! The uses of bodies that an edit left as they were, taken from those of the saved text.
//!
//! ```text
//! saved bodies     0  1  2  3  4  5
//! edited bodies    0  1  2* 3  4  5
//! parts           [0  1][2*][3  4  5]      2* is resolved, the runs around it are cut out
//! ```
//!
//! A body's uses depend on its file, its number, its content and on declarations. So an equal body
//! of the same number has the saved text's uses, as long as these are resolved with the declarations
//! of now, which `saved::file_uses` is.

use std::ops::Range;
use std::sync::Arc;

use codeweft_db::{Db, FileUses, PartUses, SymbolId, UnresolvedSite, Use, UsesByTarget};
use codeweft_python_syntax::Bodies;

use super::record::escapes;

/// Bodies of an edited text, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    /// Consecutive bodies that the saved text has with the same numbers.
    Unchanged(Range<usize>),
    /// Another body.
    Changed(usize),
}

impl Run {
    /// Returns the bodies if the saved text has them.
    pub(crate) fn unchanged(&self) -> Option<&Range<usize>> {
        match self {
            Run::Unchanged(bodies) => Some(bodies),
            Run::Changed(_) => None,
        }
    }
}

/// Divides the bodies of an edited text by whether the saved text has them too. Returns `None` if
/// the numbers of bodies differ, or less than half are unchanged: then chunks are fewer parts.
pub(crate) fn runs(edited: &Bodies, saved: &Bodies) -> Option<Vec<Run>> {
    let count = edited.bodies.len();
    if saved.bodies.len() != count {
        return None;
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut unchanged = 0;
    for number in 0..count {
        if !edited.has_same_body(saved, number) {
            runs.push(Run::Changed(number));
            continue;
        }
        unchanged += 1;
        match runs.last_mut() {
            Some(Run::Unchanged(run)) => run.end = number + 1,
            _ => runs.push(Run::Unchanged(number..number + 1)),
        }
    }
    (2 * unchanged >= count).then_some(runs)
}

/// Returns the uses of runs of bodies, which ascend, out of those of their file.
pub(crate) fn cut(db: &dyn Db, uses: &FileUses, runs: &[Range<usize>]) -> Vec<Arc<PartUses>> {
    let end = runs.last().map_or(0, |run| run.end);
    let mut run_of = vec![None; end];
    for (number, run) in runs.iter().enumerate() {
        run_of[run.clone()].fill(Some(number));
    }
    let run_of = |body: u32| run_of.get(body as usize).copied().flatten();
    let mut cuts: Vec<Cut> = runs.iter().map(|_| Cut::default()).collect();
    for (target, uses) in uses.iter() {
        for one in uses {
            if let Some(run) = run_of(one.body) {
                cuts[run].add(target, one);
            }
        }
    }
    for site in &uses.unresolved {
        if let Some(run) = run_of(site.body) {
            cuts[run].unresolved.push(*site);
        }
    }
    for call in &uses.super_calls {
        if let Some(run) = run_of(call.0) {
            cuts[run].super_calls.push(*call);
        }
    }
    cuts.into_iter()
        .map(|cut| Arc::new(cut.finish(db)))
        .collect()
}

/// The uses of a run, in the order of their file's.
#[derive(Default)]
struct Cut {
    targets: Vec<SymbolId>,
    starts: Vec<u32>,
    uses: Vec<Use>,
    unresolved: Vec<UnresolvedSite>,
    super_calls: Vec<(u32, u32, SymbolId)>,
}

impl Cut {
    /// Adds a use of a target, which is that of the use before or a greater one.
    fn add(&mut self, target: SymbolId, one: &Use) {
        if self.targets.last() != Some(&target) {
            self.targets.push(target);
            self.starts.push(self.uses.len() as u32);
        }
        self.uses.push(*one);
    }

    fn finish(mut self, db: &dyn Db) -> PartUses {
        self.starts.push(self.uses.len() as u32);
        let uses = UsesByTarget {
            targets: self.targets.into(),
            starts: self.starts.into(),
            uses: self.uses.into(),
        };
        let escaped = uses.iter().filter(|&(target, uses)| {
            let class = db.shared().symbols.key(target).class;
            uses.iter().any(|one| escapes(class, one.role))
        });
        PartUses {
            escaped: escaped.map(|(target, _)| target).collect(),
            uses_by_target: Arc::new(uses),
            unresolved: self.unresolved.into(),
            super_calls: self.super_calls.into(),
            ..PartUses::default()
        }
    }
}
