//! Modules, packages and build constraints: which files make which unit.
