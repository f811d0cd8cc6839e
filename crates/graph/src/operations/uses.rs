//! `references` and `type_usages`.

use codeweft_db::{Found as Stands, Resolution, Role, Use};

use super::Found;
use crate::answer::GraphRequest;
use crate::completeness::{Openings, Speech};
use crate::link::{Link, Links, Spot};
use crate::question::Question;
use crate::targets::{LocalTarget, Target};

impl Question<'_> {
    /// Every use of the target, by the declaration around it.
    pub(super) fn references(&self, request: &GraphRequest, target: &Target) -> Found {
        let speech = Speech {
            one: "reference",
            many: "references",
            could: "could use it",
        };
        match &target.local {
            Some(local) => self.references_of_local(target, local, speech),
            None => self.used(request, target, |_| true, speech),
        }
    }

    /// The places where a type is written: its methods' receivers are none.
    pub(super) fn type_usages(&self, request: &GraphRequest, target: &Target) -> Found {
        self.used(
            request,
            target,
            |one| {
                matches!(
                    one.role,
                    Role::Embed
                        | Role::Parameter
                        | Role::Result
                        | Role::FieldType
                        | Role::VariableType
                        | Role::Literal
                        | Role::Conversion
                        | Role::Assertion
                        | Role::TypeArgument
                        | Role::Constraint
                        | Role::Base
                        | Role::Annotation
                )
            },
            Speech {
                one: "usage",
                many: "usages",
                could: "could use it",
            },
        )
    }

    fn used(
        &self,
        request: &GraphRequest,
        target: &Target,
        keep: impl Fn(&Use) -> bool + Sync,
        speech: Speech,
    ) -> Found {
        let mut links = Links::default();
        for &symbol in &target.symbols {
            for (around, one, file) in self.uses_of(symbol, &keep) {
                let shown = request.include_unresolved || one.resolution != Resolution::Name;
                if shown && target.file.is_none_or(|only| only == file) {
                    links.add(around, Link::of_use(file, &one));
                }
            }
        }
        let drafts = self.listed(links.finish());
        Found::list(drafts, self.open_users(&target.symbols), speech)
    }

    /// The uses of a local: the tokens of its name, inside the function, that are it.
    fn references_of_local(&self, target: &Target, local: &LocalTarget, speech: Speech) -> Found {
        let file = local.place.file;
        let mut links = Links::default();
        for &owner in &target.symbols {
            let Some(language) = self.language(owner) else {
                continue;
            };
            let span = language.place(self.db, owner).map(|place| place.span);
            let Some(span) = span else {
                continue;
            };
            let text = file.text(self.db);
            let body = text
                .get(span.start as usize..span.end as usize)
                .unwrap_or("");
            for (at, _) in body.match_indices(local.name.as_str()) {
                let offset = span.start + at as u32;
                if offset == local.place.name.start {
                    continue;
                }
                if let Some(Stands::Local { place, .. }) = language.at(self.db, file, offset)
                    && place == local.place
                {
                    links.add(
                        owner,
                        Link {
                            file,
                            spot: Spot::Offset(offset),
                            resolution: Resolution::Exact,
                            why: None,
                            in_literal: false,
                        },
                    );
                }
            }
        }
        let drafts = self.listed(links.finish());
        Found::list(drafts, Openings::default(), speech)
    }
}
