//! `textDocument/hover`: signature, documentation and counts, as Markdown or plain text.

use codeweft_ide::editor::{self, Hover};
use lsp_types::{Contents, HoverParams, MarkupContent, MarkupKind};

use super::plan::{ClientSession, RequestPlan};
use super::proto::range;
use super::query_forms::at_position;

pub(super) const METHOD: &str = "textDocument/hover";

pub(super) fn plan(params: HoverParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    let markdown = session.capabilities.markdown;
    let convert = move |found: Option<Hover>| {
        found.map(|hover| lsp_types::Hover {
            contents: Contents::MarkupContent(contents(&hover, markdown)),
            range: Some(range(hover.range)),
        })
    };
    at_position(at, session, RequestPlan::null(), editor::hover, convert)
}

fn contents(hover: &Hover, markdown: bool) -> MarkupContent {
    let doc = hover.doc.trim_end();
    let parts = if markdown {
        // Documentation is no Markdown: its stars and underscores belong to names, its indents are
        // significant.
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

/// Returns a fenced block; its fence is longer than every run of backquotes in the text
/// (CommonMark, "Fenced code blocks").
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
            range: codeweft_workspace::Range::default(),
            language: "python",
            signature: "def f(*args)".to_owned(),
            doc: "See __init__.\n\n```\nf(1)\n```\n".to_owned(),
            counts: "3 callers".to_owned(),
        }
    }

    #[test]
    fn documentation_cannot_break_out_of_its_markdown_fence() {
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
    fn plain_text_is_unchanged_and_empty_parts_are_omitted() {
        let hover = Hover {
            doc: String::new(),
            ..hover()
        };
        assert_eq!(contents(&hover, false).value, "def f(*args)\n\n3 callers");
        assert_eq!(contents(&hover, false).kind, MarkupKind::PlainText);
    }
}
