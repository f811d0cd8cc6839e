//! Which tools a session lists: those of the knowledge graph while its workspace has services or contracts.
//!
//! ```text
//! loaded ──> services or contracts? ── as listed ──> wait for another revision ──┐
//!                 ^                 └─ not so ─────> list, notify ───────────────┤
//!                 └──────────────────────────────────────────────────────────────┘
//! ```

use std::time::Duration;

use codeweft_workspace::{AnalysisHost, HostState, Priority, RequestOptions};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::{oneshot, watch};
use tokio::time::sleep;

/// The pause between two looks at the revision of the host.
const INTERVAL: Duration = Duration::from_secs(1);

/// The longest time that one answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What decides which tools a session lists.
pub(crate) struct Offer {
    pub(crate) host: AnalysisHost,
    pub(crate) gone: watch::Receiver<bool>,
    pub(crate) has_knowledge: watch::Sender<bool>,
}

impl Offer {
    /// Follows the host until the client disconnects, and notifies it whenever its list of tools changes.
    pub(crate) async fn follow(self, peer: Peer<RoleServer>) {
        let mut gone = self.gone.clone();
        tokio::select! {
            () = self.run(&peer) => {}
            // An error means that the transport was dropped.
            _ = gone.wait_for(|gone| *gone) => {}
        }
    }

    async fn run(&self, peer: &Peer<RoleServer>) {
        let mut known = None;
        loop {
            let is_loaded = matches!(self.host.state(), HostState::Ready);
            let revision = self.host.revision();
            if is_loaded && known != Some(revision) {
                // A question that an edit interrupts is repeated for the next revision.
                if let Some((has_knowledge, of_revision)) = self.look().await {
                    known = Some(of_revision);
                    if self.has_knowledge.send_replace(has_knowledge) != has_knowledge {
                        // The proxy passes it on to clients that know no subscriptions. One that has disconnected needs none.
                        let _ = peer.notify_tool_list_changed().await;
                    }
                }
            }
            sleep(INTERVAL).await;
        }
    }

    /// Returns whether the workspace has services or contracts, and in which revision.
    async fn look(&self) -> Option<(bool, u64)> {
        let client = self.host.connect("tools");
        let options = RequestOptions::new(client, Priority::Background, self.host.now(), TIMEOUT);
        let (sender, receiver) = oneshot::channel();
        self.host.submit(
            options,
            |snapshot| snapshot.has_services_or_contracts(),
            move |answer| {
                // The receiver is gone if the client has disconnected.
                let _ = sender.send(answer.ok().map(|answer| (answer.value, answer.revision)));
            },
        );
        let answer = receiver.await.ok().flatten();
        self.host.leave(client);
        answer
    }
}
