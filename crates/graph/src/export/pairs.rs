//! The edges of `implements`.

use codeweft_db::{Coverage, Lang, NodeKind, Origin, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::ExportEdge;
use super::{EdgeType, ExportContext};

impl ExportContext<'_, '_> {
    /// Every pair of type and interface, and of their methods, that touches the workspace.
    pub(super) fn all_pairs(&self) -> Vec<ExportEdge> {
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
                edges.push(ExportEdge {
                    receiver: (!nominal).then_some(pair.receiver),
                    type_args: pair.type_args,
                    test: pair.test,
                    ..ExportEdge::new(pair.ty, pair.interface, EdgeType::Implements)
                });
            }
            // A pair of methods is a test's only where every pair of types that makes it is.
            let mut tests: FxHashMap<(SymbolId, SymbolId), bool> = FxHashMap::default();
            for (method, of_interface, test) in methods {
                let known = tests.entry((method, of_interface)).or_insert(true);
                *known &= test;
            }
            for (method, of_interface) in self.method_pairs(language.lang()) {
                let test = || question.in_test(method) || question.in_test(of_interface);
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

    /// Every method that implements an interface's, where one of the two is the workspace's: as
    /// `implementations` and `implements` tell them, those of interface literals too.
    fn method_pairs(&self, lang: Lang) -> Vec<(SymbolId, SymbolId)> {
        let question = self.question;
        let mut pairs = Vec::new();
        let units = question.units_of(lang);
        let own = units.iter().copied();
        let own: Vec<_> = own
            .filter(|unit| unit.origin(question.db) == Origin::Workspace)
            .collect();
        for method in question.declared_by(&own) {
            if question.kind(method) != NodeKind::Method {
                continue;
            }
            // Of classes the pairs are told with their bases, but for what protocols run.
            let is_nominal = question.classes_of(method).is_some();
            let stood = match is_nominal {
                true => question.stands_for(method).to_vec(),
                false => question.implemented_by(method),
            };
            let stood = stood.into_iter();
            let of_interfaces = stood.filter(|&one| question.is_interface_method(one));
            pairs.extend(of_interfaces.map(|one| (method, one)));
            if question.is_interface_method(method) {
                let runs = match is_nominal {
                    true => question.runs(method).to_vec(),
                    false => question.implementing(method),
                };
                pairs.extend(runs.into_iter().map(|run| (run, method)));
            }
        }
        pairs
    }

    /// The interfaces among the bases of every class, and what their methods run in it. Whether
    /// the language is nominal.
    fn nominal_pairs(
        &self,
        lang: Lang,
        edges: &mut Vec<ExportEdge>,
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
                    edges.push(ExportEdge {
                        test: test || question.in_test(base),
                        ..ExportEdge::new(class, base, EdgeType::Implements)
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
