//! What an analysis host serves.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a Host serves and how.
pub struct HostOptions {
    /// The root of the workspace; see [`crate::root`].
    pub root: PathBuf,
    /// Settings by key; see [`crate::settings::Settings::values`].
    pub settings: BTreeMap<String, String>,
    /// The environment; `None`: that of this process.
    pub variables: Option<BTreeMap<String, String>>,
    /// How many threads a question may use; 0: one a core.
    pub threads: usize,
    /// Whether changes on disk are watched for.
    pub watch: bool,
    /// An own folder, outside the workspace, where the watcher's barrier keeps its cookie; `None`:
    /// a temporary one.
    pub cookies: Option<PathBuf>,
}
