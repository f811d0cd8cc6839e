//! What the tokens of a file mean: the symbols of names, the values of literals.

use codeweft_db::{FileUses, Ranges, Resolution, SymbolId};
use codeweft_go_syntax::texts::text_at;
use codeweft_go_syntax::{NO_TOK, Tok};
use rustc_hash::FxHashMap;

/// The tokens of the body or declaration that is walked.
pub(super) struct Tokens<'a> {
    text: &'a str,
    ranges: &'a Ranges,
    /// By body and token, as [`codeweft_db::Use`] has them.
    symbols: FxHashMap<(u32, u32), SymbolId>,
    body: u32,
    /// The first token of the body in its arenas.
    first: Tok,
    /// The file-wide number of the first token of the arenas; `None` for those of the items.
    chunk: Option<Tok>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, ranges: &'a Ranges, uses: &FileUses) -> Tokens<'a> {
        let mut symbols = FxHashMap::default();
        for (symbol, uses) in uses.iter() {
            for one in uses {
                if one.resolution == Resolution::Exact {
                    symbols.insert((one.body, one.occ), symbol);
                }
            }
        }
        Tokens {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            ranges,
            symbols,
            body: 0,
            first: 0,
            chunk: None,
        }
    }

    /// Continues with a declaration outside of bodies, by its number behind the bodies.
    pub(super) fn enter_items(&mut self, number: u32) {
        (self.body, self.first, self.chunk) = (number, 0, None);
    }

    /// Continues with a body: its number, its first token in its arenas, and the file-wide number of their first.
    pub(super) fn enter_body(&mut self, number: u32, first: Tok, chunk: Tok) {
        (self.body, self.first, self.chunk) = (number, first, Some(chunk));
    }

    /// Returns the body and the number of a token in it, as [`codeweft_db::Use`] has them.
    pub(super) fn position(&self, tok: Tok) -> (u32, u32) {
        (self.body, tok.saturating_sub(self.first))
    }

    /// Returns the declaration that the name at a token means.
    pub(super) fn symbol(&self, tok: Tok) -> Option<SymbolId> {
        self.symbols.get(&self.position(tok)).copied()
    }

    /// Returns the value of the string literal at a token.
    pub(super) fn literal(&self, tok: Tok) -> Option<std::borrow::Cow<'a, str>> {
        if tok == NO_TOK {
            return None;
        }
        let offset = match self.chunk {
            Some(chunk) => self
                .ranges
                .body_tokens
                .get(chunk.checked_add(tok)? as usize),
            None => self.ranges.item_tokens.get(tok as usize),
        };
        text_at(self.text, *offset?)
    }
}
