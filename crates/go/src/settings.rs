//! The Go build configuration (`go help buildconstraint`): the input that chooses among files.

use codeweft_db::Db;
use codeweft_go_syntax::GO;

/// Returns the build configuration of a database; `None` before there is one.
pub(crate) fn settings(db: &dyn Db) -> Option<&GoSettings> {
    db.shared().configuration(GO)?.value(db).downcast()
}

/// Returns the build configuration of a layout.
#[cfg(test)]
pub(crate) fn of_layout(layout: &codeweft_db::Layout) -> Option<GoSettings> {
    layout.configuration.as_ref()?.downcast().cloned()
}

/// The settings that choose among files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoSettings {
    /// The target operating system, such as `linux`.
    pub goos: String,
    /// The target architecture, such as `amd64`.
    pub goarch: String,
    /// Whether files that import "C" are included.
    pub cgo: bool,
    /// The build tags of `-tags`.
    pub tags: Vec<String>,
    /// The minor release of the GOROOT: 26 for go1.26. The tags go1.1 to go1.N hold.
    pub release: u32,
    /// The experiments that are on by default in that GOROOT, without the prefix `goexperiment.`.
    pub experiments: Vec<String>,
}

impl GoSettings {
    /// Returns the settings as answers print them: `linux/amd64 cgo=0 tags=`.
    pub fn printed(&self) -> String {
        format!(
            "{}/{} cgo={} tags={}",
            self.goos,
            self.goarch,
            self.cgo as u8,
            self.tags.join(",")
        )
    }
}
