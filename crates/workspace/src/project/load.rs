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

use codeweft_db::{Lang, Language, Layout, Origin, RootDb};
use codeweft_vfs::{DEFAULT_MAX_SIZE, DiskState, RootError, Vfs};
use rustc_hash::{FxHashMap, FxHashSet};

use super::database::ProjectDatabase;
use super::disk::{StampedText, WalkOutcome, WorkspaceDisk, coding_lines};
use super::files::{LoadedFile, printed};
use super::progress::{LoadTimes, Phase, Progress};
use super::stamps::ReadFile;
use super::transaction::Transaction;
use super::unread::UnreadFile;
use super::{lowering, units};
use crate::parallel;

/// The options of a load.
pub struct LoadOptions<'a> {
    /// The root of the workspace; see [`crate::root`].
    pub root: PathBuf,
    /// Settings by key; see [`crate::settings::Settings::values`].
    pub settings: BTreeMap<String, String>,
    /// How many threads to use; 0 for one per core.
    pub threads: usize,
    /// The environment; `None` for that of this process.
    pub variables: Option<BTreeMap<String, String>>,
    /// The languages to read.
    pub languages: &'static [&'static dyn Language],
    /// Whether the database records executed queries, for tests.
    pub recording: bool,
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
            progress: &|_| {},
        }
    }
}

/// The number of edited files whose syntax trees are kept, without large ones.
const MAX_TREES: usize = 4;

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
        let vfs = Vfs::new(DEFAULT_MAX_SIZE, coding_lines(options.languages));
        let mut database = ProjectDatabase::load_with(options, Arc::new(vfs))?;
        database.vfs_revision = database.vfs.revision();
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
        let (db, recording) = match options.recording {
            true => {
                let (db, recording) = RootDb::recording(options.languages);
                (db, Some(recording))
            }
            false => (RootDb::new(options.languages), None),
        };
        let mut database = ProjectDatabase {
            db,
            recording,
            disk: WorkspaceDisk::new(
                &root,
                options.languages,
                options.variables,
                &options.settings,
            ),
            root: root.into(),
            settings: options.settings,
            threads,
            stamps: Arc::default(),
            stale: false,
            vfs,
            vfs_revision: 0,
            files: Arc::default(),
            units: FxHashMap::default(),
            revision: 0,
            trees: lowering::RecentTrees::of(MAX_TREES),
            last_lowered: FxHashMap::default(),
            cache: Arc::default(),
            unread: Arc::default(),
            unsaved: Arc::default(),
            notes: Vec::new(),
            load_times: LoadTimes::default(),
        };

        let started = Instant::now();
        (options.progress)(Progress {
            phase: Phase::Walk,
            done: 0,
            total: 0,
        });
        let WalkOutcome { files, unread } = database.disk.walk();
        Arc::make_mut(&mut database.unread).set_walked(unread);
        database.load_times.walk = started.elapsed();
        database.add(files, Origin::Workspace, options.progress);
        let mut transaction = Transaction::default();
        database.lay_out(&mut transaction, options.progress);
        transaction.apply(&mut database.db);
        database.revision = 1;
        Ok(database)
    }

    /// Reads and lowers new files.
    fn add(
        &mut self,
        paths: Vec<(Arc<str>, Lang)>,
        origin: Origin,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        let started = Instant::now();
        let total = paths.len();
        progress(Progress {
            phase: Phase::Read,
            done: 0,
            total,
        });
        let disk = &self.disk;
        let handles = vec![(); self.threads.min(total).max(1)];
        let texts = parallel::each(handles, &paths, |(), (path, _)| disk.text(path));
        self.load_times.read += started.elapsed();
        self.add_texts(paths.into_iter().zip(texts).collect(), origin, progress);
    }

    /// Lowers the texts of new files.
    fn add_texts(
        &mut self,
        texts: Vec<((Arc<str>, Lang), StampedText)>,
        origin: Origin,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        let total = texts.len();
        let lowering = |done| {
            progress(Progress {
                phase: Phase::Lower,
                done,
                total,
            })
        };
        let started = Instant::now();
        let mut read = Vec::new();
        for ((path, lang), (stamp, text)) in texts {
            let shown = printed(&self.root, &path);
            match text {
                Ok(text) => {
                    self.vfs.set_disk(&path, DiskState::Text(text.clone()));
                    if stamp.is_some() {
                        // Every revision that has the file has this text.
                        self.stamps.set(
                            &path,
                            ReadFile {
                                stamp,
                                vfs_revision: 0,
                            },
                        );
                    }
                    read.push(lowering::UnloweredText {
                        printed: shown.into(),
                        path,
                        lang,
                        origin,
                        text,
                    });
                }
                Err(reason) => {
                    let unread = UnreadFile {
                        file: shown.to_owned(),
                        reason: reason.to_string(),
                        hides: origin == Origin::Workspace,
                    };
                    Arc::make_mut(&mut self.unread).set(&path, unread);
                    self.vfs.set_disk(&path, DiskState::LeftOut(reason));
                }
            }
        }
        let made = lowering::create(&self.db, self.threads, &read, &lowering);
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
                    Arc::make_mut(&mut self.files).insert(text.path, entry);
                }
                None => Arc::make_mut(&mut self.unread).set(
                    &text.path,
                    UnreadFile {
                        file: text.printed.to_string(),
                        reason: lowering::BROKE.to_owned(),
                        hides: origin == Origin::Workspace,
                    },
                ),
            }
        }
        self.load_times.lower += started.elapsed();
    }

    /// Computes layouts, loads the library files that they miss, and queues the units.
    pub(super) fn lay_out(
        &mut self,
        transaction: &mut Transaction,
        progress: &(dyn Fn(Progress) + Sync),
    ) {
        let mut tried: FxHashSet<String> = FxHashSet::default();
        self.disk.forget_dependencies();
        let languages = self.db.tables().languages();
        let mut layouts: Vec<Option<Layout>> = vec![None; languages.len()];
        loop {
            let started = Instant::now();
            for (language, layout) in languages.iter().zip(&mut layouts) {
                layout.get_or_insert_with(|| {
                    units::plan(
                        &self.db,
                        transaction,
                        *language,
                        &self.root,
                        &self.files,
                        &self.disk,
                        &self.settings,
                    )
                });
            }
            self.load_times.layout += started.elapsed();
            let mut loaded = false;
            for (language, layout) in languages.iter().zip(&mut layouts) {
                // Files of its own language make a layout stale.
                if let Some(known) = layout.take() {
                    match self.load_missing(&known, language.lang(), &mut tried, progress) {
                        true => loaded = true,
                        false => *layout = Some(known),
                    }
                }
            }
            if loaded {
                continue;
            }
            let layouts: Vec<(Lang, Layout)> = languages
                .iter()
                .zip(layouts)
                .filter_map(|(language, layout)| Some((language.lang(), layout?)))
                .collect();
            let started = Instant::now();
            units::prepare(
                &self.db,
                transaction,
                &self.root,
                &self.files,
                &mut self.units,
                &layouts,
            );
            self.notes = layouts
                .into_iter()
                .flat_map(|(_, layout)| layout.notes)
                .collect();
            self.load_times.layout += started.elapsed();
            return;
        }
    }

    /// Returns whether a file may be read as a library's: it was not read already, and is no file of the
    /// workspace that cannot be read. One that the workspace excludes may be.
    fn may_be_library(&self, path: &str) -> bool {
        self.files.get(path).is_none_or(|entry| !entry.present)
            && !self.unread.is_of_workspace(path)
    }

    /// Loads the library files that a layout lacks and that were not tried before. Returns whether there were
    /// any.
    fn load_missing(
        &mut self,
        layout: &Layout,
        lang: Lang,
        tried: &mut FxHashSet<String>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> bool {
        let mut missing: Vec<(Arc<str>, Lang)> = Vec::new();
        for dir in &layout.missing {
            if tried.insert(dir.clone()) {
                missing.extend(self.disk.library(dir, lang));
            }
        }
        for file in &layout.missing_files {
            if tried.insert(file.clone()) {
                missing.push((file.as_str().into(), lang));
            }
        }
        missing.retain(|(path, _)| self.may_be_library(path));
        missing.sort();
        missing.dedup();
        let texts: Vec<((Arc<str>, Lang), StampedText)> = layout
            .texts
            .iter()
            .filter(|(path, _)| !self.files.contains_key(path.as_str()))
            .filter(|(path, _)| tried.insert(path.clone()))
            .map(|&(ref path, text)| ((path.as_str().into(), lang), (None, Ok(text.into()))))
            .collect();
        let any = !(missing.is_empty() && texts.is_empty());
        if !texts.is_empty() {
            self.add_texts(texts, Origin::Library, progress);
        }
        if !missing.is_empty() {
            self.add(missing, Origin::Library, progress);
        }
        any
    }
}
