//! `textDocument/hover`: signature, doc and counts, as Markdown or plain text.

use codeweft_ide::Priority;
use codeweft_ide::editor::Hover;
use lsp_types::{Contents, HoverParams, MarkupContent, MarkupKind};

use super::plan::{ClientSession, RequestPlan};
use super::words::range;

pub(super) const METHOD: &str = "textDocument/hover";

pub(super) fn plan(params: HoverParams, asker: &ClientSession<'_>) -> RequestPlan {
    let Some(at) = asker.at(&params.text_document_position_params) else {
        return RequestPlan::null();
    };
    let (document, position, encoding) = at.parts();
    let path = document.path.clone();
    let markdown = asker.decided.markdown;
    RequestPlan::ask(
        Priority::Editor,
        Some(&document),
        move |snapshot| snapshot.hover(&path, position, encoding),
        move |found| {
            found.map(|hover| lsp_types::Hover {
                contents: Contents::MarkupContent(contents(&hover, markdown)),
                range: Some(range(hover.range)),
            })
        },
    )
}

fn contents(hover: &Hover, markdown: bool) -> MarkupContent {
    let doc = hover.doc.trim_end();
    let parts = if markdown {
        // A doc is no Markdown: its stars and underscores are names, its indents are meant.
        [
            fenced(hover.language, &hover.signature),
            fenced("text", doc),
            hover.counts.clone(),
        ]
    } else {
        [
            hover.signature.clone(),
            doc.to_owned(),
            hover.counts.clone(),
        ]
    };
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    MarkupContent {
        kind: if markdown {
            MarkupKind::Markdown
        } else {
            MarkupKind::PlainText
        },
        value: parts.join("\n\n"),
    }
}

/// A fenced block; its fence is longer than every run of backquotes in the text (CommonMark,
/// "Fenced code blocks").
fn fenced(language: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn hover() -> Hover {
        Hover {
            range: codeweft_ide::Range::default(),
            language: "python",
            signature: "def f(*args)".to_owned(),
            doc: "See __init__.\n\n```\nf(1)\n```\n".to_owned(),
            counts: "3 callers".to_owned(),
        }
    }

    #[test]
    fn markdown_cannot_be_left_from_inside_a_doc() {
        expect![[r#"
            ```python
            def f(*args)
            ```

            ````text
            See __init__.

            ```
            f(1)
            ```
            ````

            3 callers"#]]
        .assert_eq(&contents(&hover(), true).value);
    }

    #[test]
    fn plain_text_is_as_it_stands_and_what_is_empty_is_left_out() {
        let hover = Hover {
            doc: String::new(),
            ..hover()
        };
        assert_eq!(contents(&hover, false).value, "def f(*args)\n\n3 callers");
        assert_eq!(contents(&hover, false).kind, MarkupKind::PlainText);
    }
}
