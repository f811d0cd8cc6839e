//! The syntax of a document by its file name.

use crate::tree::Tree;

/// The syntax of a document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `*.yaml`, `*.yml`
    Yaml,
    /// `*.json`
    Json,
    /// `*.proto`
    Proto,
    /// `Dockerfile`, `Dockerfile.*`, `Dockerfile-*`, `*.Dockerfile`, `Containerfile`
    Dockerfile,
    /// `.env`, `.env.*`, `*.env`
    Environment,
}

impl Format {
    /// Returns the syntax of a file by its path with `/`; `None` for files that are no documents.
    pub fn of_path(path: &str) -> Option<Format> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let lower = name.to_ascii_lowercase();
        if matches!(&*lower, "dockerfile" | "containerfile")
            || lower.starts_with("dockerfile.")
            || lower.starts_with("dockerfile-")
            || lower.ends_with(".dockerfile")
        {
            return Some(Format::Dockerfile);
        }
        if lower == ".env" || lower.starts_with(".env.") {
            return Some(Format::Environment);
        }
        match lower.rsplit_once('.')?.1 {
            "yaml" | "yml" => Some(Format::Yaml),
            "json" => Some(Format::Json),
            "proto" => Some(Format::Proto),
            "env" => Some(Format::Environment),
            _ => None,
        }
    }

    /// Reads a text of this syntax.
    pub fn read(self, text: &str) -> Tree {
        // A byte-order mark is none of the text; ranges count from behind it.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match self {
            Format::Yaml => crate::read_yaml(text),
            Format::Json => crate::read_json(text),
            Format::Proto => crate::read_proto(text),
            Format::Dockerfile => crate::read_dockerfile(text),
            Format::Environment => crate::read_environment(text),
        }
    }
}
