//! Protocol buffers files to trees:
//!
//! ```text
//! package: shop.v1
//! services: [{name: Orders, rpcs: [{name: Get, input: GetRequest, output: Order, http: [{method: GET, path: /v1/o/{id}}]}]}]
//! messages: [{name: Order, fields: [{name: id, type: string}]}]
//! ```
//!
//! The parser reads no file with an error. So the declarations of such a file are read one by one, and an error costs the
//! declaration that it is in.

mod declarations;
mod http_rule;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, MethodDescriptorProto,
    ServiceDescriptorProto, UninterpretedOption,
};
use rustc_hash::FxHashMap;

use crate::proto::declarations::{Declaration, declarations};
use codeweft_syntax::Span;

use crate::tree::{NodeKind, Tree, TreeBuilder};

/// What a file without `syntax` is parsed after, if it has `edition`: the parser knows no editions, and without a syntax it
/// demands the labels of proto2.
const SYNTAX: &str = "syntax=\"proto3\";";

/// Reads a protocol buffers file of any syntax or edition.
///
/// Reported are the errors of the syntax; the declarations without one are read. Types are as they are written.
pub fn read_proto(text: &str) -> Tree {
    let mut builder = TreeBuilder::new(text);
    let whole = Span {
        start: 0,
        end: text.len() as u32,
    };
    let mut all = declarations(text);
    // The parser reads the label of every field of proto2, of which files of an edition have none.
    let is_edition = all.first().is_some_and(|first| first.keyword == "edition");
    let prefix = if is_edition { SYNTAX } else { "" };
    all.retain(|declaration| {
        !matches!(declaration.keyword, "edition") && !declaration.is_option_import()
    });
    let has_syntax = all.first().is_some_and(|first| first.keyword == "syntax");
    let files = match (is_edition, Part::parse(prefix, text, whole)) {
        (false, Ok(file)) => vec![file],
        _ => {
            let syntax = all
                .first()
                .filter(|_| has_syntax)
                .map(|first| &text[first.range()]);
            let prefix = syntax.unwrap_or(prefix).to_owned();
            let rest = all.iter().skip(usize::from(has_syntax));
            let mut files = Vec::new();
            for declaration in rest {
                match Part::parse(&prefix, &text[declaration.range()], declaration.span) {
                    Ok(file) => files.push(file),
                    Err((offset, message)) => builder.error(offset as usize, message),
                }
            }
            files
        }
    };
    builder.open(NodeKind::Mapping, whole);
    if let Some((package, span)) = files.iter().find_map(Part::package) {
        builder.field("package", package, span);
    }
    builder.key("services", false, whole);
    builder.open(NodeKind::Sequence, whole);
    for file in &files {
        for (at, service) in (0..).zip(&file.file.service) {
            add_service(&mut builder, file, &[6, at], service);
        }
    }
    builder.close(whole.end);
    builder.key("messages", false, whole);
    builder.open(NodeKind::Sequence, whole);
    for file in &files {
        for (at, message) in (0..).zip(&file.file.message_type) {
            add_message(&mut builder, file, &mut vec![4, at], message, "");
        }
    }
    builder.close(whole.end);
    builder.close(whole.end);
    builder.finish(text.len())
}

/// A file or one declaration of it, parsed.
struct Part {
    file: FileDescriptorProto,
    /// The range in the text by the path of a declaration (`descriptor.proto`, SourceCodeInfo).
    spans: FxHashMap<Vec<i32>, Span>,
    whole: Span,
}

impl Part {
    /// Parses `text`, which is at `whole` in the file, behind `prefix`.
    ///
    /// # Errors
    /// The byte offset in the file and the message.
    fn parse(prefix: &str, text: &str, whole: Span) -> Result<Part, (u32, String)> {
        let source = format!("{prefix}{text}");
        let in_file = |offset: usize| {
            let offset = offset.saturating_sub(prefix.len()) as u32;
            whole.start + offset.min(whole.end - whole.start)
        };
        let mut file = protox_parse::parse("", &source).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            (in_file(offset), error.to_string())
        })?;
        let breaks = source.match_indices('\n').map(|(at, _)| at + 1);
        let lines: Vec<usize> = std::iter::once(0).chain(breaks).collect();
        let offset = |line: i32, column: i32| {
            let line = lines.get(line as usize).copied().unwrap_or(source.len());
            in_file(line + column as usize)
        };
        let info = file.source_code_info.take().unwrap_or_default();
        let locations = info.location.into_iter();
        let spans = locations.filter_map(|location| {
            let (start, end) = match location.span[..] {
                [line, start, end] => ((line, start), (line, end)),
                [line, start, last, end] => ((line, start), (last, end)),
                _ => return None,
            };
            let span = Span {
                start: offset(start.0, start.1),
                end: offset(end.0, end.1),
            };
            Some((location.path, span))
        });
        let spans = spans.collect();
        Ok(Part { file, spans, whole })
    }

    fn span(&self, path: &[i32]) -> Span {
        self.spans.get(path).copied().unwrap_or(self.whole)
    }

    fn package(&self) -> Option<(&str, Span)> {
        let package = self.file.package.as_deref()?;
        Some((package, self.span(&[2])))
    }
}

fn add_service(
    builder: &mut TreeBuilder,
    file: &Part,
    path: &[i32],
    service: &ServiceDescriptorProto,
) {
    let span = file.span(path);
    builder.open(NodeKind::Mapping, span);
    builder.field("name", service.name(), file.span(&[path, &[1]].concat()));
    builder.key("rpcs", false, span);
    builder.open(NodeKind::Sequence, span);
    for (at, rpc) in (0..).zip(&service.method) {
        add_rpc(builder, file, &[path, &[2, at]].concat(), rpc);
    }
    builder.close(span.end);
    builder.close(span.end);
}

fn add_rpc(builder: &mut TreeBuilder, file: &Part, path: &[i32], rpc: &MethodDescriptorProto) {
    let span = file.span(path);
    let part = |number| file.span(&[path, &[number]].concat());
    builder.open(NodeKind::Mapping, span);
    builder.field("name", rpc.name(), part(1));
    builder.field("input", rpc.input_type(), part(2));
    builder.field("output", rpc.output_type(), part(3));
    let options = rpc.options.iter();
    let rules: Vec<_> = options
        .flat_map(|options| &options.uninterpreted_option)
        .flat_map(http_rule::bindings)
        .collect();
    if !rules.is_empty() {
        builder.key("http", false, span);
        builder.open(NodeKind::Sequence, span);
        for (method, path) in rules {
            builder.open(NodeKind::Mapping, span);
            builder.field("method", &method, span);
            builder.field("path", &path, span);
            builder.close(span.end);
        }
        builder.close(span.end);
    }
    let options = rpc.options.iter();
    let mut options = options.flat_map(|options| &options.uninterpreted_option);
    if options.any(is_deprecated) {
        builder.field("deprecated", "true", span);
    }
    builder.close(span.end);
}

/// Returns whether an option is `deprecated = true`, which the parser leaves as it is written.
fn is_deprecated(option: &UninterpretedOption) -> bool {
    let name = option.name.iter().map(|name| &*name.name_part);
    name.eq(["deprecated"]) && option.identifier_value() == "true"
}

/// Adds a message and those in it; `outer` is the name of the message around it with a dot.
fn add_message(
    builder: &mut TreeBuilder,
    file: &Part,
    path: &mut Vec<i32>,
    message: &DescriptorProto,
    outer: &str,
) {
    let span = file.span(path);
    let name = format!("{outer}{}", message.name());
    let is_entry = message
        .options
        .as_ref()
        .is_some_and(|options| options.map_entry());
    if !is_entry {
        builder.open(NodeKind::Mapping, span);
        path.push(1);
        builder.field("name", &name, file.span(path));
        path.pop();
        builder.key("fields", false, span);
        builder.open(NodeKind::Sequence, span);
        for (at, field) in (0..).zip(&message.field) {
            path.extend([2, at]);
            add_field(builder, file.span(path), field, message);
            path.truncate(path.len() - 2);
        }
        builder.close(span.end);
        builder.close(span.end);
    }
    for (at, inner) in (0..).zip(&message.nested_type) {
        path.extend([3, at]);
        add_message(builder, file, path, inner, &format!("{name}."));
        path.truncate(path.len() - 2);
    }
}

fn add_field(
    builder: &mut TreeBuilder,
    span: Span,
    field: &FieldDescriptorProto,
    message: &DescriptorProto,
) {
    builder.open(NodeKind::Mapping, span);
    builder.field("name", field.name(), span);
    let entries = message.nested_type.iter();
    let mut entries = entries.filter(|inner| {
        inner
            .options
            .as_ref()
            .is_some_and(|options| options.map_entry())
    });
    // The type of a map field names the message of its entries by its last part.
    let entry = field.type_name().rsplit('.').next();
    let entry = entries.find(|inner| Some(inner.name()) == entry);
    match entry {
        Some(entry) => {
            let part = |number: usize| entry.field.get(number).map(type_of).unwrap_or_default();
            builder.field("type", &format!("map<{}, {}>", part(0), part(1)), span);
        }
        None => {
            builder.field("type", &type_of(field), span);
            if field.label() == Label::Repeated {
                builder.field("repeated", "true", span);
            }
        }
    }
    if field.label() == Label::Required {
        builder.field("required", "true", span);
    }
    builder.close(span.end);
}

/// Returns a type as it is written.
fn type_of(field: &FieldDescriptorProto) -> String {
    if let Some(name) = &field.type_name {
        return name.clone();
    }
    let scalar = match field.r#type() {
        Type::Double => "double",
        Type::Float => "float",
        Type::Int64 => "int64",
        Type::Uint64 => "uint64",
        Type::Int32 => "int32",
        Type::Fixed64 => "fixed64",
        Type::Fixed32 => "fixed32",
        Type::Bool => "bool",
        Type::String => "string",
        Type::Bytes => "bytes",
        Type::Uint32 => "uint32",
        Type::Sfixed32 => "sfixed32",
        Type::Sfixed64 => "sfixed64",
        Type::Sint32 => "sint32",
        Type::Sint64 => "sint64",
        Type::Group | Type::Message | Type::Enum => "",
    };
    scalar.to_owned()
}

impl Declaration<'_> {
    fn range(&self) -> std::ops::Range<usize> {
        self.span.start as usize..self.span.end as usize
    }

    /// Returns whether this is `import option "…"` (edition 2024), which the parser does not know.
    fn is_option_import(&self) -> bool {
        self.keyword == "import" && self.second == "option"
    }
}
