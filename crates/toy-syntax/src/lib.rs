//! Lowering of Toy, a language for tests: the smallest that has functions, calls and packages. With
//! the crate `codeweft-toy` it shows what a language consists of, and a test adds it to a host to
//! prove that nothing else needs to know of it.
//!
//! ```text
//! # A folder is a package; a function calls those of its package.
//! fn main
//!     greet
//! fn greet
//! ```

use std::sync::Arc;

use codeweft_syntax::{
    CachedTree, FileIr, Identifiers, Lang, LanguageSpec, NameId, Names, Ranges, Report, Span,
    line_starts,
};

/// The language Toy.
pub const TOY: Lang = Lang::new(&SPEC);

static SPEC: LanguageSpec = LanguageSpec {
    extensions: &["toy"],
    project_files: &["toy.project"],
    test_suffixes: &["_test.toy"],
    line_comment: "#",
    ..LanguageSpec::new("toy", "Toy", "toy:", lower)
};

/// The header of a file, which is empty: Toy has no imports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header;

/// The declarations of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Items {
    /// The names of its functions in text order. Function `i` has item, item token and body `i`.
    pub functions: Box<[NameId]>,
}

/// The bodies of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bodies {
    /// The names that each function calls; call `i` has token `i` of its body.
    pub calls: Box<[Box<[NameId]>]>,
}

/// Lowers a text; see [`codeweft_syntax::lower`].
fn lower(
    text: &str,
    names: &Names,
    _last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let (mut functions, mut spans, mut tokens) = (Vec::new(), Vec::<Span>::new(), Vec::new());
    let (mut calls, mut call_tokens) = (Vec::<Vec<NameId>>::new(), Vec::new());
    let mut error_lines = Vec::new();
    let mut start = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if stop() {
            return None;
        }
        let word = line.trim();
        let end = start + line.trim_end().len() as u32;
        match (line.strip_prefix("fn "), calls.last_mut()) {
            _ if word.is_empty() || word.starts_with('#') => {}
            (Some(name), _) => {
                functions.push(names.intern(name.trim()));
                tokens.push(start + "fn ".len() as u32);
                spans.push(Span { start, end });
                calls.push(Vec::new());
            }
            (None, Some(body)) if line.starts_with(' ') => {
                body.push(names.intern(word));
                call_tokens.push(end - word.len() as u32);
                if let Some(span) = spans.last_mut() {
                    span.end = end;
                }
            }
            _ => error_lines.push(number),
        }
        start += line.len() as u32;
    }
    let all = functions.iter().chain(calls.iter().flatten()).copied();
    let identifiers = Identifiers::from_names(all.collect());
    let ranges = Ranges {
        lines: line_starts(text),
        items: spans.clone().into(),
        item_tokens: tokens.into(),
        bodies: spans.into(),
        body_tokens: call_tokens.into(),
        ..Ranges::default()
    };
    let items = Items {
        functions: functions.into(),
    };
    let bodies = Bodies {
        calls: calls.into_iter().map(Box::from).collect(),
    };
    let report = Report {
        error_lines: error_lines.into(),
        ..Report::default()
    };
    Some(FileIr {
        header: Arc::new(codeweft_syntax::Header::new(Header)),
        items: Arc::new(codeweft_syntax::Items::new(items)),
        bodies: Arc::new(codeweft_syntax::Bodies::new(bodies)),
        ranges: Arc::new(ranges),
        identifiers: Arc::new(identifiers),
        report: Arc::new(report),
    })
}
