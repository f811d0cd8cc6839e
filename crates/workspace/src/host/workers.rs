//! Worker threads and the scheduling of requests.
//!
//! There are four priorities, each with a queue; within a queue clients take turns (round robin), so that
//! one with many requests does not starve the others. Worker 0 serves editors only, and deep requests never
//! occupy the last of the other workers: an editor always finds a free one.
//!
//! ```text
//! permits    at most 32 requests of a client and 1024 of all are queued or running; else Full
//! queues     Editor: A1 B1 A2   Agent: C1 D1 C2   Deep: ...   Background: priming
//! running at once (n cores)
//!            Editor: any        Agent: n          Deep: n - 1 Background: 1
//!            Agent + Deep + Background: n
//! ```

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use codeweft_vfs::ClientId;
use rustc_hash::FxHashMap;

use super::request::Priority;
use super::timer::Timer;
use crate::sync::{lock, wait};

/// The stack of a worker, in bytes: lowering and type inference recurse with the code.
const STACK: usize = 32 << 20;

/// The number of requests of one client that may be queued or running at once.
pub(super) const MAX_OF_CLIENT: usize = 32;

/// The number of requests of all clients that may be queued or running at once.
pub(super) const MAX: usize = 1024;

/// Work that a worker runs in one or more steps.
pub(super) trait WorkStep: Send {
    /// Runs a step.
    fn run(&mut self) -> StepOutcome;
}

/// The continuation after a step.
pub(super) enum StepOutcome {
    /// The work is done.
    Done,
    /// The next step runs no earlier than this.
    Later(Instant),
}

/// Queued work.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) client: ClientId,
    pub(super) class: Priority,
    pub(super) work: Box<dyn WorkStep>,
}

/// The worker threads and their queues.
pub(super) struct Workers {
    state: Mutex<WorkerQueues>,
    permits: Mutex<QueuePermits>,
    woken: Condvar,
    timer: Arc<Timer>,
    cores: usize,
}

#[derive(Default)]
struct WorkerQueues {
    queues: [PriorityQueue; 4],
    running: [usize; 4],
    ended: bool,
}

/// The jobs of one priority.
#[derive(Default)]
struct PriorityQueue {
    /// The clients that have jobs here, in the order of their turns.
    turns: VecDeque<ClientId>,
    jobs: FxHashMap<ClientId, VecDeque<Job>>,
}

impl PriorityQueue {
    fn push(&mut self, job: Job) {
        let jobs = self.jobs.entry(job.client).or_default();
        if jobs.is_empty() {
            self.turns.push_back(job.client);
        }
        jobs.push_back(job);
    }

    fn pop(&mut self) -> Option<Job> {
        let client = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&client)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        job
    }

    fn remove(&mut self, client: ClientId, number: u64) -> Option<Job> {
        let jobs = self.jobs.get_mut(&client)?;
        let at = jobs.iter().position(|job| job.number == number)?;
        let job = jobs.remove(at);
        if jobs.is_empty() {
            self.jobs.remove(&client);
            self.turns.retain(|&other| other != client);
        }
        job
    }
}

#[derive(Default)]
struct QueuePermits {
    of_client: FxHashMap<ClientId, usize>,
    all: usize,
}

/// A permit to be queued and run; given back when it is dropped.
pub(super) struct QueuePermit {
    workers: Arc<Workers>,
    client: ClientId,
}

impl Drop for QueuePermit {
    fn drop(&mut self) {
        let mut permits = lock(&self.workers.permits);
        permits.all -= 1;
        if let Some(held) = permits.of_client.get_mut(&self.client) {
            *held -= 1;
            if *held == 0 {
                permits.of_client.remove(&self.client);
            }
        }
    }
}

impl Workers {
    /// Returns the workers for this many cores; [`Workers::start`] starts their threads.
    pub(super) fn new(cores: usize, timer: Arc<Timer>) -> Arc<Workers> {
        Arc::new(Workers {
            state: Mutex::default(),
            permits: Mutex::default(),
            woken: Condvar::new(),
            timer,
            cores: cores.max(1),
        })
    }

    /// Starts one thread per core, and one more for editors.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start(self: &Arc<Workers>) -> std::io::Result<()> {
        for number in 0..=self.cores {
            let workers = self.clone();
            thread::Builder::new()
                .name(format!("answer-{number}"))
                .stack_size(STACK)
                .spawn(move || workers.serve(number == 0))?;
        }
        Ok(())
    }

    /// Returns a permit for one more request; `None` if there are too many.
    pub(super) fn permit(self: &Arc<Workers>, client: ClientId) -> Option<QueuePermit> {
        let mut permits = lock(&self.permits);
        let held = permits.of_client.get(&client).copied().unwrap_or(0);
        if held >= MAX_OF_CLIENT || permits.all >= MAX {
            return None;
        }
        permits.all += 1;
        permits.of_client.insert(client, held + 1);
        let workers = self.clone();
        Some(QueuePermit { workers, client })
    }

    /// Queues a job; drops it if the workers have ended.
    pub(super) fn push(&self, job: Job) {
        let mut state = lock(&self.state);
        if state.ended {
            drop(state);
            return drop(job);
        }
        state.queues[job.class as usize].push(job);
        drop(state);
        self.woken.notify_all();
    }

    /// Removes a queued job.
    pub(super) fn remove(&self, class: Priority, client: ClientId, number: u64) -> Option<Job> {
        lock(&self.state).queues[class as usize].remove(client, number)
    }

    /// Returns whether anything but background work is queued or running.
    pub(super) fn has_requests(&self) -> bool {
        let state = lock(&self.state);
        let background = Priority::Background as usize;
        state.running[..background]
            .iter()
            .any(|&running| running > 0)
            || state.queues[..background]
                .iter()
                .any(|queue| !queue.turns.is_empty())
    }

    /// Ends the threads after their current jobs, and drops the queued ones.
    pub(super) fn end(&self) {
        let queues = {
            let mut state = lock(&self.state);
            state.ended = true;
            std::mem::take(&mut state.queues)
        };
        self.woken.notify_all();
        drop(queues);
    }

    fn serve(self: &Arc<Workers>, editors_only: bool) {
        let mut state = lock(&self.state);
        loop {
            if state.ended {
                return;
            }
            let Some(job) = self.next(&mut state, editors_only) else {
                state = wait(&self.woken, state);
                continue;
            };
            let class = job.class as usize;
            state.running[class] += 1;
            drop(state);
            self.work(job);
            state = lock(&self.state);
            state.running[class] -= 1;
            // Another thread may now take a job that the limit of this priority held back.
            self.woken.notify_all();
        }
    }

    fn work(self: &Arc<Workers>, mut job: Job) {
        // Work catches its own panics; this one is for its completion callback.
        let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job.work.run()));
        match ran {
            Ok(StepOutcome::Done) | Err(_) => {}
            Ok(StepOutcome::Later(at)) => {
                let workers = self.clone();
                self.timer.at(at, move || workers.push(job));
            }
        }
    }

    /// Takes the next job that a worker may run.
    fn next(&self, state: &mut WorkerQueues, editors_only: bool) -> Option<Job> {
        for class in [
            Priority::Editor,
            Priority::Agent,
            Priority::Deep,
            Priority::Background,
        ] {
            if editors_only && class != Priority::Editor {
                return None;
            }
            let limit = match class {
                Priority::Editor => usize::MAX,
                Priority::Agent => self.cores,
                Priority::Deep => self.cores.saturating_sub(1).max(1),
                Priority::Background => 1,
            };
            let running = state.running[class as usize];
            let lower: usize = state.running[Priority::Agent as usize..].iter().sum();
            if running >= limit || (class != Priority::Editor && lower >= self.cores) {
                continue;
            }
            if let Some(job) = state.queues[class as usize].pop() {
                return Some(job);
            }
        }
        None
    }
}
