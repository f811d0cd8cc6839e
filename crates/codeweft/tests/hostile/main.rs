//! What strangers do to the doors, over real processes: messages that are none, sources that are
//! none, floods, kills, two editors on one file, a branch switch while both doors ask.
//! `CODEWEFT_SLOW=1` adds those that take long.

mod agents;
mod clients;
mod disk;
mod editors;
#[path = "../fixture/mod.rs"]
mod fixture;
mod pressure;
mod sharing;
mod sources;
#[path = "../workspace/mod.rs"]
mod workspace;
