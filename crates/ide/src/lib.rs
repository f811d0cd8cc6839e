//! Answers of the workspace's database for frontends: [`editor`] for the requests of editors, [`api`] for
//! requests and answers of the graph. All of it is plain data without a type of any protocol.

mod analysis_text;
pub mod api;
mod change_text;
pub mod editor;

pub use analysis_text::analysis_text;
pub use change_text::change_text;
