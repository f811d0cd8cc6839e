//! The tools as agents see them: names, descriptions, fields with defaults and bounds, the keys of answers. Schemas and the
//! reference are made of this table.

/// A tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolRow {
    /// The name on the wire.
    pub name: &'static str,
    /// When to use it and when not. It costs tokens in every conversation.
    pub description: &'static str,
    /// The fields of its request.
    pub fields: &'static [ToolField],
    /// The lists of its answer.
    pub lists: &'static [&'static str],
}

/// A field of a request.
#[derive(Clone, Copy, Debug)]
pub struct ToolField {
    /// The name on the wire.
    pub name: &'static str,
    /// The type, with default and bounds.
    pub kind: ToolFieldKind,
    /// What it is; empty if the name says it.
    pub words: &'static str,
}

/// The type of a field. All but required ones have a default.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(missing_docs, reason = "the bounds are inclusive")]
pub enum ToolFieldKind {
    /// A text that must be given.
    RequiredText,
    /// A text; empty by default.
    Text,
    /// A flag with its default.
    Flag(bool),
    /// A whole number.
    Whole { default: u32, least: u32, most: u32 },
    /// A number.
    Real { default: f64, least: f64, most: f64 },
}

use ToolFieldKind::{Flag, Real, RequiredText, Text, Whole};

const fn field(name: &'static str, kind: ToolFieldKind, words: &'static str) -> ToolField {
    ToolField { name, kind, words }
}

const fn whole(default: u32, least: u32, most: u32) -> ToolFieldKind {
    Whole {
        default,
        least,
        most,
    }
}

const fn weight(default: f64) -> ToolFieldKind {
    Real {
        default,
        least: 0.0,
        most: 1.0,
    }
}

/// The words of a field that names a node.
const NODE: &str =
    "such as service::NAME, endpoint::SERVICE::GET::/path, or a symbol id of cortex_graph";

/// The tools, in the order of `tools/list`.
pub const TOOLS: [ToolRow; 7] = [
    ToolRow {
        name: "build_knowledge_graph",
        description: "Which services, contracts, endpoints, events and entities there are, and errors in contracts. \
                      The other tools need no build before: they follow every edit.",
        fields: &[
            field("project_name", Text, ""),
            field(
                "force_rebuild",
                Flag(true),
                "false: a graph of equal facts under 5 minutes old will do",
            ),
            field(
                "service_interfaces_json",
                Text,
                "services for this answer, by name: {\"a\": {\"paths\": [\"a\"]}}",
            ),
        ],
        lists: &["services_indexed", "errors"],
    },
    ToolRow {
        name: "get_service_context",
        description: "One service, before its code is changed: endpoints with handlers, what it calls, events, entities, \
                      dependencies.",
        fields: &[
            field("service_name", RequiredText, ""),
            field("include_consumed_apis", Flag(true), ""),
            field("include_provided_apis", Flag(true), ""),
            field("include_events", Flag(true), ""),
            field("include_entities", Flag(true), ""),
            field("include_dependencies", Flag(true), ""),
            field("max_depth", whole(2, 1, 5), ""),
        ],
        lists: &["provided_endpoints", "consumed_endpoints", "depends_on"],
    },
    ToolRow {
        name: "query_graph_neighborhood",
        description: "What is around a service, contract, endpoint, event, entity, file or symbol. For callers use \
                      cortex_graph.",
        fields: &[
            field("node_id", RequiredText, NODE),
            field("radius", whole(2, 1, 5), ""),
            field("undirected", Flag(true), ""),
            field(
                "filter_node_types",
                Text,
                "by commas: service,contract,endpoint,domain_entity,event,file,symbol",
            ),
            field(
                "filter_edge_types",
                Text,
                "by commas, such as HANDLES_ENDPOINT,SERVICE_CALLS",
            ),
            field("max_nodes", whole(50, 1, 500), ""),
        ],
        lists: &["nodes", "edges"],
    },
    ToolRow {
        name: "hybrid_search",
        description: "Nodes by words, near an anchor first. For names in code use cortex_graph search.",
        fields: &[
            field("query", RequiredText, ""),
            field("n_results", whole(10, 1, 100), ""),
            field("node_types", Text, "by commas, also context: summaries"),
            field("service_name", Text, ""),
            field("anchor_node_id", Text, ""),
            field("semantic_weight", weight(0.6), ""),
            field("graph_weight", weight(0.4), ""),
        ],
        lists: &["results"],
    },
    ToolRow {
        name: "find_cross_service_impact",
        description: "Other services, contracts and entities that a change may reach. Inside one service use \
                      cortex_graph impact.",
        fields: &[
            field("node_id", RequiredText, ""),
            field("max_depth", whole(3, 1, 10), ""),
        ],
        lists: &[
            "impacted_services",
            "impacted_contracts",
            "impacted_entities",
        ],
    },
    ToolRow {
        name: "validate_service_boundaries",
        description: "Whether files are in the service that their code is connected with; coupling of services.",
        fields: &[field(
            "resolution",
            Real {
                default: 1.0,
                least: 0.01,
                most: 10.0,
            },
            "",
        )],
        lists: &["misplaced_files", "isolated_files", "service_coupling"],
    },
    ToolRow {
        name: "check_cross_service_events",
        description: "Events without a publisher or a consumer, of all services or one.",
        fields: &[field("service_name", Text, "")],
        lists: &["orphaned_events", "unmatched_consumers", "matched_events"],
    },
];

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::tools::KnowledgeRequest;

    /// Returns arguments with required fields, and with the defaults of the table if they are wanted.
    fn arguments(row: &ToolRow, with_defaults: bool) -> Value {
        let fields = row.fields.iter().filter_map(|field| {
            let value = match field.kind {
                RequiredText => json!("x"),
                _ if !with_defaults => return None,
                Text => json!(""),
                Flag(flag) => json!(flag),
                Whole { default, .. } => json!(default),
                Real { default, .. } => json!(default),
            };
            Some((field.name.to_owned(), value))
        });
        Value::Object(fields.collect::<Map<_, _>>())
    }

    #[test]
    fn the_table_has_the_fields_of_requests_with_their_defaults() {
        for row in &TOOLS {
            let bare = KnowledgeRequest::parse(row.name, arguments(row, false)).expect(row.name);
            let full = KnowledgeRequest::parse(row.name, arguments(row, true)).expect(row.name);
            assert_eq!(bare, full);
            assert_eq!(bare.tool(), row.name);
            let printed = serde_json::to_value(&bare).expect("a request has a JSON");
            let printed = printed["arguments"].as_object().expect("an object");
            let names: Vec<&str> = printed.keys().map(String::as_str).collect();
            let of_table: Vec<&str> = row.fields.iter().map(|field| field.name).collect();
            assert_eq!(names, of_table, "{}", row.name);
            let answer = bare.empty_answer().to_json();
            for list in row.lists {
                assert!(answer[list].is_array(), "{}: {list}", row.name);
            }
        }
    }

    #[test]
    fn an_unknown_tool_or_field_and_a_wrong_type_are_invalid() {
        let error = |tool, arguments| KnowledgeRequest::parse(tool, arguments).expect_err("wrong");
        assert!(error("x", json!({})).message.contains("unknown variant"));
        let message = error("hybrid_search", json!({"query": "a", "n": 1})).message;
        assert!(message.contains("unknown field `n`"), "{message}");
        let message = error(
            "get_service_context",
            json!({"service_name": "a", "max_depth": -1}),
        );
        assert!(message.message.contains("-1"), "{message}");
    }
}
