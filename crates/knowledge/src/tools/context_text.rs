//! A service's context as Markdown below a number of tokens.

use super::service_context::ServiceContext;
use super::tokens::TokenCounter;
use crate::graph::{EntityField, Graph, NodeData, Relation};

/// The most tokens of a context.
pub const MAX_CONTEXT_TOKENS: usize = 2000;

/// The line that ends a section that is cut.
const CUT: &str = "[... truncated ...]";

/// A section: heading, its share of the tokens in percent, lines.
struct Section {
    heading: &'static str,
    share: usize,
    lines: Vec<String>,
}

/// Prints a context. Sections are in the order of their worth. A section may take what those before it left; one that is cut
/// ends with a line that says so; one without lines is absent.
pub(super) fn print(graph: &Graph, context: &ServiceContext, tokens: TokenCounter<'_>) -> String {
    let mut out = format!("## Graph RAG Context: {}\n", context.service_name);
    let mut left = MAX_CONTEXT_TOKENS.saturating_sub(tokens(&out) + 1);
    let mut saved = 0;
    for section in sections(graph, context) {
        let share = MAX_CONTEXT_TOKENS * section.share / 100 + saved;
        let allowed = share.min(left);
        if section.lines.is_empty() {
            saved = share;
            continue;
        }
        let printed = printed(&section, allowed, tokens);
        let used = tokens(&printed);
        out.push_str(&printed);
        left = left.saturating_sub(used);
        saved = share.saturating_sub(used);
    }
    // Tokens of a whole are at most those of its parts, but for what joins at their ends.
    while tokens(&out) > MAX_CONTEXT_TOKENS {
        let Some(end) = out.trim_end().rfind('\n') else {
            break;
        };
        out.truncate(end + 1);
    }
    out
}

/// Returns as many lines of a section as fit, with its heading; nothing if not one does.
fn printed(section: &Section, allowed: usize, tokens: TokenCounter<'_>) -> String {
    let heading = format!("\n### {}\n", section.heading);
    let whole = format!("{heading}{}\n", section.lines.join("\n"));
    if tokens(&whole) <= allowed {
        return whole;
    }
    // The largest number of lines that fits.
    let text = |count: usize| format!("{heading}{}\n{CUT}\n", section.lines[..count].join("\n"));
    let (mut fits, mut too_many) = (0, section.lines.len());
    while fits + 1 < too_many {
        let middle = fits.midpoint(too_many);
        if tokens(&text(middle)) <= allowed {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    if fits == 0 { String::new() } else { text(fits) }
}

fn sections(graph: &Graph, context: &ServiceContext) -> Vec<Section> {
    let section = |heading, share, lines| Section {
        heading,
        share,
        lines,
    };
    let mut dependencies = Vec::new();
    if !context.depends_on.is_empty() {
        dependencies.push(format!("- Depends on: {}", context.depends_on.join(", ")));
    }
    if !context.depended_on_by.is_empty() {
        dependencies.push(format!(
            "- Depended on by: {}",
            context.depended_on_by.join(", ")
        ));
    }
    let consumed = context.consumed_endpoints.iter();
    let consumed = consumed.map(|endpoint| {
        format!(
            "- {} {} ({})",
            endpoint.method, endpoint.path, endpoint.provider_service
        )
    });
    let provided = context.provided_endpoints.iter().map(|endpoint| {
        let handler = if endpoint.handler.is_empty() {
            "no handler found"
        } else {
            &endpoint.handler
        };
        format!("- {} {} -> {handler}", endpoint.method, endpoint.path)
    });
    let referenced = context.referenced_entities.iter();
    let referenced = referenced.map(|entity| {
        format!(
            "- {} (owned by {}): {}",
            entity.name,
            entity.owning_service,
            fields(&entity.fields)
        )
    });
    let owned = context
        .owned_entities
        .iter()
        .map(|entity| format!("- {}: {}", entity.name, fields(&entity.fields)));
    let published = context
        .events_published
        .iter()
        .map(|event| format!("- Publishes {} on {}", event.event_name, event.channel));
    let consumed_events = context.events_consumed.iter().map(|event| {
        let publisher = if event.publisher_service.is_empty() {
            "no known publisher"
        } else {
            &event.publisher_service
        };
        format!("- Consumes {} from {publisher}", event.event_name)
    });
    vec![
        section("Service Dependencies", 5, dependencies),
        section("APIs This Service Consumes", 30, consumed.collect()),
        section("Referenced Entities", 20, referenced.collect()),
        section("APIs This Service Provides", 15, provided.collect()),
        section("Events", 10, published.chain(consumed_events).collect()),
        section("Owned Entities", 10, owned.collect()),
        section("Integration Notes", 10, notes(graph, context)),
    ]
}

fn fields(fields: &[EntityField]) -> String {
    let fields = fields.iter().map(|field| {
        let required = if field.required { "" } else { "?" };
        if field.field_type.is_empty() {
            format!("{}{required}", field.name)
        } else {
            format!("{}{required}: {}", field.name, field.field_type)
        }
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// Returns what follows for a user of the service: the other services at the ends of its events, and endpoints without a
/// handler.
fn notes(graph: &Graph, context: &ServiceContext) -> Vec<String> {
    let mut notes = Vec::new();
    let contracts = super::events::contracts_of_events(graph);
    for event in &context.events_published {
        let id = format!("event::{}", event.event_name);
        let number = graph.number(&id);
        let consumers = graph
            .edges_of(Relation::ConsumesEvent)
            .filter(|edge| Some(edge.to) == number);
        let consumers: Vec<&str> = consumers
            .map(|edge| super::events::service_of(graph, edge.from))
            .collect();
        notes.push(if consumers.is_empty() {
            format!("- No consumer of {} in {contracts}.", event.event_name)
        } else {
            format!(
                "- {} is consumed by {}.",
                event.event_name,
                consumers.join(", ")
            )
        });
    }
    for endpoint in context
        .provided_endpoints
        .iter()
        .filter(|endpoint| endpoint.handler.is_empty())
    {
        notes.push(format!(
            "- {} {} is in a contract, and no handler of it was found.",
            endpoint.method, endpoint.path
        ));
    }
    let domain = graph.nodes.iter().find_map(|node| match &*node.data {
        NodeData::Service {
            service_name,
            description,
            ..
        } if *service_name == context.service_name => Some(description),
        _ => None,
    });
    if let Some(description) = domain.filter(|description| !description.is_empty()) {
        notes.insert(0, format!("- {description}"));
    }
    notes
}
