//! The value-flow graph: which values reach the nodes that calls are made through.
//!
//! Nodes are variables, parameters, results, fields and elements; an edge means "a value here may
//! also be there"; a value is a function or an object of a concrete type. For
//!
//! ```go
//! var s Shape = Square{}   // value Square begins at s
//! t := s                   // edge s -> t
//! t.Area()                 // call through t: runs Square.Area, and no other Area
//! ```
//!
//! The languages give fragments, one for each part of a file's bodies. [`merged`] joins them into
//! one graph, which later revisions patch. Two kinds of edges are in no fragment and are added on
//! demand: between the parameters and results of an interface's method and those of the methods it
//! may run ([`mod@queries`]), and between generic code and its instances ([`instances`]). [`solve`]
//! computes the values of a node and the nodes of a value; [`sites`] turns these into the targets
//! of a call and the calls of a target; [`reasons`] finds the shortest chain to print,
//! in the words of [`names`].

mod components;
mod dispatch;
mod dispatch_table;
mod graph;
mod instance_counts;
mod instances;
mod merged;
mod names;
mod only_named;
mod queries;
mod reached_nodes;
mod reasons;
mod sites;
mod solutions;
mod solve;
mod solved_sets;

#[cfg(test)]
mod tests;

pub(crate) use graph::{FlowMemos, HeldFlowGraph};
pub(crate) use merged::FlowNodeId;
pub(crate) use only_named::{is_only_named, lower_for_method};
pub(crate) use queries::FlowQueries;
pub(crate) use queries::keep_within_budget;
pub(crate) use sites::{Dispatch, FlowCallSite, sites_in};

pub(crate) use queries::{dispatching_queries_of, queries, queries_of, version};
