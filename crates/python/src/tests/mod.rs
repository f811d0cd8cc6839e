//! Tests of Python's rules over small projects in memory.

mod classes;
mod elements;
mod harness;
mod modules;
mod open_calls;
mod overloads;
mod places;
mod protocols;
mod scopes;
mod search_paths;
mod specials;
mod symbols;
mod typing;
mod world;
