//! The edges of `implements`.

use codeweft_db::{Coverage, Lang, NodeKind, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

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
            let (pairs, mut methods) = question.all_pairs(language.lang());
            let nominal = self.nominal_pairs(language.lang(), &mut edges, &mut methods);
            let outside = |one| question.is_external(one);
            let pairs = pairs.into_iter();
            for pair in pairs.filter(|pair| !(outside(pair.ty) && outside(pair.interface))) {
                edges.push(Edge {
                    receiver: (!nominal).then_some(pair.receiver),
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
            if !nominal {
                self.stood_for(language.lang(), &mut tests);
            }
            for ((method, of_interface), test) in tests {
                edges.push(Edge {
                    test,
                    ..Edge::new(method, of_interface, EdgeType::Implements)
                });
            }
        }
        let mut seen = FxHashSet::default();
        edges.retain(|edge| seen.insert((edge.from, edge.to, edge.type_args.clone())));
        edges
    }

    /// Adds what methods stand for beyond the pairs of types: methods of interface literals and of
    /// constraints, and what a type has through an interface that it embeds.
    fn stood_for(&self, lang: Lang, tests: &mut FxHashMap<(SymbolId, SymbolId), bool>) {
        let question = self.question;
        for &unit in question.units_of(lang).iter() {
            let symbols = question.symbols(unit);
            let methods = symbols
                .rows
                .iter()
                .filter(|row| row.kind == NodeKind::Method);
            for method in methods.map(|row| row.symbol) {
                for &stood in question.stands_for(method).iter() {
                    if question.is_external(method) && question.is_external(stood) {
                        continue;
                    }
                    tests
                        .entry((method, stood))
                        .or_insert_with(|| question.in_test(method) || question.in_test(stood));
                }
            }
        }
    }

    /// The interfaces among the bases of every class, and what their methods run in it. Whether
    /// the language is nominal.
    fn nominal_pairs(
        &self,
        lang: Lang,
        edges: &mut Vec<Edge>,
        methods: &mut Vec<(SymbolId, SymbolId, bool)>,
    ) -> bool {
        let question = self.question;
        let Some(classes) = question.classes(lang) else {
            return false;
        };
        let outside = |a, b| question.is_external(a) && question.is_external(b);
        let mut interfaces = FxHashSet::default();
        for class in classes.all() {
            let test = question.in_test(class);
            for base in classes.above(class).into_keys() {
                if question.kind(base) == NodeKind::Interface {
                    interfaces.insert(base);
                    if outside(class, base) {
                        continue;
                    }
                    edges.push(Edge {
                        test: test || question.in_test(base),
                        ..Edge::new(class, base, EdgeType::Implements)
                    });
                }
            }
        }
        for interface in interfaces {
            for method in question.methods_of(interface) {
                let test = question.in_test(method);
                let runs = question.overrides(method).into_keys();
                for run in runs.filter(|&run| !outside(run, method)) {
                    methods.push((run, method, test || question.in_test(run)));
                }
            }
        }
        true
    }
}
