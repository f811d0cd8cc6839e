//! The HTTP bindings of an rpc: the option `google.api.http` (google/api/http.proto, HttpRule), which the parser leaves as it
//! is written.

use prost_types::UninterpretedOption;

/// The fields of the rule that are methods.
const METHODS: [(&str, &str); 5] = [
    ("get", "GET"),
    ("put", "PUT"),
    ("post", "POST"),
    ("delete", "DELETE"),
    ("patch", "PATCH"),
];

/// Returns the bindings of an option, method and path: none if it is another option.
pub(super) fn bindings(option: &UninterpretedOption) -> Vec<(String, String)> {
    let mut names = option.name.iter();
    let is_rule = names
        .next()
        .is_some_and(|name| name.name_part.trim_start_matches('.') == "google.api.http");
    if !is_rule {
        return Vec::new();
    }
    let method = |field: &str| {
        METHODS
            .iter()
            .find(|(known, _)| *known == field)
            .map(|(_, method)| *method)
    };
    // option (google.api.http).get = "/v1/orders";
    if let Some(field) = names.next() {
        let path = option
            .string_value
            .as_ref()
            .map(|path| String::from_utf8_lossy(path).into_owned());
        return method(&field.name_part)
            .map(str::to_owned)
            .zip(path)
            .into_iter()
            .collect();
    }
    // option (google.api.http) = { get: "/v1/orders" additional_bindings { custom { kind: "HEAD" path: "/v1" } } };
    let mut found = Vec::new();
    let mut kind = None;
    for (field, value) in text_fields(option.aggregate_value()) {
        match field {
            "kind" => kind = Some(value),
            "path" => found.extend(kind.take().map(|kind| (kind, value))),
            _ => found.extend(method(field).map(|method| (method.to_owned(), value))),
        }
    }
    found
}

/// Returns the fields of a message in text format whose values are strings, at any depth, in text order.
fn text_fields(text: &str) -> Vec<(&str, String)> {
    let mut fields = Vec::new();
    let mut rest = text;
    let mut field = "";
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (field, rest) = rest.split_at(end);
        } else if first == '"' || first == '\'' {
            let mut value = String::new();
            let mut chars = rest.char_indices().skip(1);
            let mut end = rest.len();
            while let Some((at, c)) = chars.next() {
                if c == first {
                    end = at + 1;
                    break;
                }
                value.extend(if c == '\\' {
                    chars.next().map(|(_, c)| c)
                } else {
                    Some(c)
                });
            }
            fields.push((field, value));
            rest = rest.get(end..).unwrap_or_default();
        } else {
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    fields
}
