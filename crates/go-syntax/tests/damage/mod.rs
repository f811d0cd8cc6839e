//! What a file says declaration by declaration, with places, and ways to damage a text.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::{GO, lower_by_tree_sitter};
use codeweft_syntax::{CachedTree, FileIr, Names, Span, lower};

/// A declaration of one name, with its body: all that is read of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    pub name: String,
    /// Where its name stands.
    pub at: u32,
    pub span: Span,
    /// Printed, its body too.
    pub text: String,
    /// Names with their offsets, of the declaration, then of the body.
    pub tokens: Vec<(u32, String)>,
    /// The spans of its fields and of its body.
    pub spans: Vec<Span>,
}

impl Declaration {
    /// The same `by` bytes on.
    pub fn moved(&self, by: i64) -> Declaration {
        let to = |at: u32| (i64::from(at) + by) as u32;
        let span = |span: Span| Span {
            start: to(span.start),
            end: to(span.end),
        };
        Declaration {
            at: to(self.at),
            span: span(self.span),
            tokens: self
                .tokens
                .iter()
                .map(|(at, name)| (to(*at), name.clone()))
                .collect(),
            spans: self.spans.iter().map(|&one| span(one)).collect(),
            ..self.clone()
        }
    }
}

/// What is read of a text.
pub struct Reading {
    pub package: String,
    /// Printed, with the span of the path.
    pub imports: Vec<(Span, String)>,
    pub declarations: Vec<Declaration>,
    pub chunked: bool,
    /// Whether anything could not be read.
    pub has_errors: bool,
    /// How often lowering asked whether to stop: a measure of the work.
    pub work: u64,
}

/// Lowers a text, counting the work.
pub fn lowered(text: &str, names: &Names) -> (FileIr, u64) {
    let work = Cell::new(0);
    let stop = || {
        work.set(work.get() + 1);
        false
    };
    let ir = lower(text, GO, names, &stop).expect("nothing stops it");
    (ir, work.get())
}

/// Returns the work of reading a text with tree-sitter, healthy or not.
pub fn work_of_tree_sitter(text: &str) -> u64 {
    let work = Cell::new(0);
    let stop = || {
        work.set(work.get() + 1);
        false
    };
    let mut last = CachedTree::default();
    lower_by_tree_sitter(text, &Names::default(), &mut last, &stop).expect("nothing stops it");
    work.get()
}

/// Reads a text.
pub fn read(text: &str) -> Reading {
    let names = Names::default();
    let (ir, work) = lowered(text, &names);
    let (header, items, bodies) = (
        ir.header.go().expect("Go"),
        ir.items.go().expect("Go"),
        ir.bodies.go().expect("Go"),
    );
    let mut parts: Vec<String> = Vec::new();
    for line in codeweft_go_syntax::print_ir(&ir, &names).lines() {
        match parts.last_mut() {
            Some(part) if line.starts_with(' ') || line.is_empty() => {
                part.push('\n');
                part.push_str(line);
            }
            _ => parts.push(line.to_owned()),
        }
    }
    let is_item = |part: &&String| {
        let word = part.split(' ').next().unwrap_or("");
        matches!(word, "func" | "method" | "type" | "alias" | "const" | "var")
    };
    let printed: Vec<&String> = parts.iter().filter(is_item).collect();
    assert_eq!(printed.len(), items.items.len());
    let printed_bodies: Vec<&String> = parts
        .iter()
        .filter(|part| part.starts_with("body "))
        .collect();
    assert_eq!(printed_bodies.len(), bodies.count());
    let inside = |span: Span, at: u32| span.start <= at && at < span.end;
    let mut tokens: Vec<(u32, String)> = ir
        .ranges
        .item_tokens
        .iter()
        .zip(&items.code.names)
        .map(|(&at, &name)| (at, names.text(name).to_owned()))
        .collect();
    tokens.sort();
    tokens.dedup();
    let mut fields = ir.ranges.fields.to_vec();
    fields.sort_by_key(|span| (span.start, span.end));
    fields.dedup();
    let mut declarations = Vec::new();
    for ((item, &span), text) in items.items.iter().zip(&ir.ranges.items).zip(&printed) {
        let from = tokens.partition_point(|&(at, _)| at < span.start);
        let to = tokens.partition_point(|&(at, _)| at < span.end);
        let spans = fields.iter().filter(|field| inside(span, field.start));
        declarations.push(Declaration {
            name: names.text(item.name).to_owned(),
            at: ir.ranges.item_tokens[item.tok as usize],
            span,
            text: format!("{text} #{}", item.nth),
            tokens: tokens[from..to.max(from)].to_vec(),
            spans: spans.copied().collect(),
        });
    }
    let mut all_tokens = bodies
        .chunks
        .iter()
        .flat_map(|chunk| chunk.code.names.iter());
    let mut offsets = ir.ranges.body_tokens.iter();
    for chunk in &bodies.chunks {
        let ends = chunk.bodies.iter().skip(1).map(|body| body.first_tok);
        let ends = ends.chain([chunk.code.names.len() as u32]);
        for (number, (body, end)) in chunk.bodies.iter().zip(ends).enumerate() {
            let number = chunk.first as usize + number;
            let into = &mut declarations[body.item as usize];
            into.text.push('\n');
            into.text.push_str(printed_bodies[number]);
            into.spans.push(ir.ranges.bodies[number]);
            for _ in body.first_tok..end {
                let (Some(&name), Some(&at)) = (all_tokens.next(), offsets.next()) else {
                    panic!("a place for every token");
                };
                into.tokens.push((at, names.text(name).to_owned()));
            }
        }
    }
    let imports = header.imports.iter().zip(&ir.ranges.imports);
    Reading {
        package: names.text(header.package).to_owned(),
        imports: imports
            .map(|(import, &span)| {
                let kind = match import.kind {
                    codeweft_go_syntax::ImportKind::Named(name) => names.text(name).to_owned(),
                    kind => format!("{kind:?}"),
                };
                (span, format!("{kind} {}", names.text(import.path)))
            })
            .collect(),
        declarations,
        chunked: ir.report.chunked,
        has_errors: !ir.report.error_lines.is_empty(),
        work,
    }
}

/// Numbers by lot, a function of the seed alone.
pub struct Lot(u64);

impl Lot {
    pub fn new(seed: u64) -> Lot {
        let mut lot = Lot(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d);
        lot.below(1);
        lot
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// What is done to a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The text ends there.
    Cut,
    /// From there on the line is gone.
    Line,
    /// The bracket there stands twice.
    BracketTwice,
    /// The bracket there is gone.
    BracketGone,
    /// The quote there stands twice.
    QuoteTwice,
    /// The quote there is gone.
    QuoteGone,
    /// The backquote there stands twice.
    BackquoteTwice,
    /// The backquote there is gone.
    BackquoteGone,
    /// A comment begins there that never ends.
    Comment,
}

pub const KINDS: [Kind; 9] = [
    Kind::Cut,
    Kind::Line,
    Kind::BracketTwice,
    Kind::BracketGone,
    Kind::QuoteTwice,
    Kind::QuoteGone,
    Kind::BackquoteTwice,
    Kind::BackquoteGone,
    Kind::Comment,
];

/// Offsets where tokens begin, comments and what stands in literals too.
pub fn token_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    (0..bytes.len())
        .filter(|&at| {
            let inside = at > 0 && is_word(bytes[at]) && is_word(bytes[at - 1]);
            !(bytes[at].is_ascii_whitespace() || inside)
        })
        .filter(|&at| text.is_char_boundary(at))
        .collect()
}

/// A damaged text, and the bytes of the first that are not as they were.
pub struct Damaged {
    pub text: String,
    pub range: Range<usize>,
}

impl Damaged {
    /// How far what stands behind has moved.
    pub fn moved(&self, whole: &str) -> i64 {
        self.text.len() as i64 - whole.len() as i64
    }
}

/// Damages a text at an offset; `None` where there is nothing of the kind.
pub fn damage(text: &str, kind: Kind, at: usize) -> Option<Damaged> {
    let byte = *text.as_bytes().get(at)?;
    let is_one_of = |bytes: &[u8]| bytes.contains(&byte);
    let (end, instead) = match kind {
        Kind::Cut => (text.len(), ""),
        Kind::Line => {
            let rest = text[at..].find('\n').unwrap_or(text.len() - at);
            (at + rest, "")
        }
        Kind::BracketTwice if is_one_of(b"(){}[]") => (at, &text[at..at + 1]),
        Kind::BracketGone if is_one_of(b"(){}[]") => (at + 1, ""),
        Kind::QuoteTwice if is_one_of(b"\"'") => (at, &text[at..at + 1]),
        Kind::QuoteGone if is_one_of(b"\"'") => (at + 1, ""),
        Kind::BackquoteTwice if byte == b'`' => (at, "`"),
        Kind::BackquoteGone if byte == b'`' => (at + 1, ""),
        Kind::Comment => (at, "/*"),
        _ => return None,
    };
    Some(Damaged {
        text: [&text[..at], instead, &text[end..]].concat(),
        range: at..end,
    })
}

/// Whether a declaration has ended before an offset: by its line, by a semicolon, or because
/// something, but nothing but blanks stands between.
fn has_ended(text: &str, span: Span, at: u32) -> bool {
    let between = text.get(span.end as usize..at as usize);
    between.is_some_and(|between| {
        between.contains(['\n', ';']) || (!between.is_empty() && between.trim().is_empty())
    })
}

/// How the reading of a damaged text differs from that of the whole.
#[derive(Default)]
pub struct Difference {
    /// Declarations and imports that ended before the damage.
    pub before: usize,
    /// Those of them that are not read as they were.
    pub changed_before: Vec<String>,
    /// Declarations and imports that begin behind the one that is damaged.
    pub behind: usize,
    /// Those of them that are not read as they were.
    pub changed_behind: Vec<String>,
    /// Names that the whole does not declare where the damaged text does.
    pub invented: Vec<String>,
}

/// Compares what is read of a whole text and of it damaged.
pub fn compare(whole: &Reading, read: &Reading, text: &str, damaged: &Damaged) -> Difference {
    let mut found = Difference::default();
    let moved = damaged.moved(text);
    let (start, end) = (damaged.range.start as u32, damaged.range.end as u32);
    let by_place: HashMap<(u32, &str), &Declaration> = read
        .declarations
        .iter()
        .map(|one| ((one.at, &*one.name), one))
        .collect();
    let mut wanted = HashMap::new();
    for one in &whole.declarations {
        let at = if one.at >= end {
            (i64::from(one.at) + moved) as u32
        } else {
            one.at
        };
        wanted.insert((at, &*one.name), ());
        let now = by_place.get(&(at, &*one.name));
        let tell = |expected: &Declaration| match now {
            None => format!("{} is gone", one.text),
            Some(now) => {
                let mut parts = vec![format!("{} at {}", expected.name, expected.at)];
                let mut differs = |what: &str, expected: String, now: String| {
                    if expected != now {
                        parts.push(format!("{what} {expected}\n  now {now}"));
                    }
                };
                differs(
                    "span",
                    format!("{:?}", expected.span),
                    format!("{:?}", now.span),
                );
                differs("text", expected.text.clone(), now.text.clone());
                differs(
                    "tokens",
                    format!("{:?}", expected.tokens),
                    format!("{:?}", now.tokens),
                );
                differs(
                    "spans",
                    format!("{:?}", expected.spans),
                    format!("{:?}", now.spans),
                );
                parts.join("\n ")
            }
        };
        if has_ended(text, one.span, start) {
            found.before += 1;
            if now != Some(&one) {
                found.changed_before.push(tell(one));
            }
        } else if one.span.start >= end {
            found.behind += 1;
            let expected = one.moved(moved);
            if now != Some(&&expected) {
                found.changed_behind.push(tell(&expected));
            }
        }
    }
    for one in &read.declarations {
        // A name that the cut goes through is another one.
        let is_cut = one.at + one.name.len() as u32 == start;
        if !is_cut && !wanted.contains_key(&(one.at, &*one.name)) {
            found.invented.push(format!("{} at {}", one.text, one.at));
        }
    }
    for import in whole
        .imports
        .iter()
        .filter(|one| has_ended(text, one.0, start))
    {
        found.before += 1;
        if !read.imports.contains(import) {
            found.changed_before.push(format!("{import:?}"));
        }
    }
    found
}
