//! Reading of the export as edges.

use codeweft_db::RootDb;
use codeweft_graph::answer::{Node, ReceiverKind};
use codeweft_graph::export::{EdgeRow, EdgeType, ExportOptions, PackageRows, each_package};

use super::{Edge, Names, QueriedNode, Sides};

/// Returns all nodes and edges of an export.
pub(super) fn read(db: &RootDb, threads: usize) -> Sides {
    let options = ExportOptions {
        edges: EdgeType::ALL.to_vec(),
        dispatch: true,
        ..ExportOptions::default()
    };
    let mut sides = Sides::default();
    each_package(db, &options, threads, &mut |package: PackageRows| {
        // No edge crosses from one language to another, and a package has one language.
        let Some(language) = package.nodes.first().map(|node| prefix(&node.language)) else {
            return;
        };
        for node in &package.nodes {
            let queried = QueriedNode {
                id: id_of(&mut sides.names, node),
                kind: sides.names.number(&node.kind),
                external: node.external,
            };
            sides.nodes.push(queried);
        }
        for row in &package.edges {
            add(&mut sides, language, row);
        }
    });
    for edges in [
        &mut sides.exported_calls,
        &mut sides.exported_implements,
        &mut sides.exported_embeds,
        &mut sides.exported_imports,
        &mut sides.exported_references,
        &mut sides.exported_uses,
    ] {
        edges.sort();
    }
    sides
}

fn add(sides: &mut Sides, language: &str, row: &EdgeRow) {
    let names = &mut sides.names;
    let mut edge = Edge {
        from: names.number(&format!("{language}{}", row.from)),
        to: names.number(&format!("{language}{}", row.to)),
        ..Edge::default()
    };
    if let Some(location) = &row.location {
        edge.file = names.number(&location.file);
        (edge.line, edge.column) = (location.line, location.column);
    }
    match row.edge_type {
        EdgeType::Calls => {
            edge.how = names.number(row.resolution.as_deref().unwrap_or(""));
            sides.exported_calls.list.push(edge);
            if row.reason.is_none() {
                sides.exported_uses.list.push(edge);
            }
        }
        EdgeType::Implements => {
            edge.how = names.number(&satisfied(row.receiver, &row.type_args));
            sides.exported_implements.list.push(edge);
        }
        EdgeType::Embeds => sides.exported_embeds.list.push(edge),
        EdgeType::Imports => sides.exported_imports.list.push(edge),
        EdgeType::References => {
            edge.how = names.number(row.kind.as_deref().unwrap_or(""));
            sides.exported_references.list.push(edge);
        }
    }
}

/// Returns the prefix of ids of a language, given its wire name.
pub(super) fn prefix(language: &str) -> &'static str {
    match language {
        "python" => "py:",
        _ => "go:",
    }
}

/// Returns the number of a node's id.
pub(super) fn id_of(names: &mut Names, node: &Node) -> u32 {
    names.number(&format!("{}{}", prefix(&node.language), node.id))
}

/// Returns how a type satisfies an interface, as a label.
pub(super) fn satisfied(receiver: Option<ReceiverKind>, type_args: &[String]) -> String {
    let receiver = match receiver {
        Some(ReceiverKind::Value) => "value",
        Some(ReceiverKind::Pointer) => "pointer",
        None => "",
    };
    match type_args {
        [] => receiver.to_owned(),
        args => format!("{receiver}[{}]", args.join(",")),
    }
}
