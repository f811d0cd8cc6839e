//! The room `graph`.
