//! The `Db` trait and the one database type.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock};

use codeweft_syntax::{FileIr, Names};
use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::{File, Symbols};

/// What every query can reach besides salsa.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The append-only tables beside salsa.
    fn shared(&self) -> &Shared;
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
    pub rooms: Rooms,
    /// What the Host lowered, until `lower` takes it.
    pub lowered: DashMap<File, (Arc<str>, FileIr), FxBuildHasher>,
}

/// One table for each language room, by its type.
#[derive(Default)]
pub struct Rooms {
    slots: [OnceLock<Box<dyn Any + Send + Sync>>; 4],
}

impl Rooms {
    /// The table of type `T`, made empty on the first call. At most four types.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> &T {
        self.slots
            .iter()
            .find_map(|slot| slot.get_or_init(|| Box::<T>::default()).downcast_ref())
            .expect("at most four rooms keep a table")
    }
}

/// The database. A clone is a handle for one more thread; a write waits until all others are gone.
#[salsa::db]
#[derive(Clone)]
pub struct RootDb {
    storage: salsa::Storage<Self>,
    shared: Arc<Shared>,
}

#[salsa::db]
impl salsa::Database for RootDb {}

#[salsa::db]
impl Db for RootDb {
    fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Default for RootDb {
    fn default() -> Self {
        RootDb {
            storage: salsa::Storage::new(None),
            shared: Arc::default(),
        }
    }
}

impl RootDb {
    /// A database that records what it executes and validates.
    pub fn recording() -> (RootDb, Recording) {
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
            },
            Recording { events },
        )
    }
}

/// The events of a recording database.
#[derive(Clone)]
pub struct Recording {
    events: Arc<Mutex<Vec<salsa::Event>>>,
}

/// What happened since the last [`Recording::take`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Happened {
    /// The queries that ran: name and key, sorted.
    pub executed: Vec<(String, String)>,
    /// How many memos were found valid by looking at what they read.
    pub validated: usize,
}

impl Recording {
    /// Takes the events so far. A key of a [`File`] prints as its path, of a [`crate::Unit`] as its
    /// name and kind, any other as salsa prints it.
    pub fn take(&self, db: &RootDb) -> Happened {
        use salsa::Database as _;
        use salsa::plumbing::FromId as _;
        let events = self
            .events
            .lock()
            .map(|mut events| std::mem::take(&mut *events));
        let mut happened = Happened::default();
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
