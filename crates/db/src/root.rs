//! The `Db` trait and the one database type.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use codeweft_syntax::{FileIr, Names};
use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::{File, RequestCancellation, RequestCancelled, Symbols};

/// What every query can reach besides salsa.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The append-only tables beside salsa.
    fn shared(&self) -> &Shared;

    /// Whether the work of this handle should end soon: a write waits, or its request was
    /// cancelled. An untracked read that can end a query, never change its value.
    fn wants_stop(&self) -> bool;

    /// Unwinds where the request of this handle was cancelled or a write waits. Every loop over
    /// files, units or symbols outside queries calls it for each of them.
    fn unwind_if_cancelled(&self);

    /// As [`Db::unwind_if_cancelled`], inside a query: what unwinds is salsa's own.
    fn unwind_query_if_cancelled(&self);
}

/// Append-only tables, shared by all handles of one database. Reading them is pure: an entry
/// never changes, and no number of theirs enters an answer.
#[derive(Default)]
pub struct Shared {
    /// Names of identifiers and paths.
    pub names: Names,
    /// Declared things.
    pub symbols: Symbols,
    /// Tables of the language rooms.
    pub language_tables: LanguageTables,
    /// What the Host lowered, until `lower` takes it.
    pub lowered: DashMap<File, (Arc<str>, FileIr), FxBuildHasher>,
    /// Set by the Host while a write waits for readers to leave.
    pub write_pending: AtomicBool,
    /// Set by the Host: takes what is large, to be dropped where nobody waits.
    pub drop_sink: OnceLock<DropSink>,
}

/// Takes what is to be dropped elsewhere.
pub type DropSink = Box<dyn Fn(Box<dyn Any + Send>) + Send + Sync>;

impl Shared {
    /// Drops something large elsewhere, where there is somebody to do it.
    pub fn defer_drop(&self, large: impl Any + Send) {
        match self.drop_sink.get() {
            Some(spent) => spent(Box::new(large)),
            None => drop(large),
        }
    }
}

/// One table for each language room, by its type.
#[derive(Default)]
pub struct LanguageTables {
    slots: [OnceLock<Box<dyn Any + Send + Sync>>; 4],
}

impl LanguageTables {
    /// The table of type `T`, made empty on the first call. At most four types.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> &T {
        self.slots
            .iter()
            .find_map(|slot| slot.get_or_init(|| Box::<T>::default()).downcast_ref())
            .expect("at most four rooms keep a table")
    }
}

/// The database. A clone is a handle for one more thread, of the same request; a write waits until
/// all others are gone.
#[salsa::db]
pub struct RootDb {
    storage: salsa::Storage<Self>,
    shared: Arc<Shared>,
    /// What may end the work of this handle.
    cancel: Option<RequestCancellation>,
}

impl Clone for RootDb {
    fn clone(&self) -> RootDb {
        self.handle(self.cancel.clone())
    }
}

#[salsa::db]
impl salsa::Database for RootDb {}

#[salsa::db]
impl Db for RootDb {
    fn shared(&self) -> &Shared {
        &self.shared
    }

    fn wants_stop(&self) -> bool {
        self.shared.write_pending.load(Ordering::Relaxed)
            || self
                .cancel
                .as_ref()
                .is_some_and(RequestCancellation::is_cancelled)
    }

    fn unwind_if_cancelled(&self) {
        if self
            .cancel
            .as_ref()
            .is_some_and(RequestCancellation::is_cancelled)
        {
            // Not a panic: no hook runs.
            resume_unwind(Box::new(RequestCancelled));
        }
        salsa::Database::unwind_if_revision_cancelled(self);
    }

    fn unwind_query_if_cancelled(&self) {
        if self
            .cancel
            .as_ref()
            .is_some_and(RequestCancellation::is_cancelled)
        {
            // The token may have been reset by the end of an earlier query of this handle.
            salsa::Database::cancellation_token(self).cancel();
        }
        salsa::Database::unwind_if_revision_cancelled(self);
    }
}

impl Default for RootDb {
    fn default() -> Self {
        RootDb {
            storage: salsa::Storage::new(None),
            shared: Arc::default(),
            cancel: None,
        }
    }
}

impl RootDb {
    /// Waits until every other handle is gone; those that read unwind. Only the writer calls it.
    pub fn wait_for_readers(&mut self) {
        salsa::Database::trigger_cancellation(self);
    }

    /// A handle whose work `cancel` can end; so are its clones.
    pub fn for_request(&self, cancel: &RequestCancellation) -> RootDb {
        self.handle(Some(cancel.clone()))
    }

    /// The tables beside salsa, to be read without a handle: no write waits for who holds them.
    pub fn tables(&self) -> &Arc<Shared> {
        &self.shared
    }

    fn handle(&self, cancel: Option<RequestCancellation>) -> RootDb {
        let handle = RootDb {
            storage: self.storage.clone(),
            shared: self.shared.clone(),
            cancel,
        };
        if let Some(cancel) = &handle.cancel {
            cancel.register(salsa::Database::cancellation_token(&handle));
        }
        handle
    }

    /// A database that records what it executes and validates.
    pub fn recording() -> (RootDb, EventRecording) {
        let events: Arc<Mutex<Vec<salsa::Event>>> = Arc::default();
        let sink = events.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event| {
            if let Ok(mut events) = sink.lock() {
                events.push(event);
            }
        })));
        (
            RootDb {
                storage,
                shared: Arc::default(),
                cancel: None,
            },
            EventRecording { events },
        )
    }
}

/// The events of a recording database.
#[derive(Clone)]
pub struct EventRecording {
    events: Arc<Mutex<Vec<salsa::Event>>>,
}

/// What happened since the last [`EventRecording::take`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedEvents {
    /// The queries that ran: name and key, sorted.
    pub executed: Vec<(String, String)>,
    /// How many memos were found valid by looking at what they read.
    pub validated: usize,
}

impl EventRecording {
    /// Takes the events so far. A key of a [`File`] prints as its path, of a [`crate::Unit`] as its
    /// name and kind, any other as salsa prints it.
    pub fn take(&self, db: &RootDb) -> RecordedEvents {
        use salsa::Database as _;
        use salsa::plumbing::FromId as _;
        let events = self
            .events
            .lock()
            .map(|mut events| std::mem::take(&mut *events));
        let mut happened = RecordedEvents::default();
        for event in events.unwrap_or_default() {
            match event.kind {
                salsa::EventKind::WillExecute { database_key } => {
                    let name = db.ingredient_debug_name(database_key.ingredient_index());
                    let id = database_key.key_index();
                    let key = match &*name {
                        name if name.starts_with("unit_")
                            || name.contains("impl_index")
                            || name.contains("extra_methods") =>
                        {
                            let unit = crate::Unit::from_id(id);
                            format!(
                                "{}:{:?}",
                                db.shared.names.text(unit.name(db)),
                                unit.kind(db)
                            )
                        }
                        name if name.starts_with("file_") || name == "lower" => {
                            File::from_id(id).path(db).to_string()
                        }
                        _ => format!("{id:?}"),
                    };
                    happened.executed.push((name.into_owned(), key));
                }
                salsa::EventKind::DidValidateMemoizedValue { .. } => happened.validated += 1,
                _ => {}
            }
        }
        happened.executed.sort();
        happened
    }
}
