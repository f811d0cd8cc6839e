//! What follows a server's database: the store, a file with the graph, and the list of the files that are not visible.

use codeweft_store::{Behind, BehindFigures, FollowOptions, FollowStep, FollowedRevision};
use codeweft_workspace::settings::Settings;
use codeweft_workspace::{AnalysisHost, FollowedView, Follower, FollowerFigures, FollowerStep};

use crate::excluded_files::ExcludedFiles;

/// Starts the store of a workspace, unless the settings or `wanted`, which wins, say that it has none.
///
/// # Errors
/// The settings name a file that it may not write, or the system cannot start a thread.
pub fn follow(
    host: &AnalysisHost,
    root: &str,
    settings: &Settings,
    wanted: Option<bool>,
) -> Result<Option<BehindFigures>, String> {
    let mut settings = settings.clone();
    if let Some(wanted) = wanted {
        settings
            .values
            .insert("enabled".to_owned(), wanted.to_string());
    }
    let path = settings.store(root).map_err(|error| error.to_string());
    let salt = codeweft_server::build().to_owned();
    let store = path.and_then(|path| {
        let behind = path.map(|path| Behind::start(FollowOptions { path, salt }));
        behind.transpose().map_err(|error| error.to_string())
    });
    let (store, wrong) = match store {
        Ok(store) => (store, None),
        Err(wrong) => (None, Some(wrong)),
    };
    let figures = store.as_ref().map(Behind::figures);
    host.follow(Box::new(Followers {
        excluded: ExcludedFiles::new(root),
        store,
    }));
    wrong.map_or(Ok(figures), Err)
}

/// The list of files that are not visible, then the store.
struct Followers {
    excluded: ExcludedFiles,
    store: Option<Behind>,
}

impl Follower for Followers {
    fn step(&mut self, view: FollowedView<'_>) -> FollowerStep {
        let listed = self.excluded.step(&view);
        if listed != FollowerStep::Done {
            return listed;
        }
        let Some(store) = &mut self.store else {
            return FollowerStep::Done;
        };
        let snapshot = view.snapshot;
        let revision = FollowedRevision {
            db: snapshot.db(),
            cache: snapshot.cache(),
            revision: snapshot.revision(),
            unsaved: snapshot.unsaved(),
            since_write: view.since_write,
        };
        match store.step(revision, view.is_over) {
            FollowStep::Done => FollowerStep::Done,
            FollowStep::Again => FollowerStep::Again,
            FollowStep::Wait(time) => FollowerStep::Wait(time),
        }
    }

    fn figures(&self) -> Option<FollowerFigures> {
        let figures = self.store.as_ref()?.figures();
        Some(Box::new(move || figures.json()))
    }
}
