//! The room `go`.
