//! The parameters of functions and lambdas as they stand in the text.

use super::Pass;
use crate::NameId;
use crate::python::binders::target_names;
use crate::python::flat::At;
use crate::python::ir::ParamKind;
use crate::python::kinds::{Field, Kind};

/// A parameter as it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::python) struct ParamSite {
    pub(in crate::python) name: NameId,
    pub(in crate::python) kind: ParamKind,
    /// Its name.
    pub(in crate::python) at: At,
    pub(in crate::python) annotation: Option<At>,
    pub(in crate::python) default: Option<At>,
}

impl Pass<'_, '_> {
    /// The parameters of the item declared last.
    pub(super) fn params(&mut self, at: At) {
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
                Kind::PositionalSeparator => {
                    for before in &mut scope.params {
                        before.kind = ParamKind::PositionalOnly;
                    }
                    continue;
                }
                Kind::KeywordSeparator => {
                    kind = ParamKind::KeywordOnly;
                    continue;
                }
                Kind::TypedParameter => {
                    annotation = flat.field(part, Field::Type);
                    name = flat.children(part).next();
                }
                Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                    annotation = flat.field(part, Field::Type);
                    default = flat.field(part, Field::Value);
                    name = flat.field(part, Field::Name);
                }
                Kind::Identifier | Kind::SplatPattern | Kind::DictSplatPattern => {}
                // Python 2 unpacks parameters.
                Kind::TuplePattern => {
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
            if matches!(flat.kind(name), Kind::SplatPattern | Kind::DictSplatPattern) {
                own = ParamKind::DoubleStar;
                if flat.kind(name) == Kind::SplatPattern {
                    own = ParamKind::Star;
                    kind = ParamKind::KeywordOnly;
                }
                match flat.first(name, Kind::Identifier) {
                    Some(inner) => name = inner,
                    None => continue,
                }
            }
            if flat.kind(name) != Kind::Identifier {
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
