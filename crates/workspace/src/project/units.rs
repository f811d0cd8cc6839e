//! Layouts become inputs: units and how imports find them, compared before they are set.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_db::{
    Configuration, Db as _, EDITED_DURABILITY, File, ImportTables, Lang, LanguageConfig, Layout,
    LayoutFile, LayoutInput, NameId, Origin, PlannedUnit, RootDb, Setter as _, Unit, UnitGraph,
    UnitKind, base_durability,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::disk::WorkspaceDisk;
use super::files::{FileMap, printed};
use super::transaction::Transaction;

/// Every unit there has ever been, by what makes it the same one.
pub(super) type UnitMap = FxHashMap<UnitKey, Unit>;

/// What makes two plans the same unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct UnitKey {
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

/// Asks a language for the layout of the files that are present, with the headers that they will
/// have.
pub(super) fn plan(
    db: &RootDb,
    transaction: &Transaction,
    lang: &dyn codeweft_db::Language,
    root: &str,
    files: &FileMap,
    disk: &WorkspaceDisk,
    settings: &BTreeMap<String, String>,
) -> Layout {
    let mut input: Vec<LayoutFile<'_>> = files
        .iter()
        .filter(|(_, entry)| entry.present && entry.lang == lang.lang())
        .map(|(path, entry)| LayoutFile {
            path,
            origin: entry.origin,
            header: transaction.header(db, entry.file),
        })
        .collect();
    input.sort_unstable_by_key(|file| file.path);
    lang.layout(&LayoutInput {
        root,
        files: &input,
        names: &db.shared().names,
        reader: disk,
        settings,
    })
}

/// Has the inputs set that layouts speak of, where they differ.
pub(super) fn prepare(
    db: &RootDb,
    transaction: &mut Transaction,
    root: &str,
    files: &FileMap,
    units: &mut UnitMap,
    layouts: &[(Lang, Layout)],
) {
    let mut present: FxHashSet<Unit> = FxHashSet::default();
    let mut sorted: Vec<(Lang, String, UnitKind, String, Unit)> = Vec::new();
    let mut chains: Vec<Box<[u32]>> = Vec::new();
    let mut entries: Vec<String> = Vec::new();
    let mut tables: Vec<FxHashMap<NameId, Unit>> = Vec::new();
    let mut own: FxHashMap<Unit, Arc<[File]>> = FxHashMap::default();

    for (lang, layout) in layouts {
        let first_chain = chains.len() as u32;
        let first_table = tables.len() as u32;
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
                let (files, has_edited) = members(db, files, plan);
                let wanted = PlannedUnitRef {
                    lang: *lang,
                    plan,
                    name: db.shared().names.intern(&plan.name),
                    import_path: db.shared().names.intern(&plan.import_path),
                    dir: printed(root, &plan.dir).into(),
                    chain: first_chain + plan.chain,
                    files: files.clone(),
                    base,
                    companion,
                    has_edited,
                };
                let unit = match units.get(&UnitKey::of(*lang, plan)) {
                    Some(&unit) => {
                        wanted.set(db, transaction, unit);
                        unit
                    }
                    None => {
                        transaction.differs = true;
                        let unit = wanted.make(db);
                        units.insert(UnitKey::of(*lang, plan), unit);
                        unit
                    }
                };
                own.insert(unit, files);
                made[number] = Some(unit);
                by_dir.insert((&plan.dir, kind), unit);
                present.insert(unit);
                sorted.push((*lang, plan.name.clone(), kind, plan.dir.clone(), unit));
            }
        }
        for chain in &layout.chains {
            chains.push(chain.iter().map(|table| first_table + table).collect());
        }
        for table in &layout.tables {
            tables.push(
                table
                    .iter()
                    .filter_map(|(path, &number)| {
                        let unit = made.get(number).copied().flatten()?;
                        Some((db.shared().names.intern(path), unit))
                    })
                    .collect(),
            );
        }
        entries.extend(layout.entries.iter().cloned());
        if let Some(configuration) = &layout.configuration {
            set_configuration(db, transaction, *lang, configuration);
        }
    }

    empty_lost(db, transaction, units, &present);
    sorted.sort_unstable_by(|a, b| (&a.0, &a.1, &a.2, &a.3).cmp(&(&b.0, &b.1, &b.2, &b.3)));
    let sorted: Arc<[Unit]> = sorted.into_iter().map(|(.., unit)| unit).collect();
    let imports = ImportTables {
        chains: chains.into(),
        tables: tables.into(),
        entries: entries.into(),
    };
    let mut owners: FxHashMap<File, Unit> = FxHashMap::default();
    for &unit in sorted.iter() {
        // As they will be.
        for &file in own.get(&unit).into_iter().flat_map(|files| files.iter()) {
            owners.insert(file, unit);
        }
    }
    set_universe(db, transaction, sorted, imports, owners);
}

/// The files of a unit, and whether one of them was opened or edited.
fn members(db: &RootDb, files: &FileMap, plan: &PlannedUnit) -> (Arc<[File]>, bool) {
    let mut members: Vec<File> = Vec::new();
    let mut has_edited = false;
    let entries = plan
        .files
        .iter()
        .filter_map(|path| files.get(path.as_str()));
    for entry in entries.filter(|entry| entry.present) {
        members.push(entry.file);
        has_edited |= entry.touched;
    }
    members.sort_by(|a, b| a.path(db).as_bytes().cmp(b.path(db).as_bytes()));
    (members.into(), has_edited)
}

/// A unit as it should be.
struct PlannedUnitRef<'a> {
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

impl PlannedUnitRef<'_> {
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

/// A file of a unit was opened or edited.
pub(super) fn note_edited(db: &RootDb, transaction: &mut Transaction, unit: Unit) {
    if !unit.has_edited(db) {
        transaction.set_equal(move |db| {
            unit.set_has_edited(db)
                .with_durability(EDITED_DURABILITY)
                .to(true);
        });
    }
}

/// Units that no plan speaks of keep no files.
fn empty_lost(
    db: &RootDb,
    transaction: &mut Transaction,
    units: &UnitMap,
    present: &FxHashSet<Unit>,
) {
    for &unit in units.values() {
        if !present.contains(&unit) && !unit.files(db).is_empty() {
            let durability = base_durability(unit.origin(db));
            transaction.set(move |db| {
                unit.set_files(db)
                    .with_durability(durability)
                    .to(Arc::default());
            });
        }
    }
}

fn set_configuration(
    db: &RootDb,
    transaction: &mut Transaction,
    lang: Lang,
    wanted: &Arc<Configuration>,
) {
    let durability = base_durability(Origin::Library);
    match LanguageConfig::of(db, lang) {
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
            db.shared().configurations.insert(lang, config);
        }
    }
}

fn set_universe(
    db: &RootDb,
    transaction: &mut Transaction,
    units: Arc<[Unit]>,
    imports: ImportTables,
    owners: FxHashMap<File, Unit>,
) {
    let durability = base_durability(Origin::Workspace);
    let Some(universe) = UnitGraph::try_get(db) else {
        transaction.differs = true;
        let _ = UnitGraph::builder(units, Arc::new(imports), Arc::new(owners))
            .durability(durability)
            .new(db);
        return;
    };
    if *universe.units(db) != units {
        transaction.set(move |db| {
            universe.set_units(db).with_durability(durability).to(units);
        });
    }
    if **universe.imports(db) != imports {
        let imports = Arc::new(imports);
        transaction.set(move |db| {
            universe
                .set_imports(db)
                .with_durability(durability)
                .to(imports);
        });
    }
    if **universe.owners(db) != owners {
        let owners = Arc::new(owners);
        transaction.set(move |db| {
            universe
                .set_owners(db)
                .with_durability(durability)
                .to(owners);
        });
    }
}
