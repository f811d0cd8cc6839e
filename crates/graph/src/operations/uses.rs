//! `references` and `type_usages`.

use codeweft_db::{File, NodeKind, Resolution, Role, SymbolId, Use};
use rustc_hash::FxHashSet;

use super::OperationResult;
use super::calls::retain_sites;
use crate::answer::GraphRequest;
use crate::completeness::UnresolvedSites;
use crate::link::{Link, Links, SiteKey};
use crate::query_context::QueryContext;
use crate::targets::{LocalTarget, Target};
use crate::targets_of_sites::TargetsOfSites;
use crate::verdict::AnswerNouns;

impl QueryContext<'_> {
    /// Every use of the target, by the declaration around it; of a package its imports.
    pub(super) fn references(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        let speech = match target.file {
            None => AnswerNouns {
                one: "reference",
                many: "references",
                could: "could use it",
            },
            Some(_) => AnswerNouns {
                one: "reference from outside the file",
                many: "references from outside the file",
                could: "could use what it declares",
            },
        };
        if let Some(local) = &target.local {
            return self.references_of_local(target, local, speech);
        }
        let mut links = Links::default();
        let mut aims = TargetsOfSites::among(&target.symbols);
        for &symbol in &target.symbols {
            let mut own = Links::default();
            if request.include_unresolved {
                for (caller, file, site) in self.calls_by_name(symbol, false) {
                    let (kind, link) = (Some("call"), Link::of_open(file, &site));
                    own.add(caller, Link { kind, ..link });
                }
            }
            self.add_imports(&mut own, symbol);
            let mut own = own.finish();
            if let Some(file) = target.file {
                retain_sites(&mut own, |link| link.file != file);
            }
            aims.note(symbol, &own);
            for (around, own) in own {
                own.into_iter().for_each(|link| links.add(around, link));
            }
        }
        self.used(request, target, |_| true, use_kind, (links, aims), speech)
    }

    /// Every resolved use of a symbol, by the declaration around it; of a package its imports.
    pub(crate) fn references_of(&self, symbol: SymbolId) -> Vec<(SymbolId, Vec<Link>)> {
        let mut links = Links::default();
        self.add_imports(&mut links, symbol);
        for (around, one, file) in told(self.uses_of(symbol, is_resolved)) {
            if !self.is_told(&links, symbol, &one, file) {
                links.add(around, Link::of_use(file, &one));
            }
        }
        links.finish()
    }

    /// The import statements of a package.
    fn add_imports(&self, links: &mut Links, symbol: SymbolId) {
        if self.kind(symbol) == NodeKind::Package {
            for (importer, link) in self.importers_of_package(symbol) {
                let kind = Some("import");
                links.add(importer, Link { kind, ..link });
            }
        }
    }

    /// Whether a use is the name in an import statement that stands among the links already.
    fn is_told(&self, links: &Links, symbol: SymbolId, one: &Use, file: File) -> bool {
        let Some(language) = self.language(symbol).filter(|_| one.role == Role::Import) else {
            return false;
        };
        let at = Link::of_use(file, one).offset(self.db, language);
        at.is_some_and(|at| links.has_import_at(self.db, file, at))
    }

    /// The places where a type is written: its methods' receivers are none.
    pub(super) fn type_usages(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        self.used(
            request,
            target,
            |one| is_type_usage(one.role),
            type_usage_kind,
            (Links::default(), TargetsOfSites::among(&target.symbols)),
            match target.file {
                None => AnswerNouns {
                    one: "usage",
                    many: "usages",
                    could: "could use it",
                },
                Some(_) => AnswerNouns {
                    one: "usage from outside the file",
                    many: "usages from outside the file",
                    could: "could use what it declares",
                },
            },
        )
    }

    fn used(
        &self,
        request: &GraphRequest,
        target: &Target,
        keep: impl Fn(&Use) -> bool + Sync,
        kind: impl Fn(Role) -> Option<&'static str>,
        (mut links, mut aims): (Links, TargetsOfSites),
        speech: AnswerNouns,
    ) -> OperationResult {
        for &symbol in &target.symbols {
            for (around, one, file) in told(self.uses_of(symbol, &keep)) {
                let shown = request.include_unresolved || is_resolved(&one);
                let shown = shown && !self.is_told(&links, symbol, &one, file);
                if shown && target.file.is_none_or(|own| own != file) {
                    let kind = kind(one.role);
                    let link = Link::of_use(file, &one);
                    aims.note_link(symbol, around, &link);
                    links.add(around, Link { kind, ..link });
                }
            }
        }
        let drafts = self.listed(links.finish());
        OperationResult {
            aims,
            ..OperationResult::list(drafts, self.possible_users(&target.symbols), speech)
        }
    }

    /// The uses of a local, by the declaration around it.
    fn references_of_local(
        &self,
        target: &Target,
        local: &LocalTarget,
        speech: AnswerNouns,
    ) -> OperationResult {
        let file = local.place.file;
        let mut links = Links::default();
        for &owner in &target.symbols {
            let Some(language) = self.language(owner) else {
                continue;
            };
            for one in language.local_uses(self.db, &local.place) {
                let link = Link::plain(file, SiteKey::Offset(one.offset));
                let in_literal = one.in_literal;
                links.add(owner, Link { in_literal, ..link });
            }
        }
        let drafts = self.listed(links.finish());
        OperationResult::list(drafts, UnresolvedSites::default(), speech)
    }
}

/// The uses of a symbol without those of a name that is read to be called: that is a call, and no
/// other use of the same.
fn told(mut uses: Vec<(SymbolId, Use, File)>) -> Vec<(SymbolId, Use, File)> {
    let called = uses.iter().filter(|(_, one, _)| one.role.is_call());
    let called: FxHashSet<(File, u32, u32)> = called
        .map(|(_, one, file)| (*file, one.body, one.occ))
        .collect();
    uses.retain(|(_, one, file)| {
        one.role.is_call() || !called.contains(&(*file, one.body, one.occ))
    });
    uses
}

/// Whether a use was not chosen by name and arity alone.
pub(crate) fn is_resolved(one: &Use) -> bool {
    one.resolution != Resolution::Name
}

/// Whether a type is written where a use has this role: its methods' receivers are none.
pub(super) fn is_type_usage(role: Role) -> bool {
    type_usage_kind(role).is_some()
}

/// What a use does, as `references` tells it.
fn use_kind(role: Role) -> Option<&'static str> {
    match role {
        Role::Import => Some("import"),
        other => reference_kind(other).or(Some("call")),
    }
}

/// What a use that is no call does, as edges of `references` say it.
pub(crate) fn reference_kind(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Call | Role::Go | Role::Defer | Role::Import => return None,
        Role::Read | Role::Address => "read",
        Role::Write | Role::ReadWrite => "write",
        Role::Value => "value",
        Role::Key => "key",
        Role::Embed => "embed",
        Role::Receiver => "type",
        other => return is_type_usage(other).then_some("type"),
    })
}

/// Where a type is written, as `type_usages` tells it; `None` where it is not.
fn type_usage_kind(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Parameter => "parameter",
        Role::Result => "return",
        Role::FieldType => "field",
        Role::VariableType => "variable",
        Role::Literal => "literal",
        Role::Conversion => "conversion",
        Role::Assertion => "assertion",
        Role::Embed => "embed",
        Role::TypeArgument => "type_argument",
        Role::Constraint => "constraint",
        Role::Base => "base",
        Role::Annotation => "annotation",
        _ => return None,
    })
}
