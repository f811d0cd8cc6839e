//! Arguments: which values of a call a row names.

use codeweft_db::{ValueId, WireArgument, WireCall, WireValue};

use super::evaluate::Evaluator;
use super::value::{CallAt, FrameRef};
use crate::recognisers::{Argument, One};

/// A call where it is evaluated.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    pub(super) at: CallAt,
    pub(super) call: WireCall,
    /// The calls that led to it.
    pub(super) frame: FrameRef,
    /// The last name of the path by which a row names the callee.
    pub(super) name: String,
}

impl CallSite {
    pub(super) fn file(&self) -> u32 {
        self.at.0
    }
}

impl Evaluator<'_> {
    /// Returns a call by itself, wherever it is called from.
    pub(super) fn site(&self, at: CallAt) -> Option<CallSite> {
        Some(CallSite {
            at,
            call: self.call(at)?,
            frame: None,
            name: String::new(),
        })
    }

    /// Returns what a method is called on.
    pub(super) fn receiver(&self, file: u32, call: &WireCall) -> Option<ValueId> {
        match self.value(file, call.callee) {
            WireValue::Member { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Returns the values of the call's arguments that a row names: the first of its alternatives that the call has.
    pub(super) fn arguments(&self, site: &CallSite, spec: &Argument) -> Vec<ValueId> {
        let mut found = spec.0.iter().map(|one| self.one_argument(site, one));
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    pub(super) fn one_argument(&self, site: &CallSite, one: &One) -> Vec<ValueId> {
        let arguments = &site.call.arguments;
        let positional: Vec<&WireArgument> = arguments
            .iter()
            .filter(|argument| argument.name.is_none())
            .collect();
        match one {
            One::Position(at) | One::Field(at, _) => {
                let at = if *at < 0 {
                    positional.len() as i64 + i64::from(*at)
                } else {
                    i64::from(*at)
                };
                let found = usize::try_from(at).ok().and_then(|at| positional.get(at));
                found.map(|argument| argument.value).into_iter().collect()
            }
            One::From(first) => {
                let behind = positional.iter().skip(*first as usize);
                behind.map(|argument| argument.value).collect()
            }
            One::Keyword(name) => {
                let is_named = |argument: &&WireArgument| {
                    argument.name.is_some_and(|known| self.name(known) == name)
                };
                let named = arguments.iter().find(is_named);
                named.map(|argument| argument.value).into_iter().collect()
            }
            One::Receiver => self.receiver(site.file(), &site.call).into_iter().collect(),
            One::Parameter { argument, .. } => {
                let found = positional.get(*argument as usize);
                found.map(|argument| argument.value).into_iter().collect()
            }
            One::Name
            | One::Value
            | One::Decorated
            | One::Module
            | One::Result
            | One::Text(_)
            | One::Joined(_) => Vec::new(),
        }
    }
}
