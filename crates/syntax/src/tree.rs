//! Parsing with tree-sitter: cancellable, one parser a thread and language.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use tree_sitter::{InputEdit, Language, ParseOptions, ParseState, Parser, Point, Tree};

use crate::Lang;
use crate::edit::TextEdit;

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
///
/// Dropping it takes long after a large text: it also holds what the last lowering has done with.
#[derive(Default)]
pub struct CachedTree {
    last: Option<(Box<[u8]>, Tree)>,
    spent: Vec<DroppedTrees>,
}

/// What is not needed any more, but takes long to drop.
enum DroppedTrees {
    Tree(#[expect(dead_code, reason = "held to be dropped later")] Tree),
    Parser(#[expect(dead_code, reason = "held to be dropped later")] Parser),
}

/// From this size on, in bytes, what a text leaves behind is worth dropping elsewhere.
const LARGE: usize = 256 << 10;

impl CachedTree {
    /// What the lowerings so far have done with, to be dropped where nobody waits.
    pub fn take_spent(&mut self) -> impl Send + use<> + 'static {
        std::mem::take(&mut self.spent)
    }

    /// The tree of a text, made from the last one where neither has an error: then it is the one
    /// that the whole text gives.
    fn next(&mut self, text: &[u8], lang: Lang, until: ParseDeadline<'_>) -> Option<Tree> {
        self.spent.clear();
        let again = match self.last.take() {
            Some((old, tree)) => {
                let mut edited = tree.clone();
                edited.edit(&edit_between(&old, text));
                let again = parse_after(text, lang, Some(&edited), until, &mut self.spent);
                let gave_up = until.give_up.is_some_and(|(_, told)| told.take());
                if again.is_none() && !gave_up {
                    // Stopped: the next text is parsed from here.
                    self.last = Some((old, tree));
                    return None;
                }
                self.leave(text, &tree);
                again
            }
            None => None,
        };
        let tree = match again {
            Some(tree) if !tree.root_node().has_error() => tree,
            other => {
                if let Some(tree) = other {
                    self.leave(text, &tree);
                }
                parse_after(text, lang, None, until, &mut self.spent)?
            }
        };
        if tree.root_node().has_error() {
            self.leave(text, &tree);
        } else {
            self.last = Some((text.into(), tree.clone()));
        }
        Some(tree)
    }

    /// A tree is not needed any more once its other holders are done with it.
    fn leave(&mut self, text: &[u8], tree: &Tree) {
        if text.len() >= LARGE {
            self.spent.push(DroppedTrees::Tree(tree.clone()));
        }
    }
}

/// The one edit that makes a text of another, as the parser wants it.
fn edit_between(old: &[u8], new: &[u8]) -> InputEdit {
    let TextEdit {
        start,
        old_end,
        new_end,
    } = TextEdit::between(old, new);
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

/// Whether a parse in this state is not worth going on with.
type StopTest<'a> = &'a dyn Fn(&ParseState) -> bool;

/// When parsing ends without a tree.
#[derive(Clone, Copy)]
struct ParseDeadline<'a> {
    /// Polled; `true`: now.
    stop: &'a dyn Fn() -> bool,
    /// Where it is there: as soon as it says so, which is then told.
    give_up: Option<(StopTest<'a>, &'a Cell<bool>)>,
}

/// As [`parse`], with the last tree of the file where there is one.
pub(crate) fn parse_next(
    text: &[u8],
    lang: Lang,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<Tree> {
    parse_until(
        text,
        lang,
        last,
        ParseDeadline {
            stop,
            give_up: None,
        },
    )
}

/// As [`parse_next`], but what certainly has an error is given up: `Some(None)`. Reading on behind
/// an error costs many times what sound text does. A tree may still have errors.
pub(crate) fn parse_sound(
    text: &[u8],
    lang: Lang,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<Option<Tree>> {
    let told = Cell::new(false);
    let until = ParseDeadline {
        stop,
        give_up: Some((&|state| state.has_error(), &told)),
    };
    match parse_until(text, lang, last, until) {
        None if !told.get() => None,
        tree => Some(tree),
    }
}

/// As [`parse`], but what takes more than so many steps is given up: `Some(None)`. One step is what
/// the parser does between two questions whether to stop.
pub(crate) fn parse_within(
    text: &[u8],
    lang: Lang,
    steps: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Option<Tree>> {
    let (told, left) = (Cell::new(false), Cell::new(steps));
    let is_spent = |_: &ParseState| {
        left.set(left.get().saturating_sub(1));
        left.get() == 0
    };
    let until = ParseDeadline {
        stop,
        give_up: Some((&is_spent, &told)),
    };
    match parse_until(text, lang, None, until) {
        None if !told.get() => None,
        tree => Some(tree),
    }
}

fn parse_until(
    text: &[u8],
    lang: Lang,
    last: Option<&mut CachedTree>,
    until: ParseDeadline<'_>,
) -> Option<Tree> {
    match last {
        Some(last) => last.next(text, lang, until),
        None => parse_after(text, lang, None, until, &mut Vec::new()),
    }
}

/// The tree of a text; `None` when `stop` said so.
pub(crate) fn parse(text: &[u8], lang: Lang, stop: &dyn Fn() -> bool) -> Option<Tree> {
    parse_until(
        text,
        lang,
        None,
        ParseDeadline {
            stop,
            give_up: None,
        },
    )
}

fn parse_after(
    text: &[u8],
    lang: Lang,
    last: Option<&Tree>,
    until: ParseDeadline<'_>,
    spent: &mut Vec<DroppedTrees>,
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
        let mut progress = |state: &ParseState| {
            let told = until.give_up.filter(|(give_up, _)| give_up(state));
            if let Some((_, told)) = told {
                told.set(true);
            }
            if told.is_some() || (until.stop)() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| text.get(at..).unwrap_or(&[]);
        let tree = parser.parse_with_options(&mut read, last, Some(options));
        if tree.is_none() && text.len() < LARGE {
            parser.reset();
        } else if tree.is_none() {
            // It holds what it has made so far; the next text gets a new one.
            spent.extend(slot.take().map(DroppedTrees::Parser));
        }
        tree
    })
}
