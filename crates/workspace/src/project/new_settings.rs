//! Other settings for a workspace that is loaded: the disk is looked at anew under them, and the next
//! transaction brings the database to the state that a load under them would have.
//!
//! ```text
//! exclude, languages      a walk of everything: files come and go
//! max_file_size           the same, open documents, and library files that were or are now too large
//! a language's            a new layout
//! services, entities      another knowledge graph
//! profile, weights        another ranking
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{Lang, Origin};
use codeweft_knowledge::KnowledgeSettings;
use codeweft_retrieval::RetrievalSettings;

use super::database::ProjectDatabase;
use super::sources::SourceFiles;
use crate::settings::SettingsWarning;

impl ProjectDatabase {
    /// Replaces the settings (by key; see [`crate::settings::Settings::values`]) and the warning about
    /// them. The next preparation finds what they change.
    pub(crate) fn set_settings(
        &mut self,
        values: &BTreeMap<String, String>,
        warning: Option<SettingsWarning>,
    ) {
        self.state_is_new |= self.settings_warning != warning;
        self.settings_warning = warning;
        if self.units.settings() == values {
            return;
        }
        self.knowledge_settings = Arc::new(KnowledgeSettings::from_values(values));
        self.retrieval_settings = Arc::new(RetrievalSettings::from_values(values));
        // A question about services reads settings that no input of a query has.
        self.state_is_new = true;
        let before = self.sources.disk.max_size();
        self.sources.disk = Arc::new(self.sources.disk.with_settings(values));
        self.units.set_settings(values.clone());
        self.walk_is_stale = true;
        self.sources.layout_is_stale = true;
        if self.sources.disk.max_size() != before {
            let again = self.sources.resize();
            self.add_libraries(again);
        }
    }
}

impl SourceFiles {
    /// Finds out anew which documents and library files are too large. Returns library files that were
    /// not read before; some of them may be read now.
    fn resize(&mut self) -> Vec<(Arc<str>, Lang)> {
        let max_size = self.disk.max_size();
        self.vfs.set_max_size(max_size);
        let is_large = |path: &str| {
            let read = self.stamps.get(path).and_then(|read| read.stamp);
            read.is_some_and(|stamp| stamp.size() > max_size)
        };
        let large = self
            .table
            .present()
            .filter(|(path, entry)| entry.origin == Origin::Library && is_large(path))
            .map(|(path, _)| path.clone())
            .collect();
        let again = Arc::make_mut(&mut self.unread).take_libraries();
        self.read_files(large);
        let disk = &self.disk;
        let again = again.into_iter();
        again
            .filter_map(|path| disk.language(&path).map(|lang| (path, lang)))
            .collect()
    }
}
