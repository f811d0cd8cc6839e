//! A toy language: what the wall to the languages promises, over texts of a few words a line.
//!
//! ```text
//! use b                    imports package b
//! fn f : g b.h &k ?M/1     function f: calls g and b.h, uses k as a value, calls M on an unknown
//! abstract I.M 1           method of interface I with signature 1
//! method T.M 1 : f         method of struct T; *T.M is in the pointer's set only
//! ```
//! Other lines: `struct T`, `interface I`, `embed T b.U`, `const c`, `var v : f` (an initialiser),
//! `instance T[int] M 2` (a row of an instance), `excluded`, `broken`. Other items of a body: `~f`
//! in a literal, `go:f`, `=v` write, `#T` type usage, `%f/M` a call of M chosen by name,
//! `@3` a call of a function value of signature 3, `$x` a local, `{T}` a local struct.

use std::sync::Arc;

use codeweft_db::{
    Bodies, Coverage, Db, EmbedRow, File, FileIr, FileUses, Found, Header, Hierarchy, Home,
    ImportRow, ImportTables, Items, Lang, Language, Layout, LayoutInput, LocalDecl, Mentions,
    MethodRow, NONE, NameId, NodeKind, Nth, OpenSite, Origin, Place, Ranges, Reach, Reason,
    Receiver, Report, Resolution, Role, RootDb, Span, SymbolClass, SymbolId, SymbolKey, SymbolRow,
    TypeRow, Unit, UnitIndex, UnitKind, UnitSymbols, Universe, Use,
};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// A toy room that answers to one of the languages' names.
pub struct Toy {
    pub lang: Lang,
    pub coverage: Coverage,
}

/// A toy in Go's place.
pub static GO: Toy = Toy {
    lang: Lang::Go,
    coverage: Coverage::Whole,
};

/// A toy in Python's place that answers everything.
pub static PYTHON: Toy = Toy {
    lang: Lang::Python,
    coverage: Coverage::Whole,
};

/// A toy in Python's place that answers imports only.
pub static PYTHON_IMPORTS: Toy = Toy {
    lang: Lang::Python,
    coverage: Coverage::Imports,
};

/// A word of a line and where it starts.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    at: u32,
}

/// A line of a toy text.
struct Line<'t> {
    words: Vec<Word<'t>>,
    /// The items behind the colon.
    body: Option<Vec<Word<'t>>>,
    span: Span,
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let words: Vec<Word<'_>> = content
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| Word {
                text: word,
                at: start + (word.as_ptr() as usize - line.as_ptr() as usize) as u32,
            })
            .collect();
        let colon = words.iter().position(|word| word.text == ":");
        let (words, body) = match colon {
            Some(colon) => (words[..colon].to_vec(), Some(words[colon + 1..].to_vec())),
            None => (words, None),
        };
        if !words.is_empty() {
            lines.push(Line {
                words,
                body,
                span: Span {
                    start,
                    end: start + content.len() as u32,
                },
            });
        }
        start += line.len() as u32;
    }
    lines
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
}

/// The language's name for a declared thing of a line: (parent, name, class).
struct Declared<'t> {
    parent: Option<&'t str>,
    name: &'t str,
    class: SymbolClass,
    kind: NodeKind,
    at: u32,
}

fn declared<'t>(line: &Line<'t>) -> Option<Declared<'t>> {
    let word = line.words.get(1)?;
    let plain = word.text.trim_start_matches('*');
    let at = word.at + (word.text.len() - plain.len()) as u32;
    let (class, kind) = match line.words[0].text {
        "fn" => (SymbolClass::Function, NodeKind::Function),
        "struct" => (SymbolClass::Type, NodeKind::Struct),
        "interface" => (SymbolClass::Type, NodeKind::Interface),
        "const" => (SymbolClass::Constant, NodeKind::Constant),
        "var" => (SymbolClass::Variable, NodeKind::Variable),
        "field" => (SymbolClass::Field, NodeKind::Field),
        "method" | "abstract" => (SymbolClass::Method, NodeKind::Method),
        _ => return None,
    };
    Some(match plain.split_once('.') {
        Some((parent, name)) => Declared {
            parent: Some(parent),
            name,
            class,
            kind,
            at: at + parent.len() as u32 + 1,
        },
        None => Declared {
            parent: None,
            name: plain,
            class,
            kind,
            at,
        },
    })
}

impl Toy {
    fn unit_of(&self, db: &dyn Db, file: File) -> Unit {
        Universe::get(db).owners(db)[&file]
    }

    fn base(&self, db: &dyn Db, unit: Unit) -> Unit {
        match unit.kind(db) {
            UnitKind::InTest => unit.base(db).unwrap_or(unit),
            _ => unit,
        }
    }

    fn intern(
        &self,
        db: &dyn Db,
        unit: Unit,
        parent: Option<SymbolId>,
        class: SymbolClass,
        name: &str,
        nth: Nth,
    ) -> SymbolId {
        let shared = db.shared();
        shared.symbols.intern(SymbolKey {
            home: Home::Unit(unit),
            parent,
            class,
            name: shared.names.intern(name),
            nth,
        })
    }

    fn type_named(&self, db: &dyn Db, unit: Unit, name: &str) -> SymbolId {
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
        self.intern(db, unit, None, SymbolClass::Type, name, Nth::ONLY)
    }

    fn symbol(&self, db: &dyn Db, unit: Unit, file: File, it: &Declared<'_>, n: u32) -> SymbolId {
        let parent = it.parent.map(|parent| self.type_named(db, unit, parent));
        let nth = match it.name {
            "init" => Nth {
                file: Some(db.shared().names.intern(file.path(db))),
                n,
            },
            _ => Nth::ONLY,
        };
        self.intern(db, unit, parent, it.class, it.name, nth)
    }

    /// The symbol that a written name means in a unit.
    fn resolve(&self, db: &dyn Db, unit: Unit, written: &str) -> Option<SymbolId> {
        let universe = Universe::get(db);
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

    /// The own and promoted methods of a type or interface in the view of a unit.
    fn methods(&self, db: &dyn Db, view: Unit, ty: SymbolId, depth: u32) -> Vec<MethodRow> {
        let shared = db.shared();
        let key = shared.symbols.key(ty);
        let Home::Unit(home) = key.home else {
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

    fn row(&self, symbol: SymbolId, type_args: &[&str], methods: Vec<MethodRow>) -> TypeRow {
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

impl Language for Toy {
    fn lang(&self) -> Lang {
        self.lang
    }

    fn coverage(&self) -> Coverage {
        self.coverage
    }

    fn layout(&self, _input: &LayoutInput<'_>) -> Layout {
        Layout::default()
    }

    fn configuration(&self, _db: &dyn Db) -> String {
        "toy/1".to_owned()
    }

    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        let files = unit.files(db).iter().copied();
        files
            .filter(|file| !file.text(db).starts_with("excluded"))
            .collect()
    }

    fn excluded(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        let files = unit.files(db).iter().copied();
        files
            .filter(|file| file.text(db).starts_with("excluded"))
            .collect()
    }

    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId {
        let name = db.shared().names.text(unit.name(db)).to_owned();
        let last = name.rsplit('/').next().unwrap_or(&name);
        let unit = self.base(db, unit);
        self.intern(db, unit, None, SymbolClass::Package, last, Nth::ONLY)
    }

    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        let mut rows: Vec<SymbolRow> = Vec::new();
        if unit.kind(db) != UnitKind::InTest {
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

    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
        let universe = Universe::get(db);
        let names = &db.shared().names;
        let mut rows = Vec::new();
        for &file in self.files(db, unit).iter() {
            let mut number = 0;
            for line in lines(file.text(db)) {
                if line.words[0].text != "use" {
                    continue;
                }
                let path = line.words[1].text;
                let imported = universe.units(db).iter().copied().find(|other| {
                    other.lang(db) == self.lang
                        && other.kind(db) == UnitKind::Base
                        && names.text(other.name(db)) == path
                });
                let to = match imported {
                    Some(imported) => self.package(db, imported),
                    None => db.shared().symbols.intern(SymbolKey {
                        home: Home::Absent(names.intern(path)),
                        parent: None,
                        class: SymbolClass::Package,
                        name: names.intern(path),
                        nth: Nth::ONLY,
                    }),
                };
                rows.push(ImportRow {
                    file,
                    import: number,
                    from: self.package(db, unit),
                    to,
                    unit: imported,
                });
                number += 1;
            }
        }
        rows.into()
    }

    fn hierarchy(&self, db: &dyn Db, unit: Unit) -> Arc<Hierarchy> {
        let (mut types, mut interfaces, mut embeds) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen: Vec<SymbolId> = Vec::new();
        for &file in self.files(db, unit).iter() {
            for line in lines(file.text(db)) {
                let word = |n: usize| line.words.get(n).map_or("", |word| word.text);
                let ty = match word(0) {
                    "struct" | "interface" => self.type_named(db, unit, word(1)),
                    "method" => {
                        let Some(it) = declared(&line) else { continue };
                        self.type_named(db, unit, it.parent.unwrap_or(""))
                    }
                    "embed" => {
                        if let Some(to) = self.resolve(db, unit, word(2)) {
                            embeds.push(EmbedRow {
                                from: self.type_named(db, unit, word(1)),
                                to,
                                file,
                                tok: line.words[2].at,
                            });
                        }
                        continue;
                    }
                    _ => continue,
                };
                if seen.contains(&ty) {
                    continue;
                }
                seen.push(ty);
                let methods = self.methods(db, unit, ty, 0);
                if methods.is_empty() {
                    continue;
                }
                let rows = if word(0) == "interface" {
                    &mut interfaces
                } else {
                    &mut types
                };
                rows.push(self.row(ty, &[], methods));
            }
        }
        Arc::new(Hierarchy::from_rows(types, interfaces, embeds))
    }

    fn uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        let unit = self.unit_of(db, file);
        let names = &db.shared().names;
        let all = lines(file.text(db));
        let bodied = || all.iter().filter(|line| line.body.is_some());
        let count = bodied().count() as u32;
        let mut result = FileUses::default();
        let mut uses = Vec::new();
        let (mut open, mut escaped, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        let (mut types, mut locals) = (Vec::new(), Vec::new());
        for (item, line) in all.iter().enumerate() {
            let word = |n: usize| line.words.get(n).map_or("", |word| word.text);
            let mut add = |occ: u32, body: u32, name: &str, role, resolution, in_literal| {
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
                None => self.package(db, unit),
            };
            bodies.push(owner);
            for (occ, item) in items.iter().enumerate() {
                let occ = occ as u32;
                let text = item.text;
                let site = |name: &str, arguments: u8, reason, signature| OpenSite {
                    name: names.intern(name),
                    body,
                    occ,
                    arguments,
                    reason,
                    absent: None,
                    signature,
                };
                let exact = Resolution::Exact;
                match text.split_at(1) {
                    ("~", name) => add(occ, body, name, Role::Call, exact, true),
                    ("&", name) => add(occ, body, name, Role::Value, exact, false),
                    ("=", name) => add(occ, body, name, Role::Write, exact, false),
                    ("#", name) => add(occ, body, name, Role::Literal, exact, false),
                    ("%", name) => add(occ, body, name, Role::Call, Resolution::Name, false),
                    ("?", rest) => {
                        let (name, count) = rest.split_once('/').unwrap_or((rest, ""));
                        let count = count.parse().unwrap_or(OpenSite::ANY_COUNT);
                        open.push(site(name, count, Reason::UnknownReceiver, NONE));
                    }
                    ("@", rest) => open.push(site(
                        "",
                        OpenSite::ANY_COUNT,
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
                            Nth::ONLY,
                        ),
                        kind: NodeKind::Struct,
                        body,
                        occ,
                    }),
                    ("$", _) => {}
                    _ => match text.strip_prefix("go:") {
                        Some(name) => add(occ, body, name, Role::Go, exact, false),
                        None => add(occ, body, text, Role::Call, exact, false),
                    },
                }
            }
        }
        (result.targets, result.starts, result.uses) = FileUses::group(uses);
        open.sort();
        escaped.sort();
        escaped.dedup();
        result.open = open.into();
        result.escaped = escaped.into();
        result.bodies = bodies.into();
        result.types = types.into();
        result.locals = locals.into();
        Arc::new(result)
    }

    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
        let mut pairs = Vec::new();
        let (mut open, mut dynamic) = (Vec::new(), Vec::new());
        let (mut escaped, mut with_types) = (Vec::new(), Vec::new());
        for (number, &file) in self.files(db, unit).iter().enumerate() {
            let number = number as u32;
            let uses = self.uses(db, file);
            pairs.extend(uses.targets.iter().map(|&target| (target, number)));
            for site in &uses.open {
                match site.signature {
                    NONE => open.push((site.name, number)),
                    signature => dynamic.push((signature, number)),
                }
            }
            escaped.extend(&uses.escaped);
            if !uses.types.is_empty() || !uses.locals.is_empty() {
                with_types.push(number);
            }
        }
        pairs.sort();
        open.sort();
        open.dedup();
        dynamic.sort();
        dynamic.dedup();
        escaped.sort();
        escaped.dedup();
        let mut targets: Vec<SymbolId> = Vec::new();
        let mut starts = Vec::new();
        for (at, (target, _)) in pairs.iter().enumerate() {
            if targets.last() != Some(target) {
                targets.push(*target);
                starts.push(at as u32);
            }
        }
        starts.push(pairs.len() as u32);
        Arc::new(UnitIndex {
            targets: targets.into(),
            starts: starts.into(),
            files: pairs.into_iter().map(|(_, file)| file).collect(),
            open: open.into(),
            dynamic: dynamic.into(),
            escaped: escaped.into(),
            with_types: with_types.into(),
        })
    }

    fn mentions(&self, db: &dyn Db, unit: Unit) -> Arc<Mentions> {
        let files = self.files(db, unit);
        let names = files.iter().flat_map(|file| identifiers(file.text(db)));
        let names = names.map(|name| db.shared().names.intern(name)).collect();
        Arc::new(Mentions::from_names(names))
    }

    fn reach(&self, db: &dyn Db, symbol: SymbolId) -> Reach {
        let key = db.shared().symbols.key(symbol);
        let Home::Unit(unit) = key.home else {
            return Reach::Workspace;
        };
        let all = Universe::get(db).units(db).iter().copied();
        let own = all.filter(|other| *other == unit || other.base(db) == Some(unit));
        let own: Vec<Unit> = own.collect();
        let public = db
            .shared()
            .names
            .text(key.name)
            .starts_with(char::is_uppercase);
        match key.class {
            SymbolClass::Method | SymbolClass::Field if public => Reach::Transitive(own),
            _ if public => Reach::Direct(own),
            SymbolClass::Package => Reach::Direct(own),
            _ => Reach::Units(own),
        }
    }

    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        smallvec![db.shared().symbols.key(symbol).name]
    }

    fn satisfies(&self, _db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
        let mut receiver = Receiver::Value;
        for wanted in &interface.methods {
            let method = ty.method(wanted.name)?;
            if method.signature != wanted.signature {
                return None;
            }
            if !method.by_value {
                receiver = Receiver::Pointer;
            }
        }
        Some(receiver)
    }

    fn open_fits(&self, db: &dyn Db, site: &OpenSite, symbol: SymbolId) -> bool {
        site.name == db.shared().symbols.key(symbol).name
            && (site.arguments == OpenSite::ANY_COUNT
                || self.signature(db, symbol) == Some(u32::from(site.arguments)))
    }

    fn signature(&self, db: &dyn Db, symbol: SymbolId) -> Option<u32> {
        let place = self.place(db, symbol)?;
        let text = place.file.text(db);
        let line = lines(text)
            .into_iter()
            .find(|line| line.span == place.span)?;
        line.words.get(2)?.text.parse().ok()
    }

    fn hidden_callers(&self, db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)> {
        let name = db.shared().names.text(db.shared().symbols.key(symbol).name);
        match self.place(db, symbol) {
            Some(place) if name.starts_with("linked") => {
                vec![(place.file, place.name.start, Reason::Linkname)]
            }
            _ => Vec::new(),
        }
    }

    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind> {
        let key = db.shared().symbols.key(symbol);
        let Home::Unit(unit) = key.home else {
            return None;
        };
        let symbols = self.symbols(db, unit);
        let row = symbols.row(symbol);
        match row {
            Some(row) => Some(symbols.rows[row as usize].kind),
            None => key.parent.map(|_| NodeKind::Struct),
        }
    }

    fn at(&self, db: &dyn Db, file: File, offset: u32) -> Option<Found> {
        let unit = self.unit_of(db, file);
        let inside =
            |word: &Word<'_>| (word.at..word.at + word.text.len() as u32).contains(&offset);
        for line in lines(file.text(db)) {
            if let Some(it) = declared(&line)
                && (it.at..it.at + it.name.len() as u32).contains(&offset)
            {
                return Some(Found::Symbol(self.symbol(db, unit, file, &it, 0)));
            }
            let items = line.body.iter().flatten();
            let Some(word) = items.clone().find(|word| inside(word)) else {
                continue;
            };
            if word.text.starts_with('$') {
                let owner = declared(&line)?;
                let first = items.clone().find(|other| other.text == word.text)?;
                let name = Span {
                    start: first.at + 1,
                    end: first.at + first.text.len() as u32,
                };
                return Some(Found::Local {
                    owner: self.symbol(db, unit, file, &owner, 0),
                    name: db.shared().names.intern(&word.text[1..]),
                    place: Place {
                        file,
                        span: name,
                        name,
                    },
                });
            }
            let plain = word.text.trim_start_matches(['~', '&', '=', '#']);
            return Some(Found::Symbol(self.resolve(db, unit, plain)?));
        }
        None
    }

    fn place(&self, db: &dyn Db, symbol: SymbolId) -> Option<Place> {
        let key = db.shared().symbols.key(symbol);
        let Home::Unit(unit) = key.home else {
            return None;
        };
        let files = self.files(db, unit);
        if key.class == SymbolClass::Package {
            return files.first().map(|&file| Place {
                file,
                span: Span { start: 0, end: 1 },
                name: Span { start: 0, end: 1 },
            });
        }
        for &file in files.iter() {
            let mut inits = 0;
            for line in lines(file.text(db)) {
                if let Some(it) = declared(&line) {
                    let found = self.symbol(db, unit, file, &it, inits);
                    inits += u32::from(it.name == "init");
                    if found == symbol {
                        let end = it.at + it.name.len() as u32;
                        return Some(Place {
                            file,
                            span: line.span,
                            name: Span { start: it.at, end },
                        });
                    }
                }
            }
            let uses = self.uses(db, file);
            if let Some(local) = uses.locals.iter().find(|local| local.symbol == symbol) {
                let start = self.offset(db, file, local.body, local.occ)? + 1;
                let name = db.shared().names.text(key.name);
                let span = Span {
                    start,
                    end: start + name.len() as u32,
                };
                return Some(Place {
                    file,
                    span,
                    name: span,
                });
            }
        }
        None
    }

    fn offset(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32> {
        let all = lines(file.text(db));
        let bodies: Vec<&Vec<Word<'_>>> =
            all.iter().filter_map(|line| line.body.as_ref()).collect();
        match bodies.get(body as usize) {
            Some(words) => words.get(occ as usize).map(|word| word.at),
            None => Some(occ),
        }
    }

    fn is_test(&self, _db: &dyn Db, file: File) -> bool {
        file.path(_db).contains("_test.")
    }
}

/// Loads texts: `//- path` starts a file. A path with `_test.` is of the InTest unit, one below
/// `/lib/` of a library; a file that ends in `.py` is of the toy in Python's place.
pub fn load(text: &str) -> RootDb {
    let mut db = RootDb::default();
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start();
        match line.strip_prefix("//- ") {
            Some(path) => files.push((path.trim().to_owned(), String::new())),
            None => {
                if let Some((_, text)) = files.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    files.sort();
    let mut plans: Vec<(Lang, String, UnitKind, String, Origin, Vec<File>)> = Vec::new();
    for (path, text) in &files {
        let lang = Lang::of_path(path).unwrap_or(Lang::Go);
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let (origin, name) = match dir.strip_prefix("/lib/") {
            Some(name) => (Origin::Library, name),
            None => (Origin::Workspace, dir),
        };
        let kind = match path.contains("_test.") {
            true => UnitKind::InTest,
            false => UnitKind::Base,
        };
        let file = new_file(&mut db, path, text.as_str().into(), lang, origin);
        let known = plans
            .iter_mut()
            .find(|plan| plan.0 == lang && plan.1 == name && plan.2 == kind);
        match known {
            Some(plan) => plan.5.push(file),
            None => plans.push((lang, name.into(), kind, dir.into(), origin, vec![file])),
        }
    }
    plans.sort_by(|a, b| (a.0, &a.1, a.2).cmp(&(b.0, &b.1, b.2)));
    let mut units: Vec<Unit> = Vec::new();
    let mut owners = FxHashMap::default();
    for (lang, name, kind, dir, origin, files) in plans {
        let id = db.shared().names.intern(&name);
        let base = units
            .iter()
            .copied()
            .find(|unit| kind != UnitKind::Base && unit.name(&db) == id && unit.lang(&db) == lang);
        let import_path = db.shared().names.intern(&format!("example.com/{name}"));
        let unit = Unit::new(
            &db,
            lang,
            id,
            import_path,
            kind,
            dir.into(),
            origin,
            0,
            files.clone().into(),
            base,
            None,
        );
        owners.extend(files.into_iter().map(|file| (file, unit)));
        units.push(unit);
    }
    Universe::new(
        &db,
        units.into(),
        Arc::new(ImportTables::default()),
        Arc::new(owners),
    );
    db
}

fn new_file(db: &mut RootDb, path: &str, text: Arc<str>, lang: Lang, origin: Origin) -> File {
    let names: Vec<NameId> = identifiers(&text)
        .map(|name| db.shared().names.intern(name))
        .collect();
    let starts = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
    let ranges = Ranges {
        lines: std::iter::once(0)
            .chain(starts.filter(|&start| (start as usize) < text.len()))
            .collect(),
        imports: lines(&text)
            .iter()
            .filter(|line| line.words[0].text == "use")
            .map(|line| Span {
                start: line.words[1].at,
                end: line.span.end,
            })
            .collect(),
        item_tokens: (0..text.len() as u32).collect(),
        ..Ranges::default()
    };
    let broken = text.lines().enumerate();
    let report = Report {
        error_lines: broken
            .filter(|(_, line)| *line == "broken")
            .map(|(number, _)| number as u32 + 1)
            .collect(),
        ..Report::default()
    };
    let ir = FileIr {
        header: Arc::new(Header::Python(Default::default())),
        items: Arc::new(Items::Python(Default::default())),
        bodies: Arc::new(Bodies::Go(Default::default())),
        ranges: Arc::new(ranges),
        mentions: Arc::new(Mentions::from_names(names)),
        report: Arc::new(report),
    };
    let file = File::new(
        db,
        path.into(),
        lang,
        origin,
        text.clone(),
        ir.header.clone(),
        ir.items.clone(),
    );
    db.shared().lowered.insert(file, (text, ir));
    file
}
