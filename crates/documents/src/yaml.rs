//! YAML and JSON texts to trees. JSON is read as YAML, which it is a subset of (YAML 1.2.2, Relation to JSON); what only
//! YAML allows in it is reported.

use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError};

use codeweft_syntax::Span;

use crate::tree::{NodeId, NodeKind, Tree, TreeBuilder};

/// Reads YAML. A text with an error has the nodes before it.
///
/// Reported are: errors of the syntax, nesting deeper than 255, keys that are repeated, aliases without an anchor.
pub fn read_yaml(text: &str) -> Tree {
    read(text, false)
}

/// Reads JSON. As [`read_yaml`], and a comma without a value behind it is reported.
pub fn read_json(text: &str) -> Tree {
    read(text, true)
}

/// The end of an error in a text that other programs fill in first.
const TEMPLATE: &str = "; it has `{{`: a template is no YAML until it is filled in";

fn read(text: &str, json: bool) -> Tree {
    let options = options(text);
    let mut builder = TreeBuilder::new(text);
    let mut anchors = Anchors::default();
    let mut end = text.len();
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                let span = Span {
                    start: span.start.byte_offset().unwrap_or(0) as u32,
                    end: span.end.byte_offset().unwrap_or(0) as u32,
                };
                add(
                    &mut builder,
                    &mut anchors,
                    event,
                    span,
                    json.then_some(text),
                );
            }
            Err(error) => {
                let offset = error.marker().byte_offset().unwrap_or(0).min(text.len());
                let template = if text.contains("{{") { TEMPLATE } else { "" };
                builder.error(offset, format!("{}{template}", error_words(&error)));
                end = offset;
                break;
            }
        }
    }
    builder.finish(end)
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    options.set_emit_comments(false);
    options.emit_unresolved_aliases = true;
    // A key of JSON may be longer than one of YAML.
    options.simple_key_max_lookahead = text.len().max(1024);
    options
}

fn error_words(error: &ScanError) -> String {
    let words = error.info();
    words.lines().next().unwrap_or("cannot be read").to_owned()
}

/// The nodes by the number of their anchor, which ascends.
#[derive(Default)]
struct Anchors(Vec<(usize, NodeId)>);

impl Anchors {
    fn add(&mut self, anchor: usize, node: NodeId) {
        if anchor > 0 {
            self.0.push((anchor, node));
        }
    }

    fn get(&self, anchor: usize) -> Option<NodeId> {
        let at = self.0.binary_search_by_key(&anchor, |&(anchor, _)| anchor);
        self.0.get(at.ok()?).map(|&(_, node)| node)
    }
}

fn add(
    builder: &mut TreeBuilder,
    anchors: &mut Anchors,
    event: Event<'_>,
    span: Span,
    json: Option<&str>,
) {
    match event {
        Event::Scalar(text, style, anchor, _) => {
            let plain = style == ScalarStyle::Plain;
            let node = if builder.is_at_key() {
                let (node, repeated) = builder.key(&text, plain, span);
                // A merge key may come several times.
                if repeated && text != "<<" {
                    let words = format!("the key `{text}` is repeated: its last value counts");
                    builder.error(span.start as usize, words);
                }
                node
            } else {
                builder.scalar(&text, plain, span)
            };
            anchors.add(anchor, node);
        }
        Event::SequenceStart(_, anchor, _) => {
            anchors.add(anchor, builder.open(NodeKind::Sequence, span));
        }
        Event::MappingStart(_, anchor, _) => {
            anchors.add(anchor, builder.open(NodeKind::Mapping, span));
        }
        Event::SequenceEnd | Event::MappingEnd => {
            if let Some(comma) = json.and_then(|text| comma_before(text, span)) {
                builder.error(comma, "a comma without a value behind it is no JSON");
            }
            builder.close(span.end);
        }
        Event::Alias(anchor) => match anchors.get(anchor) {
            Some(of) => {
                builder.alias(of, span);
            }
            None => {
                builder.scalar("", true, span);
            }
        },
        Event::UnresolvedAlias(name) => {
            builder.error(
                span.start as usize,
                format!("no anchor `{name}` is before this alias"),
            );
            builder.scalar("", true, span);
        }
        _ => {}
    }
}

/// Returns the offset of a comma between the last element of a collection and its closing bracket at `span`.
fn comma_before(text: &str, span: Span) -> Option<usize> {
    let before = text.get(..span.start as usize)?.trim_end();
    before.ends_with(',').then(|| before.len() - 1)
}
