//! The build of Codeweft that this process is.

use std::hash::{Hash as _, Hasher as _};
use std::sync::OnceLock;

/// Returns the identity of this binary: the version, then `+` and eight hexadecimal digits of the size and the
/// modification time of the executable at the first call. Builds of one version work together; see [`version`].
pub fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        let version = env!("CARGO_PKG_VERSION");
        let metadata = std::env::current_exe().and_then(std::fs::metadata);
        match metadata {
            Ok(metadata) => {
                let mut hasher = rustc_hash::FxHasher::default();
                metadata.len().hash(&mut hasher);
                metadata.modified().ok().hash(&mut hasher);
                format!("{version}+{:08x}", hasher.finish() as u32)
            }
            Err(_) => version.to_owned(),
        }
    })
}

/// Returns the version of a build. A client and a server of one version work together, with a warning if the
/// builds differ. Of two versions neither ends the other: the client works without the server.
pub fn version(build: &str) -> &str {
    build.split('+').next().unwrap_or_default()
}
