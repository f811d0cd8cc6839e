//! Tests of Python's rules over small projects in memory.

mod classes;
mod elements;
mod flow;
mod flow_closed;
mod flow_contexts;
mod flow_escaped;
mod flow_lazy;
mod flow_names;
mod harness;
mod locations;
mod modules;
mod overloads;
mod protocols;
mod scopes;
mod search_paths;
mod specials;
mod symbols;
mod typing;
mod unchanged_bodies;
mod unresolved_calls;
mod world;
