//! Answers as lines, a row a result, for models and for people.

use std::fmt::Write as _;

use super::boundaries::ServiceBoundaries;
use super::events::{CheckedEvent, EventCheck};
use super::impact::CrossServiceImpact;
use super::neighborhood::Neighborhood;
use super::overview::GraphOverview;
use super::request::{KnowledgeAnswer, KnowledgeResponse};
use super::search::SearchAnswer;

/// Returns an answer as lines, with what is said beside it at the end.
pub fn knowledge_text(response: &KnowledgeResponse) -> String {
    let mut out = match &response.answer {
        _ if !response.note.is_empty() && response.answer.is_empty() => String::new(),
        KnowledgeAnswer::BuildKnowledgeGraph(answer) => overview(answer),
        KnowledgeAnswer::GetServiceContext(answer) => answer.context_text.trim_end().to_owned(),
        KnowledgeAnswer::QueryGraphNeighborhood(answer) => neighborhood(answer),
        KnowledgeAnswer::HybridSearch(answer) => search(answer),
        KnowledgeAnswer::FindCrossServiceImpact(answer) => impact(answer),
        KnowledgeAnswer::ValidateServiceBoundaries(answer) => boundaries(answer),
        KnowledgeAnswer::CheckCrossServiceEvents(answer) => events(answer),
        // They are drawn, and printed as JSON.
        KnowledgeAnswer::KnowledgeMap(_) | KnowledgeAnswer::WholeGraph(_) => String::new(),
    };
    out.push('\n');
    if !response.note.is_empty() {
        let _ = writeln!(out, "{}", response.note);
    }
    for warning in &response.warnings {
        let line = warning
            .line
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        let _ = writeln!(out, "{}{line}: {}", warning.file, warning.message);
    }
    if !response.metadata.unsaved.is_empty() {
        let _ = writeln!(out, "unsaved: {}", response.metadata.unsaved.join(", "));
    }
    trimmed(out).trim_start().to_owned()
}

fn overview(answer: &GraphOverview) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "services: {}", answer.services_indexed.join(", "));
    let _ = writeln!(
        out,
        "{} nodes, {} edges, {} communities",
        answer.node_count, answer.edge_count, answer.community_count
    );
    for (name, count) in &answer.node_types {
        let _ = writeln!(out, "  {name}: {count}");
    }
    for (name, count) in &answer.edge_types {
        let _ = writeln!(out, "  {name}: {count}");
    }
    for error in &answer.errors {
        let _ = writeln!(out, "{}:{}: {}", error.file, error.line, error.message);
    }
    trimmed(out)
}

fn neighborhood(answer: &Neighborhood) -> String {
    let mut out = String::new();
    if let Some(center) = &answer.center_node {
        let _ = writeln!(out, "{}", center.id);
    }
    for edge in &answer.edges {
        let _ = writeln!(
            out,
            "  {} {} {}",
            edge.source,
            edge.relation.wire_name(),
            edge.target
        );
    }
    let listed = answer.nodes.len();
    let _ = writeln!(
        out,
        "{listed} of {} nodes",
        answer.total_nodes_in_neighborhood
    );
    if answer.truncated {
        let _ = writeln!(out, "raise max_nodes for more");
    }
    trimmed(out)
}

fn search(answer: &SearchAnswer) -> String {
    let mut out = String::new();
    for result in &answer.results {
        let _ = writeln!(
            out,
            "{:.3}  {}  {}",
            result.score, result.node_id, result.file_path
        );
    }
    if answer.results.is_empty() {
        out.push_str("nothing has one of these words: try others, or fewer\n");
    }
    trimmed(out)
}

fn impact(answer: &CrossServiceImpact) -> String {
    let mut out = String::new();
    let service = if answer.source_service.is_empty() {
        "no service"
    } else {
        &answer.source_service
    };
    let _ = writeln!(
        out,
        "{} ({service}): {} nodes reached",
        answer.source_node, answer.total_impacted_nodes
    );
    for service in &answer.impacted_services {
        let _ = writeln!(
            out,
            "service {}: {} nodes",
            service.service_name, service.impact_count
        );
        for path in &service.impact_paths {
            let _ = writeln!(out, "  {}", path.join(" - "));
        }
    }
    for contract in &answer.impacted_contracts {
        let _ = writeln!(
            out,
            "contract {} ({})",
            contract.contract_id, contract.service_name
        );
        for endpoint in &contract.endpoints_affected {
            let _ = writeln!(out, "  {endpoint}");
        }
    }
    for entity in &answer.impacted_entities {
        let _ = writeln!(
            out,
            "entity {} ({})",
            entity.entity_name, entity.owning_service
        );
    }
    trimmed(out)
}

fn boundaries(answer: &ServiceBoundaries) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} services, {} communities, alignment {:.3}",
        answer.services_declared, answer.communities_detected, answer.alignment_score
    );
    for file in &answer.misplaced_files {
        let _ = writeln!(
            out,
            "{} is of {}, its community of {} ({:.2})",
            file.file, file.declared_service, file.community_service, file.confidence
        );
    }
    for coupling in &answer.service_coupling {
        let _ = writeln!(
            out,
            "{} and {}: {} edges",
            coupling.service_a, coupling.service_b, coupling.cross_edges
        );
    }
    if !answer.isolated_files.is_empty() {
        let _ = writeln!(out, "without edges: {}", answer.isolated_files.join(", "));
    }
    trimmed(out)
}

fn events(answer: &EventCheck) -> String {
    let mut out = String::new();
    let line = |out: &mut String, state: &str, event: &CheckedEvent| {
        let services = |names: &[String]| {
            if names.is_empty() {
                "-".to_owned()
            } else {
                names.join(", ")
            }
        };
        let (from, to) = (services(&event.publishers), services(&event.consumers));
        let _ = writeln!(
            out,
            "{state}  {}  {}  {from} -> {to}",
            event.event_name, event.channel
        );
    };
    for event in &answer.matched_events {
        line(&mut out, "matched", event);
    }
    for event in &answer.orphaned_events {
        line(&mut out, "no known consumer", event);
    }
    for event in &answer.unmatched_consumers {
        line(&mut out, "no known publisher", event);
    }
    let _ = writeln!(
        out,
        "{} of {} matched, by {}",
        answer.matched_events.len(),
        answer.total_events,
        answer.known_from
    );
    trimmed(out)
}

fn trimmed(mut out: String) -> String {
    out.truncate(out.trim_end().len());
    out
}
