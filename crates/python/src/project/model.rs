//! The room's own model of modules that are no Python text: the builtins, `typing`, and what is
//! written in C. Its texts stand in `crates/python/model`.

/// The folder of the model, on no disk.
pub(crate) const MODEL_DIR: &str = "<codeweft>/python";

/// The folder, on no disk and below [`MODEL_DIR`], of those of its modules whose names are the
/// workspace's too.
pub(crate) const HIDDEN_DIR: &str = "<codeweft>/python/hidden";

/// A module of the model.
pub(crate) struct ModelModule {
    /// Its name; all are top-level.
    pub(crate) name: &'static str,
    /// Its path, on no disk.
    pub(crate) path: &'static str,
    /// Its text.
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

/// Whether the model has a module.
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
