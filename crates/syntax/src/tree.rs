//! Parsing with tree-sitter: cancellable, one parser a thread and language.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

use crate::Lang;

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

/// The tree of a text; `None` when `stop` said so.
pub(crate) fn parse(text: &[u8], lang: Lang, stop: &dyn Fn() -> bool) -> Option<Tree> {
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
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}
