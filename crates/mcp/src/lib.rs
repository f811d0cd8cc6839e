//! The room `mcp`.
