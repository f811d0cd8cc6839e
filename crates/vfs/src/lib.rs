//! The room `vfs`.
