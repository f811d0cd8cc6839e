//! From text to trees: the whole, or repaired, or in chunks, the later only where the earlier
//! left errors.

use tree_sitter::Tree;

use super::chunks;
use super::items::BlankedReceiver;
use super::kinds::{GoKind, GoKinds};
use super::repair;
use super::scan::GoScanner;
use crate::{CachedTree, Lang, Span};

/// A part of the text is given up after so many steps of the parser, and one more for each of so
/// many lexemes. Sound text takes a step for 15 lexemes and more.
const MIN_STEPS: usize = 40;
const LEXEMES_A_STEP: usize = 8;

/// The trees of a text.
pub(super) struct ParsedPieces {
    /// In text order; one, unless chunked.
    pub(super) pieces: Vec<Piece>,
    /// Receivers that the trees lack; by offset.
    pub(super) receivers: Vec<BlankedReceiver>,
    pub(super) repaired: u32,
    pub(super) chunked: bool,
}

/// A tree of a part of the text.
pub(super) struct Piece {
    /// Where the part begins in the text.
    pub(super) base: u32,
    /// Where it ends.
    pub(super) end: u32,
    pub(super) tree: Tree,
    /// Whether brackets had to be closed behind it.
    pub(super) unclosed: bool,
    /// Whether the signature of the function that the tree declares is made up.
    pub(super) guessed: bool,
    /// Offsets of what could not be read, in the text.
    pub(super) errors: Vec<u32>,
    /// Specs of which at most the name was read.
    pub(super) damaged: Vec<Span>,
    /// What stands in the body of the function that the tree declares, where that had to be read
    /// apart to keep the function.
    pub(super) body: Option<Box<Piece>>,
}

/// Reads a text; `None` when `stop` said so.
pub(super) fn parse(
    text: &str,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<ParsedPieces> {
    let bytes = text.as_bytes();
    if !chunks::ends_in_comment(bytes)
        && let Some(whole) = Piece::sound(bytes, last, stop)?
    {
        return Some(ParsedPieces::of_whole(whole, Vec::new(), 0));
    }
    let repaired = repair::repair(text);
    let is_balanced = repaired.is_balanced;
    let (bytes, receivers, places) = (&repaired.bytes, repaired.receivers, repaired.places);
    if places > 0
        && is_balanced
        && let Some(whole) = Piece::sound(bytes, None, stop)?
    {
        return Some(ParsedPieces::of_whole(whole, receivers, places));
    }
    let mut pieces = Vec::new();
    for chunk in chunks::chunks(bytes) {
        if chunk.is_doubtful {
            let text = &bytes[chunk.start..chunk.end];
            let tree = crate::tree::parse_sound(text, Lang::Go, None, stop)?;
            let piece = tree.map(|tree| Piece::of_tree(tree, chunk.start, chunk.end));
            pieces.extend(piece.filter(|piece| piece.errors.is_empty()));
            continue;
        }
        let piece = Piece::closed(bytes, chunk.start, chunk.end, stop)?;
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
        repaired: places,
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

    /// The 1-based lines where the text could not be read.
    pub(super) fn error_lines(&self, line_of: impl Fn(u32) -> u32) -> Box<[u32]> {
        let offsets = self.pieces.iter().flat_map(|piece| &piece.errors);
        let mut lines: Vec<u32> = offsets.map(|&offset| line_of(offset)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.into()
    }
}

impl Piece {
    /// The whole text, if it has no error.
    fn sound(
        bytes: &[u8],
        last: Option<&mut CachedTree>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Option<Piece>> {
        let tree = crate::tree::parse_sound(bytes, Lang::Go, last, stop)?;
        let whole = tree.map(|tree| Piece::of_tree(tree, 0, bytes.len()));
        Some(whole.filter(|whole| whole.errors.is_empty()))
    }

    pub(super) fn read(
        bytes: &[u8],
        start: usize,
        end: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Piece> {
        Piece::of_text(&bytes[start..end], start, end, stop)
    }

    /// The piece from `start` to `end` whose tree is that of `text`.
    fn of_text(text: &[u8], start: usize, end: usize, stop: &dyn Fn() -> bool) -> Option<Piece> {
        let (tree, is_read) = tree_of(text, stop)?;
        let mut piece = Piece::of_tree(tree, start, end);
        if !is_read {
            piece.errors.push(piece.base);
        }
        Some(piece)
    }

    fn of_tree(tree: Tree, start: usize, end: usize) -> Piece {
        let (start, end) = (start as u32, end as u32);
        let errors = errors(&tree, start, end);
        Piece {
            base: start,
            end,
            tree,
            unclosed: false,
            guessed: false,
            errors,
            damaged: Vec::new(),
            body: None,
        }
    }

    /// How many specs the declarations of the tree have.
    fn specs(&self) -> usize {
        let kinds = GoKinds::get();
        let mut cursor = self.tree.walk();
        let (mut count, mut depth) = (0, 0_usize);
        loop {
            let kind = kinds.of(cursor.node());
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

    /// The piece with the specs of the group that its text begins with: as it is if the tree has
    /// them, else without what is damaged; of a damaged constant the name stays, because the others
    /// are counted.
    fn with_specs(self, bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<Piece> {
        let chunk = &bytes[self.base as usize..self.end as usize];
        let Some(specs) = chunks::specs(chunk).filter(|specs| !specs.damaged.is_empty()) else {
            return Some(self);
        };
        let found = self.specs();
        if found >= specs.count {
            return Some(self);
        }
        let mut blanked = chunk.to_vec();
        for spec in &specs.damaged {
            let is_const = chunk.starts_with(b"const");
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
        let place = |at: usize| self.base + at as u32;
        piece.damaged = specs
            .damaged
            .iter()
            .map(|spec| Span {
                start: place(spec.start),
                end: place(spec.end),
            })
            .collect();
        piece.errors = self.errors;
        Some(piece)
    }

    /// Whether the tree declares a function; if so, whether with a body.
    fn function(&self) -> Option<bool> {
        let kinds = GoKinds::get();
        let root = self.tree.root_node();
        let function = root.children(&mut root.walk()).find(|&node| {
            matches!(
                kinds.of(node),
                GoKind::FunctionDeclaration | GoKind::MethodDeclaration
            )
        })?;
        let mut cursor = root.walk();
        let mut children = function.children(&mut cursor);
        Some(children.any(|child| kinds.of(child) == GoKind::Block))
    }

    /// The piece with the function that its text begins with, however broken: as it is if the
    /// tree has the function, else its head with an empty body and the body apart, else its name
    /// alone with what stands behind the first brace, or in the next lines.
    fn with_function(self, bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<Piece> {
        let chunk = &bytes[self.base as usize..self.end as usize];
        if !chunk.starts_with(b"func") || self.function() == Some(true) {
            return Some(self);
        }
        if let Some(brace) = chunks::body_brace(chunk) {
            let head = [&chunk[..=brace], b"}"].concat();
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
        let Some(name_end) = chunks::name_end(chunk) else {
            return Some(self);
        };
        let find = |wanted| chunk[name_end..].iter().position(|&byte| byte == wanted);
        let gap = find(b'{').or_else(|| find(b'\n'));
        let behind = gap.map_or(chunk.len(), |gap| name_end + gap + 1);
        let head = [&chunk[..name_end], b"(){}"].concat();
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

    /// A piece of this one's extent whose tree is that of `head`; its body begins `behind` bytes
    /// after the piece does.
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
            tree: tree_of(head, stop)?.0,
            unclosed: true,
            guessed: false,
            errors: Vec::new(),
            damaged: Vec::new(),
            body: Some(Box::new(body)),
        })
    }

    /// As [`Piece::read`], with the brackets closed that the text leaves open.
    fn closed(bytes: &[u8], start: usize, end: usize, stop: &dyn Fn() -> bool) -> Option<Piece> {
        let chunk = &bytes[start..end];
        let closers = chunks::closers(chunk);
        if closers.is_empty() {
            return Piece::read(bytes, start, end, stop);
        }
        let mut piece = Piece::of_text(&[chunk, &closers].concat(), start, end, stop)?;
        piece.unclosed = true;
        piece
            .errors
            .push(piece.end.saturating_sub(1).max(piece.base));
        Some(piece)
    }
}

/// The offsets of what a tree could not read: ERROR and MISSING nodes, and statements outside of
/// declarations. A MISSING terminator is hidden and no error: the grammar asks for one before
/// the parenthesis of `var (a int)`, the language does not.
fn errors(tree: &Tree, base: u32, end: u32) -> Vec<u32> {
    let kinds = GoKinds::get();
    let mut offsets = Vec::new();
    let mut cursor = tree.walk();
    // The cursor's own `depth` walks up to the root each time.
    let mut depth = 0_usize;
    loop {
        let node = cursor.node();
        let kind = kinds.of(node);
        let is_stray = depth == 1 && kind.is_stmt() && !kind.is_declaration();
        let is_error = is_stray || node.is_error() || node.is_missing();
        if is_error {
            offsets.push((base + node.start_byte() as u32).min(end.saturating_sub(1).max(base)));
        }
        // An error inside of an error is told by the outer one.
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

/// The tree of a text. What is so broken that reading on behind its errors takes very much longer
/// than sound text does has no tree but an empty one.
fn tree_of(text: &[u8], stop: &dyn Fn() -> bool) -> Option<(Tree, bool)> {
    let steps = MIN_STEPS + GoScanner::new(text, 0).count() / LEXEMES_A_STEP;
    if let Some(tree) = crate::tree::parse_within(text, Lang::Go, steps, stop)? {
        return Some((tree, true));
    }
    Some((crate::tree::parse(b"", Lang::Go, stop)?, false))
}
