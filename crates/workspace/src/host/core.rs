//! The state that the threads of an analysis host share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use codeweft_db::Language;
use codeweft_db::RequestCancellation;
use codeweft_vfs::{ClientId, Vfs};

use crate::project::coding_lines;
use rustc_hash::FxHashMap;

use super::changes::{HostChange, PendingChanges};
use super::follower::FollowerState;
use super::gate::Gate;
use super::idle::LastQuestion;
use super::janitor::Janitor;
use super::priming_plan::PrimingProgress;
use super::request::{ChangeId, Priority, RequestError};
use super::state::HostState;
use super::statistics::HostStatistics;
use super::timer::Timer;
use super::workers::{Job, Workers};
use crate::project::{Phase, Progress, WorkspaceDisk};
use crate::settings::LiveSettings;
use crate::sync::{lock, wait_for};

/// A continuation behind the load.
type LoadCallback = Box<dyn FnOnce() + Send>;

/// The state that the threads of an analysis host share. Nothing in here keeps the host alive.
pub(crate) struct HostCore {
    pub(super) root: Arc<str>,
    pub(super) instance: String,
    /// Overlays of editors are written here from any thread, at once.
    pub(super) languages: &'static [&'static dyn Language],
    pub(crate) vfs: Arc<Vfs>,
    /// The settings that follow their file; `None` if they never change.
    pub(super) settings: Option<LiveSettings>,
    /// The disk under the settings of the last write, once the workspace is loaded.
    disk: Mutex<Option<Arc<WorkspaceDisk>>>,
    pub(super) gate: Gate,
    pub(super) changes: PendingChanges,
    pub(super) workers: Arc<Workers>,
    pub(super) timer: Arc<Timer>,
    pub(super) janitor: Janitor,
    pub(super) figures: HostStatistics,
    pub(super) primed: PrimingProgress,
    pub(super) follower: FollowerState,
    pub(super) last_question: LastQuestion,
    progress: Mutex<HostState>,
    /// What waits for the end of the load.
    after_load: Mutex<Vec<LoadCallback>>,
    waiting: Mutex<ChangeWaiter>,
    ripe: Condvar,
    requests: Mutex<FxHashMap<u64, Arc<ActiveRequest>>>,
    numbers: AtomicU64,
    clients: AtomicU32,
    names: Mutex<BTreeMap<ClientId, String>>,
    /// The time of an editor's last request, in microseconds after `started`; 0 if there was none.
    editor: AtomicU64,
    started: Instant,
}

/// The last change that readers see, and the jobs that wait for later ones.
#[derive(Default)]
struct ChangeWaiter {
    /// The last change that readers see; `None` before the load has ended.
    visible: Option<ChangeId>,
    /// The revision that contains it.
    revision: u64,
    parked: Vec<(ChangeId, Job)>,
    failed: bool,
    ended: bool,
}

/// A request that waits or runs.
pub(super) struct ActiveRequest {
    pub(super) client: ClientId,
    pub(super) class: Priority,
    pub(super) operation: &'static str,
    /// Cancels its work.
    pub(super) work: RequestCancellation,
    /// The time at which a worker began it.
    pub(super) began: Mutex<Option<Instant>>,
    /// Completes it with an error, unless it is complete.
    pub(super) fail: Box<dyn Fn(RequestError) + Send + Sync>,
}

impl HostCore {
    pub(super) fn new(
        root: Arc<str>,
        languages: &'static [&'static dyn Language],
        cores: usize,
        max_file_size: u64,
        settings: Option<LiveSettings>,
    ) -> std::io::Result<Arc<HostCore>> {
        let vfs = Arc::new(Vfs::new(max_file_size, coding_lines(languages)));
        let timer = Timer::start()?;
        let workers = Workers::new(cores, timer.clone());
        Ok(Arc::new(HostCore {
            root,
            instance: instance(),
            languages,
            vfs,
            settings,
            disk: Mutex::default(),
            gate: Gate::default(),
            changes: PendingChanges::default(),
            workers,
            timer,
            janitor: Janitor::start()?,
            figures: HostStatistics::default(),
            primed: PrimingProgress::default(),
            follower: FollowerState::default(),
            last_question: LastQuestion::default(),
            progress: Mutex::new(HostState::Loading(Progress {
                phase: Phase::Walk,
                done: 0,
                total: 0,
            })),
            after_load: Mutex::default(),
            waiting: Mutex::default(),
            ripe: Condvar::new(),
            requests: Mutex::default(),
            numbers: AtomicU64::new(1),
            clients: AtomicU32::new(1),
            names: Mutex::default(),
            editor: AtomicU64::new(0),
            started: Instant::now(),
        }))
    }

    /// Records a change if the file of the settings has changed.
    pub(super) fn look_at_settings(&self) {
        if self.settings.as_ref().is_some_and(LiveSettings::look) {
            self.changes.push(HostChange::Settings);
        }
    }

    /// Returns the disk under the settings of the last write, once the workspace is loaded.
    pub(super) fn disk(&self) -> Option<Arc<WorkspaceDisk>> {
        lock(&self.disk).clone()
    }

    pub(super) fn set_disk(&self, disk: Arc<WorkspaceDisk>) {
        *lock(&self.disk) = Some(disk);
    }

    pub(super) fn state(&self) -> HostState {
        lock(&self.progress).clone()
    }

    pub(super) fn set_state(&self, state: HostState) {
        let failed = matches!(state, HostState::Failed(_));
        let loading = matches!(state, HostState::Loading(_));
        *lock(&self.progress) = state;
        if failed {
            let parked = {
                let mut waiting = lock(&self.waiting);
                waiting.failed = true;
                std::mem::take(&mut waiting.parked)
            };
            self.ripe.notify_all();
            for (_, job) in parked {
                self.workers.push(job);
            }
        }
        if !loading {
            let callbacks = std::mem::take(&mut *lock(&self.after_load));
            callbacks.into_iter().for_each(|then| then());
        }
    }

    /// Calls `then` once the load has ended, well or not; at once if it has. If the host ends before, it is
    /// dropped.
    pub(super) fn when_loaded(&self, then: LoadCallback) {
        {
            let state = lock(&self.progress);
            if matches!(*state, HostState::Loading(_)) {
                // Under the lock: the state cannot change before this one is seen.
                return lock(&self.after_load).push(then);
            }
        }
        then();
    }

    pub(super) fn connect(&self, name: &str) -> ClientId {
        let client = ClientId(self.clients.fetch_add(1, Ordering::Relaxed));
        lock(&self.names).insert(client, name.to_owned());
        client
    }

    pub(super) fn disconnect(&self, client: ClientId) {
        self.cancel(Some(client));
        lock(&self.names).remove(&client);
    }

    /// Returns the names of the connected clients, in the order in which they connected.
    pub(super) fn clients(&self) -> Vec<String> {
        lock(&self.names).values().cloned().collect()
    }

    pub(super) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Records that `revision` contains everything up to `change`, and queues the jobs that waited for it.
    pub(super) fn resolve(&self, change: ChangeId, revision: u64) {
        let mut waiting = lock(&self.waiting);
        waiting.visible = waiting.visible.max(Some(change));
        waiting.revision = revision;
        let (ready, parked) = std::mem::take(&mut waiting.parked)
            .into_iter()
            .partition(|(after, _)| Some(*after) <= waiting.visible);
        waiting.parked = parked;
        drop(waiting);
        self.ripe.notify_all();
        let ready: Vec<(ChangeId, Job)> = ready;
        for (_, job) in ready {
            self.workers.push(job);
        }
    }

    /// Queues a job once readers see everything up to `after`.
    pub(super) fn queue(&self, after: ChangeId, job: Job) {
        let mut waiting = lock(&self.waiting);
        if waiting.ended {
            drop(waiting);
            return drop(job);
        }
        if Some(after) <= waiting.visible || waiting.failed {
            drop(waiting);
            return self.workers.push(job);
        }
        waiting.parked.push((after, job));
    }

    /// Removes a job that has not begun from wherever it waits.
    pub(super) fn withdraw(&self, class: Priority, client: ClientId, number: u64) -> Option<Job> {
        let parked = {
            let mut waiting = lock(&self.waiting);
            let at = waiting
                .parked
                .iter()
                .position(|(_, job)| job.number == number);
            at.map(|at| waiting.parked.remove(at).1)
        };
        parked.or_else(|| self.workers.remove(class, client, number))
    }

    /// Waits until readers see everything up to `change`; returns the revision that contains it.
    pub(super) fn wait(&self, change: ChangeId, deadline: Instant) -> Result<u64, RequestError> {
        let mut waiting = lock(&self.waiting);
        loop {
            if Some(change) <= waiting.visible {
                return Ok(waiting.revision);
            }
            if waiting.failed {
                drop(waiting);
                return Err(self.deadline_error());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || waiting.ended {
                drop(waiting);
                return Err(self.deadline_error());
            }
            waiting = wait_for(&self.ripe, waiting, left);
        }
    }

    /// Returns the error of a request whose deadline has passed.
    pub(super) fn deadline_error(&self) -> RequestError {
        match self.state() {
            HostState::Loading(progress) => RequestError::Loading(progress.done, progress.total),
            HostState::Failed(why) => RequestError::Failed(why),
            HostState::Ready => RequestError::Deadline,
        }
    }

    pub(super) fn note_request(&self, number: u64, request: Arc<ActiveRequest>) {
        if request.class == Priority::Editor {
            let now = self.started.elapsed().as_micros() as u64;
            self.editor.store(now, Ordering::Relaxed);
        }
        lock(&self.requests).insert(number, request);
    }

    pub(super) fn forget_request(&self, number: u64) {
        let request = lock(&self.requests).remove(&number);
        drop(request);
    }

    /// Returns the requests that wait or run, the oldest first.
    pub(super) fn requests(&self) -> Vec<(u64, Arc<ActiveRequest>)> {
        let mut requests: Vec<_> = lock(&self.requests)
            .iter()
            .map(|(&number, request)| (number, request.clone()))
            .collect();
        requests.sort_unstable_by_key(|(number, _)| *number);
        requests
    }

    /// Cancels the requests of a client, or all.
    pub(super) fn cancel(&self, client: Option<ClientId>) {
        for (number, request) in self.requests() {
            if client.is_none_or(|client| client == request.client) {
                self.stop(number, &request, RequestError::Cancelled);
            }
        }
    }

    /// Ends one request with an error: cancels its work, completes it, and withdraws its job.
    pub(super) fn stop(&self, number: u64, request: &ActiveRequest, stop: RequestError) {
        request.work.cancel();
        (request.fail)(stop);
        let job = self.withdraw(request.class, request.client, number);
        drop(job);
    }

    /// Returns whether a request waits or runs, or an editor sent one within `time`.
    pub(super) fn is_busy(&self, time: Duration) -> bool {
        let last = Duration::from_micros(self.editor.load(Ordering::Relaxed));
        let ago = self.started.elapsed().saturating_sub(last);
        !last.is_zero() && ago < time || self.workers.has_requests()
    }

    /// Logs the requests that a write has been waiting for.
    pub(super) fn log_stall(&self) {
        self.figures.write_stalls.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let running = self.requests().into_iter().filter_map(|(_, request)| {
            let began = (*lock(&request.began))?;
            let ms = now.saturating_duration_since(began).as_millis();
            Some(format!(
                "{} {} ({ms} ms)",
                request.class.word(),
                request.operation
            ))
        });
        let running: Vec<String> = running.collect();
        eprintln!("codeweft: a write waits for {}", running.join(", "));
    }

    /// Ends the threads, and cancels all requests.
    pub(super) fn end(&self) {
        let parked = {
            let mut waiting = lock(&self.waiting);
            waiting.ended = true;
            std::mem::take(&mut waiting.parked)
        };
        self.ripe.notify_all();
        drop(parked);
        drop(std::mem::take(&mut *lock(&self.after_load)));
        self.changes.end();
        self.cancel(None);
        self.workers.end();
        self.timer.end();
    }
}

/// Returns eight hexadecimal digits that no other host has.
fn instance() -> String {
    use std::time::{SystemTime, UNIX_EPOCH};
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&now.map_or(0, |now| now.as_nanos()).to_le_bytes());
    hasher.update(&std::process::id().to_le_bytes());
    hasher.update(&STARTED.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    hasher.finalize().to_hex()[..8].to_owned()
}
