//! Collects the parameters of functions and lambdas.

use super::ScopeCollector;
use crate::NameId;
use crate::python::binders::target_names;
use crate::python::flat::FlatIndex;
use crate::python::ir::ParamKind;
use crate::python::kinds::{NodeField, PythonKind};

/// A parameter in the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::python) struct ParamSite {
    pub(in crate::python) name: NameId,
    pub(in crate::python) kind: ParamKind,
    /// The node of its name.
    pub(in crate::python) at: FlatIndex,
    pub(in crate::python) annotation: Option<FlatIndex>,
    pub(in crate::python) default: Option<FlatIndex>,
}

impl ScopeCollector<'_, '_> {
    /// Collects the parameters of the item declared last.
    pub(super) fn params(&mut self, at: FlatIndex) {
        let flat = self.flat;
        let mut kind = ParamKind::Normal;
        let Some(scope) = self.out.all.last_mut() else {
            return;
        };
        for part in flat.children(at) {
            let mut name = Some(part);
            let mut annotation = None;
            let mut default = None;
            match flat.kind(part) {
                PythonKind::PositionalSeparator => {
                    for before in &mut scope.params {
                        before.kind = ParamKind::PositionalOnly;
                    }
                    continue;
                }
                PythonKind::KeywordSeparator => {
                    kind = ParamKind::KeywordOnly;
                    continue;
                }
                PythonKind::TypedParameter => {
                    annotation = flat.field(part, NodeField::Type);
                    name = flat.children(part).next();
                }
                PythonKind::DefaultParameter | PythonKind::TypedDefaultParameter => {
                    annotation = flat.field(part, NodeField::Type);
                    default = flat.field(part, NodeField::Value);
                    name = flat.field(part, NodeField::Name);
                }
                PythonKind::Identifier
                | PythonKind::SplatPattern
                | PythonKind::DictSplatPattern => {}
                // Python 2 allows tuples as parameters.
                PythonKind::TuplePattern => {
                    let mut names = Vec::new();
                    target_names(flat, part, &mut names);
                    for name in names {
                        let text = self.words.of(flat, name);
                        let id = self.words.in_class(text, scope.class);
                        scope.bind(id, name);
                    }
                    continue;
                }
                _ => continue,
            }
            let Some(mut name) = name else { continue };
            let mut own = kind;
            if matches!(
                flat.kind(name),
                PythonKind::SplatPattern | PythonKind::DictSplatPattern
            ) {
                own = ParamKind::DoubleStar;
                if flat.kind(name) == PythonKind::SplatPattern {
                    own = ParamKind::Star;
                    kind = ParamKind::KeywordOnly;
                }
                match flat.first(name, PythonKind::Identifier) {
                    Some(inner) => name = inner,
                    None => continue,
                }
            }
            if flat.kind(name) != PythonKind::Identifier {
                continue;
            }
            let text = self.words.of(flat, name);
            let id = self.words.in_class(text, scope.class);
            scope.bind(id, name);
            scope.params.push(ParamSite {
                name: id,
                kind: own,
                at: name,
                annotation,
                default,
            });
        }
    }
}
