//! The results that a walk collects: uses, unresolved sites, and the entity at a probed token.

use codeweft_db::{
    Conversion, LocalDecl, NONE, NameId, Reason, Resolution, Role, SymbolId, UnresolvedSite, Use,
};
use codeweft_go_syntax::Tok;

use super::Typer;
use super::flows::FlowRecord;
use crate::types::Ty;

/// A token whose meaning is requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Whether the token is one of the items' code, not of the bodies'.
    pub in_items: bool,
    /// The token.
    pub tok: Tok,
}

/// The entity at a probed token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeFound {
    /// A symbol.
    Symbol(SymbolId),
    /// A name of the function's blocks, declared at this token.
    Local {
        /// Whether the token is one of the items' code.
        in_items: bool,
        /// The token.
        tok: Tok,
    },
}

/// An occurrence of a label: its declaration, or a branch to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label {
    body: u32,
    /// The enclosing function literal: a label belongs to one function (Go spec, Label scopes).
    literal: Option<u32>,
    name: NameId,
    tok: Tok,
    declares: bool,
}

impl Label {
    /// Returns whether both occurrences denote the same label.
    fn means(&self, other: &Label) -> bool {
        (self.body, self.literal, self.name) == (other.body, other.literal, other.name)
    }
}

/// The uses of a part of a file as they are found.
#[derive(Default)]
pub struct UseRecord {
    /// Targets with their uses.
    pub uses: Vec<(SymbolId, Use)>,
    /// Calls without a known target.
    pub unresolved: Vec<UnresolvedSite>,
    /// Functions and methods used as values.
    pub escaped: Vec<SymbolId>,
    /// Values converted to interface types.
    pub conversions: Vec<Conversion>,
    /// The value flow.
    pub flows: FlowRecord,
    /// Types declared in bodies.
    pub locals: Vec<LocalDecl>,
    /// The number of the current body or item, see [`Use::body`].
    pub body: u32,
    /// The first token of the body, from which `occ` counts.
    pub first: Tok,
    /// The token whose meaning is requested.
    pub probe: Option<Probe>,
    /// Its meaning.
    pub found: Option<ProbeFound>,
    /// The declaration of a local whose uses are requested.
    pub declared: Option<Probe>,
    /// Those uses, each with whether it is inside a function literal.
    pub local_uses: Vec<(Probe, bool)>,
    /// The labels of the bodies walked so far, if a probe is set.
    labels: Vec<Label>,
    /// Calls of local variables that have held only function literals so far, by their closure.
    closure_calls: Vec<(u32, UnresolvedSite)>,
}

impl UseRecord {
    /// Returns an empty record that probes a token.
    pub fn of_token(probe: Probe) -> UseRecord {
        UseRecord {
            probe: Some(probe),
            ..UseRecord::default()
        }
    }

    /// Returns an empty record that collects the uses of a local by its declaration.
    pub fn of_local(declared: Probe) -> UseRecord {
        UseRecord {
            declared: Some(declared),
            ..UseRecord::default()
        }
    }

    /// Returns whether value flow is recorded: for a whole part, not for a probe.
    pub(super) fn follows(&self) -> bool {
        self.probe.is_none() && self.declared.is_none()
    }

    /// Returns the label at a probed token.
    fn label_at(&self, probe: Option<Probe>) -> Option<&Label> {
        let probe = probe.filter(|probe| !probe.in_items)?;
        self.labels.iter().find(|label| label.tok == probe.tok)
    }

    /// Resolves labels at the end of a walk, because a branch may precede its label.
    pub fn resolve_labels(&mut self) {
        if let Some(label) = self.label_at(self.probe) {
            let mut declarations = self.labels.iter().filter(|one| one.declares);
            self.found = declarations
                .find(|one| one.means(label))
                .map(|one| ProbeFound::Local {
                    in_items: false,
                    tok: one.tok,
                });
        }
        if let Some(label) = self.label_at(self.declared) {
            let uses = self
                .labels
                .iter()
                .filter(|one| !one.declares && one.means(label));
            let uses = uses.map(|one| {
                let tok = one.tok;
                (
                    Probe {
                        in_items: false,
                        tok,
                    },
                    one.literal.is_some(),
                )
            });
            self.local_uses = uses.collect();
        }
    }
}

impl Typer<'_> {
    /// Records a use of a symbol at a token.
    pub(super) fn note(&mut self, tok: Tok, symbol: SymbolId, role: Role) {
        if !self.local_fields.is_empty()
            && let Some(&declared) = self.local_fields.get(&symbol)
        {
            self.probe_local(tok, self.in_items, declared, false);
            return;
        }
        let in_literal = self.literal_depth > 0;
        let in_items = self.in_items;
        let Some(record) = &mut self.record else {
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
        if let Some(record) = &mut self.record
            && record.probe == Some(Probe { in_items, tok })
        {
            record.found = Some(ProbeFound::Symbol(symbol));
        }
    }

    /// Reports to the probe that `tok` names the local, or the field of a struct literal, declared
    /// at `declared`.
    pub(super) fn probe_local(
        &mut self,
        tok: Tok,
        in_items: bool,
        declared: Tok,
        declared_in_items: bool,
    ) {
        let in_literal = self.literal_depth > 0;
        let Some(record) = &mut self.record else {
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
        let (name, literal) = (self.code.name(tok), self.literal);
        if let Some(record) = &mut self.record
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
        let Some(record) = &mut self.record else {
            return;
        };
        record.unresolved.push(UnresolvedSite {
            name,
            body: record.body,
            occ: tok.wrapping_sub(record.first),
            arguments: arguments.map_or(UnresolvedSite::ANY_COUNT, |count| count.min(200) as u8),
            reason,
            absent,
            signature: signature.map_or(NONE, Ty::number),
        });
    }

    /// Attaches the last unresolved site to a local variable: it counts only if something other
    /// than function literals is ever assigned to the variable.
    pub(super) fn defer_unresolved(&mut self, closure: u32) {
        if let Some(record) = &mut self.record
            && let Some(site) = record.unresolved.pop()
        {
            record.closure_calls.push((closure, site));
        }
    }

    /// Ends a body: calls of locals that hold only function literals need no target.
    pub(crate) fn finish_closures(&mut self) {
        if let Some(record) = &mut self.record {
            for (closure, site) in std::mem::take(&mut record.closure_calls) {
                if !self
                    .closures
                    .get(closure as usize)
                    .copied()
                    .unwrap_or(false)
                {
                    record.unresolved.push(site);
                }
            }
        }
    }

    /// Sets the body or item of the following uses, and its first token.
    pub(crate) fn set_body(&mut self, body: u32, first: Tok) {
        if let Some(record) = &mut self.record {
            record.body = body;
            record.first = first;
        }
    }

    /// Records a use outside any expression: the base type of a receiver.
    pub(crate) fn note_use(&mut self, tok: Tok, symbol: SymbolId, role: Role) {
        self.note(tok, symbol, role);
    }
}
