//! The progress that a client shows while the workspace is read (LSP, "Work Done Progress").

use std::time::{Duration, Instant};

use codeweft_ide::{HostState, Progress};
use lsp_types::{
    MessageType, ProgressParams, ProgressToken, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::{Value, json};

use super::Outgoing;
use crate::messages;

/// The least time between two messages.
const BETWEEN: Duration = Duration::from_millis(100);

/// How often is looked while the workspace is read.
const LOOK: Duration = Duration::from_millis(100);

/// How often when nothing more is to be told.
const IDLE: Duration = Duration::from_secs(60);

/// What the client knows of the load.
enum Told {
    /// Nothing; `initialized` has not come, or the client shows no progress.
    Nothing,
    /// It was asked for a progress under this id.
    Asked(String),
    /// It shows one since; the words that it saw last.
    Shown(Instant, String),
    /// All.
    All,
}

/// What the client is told of the load.
pub(super) struct LoadProgress {
    /// Whether the client may be asked to show progress.
    shows: bool,
    token: String,
    told: Told,
}

impl LoadProgress {
    /// Of a Host; the progress is named after it.
    pub(super) fn new(instance: &str) -> LoadProgress {
        LoadProgress {
            shows: false,
            token: format!("codeweft/{instance}"),
            told: Told::Nothing,
        }
    }

    /// `initialized` has come.
    pub(super) fn allow(&mut self, shows: bool) {
        self.shows = shows;
    }

    /// When to look again.
    pub(super) fn pause(&self) -> Duration {
        match self.told {
            Told::All => IDLE,
            _ => LOOK,
        }
    }

    /// Tells the client what is new.
    pub(super) fn look(&mut self, state: &HostState, outgoing: &Outgoing) {
        match (&self.told, state) {
            (Told::All, _) | (Told::Asked(_), HostState::Loading(_)) => {}
            (Told::Nothing, HostState::Loading(_)) => {
                if self.shows {
                    let id = format!("{}/create", self.token);
                    let params = WorkDoneProgressCreateParams {
                        token: ProgressToken::String(self.token.clone()),
                    };
                    let method = "window/workDoneProgress/create";
                    outgoing.say(&messages::request(&id, method, &params));
                    self.told = Told::Asked(id);
                }
            }
            (Told::Shown(since, last), HostState::Loading(progress)) => {
                let words = words(progress);
                if since.elapsed() >= BETWEEN && *last != words {
                    self.say(
                        outgoing,
                        json!(WorkDoneProgressReport {
                            message: Some(words.clone()),
                            percentage: percentage(progress),
                            ..WorkDoneProgressReport::default()
                        }),
                        "report",
                    );
                    self.told = Told::Shown(Instant::now(), words);
                }
            }
            (Told::Nothing | Told::Asked(_), HostState::Ready) => self.told = Told::All,
            (Told::Shown(..), HostState::Ready) => self.end(outgoing),
            (_, HostState::Failed(words)) => {
                self.end(outgoing);
                outgoing.say(&messages::show_message(MessageType::Error, words));
            }
        }
    }

    /// The client has answered a request of ours.
    pub(super) fn answered(
        &mut self,
        id: &str,
        agreed: bool,
        state: &HostState,
        outgoing: &Outgoing,
    ) {
        let Told::Asked(asked) = &self.told else {
            return;
        };
        if asked != id {
            return;
        }
        let HostState::Loading(progress) = state else {
            return;
        };
        if !agreed {
            self.shows = false;
            self.told = Told::Nothing;
            return;
        }
        let words = words(progress);
        self.say(
            outgoing,
            json!(WorkDoneProgressBegin {
                title: "Codeweft".to_owned(),
                cancellable: Some(false),
                message: Some(words.clone()),
                percentage: Some(0),
            }),
            "begin",
        );
        self.told = Told::Shown(Instant::now(), words);
    }

    /// Nothing more is told; what the client shows ends.
    pub(super) fn end(&mut self, outgoing: &Outgoing) {
        if matches!(self.told, Told::Shown(..)) {
            self.say(outgoing, json!(WorkDoneProgressEnd::default()), "end");
        }
        self.told = Told::All;
    }

    fn say(&self, outgoing: &Outgoing, mut value: Value, kind: &str) {
        if let Value::Object(fields) = &mut value {
            fields.insert("kind".to_owned(), Value::String(kind.to_owned()));
        }
        let params = ProgressParams {
            token: ProgressToken::String(self.token.clone()),
            value,
        };
        outgoing.say(&messages::notification("$/progress", &params));
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

    use codeweft_ide::Phase;

    use super::*;
    use crate::messages::{Incoming, parse};
    use crate::queue::{Queue, TakeOutcome};

    struct Told(LoadProgress, Outgoing);

    impl Told {
        fn new() -> Told {
            let outgoing = Outgoing(Arc::new(Queue::new(64, 1 << 20)));
            Told(LoadProgress::new("0123abcd"), outgoing)
        }

        fn look(&mut self, state: &HostState) -> Vec<String> {
            self.0.look(state, &self.1);
            self.said()
        }

        fn said(&self) -> Vec<String> {
            let mut said = Vec::new();
            while let TakeOutcome::Item(message) = self.1.0.take(Duration::ZERO) {
                let text = String::from_utf8(message).unwrap();
                let content = text.split_once("\r\n\r\n").unwrap().1;
                said.push(match parse(content.as_bytes()) {
                    Incoming::Request(request) => request.method,
                    Incoming::Notification(note) if note.method == "$/progress" => format!(
                        "{} {}",
                        note.params["value"]["kind"], note.params["value"]["message"]
                    ),
                    Incoming::Notification(note) => note.method,
                    other => panic!("{other:?}"),
                });
            }
            said
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
    fn progress_is_asked_for_then_begun_and_always_ended() {
        let mut told = Told::new();
        let none: [&str; 0] = [];
        // `initialized` has not come.
        assert_eq!(told.look(&reading(1)), none);
        told.0.allow(true);
        assert_eq!(told.look(&reading(1)), ["window/workDoneProgress/create"]);
        assert_eq!(told.look(&reading(2)), none);
        told.0.answered("another", true, &reading(2), &told.1);
        assert_eq!(told.said(), none);
        told.0
            .answered("codeweft/0123abcd/create", true, &reading(2), &told.1);
        assert_eq!(told.said(), [r#""begin" "reading 2/10""#]);
        // Too soon for another.
        assert_eq!(told.look(&reading(3)), none);
        std::thread::sleep(BETWEEN);
        assert_eq!(told.look(&reading(2)), none);
        assert_eq!(told.look(&reading(4)), [r#""report" "reading 4/10""#]);
        assert_eq!(told.look(&HostState::Ready), [r#""end" null"#]);
        assert_eq!(told.look(&HostState::Ready), none);
        assert_eq!(told.0.pause(), IDLE);
    }

    #[test]
    fn a_client_that_shows_none_or_refuses_sees_none() {
        let mut told = Told::new();
        let none: [&str; 0] = [];
        told.0.allow(false);
        assert_eq!(told.look(&reading(1)), none);
        told.0.allow(true);
        told.look(&reading(1));
        told.0
            .answered("codeweft/0123abcd/create", false, &reading(2), &told.1);
        assert_eq!(told.look(&reading(2)), none);
        assert_eq!(told.look(&HostState::Ready), none);
    }

    #[test]
    fn a_load_that_fails_is_told_once() {
        let mut told = Told::new();
        let failed = HostState::Failed("no folder".to_owned());
        assert_eq!(told.look(&failed), ["window/showMessage"]);
        let none: [&str; 0] = [];
        assert_eq!(told.look(&failed), none);
    }
}
