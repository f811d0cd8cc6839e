//! What a walk keeps: uses, open sites, and what stands at one token.

use codeweft_db::{LocalDecl, NONE, NameId, OpenSite, Reason, Resolution, Role, SymbolId, Use};
use codeweft_syntax::go::Tok;

use super::Typer;
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

/// The uses of a file as they are found.
#[derive(Default)]
pub struct Record {
    /// Targets with their uses.
    pub uses: Vec<(SymbolId, Use)>,
    /// Calls without known target.
    pub open: Vec<OpenSite>,
    /// Functions and methods used as values.
    pub escaped: Vec<SymbolId>,
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
    /// Calls of local variables that hold function literals so far, by their closure.
    closure_calls: Vec<(u32, OpenSite)>,
}

impl Record {
    /// An empty record that watches a token.
    pub fn new(probe: Option<Probe>) -> Record {
        Record {
            probe,
            ..Record::default()
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
        if let Some(record) = &mut self.record
            && record.probe == Some(Probe { in_items, tok })
            && record.found.is_none()
        {
            record.found = Some(ProbeFound::Local {
                in_items: declared_in_items,
                tok: declared,
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
        record.open.push(OpenSite {
            name,
            body: record.body,
            occ: tok.wrapping_sub(record.first),
            arguments: arguments.map_or(OpenSite::ANY_COUNT, |count| count.min(200) as u8),
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
