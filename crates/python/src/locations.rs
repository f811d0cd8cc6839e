//! Conversion between symbols or references and byte offsets of a text. Reads ranges, so it is used
//! by requests only, never by queries that bodies depend on.

use codeweft_db::{
    Bodies, Db, DeclarationRange, DeclaredIn, File, FileUses, NONE, NameId, NameTarget, Ranges,
    Span, SymbolClass, SymbolId, Unit, Use, file_bodies, file_ranges,
};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{self as python, BindingKind, ItemKind, Items, UseKind};

use crate::classes::lookup;
use crate::declared::{file_symbols, items, module_of, stub_declaration_of};
use crate::imports::py_import_targets;
use crate::index::file_uses;
use crate::infer::{resolve, variable_symbol};
use crate::members::Reading;
use crate::modules::{find_module, find_relative};
use crate::project::paths::relative;
use crate::symbols::py_symbols;

/// Returns the text that offsets refer to.
fn text(db: &dyn Db, file: File) -> &str {
    let text = file.text(db);
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns the token that starts at a byte offset: a name or keyword, a string with its quotes,
/// else one character.
fn token(text: &str, start: u32) -> Span {
    let rest = text.get(start as usize..).unwrap_or("");
    let in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let len = match rest.chars().next() {
        Some(first) if in_name(first) => rest.find(|letter| !in_name(letter)).unwrap_or(rest.len()),
        Some(quote @ ('"' | '\'')) => rest[1..].find(quote).map_or(1, |end| end + 2),
        Some(other) => other.len_utf8(),
        None => 0,
    };
    Span {
        start,
        end: start + len as u32,
    }
}

/// Returns where a symbol is declared. A module is located at the start of its text, a variable at
/// its first binding, an attribute at its first binding or store.
pub(crate) fn declaration_range(db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange> {
    let key = db.shared().symbols.key(symbol);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return None;
    };
    let symbols = py_symbols(db, unit);
    let Some(row) = symbols.row(symbol) else {
        // A declaration that only the stub has is in no row.
        let (file, item) = stub_declaration_of(db, symbol)?;
        let tok = items(db, file)?.items.get(item as usize)?.tok;
        return declaration(db, file, Some(item), tok);
    };
    let row = symbols.rows[row as usize];
    let file = *unit.files(db).get(row.file as usize)?;
    if key.class == SymbolClass::Package {
        return Some(DeclarationRange {
            file,
            span: Span::default(),
            name: Span::default(),
        });
    }
    let item = (row.field == NONE).then_some(row.item);
    declaration(db, file, item, row.tok)
}

/// Returns the range of an item, or of a name that is bound or stored.
fn declaration(db: &dyn Db, file: File, item: Option<u32>, tok: u32) -> Option<DeclarationRange> {
    let ranges = file_ranges(db, file);
    let name = token(text(db, file), *ranges.item_tokens.get(tok as usize)?);
    let span = match item {
        Some(item) => *ranges.items.get(item as usize)?,
        None => name,
    };
    Some(DeclarationRange { file, span, name })
}

/// Returns the byte offset of a reference.
pub(crate) fn offset(db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32> {
    offset_in(&file_bodies(db, file), &file_ranges(db, file), body, occ)
}

/// Returns the byte offset of a reference in a file with these bodies and ranges.
pub(crate) fn offset_in(bodies: &Bodies, ranges: &Ranges, body: u32, occ: u32) -> Option<u32> {
    let bodies = python_bodies(bodies)?;
    match bodies.bodies.get(body as usize) {
        Some(body) => ranges
            .body_tokens
            .get(body.first_tok.checked_add(occ)? as usize)
            .copied(),
        None => ranges.item_tokens.get(occ as usize).copied(),
    }
}

fn python_bodies(bodies: &Bodies) -> Option<&python::Bodies> {
    bodies.python()
}

/// Returns what the name at a byte offset means.
pub(crate) fn name_at(db: &dyn Db, file: File, at: u32) -> Option<NameTarget> {
    let bodies = file_bodies(db, file);
    let ranges = file_ranges(db, file);
    let symbols = file_symbols(db, file);
    FileText::of_file(db, file, &bodies, &ranges, &symbols)?.name_target(at)
}

/// A file together with everything that classifies its tokens.
pub(crate) struct FileText<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) file: File,
    unit: Unit,
    text: &'a str,
    pub(crate) items: &'a Items,
    pub(crate) bodies: &'a python::Bodies,
    pub(crate) ranges: &'a Ranges,
    pub(crate) symbols: &'a [SymbolId],
}

impl<'a> FileText<'a> {
    /// Returns a Python file with the parts that were read from it.
    pub(crate) fn of_file(
        db: &'a dyn Db,
        file: File,
        bodies: &'a Bodies,
        ranges: &'a Ranges,
        symbols: &'a [SymbolId],
    ) -> Option<FileText<'a>> {
        Some(FileText {
            db,
            file,
            unit: module_of(db, file)?.0,
            text: text(db, file),
            items: items(db, file)?,
            bodies: python_bodies(bodies)?,
            ranges,
            symbols,
        })
    }

    /// Returns the token of this file that starts at a byte offset.
    pub(crate) fn token(&self, start: u32) -> Span {
        token(self.text, start)
    }

    fn name_target(&self, at: u32) -> Option<NameTarget> {
        let here = |start: u32| {
            let span = token(self.text, start);
            span.start <= at && at < span.end
        };
        let of_items = self.tokens_where(&self.ranges.item_tokens, here);
        let declared = self
            .items
            .items
            .iter()
            .position(|item| of_items.contains(&item.tok));
        if let Some(symbol) = declared.and_then(|item| self.item_symbol(item)) {
            return Some(NameTarget::Symbol(symbol));
        }
        if let Some(found) = self.import_at(at) {
            return Some(found);
        }
        let of_bodies = self.tokens_where(&self.ranges.body_tokens, here);
        let name = self.name_at(&of_items, &of_bodies);
        // The role of a local's reference does not say what the local is.
        let is_local = name.is_some_and(|(scope, name)| self.is_local(scope, name));
        self.best_target(&of_bodies)
            .filter(|&(_, only_called)| !(only_called && is_local))
            .map(|(symbol, _)| NameTarget::Symbol(symbol))
            .or_else(|| self.bound_name(&of_items))
            .or_else(|| self.stored_attribute(&of_items))
            .or_else(|| {
                let (scope, name) = name?;
                let start = of_bodies
                    .first()
                    .and_then(|&tok| self.ranges.body_tokens.get(tok as usize))
                    .or_else(|| self.ranges.item_tokens.get(*of_items.first()? as usize))?;
                self.scope_name(scope, name, *start)
            })
    }

    /// Returns the symbol that an item declares. A stub's declaration of a name that its module
    /// imports means the imported symbol: a re-export has no id (docs/graph.md §1, "Ids").
    fn item_symbol(&self, item: usize) -> Option<SymbolId> {
        let symbol = *self.symbols.get(item)?;
        let declared = self.items.items.get(item)?;
        if item == 0 || py_symbols(self.db, self.unit).row(symbol).is_some() {
            return Some(symbol);
        }
        let enclosing = self.item_symbol(declared.parent as usize)?;
        let imported = match self.db.shared().symbols.key(enclosing).class {
            SymbolClass::Package => resolve(self.db, enclosing, declared.name),
            SymbolClass::Type => lookup(self.db, enclosing, declared.name, Reading::Whole),
            _ => None,
        };
        imported.or(Some(symbol))
    }

    /// Returns the numbers of the tokens whose offset satisfies `here`.
    fn tokens_where(&self, tokens: &[u32], here: impl Fn(u32) -> bool) -> Vec<u32> {
        let numbered = tokens.iter().zip(0..);
        numbered
            .filter(|&(&start, _)| here(start))
            .map(|(_, number)| number)
            .collect()
    }

    /// Returns the body of a token, and the token's number in it.
    pub(crate) fn in_body(&self, tok: u32) -> Option<(u32, u32)> {
        let bodies = self.bodies.bodies.iter().zip(0..);
        let before = bodies.filter(|(body, _)| body.first_tok <= tok);
        // Of bodies that start at the same token all but the last are without tokens.
        let (body, number) = before.max_by_key(|(body, number)| (body.first_tok, *number))?;
        Some((number, tok - body.first_tok))
    }

    /// Returns the most specific target of the references at these body tokens, and whether it is
    /// called under a name other than its own. Preferred in this order: the target has the token's
    /// name, the reference is not a call, it is resolved by declarations, a class before its
    /// methods.
    fn best_target(&self, tokens: &[u32]) -> Option<(SymbolId, bool)> {
        let positions: Vec<(u32, u32)> =
            tokens.iter().filter_map(|&tok| self.in_body(tok)).collect();
        if positions.is_empty() {
            return None;
        }
        let start = *self.ranges.body_tokens.get(*tokens.first()? as usize)?;
        let span = token(self.text, start);
        let word = self.text.get(span.start as usize..span.end as usize)?;
        let word = word.trim_matches(['"', '\'']);
        let uses = file_uses(self.db, self.file);
        let shared = self.db.shared();
        let rank = |target: SymbolId, one: &Use| {
            let key = shared.symbols.key(target);
            let class = match key.class {
                SymbolClass::Package => 0,
                SymbolClass::Type => 1,
                _ => 2,
            };
            let named = shared.names.text(key.name) == word;
            (!named, one.role.is_call(), one.resolution, class)
        };
        let found = targets_at(&uses, &positions);
        let best = found.iter().map(|&(target, one)| rank(target, one)).min()?;
        let only_called = best.0 && best.1;
        let mut best: Vec<SymbolId> = found
            .iter()
            .filter(|&&(target, one)| rank(target, one) == best)
            .map(|&(target, _)| target)
            .collect();
        best.dedup();
        // Ties are broken by location, since symbol numbers differ between runs.
        let best = best.into_iter().min_by_key(|&target| {
            let location = declaration_range(self.db, target);
            let name = shared.symbols.key(target).name;
            (
                location
                    .as_ref()
                    .map(|location| location.file.path(self.db).to_string()),
                location.map(|location| location.name.start),
                shared.names.text(name),
            )
        })?;
        Some((best, only_called))
    }

    /// Returns the name that a scope binds at these item tokens.
    fn bound_name(&self, tokens: &[u32]) -> Option<NameTarget> {
        let bindings = self.items.bindings.iter().zip(0..);
        let at_token = |binding: &python::Binding| tokens.contains(&binding.tok);
        let (binding, number) = bindings
            .into_iter()
            .find(|(binding, _)| at_token(binding))?;
        let mut scopes = self.items.items.iter().zip(0..);
        let (_, scope) = scopes.find(|(item, _)| item.bindings.iter().contains(&number))?;
        match binding.kind {
            BindingKind::Item(item) => {
                let symbol = self.symbols.get(item as usize)?;
                Some(NameTarget::Symbol(*symbol))
            }
            BindingKind::Import { import, which } => self
                .best_target(&self.import_uses(import, which))
                .map(|(symbol, _)| NameTarget::Symbol(symbol))
                .or_else(|| self.import_target(import)),
            BindingKind::Star(import) => self.import_target(import),
            _ => self.scope_name(scope, binding.name, self.item_token(binding.tok)?),
        }
    }

    /// Returns the body tokens that reference what an import binds; an alias has no reference of
    /// its own.
    fn import_uses(&self, wanted: u32, wanted_which: u32) -> Vec<u32> {
        let bodies = self.bodies.bodies.iter();
        let tokens = bodies.flat_map(|body| {
            let uses = self.bodies.uses.get(body.uses.iter()).unwrap_or_default();
            uses.iter().filter_map(|one| match one.kind {
                UseKind::Import { import, which } if (import, which) == (wanted, wanted_which) => {
                    body.first_tok.checked_add(one.tok)
                }
                _ => None,
            })
        });
        tokens.collect()
    }

    pub(crate) fn item_token(&self, tok: u32) -> Option<u32> {
        self.ranges.item_tokens.get(tok as usize).copied()
    }

    /// Returns the attribute that a method stores at these item tokens.
    fn stored_attribute(&self, tokens: &[u32]) -> Option<NameTarget> {
        let mut stores = self.items.stores.iter();
        let store = stores.find(|store| tokens.contains(&store.tok))?;
        self.declared_symbol(store.class, store.name)
            .map(NameTarget::Symbol)
    }

    /// Returns a name of a scope: a declaration of a module or class, else a local.
    fn scope_name(&self, scope: u32, name: NameId, here: u32) -> Option<NameTarget> {
        let kind = self.items.items.get(scope as usize).map(|item| item.kind);
        if matches!(kind, Some(ItemKind::Module | ItemKind::Class)) {
            if let Some(symbol) = self.declared_symbol(scope, name) {
                return Some(NameTarget::Symbol(symbol));
            }
            let bindings = self.items.items.get(scope as usize)?.bindings;
            let mut bindings = self.items.bindings.get(bindings.iter())?.iter();
            let import = bindings.find_map(|binding| match binding.kind {
                BindingKind::Import { import, .. } if binding.name == name => Some(import),
                _ => None,
            });
            if let Some(import) = import {
                return self.import_target(import);
            }
        }
        self.local(scope, name, here)
    }

    /// Returns the symbol that a module or class declares by a name.
    fn declared_symbol(&self, scope: u32, name: NameId) -> Option<SymbolId> {
        let bound = variable_symbol(self.db, *self.symbols.get(scope as usize)?, name);
        if py_symbols(self.db, self.unit).row(bound).is_some() {
            return Some(bound);
        }
        let bindings = self.items.items.get(scope as usize)?.bindings;
        let mut bindings = self.items.bindings.get(bindings.iter())?.iter();
        let item = bindings.find_map(|binding| match binding.kind {
            BindingKind::Item(item) if binding.name == name => Some(item),
            _ => None,
        })?;
        self.symbols.get(item as usize).copied()
    }

    /// Returns the package or module that the dotted name of an import statement names up to this
    /// offset.
    fn import_at(&self, at: u32) -> Option<NameTarget> {
        let inside = |span: &Span| span.start <= at && at < span.end;
        let import = self.ranges.imports.iter().position(inside)?;
        let span = self.ranges.imports[import];
        let path = self.text.get(span.start as usize..span.end as usize)?;
        let part = at as usize - span.start as usize;
        let end = path
            .get(part..)?
            .find('.')
            .map_or(path.len(), |dot| part + dot);
        let upto: String = path[..end].split_whitespace().collect();
        let upto = upto.trim_start_matches('.');
        let header = self.file.header(self.db).python()?;
        let level = header.imports.get(import)?.level;
        let package = self.db.shared().names.text(self.unit.import_path(self.db));
        let name = relative(package, level, upto)?;
        let found = match level {
            0 => find_module(self.db, self.unit, &name),
            _ => find_relative(self.db, self.unit, &name),
        };
        match found {
            Some((_, module)) => Some(NameTarget::Symbol(module.symbol)),
            None => self.import_target(import as u32),
        }
    }

    fn import_target(&self, import: u32) -> Option<NameTarget> {
        let targets = py_import_targets(self.db, self.file);
        let mut targets = targets.iter();
        let (_, symbol, _) = targets.find(|&&(number, ..)| number == import)?;
        Some(NameTarget::Symbol(*symbol))
    }
}

/// Returns the targets of a file that are referenced at one of these (body, token) pairs, with that
/// reference.
fn targets_at<'u>(uses: &'u FileUses, positions: &[(u32, u32)]) -> Vec<(SymbolId, &'u Use)> {
    let all = uses.iter().flat_map(|(target, sites)| {
        let here = sites
            .iter()
            .filter(|one| positions.contains(&(one.body, one.occ)));
        here.map(move |one| (target, one))
    });
    all.collect()
}
