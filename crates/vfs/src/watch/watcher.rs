//! The thread of a watch: raw events become paths, new folders are watched before they are
//! listed.

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

/// One stream for all folders (macOS), or one watch a folder.
const ONE_STREAM: bool = cfg!(target_os = "macos");

/// What the thread of a watch is told.
pub(super) enum Message {
    /// By the system.
    Event(notify::Result<Event>),
    /// The system's own thread has ended.
    Dead,
    /// By the owner.
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
    /// The folders whose children are told.
    folders: BTreeSet<String>,
    /// Other folders, with the names in them that matter: what stands there changes the rules.
    beside: BTreeMap<String, &'static [&'static str]>,
    git: Option<GitFolders>,
    rules: ExclusionRules,
    coalescer: Coalescer,
    /// What is ignored may have changed: the folders are to be found anew.
    look_again: bool,
    /// Nobody knows which folders the system still watches.
    lost: bool,
    /// There are more folders than may be watched.
    limit_reached: bool,
}

/// The way of the system's thread to this one; tells when that ends.
struct ToThread(Sender<Message>);

impl ToThread {
    fn send(&self, event: notify::Result<Event>) {
        let told = match &event {
            // Reading changes nothing, and we read a lot.
            Ok(event) => match event.kind {
                EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
                _ => true,
            },
            Err(_) => true,
        };
        if told {
            let _ = self.0.send(Message::Event(event));
        }
    }
}

impl Drop for ToThread {
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
            beside: BTreeMap::new(),
            git: None,
            look_again: false,
            lost: false,
            limit_reached: false,
        }
    }

    /// Watches until it is told to stop.
    pub(super) fn run(&mut self, events: &Sender<Message>, messages: &Receiver<Message>) {
        let to_me = ToThread(events.clone());
        self.system = notify::recommended_watcher(move |event| to_me.send(event)).ok();
        self.dead = self.system.is_none();
        if let Some(barrier) = &self.shared.barrier {
            let folder = barrier.folder().to_owned();
            self.ask_system(&folder);
        }
        if ONE_STREAM && let Some(system) = &mut self.system {
            let _ = system.watch(Path::new(&self.root), RecursiveMode::Recursive);
        }
        self.arm();
        self.give(Batch {
            rescan: true,
            ..Batch::default()
        });
        self.listen(messages);
    }

    /// Asks for a look at everything now and then: what is left when `notify` has broken.
    pub(super) fn poll_only(&mut self, messages: &Receiver<Message>) {
        self.dead = true;
        self.tell();
        // Dropping a broken one panics as well.
        std::mem::forget(self.system.take());
        self.listen(messages);
    }

    fn listen(&mut self, messages: &Receiver<Message>) {
        let mut polled = Instant::now();
        loop {
            let poll = match self.shared.state().is_reliable() {
                true => None,
                false => Some(polled + self.options.poll),
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
                    self.tell();
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = Instant::now();
            if poll.is_some_and(|poll| now >= poll) {
                polled = now;
                self.coalescer.note_rescan(now);
                // A root that has come back is watched again.
                self.look_again |= !self.dead && !self.folders.contains(&self.root);
                self.flush();
            } else if let Some(batch) = self.coalescer.take_due(now) {
                self.give(batch);
            }
        }
    }

    /// Tells the others how the watch is.
    fn tell(&self) {
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
                    self.tell();
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

    /// Events were lost: everything is to be looked at.
    fn lost(&mut self) {
        let now = Instant::now();
        self.coalescer.note_rescan(now);
        self.look_again = true;
        self.lost = true;
        let locked = self.git.as_ref().is_some_and(GitFolders::is_locked);
        self.coalescer.set_locked(locked, now);
    }

    /// Something happened at a path.
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
        if let Some(names) = self.beside.get(parent)
            && names.contains(&name)
        {
            match (name, &self.git) {
                ("index.lock", Some(git)) => self.coalescer.set_locked(git.is_locked(), now),
                ("HEAD" | "index", _) => {}
                _ => {
                    self.look_again = true;
                    self.coalescer.note_rescan(now);
                }
            }
        }
        let parent = if parent.is_empty() { "/" } else { parent };
        let watched = self.folders.contains(&path);
        if !watched && !self.folders.contains(parent) {
            return;
        }
        self.look_again |= changes_rules(name);
        if watched {
            // It went, or another one stands in its place.
            self.rules = ExclusionRules::new(&self.root, self.options.exclude.as_ref());
        }
        let folder = std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if folder {
            self.arm_below(&path);
        } else if watched {
            self.disarm_below(&path);
        }
        if path == self.root && watched && !folder {
            self.coalescer.note_rescan(now);
            self.tell();
        }
        // Folders that are left out are of no interest, but for what they say of others.
        if !folder || watched || self.folders.contains(&path) || changes_rules(name) {
            self.coalescer.note(path, now);
        }
    }

    /// Gives what there is, due or not.
    fn flush(&mut self) {
        if let Some(batch) = self.coalescer.take() {
            self.give(batch);
        }
    }

    fn give(&mut self, batch: Batch) {
        (self.sink)(batch);
        if std::mem::take(&mut self.look_again) {
            self.arm();
        }
    }

    /// Watches the folders that a walk looks into, and no others. Those that were not watched
    /// before are to be looked at.
    fn arm(&mut self) {
        self.rules = ExclusionRules::new(&self.root, self.options.exclude.as_ref());
        self.git = GitFolders::of(Path::new(&self.root));
        self.arm_beside();
        self.limit_reached = false;
        let first = !self.shared.state().armed;
        let before = std::mem::take(&mut self.folders);
        let root = self.root.clone();
        match std::mem::take(&mut self.lost) {
            true => self.arm_but(&root, &BTreeSet::new()),
            false => self.arm_but(&root, &before),
        }
        for folder in before.difference(&self.folders) {
            disarm(&mut self.system, folder);
        }
        if !first {
            let new: Vec<String> = self.folders.difference(&before).cloned().collect();
            for folder in new {
                self.coalescer.note(folder, Instant::now());
            }
        }
        self.tell();
    }

    /// Watches what stands outside the folders and changes the rules.
    fn arm_beside(&mut self) {
        let mut beside: BTreeMap<String, &'static [&'static str]> = BTreeMap::new();
        if let Some(git) = &self.git {
            let root = Path::new(&self.root);
            let above = root.ancestors().skip(1);
            for folder in above.take_while(|folder| folder.starts_with(&git.top)) {
                beside.extend(slashed(folder).map(|folder| (folder, IGNORE_FILES.as_slice())));
            }
            let inside: [(_, &[&str]); 2] = [
                (git.own.clone(), &["HEAD", "index", "index.lock"]),
                (git.common.join("info"), &["exclude"]),
            ];
            for (folder, names) in inside {
                beside.extend(slashed(&folder).map(|folder| (folder, names)));
            }
        }
        let gone: Vec<String> = self
            .beside
            .keys()
            .filter(|folder| !beside.contains_key(*folder))
            .cloned()
            .collect();
        for folder in gone {
            disarm(&mut self.system, &folder);
        }
        // Also those that were: of one that went and came the system has forgotten it.
        for folder in beside.keys() {
            self.ask_system(Path::new(folder));
        }
        self.beside = beside;
    }

    /// Watches a folder and all below that a walk looks into, also those that were watched: of a
    /// folder that went and came the system has forgotten it.
    fn arm_below(&mut self, folder: &str) {
        self.arm_but(folder, &BTreeSet::new());
        self.tell();
    }

    /// As [`Watcher::arm_below`]; the system knows of `known` already. Each folder is watched
    /// first and listed then, so that what comes meanwhile is found by one or the other.
    fn arm_but(&mut self, folder: &str, known: &BTreeSet<String>) {
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            if !self.rules.enters(&folder) {
                continue;
            }
            let more = !self.folders.contains(&folder);
            self.limit_reached |= more && self.folders.len() >= self.options.most_folders;
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

    /// A folder is no more.
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
        self.tell();
    }

    /// Asks the system for the events of a folder. Whether they will come.
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
        // Of a folder that went the system has forgotten it.
        let _ = system.unwatch(Path::new(folder));
    }
}
