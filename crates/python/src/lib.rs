//! The room `python`.
