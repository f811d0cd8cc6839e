//! The edges of `implements`.

use codeweft_db::{Coverage, SymbolId};
use rustc_hash::FxHashMap;

use super::edges::Edge;
use super::{EdgeType, Export};

impl Export<'_, '_> {
    /// Every pair of type and interface, and of their methods, that touches the workspace.
    pub(super) fn all_pairs(&self) -> Vec<Edge> {
        let question = self.question;
        let mut edges = Vec::new();
        for language in question.languages.0 {
            if language.coverage() != Coverage::Whole {
                continue;
            }
            let (pairs, methods) = question.all_pairs(language.lang());
            for pair in pairs {
                edges.push(Edge {
                    receiver: Some(pair.receiver),
                    type_args: pair.type_args,
                    test: pair.test,
                    ..Edge::new(pair.ty, pair.interface, EdgeType::Implements)
                });
            }
            // A pair of methods is a test's only where every pair of types that makes it is.
            let mut tests: FxHashMap<(SymbolId, SymbolId), bool> = FxHashMap::default();
            for (method, of_interface, test) in methods {
                let known = tests.entry((method, of_interface)).or_insert(true);
                *known &= test;
            }
            for ((method, of_interface), test) in tests {
                edges.push(Edge {
                    test,
                    ..Edge::new(method, of_interface, EdgeType::Implements)
                });
            }
        }
        edges.retain(|edge| !question.is_external(edge.from) || !question.is_external(edge.to));
        edges
    }
}
