//! Pictures of the services of a workspace: their calls, endpoints, events and entities.

use std::collections::BTreeMap;

use codeweft_diagrams::{
    Cell, Column, Diagram, Direction, Edge, EdgeStyle, Fact, MAX_NODES, Meanings, Page, Row,
    Section, Table,
};
use codeweft_knowledge::graph::{Node, NodeData};
use codeweft_knowledge::tools::{
    CrossServiceImpact, KnowledgeMap, MappedCall, MappedEndpoint, MappedService, Neighborhood,
};

/// How many rows a table has at most.
const MAX_ROWS: usize = 200;

/// The nodes of the picture of endpoints that are visible at the start; a service folds its endpoints.
const MAX_ENDPOINTS: usize = 60;

/// The longest label of a box, in characters.
const MAX_LABEL: usize = 48;

/// What the lines between services mean.
const CALLS: Meanings = Meanings {
    solid: "calls, publishes, consumes, by the code or a contract",
    dashed: "only an address in a deployment",
    highlighted: "",
};

/// What the lines around a node mean.
const RELATIONS: Meanings = Meanings {
    solid: "an edge of the graph",
    dashed: "a possible call",
    highlighted: "the node itself",
};

/// Returns the page of the services of the workspace in a folder.
pub fn page(map: &KnowledgeMap, root: &str) -> Page {
    let name = root.rsplit('/').next().unwrap_or(root);
    let mut sections = Vec::new();
    let mut title = format!("{name}: services");
    if let (Some(around), Some(impact)) = (&map.around, &map.impact) {
        let node = &impact.source_node;
        title = format!("{name}: {}", node.rsplit("::").next().unwrap_or(node));
        let mut diagram = around_node(around);
        diagram.title = "Around the node".to_owned();
        sections.push(Section::Diagram(diagram, MAX_NODES));
        sections.extend(impact_tables(impact));
    }
    sections.push(Section::Diagram(services(map), MAX_NODES));
    let endpoints = endpoints(map);
    if !endpoints.edges.is_empty() {
        sections.push(Section::Diagram(endpoints, MAX_ENDPOINTS));
    }
    sections.extend(tables(map));
    Page { title, sections }
}

/// Returns the drawing: what is around a node if the map has one, else the services.
pub fn diagram(map: &KnowledgeMap) -> Diagram {
    match &map.around {
        Some(around) => around_node(around),
        None => services(map),
    }
}

/// Boxes with their numbers by id.
#[derive(Default)]
struct Boxes {
    nodes: Vec<codeweft_diagrams::Node>,
    numbers: BTreeMap<String, usize>,
    edges: Vec<Edge>,
}

impl Boxes {
    fn add(&mut self, node: codeweft_diagrams::Node) {
        self.numbers.insert(node.id.clone(), self.nodes.len());
        self.nodes.push(node);
    }

    fn connect(&mut self, from: &str, to: &str, edge: Edge) {
        let numbers = (self.numbers.get(from), self.numbers.get(to));
        if let (Some(&from), Some(&to)) = numbers {
            self.edges.push(Edge { from, to, ..edge });
        }
    }

    fn diagram(self, title: &str, direction: Direction, meanings: Meanings) -> Diagram {
        Diagram {
            title: title.to_owned(),
            direction,
            nodes: self.nodes,
            edges: self.edges,
            meanings,
        }
    }
}

fn service_id(name: &str) -> String {
    format!("service::{name}")
}

fn event_id(name: &str) -> String {
    format!("event::{name}")
}

/// Returns the services with their calls, and the events between them.
fn services(map: &KnowledgeMap) -> Diagram {
    let mut boxes = Boxes::default();
    for service in &map.services {
        boxes.add(service_box(map, service));
    }
    for event in &map.events {
        let mut facts = vec![Fact::new("channel", &event.channel)];
        add_fact(&mut facts, "published by", event.publishers.join(", "));
        add_fact(&mut facts, "consumed by", event.consumers.join(", "));
        boxes.add(codeweft_diagrams::Node {
            id: event_id(&event.event_name),
            label: shortened(&event.event_name),
            kind: "event".to_owned(),
            facts,
            ..codeweft_diagrams::Node::default()
        });
    }
    for call in &map.calls {
        let edge = Edge {
            count: call.endpoints.len().max(1) as u64,
            label: words_of_call(map, call),
            style: style_of_call(call),
            ..Edge::default()
        };
        boxes.connect(&service_id(&call.from), &service_id(&call.to), edge);
    }
    for event in &map.events {
        let id = event_id(&event.event_name);
        let edge = || Edge {
            count: 1,
            ..Edge::default()
        };
        for publisher in &event.publishers {
            boxes.connect(&service_id(publisher), &id, edge());
        }
        for consumer in &event.consumers {
            boxes.connect(&id, &service_id(consumer), edge());
        }
    }
    boxes.diagram("Services and their calls", Direction::Down, CALLS)
}

fn service_box(map: &KnowledgeMap, service: &MappedService) -> codeweft_diagrams::Node {
    let mut facts = Vec::new();
    add_fact(&mut facts, "description", service.description.clone());
    add_fact(&mut facts, "domain", service.domain.clone());
    add_fact(&mut facts, "stack", service.stack.clone());
    add_fact(&mut facts, "files", service.files.to_string());
    add_fact(&mut facts, "lines of code", service.lines.to_string());
    add_fact(&mut facts, "contracts", service.contracts.join(", "));
    let endpoints = service.endpoints.iter().map(name_of_endpoint);
    add_fact(&mut facts, "endpoints", listed(endpoints));
    let called = map.calls.iter().filter(|call| call.from == service.name);
    add_fact(
        &mut facts,
        "calls",
        listed(called.map(|call| call.to.clone())),
    );
    let calling = map.calls.iter().filter(|call| call.to == service.name);
    add_fact(
        &mut facts,
        "called by",
        listed(calling.map(|call| call.from.clone())),
    );
    let has = |names: &[String]| names.contains(&service.name);
    let published = map.events.iter().filter(|event| has(&event.publishers));
    add_fact(
        &mut facts,
        "publishes",
        listed(published.map(|event| event.event_name.clone())),
    );
    let consumed = map.events.iter().filter(|event| has(&event.consumers));
    add_fact(
        &mut facts,
        "consumes",
        listed(consumed.map(|event| event.event_name.clone())),
    );
    add_fact(&mut facts, "entities", service.owned_entities.join(", "));
    codeweft_diagrams::Node {
        id: service_id(&service.name),
        label: shortened(&service.name),
        kind: "service".to_owned(),
        lines: (service.lines > 0).then(|| u64::from(service.lines)),
        facts,
        ..codeweft_diagrams::Node::default()
    }
}

fn words_of_call(map: &KnowledgeMap, call: &MappedCall) -> String {
    match call.endpoints.as_slice() {
        [] => String::new(),
        [one] => {
            let mut endpoints = map.services.iter().flat_map(|service| &service.endpoints);
            let endpoint = endpoints.find(|endpoint| endpoint.id == *one);
            endpoint.map_or_else(String::new, short_name)
        }
        several => format!("{} endpoints", several.len()),
    }
}

fn style_of_call(call: &MappedCall) -> EdgeStyle {
    if call
        .evidence
        .iter()
        .all(|evidence| evidence == "deployment")
    {
        EdgeStyle::Dashed
    } else {
        EdgeStyle::Solid
    }
}

/// Returns the endpoints, folded by service, with the services that call them.
fn endpoints(map: &KnowledgeMap) -> Diagram {
    let mut boxes = Boxes::default();
    for service in &map.services {
        for endpoint in &service.endpoints {
            let mut facts = vec![Fact::new("endpoint", name_of_endpoint(endpoint))];
            add_fact(&mut facts, "summary", endpoint.summary.clone());
            add_fact(&mut facts, "handler", handler(endpoint).to_owned());
            add_fact(&mut facts, "contract", endpoint.contract.clone());
            add_fact(
                &mut facts,
                "declared",
                format!("{}:{}", endpoint.file, endpoint.line),
            );
            add_fact(&mut facts, "called by", endpoint.callers.join(", "));
            boxes.add(codeweft_diagrams::Node {
                id: endpoint.id.clone(),
                label: shortened(&short_name(endpoint)),
                group: service.name.replace('/', "\u{2215}"),
                kind: "endpoint".to_owned(),
                facts,
                ..codeweft_diagrams::Node::default()
            });
        }
    }
    for call in &map.calls {
        if !call.endpoints.is_empty() && !boxes.numbers.contains_key(&service_id(&call.from)) {
            boxes.add(codeweft_diagrams::Node {
                id: service_id(&call.from),
                label: shortened(&call.from),
                kind: "service".to_owned(),
                ..codeweft_diagrams::Node::default()
            });
        }
        for endpoint in &call.endpoints {
            let edge = Edge {
                count: 1,
                ..Edge::default()
            };
            boxes.connect(&service_id(&call.from), endpoint, edge);
        }
    }
    boxes.diagram("Endpoints and their callers", Direction::Right, CALLS)
}

/// Returns what is around a node.
fn around_node(around: &Neighborhood) -> Diagram {
    let mut boxes = Boxes::default();
    let center = around.center_node.as_ref().map(|node| &*node.id);
    for node in &around.nodes {
        boxes.add(graph_box(node, center == Some(&*node.id)));
    }
    for edge in &around.edges {
        let label = edge.relation.wire_name().replace('_', " ").to_lowercase();
        let ends = [Some(edge.source.as_str()), Some(edge.target.as_str())];
        let style = if edge.data.possible {
            EdgeStyle::Dashed
        } else if ends.contains(&center) {
            EdgeStyle::Highlighted
        } else {
            EdgeStyle::Solid
        };
        let drawn = Edge {
            count: 1,
            label,
            style,
            ..Edge::default()
        };
        boxes.connect(&edge.source, &edge.target, drawn);
    }
    let title = format!("Around {}", center.unwrap_or_default());
    boxes.diagram(&title, Direction::Right, RELATIONS)
}

/// Returns a node of the knowledge graph as a box: its folder is its service.
fn graph_box(node: &Node, is_center: bool) -> codeweft_diagrams::Node {
    let mut facts = vec![Fact::new("id", &*node.id)];
    let (label, line) = match &*node.data {
        NodeData::Endpoint {
            method, path, line, ..
        } => (short_path(method, path), *line),
        NodeData::Symbol {
            symbol_name,
            signature,
            line_start,
            ..
        } => {
            add_fact(&mut facts, "signature", signature.clone());
            (symbol_name.clone(), *line_start)
        }
        NodeData::Service { service_name, .. } => (service_name.clone(), 0),
        NodeData::Contract {
            contract_id, line, ..
        } => (contract_id.clone(), *line),
        NodeData::DomainEntity {
            entity_name, line, ..
        } => (entity_name.clone(), *line),
        NodeData::Event {
            event_name, line, ..
        } => (event_name.clone(), *line),
        NodeData::File { file_path, .. } => (file_path.clone(), 0),
    };
    let declared = match (node.data.file_path(), line) {
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    };
    add_fact(&mut facts, "declared", declared);
    add_fact(&mut facts, "service", node.data.service_name().to_owned());
    let kind = match node.data.node_type() {
        "domain_entity" => "entity",
        other => other,
    };
    let mark = if is_center { "● " } else { "" };
    let label = format!("{mark}{}", shortened(&label));
    codeweft_diagrams::Node {
        id: node.id.to_string(),
        label,
        group: match &*node.data {
            NodeData::Service { .. } => String::new(),
            data => data.service_name().replace('/', "\u{2215}"),
        },
        kind: kind.to_owned(),
        facts,
        ..codeweft_diagrams::Node::default()
    }
}

fn impact_tables(impact: &CrossServiceImpact) -> Vec<Section> {
    let services = impact.impacted_services.iter().map(|service| {
        let path = service.impact_paths.first();
        let path = path.map_or_else(String::new, |path| path.join(" → "));
        vec![
            Cell::Text(service.service_name.clone()),
            Cell::Number(service.impact_count as u64),
            Cell::Text(path),
        ]
    });
    let contracts = impact.impacted_contracts.iter().map(|contract| {
        vec![
            Cell::Text(contract.contract_id.clone()),
            Cell::Text(contract.service_name.clone()),
            Cell::Number(contract.endpoints_affected.len() as u64),
        ]
    });
    let entities = impact.impacted_entities.iter().map(|entity| {
        vec![
            Cell::Text(entity.entity_name.clone()),
            Cell::Text(entity.owning_service.clone()),
        ]
    });
    let tables = [
        table(
            "Services that a change may reach",
            &[
                ("service", false),
                ("nodes", true),
                ("a shortest path", false),
            ],
            services.collect(),
        ),
        table(
            "Contracts that a change may reach",
            &[("contract", false), ("service", false), ("endpoints", true)],
            contracts.collect(),
        ),
        table(
            "Entities that a change may reach",
            &[("entity", false), ("owner", false)],
            entities.collect(),
        ),
    ];
    tables.into_iter().flatten().collect()
}

fn tables(map: &KnowledgeMap) -> Vec<Section> {
    let endpoints = map.services.iter().flat_map(|service| {
        let endpoints = service.endpoints.iter();
        endpoints.map(|endpoint| {
            vec![
                Cell::Text(service.name.clone()),
                Cell::Text(name_of_endpoint(endpoint)),
                Cell::Text(handler(endpoint).to_owned()),
                Cell::Text(endpoint.callers.join(", ")),
                Cell::Text(format!("{}:{}", endpoint.file, endpoint.line)),
            ]
        })
    });
    let calls = map.calls.iter().map(|call| {
        vec![
            Cell::Text(call.from.clone()),
            Cell::Text(call.to.clone()),
            Cell::Number(call.endpoints.len() as u64),
            Cell::Number(u64::from(call.imports)),
            Cell::Text(call.evidence.join(", ")),
        ]
    });
    let events = map.events.iter().map(|event| {
        vec![
            Cell::Text(event.event_name.clone()),
            Cell::Text(event.channel.clone()),
            Cell::Text(event.publishers.join(", ")),
            Cell::Text(event.consumers.join(", ")),
        ]
    });
    let entities = map.entities.iter().map(|entity| {
        vec![
            Cell::Text(entity.name.clone()),
            Cell::Text(entity.owner.clone()),
            Cell::Text(entity.referenced_by.join(", ")),
            Cell::Text(listed(entity.fields.iter().cloned())),
            Cell::Text(format!("{}:{}", entity.file, entity.line)),
        ]
    });
    let errors = map.errors.iter().map(|error| {
        vec![
            Cell::Text(format!("{}:{}", error.file, error.line)),
            Cell::Text(error.message.clone()),
        ]
    });
    let tables = [
        table(
            "Endpoints",
            &[
                ("service", false),
                ("endpoint", false),
                ("handler", false),
                ("called by", false),
                ("declared", false),
            ],
            endpoints.collect(),
        ),
        table(
            "Calls between services",
            &[
                ("from", false),
                ("to", false),
                ("endpoints", true),
                ("imports", true),
                ("known by", false),
            ],
            calls.collect(),
        ),
        table(
            "Events",
            &[
                ("event", false),
                ("channel", false),
                ("published by", false),
                ("consumed by", false),
            ],
            events.collect(),
        ),
        table(
            "Entities",
            &[
                ("entity", false),
                ("owner", false),
                ("also in", false),
                ("fields", false),
                ("declared", false),
            ],
            entities.collect(),
        ),
        table(
            "Errors in contracts and settings",
            &[("where", false), ("what", false)],
            errors.collect(),
        ),
    ];
    tables.into_iter().flatten().collect()
}

/// Returns a table, unless it has no row.
fn table(title: &str, columns: &[(&str, bool)], rows: Vec<Vec<Cell>>) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let columns = columns.iter().map(|&(name, bars)| Column {
        name: name.to_owned(),
        bars,
    });
    Some(Section::Table(Table {
        title: title.to_owned(),
        columns: columns.collect(),
        rows: rows
            .into_iter()
            .map(|cells| Row { cells, node: None })
            .collect(),
        max_rows: MAX_ROWS,
    }))
}

fn handler(endpoint: &MappedEndpoint) -> &str {
    let handler = endpoint.handler.as_str();
    match handler.strip_prefix("symbol::") {
        Some(handler) => handler,
        None if handler.is_empty() => "none found",
        None => handler,
    }
}

fn name_of_endpoint(endpoint: &MappedEndpoint) -> String {
    format!("{} {}", endpoint.method, endpoint.path)
}

/// Returns an endpoint's name on a box: of an rpc its service and name without the package.
fn short_name(endpoint: &MappedEndpoint) -> String {
    short_path(&endpoint.method, &endpoint.path)
}

/// As [`short_name`], of a method and a path.
fn short_path(method: &str, path: &str) -> String {
    let rpc = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    match rpc {
        Some((service, name)) if service.contains('.') && !name.contains('/') => name.to_owned(),
        _ => format!("{method} {path}"),
    }
}

/// Returns at most ten names, and how many there are beside.
fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let (first, others) = names.split_at(names.len().min(10));
    let listed = first.join(", ");
    match others.len() {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

fn add_fact(facts: &mut Vec<Fact>, name: &str, value: String) {
    if !value.is_empty() {
        facts.push(Fact::new(name, value));
    }
}

fn shortened(label: &str) -> String {
    match label.char_indices().nth(MAX_LABEL) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label.to_owned(),
    }
}
