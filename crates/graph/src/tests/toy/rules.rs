//! Name resolution and method sets of the toy language.

use codeweft_db::Semantics as _;
use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, MethodRow, SymbolClass, SymbolId, SymbolKey, TypeRow,
    Unit, UnitGraph,
};

use super::Toy;
use super::text::{Declared, declared, lines};

impl Toy {
    pub(super) fn unit_of(&self, db: &dyn Db, file: File) -> Unit {
        UnitGraph::get(db).owners(db)[&file]
    }

    pub(super) fn base(&self, db: &dyn Db, unit: Unit) -> Unit {
        match unit.kind(db) {
            super::IN_TEST => unit.base(db).unwrap_or(unit),
            _ => unit,
        }
    }

    pub(super) fn intern(
        &self,
        db: &dyn Db,
        unit: Unit,
        parent: Option<SymbolId>,
        class: SymbolClass,
        name: &str,
        nth: Disambiguator,
    ) -> SymbolId {
        let shared = db.shared();
        shared.symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Unit(unit),
            parent,
            class,
            name: shared.names.intern(name),
            disambiguator: nth,
        })
    }

    pub(super) fn type_named(&self, db: &dyn Db, unit: Unit, name: &str) -> SymbolId {
        let home = self.base(db, unit);
        let in_unit = |unit: Unit| {
            self.files(db, unit).iter().any(|file| {
                lines(file.text(db)).iter().any(|line| {
                    declared(line)
                        .is_some_and(|it| it.class == SymbolClass::Type && it.name == name)
                })
            })
        };
        let unit = if in_unit(home) { home } else { unit };
        self.intern(db, unit, None, SymbolClass::Type, name, Disambiguator::ONLY)
    }

    pub(super) fn symbol(
        &self,
        db: &dyn Db,
        unit: Unit,
        file: File,
        it: &Declared<'_>,
        n: u32,
    ) -> SymbolId {
        let parent = it.parent.map(|parent| self.type_named(db, unit, parent));
        let nth = match it.name {
            "init" => Disambiguator {
                file: Some(db.shared().names.intern(file.path(db))),
                n,
            },
            _ => Disambiguator::ONLY,
        };
        self.intern(db, unit, parent, it.class, it.name, nth)
    }

    /// Resolves a written name in a unit.
    pub(super) fn resolve(&self, db: &dyn Db, unit: Unit, written: &str) -> Option<SymbolId> {
        let universe = UnitGraph::get(db);
        let mut around: Vec<(Unit, &str)> = Vec::new();
        for &other in universe.units(db).iter() {
            let name = db.shared().names.text(other.name(db));
            if other.lang(db) == self.lang
                && let Some(rest) = written.strip_prefix(name)
                && let Some(rest) = rest.strip_prefix('.')
            {
                around.push((other, rest));
            }
        }
        around.sort_by_key(|(_, rest)| rest.len());
        around.push((unit, written));
        around.push((self.base(db, unit), written));
        for (unit, rest) in around {
            let symbols = self.symbols(db, unit);
            let (parent, name) = match rest.split_once('.') {
                Some((parent, name)) => (Some(parent), name),
                None => (None, rest),
            };
            let name = db.shared().names.get(name)?;
            let found = symbols.named(name).find_map(|row| {
                let symbol = symbols.rows[row as usize].symbol;
                let key = db.shared().symbols.key(symbol);
                let of = key
                    .parent
                    .map(|parent| db.shared().symbols.key(parent).name);
                let wanted = parent.and_then(|parent| db.shared().names.get(parent));
                (key.class != SymbolClass::Package && of == wanted).then_some(symbol)
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Returns the own and promoted methods of a type or interface, as a unit sees them.
    pub(super) fn methods(
        &self,
        db: &dyn Db,
        view: Unit,
        ty: SymbolId,
        depth: u32,
    ) -> Vec<MethodRow> {
        let shared = db.shared();
        let key = shared.symbols.key(ty);
        let DeclaredIn::Unit(home) = key.declared_in else {
            return Vec::new();
        };
        let mut units = vec![home];
        if view != home && view.base(db) == Some(home) {
            units.push(view);
        }
        let mut methods: Vec<MethodRow> = Vec::new();
        let mut embedded = Vec::new();
        for &unit in &units {
            for &file in self.files(db, unit).iter() {
                for line in lines(file.text(db)) {
                    let word = |n: usize| line.words.get(n).map_or("", |word| word.text);
                    let own = Some(key.name);
                    match word(0) {
                        "method" | "abstract" => {
                            let Some(it) = declared(&line) else { continue };
                            if it.parent.and_then(|name| shared.names.get(name)) == own {
                                methods.push(MethodRow {
                                    name: shared.names.intern(it.name),
                                    signature: word(2).parse().unwrap_or(0),
                                    symbol: self.symbol(db, unit, file, &it, 0),
                                    by_value: !word(1).starts_with('*'),
                                });
                            }
                        }
                        "embed" if shared.names.get(word(1)) == own => {
                            embedded.extend(self.resolve(db, unit, word(2)));
                        }
                        _ => {}
                    }
                }
            }
        }
        if depth < 4 {
            for other in embedded {
                for method in self.methods(db, view, other, depth + 1) {
                    if methods.iter().all(|known| known.name != method.name) {
                        methods.push(method);
                    }
                }
            }
        }
        methods.sort_by_key(|method| method.name);
        methods
    }

    pub(super) fn row(
        &self,
        symbol: SymbolId,
        type_args: &[&str],
        methods: Vec<MethodRow>,
    ) -> TypeRow {
        let mask = methods
            .iter()
            .map(|method| 1u64 << ((method.name.number() + method.signature) % 64))
            .fold(0, |mask, bit| mask | bit);
        TypeRow {
            symbol,
            type_args: type_args.iter().map(|&arg| arg.into()).collect(),
            mask,
            methods: methods.into(),
        }
    }
}
