//! Redefinitions: a plain id means all declarations of one name in one scope, and each site names
//! the one that it belongs to; a number after a part of an id means that one alone (docs/graph.md
//! §1, "Ids").
//!
//! ```python
//! def f(): ...     # m.f#1
//! def f(): ...     # m.f#2, and m.f means both
//! ```

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;
use codeweft_graph::answer::{GraphRequest, Operation};
use rustc_hash::FxHashMap;

use super::execution::execute_unlimited;
use super::{Edge, Edges, Names, QueriedNode, Sides};

/// Returns an id without the numbers of redefinitions.
pub(super) fn plain(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for (at, part) in id.split('.').enumerate() {
        if at > 0 {
            out.push('.');
        }
        let name = part.rsplit_once('#').filter(|(name, number)| {
            !name.is_empty() && number.parse::<u32>().is_ok() && !name.starts_with('<')
        });
        out.push_str(name.map_or(part, |(name, _)| name));
    }
    out
}

/// Records the redefinitions among the nodes. Returns, for each of them and for each node inside
/// one, the id to query it by.
pub(super) fn numbered(sides: &mut Sides) -> FxHashMap<u32, String> {
    let mut by_plain: FxHashMap<String, u32> = FxHashMap::default();
    let of_redefinitions = |sides: &Sides| {
        let nodes = sides.nodes.iter();
        let ids = nodes.map(|node| (node.id, sides.names.text(node.id).to_owned()));
        ids.collect::<Vec<(u32, String)>>()
    };
    let mut ids = of_redefinitions(sides);
    ids.sort();
    // An unresolved name may be a module's and a declaration's: both have one id.
    ids.dedup();
    for (_, id) in &ids {
        *by_plain.entry(plain(id)).or_default() += 1;
    }
    let mut written = FxHashMap::default();
    for (number, id) in &ids {
        let parts: Vec<&str> = id.split('.').collect();
        let mut prefix = String::new();
        let mut text = String::new();
        let mut changed = false;
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                prefix.push('.');
                text.push('.');
            }
            prefix.push_str(part);
            text.push_str(part);
            let several = by_plain
                .get(&plain(&prefix))
                .is_some_and(|&count| count > 1);
            if several && !part.contains('#') && !part.contains('<') {
                text.push_str("#1");
                changed = true;
            }
        }
        if by_plain.get(&plain(id)).is_some_and(|&count| count > 1) {
            sides.redefinitions.insert(*number);
        }
        if changed {
            written.insert(*number, text);
        }
    }
    written
}

/// Returns the ids to query library nodes by whose plain ids mean several declarations.
pub(super) fn numbered_beside(
    names: &Names,
    db: &RootDb,
    cache: &RevisionCache,
    queried: &[QueriedNode],
) -> FxHashMap<u32, String> {
    let mut written = FxHashMap::default();
    for node in queried {
        let id = names.text(node.id);
        let mut request = GraphRequest::new(Operation::Definition, id);
        request.include_context = false;
        let Ok(response) = execute_unlimited(db, cache, &request) else {
            continue;
        };
        if response.results.len() < 2 {
            continue;
        }
        let language = &id[..3];
        let results = response.results.iter();
        let others: Vec<String> = results
            .map(|result| format!("{language}{}", result.node.id))
            .collect();
        let has_redefinition = |at: usize, part: &str| {
            others.iter().any(|other| {
                let other = other.split('.').nth(at);
                let number = other.and_then(|other| other.strip_prefix(part));
                number.is_some_and(|number| number.starts_with('#'))
            })
        };
        let parts: Vec<String> = id
            .split('.')
            .enumerate()
            .map(|(at, part)| {
                if has_redefinition(at, part) {
                    format!("{part}#1")
                } else {
                    part.to_owned()
                }
            })
            .collect();
        written.insert(node.id, parts.join("."));
    }
    written
}

/// Queries `callers` and `references` of the plain ids of redefinitions.
pub(super) fn ask(sides: &mut Sides, db: &RootDb, cache: &RevisionCache) {
    let mut ids: Vec<String> = sides
        .redefinitions
        .iter()
        .map(|&id| plain(sides.names.text(id)))
        .collect();
    ids.sort();
    ids.dedup();
    for id in ids {
        for operation in [Operation::Callers, Operation::References] {
            let mut request = GraphRequest::new(operation, id.as_str());
            request.include_context = false;
            request.include_literal_calls = operation == Operation::Callers;
            let Ok(response) = execute_unlimited(db, cache, &request) else {
                continue;
            };
            let language = &id[..3];
            for result in &response.results {
                for site in &result.sites {
                    // If the operation accepts one redefinition only, its sites do not name it.
                    let targets = match &site.targets[..] {
                        [] => vec![format!("{language}{}", response.target)],
                        targets => targets
                            .iter()
                            .map(|id| {
                                if id.starts_with(language) {
                                    id.clone()
                                } else {
                                    format!("{language}{id}")
                                }
                            })
                            .collect(),
                    };
                    let from = super::exported::id_of(&mut sides.names, &result.node);
                    for target in targets {
                        let edge = Edge {
                            from,
                            to: sides.names.number(&target),
                            file: sides.names.number(&site.file),
                            line: site.line,
                            column: site.column,
                            how: sides.names.number(operation.wire_name()),
                        };
                        sides.of_redefinitions.list.push(edge);
                    }
                }
            }
        }
    }
}

impl Sides {
    /// Returns the edges from `callers` and `references` of each redefinition alone.
    pub(super) fn of_each_redefinition(&self) -> Edges {
        let mut edges = Edges::default();
        for (list, operation) in [
            (&self.callers, Operation::Callers),
            (&self.references, Operation::References),
        ] {
            let how = self.names.known(operation.wire_name()).unwrap_or(u32::MAX);
            let own = list.list.iter();
            let own = own.filter(|edge| self.redefinitions.contains(&edge.to));
            let own = own.filter(|edge| self.names.text(edge.how) != "name");
            edges.list.extend(own.map(|&edge| Edge { how, ..edge }));
        }
        edges.sort();
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_plain_id_has_no_redefinition_numbers() {
        assert_eq!(plain("py:m.C#2.x#3"), "py:m.C.x");
        assert_eq!(plain("py:m.<lambda>#2"), "py:m.<lambda>#2");
        assert_eq!(plain("go:a/b.F#2.T"), "go:a/b.F.T");
    }
}
