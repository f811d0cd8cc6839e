//! `textDocument/documentSymbol`: the declarations of a document, as a tree, or as a list for
//! clients without hierarchical symbols.

use codeweft_ide::editor::{self, OutlineItem};
use codeweft_workspace::Priority;
use lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, Location, SymbolInformation, Uri,
};

use super::plan::{ClientSession, RequestPlan};
use super::proto::{item_ranges, kind, some};
use crate::messages::json_of;

pub(super) const METHOD: &str = "textDocument/documentSymbol";

/// The maximum depth of the tree. Deeper declarations are listed at this depth: no client shows
/// more, and recursion stays bounded.
const MAX_DEPTH: usize = 64;

pub(super) fn plan(params: DocumentSymbolParams, session: &ClientSession<'_>) -> RequestPlan {
    let Some(document) = session.document(&params.text_document) else {
        return RequestPlan::none();
    };
    let path = document.path.clone();
    let encoding = session.encoding();
    let uri = params.text_document.uri;
    let outline = session.capabilities.outline;
    RequestPlan::try_query(
        Priority::Editor,
        Some(&document),
        move |snapshot| editor::outline(snapshot, &path, encoding),
        move |found| {
            if outline {
                json_of(&tree(&found, 1))
            } else {
                json_of(&list(&found, &uri))
            }
        },
    )
}

fn tree(outlines: &[OutlineItem], depth: usize) -> Vec<DocumentSymbol> {
    if depth < MAX_DEPTH {
        let nested = |outline| symbol(outline, tree(&outline.children, depth + 1));
        return outlines.iter().map(nested).collect();
    }
    let flat = in_order(outlines).map(|(outline, _)| symbol(outline, Vec::new()));
    flat.collect()
}

fn symbol(outline: &OutlineItem, children: Vec<DocumentSymbol>) -> DocumentSymbol {
    let (range, selection_range) = item_ranges(&outline.item);
    #[expect(deprecated, reason = "a field without which the struct cannot be made")]
    DocumentSymbol {
        name: name(outline),
        detail: some(&outline.detail),
        kind: kind(&outline.item),
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children: (!children.is_empty()).then_some(children),
    }
}

/// Returns a name that clients accept: it must not be empty (LSP, `DocumentSymbol`).
fn name(outline: &OutlineItem) -> String {
    match outline.item.name.trim() {
        "" => "_".to_owned(),
        name => name.to_owned(),
    }
}

fn list(outlines: &[OutlineItem], uri: &Uri) -> Vec<SymbolInformation> {
    let rows = in_order(outlines).map(|(outline, container)| {
        let (range, _) = item_ranges(&outline.item);
        #[expect(deprecated, reason = "a field without which the struct cannot be made")]
        SymbolInformation {
            deprecated: None,
            location: Location {
                uri: uri.clone(),
                range,
            },
            base_symbol_information: BaseSymbolInformation {
                name: name(outline),
                kind: kind(&outline.item),
                tags: None,
                container_name: container.map(name),
            },
        }
    });
    rows.collect()
}

/// Returns all declarations in pre-order, each with its parent.
fn in_order(
    outlines: &[OutlineItem],
) -> impl Iterator<Item = (&OutlineItem, Option<&OutlineItem>)> {
    let mut waiting: Vec<(&OutlineItem, Option<&OutlineItem>)> = outlines
        .iter()
        .rev()
        .map(|outline| (outline, None))
        .collect();
    std::iter::from_fn(move || {
        let (outline, parent) = waiting.pop()?;
        let children = outline.children.iter().rev();
        waiting.extend(children.map(|child| (child, Some(outline))));
        Some((outline, parent))
    })
}

#[cfg(test)]
mod tests {
    use codeweft_ide::editor::{SymbolItem, SymbolKindName};
    use codeweft_workspace::{Position, Range};

    use super::*;

    fn outline(name: &str, children: Vec<OutlineItem>) -> OutlineItem {
        let at = |line| Position { line, character: 0 };
        OutlineItem {
            item: SymbolItem {
                id: String::new(),
                name: name.to_owned(),
                kind: SymbolKindName::Class,
                container: String::new(),
                is_module: true,
                path: "/w/a.py".to_owned(),
                range: Range {
                    start: at(2),
                    end: at(4),
                },
                selection: Range {
                    start: at(1),
                    end: at(2),
                },
            },
            detail: String::new(),
            children,
        }
    }

    #[test]
    fn a_flat_list_has_parents_before_children_and_names_containers() {
        let all = [
            outline(
                "A",
                vec![
                    outline("b", vec![outline("c", vec![])]),
                    outline("d", vec![]),
                ],
            ),
            outline("", vec![]),
        ];
        let rows: Vec<String> = list(&all, &Uri("file:///w/a.py".to_owned()))
            .iter()
            .map(|row| {
                let base = &row.base_symbol_information;
                format!("{} in {:?}", base.name, base.container_name)
            })
            .collect();
        assert_eq!(
            rows,
            [
                r#"A in None"#,
                r#"b in Some("A")"#,
                r#"c in Some("b")"#,
                r#"d in Some("A")"#,
                r#"_ in None"#
            ]
        );
    }

    #[test]
    fn symbols_below_the_maximum_depth_are_listed_at_it() {
        let deep = (0..200).fold(vec![], |below, n| vec![outline(&n.to_string(), below)]);
        let (mut depth, mut level) = (0, tree(&deep, 1));
        loop {
            depth += 1;
            match level.pop().and_then(|symbol| symbol.children) {
                Some(children) => level = children,
                None => break,
            }
        }
        assert_eq!(depth, MAX_DEPTH);
        assert_eq!(level.len(), 200 - MAX_DEPTH);
    }

    #[test]
    fn a_name_outside_its_declaration_widens_it() {
        let symbol = symbol(&outline("A", vec![]), Vec::new());
        assert_eq!(symbol.range.start.line, 1);
        assert_eq!(symbol.range.end.line, 4);
    }
}
