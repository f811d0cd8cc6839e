//! Changes on disk that nobody has told of: all stamps are compared, and the folders walked.

use super::ProjectDatabase;

impl ProjectDatabase {
    /// Looks whether files of the workspace changed, came or went on disk since they were read,
    /// and shows what did. Gives the revision.
    pub fn recheck(&mut self) -> u64 {
        self.look_everywhere();
        self.show_disk()
    }
}
