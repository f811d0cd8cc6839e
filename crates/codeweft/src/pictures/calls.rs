//! Pictures of answers about one symbol: what calls it, what it reaches, the way to another.
//!
//! The answer says which nodes there are. Which of them are linked is a request for each node, one step at a
//! time, so that a caller at depth 2 has its arrow to the caller at depth 1.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_diagrams::{Diagram, Direction, Edge, EdgeStyle};
use codeweft_ide::api::{
    ApiError, CheckedRequest, ErrorType, GraphRequest, GraphResponse, GraphResult, Operation,
};

use super::{Drawn, no_picture, node_box};
use crate::arguments::Format;
use crate::database::Database;

/// The operations that have pictures.
const DRAWN: [Operation; 8] = [
    Operation::Callers,
    Operation::Callees,
    Operation::Impact,
    Operation::Path,
    Operation::Dependencies,
    Operation::Dependents,
    Operation::Implementations,
    Operation::Implements,
];

impl Drawn for CheckedRequest {
    fn check_format(&self, format: Format) -> Result<(), ApiError> {
        let is_picture = super::format(format).is_some();
        if is_picture && !DRAWN.contains(&self.operation) {
            let drawn = DRAWN.map(Operation::wire_name);
            return Err(no_picture(self.operation.wire_name(), &drawn));
        }
        Ok(())
    }

    fn diagram(
        &self,
        response: &GraphResponse,
        database: &mut Database,
    ) -> Result<Diagram, ApiError> {
        let mut picture = Picture::of(self, response, database)?;
        match self.operation {
            Operation::Path => picture.link_steps(response),
            _ => picture.link(self, response, database)?,
        }
        let cut = if response.truncated {
            format!(
                " ({} of {} results)",
                response.total_returned, response.total_found
            )
        } else {
            String::new()
        };
        let to = match self.to.as_str() {
            "" => String::new(),
            to => format!(" to {to}"),
        };
        let name = self.operation.wire_name();
        Ok(Diagram {
            title: format!("{name} of {}{to}{cut}", response.target),
            direction: Direction::Right,
            nodes: picture.nodes,
            edges: picture.edges.into_values().collect(),
            ..Diagram::default()
        })
    }
}

struct Picture {
    nodes: Vec<codeweft_diagrams::Node>,
    numbers: BTreeMap<String, usize>,
    /// The number of nodes of the target, the first.
    targets: usize,
    /// By the numbers of their ends.
    edges: BTreeMap<(usize, usize), Edge>,
}

impl Picture {
    /// Returns the nodes of an answer, those of its target first.
    fn of(
        request: &CheckedRequest,
        response: &GraphResponse,
        database: &mut Database,
    ) -> Result<Picture, ApiError> {
        let mut picture = Picture {
            nodes: Vec::new(),
            numbers: BTreeMap::new(),
            targets: 0,
            edges: BTreeMap::new(),
        };
        let target = GraphRequest {
            include_context: false,
            ..GraphRequest::new(Operation::Definition, request.target.clone())
        };
        // A pattern or a folder has no definition: the answer alone is drawn.
        if let Some(found) = found(database.ask(&target.check()?))? {
            found.results.iter().for_each(|result| picture.add(result));
        }
        picture.targets = picture.nodes.len();
        response
            .results
            .iter()
            .for_each(|result| picture.add(result));
        Ok(picture)
    }

    fn add(&mut self, result: &GraphResult) {
        let node = &result.node;
        if !self.numbers.contains_key(&node.id) {
            self.numbers.insert(node.id.clone(), self.nodes.len());
            self.nodes.push(node_box(node));
        }
    }

    /// Adds the edges between each two nodes of a way.
    fn link_steps(&mut self, response: &GraphResponse) {
        let ids: Vec<&String> = response
            .results
            .iter()
            .map(|result| &result.node.id)
            .collect();
        for (pair, result) in ids.windows(2).zip(response.results.iter().skip(1)) {
            if let [from, to] = pair {
                self.edge((from, to), result, EdgeStyle::Solid);
            }
        }
    }

    /// Adds the edges between the nodes: a step of the operation from each of them.
    fn link(
        &mut self,
        request: &CheckedRequest,
        response: &GraphResponse,
        database: &mut Database,
    ) -> Result<(), ApiError> {
        let (operation, is_backward) = match request.operation {
            Operation::Impact => (Operation::Callers, true),
            Operation::Callers | Operation::Dependents | Operation::Implementations => {
                (request.operation, true)
            }
            other => (other, false),
        };
        let ids: Vec<String> = self.nodes.iter().map(|node| node.id.clone()).collect();
        for id in &ids {
            let step = GraphRequest {
                include_context: false,
                include_tests: request.include_tests,
                include_literal_calls: request.include_literal_calls,
                depth: 1,
                max_results: 500,
                ..GraphRequest::new(operation, id.clone())
            };
            // A type that is reached has no callers of its own.
            let Some(found) = found(database.ask(&step.check()?))? else {
                continue;
            };
            for result in &found.results {
                let style = style(result);
                if is_backward {
                    self.edge((&result.node.id, id), result, style)
                } else {
                    self.edge((id, &result.node.id), result, style)
                }
            }
        }
        self.link_loose(request, response, is_backward);
        Ok(())
    }

    /// Links what no step reached to the target: an implementation or a use that a change reaches.
    fn link_loose(
        &mut self,
        request: &CheckedRequest,
        response: &GraphResponse,
        is_backward: bool,
    ) {
        let Some(target) = self.nodes.first().map(|node| node.id.clone()) else {
            return;
        };
        let ends = self.edges.keys();
        let linked: BTreeSet<usize> = ends.flat_map(|&(from, to)| [from, to]).collect();
        for result in &response.results {
            let number = self.numbers.get(&result.node.id).copied();
            let is_loose = number.is_some_and(|at| at >= self.targets && !linked.contains(&at));
            if is_loose && (request.operation == Operation::Impact || result.depth == Some(1)) {
                if is_backward {
                    self.edge((&result.node.id, &target), result, EdgeStyle::Dashed)
                } else {
                    self.edge((&target, &result.node.id), result, EdgeStyle::Dashed)
                }
            }
        }
    }

    /// Adds an edge between two ids, if both are drawn and it is not there yet.
    fn edge(&mut self, (from, to): (&str, &str), result: &GraphResult, style: EdgeStyle) {
        let (Some(&from), Some(&to)) = (self.numbers.get(from), self.numbers.get(to)) else {
            return;
        };
        self.edges.entry((from, to)).or_insert(Edge {
            from,
            to,
            count: u64::from(result.site_count.max(1)),
            label: String::new(),
            style,
        });
    }
}

/// Returns an answer; `None` if the operation does not take the target.
fn found(answer: Result<GraphResponse, ApiError>) -> Result<Option<GraphResponse>, ApiError> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(error) => match error.error_type {
            ErrorType::InvalidRequest | ErrorType::TargetNotFound | ErrorType::AmbiguousTarget => {
                Ok(None)
            }
            // Without the step the picture would lack edges.
            _ => Err(error),
        },
    }
}

/// Returns how a link is drawn: one without an exact site is dashed.
fn style(result: &GraphResult) -> EdgeStyle {
    let mut sites = result.sites.iter();
    if result.sites.is_empty() || sites.any(|site| site.resolution == "exact") {
        EdgeStyle::Solid
    } else {
        EdgeStyle::Dashed
    }
}
