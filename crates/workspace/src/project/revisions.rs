//! The states of texts that a request names: a git revision, a range of two, or a patch.

use std::path::Path;
use std::sync::Arc;

use codeweft_git::{Commit, GitError, Patch, Repository};
use codeweft_graph::answer::ApiError;
use codeweft_vfs::Vfs;

use super::change_impact::TextStates;
use super::disk::WorkspaceDisk;
use super::other_texts::OtherTexts;

/// The texts that the vfs and the disk have, in words.
const AS_THEY_ARE: &str = "the files as they are";

/// The readers of texts of a workspace.
pub(crate) struct RevisionReader<'a> {
    /// The root of the workspace, absolute.
    pub(crate) root: &'a str,
    pub(crate) disk: &'a WorkspaceDisk,
    pub(crate) vfs: &'a Vfs,
}

impl RevisionReader<'_> {
    /// Returns the states that a text names: `HEAD`, `main..HEAD`, `main...HEAD`, or a patch itself.
    ///
    /// # Errors
    /// There is no repository or no such revision, or the patch does not apply: what to do.
    pub(crate) fn states(&self, named: &str) -> Result<TextStates, ApiError> {
        if codeweft_git::is_patch(named) {
            return self.patched(named);
        }
        let repository = Repository::around(Path::new(self.root)).map_err(error_of_git)?;
        let range = codeweft_git::range(named);
        let (first, second) = repository.commits(&range).map_err(error_of_git)?;
        let changed = repository.changed_files(&first, second.as_ref());
        let mut paths = changed.map_err(error_of_git)?;
        if second.is_none() {
            // What editors have not saved differs too, whatever the disk has.
            paths.extend(self.vfs.unsaved().iter().map(|path| path.to_string()));
            paths.sort();
            paths.dedup();
        }
        let mut rules = self.disk.rules();
        paths.retain(|path| self.matters(&mut rules, path));
        let before = self.contents(&repository, &first, &paths)?;
        let after = match &second {
            Some(second) => Some(self.contents(&repository, second, &paths)?),
            None => None,
        };
        let before_name = if range.from_merge_base {
            format!("{}, where they parted", first.short())
        } else {
            name(&first, range.first)
        };
        let after_name = match (&second, range.second) {
            (Some(second), Some(written)) => name(second, written),
            _ => AS_THEY_ARE.to_owned(),
        };
        Ok(TextStates {
            before: Some(before),
            after,
            names: (before_name, after_name),
        })
    }

    /// Returns whether a file is one of the workspace's sources, or one that its layout depends on.
    fn matters(&self, rules: &mut codeweft_vfs::ExclusionRules, path: &str) -> bool {
        codeweft_vfs::relative(self.root, path).is_some()
            && (self.disk.workspace_language(path).is_some() && rules.admits(path)
                || self.disk.depends_on(path))
    }

    fn contents(
        &self,
        repository: &Repository,
        commit: &Commit,
        paths: &[String],
    ) -> Result<OtherTexts, ApiError> {
        let contents = repository
            .contents(commit, paths, self.disk.max_size())
            .map_err(error_of_git)?;
        let texts = paths.iter().zip(contents).map(|(path, content)| {
            // As on disk: a file that cannot be read as text is not there.
            let bytes = content.into_bytes();
            let text = bytes.and_then(|bytes| self.disk.decode(path, bytes));
            (path.as_str().into(), text)
        });
        Ok(texts.collect())
    }

    fn patched(&self, text: &str) -> Result<TextStates, ApiError> {
        let refuse = |error: codeweft_git::PatchError| {
            ApiError::new(
                codeweft_graph::answer::ErrorType::InvalidRequest,
                format!("target: {error}"),
                error.what_to_do(),
            )
        };
        let patch = Patch::parse(text).map_err(refuse)?;
        let bases = self.patch_bases();
        let read = |written: &str| {
            let path = self.path_in_patch(&bases, written)?;
            self.text(&path).map(|text| text.to_string())
        };
        let patched = patch.apply(read).map_err(refuse)?;
        let mut rules = self.disk.rules();
        let mut texts = OtherTexts::new();
        for (written, text) in patched {
            let path = self.path_in_patch(&bases, &written);
            if let Some(path) = path.filter(|path| self.matters(&mut rules, path)) {
                texts.insert(path.into(), text.map(Arc::from));
            }
        }
        Ok(TextStates {
            before: None,
            after: Some(texts),
            names: (AS_THEY_ARE.to_owned(), "the patch applied".to_owned()),
        })
    }

    /// Returns the folders that the paths of a patch may be relative to: the repository's, the workspace's.
    fn patch_bases(&self) -> Vec<String> {
        let repository = Repository::around(Path::new(self.root)).ok();
        let top = repository.map(|repository| repository.top().to_owned());
        let mut bases: Vec<String> = top.into_iter().collect();
        if !bases.iter().any(|base| base == self.root) {
            bases.push(self.root.to_owned());
        }
        bases
    }

    /// Returns the absolute path of a file that a patch names: that of an existing one, else below the first
    /// folder. `None` for a path that leads out of the folders.
    fn path_in_patch(&self, folders: &[String], written: &str) -> Option<String> {
        let paths = folders.iter().filter_map(|folder| {
            let path = codeweft_vfs::normalise(Path::new(folder), Path::new(written))?;
            codeweft_vfs::relative(folder, &path)?;
            Some(path)
        });
        let paths: Vec<String> = paths.collect();
        let there = paths.iter().find(|path| self.text(path).is_some());
        there.or(paths.first()).cloned()
    }

    /// Returns the current text of a file.
    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.vfs.text(path).or_else(|| self.vfs.read(path).ok())
    }
}

/// Returns a commit in words: `main~3 (3f0a91c2d4)`.
fn name(commit: &Commit, written: &str) -> String {
    if commit.hash().starts_with(written) {
        return commit.short().to_owned();
    }
    format!("{written} ({})", commit.short())
}

fn error_of_git(error: GitError) -> ApiError {
    ApiError::new(
        codeweft_graph::answer::ErrorType::InvalidRequest,
        format!("target: {error}"),
        error.what_to_do(),
    )
}
