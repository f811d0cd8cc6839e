//! Splits toy texts into lines and words.

use codeweft_db::{NodeKind, Span, SymbolClass};

/// A word of a line with its byte offset.
#[derive(Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) at: u32,
}

/// A line of a toy text.
pub(super) struct Line<'t> {
    pub(super) words: Vec<Word<'t>>,
    /// The items after the colon.
    pub(super) body: Option<Vec<Word<'t>>>,
    pub(super) span: Span,
}

pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let words: Vec<Word<'_>> = content
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| Word {
                text: word,
                at: start + (word.as_ptr() as usize - line.as_ptr() as usize) as u32,
            })
            .collect();
        let colon = words.iter().position(|word| word.text == ":");
        let (words, body) = match colon {
            Some(colon) => (words[..colon].to_vec(), Some(words[colon + 1..].to_vec())),
            None => (words, None),
        };
        if !words.is_empty() {
            lines.push(Line {
                words,
                body,
                span: Span {
                    start,
                    end: start + content.len() as u32,
                },
            });
        }
        start += line.len() as u32;
    }
    lines
}

pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
}

/// The declaration of a line: (parent, name, class).
pub(super) struct Declared<'t> {
    pub(super) parent: Option<&'t str>,
    pub(super) name: &'t str,
    pub(super) class: SymbolClass,
    pub(super) kind: NodeKind,
    pub(super) at: u32,
}

pub(super) fn declared<'t>(line: &Line<'t>) -> Option<Declared<'t>> {
    let word = line.words.get(1)?;
    let plain = word.text.trim_start_matches('*');
    let at = word.at + (word.text.len() - plain.len()) as u32;
    let (class, kind) = match line.words[0].text {
        "fn" => (SymbolClass::Function, NodeKind::Function),
        "struct" => (SymbolClass::Type, NodeKind::Struct),
        "interface" => (SymbolClass::Type, NodeKind::Interface),
        "class" => (SymbolClass::Type, NodeKind::Class),
        "const" => (SymbolClass::Constant, NodeKind::Constant),
        "var" => (SymbolClass::Variable, NodeKind::Variable),
        "field" => (SymbolClass::Field, NodeKind::Field),
        "method" | "abstract" => (SymbolClass::Method, NodeKind::Method),
        _ => return None,
    };
    Some(match plain.split_once('.') {
        Some((parent, name)) => Declared {
            parent: Some(parent),
            name,
            class,
            kind,
            at: at + parent.len() as u32 + 1,
        },
        None => Declared {
            parent: None,
            name: plain,
            class,
            kind,
            at,
        },
    })
}
