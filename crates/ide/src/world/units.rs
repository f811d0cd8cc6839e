//! Layouts become inputs: units and how imports find them, compared before they are set.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{
    Db as _, File, GoConfig, ImportTables, Lang, Layout, LayoutFile, LayoutInput, NameId, Origin,
    RootDb, Setter as _, Unit, UnitKind, UnitPlan, Universe, base_durability,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FileMap, disk::Disk, printed};

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
    fn of(lang: Lang, plan: &UnitPlan) -> UnitKey {
        UnitKey {
            lang,
            kind: plan.kind,
            dir: plan.dir.clone(),
            import_path: plan.import_path.clone(),
        }
    }
}

/// Asks a language for the layout of the files that are present.
pub(super) fn plan(
    db: &RootDb,
    lang: &dyn codeweft_db::Language,
    root: &str,
    files: &FileMap,
    disk: &Disk,
    settings: &BTreeMap<String, String>,
) -> Layout {
    let mut input: Vec<LayoutFile<'_>> = files
        .iter()
        .filter(|(_, entry)| entry.present && entry.lang == lang.lang())
        .map(|(path, entry)| LayoutFile {
            path,
            origin: entry.origin,
            header: entry.file.header(db),
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

/// Sets the inputs that layouts speak of, where they differ. Whether any did.
pub(super) fn apply(
    db: &mut RootDb,
    root: &str,
    files: &FileMap,
    units: &mut UnitMap,
    layouts: &[(Lang, Layout)],
) -> bool {
    let mut changed = false;
    let mut present: FxHashSet<Unit> = FxHashSet::default();
    let mut sorted: Vec<(Lang, String, UnitKind, String, Unit)> = Vec::new();
    let mut chains: Vec<Box<[u32]>> = Vec::new();
    let mut tables: Vec<FxHashMap<NameId, Unit>> = Vec::new();

    for (lang, layout) in layouts {
        let first_chain = chains.len() as u32;
        let first_table = tables.len() as u32;
        let mut made: Vec<Option<Unit>> = vec![None; layout.units.len()];
        let mut by_dir: FxHashMap<(&str, UnitKind), Unit> = FxHashMap::default();
        // A test unit names its base, so bases are made first.
        for kind in [UnitKind::Base, UnitKind::InTest, UnitKind::XTest] {
            for (number, plan) in layout.units.iter().enumerate() {
                if plan.kind != kind {
                    continue;
                }
                let sister = |kind| by_dir.get(&(plan.dir.as_str(), kind)).copied();
                let base = match kind {
                    UnitKind::Base => None,
                    _ => sister(UnitKind::Base),
                };
                let in_test = match kind {
                    UnitKind::XTest => sister(UnitKind::InTest),
                    _ => None,
                };
                let wanted = Wanted {
                    lang: *lang,
                    plan,
                    name: db.shared().names.intern(&plan.name),
                    import_path: db.shared().names.intern(&plan.import_path),
                    dir: printed(root, &plan.dir, plan.origin).into(),
                    chain: first_chain + plan.chain,
                    files: members(db, files, plan),
                    base,
                    in_test,
                };
                let unit = match units.get(&UnitKey::of(*lang, plan)) {
                    Some(&unit) => {
                        changed |= wanted.set(db, unit);
                        unit
                    }
                    None => {
                        changed = true;
                        let unit = wanted.make(db);
                        units.insert(UnitKey::of(*lang, plan), unit);
                        unit
                    }
                };
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
        if let Some(settings) = &layout.go {
            changed |= set_go(db, settings);
        }
    }

    changed |= empty_lost(db, units, &present);
    sorted.sort_unstable_by(|a, b| (&a.0, &a.1, &a.2, &a.3).cmp(&(&b.0, &b.1, &b.2, &b.3)));
    let sorted: Arc<[Unit]> = sorted.into_iter().map(|(.., unit)| unit).collect();
    let imports = ImportTables {
        chains: chains.into(),
        tables: tables.into(),
    };
    let mut owners: FxHashMap<File, Unit> = FxHashMap::default();
    for &unit in sorted.iter() {
        for &file in unit.files(db).iter() {
            owners.insert(file, unit);
        }
    }
    changed | set_universe(db, sorted, imports, owners)
}

fn members(db: &RootDb, files: &FileMap, plan: &UnitPlan) -> Arc<[File]> {
    let mut members: Vec<File> = plan
        .files
        .iter()
        .filter_map(|path| files.get(path.as_str()))
        .filter(|entry| entry.present)
        .map(|entry| entry.file)
        .collect();
    members.sort_by(|a, b| a.path(db).as_bytes().cmp(b.path(db).as_bytes()));
    members.into()
}

/// A unit as it should be.
struct Wanted<'a> {
    lang: Lang,
    plan: &'a UnitPlan,
    name: NameId,
    import_path: NameId,
    dir: Arc<str>,
    chain: u32,
    files: Arc<[File]>,
    base: Option<Unit>,
    in_test: Option<Unit>,
}

impl Wanted<'_> {
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
            self.in_test,
        )
        .durability(base_durability(self.plan.origin))
        .new(db)
    }

    fn set(self, db: &mut RootDb, unit: Unit) -> bool {
        let durability = base_durability(self.plan.origin);
        let mut changed = false;
        macro_rules! set {
            ($get:ident, $set:ident, $value:expr, $same:expr) => {
                if !$same {
                    unit.$set(db).with_durability(durability).to($value);
                    changed = true;
                }
            };
        }
        set!(name, set_name, self.name, unit.name(db) == self.name);
        set!(
            origin,
            set_origin,
            self.plan.origin,
            unit.origin(db) == self.plan.origin
        );
        set!(dir, set_dir, self.dir, *unit.dir(db) == self.dir);
        set!(chain, set_chain, self.chain, unit.chain(db) == self.chain);
        set!(files, set_files, self.files, *unit.files(db) == self.files);
        set!(base, set_base, self.base, unit.base(db) == self.base);
        set!(
            in_test,
            set_in_test,
            self.in_test,
            unit.in_test(db) == self.in_test
        );
        changed
    }
}

/// Units that no plan speaks of keep no files.
fn empty_lost(db: &mut RootDb, units: &UnitMap, present: &FxHashSet<Unit>) -> bool {
    let mut changed = false;
    for &unit in units.values() {
        if !present.contains(&unit) && !unit.files(db).is_empty() {
            let durability = base_durability(unit.origin(db));
            unit.set_files(db)
                .with_durability(durability)
                .to(Arc::default());
            changed = true;
        }
    }
    changed
}

fn set_go(db: &mut RootDb, settings: &codeweft_db::GoSettings) -> bool {
    match GoConfig::try_get(db) {
        Some(config) if **config.settings(db) == *settings => false,
        Some(config) => {
            config
                .set_settings(db)
                .with_durability(base_durability(Origin::Library))
                .to(Arc::new(settings.clone()));
            true
        }
        None => {
            let _ = GoConfig::builder(Arc::new(settings.clone()))
                .durability(base_durability(Origin::Library))
                .new(db);
            true
        }
    }
}

fn set_universe(
    db: &mut RootDb,
    units: Arc<[Unit]>,
    imports: ImportTables,
    owners: FxHashMap<File, Unit>,
) -> bool {
    let durability = base_durability(Origin::Workspace);
    let Some(universe) = Universe::try_get(db) else {
        let _ = Universe::builder(units, Arc::new(imports), Arc::new(owners))
            .durability(durability)
            .new(db);
        return true;
    };
    let mut changed = false;
    if *universe.units(db) != units {
        universe.set_units(db).with_durability(durability).to(units);
        changed = true;
    }
    if **universe.imports(db) != imports {
        universe
            .set_imports(db)
            .with_durability(durability)
            .to(Arc::new(imports));
        changed = true;
    }
    if **universe.owners(db) != owners {
        universe
            .set_owners(db)
            .with_durability(durability)
            .to(Arc::new(owners));
        changed = true;
    }
    changed
}
