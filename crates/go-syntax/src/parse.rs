//! Parses a text into syntax trees, in up to four attempts:
//!
//! - the whole text with the parser for healthy text ([`parser`]), unless there is a tree of tree-sitter
//!   for the last text;
//! - the whole text with tree-sitter;
//! - if that has errors, a copy with constructs rewritten that the grammar does not support
//!   ([`repair`]);
//! - if that still has errors, each declaration on its own (`split`), with open brackets closed and
//!   a broken function or spec reduced to the part that can be read.
//!
//! ```text
//! func a() { return 1 }        piece 1: sound
//! func b() { if x {            piece 2: parsed as `func b() { if x {}}`, marked unclosed
//! func c() {}                  piece 3: sound
//! ```

use tree_sitter::Tree;

use super::flat::FlatTree;
use super::kinds::{GoKind, GoKinds};
use super::parser;
use super::repair::{self, BlankedReceiver};
use super::scan::GoScanner;
use super::split;
use codeweft_syntax::{CachedTree, Span};

/// A piece of text is given up after `MIN_STEPS` steps of the parser plus one step per
/// `LEXEMES_A_STEP` lexemes. Sound text takes one step per 15 lexemes or more.
const MIN_STEPS: usize = 40;
const LEXEMES_A_STEP: usize = 8;

/// The syntax trees of a text.
pub(super) struct ParsedPieces {
    /// In text order; one piece, unless the text was split.
    pub(super) pieces: Vec<Piece>,
    /// Receivers that were blanked out of the parsed copy, ordered by offset.
    pub(super) receivers: Vec<BlankedReceiver>,
    pub(super) repaired: u32,
    pub(super) chunked: bool,
}

/// The syntax tree of a part of the text.
pub(super) struct Piece {
    /// Offset of the first byte of the part.
    pub(super) base: u32,
    /// Offset behind the last byte of the part.
    pub(super) end: u32,
    pub(super) tree: FlatTree,
    /// Whether open brackets had to be closed at its end.
    pub(super) unclosed: bool,
    /// Whether the signature of the function that the tree declares was made up.
    pub(super) guessed: bool,
    /// Offsets in the text of what could not be read.
    pub(super) errors: Vec<u32>,
    /// Specs that were dropped, or reduced to their name.
    pub(super) damaged: Vec<Span>,
    /// The body of the function that the tree declares, if it had to be parsed separately to keep
    /// the function.
    pub(super) body: Option<Box<Piece>>,
}

/// Parses a text; `None` if `stop` returned `true`. A tree in `last` is reused, and kept of a text that the
/// parser for healthy text does not read: to read healthy text as a whole is faster than to flatten the tree
/// that tree-sitter makes of the last one.
pub(super) fn parse(
    text: &str,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<ParsedPieces> {
    if last.as_ref().is_none_or(|last| !last.has_tree()) {
        if let Some(tree) = parser::parse(text, stop) {
            let whole = Piece::of_flat(tree, 0, text.len(), Vec::new());
            return Some(ParsedPieces::of_whole(whole, Vec::new(), 0));
        }
        if stop() {
            return None;
        }
    }
    parse_by_tree_sitter(text, last, stop)
}

/// As [`parse`], without the parser for healthy text.
pub(super) fn parse_by_tree_sitter(
    text: &str,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<ParsedPieces> {
    let bytes = text.as_bytes();
    if !split::ends_in_comment(bytes)
        && let Some(whole) = Piece::sound(bytes, last, stop)?
    {
        return Some(ParsedPieces::of_whole(whole, Vec::new(), 0));
    }
    let repaired = repair::repair(text);
    let is_balanced = repaired.is_balanced;
    let (bytes, receivers, replacements) =
        (&repaired.bytes, repaired.receivers, repaired.replacements);
    if replacements > 0
        && is_balanced
        && let Some(whole) = Piece::sound(bytes, None, stop)?
    {
        return Some(ParsedPieces::of_whole(whole, receivers, replacements));
    }
    let mut pieces = Vec::new();
    for extent in split::split(bytes) {
        if extent.is_doubtful {
            let text = &bytes[extent.start..extent.end];
            let tree =
                codeweft_syntax::tree::parse_sound(text, &crate::grammar::GRAMMAR, None, stop)?;
            if let Some(tree) = tree {
                let piece = Piece::of_tree(&tree, extent.start, extent.end, stop)?;
                pieces.extend(Some(piece).filter(|piece| piece.errors.is_empty()));
            }
            continue;
        }
        let piece = Piece::closed(bytes, extent.start, extent.end, stop)?;
        if piece.errors.is_empty() {
            pieces.push(piece);
        } else {
            let piece = piece.with_specs(bytes, stop)?;
            pieces.push(piece.with_function(bytes, stop)?);
        }
    }
    Some(ParsedPieces {
        pieces,
        receivers,
        repaired: replacements,
        chunked: true,
    })
}

impl ParsedPieces {
    fn of_whole(piece: Piece, receivers: Vec<BlankedReceiver>, repaired: u32) -> ParsedPieces {
        ParsedPieces {
            pieces: vec![piece],
            receivers,
            repaired,
            chunked: false,
        }
    }

    /// Returns the 1-based lines where the text could not be read.
    pub(super) fn error_lines(&self, line_of: impl Fn(u32) -> u32) -> Box<[u32]> {
        let offsets = self.pieces.iter().flat_map(|piece| &piece.errors);
        let mut lines: Vec<u32> = offsets.map(|&offset| line_of(offset)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.into()
    }
}

impl Piece {
    /// Parses the whole text; `Some(None)` if it has an error.
    fn sound(
        bytes: &[u8],
        last: Option<&mut CachedTree>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Option<Piece>> {
        let tree = codeweft_syntax::tree::parse_sound(bytes, &crate::grammar::GRAMMAR, last, stop)?;
        let Some(tree) = tree else {
            return Some(None);
        };
        let errors = errors(&tree, 0, bytes.len() as u32);
        if !errors.is_empty() {
            return Some(None);
        }
        let tree = FlatTree::of_tree(&tree, bytes.len(), stop)?;
        Some(Some(Piece::of_flat(tree, 0, bytes.len(), errors)))
    }

    pub(super) fn read(
        bytes: &[u8],
        start: usize,
        end: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Piece> {
        Piece::of_text(&bytes[start..end], start, end, stop)
    }

    /// Parses `text`, whose extent in the file is `start..end`.
    fn of_text(text: &[u8], start: usize, end: usize, stop: &dyn Fn() -> bool) -> Option<Piece> {
        let (tree, is_read) = tree_of(text, stop)?;
        let mut piece = Piece::of_tree(&tree, start, end, stop)?;
        if !is_read {
            piece.errors.push(piece.base);
        }
        Some(piece)
    }

    /// `None` if `stop` returned `true`.
    fn of_tree(tree: &Tree, start: usize, end: usize, stop: &dyn Fn() -> bool) -> Option<Piece> {
        let errors = errors(tree, start as u32, end as u32);
        let tree = FlatTree::of_tree(tree, end - start, stop)?;
        Some(Piece::of_flat(tree, start, end, errors))
    }

    fn of_flat(tree: FlatTree, start: usize, end: usize, errors: Vec<u32>) -> Piece {
        Piece {
            base: start as u32,
            end: end as u32,
            tree,
            unclosed: false,
            guessed: false,
            errors,
            damaged: Vec::new(),
            body: None,
        }
    }

    /// Returns the number of specs in the declarations of the tree.
    fn specs(&self) -> usize {
        let mut cursor = self.tree.walk();
        let (mut count, mut depth) = (0, 0_usize);
        loop {
            let kind = cursor.node().kind;
            let is_group = kind.is_declaration()
                || matches!(
                    kind,
                    GoKind::ImportDeclaration | GoKind::ImportSpecList | GoKind::VarSpecList
                );
            count += usize::from(matches!(
                kind,
                GoKind::ImportSpec
                    | GoKind::ConstSpec
                    | GoKind::VarSpec
                    | GoKind::TypeSpec
                    | GoKind::TypeAlias
            ));
            if (depth == 0 || is_group) && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return count;
                }
                depth -= 1;
            }
        }
    }

    /// Repairs a piece whose text begins with a grouped declaration. A tree that has all its specs
    /// is kept. Otherwise damaged specs are blanked out and the piece parsed again; of a damaged
    /// constant the name stays, because `iota` counts it.
    fn with_specs(self, bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<Piece> {
        let own_text = &bytes[self.base as usize..self.end as usize];
        let Some(specs) = split::specs(own_text).filter(|specs| !specs.damaged.is_empty()) else {
            return Some(self);
        };
        let found = self.specs();
        if found >= specs.count {
            return Some(self);
        }
        let mut blanked = own_text.to_vec();
        for spec in &specs.damaged {
            let is_const = own_text.starts_with(b"const");
            let start = if is_const { spec.name_end } else { spec.start };
            for byte in &mut blanked[start..spec.end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        let mut piece = Piece::closed(&blanked, 0, blanked.len(), stop)?;
        if piece.specs() <= found {
            return Some(self);
        }
        (piece.base, piece.end) = (self.base, self.end);
        let shifted = |at: usize| self.base + at as u32;
        piece.damaged = specs
            .damaged
            .iter()
            .map(|spec| Span {
                start: shifted(spec.start),
                end: shifted(spec.end),
            })
            .collect();
        piece.errors = self.errors;
        Some(piece)
    }

    /// Returns `None` if the tree declares no function, else whether the function has a body.
    fn function(&self) -> Option<bool> {
        let mut cursor = self.tree.walk();
        let mut more = cursor.goto_first_child();
        while more {
            if matches!(
                cursor.node().kind,
                GoKind::FunctionDeclaration | GoKind::MethodDeclaration
            ) {
                return Some(cursor.first_of_kind(GoKind::Block).is_some());
            }
            more = cursor.goto_next_sibling();
        }
        None
    }

    /// Repairs a piece whose text begins with a function. A tree that has the function is kept.
    /// Otherwise the function is parsed as its head with an empty body and the body separately;
    /// failing that, its name alone, with the text behind the first brace, or of the next lines, as
    /// its body.
    fn with_function(self, bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<Piece> {
        let own_text = &bytes[self.base as usize..self.end as usize];
        if !own_text.starts_with(b"func") || self.function() == Some(true) {
            return Some(self);
        }
        if let Some(brace) = split::body_brace(own_text) {
            let head = [&own_text[..=brace], b"}"].concat();
            let head = self.head(&head, brace + 1, bytes, stop)?;
            if head.function() == Some(true) {
                return Some(Piece {
                    errors: self.errors,
                    ..head
                });
            }
        }
        if self.function().is_some() {
            return Some(self);
        }
        let Some(name_end) = split::name_end(own_text) else {
            return Some(self);
        };
        let find = |wanted| own_text[name_end..].iter().position(|&byte| byte == wanted);
        let gap = find(b'{').or_else(|| find(b'\n'));
        let behind = gap.map_or(own_text.len(), |gap| name_end + gap + 1);
        let head = [&own_text[..name_end], b"(){}"].concat();
        let head = self.head(&head, behind, bytes, stop)?;
        if head.function().is_none() {
            return Some(self);
        }
        Some(Piece {
            errors: self.errors,
            guessed: true,
            ..head
        })
    }

    /// Returns a piece of the same extent whose tree is that of `head`; its body begins `behind`
    /// bytes after the start of the piece.
    fn head(
        &self,
        head: &[u8],
        behind: usize,
        bytes: &[u8],
        stop: &dyn Fn() -> bool,
    ) -> Option<Piece> {
        let body = Piece::read(bytes, self.base as usize + behind, self.end as usize, stop)?;
        Some(Piece {
            base: self.base,
            end: self.end,
            tree: FlatTree::of_tree(&tree_of(head, stop)?.0, head.len(), stop)?,
            unclosed: true,
            guessed: false,
            errors: Vec::new(),
            damaged: Vec::new(),
            body: Some(Box::new(body)),
        })
    }

    /// As [`Piece::read`], but closes the brackets that the text leaves open.
    fn closed(bytes: &[u8], start: usize, end: usize, stop: &dyn Fn() -> bool) -> Option<Piece> {
        let own_text = &bytes[start..end];
        let closers = split::closers(own_text);
        if closers.is_empty() {
            return Piece::read(bytes, start, end, stop);
        }
        let mut piece = Piece::of_text(&[own_text, &closers].concat(), start, end, stop)?;
        piece.unclosed = true;
        piece
            .errors
            .push(piece.end.saturating_sub(1).max(piece.base));
        Some(piece)
    }
}

/// Returns the offsets of what a tree could not read: ERROR and MISSING nodes, and statements
/// outside declarations. A MISSING terminator is hidden and no error: the grammar requires one
/// before the parenthesis of `var (a int)`, the language does not.
fn errors(tree: &Tree, base: u32, end: u32) -> Vec<u32> {
    let kinds = GoKinds::get();
    let mut offsets = Vec::new();
    let mut cursor = tree.walk();
    // `TreeCursor::depth` walks up to the root on every call.
    let mut depth = 0_usize;
    loop {
        let node = cursor.node();
        let kind = kinds.of(node);
        let is_stray = depth == 1 && kind.is_stmt() && !kind.is_declaration();
        let is_error = is_stray || node.is_error() || node.is_missing();
        if is_error {
            offsets.push((base + node.start_byte() as u32).min(end.saturating_sub(1).max(base)));
        }
        // Errors nested in an ERROR node are reported by the outer one.
        let down = !is_error && (depth == 0 || node.has_error());
        if down && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return offsets;
            }
            depth -= 1;
        }
    }
}

/// Parses a text. Returns an empty tree for text so broken that error recovery would take far
/// longer than parsing sound text.
fn tree_of(text: &[u8], stop: &dyn Fn() -> bool) -> Option<(Tree, bool)> {
    let steps = MIN_STEPS + GoScanner::new(text, 0).count() / LEXEMES_A_STEP;
    if let Some(tree) =
        codeweft_syntax::tree::parse_within(text, &crate::grammar::GRAMMAR, steps, stop)?
    {
        return Some((tree, true));
    }
    Some((
        codeweft_syntax::tree::parse(b"", &crate::grammar::GRAMMAR, stop)?,
        false,
    ))
}
