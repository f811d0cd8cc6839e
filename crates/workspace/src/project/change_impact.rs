//! The impact of a change of texts: two states of the database, read one after the other.
//!
//! ```text
//! HEAD to the files as they are    read as they are, enter HEAD, read, enter the files again, read
//! A..B                             enter A, read, enter B, read, enter A again, read, enter the files
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use codeweft_db::{RequestCancellation, UnwindReason};
use codeweft_graph::QueryOptions;
use codeweft_graph::answer::{ApiError, ChangedFile, CheckedRequest, FileChange, GraphResponse};
use codeweft_graph::change::{ChangeEnds, Difference, End, EndFacts, Side};
use rustc_hash::FxHashSet;

use super::answer::internal;
use super::database::ProjectDatabase;
use super::files::printed;
use super::other_texts::{OtherStates, OtherTexts};

/// The two states of a change.
pub(crate) struct TextStates {
    /// The texts before it; `None`: as they are.
    pub(crate) before: Option<OtherTexts>,
    /// The texts after it; `None`: as they are.
    pub(crate) after: Option<OtherTexts>,
    /// Both in words.
    pub(crate) names: (String, String),
}

/// The reason why there is no answer.
pub(crate) enum NoImpact {
    /// A write waits, or the request was cancelled.
    Interrupted,
    /// The error to answer with.
    Error(ApiError),
}

/// Answers an `impact` of a change of texts. No reader may be left; the database is as it was afterwards,
/// also if `cancel` ends the work.
pub(crate) fn impact_of_change(
    database: &mut ProjectDatabase,
    states: &TextStates,
    request: &CheckedRequest,
    cancel: &RequestCancellation,
) -> Result<GraphResponse, NoImpact> {
    let started = Instant::now();
    let both = [&states.before, &states.after].into_iter().flatten();
    let paths: FxHashSet<Arc<str>> = both.flat_map(|texts| texts.keys().cloned()).collect();
    let mut others = OtherStates::new(database, paths.into_iter());
    let before = others.whole(states.before.as_ref());
    let after = others.whole(states.after.as_ref());
    let files = changed_files(others.database(), &before, &after);
    let comparison = Comparison {
        files: files.iter().map(|file| file.file.as_str().into()).collect(),
        request,
        cancel,
    };
    // The state that is read twice is the one that the database has, if that is one of both.
    let read = catch_unwind(AssertUnwindSafe(|| {
        if states.after.is_none() {
            comparison.run(&mut others, (&after, End::After), (&before, End::Before))
        } else {
            comparison.run(&mut others, (&before, End::Before), (&after, End::After))
        }
    }));
    others.leave();
    let (difference, facts_before, facts_after) = match read {
        Ok(read) => read.map_err(NoImpact::Error)?,
        Err(panic) => {
            return Err(match UnwindReason::of(panic.as_ref()) {
                UnwindReason::Cancelled | UnwindReason::Write => NoImpact::Interrupted,
                _ => NoImpact::Error(internal(panic.as_ref())),
            });
        }
    };
    let (name_before, name_after) = states.names.clone();
    let ends = ChangeEnds {
        before: name_before,
        after: name_after,
        files,
    };
    let response = difference.answer(request, ends, facts_before, facts_after);
    let snapshot = database.snapshot(&RequestCancellation::default());
    Ok(snapshot.complete(response, started))
}

/// Returns the source files that differ, by path.
fn changed_files(
    database: &ProjectDatabase,
    before: &OtherTexts,
    after: &OtherTexts,
) -> Vec<ChangedFile> {
    let sources = before
        .iter()
        .filter(|(path, _)| database.sources.is_source(path));
    let differ = sources.filter_map(|(path, before)| {
        let change = match (before, after.get(path)?) {
            (None, Some(_)) => FileChange::Added,
            (Some(_), None) => FileChange::Removed,
            (before, after) if before != after => FileChange::Modified,
            _ => return None,
        };
        let file = printed(database.root(), path).to_owned();
        Some(ChangedFile { file, change })
    });
    differ.collect()
}

/// The reading of two states.
struct Comparison<'a> {
    files: FxHashSet<Arc<str>>,
    request: &'a CheckedRequest,
    cancel: &'a RequestCancellation,
}

/// A state of the texts, and which end of the change it is.
type StateAt<'a> = (&'a OtherTexts, End);

impl Comparison<'_> {
    /// Reads the first state, the second, and the first again.
    fn run(
        &self,
        others: &mut OtherStates<'_>,
        first: StateAt<'_>,
        second: StateAt<'_>,
    ) -> Result<(Difference, EndFacts, EndFacts), ApiError> {
        let one = self.side(others, first.0);
        let other = self.side(others, second.0);
        let difference = match first.1 {
            End::Before => Difference::of(&one, &other),
            End::After => Difference::of(&other, &one),
        };
        drop((one, other));
        let of_second = self.facts(others, &difference, second)?;
        let of_first = self.facts(others, &difference, first)?;
        Ok(match first.1 {
            End::Before => (difference, of_first, of_second),
            End::After => (difference, of_second, of_first),
        })
    }

    fn side(&self, others: &mut OtherStates<'_>, texts: &OtherTexts) -> Side {
        others.enter(texts);
        let snapshot = others.snapshot(self.cancel);
        let state = &snapshot.state;
        let options = QueryOptions::new(&state.cache, state.threads);
        Side::read(&snapshot.db, options, &self.files)
    }

    fn facts(
        &self,
        others: &mut OtherStates<'_>,
        difference: &Difference,
        (texts, end): StateAt<'_>,
    ) -> Result<EndFacts, ApiError> {
        others.enter(texts);
        let snapshot = others.snapshot(self.cancel);
        let state = &snapshot.state;
        let options = QueryOptions::new(&state.cache, state.threads);
        difference.read(&snapshot.db, options, end, self.request)
    }
}
