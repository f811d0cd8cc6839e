//! Recording of uses, unresolved sites and the entity at a probed token.

use codeweft_db::{
    AbsentMember, LocalDecl, NONE, NameId, NodeKind, QualifiedName, Reason, Resolution, Role,
    SymbolId, UnresolvedSite, Use,
};
use codeweft_go_syntax::Tok;

use super::record::{Label, Probe, ProbeFound};
use super::recorders::UseRecorder;
use crate::symbols::imported;
use crate::types::Ty;
use crate::units::{PackageRef, package_symbol};

impl UseRecorder<'_, '_> {
    /// Records a use of a symbol at a token.
    pub(super) fn note(&mut self, tok: Tok, symbol: SymbolId, role: Role) {
        if let Some(declared) = self.scopes.field(symbol) {
            self.probe_local(tok, declared, false);
            return;
        }
        let in_literal = self.scopes.in_literal();
        let in_items = self.in_items;
        let Some(record) = &mut self.recording.record else {
            return;
        };
        if record.probe == Some(Probe { in_items, tok }) && record.found.is_none() {
            record.found = Some(ProbeFound::Symbol(symbol));
        }
        let (body, occ) = (record.body, tok.wrapping_sub(record.first));
        if role == Role::Value {
            record.escaped.push(symbol);
        }
        record.uses.push((
            symbol,
            Use {
                body,
                occ,
                role,
                resolution: Resolution::Exact,
                in_literal,
                direct: false,
            },
        ));
    }

    /// Reports to the probe that a token declares a symbol or names a package, which are no uses.
    pub(crate) fn probe_symbol(&mut self, tok: Tok, symbol: SymbolId) {
        let in_items = self.in_items;
        if let Some(record) = &mut self.recording.record
            && record.probe == Some(Probe { in_items, tok })
        {
            record.found = Some(ProbeFound::Symbol(symbol));
        }
    }

    /// Records that a token names a package, if qualified names are wanted, and reports it to the probe.
    pub(super) fn note_package(&mut self, tok: Tok, package: PackageRef) {
        if let Some(record) = &mut self.recording.record
            && let Some(qualified) = &mut record.qualified
            && let Some(symbol) = imported(self.cx.db, package)
        {
            qualified.push(QualifiedName {
                body: record.body,
                occ: tok.wrapping_sub(record.first),
                package: symbol,
                member: None,
            });
        }
        let record = self.recording.record.as_ref();
        if record.is_some_and(|record| record.probe.is_some())
            && let PackageRef::Loaded(unit, _) = package
        {
            self.probe_symbol(tok, package_symbol(self.cx.db, unit));
        }
    }

    /// Records the name behind that of a package that is not loaded, which was noted last.
    pub(super) fn note_absent_member(&mut self, tok: Tok, role: Role) {
        let in_literal = self.scopes.in_literal();
        let name = self.code.name(tok);
        if let Some(record) = &mut self.recording.record
            && let Some(last) = record.qualified.as_mut().and_then(|all| all.last_mut())
        {
            last.member = Some(AbsentMember {
                name,
                occ: tok.wrapping_sub(record.first),
                role,
                in_literal,
            });
        }
    }

    /// Reports to the probe that a token declares a local.
    pub(super) fn probe_declared_local(&mut self, tok: Tok) {
        self.probe_local(tok, tok, self.in_items);
    }

    /// Reports to the probe that `tok` names the local, or the field of a struct literal, declared
    /// at `declared`.
    pub(super) fn probe_local(&mut self, tok: Tok, declared: Tok, declared_in_items: bool) {
        let in_items = self.in_items;
        let in_literal = self.scopes.in_literal();
        let Some(record) = &mut self.recording.record else {
            return;
        };
        let here = Probe { in_items, tok };
        let declaration = Probe {
            in_items: declared_in_items,
            tok: declared,
        };
        if record.probe == Some(here) && record.found.is_none() {
            record.found = Some(ProbeFound::Local {
                in_items: declared_in_items,
                tok: declared,
            });
        }
        if record.declared == Some(declaration) && here != declaration {
            record.local_uses.push((here, in_literal));
        }
    }

    /// Reports to the probe that a token declares a label or branches to it.
    pub(super) fn probe_label(&mut self, tok: Tok, declares: bool) {
        let (name, literal) = (self.code.name(tok), self.scopes.literal);
        if let Some(record) = &mut self.recording.record
            && (record.probe.is_some() || record.declared.is_some())
        {
            record.labels.push(Label {
                body: record.body,
                literal,
                name,
                tok,
                declares,
            });
        }
    }

    /// Records a call whose target is unknown.
    pub(super) fn note_unresolved(
        &mut self,
        tok: Tok,
        name: NameId,
        arguments: Option<usize>,
        reason: Reason,
        absent: Option<NameId>,
        signature: Option<Ty>,
    ) {
        let Some(record) = &mut self.recording.record else {
            return;
        };
        record.unresolved.push(UnresolvedSite {
            name,
            body: record.body,
            occ: tok.wrapping_sub(record.first),
            arguments: arguments.map_or(UnresolvedSite::ANY_COUNT, |count| count.min(200) as u8),
            keywords: None,
            reason,
            absent,
            signature: signature.map_or(NONE, Ty::number),
        });
    }

    /// Attaches the last unresolved site to a local variable: it counts only if something other
    /// than function literals is ever assigned to the variable.
    pub(super) fn defer_unresolved(&mut self, closure: u32) {
        if let Some(record) = &mut self.recording.record
            && let Some(site) = record.unresolved.pop()
        {
            record.closure_calls.push((closure, site));
        }
    }

    /// Ends a body: calls of locals that hold only function literals need no target.
    pub(crate) fn finish_closures(&mut self) {
        if let Some(record) = &mut self.recording.record {
            for (closure, site) in std::mem::take(&mut record.closure_calls) {
                if !self.scopes.holds_literals(closure) {
                    record.unresolved.push(site);
                }
            }
        }
    }

    /// Records a use outside any expression: the base type of a receiver.
    pub(crate) fn note_use(&mut self, tok: Tok, symbol: SymbolId, role: Role) {
        self.note(tok, symbol, role);
    }

    /// Reports to the probe that a token declares a symbol.
    pub(super) fn note_declared(&mut self, tok: Tok, symbol: SymbolId) {
        if self.scopes.field(symbol).is_some() {
            self.probe_declared_local(tok);
            return;
        }
        self.probe_symbol(tok, symbol);
    }

    /// Records a type, field or method that a body declares.
    pub(super) fn declared_in_body(&mut self, tok: Tok, symbol: SymbolId, kind: NodeKind) {
        if let Some(record) = &mut self.recording.record {
            record.locals.push(LocalDecl {
                symbol,
                kind,
                body: record.body,
                occ: tok.wrapping_sub(record.first),
            });
        }
    }
}
