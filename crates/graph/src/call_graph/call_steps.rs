//! The calls of each function as edges of a search, compact.
//!
//! A search for a path meets most functions of a workspace, several of them at several costs. So what
//! a function calls is one list of numbers, made when it is first needed and kept for the revision:
//!
//! ```text
//! exact    where declarations and types decide what is called
//! other    what may run: by values, by overrides
//! through  called methods whose dispatch targets may run, at the same further cost
//! ```

use std::sync::Arc;

use codeweft_db::{Resolution, SymbolClass, SymbolId};

use super::memo::CallSteps;
use super::{calls_in, has_flow_site, may_run, prepare_calls, value_calls};
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::symbols;
use crate::type_graph;

/// Reads the files of many functions whose calls are not known yet, on all threads.
pub(crate) fn prepare_steps(query: &QueryContext<'_>, symbols: &[SymbolId]) {
    let unknown: Vec<SymbolId> = {
        let known = query.cache.calls.steps.lock();
        let symbols = symbols.iter().copied();
        symbols
            .filter(|symbol| !known.contains_key(symbol))
            .collect()
    };
    prepare_calls(query, &unknown);
}

/// Returns what a function calls.
pub(crate) fn steps_of(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<CallSteps> {
    query.poll_cancellation();
    let known = &query.cache.calls.steps;
    known.get_or(symbol, || Arc::new(find(query, symbol)))
}

fn find(query: &QueryContext<'_>, symbol: SymbolId) -> CallSteps {
    let (mut exact, mut other, mut through) = (Vec::new(), Vec::new(), Vec::new());
    for file in symbols::files_of_body(query, symbol) {
        for (_, callee, one) in calls_in(query, file).of(symbol) {
            match one.resolution {
                Resolution::Exact => exact.push(*callee),
                Resolution::Dispatch | Resolution::Value => other.push(*callee),
                Resolution::Name => continue,
            }
            let link = Link::of_use(file, one);
            let joins_here = link.direct || query.key(*callee).class == SymbolClass::Type;
            if joins_here || has_flow_site(query, *callee, &link) {
                may_run(query, *callee, link, |run, link| {
                    if link.resolution != Resolution::Name {
                        other.push(run);
                    }
                });
            } else if !type_graph::dispatch_targets(query, *callee).is_empty() {
                through.push(*callee);
            }
        }
        if let Some(language) = query.languages.of(file.lang(query.db)) {
            let uses = language.uses(query.db, file);
            let own = |caller| caller == symbol;
            value_calls(query, file, &uses, own, |_, target, _| other.push(target));
        }
    }
    for list in [&mut exact, &mut other, &mut through] {
        list.sort_unstable();
        list.dedup();
    }
    let (exact_end, other_end) = (exact.len(), exact.len() + other.len());
    exact.append(&mut other);
    exact.append(&mut through);
    CallSteps {
        all: exact.into(),
        exact: exact_end as u32,
        other: other_end as u32,
    }
}
