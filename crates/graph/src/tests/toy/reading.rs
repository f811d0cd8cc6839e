//! Reads declarations and uses from toy texts.

use std::sync::Arc;

use codeweft_db::Semantics as _;
use codeweft_db::{
    Conversion, Db, Disambiguator, File, FileUses, LocalDecl, NONE, NodeKind, Reason, Resolution,
    Role, SymbolClass, SymbolRow, Unit, UnitSymbols, UnresolvedSite, Use,
};

use super::Toy;
use super::text::{declared, lines};

impl Toy {
    pub(super) fn read_symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        let mut rows: Vec<SymbolRow> = Vec::new();
        let modules = self.files(db, unit).to_vec().into_iter().enumerate();
        for (number, file) in modules {
            if let Some(symbol) = self.module(db, file) {
                rows.push(SymbolRow {
                    symbol,
                    name: db.shared().symbols.key(symbol).name,
                    parent: NONE,
                    kind: NodeKind::Package,
                    public: true,
                    file: number as u32,
                    item: NONE,
                    field: NONE,
                    tok: NONE,
                });
            }
        }
        if unit.kind(db) != super::IN_TEST && !self.modules {
            let symbol = self.package(db, unit);
            rows.push(SymbolRow {
                symbol,
                name: db.shared().symbols.key(symbol).name,
                parent: NONE,
                kind: NodeKind::Package,
                public: true,
                file: 0,
                item: NONE,
                field: NONE,
                tok: NONE,
            });
        }
        for (number, &file) in self.files(db, unit).iter().enumerate() {
            let mut inits = 0;
            for (item, line) in lines(file.text(db)).iter().enumerate() {
                let Some(it) = declared(line) else { continue };
                let symbol = self.symbol(db, unit, file, &it, inits);
                inits += u32::from(it.name == "init");
                let parent = db.shared().symbols.key(symbol).parent;
                let parent = rows.iter().position(|row| Some(row.symbol) == parent);
                rows.push(SymbolRow {
                    symbol,
                    name: db.shared().names.intern(it.name),
                    parent: parent.map_or(NONE, |row| row as u32),
                    kind: it.kind,
                    public: it.name.starts_with(char::is_uppercase),
                    file: number as u32,
                    item: item as u32,
                    field: NONE,
                    tok: it.at,
                });
            }
        }
        Arc::new(UnitSymbols::from_rows(rows))
    }

    pub(super) fn read_uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        let unit = self.unit_of(db, file);
        let names = &db.shared().names;
        let all = lines(file.text(db));
        let bodied = || all.iter().filter(|line| line.body.is_some());
        let count = bodied().count() as u32;
        let mut uses = Vec::new();
        let (mut open, mut escaped, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        let (mut types, mut locals, mut converts) = (Vec::new(), Vec::new(), Vec::new());
        for (item, line) in all.iter().enumerate() {
            let word = |n: usize| line.words.get(n).map_or("", |word| word.text);
            let mut add = |occ: u32, body: u32, name: &str, role, resolution, in_literal| {
                let (name, direct) = match name.strip_prefix('!') {
                    Some(name) => (name, true),
                    None => (name, false),
                };
                if let Some(target) = self.resolve(db, unit, name) {
                    if role == Role::Value {
                        escaped.push(target);
                    }
                    uses.push((
                        target,
                        Use {
                            body,
                            occ,
                            role,
                            resolution,
                            in_literal,
                            direct,
                        },
                    ));
                }
            };
            match word(0) {
                "embed" => add(
                    line.words[2].at,
                    count + item as u32,
                    word(2),
                    Role::Embed,
                    Resolution::Exact,
                    false,
                ),
                "instance" => {
                    let (ty, args) = word(1).split_once('[').unwrap_or((word(1), ""));
                    let symbol = self.type_named(db, unit, ty);
                    let mut methods = self.methods(db, unit, symbol, 0);
                    for method in &mut methods {
                        if names.text(method.name) == word(2) {
                            method.signature = word(3).parse().unwrap_or(0);
                        }
                    }
                    types.push(self.row(symbol, &[args.trim_end_matches(']')], methods));
                }
                _ => {}
            }
            let Some(items) = &line.body else { continue };
            let body = bodies.len() as u32;
            let owner = declared(line).filter(|it| it.class != SymbolClass::Variable);
            let inits = bodied()
                .take(body as usize)
                .filter(|line| declared(line).is_some_and(|it| it.name == "init"))
                .count();
            let owner = match owner {
                Some(it) => self.symbol(db, unit, file, &it, inits as u32),
                None => self
                    .module(db, file)
                    .unwrap_or_else(|| self.package(db, unit)),
            };
            bodies.push(owner);
            for (occ, item) in items.iter().enumerate() {
                let occ = occ as u32;
                let text = item.text;
                let site = |name: &str, arguments: u8, reason, signature| UnresolvedSite {
                    name: names.intern(name),
                    body,
                    occ,
                    arguments,
                    keywords: None,
                    reason,
                    absent: None,
                    signature,
                };
                let exact = Resolution::Exact;
                // The variable that a call is made through concerns value flow only.
                let text = text.split('<').next().unwrap_or(text);
                match text.split_at(1) {
                    ("+" | "-", _) => {}
                    ("~", name) => add(occ, body, name, Role::Call, exact, true),
                    ("&", name) => add(occ, body, name, Role::Value, exact, false),
                    ("=", name) => add(occ, body, name, Role::Write, exact, false),
                    ("#", name) => add(occ, body, name, Role::Literal, exact, false),
                    ("%", name) => add(occ, body, name, Role::Call, Resolution::Name, false),
                    ("?", rest) => {
                        let (name, count) = rest.split_once('/').unwrap_or((rest, ""));
                        let count = count.parse().unwrap_or(UnresolvedSite::ANY_COUNT);
                        open.push(site(name, count, Reason::UnknownReceiver, NONE));
                    }
                    ("@", rest) => open.push(site(
                        "",
                        UnresolvedSite::ANY_COUNT,
                        Reason::FunctionValue,
                        rest.parse().unwrap_or(0),
                    )),
                    ("{", rest) => locals.push(LocalDecl {
                        symbol: self.intern(
                            db,
                            unit,
                            Some(owner),
                            SymbolClass::Type,
                            rest.trim_end_matches('}'),
                            Disambiguator::ONLY,
                        ),
                        kind: NodeKind::Struct,
                        body,
                        occ,
                    }),
                    ("$", _) => {}
                    ("^", rest) => {
                        let (ty, interface) = rest.split_once('>').unwrap_or((rest, ""));
                        let value = ty.trim_start_matches('*');
                        let ends = self
                            .resolve(db, unit, value)
                            .zip(self.resolve(db, unit, interface));
                        converts.extend(ends.map(|(symbol, interface)| Conversion {
                            interface,
                            ty: symbol,
                            body,
                            occ,
                            pointer: value != ty,
                            in_literal: false,
                        }));
                    }
                    _ => match text.strip_prefix("go:") {
                        Some(name) => add(occ, body, name, Role::Go, exact, false),
                        None => add(occ, body, text, Role::Call, exact, false),
                    },
                }
            }
        }
        let mut result = FileUses::grouped(uses);
        open.sort();
        escaped.sort();
        escaped.dedup();
        result.unresolved = open.into();
        result.escaped = escaped.into();
        result.bodies = bodies.into();
        result.types = types.into();
        result.locals = locals.into();
        converts.sort();
        result.conversions = converts.into();
        result.flows = self.fragments(db, unit, file).into();
        Arc::new(result)
    }
}
