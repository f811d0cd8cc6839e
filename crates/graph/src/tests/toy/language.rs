//! The toy language's implementation of [`Language`].

use std::sync::Arc;

use codeweft_db::{
    Completeness, Db, DeclarationRange, DeclaredIn, Disambiguator, Dispatch, EditorText,
    ExcludedDeclaration, File, FileFlows, FileUses, FlowInstantiated, FlowNode, FlowTarget,
    FlowValue, Hierarchy, Identifiers, ImportRow, Lang, Language, Layout, LayoutInput, NameId,
    NameTarget, NamedSymbol, NodeKind, Packaging, ProjectLayout, Reachability, Reason, Receiver,
    Relation, Semantics, Span, SupertypeRow, SymbolClass, SymbolId, SymbolKey, TypeRow, Unit,
    UnitGraph, UnitIndex, UnitKind, UnitSymbols, UnresolvedSite, ValueFlow, VisibilityScope, Wires,
};
use smallvec::{SmallVec, smallvec};

use super::Toy;
use super::memo::memo;
use super::text::{Word, declared, identifiers, lines};

impl EditorText for Toy {}

impl Reachability for Toy {}

impl Packaging for Toy {}

impl Wires for Toy {}

impl Language for Toy {
    fn lang(&self) -> Lang {
        self.lang
    }
}

impl ProjectLayout for Toy {
    fn layout(&self, _input: &LayoutInput<'_>) -> Layout {
        Layout::default()
    }

    fn configuration(&self, _db: &dyn Db) -> String {
        "toy/1".to_owned()
    }
}

impl Semantics for Toy {
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

    fn declarations_of_excluded(&self, db: &dyn Db, file: File) -> Vec<ExcludedDeclaration> {
        let names = &db.shared().names;
        let all = lines(file.text(db));
        let declared = all.iter().filter_map(|line| Some((line, declared(line)?)));
        declared
            .map(|(line, it)| ExcludedDeclaration {
                parent: it.parent.map(|parent| names.intern(parent)),
                name: names.intern(it.name),
                kind: it.kind,
                public: it.name.starts_with(char::is_uppercase),
                declaration: DeclarationRange {
                    file,
                    span: line.span,
                    name: Span {
                        start: it.at,
                        end: it.at + it.name.len() as u32,
                    },
                },
            })
            .collect()
    }

    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId {
        let name = db.shared().names.text(unit.name(db)).to_owned();
        let last = name.rsplit('/').next().unwrap_or(&name);
        let unit = self.base(db, unit);
        self.intern(
            db,
            unit,
            None,
            SymbolClass::Package,
            last,
            Disambiguator::ONLY,
        )
    }

    fn module(&self, db: &dyn Db, file: File) -> Option<SymbolId> {
        if !self.modules {
            return None;
        }
        let path = file.path(db).split('.').next().unwrap_or("").to_owned();
        let unit = self.base(db, self.unit_of(db, file));
        Some(self.intern(
            db,
            unit,
            None,
            SymbolClass::Package,
            &path,
            Disambiguator::ONLY,
        ))
    }

    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        memo(db, (self.lang, self.modules, unit), || {
            self.read_symbols(db, unit)
        })
    }

    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
        let universe = UnitGraph::get(db);
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
                        && other.kind(db) == UnitKind::BASE
                        && names.text(other.name(db)) == path
                });
                let to = match imported {
                    Some(imported) => self.package(db, imported),
                    None => db.shared().symbols.intern(SymbolKey {
                        declared_in: DeclaredIn::Absent(names.intern(path)),
                        parent: None,
                        class: SymbolClass::Package,
                        name: names.intern(path),
                        disambiguator: Disambiguator::ONLY,
                    }),
                };
                let own = self.module(db, file);
                let to = imported
                    .filter(|_| self.modules)
                    .and_then(|unit| self.module(db, *unit.files(db).first()?))
                    .unwrap_or(to);
                rows.push(ImportRow {
                    file,
                    import: number,
                    from: own.unwrap_or_else(|| self.package(db, unit)),
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
                    "struct" | "interface" | "class" => self.type_named(db, unit, word(1)),
                    "method" => {
                        let Some(it) = declared(&line) else { continue };
                        self.type_named(db, unit, it.parent.unwrap_or(""))
                    }
                    "embed" => {
                        if let Some(to) = self.resolve(db, unit, word(2)) {
                            embeds.push(SupertypeRow {
                                from: self.type_named(db, unit, word(1)),
                                to,
                                relation: if self.classes {
                                    Relation::Extends
                                } else {
                                    Relation::Embeds
                                },
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
        memo(db, (self.lang, self.modules, file), || {
            self.read_uses(db, file)
        })
    }

    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
        let files = self.files(db, unit);
        let uses: Vec<_> = files.iter().map(|&file| self.uses(db, file)).collect();
        let nameless = db.shared().names.intern("");
        let uses = uses.iter().map(|uses| &**uses);
        Arc::new(UnitIndex::join(nameless, uses))
    }

    fn identifiers(&self, db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
        let files = self.files(db, unit);
        let names = files.iter().flat_map(|file| identifiers(file.text(db)));
        let names = names.map(|name| db.shared().names.intern(name)).collect();
        Arc::new(Identifiers::from_names(names))
    }

    fn visibility_scope(&self, db: &dyn Db, symbol: SymbolId) -> VisibilityScope {
        let key = db.shared().symbols.key(symbol);
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return VisibilityScope::Workspace;
        };
        let all = UnitGraph::get(db).units(db).iter().copied();
        let own = all.filter(|other| *other == unit || other.base(db) == Some(unit));
        let own: Vec<Unit> = own.collect();
        let public = db
            .shared()
            .names
            .text(key.name)
            .starts_with(char::is_uppercase);
        match key.class {
            SymbolClass::Method | SymbolClass::Field if public => {
                VisibilityScope::AllImporters(own)
            }
            _ if public => VisibilityScope::DirectImporters(own),
            SymbolClass::Package => VisibilityScope::DirectImporters(own),
            _ => VisibilityScope::Units(own),
        }
    }

    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        smallvec![db.shared().symbols.key(symbol).name]
    }

    fn signature(&self, db: &dyn Db, symbol: SymbolId) -> Option<u32> {
        let declaration = self.declaration_range(db, symbol)?;
        let text = declaration.file.text(db);
        let line = lines(text)
            .into_iter()
            .find(|line| line.span == declaration.span)?;
        line.words.get(2)?.text.parse().ok()
    }

    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind> {
        let key = db.shared().symbols.key(symbol);
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return None;
        };
        let symbols = self.symbols(db, unit);
        let row = symbols.row(symbol);
        match row {
            Some(row) => Some(symbols.rows[row as usize].kind),
            None => key.parent.map(|_| NodeKind::Struct),
        }
    }

    fn name_at(&self, db: &dyn Db, file: File, offset: u32) -> Option<NameTarget> {
        let unit = self.unit_of(db, file);
        let inside =
            |word: &Word<'_>| (word.at..word.at + word.text.len() as u32).contains(&offset);
        for line in lines(file.text(db)) {
            if let Some(it) = declared(&line)
                && (it.at..it.at + it.name.len() as u32).contains(&offset)
            {
                return Some(NameTarget::Symbol(self.symbol(db, unit, file, &it, 0)));
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
                return Some(NameTarget::Local {
                    owner: self.symbol(db, unit, file, &owner, 0),
                    name: db.shared().names.intern(&word.text[1..]),
                    declaration: DeclarationRange {
                        file,
                        span: name,
                        name,
                    },
                });
            }
            let plain = word.text.trim_start_matches(['~', '&', '=', '#']);
            return Some(NameTarget::Symbol(self.resolve(db, unit, plain)?));
        }
        None
    }

    fn declaration_range(&self, db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange> {
        let key = db.shared().symbols.key(symbol);
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return None;
        };
        let files = self.files(db, unit);
        if key.class == SymbolClass::Package {
            let own = |file: &&File| {
                let module = self.module(db, **file);
                module.is_none_or(|module| module == symbol)
            };
            return files.iter().find(own).map(|&file| DeclarationRange {
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
                        return Some(DeclarationRange {
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
                return Some(DeclarationRange {
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

impl Dispatch for Toy {
    fn is_abstract_class(&self, _db: &dyn Db, _interface: SymbolId) -> bool {
        self.classes
    }

    fn resolve_method(&self, db: &dyn Db, class: SymbolId, method: SymbolId) -> Option<SymbolId> {
        let name = db.shared().symbols.key(method).name;
        let DeclaredIn::Unit(unit) = db.shared().symbols.key(class).declared_in else {
            return None;
        };
        let methods = self.methods(db, unit, class, 0);
        let found = methods.iter().find(|method| method.name == name);
        found.map(|method| method.symbol)
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
}

impl ValueFlow for Toy {
    fn flows(&self, db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
        let mut rows = Vec::new();
        for &file in self.files(db, unit).iter() {
            let fragments = self.fragments(db, unit, file).into_iter();
            rows.extend(fragments.map(|flows| FileFlows { file, flows }));
        }
        rows.into()
    }

    fn flow_assignable(&self, db: &dyn Db, value: FlowValue, through: u32) -> bool {
        self.passes(db, value, through)
    }

    fn flow_target(&self, db: &dyn Db, ty: u32, method: SymbolId) -> Option<FlowTarget> {
        self.dispatch_targets(db, ty, method)
    }

    fn flow_interface(&self, db: &dyn Db, method: SymbolId) -> Option<u32> {
        self.interface_of(db, method)
    }

    fn flow_owners(&self, db: &dyn Db, node: FlowNode) -> SmallVec<[SymbolId; 2]> {
        self.owners(db, node)
    }

    fn flow_instantiate(
        &self,
        db: &dyn Db,
        node: FlowNode,
        _owner: SymbolId,
        args: &[u32],
    ) -> FlowInstantiated {
        self.instantiate(db, node, args)
    }

    fn flow_escapes(&self, db: &dyn Db, node: FlowNode) -> Option<Reason> {
        self.escapes(db, node)
    }

    fn unnamed_node(&self, db: &dyn Db, kind: u16, ty: u32) -> String {
        self.printed_unnamed(db, kind, ty)
    }

    fn type_name(&self, db: &dyn Db, ty: u32) -> String {
        self.printed_type(db, ty)
    }
}

impl Completeness for Toy {
    fn is_dynamically_typed(&self) -> bool {
        self.classes
    }

    fn could_call(&self, db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
        site.name == db.shared().symbols.key(symbol).name
            && (site.arguments == UnresolvedSite::ANY_COUNT
                || self.signature(db, symbol) == Some(u32::from(site.arguments)))
    }

    fn hidden_callers(&self, db: &dyn Db, symbols: &[NamedSymbol]) -> Vec<(File, u32, Reason)> {
        let of_symbol = |NamedSymbol { symbol, .. }: &NamedSymbol| {
            let name = db
                .shared()
                .names
                .text(db.shared().symbols.key(*symbol).name);
            match self.declaration_range(db, *symbol) {
                Some(declaration) if name.starts_with("linked") => {
                    vec![(declaration.file, declaration.name.start, Reason::Linkname)]
                }
                _ => Vec::new(),
            }
        };
        symbols.iter().flat_map(of_symbol).collect()
    }
}
