//! The thread that writes segments.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_syntax::record::SECTIONS;

use crate::segment::{Key, SegmentBytes, SegmentFile};
use crate::{Records, gc};

/// The bytes that may wait to be written; what does not fit is not kept.
const MAX_WAITING: usize = 16 << 20;

/// The size in bytes from which a segment is ended.
const SEGMENT: u64 = 8 << 20;

/// The time without a new record after which a segment is ended.
const IDLE: Duration = Duration::from_secs(5);

/// The time between two looks at the size of the cache.
const COLLECT: Duration = Duration::from_secs(3600);

/// The writing half of a cache.
pub(crate) struct Writer {
    shared: Arc<Shared>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<Queue>,
    woken: Condvar,
    flushed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<(Key, [Vec<u8>; SECTIONS])>,
    size: usize,
    /// The number of the last flush that was wanted, and of the last that was done.
    wanted: u64,
    done: u64,
    ended: bool,
    error: Option<String>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }
}

impl Writer {
    /// Starts the thread; `None` if the system has none to give.
    pub(crate) fn start(folder: PathBuf, records: Arc<Records>, max_size: u64) -> Option<Writer> {
        let shared: Arc<Shared> = Arc::default();
        let of_thread = shared.clone();
        let thread = thread::Builder::new()
            .name("cache".to_owned())
            .spawn(move || serve(&of_thread, &folder, &records, max_size))
            .ok()?;
        Some(Writer {
            shared,
            thread: Some(thread),
        })
    }

    /// Returns whether records are still written.
    pub(crate) fn is_open(&self) -> bool {
        self.shared.lock().error.is_none()
    }

    /// Returns why writing has ended, if it has.
    pub(crate) fn error(&self) -> Option<String> {
        self.shared.lock().error.clone()
    }

    /// Queues a record, unless too much waits.
    pub(crate) fn write(&self, key: Key, sections: [Vec<u8>; SECTIONS]) {
        let mut state = self.shared.lock();
        let size: usize = sections.iter().map(Vec::len).sum();
        if state.error.is_some() || state.size + size > MAX_WAITING {
            return;
        }
        state.size += size;
        state.waiting.push((key, sections));
        drop(state);
        self.shared.woken.notify_one();
    }

    /// Waits until all that was queued is in segments that have ended.
    pub(crate) fn flush(&self, longest: Duration) {
        let until = Instant::now() + longest;
        let mut state = self.shared.lock();
        state.wanted += 1;
        let wanted = state.wanted;
        self.shared.woken.notify_one();
        while state.done < wanted && state.error.is_none() {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                return;
            };
            let waited = self.shared.flushed.wait_timeout(state, left);
            state = waited.unwrap_or_else(|broken| broken.into_inner()).0;
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.woken.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic there has lost records, nothing else.
            let _ = thread.join();
        }
    }
}

fn serve(shared: &Shared, folder: &Path, records: &Records, max_size: u64) {
    let mut segment: Option<OpenSegment> = None;
    let mut collected: Option<Instant> = None;
    let mut last_record = Instant::now();
    loop {
        let mut state = shared.lock();
        while state.waiting.is_empty() && !state.ended && state.wanted == state.done {
            if segment.is_some() && last_record.elapsed() >= IDLE {
                break;
            }
            let waited = shared.woken.wait_timeout(state, IDLE);
            state = waited.unwrap_or_else(|broken| broken.into_inner()).0;
        }
        let waiting = std::mem::take(&mut state.waiting);
        state.size = 0;
        let (ended, wanted) = (state.ended, state.wanted);
        let must_end = ended || wanted != state.done || waiting.is_empty();
        drop(state);
        if !waiting.is_empty() {
            last_record = Instant::now();
        }
        let result = write_all(&mut segment, waiting, folder, records).and_then(|()| match segment
            .take_if(|segment| must_end || segment.bytes.size() >= SEGMENT)
        {
            Some(segment) => segment.end(records),
            None => Ok(()),
        });
        if segment.is_none() && collected.is_none_or(|then| then.elapsed() >= COLLECT) {
            collected = Some(Instant::now());
            gc::collect(folder, max_size);
        }
        let mut state = shared.lock();
        state.done = wanted;
        if let Err(error) = result {
            state.error = Some(error.to_string());
            state.waiting.clear();
        }
        shared.flushed.notify_all();
        if ended || state.error.is_some() {
            return;
        }
    }
}

fn write_all(
    segment: &mut Option<OpenSegment>,
    waiting: Vec<(Key, [Vec<u8>; SECTIONS])>,
    folder: &Path,
    records: &Records,
) -> std::io::Result<()> {
    for (key, sections) in waiting {
        let open = match segment {
            Some(open) => open,
            None => segment.insert(OpenSegment::create(folder)?),
        };
        open.bytes.add(key, &sections);
        open.write()?;
        if let Some(full) = segment.take_if(|open| open.bytes.size() >= SEGMENT) {
            full.end(records)?;
        }
    }
    Ok(())
}

/// A segment that is being written. Dropped before its end, it is removed.
pub(crate) struct OpenSegment {
    pub(crate) bytes: SegmentBytes,
    file: File,
    unfinished: PathBuf,
    finished: PathBuf,
}

impl OpenSegment {
    /// Creates a segment.
    pub(crate) fn create(folder: &Path) -> std::io::Result<OpenSegment> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let time = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        let name = format!("{}-{:x}-{count}", std::process::id(), time.as_nanos());
        let unfinished = folder.join(format!(".tmp-{name}"));
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)?;
        Ok(OpenSegment {
            bytes: SegmentBytes::default(),
            file,
            unfinished,
            finished: folder.join(format!("seg-{name}.cw")),
        })
    }

    /// Writes what was added.
    pub(crate) fn write(&mut self) -> std::io::Result<()> {
        self.file.write_all(&self.bytes.take())
    }

    /// Ends the segment: from then on every process reads it.
    pub(crate) fn end(mut self, records: &Records) -> std::io::Result<()> {
        let (bytes, count) = std::mem::take(&mut self.bytes).end();
        self.file.write_all(&bytes)?;
        fs::rename(&self.unfinished, &self.finished)?;
        if let Some((segment, table)) = SegmentFile::open(&self.finished)? {
            records.add(&Arc::new(segment), table);
            let written = &records.counts.written;
            written.fetch_add(count as u64, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Drop for OpenSegment {
    fn drop(&mut self) {
        // There is none under this name once the segment has ended.
        let _ = fs::remove_file(&self.unfinished);
    }
}
