//! The rules for the effective text of one path, without locks. See [`Vfs`](super::Vfs).
//!
//! The clock of a path counts its events; the newest text wins:
//!
//! ```text
//! clock                                     disk   A (clean?)    effective
//! 1  disk reports "x"                       x      -             x
//! 2  A opens "x"                            x      x  clean      x
//! 3  disk reports "y"                       y      x  clean      y      A yields
//! 4  A edits to "z"                         y      z  unsaved    z      the latest change
//! 5  disk reports "w"                       w      z  unsaved    z      unsaved texts do not yield
//! 6  A closes                               w      -             w
//! ```

use std::sync::Arc;

use super::{ClientId, DiskState, Document};
use crate::{LineIndex, UnreadReason};

/// A document as one client has it.
pub(super) struct Overlay {
    client: ClientId,
    version: i32,
    /// Its text, and whether the client has a byte-order mark before it.
    lines: Arc<LineIndex>,
    /// Why it would be unread if it were on disk.
    unread: Option<UnreadReason>,
    /// The text over which it was opened or last saved.
    base: Option<Arc<str>>,
    /// The time when `base` was on disk.
    based: u64,
    /// The text with which it was opened, if that is not `base`: the disk may have it, and be reported later.
    opening: Option<Arc<str>>,
    /// Whether the text equals `base`: the client has nothing unsaved.
    clean: bool,
    /// The time of the last change of its text; 0: it is the disk's, as it was opened.
    changed: u64,
    opened: u64,
}

impl Overlay {
    fn text(&self) -> &Arc<str> {
        self.lines.text()
    }

    fn rebase(&mut self, base: Option<Arc<str>>, now: u64) {
        self.base = base;
        self.based = now;
        self.opening = None;
        self.update_clean();
    }

    fn update_clean(&mut self) {
        self.clean = self
            .base
            .as_ref()
            .is_some_and(|base| same(base, self.lines.text()));
    }

    fn document(&self) -> Document {
        Document {
            version: self.version,
            text: self.text().clone(),
            lines: self.lines.clone(),
        }
    }
}

/// A new text of a client, and why it would be unread on disk.
pub(super) struct OpenedText {
    pub version: i32,
    pub lines: Arc<LineIndex>,
    pub unread: Option<UnreadReason>,
}

/// The effective state of a path.
pub(super) enum EffectiveText<'a> {
    Absent,
    Text(&'a Arc<str>),
    Unread(&'a UnreadReason),
}

impl<'a> EffectiveText<'a> {
    pub(super) fn text(&self) -> Option<&'a Arc<str>> {
        match self {
            EffectiveText::Text(text) => Some(text),
            EffectiveText::Absent | EffectiveText::Unread(_) => None,
        }
    }
}

/// The state of one path.
#[derive(Default)]
pub(super) struct PathEntry {
    disk: DiskState,
    /// The time when the state of the disk was last reported.
    disk_time: u64,
    /// The documents, at most one per client.
    overlays: Vec<Overlay>,
    /// The number of events at this path.
    clock: u64,
    /// The number in the log of the last change of the effective text; 0: none.
    pub logged_change: u64,
    /// The last value of [`PathEntry::is_unsaved`] that was logged.
    pub unsaved: bool,
}

impl PathEntry {
    /// Returns the effective state: the text of the overlay that changed last (of equals the one
    /// opened last), unless it yields to the disk; the disk if there is no such overlay.
    pub(super) fn effective(&self) -> EffectiveText<'_> {
        match self.winner() {
            // A text that was read from disk is never unread.
            Some(overlay) => match &overlay.unread {
                Some(reason) if !self.is_disk(overlay.text()) => EffectiveText::Unread(reason),
                _ => EffectiveText::Text(overlay.text()),
            },
            None => match &self.disk {
                DiskState::Absent => EffectiveText::Absent,
                DiskState::Text(text) => EffectiveText::Text(text),
                DiskState::Unread(reason) => EffectiveText::Unread(reason),
            },
        }
    }

    fn winner(&self) -> Option<&Overlay> {
        self.overlays
            .iter()
            .filter(|overlay| !self.yields(overlay))
            .max_by_key(|overlay| (overlay.changed, overlay.opened))
    }

    /// Returns whether an overlay yields to the disk: its client has nothing unsaved, and other
    /// contents of the disk were reported since.
    fn yields(&self, overlay: &Overlay) -> bool {
        overlay.clean && overlay.based < self.disk_time
    }

    pub(super) fn disk(&self) -> &DiskState {
        &self.disk
    }

    fn disk_text(&self) -> Option<&Arc<str>> {
        match &self.disk {
            DiskState::Text(text) => Some(text),
            DiskState::Absent | DiskState::Unread(_) => None,
        }
    }

    fn is_disk(&self, text: &Arc<str>) -> bool {
        self.disk_text().is_some_and(|disk| same(disk, text))
    }

    /// Returns whether the effective text differs from the disk's.
    pub(super) fn is_unsaved(&self) -> bool {
        match (self.effective().text(), self.disk_text()) {
            (Some(text), Some(disk)) => !same(text, disk),
            (None, None) => false,
            _ => true,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.overlays.is_empty()
    }

    pub(super) fn document(&self, client: ClientId) -> Option<Document> {
        self.of(client).map(Overlay::document)
    }

    /// Returns the stored text that equals `text`, if there is one, so that equal texts share
    /// memory.
    pub(super) fn known(&self, text: &str) -> Option<Arc<str>> {
        self.overlays
            .iter()
            .map(Overlay::text)
            .chain(self.disk_text())
            .find(|known| ***known == *text)
            .cloned()
    }

    pub(super) fn set_disk(&mut self, disk: DiskState) {
        self.disk = match disk {
            DiskState::Text(text) => DiskState::Text(self.known(&text).unwrap_or(text)),
            other => other,
        };
        self.disk_time = self.tick();
        let Some(text) = self.disk_text().cloned() else {
            return;
        };
        // A document with the disk's text has nothing unsaved, no matter which program wrote it.
        for overlay in &mut self.overlays {
            let is_over = |opening: &Arc<str>| same(opening, &text);
            if same(overlay.text(), &text) || overlay.opening.as_ref().is_some_and(is_over) {
                overlay.rebase(Some(text.clone()), self.disk_time);
            }
        }
    }

    pub(super) fn is_disk_known(&self) -> bool {
        self.disk_time > 0
    }

    /// Opens a document anew, as if it had been closed before. `base` is the text on disk if none
    /// was reported yet.
    pub(super) fn open(&mut self, client: ClientId, given: OpenedText, base: Option<Arc<str>>) {
        self.close(client);
        let text = given.lines.text();
        let winner = self.winner().filter(|winner| same(winner.text(), text));
        // Opening with the effective text is no change: it takes the number of that text.
        let changed = match (self.is_disk(text), winner) {
            (true, _) => 0,
            (false, Some(winner)) => winner.changed,
            (false, None) => self.clock + 1,
        };
        let opened = self.tick();
        let mut overlay = Overlay {
            client,
            version: given.version,
            lines: given.lines,
            unread: given.unread,
            base: if self.is_disk_known() {
                self.disk_text().cloned()
            } else {
                base
            },
            based: self.disk_time,
            opening: None,
            clean: false,
            changed,
            opened,
        };
        overlay.update_clean();
        overlay.opening = (!overlay.clean).then(|| overlay.text().clone());
        self.overlays.push(overlay);
    }

    /// Sets the text of a document if it is still at `before`; returns whether it was.
    pub(super) fn change(
        &mut self,
        client: ClientId,
        before: &Arc<LineIndex>,
        given: OpenedText,
    ) -> bool {
        let now = self.tick();
        let disk_time = self.disk_time;
        let disk = self.disk_text().cloned();
        let Some(overlay) = self.of_mut(client) else {
            return false;
        };
        if !Arc::ptr_eq(&overlay.lines, before) {
            return false;
        }
        let altered = !same(overlay.text(), given.lines.text());
        overlay.version = given.version;
        overlay.lines = given.lines;
        overlay.unread = given.unread;
        if altered {
            overlay.changed = now;
        }
        match disk {
            // Reloaded from disk, or edited to the same text.
            Some(disk) if same(&disk, overlay.text()) => {
                let opening = overlay.opening.take();
                overlay.rebase(Some(disk), disk_time);
                overlay.opening = opening;
            }
            _ => overlay.update_clean(),
        }
        true
    }

    /// Records that the document is on disk as it is now; whatever is reported later is newer.
    pub(super) fn save(&mut self, client: ClientId) {
        let now = self.tick();
        let disk_time = self.disk_time;
        let Some(at) = self.overlays.iter().position(|o| o.client == client) else {
            return;
        };
        // Saved over a newer disk to which it had yielded: the latest change of the path.
        let yielded = self.yields(&self.overlays[at]);
        let overlay = &mut self.overlays[at];
        if yielded {
            overlay.changed = now;
        }
        overlay.rebase(Some(overlay.text().clone()), disk_time);
    }

    /// Finds out anew why each document would be unread if it were on disk.
    pub(super) fn set_unread(&mut self, unread: impl Fn(&str) -> Option<UnreadReason>) {
        for overlay in &mut self.overlays {
            overlay.unread = unread(overlay.lines.text());
        }
    }

    pub(super) fn close(&mut self, client: ClientId) {
        self.overlays.retain(|overlay| overlay.client != client);
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn of(&self, client: ClientId) -> Option<&Overlay> {
        self.overlays
            .iter()
            .find(|overlay| overlay.client == client)
    }

    fn of_mut(&mut self, client: ClientId) -> Option<&mut Overlay> {
        self.overlays
            .iter_mut()
            .find(|overlay| overlay.client == client)
    }
}

/// Returns whether two texts are equal; usually they are the same allocation.
pub(super) fn same(a: &Arc<str>, b: &Arc<str>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}
