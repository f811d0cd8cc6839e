//! The model: stubs for modules without Python sources, namely the builtins, `typing`, and modules
//! written in C. The texts are in `crates/python/model`.

/// The folder of the model, which does not exist on disk.
pub(crate) const MODEL_DIR: &str = "<codeweft>/python";

/// The folder, not on disk and below [`MODEL_DIR`], of model modules whose names the workspace has
/// too.
pub(crate) const HIDDEN_DIR: &str = "<codeweft>/python/hidden";

/// A module of the model.
pub(crate) struct ModelModule {
    /// The top-level name of the module.
    pub(crate) name: &'static str,
    /// The path of the module, not on disk.
    pub(crate) path: &'static str,
    /// The text of the module.
    pub(crate) text: &'static str,
}

macro_rules! models {
    ($($name:literal)*) => {
        &[$(ModelModule {
            name: $name,
            path: concat!("<codeweft>/python/", $name, ".pyi"),
            text: include_str!(concat!("../../model/", $name, ".pyi")),
        }),*]
    };
}

/// The modules, sorted by name.
pub(crate) const MODELS: &[ModelModule] = models![
    "_abc"
    "_asyncio"
    "_collections"
    "_contextvars"
    "_csv"
    "_datetime"
    "_decimal"
    "_functools"
    "_io"
    "_json"
    "_operator"
    "_pickle"
    "_random"
    "_socket"
    "_sre"
    "_ssl"
    "_struct"
    "_thread"
    "_weakref"
    "builtins"
    "itertools"
    "math"
    "posix"
    "sys"
    "time"
    "typing"
    "zlib"
];

/// Returns whether the model has a module.
pub(crate) fn has(name: &str) -> bool {
    MODELS
        .binary_search_by(|model| model.name.cmp(name))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_the_model_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/model");
        let mut texts: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("readable").file_name())
            .filter_map(|name| Some(name.to_str()?.strip_suffix(".pyi")?.to_owned()))
            .collect();
        texts.sort();
        let listed: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        assert_eq!(listed, texts);
    }
}
