//! `codeweft mcp`.

use crate::arguments::Mcp;
use crate::output::complain;

/// Serves until the client goes; gives the exit code.
pub fn run(mcp: &Mcp) -> u8 {
    match codeweft_mcp::serve_stdio(mcp.root.root.clone()) {
        Ok(()) => 0,
        Err(error) => {
            complain(&format!("the connection to the client broke: {error}"));
            3
        }
    }
}
