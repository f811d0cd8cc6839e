//! `implementations` and `implements`.

use codeweft_db::{NameId, NodeKind, SymbolId};
use rustc_hash::FxHashSet;

use super::Found;
use crate::completeness::{Openings, Speech};
use crate::hierarchy::Pair;
use crate::question::Question;
use crate::shown::Draft;
use crate::targets::Target;

impl Question<'_> {
    /// The types that satisfy an interface; of its method the methods that may run.
    pub(super) fn implementations(&self, target: &Target) -> Found {
        let mut drafts = Vec::new();
        let mut methods = FxHashSet::default();
        let mut names: Vec<NameId> = Vec::new();
        for &symbol in &target.symbols {
            if self.kind(symbol) == NodeKind::Method {
                methods.extend(self.runs(symbol).iter().copied());
                names.push(self.key(symbol).name);
            } else {
                let pairs = self.pairs_of_interface(symbol);
                drafts.extend(pairs.into_iter().map(|pair| draft(pair.ty, pair)));
                names.extend(self.method_names(symbol));
            }
        }
        drafts.extend(methods.into_iter().map(Draft::plain));
        let openings = match target.symbols.first().and_then(|&one| self.lang(one)) {
            Some(lang) => self.open_declarers(&self.units_of(lang), &names),
            None => Openings::default(),
        };
        Found::list(
            self.by_id_and_arguments(drafts),
            openings,
            Speech {
                one: "implementation",
                many: "implementations",
                could: "could declare more",
            },
        )
    }

    /// The interfaces that a type satisfies; of a method the interface methods it stands for.
    pub(super) fn implements(&self, target: &Target) -> Found {
        let mut drafts = Vec::new();
        let mut methods = FxHashSet::default();
        for &symbol in &target.symbols {
            match self.kind(symbol) {
                NodeKind::Method => methods.extend(self.stands_for(symbol).iter().copied()),
                NodeKind::Interface => {}
                _ => {
                    let pairs = self.pairs_of_type(symbol);
                    drafts.extend(pairs.into_iter().map(|pair| draft(pair.interface, pair)));
                }
            }
        }
        drafts.extend(methods.into_iter().map(Draft::plain));
        Found::list(
            self.by_id_and_arguments(drafts),
            Openings::default(),
            Speech {
                one: "interface",
                many: "interfaces",
                could: "could declare more",
            },
        )
    }

    /// The plain names of the methods that an interface declares itself.
    fn method_names(&self, interface: SymbolId) -> Vec<NameId> {
        let Some((unit, _)) = self.row(interface) else {
            return Vec::new();
        };
        let symbols = self.symbols(unit);
        let Some(row) = symbols.row(interface) else {
            return Vec::new();
        };
        let children = symbols.children(row);
        let methods = children.map(|child| &symbols.rows[child as usize]);
        methods
            .filter(|row| row.kind == NodeKind::Method)
            .map(|row| row.name)
            .collect()
    }

    fn by_id_and_arguments(&self, mut drafts: Vec<Draft>) -> Vec<Draft> {
        drafts.sort_by_cached_key(|draft| {
            (
                self.lang(draft.symbol),
                self.id(draft.symbol),
                draft.type_args.clone(),
                draft.receiver,
            )
        });
        drafts.dedup_by(|a, b| a.symbol == b.symbol && a.type_args == b.type_args);
        drafts
    }
}

fn draft(symbol: SymbolId, pair: Pair) -> Draft {
    Draft {
        receiver: Some(pair.receiver),
        type_args: pair.type_args,
        ..Draft::plain(symbol)
    }
}
