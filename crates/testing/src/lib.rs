//! The room `testing`.
