//! The threads that answer, and whose turn it is.
//!
//! Four classes, the first before the next; within one the clients take turns, so that one with
//! many questions does not starve the others. One worker takes editors' questions only, and a
//! deep question never holds the last of the others: an editor finds a free one.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use codeweft_vfs::ClientId;
use rustc_hash::FxHashMap;

use super::request::Priority;
use super::timer::Timer;
use crate::sync::lock;

/// Lowering and typing recurse with the code.
const STACK: usize = 32 << 20;

/// How many questions of one client are queued or running at once.
pub(super) const MOST_OF_CLIENT: usize = 32;

/// And of all.
pub(super) const MOST: usize = 1024;

/// Something that a worker does.
pub(super) trait WorkStep: Send {
    /// Does it, or a part of it.
    fn run(&mut self) -> StepOutcome;
}

/// What comes after a part of work.
pub(super) enum StepOutcome {
    /// Nothing.
    Done,
    /// The rest, not before then.
    Later(Instant),
}

/// Work in a queue.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) client: ClientId,
    pub(super) class: Priority,
    pub(super) work: Box<dyn WorkStep>,
}

/// The queues and who works.
pub(super) struct Workers {
    state: Mutex<WorkerQueues>,
    seats: Mutex<QueuePermits>,
    woken: Condvar,
    timer: Arc<Timer>,
    cores: usize,
}

#[derive(Default)]
struct WorkerQueues {
    lines: [PriorityQueue; 4],
    running: [usize; 4],
    ended: bool,
}

/// The jobs of one class.
#[derive(Default)]
struct PriorityQueue {
    /// The clients that have jobs here, the next first.
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

/// The right to be queued or run; given back when it is dropped.
pub(super) struct QueuePermit {
    workers: Arc<Workers>,
    client: ClientId,
}

impl Drop for QueuePermit {
    fn drop(&mut self) {
        let mut seats = lock(&self.workers.seats);
        seats.all -= 1;
        if let Some(held) = seats.of_client.get_mut(&self.client) {
            *held -= 1;
            if *held == 0 {
                seats.of_client.remove(&self.client);
            }
        }
    }
}

impl Workers {
    /// For so many cores; no thread is there yet.
    pub(super) fn new(cores: usize, timer: Arc<Timer>) -> Arc<Workers> {
        Arc::new(Workers {
            state: Mutex::default(),
            seats: Mutex::default(),
            woken: Condvar::new(),
            timer,
            cores: cores.max(1),
        })
    }

    /// Starts one thread a core, and one for editors.
    ///
    /// # Errors
    /// The system gives no thread.
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

    /// A seat for one more question; `None`: there are too many.
    pub(super) fn seat(self: &Arc<Workers>, client: ClientId) -> Option<QueuePermit> {
        let mut seats = lock(&self.seats);
        let held = seats.of_client.get(&client).copied().unwrap_or(0);
        if held >= MOST_OF_CLIENT || seats.all >= MOST {
            return None;
        }
        seats.all += 1;
        seats.of_client.insert(client, held + 1);
        let workers = self.clone();
        Some(QueuePermit { workers, client })
    }

    /// Queues a job. It is dropped where the workers have ended.
    pub(super) fn push(&self, job: Job) {
        let mut state = lock(&self.state);
        if state.ended {
            drop(state);
            return drop(job);
        }
        state.lines[job.class as usize].push(job);
        drop(state);
        self.woken.notify_all();
    }

    /// Takes a queued job back.
    pub(super) fn remove(&self, class: Priority, client: ClientId, number: u64) -> Option<Job> {
        lock(&self.state).lines[class as usize].remove(client, number)
    }

    /// Whether anything but background work is queued or runs.
    pub(super) fn is_asked(&self) -> bool {
        let state = lock(&self.state);
        let background = Priority::Background as usize;
        state.running[..background]
            .iter()
            .any(|&running| running > 0)
            || state.lines[..background]
                .iter()
                .any(|line| !line.turns.is_empty())
    }

    /// Ends the threads once they have done what they do. What is queued is dropped.
    pub(super) fn end(&self) {
        let lines = {
            let mut state = lock(&self.state);
            state.ended = true;
            std::mem::take(&mut state.lines)
        };
        self.woken.notify_all();
        drop(lines);
    }

    fn serve(self: &Arc<Workers>, editors_only: bool) {
        let mut state = lock(&self.state);
        loop {
            if state.ended {
                return;
            }
            let Some(job) = self.next(&mut state, editors_only) else {
                state = self
                    .woken
                    .wait(state)
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                continue;
            };
            let class = job.class as usize;
            state.running[class] += 1;
            drop(state);
            self.work(job);
            state = lock(&self.state);
            state.running[class] -= 1;
            // A job that waited for this class to have room may go on another thread.
            self.woken.notify_all();
        }
    }

    fn work(self: &Arc<Workers>, mut job: Job) {
        // Work catches its own panics; this is for what it calls when it is done.
        let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job.work.run()));
        match ran {
            Ok(StepOutcome::Done) | Err(_) => {}
            Ok(StepOutcome::Later(at)) => {
                let workers = self.clone();
                self.timer.at(at, move || workers.push(job));
            }
        }
    }

    /// The next job that a worker may take.
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
            let most = match class {
                Priority::Editor => usize::MAX,
                Priority::Agent => self.cores,
                Priority::Deep => self.cores.saturating_sub(1).max(1),
                Priority::Background => 1,
            };
            let running = state.running[class as usize];
            let lower: usize = state.running[Priority::Agent as usize..].iter().sum();
            if running >= most || (class != Priority::Editor && lower >= self.cores) {
                continue;
            }
            if let Some(job) = state.lines[class as usize].pop() {
                return Some(job);
            }
        }
        None
    }
}
