//! Tests of whole layouts over small file systems in memory.

mod constraints;
mod go_list;
mod modules;
mod names;
mod standard_library;
mod units;
mod vendor;
mod world;
