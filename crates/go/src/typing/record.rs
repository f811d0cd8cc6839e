//! What a walk keeps: uses, open sites, and what stands at one token.

use codeweft_db::{
    Conversion, LocalDecl, NONE, NameId, Reason, Resolution, Role, SymbolId, UnresolvedSite, Use,
};
use codeweft_syntax::go::Tok;

use super::Typer;
use super::flows::FlowRecord;
use crate::types::Ty;

/// A token that somebody asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// A token of the items' code, not of the bodies'.
    pub in_items: bool,
    /// The token.
    pub tok: Tok,
}

/// What stands at the probe.
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

/// A label at a place: its declaration, or a branch to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label {
    body: u32,
    /// The function literal around it: a label belongs to one function (Go spec, Label scopes).
    literal: Option<u32>,
    name: NameId,
    tok: Tok,
    declares: bool,
}

impl Label {
    /// Whether both are the same label.
    fn means(&self, other: &Label) -> bool {
        (self.body, self.literal, self.name) == (other.body, other.literal, other.name)
    }
}

/// The uses of a file as they are found.
#[derive(Default)]
pub struct UseRecord {
    /// Targets with their uses.
    pub uses: Vec<(SymbolId, Use)>,
    /// Calls without known target.
    pub open: Vec<UnresolvedSite>,
    /// Functions and methods used as values.
    pub escaped: Vec<SymbolId>,
    /// Values that become an interface's.
    pub converts: Vec<Conversion>,
    /// How values flow.
    pub flows: FlowRecord,
    /// Types declared in bodies.
    pub locals: Vec<LocalDecl>,
    /// The number that uses carry, see [`Use::body`].
    pub body: u32,
    /// The first token of the body, which `occ` counts from.
    pub first: Tok,
    /// The token that is asked about.
    pub probe: Option<Probe>,
    /// What stands there.
    pub found: Option<ProbeFound>,
    /// The declaration of a local whose uses are asked for.
    pub declared: Option<Probe>,
    /// Those uses, each with whether it stands in a function literal.
    pub local_uses: Vec<(Probe, bool)>,
    /// The labels of the bodies that were walked, where anybody asks.
    labels: Vec<Label>,
    /// Calls of local variables that hold function literals so far, by their closure.
    closure_calls: Vec<(u32, UnresolvedSite)>,
}

impl UseRecord {
    /// An empty record that watches a token.
    pub fn of_token(probe: Probe) -> UseRecord {
        UseRecord {
            probe: Some(probe),
            ..UseRecord::default()
        }
    }

    /// An empty record that collects the uses of a local by its declaration.
    pub fn of_local(declared: Probe) -> UseRecord {
        UseRecord {
            declared: Some(declared),
            ..UseRecord::default()
        }
    }

    /// Whether the flow of values is wanted: of a whole part, not of one token.
    pub(super) fn follows(&self) -> bool {
        self.probe.is_none() && self.declared.is_none()
    }

    fn label_at(&self, probe: Option<Probe>) -> Option<&Label> {
        let probe = probe.filter(|probe| !probe.in_items)?;
        self.labels.iter().find(|label| label.tok == probe.tok)
    }

    /// Ends a walk: a branch may stand before its label.
    pub fn settle_labels(&mut self) {
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
    /// Notes a use of a symbol at a token.
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

    /// Tells the probe that a token declares a symbol, or names a package: neither is a use.
    pub(crate) fn probe_symbol(&mut self, tok: Tok, symbol: SymbolId) {
        let in_items = self.in_items;
        if let Some(record) = &mut self.record
            && record.probe == Some(Probe { in_items, tok })
        {
            record.found = Some(ProbeFound::Symbol(symbol));
        }
    }

    /// Tells the probe that `tok` names the local declared at `declared`, a field of a struct
    /// literal too.
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

    /// Tells whoever asks that a token declares a label or branches to it.
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

    /// Notes a call whose target is not known.
    pub(super) fn note_open(
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
        record.open.push(UnresolvedSite {
            name,
            body: record.body,
            occ: tok.wrapping_sub(record.first),
            arguments: arguments.map_or(UnresolvedSite::ANY_COUNT, |count| count.min(200) as u8),
            reason,
            absent,
            signature: signature.map_or(NONE, Ty::number),
        });
    }

    /// Moves the last open site behind a local variable: it counts only if something else than
    /// function literals is ever assigned to it.
    pub(super) fn defer_open(&mut self, closure: u32) {
        if let Some(record) = &mut self.record
            && let Some(site) = record.open.pop()
        {
            record.closure_calls.push((closure, site));
        }
    }

    /// Ends a body: calls of locals that hold nothing but literals need no target of their own.
    pub(crate) fn settle_closures(&mut self) {
        if let Some(record) = &mut self.record {
            for (closure, site) in std::mem::take(&mut record.closure_calls) {
                if !self
                    .closures
                    .get(closure as usize)
                    .copied()
                    .unwrap_or(false)
                {
                    record.open.push(site);
                }
            }
        }
    }

    /// Says which body or item the next uses belong to.
    pub(crate) fn set_place(&mut self, body: u32, first: Tok) {
        if let Some(record) = &mut self.record {
            record.body = body;
            record.first = first;
        }
    }

    /// Notes a use that no expression holds: a receiver's base.
    pub(crate) fn note_use(&mut self, tok: Tok, symbol: SymbolId, role: Role) {
        self.note(tok, symbol, role);
    }
}
