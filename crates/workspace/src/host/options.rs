//! The options of an analysis host.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::project::CacheOptions;

/// The options of an [`AnalysisHost`](super::AnalysisHost).
pub struct HostOptions {
    /// The root of the workspace; see [`crate::root`].
    pub root: PathBuf,
    /// Settings by key; see [`crate::settings::Settings::values`].
    pub settings: BTreeMap<String, String>,
    /// The environment; `None` for that of this process.
    pub variables: Option<BTreeMap<String, String>>,
    /// The number of threads that a request may use; 0 for one per core.
    pub threads: usize,
    /// Whether to watch the disk for changes.
    pub watch: bool,
    /// Where lowered texts are kept between runs; `None`: nowhere.
    pub cache: Option<CacheOptions>,
    /// A folder of its own, outside the workspace, for the cookie file of the watcher's barrier; `None` for
    /// a temporary one.
    pub cookies: Option<PathBuf>,
}
