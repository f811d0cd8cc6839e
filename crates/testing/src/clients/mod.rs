//! Test clients of both protocols, independent of the product's code: raw messages over any pipe or
//! socket, and the processes behind them.

mod agent;
mod connection;
mod editor;
mod sandbox;

pub use agent::{Agent, ToolResult};
pub use connection::{PATIENCE, TimedMessage};
pub use editor::Editor;
pub use sandbox::Sandbox;
