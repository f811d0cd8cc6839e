//! Parsing with tree-sitter: cancellable, incremental from a [`CachedTree`], with one parser per
//! thread and [`Grammar`].
//!
//! - [`parse_next`] parses a text, reusing the previous tree of the file.
//! - [`parse_sound`] does the same, but stops at the first certain error.
//! - [`parse_within`] parses a broken text, but not for longer than a number of steps.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::thread::LocalKey;

use tree_sitter::{InputEdit, Language, ParseOptions, ParseState, Parser, Point, Tree};

use crate::edit::TextEdit;

/// The tree-sitter grammar of a language, with the parsers of its texts.
///
/// ```ignore
/// thread_local! {
///     static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
/// }
/// static GRAMMAR: Grammar = Grammar { language: || tree_sitter_toy::LANGUAGE.into(), parser: &PARSER };
/// ```
pub struct Grammar {
    /// Returns the tree-sitter language.
    pub language: fn() -> Language,
    /// The parser of each thread, made on its first text.
    pub parser: &'static LocalKey<RefCell<Option<Parser>>>,
}

/// The syntax tree of the text of a file that was lowered last, reused to parse the file's next
/// text. Only trees without errors are kept: the error recovery of an incremental parse depends on
/// the parser's history, so its result would differ from that of a full parse.
///
/// It also owns trees and parsers that are no longer needed. Freeing those of a large text takes
/// long; see [`CachedTree::take_garbage`].
#[derive(Default)]
pub struct CachedTree {
    last: Option<LastTree>,
    /// What was derived from the tree that the last one was parsed from.
    derived_before: Option<Derived>,
    garbage: Vec<DroppedTrees>,
}

/// A tree without errors.
struct LastTree {
    text: Box<[u8]>,
    tree: Tree,
    derived: Option<Derived>,
}

/// A language's own data about one tree.
type Derived = Box<dyn Any + Send + Sync>;

/// A value that is no longer needed and slow to free.
enum DroppedTrees {
    Tree(#[expect(dead_code, reason = "held to be dropped later")] Tree),
    Parser(#[expect(dead_code, reason = "held to be dropped later")] Parser),
}

/// Size of a text in bytes from which its trees are freed by the caller of
/// [`CachedTree::take_garbage`] instead of on the spot.
const LARGE: usize = 256 << 10;

impl CachedTree {
    /// Returns whether there is a tree to parse the next text from.
    pub fn has_tree(&self) -> bool {
        self.last.is_some()
    }

    /// Takes the values that earlier lowerings no longer need, to be dropped on a thread where the
    /// time does not matter.
    pub fn take_garbage(&mut self) -> impl Send + use<> + 'static {
        std::mem::take(&mut self.garbage)
    }

    /// Returns what [`CachedTree::keep_derived`] was given for the tree before the last one, if the last was
    /// parsed from it. A node below the root has the same [id](tree_sitter::Node::id) in both trees only
    /// if its subtree was reused.
    pub fn take_derived_before<T: Any>(&mut self) -> Option<Box<T>> {
        self.derived_before.take()?.downcast().ok()
    }

    /// Keeps what a language derived from the last tree; drops it if that had an error.
    pub fn keep_derived<T: Any + Send + Sync>(&mut self, derived: Box<T>) {
        if let Some(last) = &mut self.last {
            last.derived = Some(derived);
        }
    }

    /// Parses a text. The previous tree is reused if neither text has an error: then the result
    /// equals that of a full parse.
    fn next(&mut self, text: &[u8], grammar: &Grammar, until: ParseDeadline<'_>) -> Option<Tree> {
        self.garbage.clear();
        self.derived_before = None;
        let mut derived = None;
        let again = match self.last.take() {
            Some(last) => {
                let mut edited = last.tree.clone();
                edited.edit(&edit_between(&last.text, text));
                let again = parse_after(text, grammar, Some(&edited), until, &mut self.garbage);
                let gave_up = until.give_up.is_some_and(|(_, flag)| flag.take());
                if again.is_none() && !gave_up {
                    // Cancelled: keep the old tree as the base of the next attempt.
                    self.last = Some(last);
                    return None;
                }
                self.defer_drop(text, &last.tree);
                derived = last.derived;
                again
            }
            None => None,
        };
        let tree = match again {
            Some(tree) if !tree.root_node().has_error() => {
                self.derived_before = derived;
                tree
            }
            other => {
                if let Some(tree) = other {
                    self.defer_drop(text, &tree);
                }
                parse_after(text, grammar, None, until, &mut self.garbage)?
            }
        };
        if tree.root_node().has_error() {
            self.defer_drop(text, &tree);
        } else {
            self.last = Some(LastTree {
                text: text.into(),
                tree: tree.clone(),
                derived: None,
            });
        }
        Some(tree)
    }

    /// Defers dropping a tree of a large text.
    fn defer_drop(&mut self, text: &[u8], tree: &Tree) {
        if text.len() >= LARGE {
            self.garbage.push(DroppedTrees::Tree(tree.clone()));
        }
    }
}

/// Returns the single edit between two texts in tree-sitter's form.
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

/// Returns whether a parse in this state should be given up.
type StopTest<'a> = &'a dyn Fn(&ParseState) -> bool;

/// The conditions under which parsing ends without a tree.
#[derive(Clone, Copy)]
struct ParseDeadline<'a> {
    /// Polled; `true` cancels the parse.
    stop: &'a dyn Fn() -> bool,
    /// A test that gives the parse up, and a flag that is set when it did.
    give_up: Option<(StopTest<'a>, &'a Cell<bool>)>,
}

/// Parses a text, incrementally if `last` holds the previous tree. `None` if `stop` returned
/// `true`.
pub fn parse_next(
    text: &[u8],
    grammar: &Grammar,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<Tree> {
    parse_until(
        text,
        grammar,
        last,
        ParseDeadline {
            stop,
            give_up: None,
        },
    )
}

/// As [`parse_next`], but returns `Some(None)` as soon as an error is certain: error recovery costs
/// many times what sound text does. A returned tree may still have errors.
pub fn parse_sound(
    text: &[u8],
    grammar: &Grammar,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<Option<Tree>> {
    let gave_up = Cell::new(false);
    let until = ParseDeadline {
        stop,
        give_up: Some((&|state| state.has_error(), &gave_up)),
    };
    match parse_until(text, grammar, last, until) {
        None if !gave_up.get() => None,
        tree => Some(tree),
    }
}

/// As [`parse`], but returns `Some(None)` after `steps` steps. A step is what the parser does
/// between two calls of its progress callback.
pub fn parse_within(
    text: &[u8],
    grammar: &Grammar,
    steps: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Option<Tree>> {
    let (gave_up, left) = (Cell::new(false), Cell::new(steps));
    let is_over_budget = |_: &ParseState| {
        left.set(left.get().saturating_sub(1));
        left.get() == 0
    };
    let until = ParseDeadline {
        stop,
        give_up: Some((&is_over_budget, &gave_up)),
    };
    match parse_until(text, grammar, None, until) {
        None if !gave_up.get() => None,
        tree => Some(tree),
    }
}

fn parse_until(
    text: &[u8],
    grammar: &Grammar,
    last: Option<&mut CachedTree>,
    until: ParseDeadline<'_>,
) -> Option<Tree> {
    match last {
        Some(last) => last.next(text, grammar, until),
        None => parse_after(text, grammar, None, until, &mut Vec::new()),
    }
}

/// Parses a text from scratch. `None` if `stop` returned `true`.
pub fn parse(text: &[u8], grammar: &Grammar, stop: &dyn Fn() -> bool) -> Option<Tree> {
    parse_until(
        text,
        grammar,
        None,
        ParseDeadline {
            stop,
            give_up: None,
        },
    )
}

fn parse_after(
    text: &[u8],
    grammar: &Grammar,
    last: Option<&Tree>,
    until: ParseDeadline<'_>,
    garbage: &mut Vec<DroppedTrees>,
) -> Option<Tree> {
    grammar.parser.with_borrow_mut(|slot| {
        if slot.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&(grammar.language)()).ok()?;
            *slot = Some(parser);
        }
        let parser = slot.as_mut()?;
        let mut progress = |state: &ParseState| {
            let over = until.give_up.filter(|(give_up, _)| give_up(state));
            if let Some((_, gave_up)) = over {
                gave_up.set(true);
            }
            if over.is_some() || (until.stop)() {
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
            // The parser owns everything of the cancelled parse; the next text gets a new parser.
            garbage.extend(slot.take().map(DroppedTrees::Parser));
        }
        tree
    })
}
