//! The room `ide`.
