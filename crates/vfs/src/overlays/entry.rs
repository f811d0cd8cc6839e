//! What holds at one path: the rules, without locks.

use std::sync::Arc;

use super::{ClientId, DiskState, Document};
use crate::{LineIndex, UnreadReason};

/// A document as one client has it.
pub(super) struct Overlay {
    client: ClientId,
    version: i32,
    /// Its text, and the byte-order mark that the client may have before it.
    lines: Arc<LineIndex>,
    /// Why it would not be read if it stood on disk.
    left_out: Option<UnreadReason>,
    /// The text that it was opened or last saved over.
    base: Option<Arc<str>>,
    /// When `base` was the disk's.
    based: u64,
    /// Whether the text is the base's: the client has nothing unsaved.
    clean: bool,
    /// When its text last changed; 0: it is the disk's as it was opened.
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
        self.settle();
    }

    fn settle(&mut self) {
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

/// A new text of a client, and whether it would be left out on disk.
pub(super) struct OpenedText {
    pub version: i32,
    pub lines: Arc<LineIndex>,
    pub left_out: Option<UnreadReason>,
}

/// What holds at a path.
pub(super) enum EffectiveText<'a> {
    Absent,
    Text(&'a Arc<str>),
    LeftOut(&'a UnreadReason),
}

impl<'a> EffectiveText<'a> {
    pub(super) fn text(&self) -> Option<&'a Arc<str>> {
        match self {
            EffectiveText::Text(text) => Some(text),
            EffectiveText::Absent | EffectiveText::LeftOut(_) => None,
        }
    }
}

/// Everything about one path.
#[derive(Default)]
pub(super) struct PathEntry {
    disk: DiskState,
    /// When the disk was last told of.
    told: u64,
    /// One a client at most.
    overlays: Vec<Overlay>,
    /// Counts what happens to this path.
    clock: u64,
    /// The number of the last change of the effective text in the log, 0: none.
    pub noted: u64,
    /// What the log knows of [`PathEntry::is_unsaved`].
    pub unsaved: bool,
}

impl PathEntry {
    /// No overlay: the disk. Else the overlay whose text changed last, of equal ones the one that
    /// was opened last; but for those that yield to the disk.
    pub(super) fn effective(&self) -> EffectiveText<'_> {
        match self.winner() {
            // What could be read from disk is read.
            Some(overlay) => match &overlay.left_out {
                Some(reason) if !self.is_disk(overlay.text()) => EffectiveText::LeftOut(reason),
                _ => EffectiveText::Text(overlay.text()),
            },
            None => match &self.disk {
                DiskState::Absent => EffectiveText::Absent,
                DiskState::Text(text) => EffectiveText::Text(text),
                DiskState::LeftOut(reason) => EffectiveText::LeftOut(reason),
            },
        }
    }

    fn winner(&self) -> Option<&Overlay> {
        self.overlays
            .iter()
            .filter(|overlay| !self.yields(overlay))
            .max_by_key(|overlay| (overlay.changed, overlay.opened))
    }

    /// Whether an overlay gives way to what the disk holds: its client has nothing unsaved, and
    /// the disk was told of since with something else.
    fn yields(&self, overlay: &Overlay) -> bool {
        overlay.clean && overlay.based < self.told
    }

    pub(super) fn disk(&self) -> &DiskState {
        &self.disk
    }

    fn disk_text(&self) -> Option<&Arc<str>> {
        match &self.disk {
            DiskState::Text(text) => Some(text),
            DiskState::Absent | DiskState::LeftOut(_) => None,
        }
    }

    fn is_disk(&self, text: &Arc<str>) -> bool {
        self.disk_text().is_some_and(|disk| same(disk, text))
    }

    /// Whether the text that holds is not the disk's.
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

    /// The very same text as one that is here already, where it is equal to it.
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
        self.told = self.tick();
        let Some(text) = self.disk_text().cloned() else {
            return;
        };
        // A document with the disk's text has nothing unsaved, whoever wrote it there.
        for overlay in &mut self.overlays {
            if same(overlay.text(), &text) {
                overlay.rebase(Some(text.clone()), self.told);
            }
        }
    }

    pub(super) fn is_told(&self) -> bool {
        self.told > 0
    }

    /// Opens a document anew, as if it were closed before. `base`: what the disk holds, where it
    /// was not told of.
    pub(super) fn open(&mut self, client: ClientId, given: OpenedText, base: Option<Arc<str>>) {
        self.close(client);
        let text = given.lines.text();
        let winner = self.winner().filter(|winner| same(winner.text(), text));
        // Opening what holds already is no change: the number is that of the text.
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
            left_out: given.left_out,
            base: match self.is_told() {
                true => self.disk_text().cloned(),
                false => base,
            },
            based: self.told,
            clean: false,
            changed,
            opened,
        };
        overlay.settle();
        self.overlays.push(overlay);
    }

    /// The document has this text now, if it is still at `before`; whether it was.
    pub(super) fn change(
        &mut self,
        client: ClientId,
        before: &Arc<LineIndex>,
        given: OpenedText,
    ) -> bool {
        let now = self.tick();
        let told = self.told;
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
        overlay.left_out = given.left_out;
        if altered {
            overlay.changed = now;
        }
        match disk {
            // Loaded again from disk, or typed alike.
            Some(disk) if same(&disk, overlay.text()) => overlay.rebase(Some(disk), told),
            _ => overlay.settle(),
        }
        true
    }

    /// The document is on disk as it is now; whatever the disk is told to hold from now on is
    /// newer.
    pub(super) fn save(&mut self, client: ClientId) {
        let now = self.tick();
        let told = self.told;
        let Some(at) = self.overlays.iter().position(|o| o.client == client) else {
            return;
        };
        // Saved over a newer disk that it had given way to: the latest change of the path.
        let yielded = self.yields(&self.overlays[at]);
        let overlay = &mut self.overlays[at];
        if yielded {
            overlay.changed = now;
        }
        overlay.rebase(Some(overlay.text().clone()), told);
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

/// Equal texts, mostly told by their being one.
pub(super) fn same(a: &Arc<str>, b: &Arc<str>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}
