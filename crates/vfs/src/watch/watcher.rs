//! The thread of a watch: turns raw events into paths, and watches new folders before it lists
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::coalescer::Coalescer;
use super::git::GitFolders;
use super::{Batch, Shared, WatchOptions};
use crate::paths::{relative, slashed};
use crate::rules::{ExclusionRules, IGNORE_FILES, changes_rules};

/// Whether one stream covers all folders (macOS), or each folder has a watch.
const ONE_STREAM: bool = cfg!(target_os = "macos");

/// A message to the thread of a watch.
pub(super) enum Message {
    /// An event of the system.
    Event(notify::Result<Event>),
    /// The system's own thread has ended.
    Dead,
    /// The owner has dropped the watch.
    Stop,
}

/// The state of the thread.
pub(super) struct Watcher<S> {
    root: String,
    options: WatchOptions,
    sink: S,
    shared: Arc<Shared>,
    system: Option<RecommendedWatcher>,
    /// Whether the system's own thread has ended.
    dead: bool,
    /// The folders whose children lead to events.
    folders: BTreeSet<String>,
    /// Folders outside the watched ones, with the names in them that change the exclusion rules.
    rule_folders: BTreeMap<String, &'static [&'static str]>,
    git: Option<GitFolders>,
    rules: ExclusionRules,
    coalescer: Coalescer,
    /// Whether exclusion rules may have changed, so that the folders must be found anew.
    rules_changed: bool,
    /// Whether it is unknown which folders the system still watches.
    lost: bool,
    /// Whether there are more folders than may be watched.
    limit_reached: bool,
}

/// Forwards the events of the system's thread to this one; sends [`Message::Dead`] when that ends.
struct EventForwarder(Sender<Message>);

impl EventForwarder {
    fn send(&self, event: notify::Result<Event>) {
        let matters = match &event {
            // Reading changes nothing, and this process reads many files.
            Ok(event) => match event.kind {
                EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
                _ => true,
            },
            Err(_) => true,
        };
        if matters {
            let _ = self.0.send(Message::Event(event));
        }
    }
}

impl Drop for EventForwarder {
    fn drop(&mut self) {
        let _ = self.0.send(Message::Dead);
    }
}

impl<S: FnMut(Batch) + Send> Watcher<S> {
    pub(super) fn new(root: String, options: WatchOptions, sink: S, shared: Arc<Shared>) -> Self {
        Watcher {
            rules: ExclusionRules::new(&root, options.exclude.as_ref()),
            coalescer: Coalescer::new(options.quiet),
            root,
            options,
            sink,
            shared,
            system: None,
            dead: false,
            folders: BTreeSet::new(),
            rule_folders: BTreeMap::new(),
            git: None,
            rules_changed: false,
            lost: false,
            limit_reached: false,
        }
    }

    /// Watches until it receives [`Message::Stop`].
    pub(super) fn run(&mut self, events: &Sender<Message>, messages: &Receiver<Message>) {
        let forwarder = EventForwarder(events.clone());
        self.system = notify::recommended_watcher(move |event| forwarder.send(event)).ok();
        self.dead = self.system.is_none();
        if let Some(barrier) = &self.shared.barrier {
            let folder = barrier.folder().to_owned();
            self.ask_system(&folder);
        }
        if ONE_STREAM && let Some(system) = &mut self.system {
            let _ = system.watch(Path::new(&self.root), RecursiveMode::Recursive);
        }
        self.arm();
        self.deliver(Batch {
            rescan: true,
            ..Batch::default()
        });
        self.listen(messages);
    }

    /// Requests a rescan now and then: the fallback when `notify` has failed.
    pub(super) fn poll_only(&mut self, messages: &Receiver<Message>) {
        self.dead = true;
        self.publish_state();
        // Dropping a broken watcher panics as well.
        std::mem::forget(self.system.take());
        self.listen(messages);
    }

    fn listen(&mut self, messages: &Receiver<Message>) {
        let mut polled = Instant::now();
        loop {
            let poll = if self.shared.state().is_reliable() {
                None
            } else {
                Some(polled + self.options.poll)
            };
            let until = match (self.coalescer.due(), poll) {
                (Some(due), Some(poll)) => Some(due.min(poll)),
                (due, poll) => due.or(poll),
            };
            let message = match until {
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => {
                    messages.recv_timeout(until.saturating_duration_since(Instant::now()))
                }
            };
            match message {
                Ok(Message::Event(event)) => self.event(event),
                Ok(Message::Dead) => {
                    self.dead = true;
                    self.publish_state();
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if poll.is_some_and(|poll| now >= poll) {
                polled = now;
                self.coalescer.record_lost(now);
                // A root that exists again is watched again.
                self.rules_changed |= !self.dead && !self.folders.contains(&self.root);
                self.flush();
            } else if let Some(batch) = self.coalescer.take_due(now) {
                self.deliver(batch);
            }
        }
    }

    /// Publishes the state of the watch.
    fn publish_state(&self) {
        let alive = !self.dead && self.folders.contains(&self.root);
        let watches = self.folders.len();
        self.shared.update(|state| {
            state.armed = true;
            state.alive = alive;
            state.watches = watches;
            state.limit_reached = self.limit_reached;
        });
    }

    fn event(&mut self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                if let ErrorKind::MaxFilesWatch = error.kind {
                    self.limit_reached = true;
                    self.publish_state();
                }
                return self.lost();
            }
        };
        if event.need_rescan() {
            self.lost();
        }
        for path in &event.paths {
            self.path(path);
        }
    }

    /// Handles lost events: requests a rescan.
    fn lost(&mut self) {
        let now = Instant::now();
        self.coalescer.record_lost(now);
        self.rules_changed = true;
        self.lost = true;
        let locked = self.git.as_ref().is_some_and(GitFolders::is_locked);
        self.coalescer.set_locked(locked, now);
    }

    /// Handles an event at a path.
    fn path(&mut self, path: &Path) {
        if let Some(barrier) = &self.shared.barrier
            && let Some(number) = barrier.cookie(path)
        {
            if number > 0 {
                self.flush();
                if let Some(barrier) = &self.shared.barrier {
                    barrier.seen(number);
                }
            }
            return;
        }
        let Some(path) = slashed(path) else {
            return;
        };
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let now = Instant::now();
        if let Some(names) = self.rule_folders.get(parent)
            && names.contains(&name)
        {
            match (name, &self.git) {
                ("index.lock", Some(git)) => self.coalescer.set_locked(git.is_locked(), now),
                ("HEAD" | "index", _) => {}
                _ => {
                    self.rules_changed = true;
                    self.coalescer.record_lost(now);
                }
            }
        }
        let parent = if parent.is_empty() { "/" } else { parent };
        let watched = self.folders.contains(&path);
        if !watched && !self.folders.contains(parent) {
            return;
        }
        self.rules_changed |= changes_rules(name);
        if watched {
            // It was removed or replaced.
            self.rules = ExclusionRules::new(&self.root, self.options.exclude.as_ref());
        }
        let folder = std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if folder {
            self.arm_below(&path);
        } else if watched {
            self.disarm_below(&path);
        }
        if path == self.root && watched && !folder {
            self.coalescer.record_lost(now);
            self.publish_state();
        }
        // Excluded folders matter only if they change the rules.
        if !folder || watched || self.folders.contains(&path) || changes_rules(name) {
            self.coalescer.record(path, now);
        }
    }

    /// Delivers the current batch, due or not.
    fn flush(&mut self) {
        if let Some(batch) = self.coalescer.take() {
            self.deliver(batch);
        }
    }

    fn deliver(&mut self, batch: Batch) {
        (self.sink)(batch);
        if std::mem::take(&mut self.rules_changed) {
            self.arm();
        }
    }

    /// Watches exactly the folders that a walk enters. Those that were not watched before are added
    /// to the batch.
    fn arm(&mut self) {
        self.rules = ExclusionRules::new(&self.root, self.options.exclude.as_ref());
        self.git = GitFolders::of(Path::new(&self.root));
        self.arm_rule_folders();
        self.limit_reached = false;
        let first = !self.shared.state().armed;
        let before = std::mem::take(&mut self.folders);
        let root = self.root.clone();
        if std::mem::take(&mut self.lost) {
            self.arm_except(&root, &BTreeSet::new())
        } else {
            self.arm_except(&root, &before)
        }
        for folder in before.difference(&self.folders) {
            disarm(&mut self.system, folder);
        }
        if !first {
            let new: Vec<String> = self.folders.difference(&before).cloned().collect();
            for folder in new {
                self.coalescer.record(folder, Instant::now());
            }
        }
        self.publish_state();
    }

    /// Watches the folders outside the root whose contents change the rules.
    fn arm_rule_folders(&mut self) {
        let mut rule_folders: BTreeMap<String, &'static [&'static str]> = BTreeMap::new();
        if let Some(git) = &self.git {
            let root = Path::new(&self.root);
            let above = root.ancestors().skip(1);
            for folder in above.take_while(|folder| folder.starts_with(&git.top)) {
                rule_folders
                    .extend(slashed(folder).map(|folder| (folder, IGNORE_FILES.as_slice())));
            }
            let inside: [(_, &[&str]); 2] = [
                (git.own.clone(), &["HEAD", "index", "index.lock"]),
                (git.common.join("info"), &["exclude"]),
            ];
            for (folder, names) in inside {
                rule_folders.extend(slashed(&folder).map(|folder| (folder, names)));
            }
        }
        let gone: Vec<String> = self
            .rule_folders
            .keys()
            .filter(|folder| !rule_folders.contains_key(*folder))
            .cloned()
            .collect();
        for folder in gone {
            disarm(&mut self.system, &folder);
        }
        // Including those already watched: the system forgets a folder that was removed and created
        // again.
        for folder in rule_folders.keys() {
            self.ask_system(Path::new(folder));
        }
        self.rule_folders = rule_folders;
    }

    /// Watches a folder and everything below it that a walk enters, including folders already
    /// watched: the system forgets a folder that was removed and created again.
    fn arm_below(&mut self, folder: &str) {
        self.arm_except(folder, &BTreeSet::new());
        self.publish_state();
    }

    /// Does the same as [`Watcher::arm_below`], but the system still watches `known`. Each folder
    /// is watched before it is listed, so that whatever is created meanwhile is found either way.
    fn arm_except(&mut self, folder: &str, known: &BTreeSet<String>) {
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            if !self.rules.enters(&folder) {
                continue;
            }
            let more = !self.folders.contains(&folder);
            self.limit_reached |= more && self.folders.len() >= self.options.max_folders;
            if self.limit_reached {
                return;
            }
            if !known.contains(&folder) && !self.ask_system(Path::new(&folder)) {
                continue;
            }
            let entries = std::fs::read_dir(&folder).into_iter().flatten();
            for entry in entries.filter_map(Result::ok) {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    waiting.extend(slashed(&entry.path()));
                }
            }
            self.folders.insert(folder);
        }
    }

    /// Handles the removal of a folder.
    fn disarm_below(&mut self, folder: &str) {
        let below = format!("{folder}/");
        let gone: Vec<String> = self
            .folders
            .range(below.clone()..)
            .take_while(|folder| folder.starts_with(&below))
            .cloned()
            .chain([folder.to_owned()])
            .collect();
        for folder in gone {
            self.folders.remove(&folder);
            disarm(&mut self.system, &folder);
        }
        self.publish_state();
    }

    /// Requests the events of a folder from the system. Returns whether they will arrive.
    fn ask_system(&mut self, folder: &Path) -> bool {
        let inside = || slashed(folder).is_some_and(|f| relative(&self.root, &f).is_some());
        if ONE_STREAM && inside() {
            return true;
        }
        let Some(system) = &mut self.system else {
            return false;
        };
        match system.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => true,
            Err(error) => {
                if let ErrorKind::MaxFilesWatch = error.kind {
                    self.limit_reached = true;
                }
                false
            }
        }
    }
}

fn disarm(system: &mut Option<RecommendedWatcher>, folder: &str) {
    if let Some(system) = system
        && !ONE_STREAM
    {
        // The system has already forgotten a folder that was removed.
        let _ = system.unwatch(Path::new(folder));
    }
}
