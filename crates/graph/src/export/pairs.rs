//! The `implements` edges.

use crate::symbols;
use crate::type_graph;
use codeweft_db::{Lang, NodeKind, Origin, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::ExportEdge;
use super::{EdgeType, ExportContext};

impl ExportContext<'_, '_> {
    /// Returns every pair of type and interface, and of their methods, that touches the workspace.
    pub(super) fn all_pairs(&self) -> Vec<ExportEdge> {
        let query = self.query;
        let mut edges = Vec::new();
        for language in query.languages.0 {
            let (pairs, mut methods) = type_graph::all_pairs(query, language.lang());
            self.class_pairs(language.lang(), &mut edges, &mut methods);
            let outside = |one| symbols::is_external(query, one);
            let pairs = pairs.into_iter();
            for pair in pairs.filter(|pair| !(outside(pair.ty) && outside(pair.interface))) {
                edges.push(ExportEdge {
                    receiver: (!symbols::is_class(query, pair.ty)).then_some(pair.receiver),
                    type_args: pair.type_args,
                    test: pair.test,
                    ..ExportEdge::new(pair.ty, pair.interface, EdgeType::Implements)
                });
            }
            // A pair of methods is a test's only if all pairs of types behind it are.
            let mut tests: FxHashMap<(SymbolId, SymbolId), bool> = FxHashMap::default();
            for (method, of_interface, test) in methods {
                let known = tests.entry((method, of_interface)).or_insert(true);
                *known &= test;
            }
            for (method, of_interface) in self.method_pairs(language.lang()) {
                let test =
                    || symbols::in_test(query, method) || symbols::in_test(query, of_interface);
                tests.entry((method, of_interface)).or_insert_with(test);
            }
            for ((method, of_interface), test) in tests {
                edges.push(ExportEdge {
                    test,
                    ..ExportEdge::new(method, of_interface, EdgeType::Implements)
                });
            }
        }
        let mut seen = FxHashSet::default();
        edges.retain(|edge| seen.insert((edge.from, edge.to, edge.type_args.clone())));
        edges
    }

    /// Returns every method of the workspace with the interface methods it implements, and every
    /// interface method of the workspace with its implementations, as `implements` and
    /// `implementations` list them; interface literals included.
    fn method_pairs(&self, lang: Lang) -> Vec<(SymbolId, SymbolId)> {
        let query = self.query;
        let mut pairs = Vec::new();
        let units = query.units.of_lang(lang);
        let own = units.iter().copied();
        let own: Vec<_> = own
            .filter(|unit| unit.origin(query.db) == Origin::Workspace)
            .collect();
        for method in super::declared_by(query, &own) {
            if query.kind(method) != NodeKind::Method {
                continue;
            }
            // The pairs of classes come with their bases; here only methods of protocols are left.
            let of_class = symbols::is_of_class(query, method);
            let source = if of_class {
                type_graph::dispatched_from(query, method).to_vec()
            } else {
                type_graph::implemented_methods(query, method)
            };
            let source = source.into_iter();
            let of_interfaces = source.filter(|&one| symbols::is_interface_method(query, one));
            pairs.extend(of_interfaces.map(|one| (method, one)));
            if symbols::is_interface_method(query, method) {
                let dispatch_targets = if of_class {
                    type_graph::dispatch_targets(query, method).to_vec()
                } else {
                    type_graph::implementing_methods(query, method)
                };
                pairs.extend(dispatch_targets.into_iter().map(|run| (run, method)));
            }
        }
        pairs
    }

    /// Adds the interfaces among the bases of every class, and the overrides of their methods.
    fn class_pairs(
        &self,
        lang: Lang,
        edges: &mut Vec<ExportEdge>,
        methods: &mut Vec<(SymbolId, SymbolId, bool)>,
    ) {
        let query = self.query;
        let classes = type_graph::classes(query, lang);
        let outside = |a, b| symbols::is_external(query, a) && symbols::is_external(query, b);
        let mut interfaces = FxHashSet::default();
        for class in classes.all() {
            let test = symbols::in_test(query, class);
            for base in classes.all_bases(class).into_keys() {
                if query.kind(base) == NodeKind::Interface {
                    interfaces.insert(base);
                    if outside(class, base) {
                        continue;
                    }
                    edges.push(ExportEdge {
                        test: test || symbols::in_test(query, base),
                        ..ExportEdge::new(class, base, EdgeType::Implements)
                    });
                }
            }
        }
        for interface in interfaces {
            for method in symbols::methods_of(query, interface) {
                let test = symbols::in_test(query, method);
                let targets = type_graph::overrides(query, method).into_keys();
                for run in targets.filter(|&run| !outside(run, method)) {
                    methods.push((run, method, test || symbols::in_test(query, run)));
                }
            }
        }
    }
}
