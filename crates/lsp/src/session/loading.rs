//! The progress that a client shows while the workspace is loaded (LSP, "Work Done Progress").

use std::time::{Duration, Instant};

use codeweft_workspace::{HostState, Progress};
use lsp_types::{
    MessageType, ProgressParams, ProgressToken, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::{Value, json};

use super::Outgoing;
use crate::messages;

/// The minimum time between two messages.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// The poll interval while the workspace is loaded.
const LOADING_POLL: Duration = Duration::from_millis(100);

/// The poll interval once there is nothing more to report.
const IDLE_POLL: Duration = Duration::from_secs(60);

/// The state of the progress at the client.
enum ProgressState {
    /// Not begun: `initialized` has not come, or the client shows no progress.
    Idle,
    /// `window/workDoneProgress/create` was sent with this id.
    Requested(String),
    /// The client shows it: the time and the text of the last report.
    Reported(Instant, String),
    /// Ended.
    Ended,
}

/// Reports the loading of the workspace to a client.
pub(super) struct LoadProgress {
    /// Whether the client supports requests to show progress.
    shows: bool,
    token: String,
    /// The largest share that was reported: it must not shrink when more files are found.
    percentage: u32,
    state: ProgressState,
}

impl LoadProgress {
    /// Returns the progress of a host, named after its instance.
    pub(super) fn new(instance: &str) -> LoadProgress {
        LoadProgress {
            shows: false,
            token: format!("codeweft/{instance}"),
            percentage: 0,
            state: ProgressState::Idle,
        }
    }

    /// Handles `initialized`; `shows` is the client's capability.
    pub(super) fn client_initialized(&mut self, shows: bool) {
        self.shows = shows;
    }

    /// Returns the time until the next [`LoadProgress::poll`].
    pub(super) fn poll_interval(&self) -> Duration {
        match self.state {
            ProgressState::Ended => IDLE_POLL,
            _ => LOADING_POLL,
        }
    }

    /// Sends what has changed since the last report.
    pub(super) fn poll(&mut self, state: &HostState, outgoing: &Outgoing) {
        match (&self.state, state) {
            (ProgressState::Ended, _) | (ProgressState::Requested(_), HostState::Loading(_)) => {}
            (ProgressState::Idle, HostState::Loading(_)) => {
                if self.shows {
                    let id = format!("{}/create", self.token);
                    let params = WorkDoneProgressCreateParams {
                        token: ProgressToken::String(self.token.clone()),
                    };
                    let method = "window/workDoneProgress/create";
                    outgoing.send(&messages::request(&id, method, &params));
                    self.state = ProgressState::Requested(id);
                }
            }
            (ProgressState::Reported(since, last), HostState::Loading(progress)) => {
                let words = words(progress);
                if since.elapsed() >= MIN_INTERVAL && *last != words {
                    let share = percentage(progress).unwrap_or_default();
                    self.percentage = self.percentage.max(share);
                    self.send(
                        outgoing,
                        json!(WorkDoneProgressReport {
                            message: Some(words.clone()),
                            percentage: Some(self.percentage),
                            ..WorkDoneProgressReport::default()
                        }),
                        "report",
                    );
                    self.state = ProgressState::Reported(Instant::now(), words);
                }
            }
            (ProgressState::Idle | ProgressState::Requested(_), HostState::Ready) => {
                self.state = ProgressState::Ended
            }
            (ProgressState::Reported(..), HostState::Ready) => self.end(outgoing),
            (_, HostState::Failed(words)) => {
                self.end(outgoing);
                outgoing.send(&messages::show_message(MessageType::Error, words));
            }
        }
    }

    /// Handles the client's answer to a request of the server.
    pub(super) fn answered(
        &mut self,
        id: &str,
        agreed: bool,
        state: &HostState,
        outgoing: &Outgoing,
    ) {
        let ProgressState::Requested(requested) = &self.state else {
            return;
        };
        if requested != id {
            return;
        }
        let HostState::Loading(progress) = state else {
            return;
        };
        if !agreed {
            self.shows = false;
            self.state = ProgressState::Idle;
            return;
        }
        let words = words(progress);
        self.send(
            outgoing,
            json!(WorkDoneProgressBegin {
                title: "Codeweft".to_owned(),
                cancellable: Some(false),
                message: Some(words.clone()),
                percentage: Some(0),
            }),
            "begin",
        );
        self.state = ProgressState::Reported(Instant::now(), words);
    }

    /// Ends the progress; nothing more is reported.
    pub(super) fn end(&mut self, outgoing: &Outgoing) {
        if matches!(self.state, ProgressState::Reported(..)) {
            self.send(outgoing, json!(WorkDoneProgressEnd::default()), "end");
        }
        self.state = ProgressState::Ended;
    }

    fn send(&self, outgoing: &Outgoing, mut value: Value, kind: &str) {
        if let Value::Object(fields) = &mut value {
            fields.insert("kind".to_owned(), Value::String(kind.to_owned()));
        }
        let params = ProgressParams {
            token: ProgressToken::String(self.token.clone()),
            value,
        };
        outgoing.send(&messages::notification("$/progress", &params));
    }
}

fn words(progress: &Progress) -> String {
    format!(
        "{} {}/{}",
        progress.phase.word(),
        progress.done,
        progress.total
    )
}

fn percentage(progress: &Progress) -> Option<u32> {
    let done = progress.done.min(progress.total).checked_mul(100)?;
    u32::try_from(done.checked_div(progress.total)?).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use codeweft_workspace::Phase;

    use super::*;
    use crate::messages::{Incoming, parse};
    use crate::queue::{Queue, TakeOutcome};

    struct Reported(LoadProgress, Outgoing);

    impl Reported {
        fn new() -> Reported {
            let outgoing = Outgoing(Arc::new(Queue::new(64, 1 << 20)));
            Reported(LoadProgress::new("0123abcd"), outgoing)
        }

        fn poll(&mut self, state: &HostState) -> Vec<String> {
            self.0.poll(state, &self.1);
            self.sent()
        }

        fn sent(&self) -> Vec<String> {
            let mut sent = Vec::new();
            while let TakeOutcome::Item(message) = self.1.0.take(Duration::ZERO) {
                let text = String::from_utf8(message).unwrap();
                let content = text.split_once("\r\n\r\n").unwrap().1;
                sent.push(match parse(content.as_bytes()) {
                    Incoming::Request(request) => request.method,
                    Incoming::Notification(note) if note.method == "$/progress" => format!(
                        "{} {}",
                        note.params["value"]["kind"], note.params["value"]["message"]
                    ),
                    Incoming::Notification(note) => note.method,
                    other => panic!("{other:?}"),
                });
            }
            sent
        }
    }

    fn reading(done: usize) -> HostState {
        HostState::Loading(Progress {
            phase: Phase::Read,
            done,
            total: 10,
        })
    }

    #[test]
    fn progress_is_created_then_begun_and_always_ended() {
        let mut reported = Reported::new();
        let none: [&str; 0] = [];
        // `initialized` has not come.
        assert_eq!(reported.poll(&reading(1)), none);
        reported.0.client_initialized(true);
        assert_eq!(
            reported.poll(&reading(1)),
            ["window/workDoneProgress/create"]
        );
        assert_eq!(reported.poll(&reading(2)), none);
        reported
            .0
            .answered("another", true, &reading(2), &reported.1);
        assert_eq!(reported.sent(), none);
        reported
            .0
            .answered("codeweft/0123abcd/create", true, &reading(2), &reported.1);
        assert_eq!(reported.sent(), [r#""begin" "reading 2/10""#]);
        // Too soon for another report.
        assert_eq!(reported.poll(&reading(3)), none);
        std::thread::sleep(MIN_INTERVAL);
        assert_eq!(reported.poll(&reading(2)), none);
        assert_eq!(reported.poll(&reading(4)), [r#""report" "reading 4/10""#]);
        assert_eq!(reported.poll(&HostState::Ready), [r#""end" null"#]);
        assert_eq!(reported.poll(&HostState::Ready), none);
        assert_eq!(reported.0.poll_interval(), IDLE_POLL);
    }

    #[test]
    fn the_share_does_not_shrink_when_more_files_are_found() {
        let mut reported = Reported::new();
        reported.0.client_initialized(true);
        reported.poll(&reading(1));
        reported
            .0
            .answered("codeweft/0123abcd/create", true, &reading(2), &reported.1);
        reported.sent();
        std::thread::sleep(MIN_INTERVAL);
        assert_eq!(reported.poll(&reading(9)).len(), 1);
        assert_eq!(reported.0.percentage, 90);
        std::thread::sleep(MIN_INTERVAL);
        let more = HostState::Loading(Progress {
            phase: Phase::Read,
            done: 10,
            total: 700,
        });
        assert_eq!(reported.poll(&more), [r#""report" "reading 10/700""#]);
        assert_eq!(reported.0.percentage, 90);
    }

    #[test]
    fn a_client_without_progress_or_that_refuses_it_gets_none() {
        let mut reported = Reported::new();
        let none: [&str; 0] = [];
        reported.0.client_initialized(false);
        assert_eq!(reported.poll(&reading(1)), none);
        reported.0.client_initialized(true);
        reported.poll(&reading(1));
        reported
            .0
            .answered("codeweft/0123abcd/create", false, &reading(2), &reported.1);
        assert_eq!(reported.poll(&reading(2)), none);
        assert_eq!(reported.poll(&HostState::Ready), none);
    }

    #[test]
    fn a_failed_load_is_reported_once() {
        let mut reported = Reported::new();
        let failed = HostState::Failed("no folder".to_owned());
        assert_eq!(reported.poll(&failed), ["window/showMessage"]);
        let none: [&str; 0] = [];
        assert_eq!(reported.poll(&failed), none);
    }
}
