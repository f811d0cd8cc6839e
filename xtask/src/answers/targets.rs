//! Drawing of the targets of questions: nodes, calls, paths, and the written forms of a target.

use super::graph::{Call, Graph, Node, Place};
use super::library::Library;
use super::random::Random;

/// Draws from the graph of a library.
pub struct Targets<'a> {
    pub library: Library,
    pub graph: &'a Graph,
    pub random: Random,
}

impl<'a> Targets<'a> {
    /// Returns a node of one of these kinds, or of any kind if none is named. Two of three are
    /// drawn as targets of calls, so that nodes with many callers are frequent and unused nodes of
    /// tests are rare.
    pub fn node(&mut self, kinds: &[&str]) -> &'a Node {
        let nodes = &self.graph.nodes;
        // Kinds may be rare; after this number of draws any node is taken.
        for _ in 0..2_000 {
            let node = if self.random.one_in(3) {
                self.random.one(nodes)
            } else {
                self.call().map(|call| &nodes[call.to])
            };
            if let Some(node) = node
                && (!node.file.contains("test") || self.random.one_in(4))
                && (kinds.is_empty() || kinds.contains(&node.kind.as_str()))
            {
                return node;
            }
        }
        // A graph that was read has nodes.
        &nodes[self.random.below(nodes.len())]
    }

    /// Returns a call.
    pub fn call(&mut self) -> Option<&'a Call> {
        self.random.one(&self.graph.calls)
    }

    /// Returns two nodes: mostly the second is reachable from the first by up to five calls, else
    /// both are drawn independently and there may be no path.
    pub fn ends(&mut self) -> (&'a Node, &'a Node) {
        let nodes = &self.graph.nodes;
        let (Some(call), false) = (self.call(), self.random.one_in(5)) else {
            let functions = ["function", "method"];
            return (self.node(&functions), self.node(&functions));
        };
        let mut to = call.to;
        for _ in 0..self.random.below(5) {
            match self.random.one(self.graph.leaving(to)) {
                Some(next) if next.to != call.from => to = next.to,
                _ => break,
            }
        }
        (&nodes[call.from], &nodes[to])
    }

    /// Returns a written form of a node as a target: mostly its id, else the end of one, a
    /// position, a pattern, a file, or an id with a typo.
    pub fn written(&mut self, node: &Node) -> String {
        match self.random.below(24) {
            0..=2 => ending(&node.id),
            3..=5 => format!("{}:{}:{}", node.file, node.name_line, node.name_column),
            6 | 7 => format!("{}:{}", node.file, node.start_line),
            8 => format!("*{}", rare_ending(&node.id)),
            9 => format!("%{}%", rare_ending(&node.id)),
            10 => node.file.clone(),
            11 => format!("{}{}", self.library.id_prefix(), node.id),
            12 => misspelled(&node.id),
            _ => node.id.clone(),
        }
    }

    /// Returns a filter by path: a folder, a pattern or a file.
    pub fn filter(&mut self) -> String {
        let file = self.node(&[]).file.clone();
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let first = file.split('/').next().unwrap_or_default();
        match self.random.below(6) {
            0 if !folder.is_empty() => folder.to_owned(),
            1 if !folder.is_empty() => format!("{folder}/*"),
            2 => "%test%".to_owned(),
            3 => file,
            4 => "*e*".to_owned(),
            _ => first.to_owned(),
        }
    }

    /// Returns a position in a file: of a declaration or a call. Lines and columns are 1-based.
    pub fn place(&mut self, kinds: &[&str]) -> Place {
        let call = if self.random.one_in(3) {
            self.call()
        } else {
            None
        };
        match call {
            Some(call) => call.at.clone(),
            None => {
                let node = self.node(kinds);
                Place {
                    file: node.file.clone(),
                    line: node.name_line,
                    column: node.name_column,
                }
            }
        }
    }
}

/// Returns the last two names of an id.
fn ending(id: &str) -> String {
    let mut cuts = id.rmatch_indices(['.', '/']);
    match cuts.nth(1) {
        Some((at, _)) => id[at + 1..].to_owned(),
        None => id.to_owned(),
    }
}

/// Returns the end of an id that few others have: a pattern of hundreds of nodes takes as long as a
/// query may, so that its answer would depend on the machine.
fn rare_ending(id: &str) -> String {
    let ending = ending(id);
    if ending.len() < 8 || ending.contains("<locals>") {
        id.to_owned()
    } else {
        ending
    }
}

/// Returns the id without its middle character.
fn misspelled(id: &str) -> String {
    let middle = id.chars().count() / 2;
    let kept = id.chars().enumerate().filter(|(at, _)| *at != middle);
    kept.map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use crate::answers::graph::small;

    use super::*;

    #[test]
    fn an_ending_has_two_names_and_a_mistake_lacks_a_character() {
        assert_eq!(ending("net/http.Server.Serve"), "Server.Serve");
        assert_eq!(ending("p.f"), "p.f");
        assert_eq!(rare_ending("m.C.__init__"), "C.__init__");
        assert_eq!(rare_ending("m.g.<locals>.f"), "m.g.<locals>.f");
        assert_eq!(
            misspelled("p.größe"),
            "p.gröe".replace("öe", "öße").replace('r', "")
        );
    }

    #[test]
    fn nodes_have_the_requested_kinds() {
        let graph = small();
        let mut targets = Targets {
            library: Library::Go,
            graph: &graph,
            random: Random::new(3),
        };
        for _ in 0..20 {
            assert_eq!(targets.node(&["method"]).id, "p.T.m");
            let (from, _) = targets.ends();
            assert!(!from.id.is_empty());
        }
        assert!(!targets.node(&["none of these"]).id.is_empty());
    }
}
