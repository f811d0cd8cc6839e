//! Loading a workspace: walk, read, lower in parallel, lay out.
//!
//! ```text
//! walk ──> read ──> lower ──> layout of each language ──> files of libraries are missing? read them, again
//!                                                    └──> none: set units and import tables
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use codeweft_db::cache::LoweringCache;
use codeweft_db::{Lang, Language, Layout, Origin, RootDb};
use codeweft_knowledge::KnowledgeSettings;
use codeweft_retrieval::RetrievalSettings;
use codeweft_vfs::{DiskState, RootError, Vfs};
use rustc_hash::FxHashSet;

use super::database::ProjectDatabase;
use super::disk::{StampedText, WalkOutcome, WorkspaceDisk, coding_lines, max_file_size};
use super::files::LoadedFile;
use super::incremental::PreviousLowerings;
use super::lowering;
use super::meaning::KeptMeaning;
use super::progress::{LoadTimes, Phase, Progress};
use super::retrieval_history::KeptHistory;
use super::sources::SourceFiles;
use super::stamps::ReadFile;
use super::transaction::Transaction;
use super::units::UnitGraphBuilder;
use crate::parallel;

/// The options of a load.
pub struct LoadOptions<'a> {
    /// The root of the workspace; see [`crate::root`].
    pub root: PathBuf,
    /// Settings by key; see [`crate::settings::Settings::values`].
    pub settings: BTreeMap<String, String>,
    /// The number of threads; 0 for one per core.
    pub threads: usize,
    /// The environment; `None` for that of this process.
    pub variables: Option<BTreeMap<String, String>>,
    /// The languages to read.
    pub languages: &'static [&'static dyn Language],
    /// Whether the database records executed queries, for tests.
    pub recording: bool,
    /// Whether files of libraries are lowered when a question needs them, or by priming, not at the load.
    /// Answers are the same; the load is faster, and the first questions that need much of the libraries
    /// are slower.
    pub on_demand: bool,
    /// Where lowered texts are kept between runs; `None`: nowhere. Answers are the same.
    pub cache: Option<CacheOptions>,
    /// Called with the progress, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl LoadOptions<'_> {
    /// Returns options to load `root` on all cores without reporting progress.
    pub fn new(root: impl Into<PathBuf>) -> LoadOptions<'static> {
        LoadOptions {
            root: root.into(),
            settings: BTreeMap::new(),
            threads: 0,
            variables: None,
            languages: codeweft_graph::languages::ALL,
            recording: false,
            on_demand: false,
            cache: None,
            progress: &|_| {},
        }
    }
}

/// A cache of lowered texts on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CacheOptions {
    /// The folder, absolute; it is made if it is missing.
    pub folder: PathBuf,
    /// The size that it is kept below, in bytes.
    pub max_size: u64,
}

impl CacheOptions {
    /// Returns the size of the cache in bytes; makes what is missing of its folder.
    ///
    /// # Errors
    /// The folder cannot be used, for this reason.
    pub fn size(&self) -> Result<u64, String> {
        let cache = LoweringCache::open(&self.folder, self.max_size);
        let cache = cache.map_err(|error| error.to_string())?;
        Ok(cache.size())
    }
}

/// The reason why a workspace could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The root is no folder for a workspace.
    #[error(transparent)]
    Root(#[from] RootError),
    /// The system cannot start a thread; its message.
    #[error("no thread could be started: {0}")]
    Threads(String),
}

impl ProjectDatabase {
    /// Loads a workspace and the library files that it needs.
    ///
    /// # Errors
    /// The root is no folder for a workspace.
    pub fn load(options: LoadOptions<'_>) -> Result<ProjectDatabase, LoadError> {
        let vfs = Vfs::new(
            max_file_size(&options.settings),
            coding_lines(options.languages),
        );
        let mut database = ProjectDatabase::load_with(options, Arc::new(vfs))?;
        database.vfs_revision = database.sources.vfs.revision();
        Ok(database)
    }

    /// As [`ProjectDatabase::load`], with a `vfs` in which documents may be open already. The first change
    /// brings their texts into the database.
    pub(crate) fn load_with(
        options: LoadOptions<'_>,
        vfs: Arc<Vfs>,
    ) -> Result<ProjectDatabase, LoadError> {
        let root = codeweft_vfs::explicit_root(&options.root)?.path;
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let (db, recording) = if options.recording {
            let (db, recording) = RootDb::recording(options.languages);
            (db, Some(recording))
        } else {
            (RootDb::new(options.languages), None)
        };
        if let Some(cache) = &options.cache {
            let opened = LoweringCache::open(&cache.folder, cache.max_size);
            // It cannot be set yet: the database is new.
            let _ = db.tables().cache.set(opened);
        }
        let root: Arc<str> = root.into();
        let disk = WorkspaceDisk::new(
            &root,
            options.languages,
            options.variables,
            &options.settings,
        );
        let mut database = ProjectDatabase {
            db,
            recording,
            sources: SourceFiles::new(root, threads, disk, vfs),
            knowledge: Arc::default(),
            retrieval: Arc::default(),
            retrieval_settings: Arc::new(RetrievalSettings::from_values(&options.settings)),
            meaning: KeptMeaning::default(),
            history: KeptHistory::default(),
            knowledge_settings: Arc::new(KnowledgeSettings::from_values(&options.settings)),
            units: UnitGraphBuilder::new(options.settings),
            lowerings: PreviousLowerings::new(),
            vfs_revision: 0,
            revision: 0,
            cache: Arc::default(),
            unsaved: Arc::default(),
            settings_warning: None,
            walk_is_stale: false,
            state_is_new: false,
            load_times: LoadTimes::default(),
            on_demand: options.on_demand,
        };

        let started = Instant::now();
        (options.progress)(Progress {
            phase: Phase::Walk,
            done: 0,
            total: 0,
        });
        let WalkOutcome { files, unread } = database.sources.disk.walk();
        Arc::make_mut(&mut database.sources.unread).set_walked(unread);
        database.load_times.walk = started.elapsed();
        database.expect_unread_files();
        let mut loader = FileLoader {
            db: &database.db,
            sources: &mut database.sources,
            times: &mut database.load_times,
            progress: options.progress,
        };
        loader.add(files, Origin::Workspace);
        let mut transaction = Transaction::default();
        database.lay_out(&mut transaction, options.progress);
        transaction.apply(&mut database.db);
        database.revision = 1;
        Ok(database)
    }

    /// Notes that files may not be lowered yet, nor resolved: at the load, before a layout brings files of
    /// libraries, and again when its transaction is applied, since priming may have read everything in between.
    pub(super) fn expect_unread_files(&self) {
        if self.on_demand {
            self.db.tables().set_may_have_unread_files(true);
            self.db.tables().set_may_have_unresolved_files(true);
        }
    }

    /// Notes that the uses of most files have to be verified before they can be read, which takes as long as
    /// there are files: until priming has done that, questions find the files that they need by text.
    pub(super) fn expect_unverified_files(&self) {
        if self.on_demand {
            self.db.tables().set_may_have_unresolved_files(true);
        }
    }

    /// Loads files of libraries.
    pub(super) fn add_libraries(&mut self, files: Vec<(Arc<str>, Lang)>) {
        let mut loader = FileLoader {
            db: &self.db,
            sources: &mut self.sources,
            times: &mut self.load_times,
            progress: &|_| {},
        };
        loader.add(files, Origin::Library);
    }

    /// Computes layouts, loads the library files that they miss, and queues the units.
    pub(super) fn lay_out(
        &mut self,
        transaction: &mut Transaction,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        self.expect_unread_files();
        transaction.lays_out = true;
        let mut tried: FxHashSet<String> = FxHashSet::default();
        self.sources.disk.forget_dependencies();
        let languages = self.db.tables().languages();
        let mut layouts: Vec<Option<Layout>> = vec![None; languages.len()];
        loop {
            let started = Instant::now();
            for (language, layout) in languages.iter().zip(&mut layouts) {
                layout.get_or_insert_with(|| {
                    self.units
                        .plan(&self.db, transaction, *language, &self.sources)
                });
            }
            self.load_times.layout += started.elapsed();
            let mut loader = FileLoader {
                db: &self.db,
                sources: &mut self.sources,
                times: &mut self.load_times,
                progress,
            };
            let mut loaded = false;
            for (language, layout) in languages.iter().zip(&mut layouts) {
                // Files of its own language make a layout stale.
                if let Some(known) = layout.take() {
                    if loader.add_missing(&known, language.lang(), &mut tried) {
                        loaded = true;
                    } else {
                        *layout = Some(known);
                    }
                }
            }
            if loaded {
                continue;
            }
            let layouts = languages.iter().zip(layouts);
            let layouts = layouts
                .filter_map(|(language, layout)| Some((language.lang(), layout?)))
                .collect();
            let started = Instant::now();
            self.units
                .set(&self.db, transaction, &self.sources, layouts);
            self.load_times.layout += started.elapsed();
            return;
        }
    }
}

/// Reads and lowers files that the database does not have.
struct FileLoader<'a> {
    db: &'a RootDb,
    sources: &'a mut SourceFiles,
    times: &'a mut LoadTimes,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl FileLoader<'_> {
    /// Reads and lowers new files.
    fn add(&mut self, paths: Vec<(Arc<str>, Lang)>, origin: Origin) {
        let started = Instant::now();
        let before = self.sources.table.len();
        (self.progress)(Progress {
            phase: Phase::Read,
            done: before,
            total: before + paths.len(),
        });
        let disk = &self.sources.disk;
        let handles = vec![(); self.sources.threads.min(paths.len()).max(1)];
        let texts = parallel::each(handles, &paths, |(), (path, _)| disk.text(path));
        self.times.read += started.elapsed();
        self.add_texts(paths.into_iter().zip(texts).collect(), origin);
    }

    /// Lowers the texts of new files.
    fn add_texts(&mut self, texts: Vec<((Arc<str>, Lang), StampedText)>, origin: Origin) {
        // Files that only others import are found later: the total grows, and nothing starts again.
        let before = self.sources.table.len();
        let total = before + texts.len();
        let progress = self.progress;
        let lowering = |done| {
            progress(Progress {
                phase: Phase::Lower,
                done: before + done,
                total,
            })
        };
        let started = Instant::now();
        let sources = &mut *self.sources;
        let mut read = Vec::new();
        for ((path, lang), (stamp, text)) in texts {
            match text {
                Ok(text) => {
                    sources.vfs.set_disk(&path, DiskState::Text(text.clone()));
                    if stamp.is_some() {
                        // Every revision that has the file has this text.
                        let vfs_revision = 0;
                        let read = ReadFile {
                            stamp,
                            vfs_revision,
                        };
                        sources.stamps.set(&path, read);
                    }
                    read.push(lowering::UnloweredText {
                        printed: sources.printed(&path).into(),
                        path,
                        lang,
                        origin,
                        text,
                    });
                }
                Err(reason) => {
                    sources.note_unread_of(&path, origin, reason.to_string());
                    sources.vfs.set_disk(&path, DiskState::Unread(reason));
                }
            }
        }
        let made = lowering::create(self.db, sources.threads, &read, &lowering);
        for (text, file) in read.into_iter().zip(made) {
            match file {
                Some(file) => {
                    let entry = LoadedFile {
                        file,
                        lang: text.lang,
                        origin,
                        touched: false,
                        present: true,
                    };
                    Arc::make_mut(&mut sources.table).insert(text.path, entry);
                }
                None => sources.note_unread_of(&text.path, origin, lowering::BROKE.to_owned()),
            }
        }
        self.times.lower += started.elapsed();
    }

    /// Loads the library files that a layout lacks and that were not tried before. Returns whether there were
    /// any.
    fn add_missing(&mut self, layout: &Layout, lang: Lang, tried: &mut FxHashSet<String>) -> bool {
        let sources = &*self.sources;
        let mut missing: Vec<(Arc<str>, Lang)> = Vec::new();
        for dir in &layout.missing {
            if tried.insert(dir.clone()) {
                missing.extend(sources.disk.library(dir, lang));
            }
        }
        for file in &layout.missing_files {
            if tried.insert(file.clone()) {
                missing.push((file.as_str().into(), lang));
            }
        }
        missing.retain(|(path, _)| sources.may_be_library(path));
        missing.sort();
        missing.dedup();
        let texts: Vec<((Arc<str>, Lang), StampedText)> = layout
            .texts
            .iter()
            .filter(|(path, _)| sources.table.get(path).is_none())
            .filter(|(path, _)| tried.insert(path.clone()))
            .map(|&(ref path, text)| ((path.as_str().into(), lang), (None, Ok(text.into()))))
            .collect();
        let any = !(missing.is_empty() && texts.is_empty());
        if !texts.is_empty() {
            self.add_texts(texts, Origin::Library);
        }
        if !missing.is_empty() {
            self.add(missing, Origin::Library);
        }
        any
    }
}
