//! The store beside fresh exports, and its file under damage.

mod damage;
mod delta;
mod fixture;
mod following;
mod kills;
mod readers;
mod replay;
