//! The unit graph: layouts of the languages become salsa inputs, compared before they are set.
//!
//! ```text
//! files + headers ──> Language::layout ──> Layout { units, chains, tables } of each language
//!                                            │ a unit is the same if language, kind, folder and import path are
//!                                            └──> Unit inputs, UnitGraph { units, imports, owners }, LanguageConfig
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_db::{
    Configuration, Db as _, EDITED_DURABILITY, File, ImportTables, Lang, Language, LanguageConfig,
    Layout, LayoutFile, LayoutInput, NameId, Origin, PlannedUnit, RootDb, Setter as _, Unit,
    UnitGraph, UnitKind, base_durability,
};
use rustc_hash::FxHashMap;

use super::allowed_secrets;
use super::files::{FileTable, printed};
use super::sources::SourceFiles;
use super::transaction::Transaction;

/// Computes layouts and keeps the units that they were made into.
pub(super) struct UnitGraphBuilder {
    /// Settings by key, for the languages.
    settings: BTreeMap<String, String>,
    /// Every unit that there has ever been.
    units: FxHashMap<UnitKey, Unit>,
    /// See [`super::ProjectDatabase::notes`].
    notes: Vec<(String, String)>,
}

/// The identity of a unit: two plans with the same key are the same unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct UnitKey {
    lang: Lang,
    kind: UnitKind,
    dir: String,
    import_path: String,
}

impl UnitKey {
    fn of(lang: Lang, plan: &PlannedUnit) -> UnitKey {
        UnitKey {
            lang,
            kind: plan.kind,
            dir: plan.dir.clone(),
            import_path: plan.import_path.clone(),
        }
    }
}

impl UnitGraphBuilder {
    /// Returns a builder without units, for these settings.
    pub(super) fn new(settings: BTreeMap<String, String>) -> UnitGraphBuilder {
        UnitGraphBuilder {
            settings,
            units: FxHashMap::default(),
            notes: Vec::new(),
        }
    }

    /// Returns the settings by key.
    pub(super) fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// Replaces the settings for the next layouts.
    pub(super) fn set_settings(&mut self, settings: BTreeMap<String, String>) {
        self.settings = settings;
    }

    /// Returns the notes of the last layouts for users: (path, words).
    pub(super) fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// Computes the layout of a language from the files that are present, with the headers that they will have
    /// after the transaction.
    pub(super) fn plan(
        &self,
        db: &RootDb,
        transaction: &Transaction,
        language: &dyn Language,
        sources: &SourceFiles,
    ) -> Layout {
        let present = sources.table.present();
        let mut files: Vec<LayoutFile<'_>> = present
            .filter(|(_, entry)| entry.lang == language.lang())
            .map(|(path, entry)| LayoutFile {
                path,
                origin: entry.origin,
                header: transaction.header(db, entry.file),
            })
            .collect();
        files.sort_unstable_by_key(|file| file.path);
        language.layout(&LayoutInput {
            root: &sources.root,
            files: &files,
            names: &db.shared().names,
            reader: &*sources.disk,
            settings: &self.settings,
        })
    }

    /// Queues the inputs that layouts determine, where they differ, and keeps the notes of the layouts.
    pub(super) fn set(
        &mut self,
        db: &RootDb,
        transaction: &mut Transaction,
        sources: &SourceFiles,
        layouts: Vec<(Lang, Layout)>,
    ) {
        let mut next = NextUnitGraph::default();
        for (lang, layout) in &layouts {
            let made = self.set_units(db, transaction, sources, &mut next, *lang, layout);
            next.add_imports(db, layout, &made);
            if let Some(configuration) = &layout.configuration {
                set_configuration(db, transaction, *lang, configuration);
            }
        }
        self.empty_lost(db, transaction, &next);
        next.set(db, transaction);
        set_documents(db, transaction, sources.table.documents());
        let wrong = allowed_secrets::set(db, transaction, sources, &self.settings);
        let notes = layouts.into_iter().flat_map(|(_, layout)| layout.notes);
        self.notes = notes.chain(wrong).collect();
    }

    /// Makes or changes the units of a layout. Returns them in the order of the layout.
    fn set_units(
        &mut self,
        db: &RootDb,
        transaction: &mut Transaction,
        sources: &SourceFiles,
        next: &mut NextUnitGraph,
        lang: Lang,
        layout: &Layout,
    ) -> Vec<Option<Unit>> {
        let first_chain = next.chains.len() as u32;
        let mut made: Vec<Option<Unit>> = vec![None; layout.units.len()];
        let mut by_dir: FxHashMap<(&str, UnitKind), Unit> = FxHashMap::default();
        // A companion names its base, so bases are made first.
        let kinds: BTreeSet<UnitKind> = layout.units.iter().map(|plan| plan.kind).collect();
        for &kind in &kinds {
            for (number, plan) in layout.units.iter().enumerate() {
                if plan.kind != kind {
                    continue;
                }
                let sister = |kind| by_dir.get(&(plan.dir.as_str(), kind)).copied();
                let base = match kind {
                    UnitKind::BASE => None,
                    _ => sister(UnitKind::BASE),
                };
                let before = kinds.range(..kind).rev().copied();
                let mut companions = before.filter(|&other| other != UnitKind::BASE);
                let companion = companions.find_map(sister);
                let (files, has_edited) = members(db, &sources.table, plan);
                let wanted = WantedUnit {
                    lang,
                    plan,
                    name: db.shared().names.intern(&plan.name),
                    import_path: db.shared().names.intern(&plan.import_path),
                    dir: printed(&sources.root, &plan.dir).into(),
                    chain: first_chain + plan.chain,
                    files: files.clone(),
                    base,
                    companion,
                    has_edited,
                };
                let unit = match self.units.get(&UnitKey::of(lang, plan)) {
                    Some(&unit) => {
                        wanted.set(db, transaction, unit);
                        unit
                    }
                    None => {
                        transaction.differs = true;
                        let unit = wanted.make(db);
                        self.units.insert(UnitKey::of(lang, plan), unit);
                        unit
                    }
                };
                made[number] = Some(unit);
                by_dir.insert((&plan.dir, kind), unit);
                let order = (lang, plan.name.clone(), kind, plan.dir.clone());
                next.units.push((order, unit));
                next.files.insert(unit, files);
            }
        }
        made
    }

    /// Takes the files from units that are in no layout any more.
    fn empty_lost(&self, db: &RootDb, transaction: &mut Transaction, next: &NextUnitGraph) {
        for &unit in self.units.values() {
            if !next.files.contains_key(&unit) && !unit.files(db).is_empty() {
                let durability = base_durability(unit.origin(db));
                transaction.set(move |db| {
                    unit.set_files(db)
                        .with_durability(durability)
                        .to(Arc::default());
                });
            }
        }
    }
}

/// The inputs of the next [`UnitGraph`], collected over the languages.
#[derive(Default)]
struct NextUnitGraph {
    /// The units with what they are sorted by: language, name, kind, folder.
    units: Vec<((Lang, String, UnitKind, String), Unit)>,
    /// The files of each unit, sorted by path.
    files: FxHashMap<Unit, Arc<[File]>>,
    /// See [`ImportTables`].
    chains: Vec<Box<[u32]>>,
    entries: Vec<String>,
    scripts: Vec<String>,
    distributed: Vec<String>,
    tables: Vec<FxHashMap<NameId, Unit>>,
}

impl NextUnitGraph {
    /// Adds the import tables of a layout, whose units are `made`. Numbers of tables go on from those of earlier
    /// layouts.
    fn add_imports(&mut self, db: &RootDb, layout: &Layout, made: &[Option<Unit>]) {
        let first_table = self.tables.len() as u32;
        for chain in &layout.chains {
            let tables = chain.iter().map(|table| first_table + table);
            self.chains.push(tables.collect());
        }
        for table in &layout.tables {
            let units = table.iter().filter_map(|(path, &number)| {
                let unit = made.get(number).copied().flatten()?;
                Some((db.shared().names.intern(path), unit))
            });
            self.tables.push(units.collect());
        }
        self.entries.extend(layout.entries.iter().cloned());
        self.scripts.extend(layout.scripts.iter().cloned());
        self.distributed.extend(layout.distributed.iter().cloned());
    }

    /// Queues the inputs of the unit graph that differ.
    fn set(self, db: &RootDb, transaction: &mut Transaction) {
        let NextUnitGraph {
            mut units,
            files,
            chains,
            entries,
            scripts,
            distributed,
            tables,
        } = self;
        units.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let units: Arc<[Unit]> = units.into_iter().map(|(_, unit)| unit).collect();
        let imports = ImportTables {
            chains: chains.into(),
            tables: tables.into(),
            entries: entries.into(),
            scripts: scripts.into(),
            distributed: distributed.into(),
        };
        let mut owners: FxHashMap<File, Unit> = FxHashMap::default();
        for &unit in units.iter() {
            // The files that the unit will have after the transaction.
            for &file in files.get(&unit).into_iter().flat_map(|files| files.iter()) {
                owners.insert(file, unit);
            }
        }
        set_unit_graph(db, transaction, units, imports, owners);
    }
}

/// Returns the files of a planned unit that are present, sorted by path, and whether one of them was opened or
/// edited.
fn members(db: &RootDb, files: &FileTable, plan: &PlannedUnit) -> (Arc<[File]>, bool) {
    let mut members: Vec<File> = Vec::new();
    let mut has_edited = false;
    let entries = plan.files.iter().filter_map(|path| files.get(path));
    for entry in entries.filter(|entry| entry.present) {
        members.push(entry.file);
        has_edited |= entry.touched;
    }
    members.sort_by(|a, b| a.path(db).as_bytes().cmp(b.path(db).as_bytes()));
    (members.into(), has_edited)
}

/// The values that the inputs of a unit shall have.
struct WantedUnit<'a> {
    lang: Lang,
    plan: &'a PlannedUnit,
    name: NameId,
    import_path: NameId,
    dir: Arc<str>,
    chain: u32,
    files: Arc<[File]>,
    base: Option<Unit>,
    companion: Option<Unit>,
    has_edited: bool,
}

impl WantedUnit<'_> {
    /// Makes a new unit with these values.
    fn make(self, db: &RootDb) -> Unit {
        Unit::builder(
            self.lang,
            self.name,
            self.import_path,
            self.plan.kind,
            self.dir,
            self.plan.origin,
            self.chain,
            self.files,
            self.base,
            self.companion,
        )
        .has_edited(self.has_edited)
        .durability(base_durability(self.plan.origin))
        .has_edited_durability(EDITED_DURABILITY)
        .new(db)
    }

    /// Queues the inputs of an existing unit that differ.
    fn set(self, db: &RootDb, transaction: &mut Transaction, unit: Unit) {
        let durability = base_durability(self.plan.origin);
        macro_rules! set {
            ($set:ident, $value:expr, $now:expr) => {
                let value = $value;
                if $now != value {
                    transaction.set(move |db| {
                        unit.$set(db).with_durability(durability).to(value);
                    });
                }
            };
        }
        set!(set_name, self.name, unit.name(db));
        set!(set_origin, self.plan.origin, unit.origin(db));
        set!(set_dir, self.dir, *unit.dir(db));
        set!(set_chain, self.chain, unit.chain(db));
        set!(set_files, self.files, *unit.files(db));
        set!(set_base, self.base, unit.base(db));
        set!(set_companion, self.companion, unit.companion(db));
        if self.has_edited {
            note_edited(db, transaction, unit);
        }
    }
}

/// Marks a unit as edited: one of its files was opened or edited.
pub(super) fn note_edited(db: &RootDb, transaction: &mut Transaction, unit: Unit) {
    if !unit.has_edited(db) {
        transaction.set_equal(move |db| {
            unit.set_has_edited(db)
                .with_durability(EDITED_DURABILITY)
                .to(true);
        });
    }
}

/// Queues the build configuration of a language, if it differs.
fn set_configuration(
    db: &RootDb,
    transaction: &mut Transaction,
    lang: Lang,
    wanted: &Arc<Configuration>,
) {
    let durability = base_durability(Origin::Library);
    match db.shared().configuration(lang) {
        Some(config) if **config.value(db) == **wanted => {}
        Some(config) => {
            let wanted = wanted.clone();
            transaction.set(move |db| {
                config.set_value(db).with_durability(durability).to(wanted);
            });
        }
        None => {
            transaction.differs = true;
            let config = LanguageConfig::builder(wanted.clone())
                .durability(durability)
                .new(db);
            db.shared().add_configuration(lang, config);
        }
    }
}

/// Queues the documents of the workspace, if they differ. Their durability is that of the units.
fn set_documents(db: &RootDb, transaction: &mut Transaction, documents: Vec<File>) {
    let before = UnitGraph::try_get(db);
    let before = before.map_or(&[][..], |graph| &**graph.documents(db));
    if before == documents {
        return;
    }
    transaction.set(move |db| {
        // The transaction has made the graph, if there was none.
        if let Some(graph) = UnitGraph::try_get(db) {
            graph
                .set_documents(db)
                .with_durability(base_durability(Origin::Workspace))
                .to(documents.into());
        }
    });
}

/// Queues the inputs of the unit graph that differ.
fn set_unit_graph(
    db: &RootDb,
    transaction: &mut Transaction,
    units: Arc<[Unit]>,
    imports: ImportTables,
    owners: FxHashMap<File, Unit>,
) {
    let durability = base_durability(Origin::Workspace);
    let Some(graph) = UnitGraph::try_get(db) else {
        transaction.differs = true;
        let _ = UnitGraph::builder(units, Arc::new(imports), Arc::new(owners))
            .durability(durability)
            .new(db);
        return;
    };
    if *graph.units(db) != units {
        transaction.set(move |db| {
            graph.set_units(db).with_durability(durability).to(units);
        });
    }
    if **graph.imports(db) != imports {
        let imports = Arc::new(imports);
        transaction.set(move |db| {
            graph
                .set_imports(db)
                .with_durability(durability)
                .to(imports);
        });
    }
    if **graph.owners(db) != owners {
        let owners = Arc::new(owners);
        transaction.set(move |db| {
            graph.set_owners(db).with_durability(durability).to(owners);
        });
    }
}
