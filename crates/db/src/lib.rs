//! The room `db`.
