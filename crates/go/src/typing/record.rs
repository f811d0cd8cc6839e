//! The results that a walk collects: uses, unresolved sites, and the entity at a probed token.

use codeweft_db::{
    BoxedType, Conversion, LocalDecl, NameId, QualifiedName, SymbolId, UnresolvedSite, Use,
};
use codeweft_go_syntax::Tok;

use super::flow_record::FlowRecord;

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
pub(super) struct Label {
    pub body: u32,
    /// The enclosing function literal: a label belongs to one function (Go spec, Label scopes).
    pub literal: Option<u32>,
    pub name: NameId,
    pub tok: Tok,
    pub declares: bool,
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
    /// See [`codeweft_db::FileUses::boxed`].
    pub boxed: Vec<BoxedType>,
    /// See [`codeweft_db::FileUses::unnamed_fields`].
    pub unnamed_fields: Vec<SymbolId>,
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
    /// The qualified names, if they are wanted.
    pub qualified: Option<Vec<QualifiedName>>,
    /// The labels of the bodies walked so far, if a probe is set.
    pub(super) labels: Vec<Label>,
    /// Calls of local variables that have held only function literals so far, by their closure.
    pub(super) closure_calls: Vec<(u32, UnresolvedSite)>,
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

    /// Returns an empty record that collects qualified names.
    pub fn of_qualified_names() -> UseRecord {
        UseRecord {
            qualified: Some(Vec::new()),
            ..UseRecord::default()
        }
    }

    /// Returns whether value flow is recorded: for a whole part, not for a probe.
    pub(super) fn follows(&self) -> bool {
        self.probe.is_none() && self.declared.is_none() && self.qualified.is_none()
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
