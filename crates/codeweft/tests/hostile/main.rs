//! Robustness of both frontends over real processes: invalid messages, invalid sources, floods,
//! kills, two editors on one file, a branch switch during queries. `CODEWEFT_SLOW=1` adds the slow
//! tests.

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
