//! Texts of any kind: no reader panics, and every range is in its text.

use codeweft_documents::contract::{Trees, read_contracts};
use codeweft_documents::deployment::read_deployment;
use codeweft_documents::{Format, NodeId};
use proptest::prelude::*;

const PATHS: [&str; 5] = ["a.yaml", "a.json", "a.proto", "Dockerfile", ".env"];

/// Words of all formats, so that random texts get beyond the first error.
fn words() -> impl Strategy<Value = String> {
    let words = [
        "openapi: 3.0.0\n",
        "paths:\n",
        "  /a:\n",
        "    get: {}\n",
        "$ref: '#/paths'\n",
        "&a ",
        "*a",
        "<<: ",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "- ",
        "\n",
        "  ",
        "\"",
        "'",
        "|\n",
        "# x\n",
        "---\n",
        "syntax = \"proto3\";\n",
        "message A {",
        "service S {",
        "rpc R(A) returns (B);",
        "string a = 1;",
        "option (google.api.http) = { get: \"/a\" };",
        "FROM a\n",
        "RUN <<E\n",
        "E\n",
        "\\\n",
        "A=1\n",
        "ü",
        "\u{feff}",
        "\r\n",
        "services:\n",
        "apiVersion: v1\nkind: List\nitems:\n",
        "asyncapi: 3.0.0\n",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..40)
        .prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn no_reader_panics_and_ranges_are_in_the_text(text in prop_oneof![words(), any::<String>()]) {
        for path in PATHS {
            let tree = Format::of_path(path).unwrap().read(&text);
            for node in 0..tree.len() as u32 {
                let span = tree.span(NodeId(node));
                prop_assert!(span.start <= span.end && span.end <= text.len() as u32);
            }
            for error in &tree.errors {
                prop_assert!(error.offset <= text.len() as u32);
            }
            read_contracts(path, &Trees::new([(path.to_owned(), &tree)]));
            read_deployment(path, &tree);
            prop_assert_eq!(&tree, &Format::of_path(path).unwrap().read(&text));
        }
    }
}
