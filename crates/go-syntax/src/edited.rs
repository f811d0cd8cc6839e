//! Lowers the next text of a file incrementally if the edit lies inside one function body: only the
//! chunk of that body is lowered again.
//!
//! ```text
//! old text   |chunk 0 ......|chunk 1 ....X.....|chunk 2 ......|
//! new text   |chunk 0 ......|chunk 1 ....XYZ.......|chunk 2 ......|
//!             kept as it is   parsed and lowered     kept, its ranges moved
//! ```
//!
//! A declaration that parses without error between two that do also gives the same tree when parsed
//! alone. So the declarations of the chunk are parsed alone; they must declare the same items and
//! bodies at the same (moved) offsets, without errors. In any other case the result is `None` and
//! the caller lowers the whole text.

use std::sync::Arc;

use super::chunking::same_borders;
use super::header::HeaderParts;
use super::ir::*;
use super::items::Declarations;
use super::parse::Piece;
use super::walk::GoLowering;
use crate::parts::AsGo as _;
use codeweft_syntax::edit::TextEdit;
use codeweft_syntax::{FileIr, Identifiers, NameId, Names, Ranges, Report, Span};

/// Patches the lowered form of the previous text; see [`codeweft_syntax::lower_edited`].
pub(crate) fn lower_edited(
    old: &str,
    ir: &FileIr,
    text: &str,
    names: &Names,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let old = old.strip_prefix('\u{feff}').unwrap_or(old);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (items, bodies, ranges) = (ir.items.go()?, ir.bodies.go()?, &*ir.ranges);
    if *ir.report != Report::default() || bodies.chunks.len() < 2 {
        return None;
    }
    let edit = TextEdit::between(old.as_bytes(), text.as_bytes());
    let moved = |span: Span| Span {
        start: edit.moved(span.start),
        end: edit.moved(span.end),
    };
    let before = |span: &Span| (span.start as usize) < edit.start;
    let number = ranges.bodies.partition_point(before).checked_sub(1)?;
    let span = *ranges.bodies.get(number)?;
    if edit.old_end >= span.end as usize {
        return None;
    }
    let mut chunks = bodies.chunks.iter();
    let at = chunks.rposition(|chunk| chunk.first as usize <= number)?;
    let chunk = &*bodies.chunks[at];
    let body = chunk.bodies.get(number - chunk.first as usize)?;
    let declared = *ranges.items.get(body.item as usize)?;
    let is_function =
        |item: &&Item| matches!(item.kind, ItemKind::Func { .. } | ItemKind::Method { .. });
    let functions = items.items.iter().filter(is_function).count();
    let lengths = (old.len(), text.len());
    if !matches!(body.root, BodyRoot::Block(_))
        || !same_borders(functions, lengths, (declared, moved(declared)))
    {
        return None;
    }

    let region = moved(*ranges.chunks.get(at)?);
    let (start, end) = (region.start as usize, region.end as usize);
    let piece = Piece::read(text.as_bytes(), start, end, stop)?;
    if !piece.errors.is_empty() {
        return None;
    }
    let mut lowering = GoLowering::new(text, names, stop, &piece);
    let mut declarations = Declarations::default();
    lowering.enter_piece(&piece);
    lowering.source_file(&mut HeaderParts::default(), &mut declarations, &[]);
    if lowering.stopped || lowering.cut {
        return None;
    }
    let present = lowering.identifiers();
    let no_names = [lowering.paren, lowering.quote, lowering.empty];
    let found = declarations.bodies.finish(lowering.other);

    // The chunk must have the same items and bodies at the same offsets.
    let first_item = ranges
        .items
        .partition_point(|item| item.start < region.start);
    let same_items = declarations.items.len() == {
        let rest = ranges.items[first_item..].iter();
        rest.take_while(|item| moved(**item).start < region.end)
            .count()
    } && {
        let found = declarations.items.iter().zip(&declarations.item_spans);
        let known = items.items.iter().zip(&ranges.items).skip(first_item);
        found.zip(known).all(|((item, span), (known, known_span))| {
            item.name == known.name && *span == moved(*known_span)
        })
    };
    let first = chunk.first as usize;
    let spans = ranges.bodies.get(first..first + chunk.bodies.len())?;
    let same_bodies = declarations.bodies.spans.len() == spans.len() && {
        let mut pairs = declarations.bodies.spans.iter().zip(spans);
        pairs.all(|(found, known)| *found == moved(*known))
    };
    if !same_items || !same_bodies || declarations.bodies.regions != [region] {
        return None;
    }
    let mut next = Arc::unwrap_or_clone(found.chunks.into_iter().next()?);
    next.first = chunk.first;
    for (body, known) in next.bodies.iter_mut().zip(&chunk.bodies) {
        body.item += first_item as u32;
        if body.item != known.item {
            return None;
        }
    }

    let tokens = &declarations.bodies.tokens;
    let ranges = Arc::new(moved_ranges(ranges, bodies, at, tokens, edit, text));
    if next == *chunk {
        return Some(FileIr {
            ranges,
            ..ir.clone()
        });
    }
    let removed_names = removed_names(ir, at, &present, &no_names);
    let mut chunks = bodies.chunks.clone();
    chunks[at] = Arc::new(next);
    Some(FileIr {
        bodies: Arc::new(codeweft_syntax::Bodies::new(Bodies { chunks })),
        ranges,
        identifiers: updated_identifiers(&ir.identifiers, &removed_names, &present),
        ..ir.clone()
    })
}

/// Returns the ranges with everything behind the edit moved, and with the new tokens of the chunk
/// `at`.
fn moved_ranges(
    ranges: &Ranges,
    bodies: &Bodies,
    at: usize,
    tokens: &[u32],
    edit: TextEdit,
    text: &str,
) -> Ranges {
    let offsets = |all: &[u32]| -> Box<[u32]> { all.iter().map(|&at| edit.moved(at)).collect() };
    let spans = |all: &[Span]| -> Box<[Span]> {
        let moved = all.iter().map(|span| Span {
            start: edit.moved(span.start),
            end: edit.moved(span.end),
        });
        moved.collect()
    };
    let counts = bodies.chunks.iter().map(|chunk| chunk.code.names.len());
    let first: usize = counts.clone().take(at).sum();
    let end: usize = counts.take(at + 1).sum();
    let (before, behind) = (&ranges.body_tokens[..first], &ranges.body_tokens[end..]);
    Ranges {
        lines: moved_lines(&ranges.lines, edit, text),
        package: ranges.package,
        imports: spans(&ranges.imports),
        items: spans(&ranges.items),
        fields: spans(&ranges.fields),
        item_tokens: offsets(&ranges.item_tokens),
        chunks: spans(&ranges.chunks),
        bodies: spans(&ranges.bodies),
        body_tokens: [before, tokens, &offsets(behind)].concat().into(),
    }
}

/// Returns the line starts of the new text: those inside the edit are searched, the others moved.
fn moved_lines(lines: &[u32], edit: TextEdit, text: &str) -> Box<[u32]> {
    let kept = lines.partition_point(|&line| line as usize <= edit.start);
    let behind = lines.partition_point(|&line| line as usize <= edit.old_end);
    let added = text.as_bytes()[edit.start..edit.new_end].iter();
    let added = added.zip(edit.start as u32 + 1..);
    let added = added
        .filter(|&(&byte, _)| byte == b'\n')
        .map(|(_, next)| next);
    let mut all = Vec::with_capacity(lines.len() + 8);
    all.extend_from_slice(&lines[..kept]);
    all.extend(added);
    all.extend(lines[behind..].iter().map(|&line| edit.moved(line)));
    all.into()
}

/// Returns the names of chunk `at` that no longer occur in the file, given the names `present` in
/// its new declarations. Tokens with a name in `no_names` are no identifiers.
fn removed_names(ir: &FileIr, at: usize, present: &[NameId], no_names: &[NameId]) -> Vec<NameId> {
    let (Some(header), Some(items), Some(bodies)) = (ir.header.go(), ir.items.go(), ir.bodies.go())
    else {
        return Vec::new();
    };
    let mut still = present.to_vec();
    still.sort_unstable();
    let mut removed_names = bodies.chunks[at].code.names.clone();
    removed_names.sort_unstable();
    removed_names.dedup();
    removed_names.retain(|name| still.binary_search(name).is_err() && !no_names.contains(name));
    removed_names.retain(|name| *name != header.package);
    for import in &header.imports {
        removed_names.retain(|name| import.kind != ImportKind::Named(*name));
    }
    let others = bodies.chunks.iter().enumerate();
    let others = others.filter(|&(other, _)| other != at);
    let codes = others.map(|(_, chunk)| &chunk.code).chain([&items.code]);
    for code in codes {
        if removed_names.is_empty() {
            break;
        }
        removed_names.retain(|name| !code.names.contains(name));
    }
    removed_names
}

fn updated_identifiers(
    old: &Arc<Identifiers>,
    removed_names: &[NameId],
    present: &[NameId],
) -> Arc<Identifiers> {
    let added = present.iter().filter(|&&name| !old.contains(name));
    let added: Vec<NameId> = added.copied().collect();
    if removed_names.is_empty() && added.is_empty() {
        return old.clone();
    }
    let kept = old
        .names
        .iter()
        .filter(|name| !removed_names.contains(name));
    Arc::new(Identifiers::from_names(
        kept.copied().chain(added).collect(),
    ))
}
