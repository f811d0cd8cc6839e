//! The [`Db`] trait, the one database type, and the tables that all its handles share.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use codeweft_cache::{CacheError, LoweringCache};
use codeweft_syntax::{FileIr, Items, Lang, NameId, Names};
use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::{File, Language, LanguageConfig, RequestCancellation, RequestCancelled, Symbols};

/// Everything that queries can reach besides salsa.
#[salsa::db]
pub trait Db: salsa::Database {
    /// Returns the append-only tables beside salsa.
    fn shared(&self) -> &Shared;

    /// Returns whether the work of this handle should end soon, because a write is pending or its
    /// request was cancelled. An untracked read: it can end a query, never change its value.
    fn wants_stop(&self) -> bool;

    /// Unwinds if the request of this handle was cancelled or a write is pending. Every loop over
    /// files, units or symbols outside queries calls it per iteration.
    fn unwind_if_cancelled(&self);

    /// Does the same inside a query, where the unwinding must be salsa's own.
    fn unwind_query_if_cancelled(&self);
}

/// The tables that all handles of one database share. Reading the append-only ones is pure: an
/// entry never changes, and answers contain none of the numbers.
#[derive(Default)]
pub struct Shared {
    /// The interner of identifiers and paths.
    pub names: Names,
    /// The interner of declared symbols.
    pub symbols: Symbols,
    /// The languages that the database covers.
    languages: &'static [&'static dyn Language],
    /// The tables of the language crates.
    pub language_tables: LanguageTables,
    configurations: DashMap<Lang, LanguageConfig, FxBuildHasher>,
    /// The texts that the host has lowered, until the query `lower` takes them.
    pub lowered: DashMap<File, (Arc<str>, FileIr), FxBuildHasher>,
    /// Deferred items by file, each with its text, until the query `lower` gives them those of the whole text.
    pub deferred: DashMap<File, (Arc<str>, Arc<Items>), FxBuildHasher>,
    /// The lowered texts on disk, if there are any: set before the first file. What it gives is what
    /// lowering gives, so no query depends on it.
    pub cache: OnceLock<Result<LoweringCache, CacheError>>,
    /// The number of texts that were lowered, not read from the cache.
    pub parses: AtomicU64,
    may_have_unread_files: AtomicBool,
    may_have_unresolved_files: AtomicBool,
    /// Set by the host while a write waits for readers to leave.
    pub write_pending: AtomicBool,
    /// Set by the host: receives large values to drop on another thread.
    pub drop_sink: OnceLock<DropSink>,
}

/// A consumer of values to be dropped on another thread.
pub type DropSink = Box<dyn Fn(Box<dyn Any + Send>) + Send + Sync>;

impl Shared {
    /// Returns the languages that the database covers, in the order of the list that it was created
    /// with.
    pub fn languages(&self) -> &'static [&'static dyn Language] {
        self.languages
    }

    /// Returns the rules of a language; `None` if the database does not cover it.
    pub fn language(&self, lang: Lang) -> Option<&'static dyn Language> {
        let mut languages = self.languages.iter().copied();
        languages.find(|language| language.lang() == lang)
    }

    /// Returns the build configuration of a language; `None` if it has none. The look-up is
    /// untracked: configurations are made before the first query runs.
    pub fn configuration(&self, lang: Lang) -> Option<LanguageConfig> {
        self.configurations.get(&lang).map(|config| *config)
    }

    /// Sets the build configuration of a language that has none yet. Only for the writer.
    pub fn add_configuration(&self, lang: Lang, config: LanguageConfig) {
        self.configurations.insert(lang, config);
    }

    /// Returns the lowered texts on disk, if there are any.
    pub fn cache(&self) -> Option<&LoweringCache> {
        self.cache.get()?.as_ref().ok()
    }

    /// Returns whether files may be in the database whose declarations were not read yet: then a name
    /// that is not interned may still be declared. Answers are the same either way.
    pub fn may_have_unread_files(&self) -> bool {
        self.may_have_unread_files.load(Ordering::Relaxed)
    }

    /// Returns whether files may be in the database in which no name was resolved yet: then a question does
    /// well to find out from texts which of them it needs. Answers are the same either way.
    pub fn may_have_unresolved_files(&self) -> bool {
        self.may_have_unresolved_files.load(Ordering::Relaxed)
    }

    /// Notes whether there may be such files.
    pub fn set_may_have_unresolved_files(&self, may: bool) {
        self.may_have_unresolved_files.store(may, Ordering::Relaxed);
    }

    /// Notes whether there may be unread files: after a load or a layout that may bring some, `false` when
    /// all were read.
    pub fn set_may_have_unread_files(&self, may: bool) {
        self.may_have_unread_files.store(may, Ordering::Relaxed);
    }

    /// Returns the name of a text; `None` if no file can declare or mention it.
    pub fn known_name(&self, text: &str) -> Option<NameId> {
        match self.names.get(text) {
            None if self.may_have_unread_files() => Some(self.names.intern(text)),
            known => known,
        }
    }

    /// Drops a large value on another thread if a sink is set, else here.
    pub fn defer_drop(&self, large: impl Any + Send) {
        match self.drop_sink.get() {
            Some(sink) => sink(Box::new(large)),
            None => drop(large),
        }
    }
}

/// The tables of the language crates, one per type.
#[derive(Default)]
pub struct LanguageTables {
    slots: [OnceLock<Box<dyn Any + Send + Sync>>; 4],
}

impl LanguageTables {
    /// Returns the table of type `T`, created on the first call. At most four types.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> &T {
        self.slots
            .iter()
            .find_map(|slot| slot.get_or_init(|| Box::<T>::default()).downcast_ref())
            .expect("at most four languages keep a table")
    }
}

/// The database. A clone is a handle for one more thread of the same request; a write waits until
/// all other handles are dropped.
#[salsa::db]
pub struct RootDb {
    storage: salsa::Storage<Self>,
    shared: Arc<Shared>,
    /// The cancellation of the request that this handle works for.
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
            // `resume_unwind` runs no panic hook.
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
            // The token may have been reset at the end of an earlier query of this handle.
            salsa::Database::cancellation_token(self).cancel();
        }
        salsa::Database::unwind_if_revision_cancelled(self);
    }
}

impl Default for RootDb {
    fn default() -> Self {
        RootDb::new(&[])
    }
}

impl RootDb {
    /// Creates an empty database that covers these languages.
    pub fn new(languages: &'static [&'static dyn Language]) -> RootDb {
        RootDb::with_storage(salsa::Storage::new(None), languages)
    }

    fn with_storage(
        storage: salsa::Storage<Self>,
        languages: &'static [&'static dyn Language],
    ) -> RootDb {
        RootDb {
            storage,
            shared: Arc::new(Shared {
                languages,
                ..Shared::default()
            }),
            cancel: None,
        }
    }

    /// Waits until every other handle is dropped; handles that are reading unwind. Only for the
    /// writer.
    pub fn wait_for_readers(&mut self) {
        salsa::Database::trigger_cancellation(self);
    }

    /// Returns a handle whose work, and that of its clones, `cancel` can end.
    pub fn for_request(&self, cancel: &RequestCancellation) -> RootDb {
        self.handle(Some(cancel.clone()))
    }

    /// Returns the tables beside salsa. A reader of these holds no database handle, so no write
    /// waits for it.
    pub fn tables(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Returns a handle with this cancellation and registers its token there.
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

    /// As [`RootDb::new`], for a database that records the queries that it executes and validates.
    pub fn recording(languages: &'static [&'static dyn Language]) -> (RootDb, EventRecording) {
        let events: Arc<Mutex<Vec<salsa::Event>>> = Arc::default();
        let sink = events.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event| {
            if let Ok(mut events) = sink.lock() {
                events.push(event);
            }
        })));
        (
            RootDb::with_storage(storage, languages),
            EventRecording { events },
        )
    }
}

/// The events of a recording database.
#[derive(Clone)]
pub struct EventRecording {
    events: Arc<Mutex<Vec<salsa::Event>>>,
}

/// The events since the last [`EventRecording::take`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedEvents {
    /// The queries that ran, as (name, key), sorted.
    pub executed: Vec<(String, String)>,
    /// The number of memos that were verified by checking their dependencies.
    pub validated: usize,
}

impl EventRecording {
    /// Takes the events so far. A [`File`] key is printed as its path, a [`crate::Unit`] key as
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
