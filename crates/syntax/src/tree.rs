//! Parsing with tree-sitter: cancellable, one parser a thread and language.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{InputEdit, Language, ParseOptions, ParseState, Parser, Point, Tree};

use crate::Lang;
use crate::edit::Edit;

thread_local! {
    static GO: RefCell<Option<Parser>> = const { RefCell::new(None) };
    static PYTHON: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The grammar of a language.
pub(crate) fn language(lang: Lang) -> Language {
    match lang {
        Lang::Go => tree_sitter_go::LANGUAGE.into(),
        Lang::Python => tree_sitter_python::LANGUAGE.into(),
    }
}

/// The tree of the text that was lowered last, for the next one of the same file. Only trees
/// without errors are kept: what a parser makes of broken text depends on where it came from.
#[derive(Default)]
pub struct LastTree {
    last: Option<(Box<[u8]>, Tree)>,
}

impl LastTree {
    /// The tree of a text, made from the last one where neither has an error: then it is the one
    /// that the whole text gives.
    fn next(&mut self, text: &[u8], lang: Lang, stop: &dyn Fn() -> bool) -> Option<Tree> {
        let again = match self.last.take() {
            Some((old, mut tree)) => {
                tree.edit(&edit_between(&old, text));
                Some(parse_after(text, lang, Some(&tree), stop)?)
            }
            None => None,
        };
        let tree = match again.filter(|tree| !tree.root_node().has_error()) {
            Some(tree) => tree,
            None => parse_after(text, lang, None, stop)?,
        };
        if !tree.root_node().has_error() {
            self.last = Some((text.into(), tree.clone()));
        }
        Some(tree)
    }
}

/// The one edit that makes a text of another, as the parser wants it.
fn edit_between(old: &[u8], new: &[u8]) -> InputEdit {
    let Edit {
        start,
        old_end,
        new_end,
    } = Edit::between(old, new);
    let point = |text: &[u8], at: usize| {
        let before = &text[..at];
        let row = before.iter().filter(|&&byte| byte == b'\n').count();
        let line = before.iter().rposition(|&byte| byte == b'\n');
        Point {
            row,
            column: at - line.map_or(0, |line| line + 1),
        }
    };
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(old, start),
        old_end_position: point(old, old_end),
        new_end_position: point(new, new_end),
    }
}

/// As [`parse`], with the last tree of the file where there is one.
pub(crate) fn parse_next(
    text: &[u8],
    lang: Lang,
    last: Option<&mut LastTree>,
    stop: &dyn Fn() -> bool,
) -> Option<Tree> {
    match last {
        Some(last) => last.next(text, lang, stop),
        None => parse(text, lang, stop),
    }
}

/// The tree of a text; `None` when `stop` said so.
pub(crate) fn parse(text: &[u8], lang: Lang, stop: &dyn Fn() -> bool) -> Option<Tree> {
    parse_after(text, lang, None, stop)
}

fn parse_after(
    text: &[u8],
    lang: Lang,
    last: Option<&Tree>,
    stop: &dyn Fn() -> bool,
) -> Option<Tree> {
    let slot = match lang {
        Lang::Go => &GO,
        Lang::Python => &PYTHON,
    };
    slot.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&language(lang)).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        let mut progress = |_: &ParseState| {
            if stop() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| text.get(at..).unwrap_or(&[]);
        let tree = parser.parse_with_options(&mut read, last, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}
