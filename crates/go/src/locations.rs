//! Locations: from symbols and uses to byte ranges, and back. Reads ranges, so only plain functions
//! outside tracked queries call it.

use codeweft_db::{
    Db, DeclarationRange, DeclaredIn, File, LocalUse, NONE, NameId, NameTarget, Span, SymbolClass,
    SymbolId, Unit, file_bodies, file_ranges,
};
use codeweft_go_syntax::AsGo as _;

use codeweft_go_syntax::{Bodies, Body, Chunk, Tok};

use crate::symbols::{file_of_declaration, package_file, unit_symbols};
use crate::typing::{Probe, ProbeFound, UseRecord};
use crate::units::{item_symbol, items, package_symbol, unit_files, unit_of};
use crate::uses::{FilePart, file_uses, walk};

/// Returns the range of a name that starts at an offset.
fn name_span(db: &dyn Db, start: u32, name: NameId) -> Span {
    Span {
        start,
        end: start + db.shared().names.text(name).len() as u32,
    }
}

/// Returns the range of a symbol's declaration.
pub fn declaration_range(db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange> {
    let key = db.shared().symbols.key(symbol);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return None;
    };
    if key.class == SymbolClass::Package {
        let file = *unit_files(db, unit).chosen.get(package_file(db, unit)?)?;
        let ranges = file_ranges(db, file);
        let clause = file.header(db).go()?.package;
        let len = db.shared().names.text(clause).len() as u32;
        let end = ranges.package.end;
        return Some(DeclarationRange {
            file,
            span: ranges.package,
            name: Span {
                start: end.saturating_sub(len),
                end,
            },
        });
    }
    let symbols = unit_symbols(db, unit);
    let Some(row) = symbols.row(symbol) else {
        return local_declaration_range(db, symbol, key.parent?);
    };
    let row = symbols.rows[row as usize];
    let file = *unit_files(db, unit).chosen.get(row.file as usize)?;
    let ranges = file_ranges(db, file);
    let span = match row.field {
        NONE => ranges.items.get(row.item as usize),
        field => ranges.fields.get(field as usize),
    };
    let start = *ranges.item_tokens.get(row.tok as usize)?;
    Some(DeclarationRange {
        file,
        span: *span?,
        name: name_span(db, start, row.name),
    })
}

/// Returns the range of a type declared inside a function, or of a field of it.
fn local_declaration_range(
    db: &dyn Db,
    symbol: SymbolId,
    parent: SymbolId,
) -> Option<DeclarationRange> {
    let file = file_of(db, parent)?;
    let uses = file_uses(db, file);
    let local = uses.locals.iter().find(|local| local.symbol == symbol)?;
    let start = offset(db, file, local.body, local.occ)?;
    let name = name_span(db, start, db.shared().symbols.key(symbol).name);
    Some(DeclarationRange {
        file,
        span: name,
        name,
    })
}

/// Returns the file that declares a symbol, also for `_`, which is no node.
pub fn file_of(db: &dyn Db, symbol: SymbolId) -> Option<File> {
    if let Some(range) = declaration_range(db, symbol) {
        return Some(range.file);
    }
    file_of_declaration(db, symbol)
}

/// Returns the byte offset of a use.
pub fn offset(db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32> {
    let bodies = file_bodies(db, file);
    let ranges = file_ranges(db, file);
    match bodies.go()?.first_token(body) {
        Some(first) => ranges.body_tokens.get((first + occ) as usize).copied(),
        None => ranges.item_tokens.get(occ as usize).copied(),
    }
}

/// Returns the symbol or local at a byte offset.
pub fn name_at(db: &dyn Db, file: File, at: u32) -> Option<NameTarget> {
    let unit = unit_of(db, file)?;
    let items = items(db, file)?;
    let ranges = file_ranges(db, file);
    let inside = |span: &Span| span.start <= at && at < span.end.max(span.start + 1);
    if inside(&ranges.package) {
        return Some(NameTarget::Symbol(package_symbol(db, unit)));
    }
    if let Some(import) = ranges.imports.iter().position(inside) {
        return imported(db, file, unit, import);
    }
    let all = file_bodies(db, file);
    let bodies = all.go()?;
    let find = |tokens: &[u32], names: &[NameId]| {
        let mut tokens = tokens.iter().zip(names);
        let tok = tokens.position(|(&start, &name)| inside(&name_span(db, start, name)));
        tok.map(|tok| tok as u32)
    };
    let in_bodies = bodies.with_tokens().find_map(|(first, chunk)| {
        let tokens = ranges.body_tokens.get(first as usize..)?;
        Some((first, find(tokens, &chunk.code.names)?))
    });
    let (first, probe) = match in_bodies {
        Some((first, tok)) => {
            let in_items = false;
            (first, Probe { in_items, tok })
        }
        None => {
            let in_items = true;
            let tok = find(&ranges.item_tokens, &items.code.names)?;
            (0, Probe { in_items, tok })
        }
    };
    // A token number is unique only inside its chunk, so only the token's own body is walked.
    let body = body_of(bodies, first + probe.tok).filter(|_| !probe.in_items);
    let wanted = |number, _: &Body| body == Some(number);
    match walk(db, file, UseRecord::of_token(probe), &whole(bodies), wanted)?
        .record
        .found?
    {
        ProbeFound::Symbol(symbol) => Some(NameTarget::Symbol(symbol)),
        ProbeFound::Local { in_items, tok } => {
            let (start, name) = if in_items {
                (
                    ranges.item_tokens.get(tok as usize)?,
                    items.code.names.get(tok as usize)?,
                )
            } else {
                let mut chunks = bodies.with_tokens();
                let (_, chunk) = chunks.find(|&(other, _)| other == first)?;
                (
                    ranges.body_tokens.get((first + tok) as usize)?,
                    chunk.code.names.get(tok as usize)?,
                )
            };
            let name = *name;
            let span = name_span(db, *start, name);
            let owner = owner_at(db, file, unit, at);
            Some(NameTarget::Local {
                owner,
                name,
                declaration: DeclarationRange {
                    file,
                    span,
                    name: span,
                },
            })
        }
    }
}

/// Returns the selection of a whole file.
fn whole(bodies: &Bodies) -> FilePart<'_> {
    FilePart {
        chunks: &bodies.chunks,
        declarations: Some(bodies.count() as u32),
    }
}

/// Returns the number of the body that contains a token, given by its number in the file.
fn body_of(bodies: &Bodies, tok: Tok) -> Option<u32> {
    let mut found = None;
    for (first, chunk) in bodies.with_tokens() {
        let own = |body: &Body| first + body.first_tok <= tok;
        if let Some(at) = chunk.bodies.iter().rposition(own) {
            found = Some(chunk.first + at as u32);
        }
    }
    found
}

/// Returns the uses of a local, in text order.
pub fn local_uses(db: &dyn Db, declared: &DeclarationRange) -> Option<Vec<LocalUse>> {
    let file = declared.file;
    let ranges = file_ranges(db, file);
    let start = declared.name.start;
    let all = file_bodies(db, file);
    let bodies = all.go()?;
    let (in_items, tok) = match ranges.body_tokens.iter().position(|&at| at == start) {
        Some(tok) => (false, tok),
        None => (true, ranges.item_tokens.iter().position(|&at| at == start)?),
    };
    let tok = tok as Tok;
    // A parameter is used only in the body of its own function, a local of a body only there.
    let body = if in_items {
        bodies.iter().position(|(_, body)| {
            let item = ranges.items.get(body.item as usize);
            item.is_some_and(|span| span.start <= start && start < span.end)
        })
    } else {
        body_of(bodies, tok).map(|body| body as usize)
    };
    let mut chunks = bodies.with_tokens();
    let first = body.and_then(|body| {
        let own = |chunk: &Chunk| body < chunk.first as usize + chunk.bodies.len();
        Some(chunks.find(|(_, chunk)| own(chunk))?.0)
    });
    let first = first.unwrap_or(0);
    let record = UseRecord::of_local(Probe {
        in_items,
        tok: if in_items { tok } else { tok - first },
    });
    let item = ranges
        .items
        .iter()
        .position(|span| span.start <= start && start < span.end);
    let wanted = |number, one: &Body| {
        if in_items {
            item == Some(one.item as usize)
        } else {
            body == Some(number as usize)
        }
    };
    let record = walk(db, file, record, &whole(bodies), wanted)?.record;
    let offset = |(probe, in_literal): &(Probe, bool)| {
        let at = if probe.in_items {
            ranges.item_tokens.get(probe.tok as usize)
        } else {
            ranges.body_tokens.get((first + probe.tok) as usize)
        };
        Some(LocalUse {
            offset: *at?,
            in_literal: *in_literal,
        })
    };
    let mut uses: Vec<LocalUse> = record.local_uses.iter().filter_map(offset).collect();
    uses.sort_unstable();
    uses.dedup();
    Some(uses)
}

/// Returns the function that encloses an offset, else the package.
fn owner_at(db: &dyn Db, file: File, unit: Unit, at: u32) -> SymbolId {
    let ranges = file_ranges(db, file);
    let item = ranges
        .items
        .iter()
        .position(|span| span.start <= at && at < span.end);
    item.and_then(|item| {
        let items = items(db, file)?;
        let item = items.items.get(item)?;
        let symbol = item_symbol(db, unit, file, item, items);
        // `var _` is no node.
        declaration_range(db, symbol).map(|_| symbol)
    })
    .unwrap_or_else(|| package_symbol(db, unit))
}

/// Returns the package of an import of a file, by the import's number.
fn imported(db: &dyn Db, file: File, unit: Unit, import: usize) -> Option<NameTarget> {
    let rows = crate::symbols::unit_import_rows(db, unit);
    let row = rows
        .iter()
        .find(|row| row.file == file && row.import as usize == import)?;
    Some(NameTarget::Symbol(row.to))
}
