//! The store of a server: the graph in a file that follows its database.

use codeweft_store::{Behind, BehindFigures, FollowOptions, FollowStep, FollowedRevision};
use codeweft_workspace::settings::Settings;
use codeweft_workspace::{AnalysisHost, FollowedView, Follower, FollowerFigures, FollowerStep};

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
    let Some(path) = settings.store(root).map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    let salt = codeweft_server::build().to_owned();
    let behind = Behind::start(FollowOptions { path, salt }).map_err(|error| error.to_string())?;
    let figures = behind.figures();
    host.follow(Box::new(Store(behind)));
    Ok(Some(figures))
}

/// A store as a follower of the host.
struct Store(Behind);

impl Follower for Store {
    fn step(&mut self, view: FollowedView<'_>) -> FollowerStep {
        let snapshot = view.snapshot;
        let revision = FollowedRevision {
            db: snapshot.db(),
            cache: snapshot.cache(),
            revision: snapshot.revision(),
            unsaved: snapshot.unsaved(),
            since_write: view.since_write,
        };
        match self.0.step(revision, view.is_over) {
            FollowStep::Done => FollowerStep::Done,
            FollowStep::Again => FollowerStep::Again,
            FollowStep::Wait(time) => FollowerStep::Wait(time),
        }
    }

    fn figures(&self) -> FollowerFigures {
        let figures = self.0.figures();
        Box::new(move || figures.json())
    }
}
