//! Dockerfiles to trees: a sequence of instructions (Dockerfile reference, Format).
//!
//! ```text
//! [{instruction: FROM, arguments: [golang:1.26, AS, build]}, {instruction: CMD, arguments: [/bin/server]}]
//! ```

use codeweft_syntax::Span;

use crate::tree::{NodeKind, Tree, TreeBuilder};

/// Reads a Dockerfile. Instructions are in capitals. Arguments are the words behind the instruction, those of a JSON form its
/// elements; what is in a here-document is no argument.
pub fn read_dockerfile(text: &str) -> Tree {
    let mut builder = TreeBuilder::new(text);
    let whole = Span {
        start: 0,
        end: text.len() as u32,
    };
    builder.open(NodeKind::Sequence, whole);
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, written) = logical_line(rest);
        let span = Span {
            start: (at + rest.len() - rest.trim_start_matches([' ', '\t']).len()) as u32,
            end: (at + length) as u32,
        };
        at += length;
        let mut words = words(&written);
        if words.is_empty() {
            continue;
        }
        let instruction = words.remove(0).to_ascii_uppercase();
        for end in here_documents(&words) {
            at += text
                .get(at..)
                .map_or(0, |rest| length_until_line(rest, &end));
        }
        builder.open(NodeKind::Mapping, span);
        builder.field("instruction", &instruction, span);
        builder.key("arguments", false, span);
        builder.open(NodeKind::Sequence, span);
        for word in words {
            builder.scalar(&word, false, span);
        }
        builder.close(span.end);
        builder.close(span.end);
    }
    builder.close(whole.end);
    builder.finish(text.len())
}

/// Returns the number of bytes of the first line with those that continue it, and their text without comments.
fn logical_line(text: &str) -> (usize, String) {
    let mut length = 0;
    let mut written = String::new();
    for line in text.split_inclusive('\n') {
        length += line.len();
        let line = line.trim();
        if line.starts_with('#') {
            // A comment inside of a continued line is none of it.
            if written.is_empty() {
                break;
            }
            continue;
        }
        match line.strip_suffix('\\') {
            Some(line) => {
                written.push_str(line);
                written.push(' ');
            }
            None => {
                written.push_str(line);
                break;
            }
        }
    }
    (length, written)
}

/// Returns the words of a line; a list in JSON form is its elements.
fn words(line: &str) -> Vec<String> {
    let (instruction, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    if instruction.is_empty() {
        return Vec::new();
    }
    let mut words = vec![instruction.to_owned()];
    let rest = rest.trim();
    if rest.starts_with('[') {
        let tree = crate::read_json(rest);
        let reader = crate::Reader::new(&tree);
        if tree.errors.is_empty()
            && let Some(list) = reader.roots().next()
        {
            let elements = list.items().into_iter();
            words.extend(elements.filter_map(|element| element.text().map(str::to_owned)));
            return words;
        }
    }
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in rest.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Returns the lines that end the here-documents of an instruction.
fn here_documents(words: &[String]) -> Vec<String> {
    let starts = words.iter().filter_map(|word| word.strip_prefix("<<"));
    let names = starts.map(|name| name.trim_start_matches('-').to_owned());
    names
        .filter(|name| !name.is_empty() && !name.starts_with('<'))
        .collect()
}

/// Returns the number of bytes up to the end of the line that is `end`, or 0 if there is none.
fn length_until_line(text: &str, end: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.trim() == end {
            return length;
        }
    }
    0
}
