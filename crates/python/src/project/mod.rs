//! The search path: projects and their source roots, the interpreter's standard library and
//! site-packages, and the library files that the workspace needs. Plain functions over a
//! [`codeweft_db::FileSystem`]; no interpreter is ever run.

pub(crate) mod distributions;
pub(crate) mod interpreter;
pub(crate) mod library;
mod literals;
pub(crate) mod loading;
mod metadata;
pub(crate) mod model;
pub(crate) mod names;
pub(crate) mod paths;
pub(crate) mod roots;
pub(crate) mod site;
pub(crate) mod tree;
pub(crate) mod version;
