//! Uses and calls: the callers of a symbol, and what it calls.

mod call_steps;
pub(crate) mod caller_table;
pub(crate) mod calls;
pub(crate) mod indirect;
pub(crate) mod memo;
pub(crate) mod named_files;
pub(crate) mod sites_by_name;
pub(crate) mod super_calls;
pub(crate) mod uses;

pub(crate) use call_steps::{prepare_steps, steps_of};
pub(crate) use calls::{calls_in, prepare_calls, unresolved_calls};
pub(crate) use indirect::{
    chain, has_flow_site, indirect_calls, may_run, prepare_indirect, unresolved_dispatch,
    unresolved_value_call, value_calls,
};
pub(crate) use memo::CallSteps;
pub(crate) use uses::{calls_of, enclosing, expect_lookups, uses_in, uses_of};
