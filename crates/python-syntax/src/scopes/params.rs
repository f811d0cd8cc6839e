//! Collects the parameters of functions and lambdas.

use super::ScopeCollector;
use crate::binders::target_names;
use crate::flat::FlatIndex;
use crate::ir::ParamKind;
use crate::kinds::{NodeField, PythonKind};
use codeweft_syntax::NameId;

/// A parameter in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParamSite {
    pub(crate) name: NameId,
    pub(crate) kind: ParamKind,
    /// The node of its name.
    pub(crate) at: FlatIndex,
    pub(crate) annotation: Option<FlatIndex>,
    pub(crate) default: Option<FlatIndex>,
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
