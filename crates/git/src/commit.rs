//! Commits: from the name of a revision to a hash.

use crate::process::missing_object;
use crate::{GitError, Objects, Range, Repository};

/// The words of git for a name that leads nowhere; they say no more than the error.
const NO_REVISION: &str = "Needed a single revision";

/// A commit of a repository.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Commit {
    hash: String,
}

impl Commit {
    /// The whole hash: 40 hexadecimal digits, 64 in a repository of SHA-256.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The first 10 digits of the hash.
    pub fn short(&self) -> &str {
        self.hash.get(..10).unwrap_or(&self.hash)
    }

    /// The commit whose hash a command has printed on a line; `None` if it is no hash.
    pub(crate) fn printed(output: &[u8]) -> Option<Commit> {
        let hash = std::str::from_utf8(output).ok()?.trim();
        let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Commit {
            hash: hash.to_owned(),
        })
    }
}

impl Repository {
    /// The name of the version that is checked out: a tag of the commit `HEAD`, one that looks like a version
    /// (`v1.2.3`, `2.0`) before others, else the first 12 digits of the commit.
    ///
    /// Errors: as [`Repository::commit`].
    pub fn version(&self) -> Result<String, GitError> {
        let head = self.commit("HEAD")?;
        let ended = self.run(&["tag", "--list", "--points-at", head.hash()])?;
        let printed = ended.into_output()?;
        let printed = String::from_utf8_lossy(&printed);
        let is_version = |tag: &&str| {
            let number = tag.strip_prefix('v').unwrap_or(tag);
            number.starts_with(|letter: char| letter.is_ascii_digit())
        };
        let tags: Vec<&str> = printed.lines().collect();
        let tag = tags
            .iter()
            .copied()
            .find(is_version)
            .or(tags.first().copied());
        Ok(match tag {
            Some(tag) => tag.to_owned(),
            None => head.hash().get(..12).unwrap_or(head.hash()).to_owned(),
        })
    }

    /// As [`Objects::commit`].
    ///
    /// Errors: as there.
    pub fn commit(&self, revision: &str) -> Result<Commit, GitError> {
        self.objects().commit(revision)
    }

    /// The newest commit in the histories of both; of several, one.
    ///
    /// Errors: [`GitError::NoMergeBase`], [`GitError::NotInShallowClone`], and those of running git.
    pub fn merge_base(&self, first: &Commit, second: &Commit) -> Result<Commit, GitError> {
        let ended = self.run(&["merge-base", first.hash(), second.hash()])?;
        if !ended.success && ended.words.is_empty() {
            return Err(if self.objects().is_shallow()? {
                GitError::NotInShallowClone {
                    revision: format!("{}...{}", first.short(), second.short()),
                }
            } else {
                GitError::NoMergeBase {
                    first: first.hash.clone(),
                    second: second.hash.clone(),
                }
            });
        }
        Commit::printed(&ended.into_output()?).ok_or_else(|| GitError::UnexpectedOutput {
            command: "git merge-base".to_owned(),
        })
    }

    /// The commits that a range names: the one before the changes, and the one after them; the latter is
    /// `None` if the range ends with the files on disk.
    ///
    /// Errors: those of [`Repository::commit`] and [`Repository::merge_base`].
    pub fn commits(&self, range: &Range<'_>) -> Result<(Commit, Option<Commit>), GitError> {
        let first = self.commit(range.first)?;
        let Some(second) = range.second else {
            return Ok((first, None));
        };
        let second = self.commit(second)?;
        let first = if range.from_merge_base {
            self.merge_base(&first, &second)?
        } else {
            first
        };
        Ok((first, Some(second)))
    }
}

impl Objects {
    /// The commit that a revision names: `HEAD`, `main~3`, a hash, a tag, `@{upstream}`, `:/words of its message`.
    ///
    /// Errors: [`GitError::NoSuchRevision`], [`GitError::NotInShallowClone`], [`GitError::NoCommitYet`],
    /// [`GitError::ObjectMissing`], and those of running git. A revision is never taken for an option.
    pub fn commit(&self, revision: &str) -> Result<Commit, GitError> {
        let no_such = |words: &str| GitError::NoSuchRevision {
            revision: revision.to_owned(),
            words: words.to_owned(),
        };
        if revision.contains('\0') {
            return Err(no_such(""));
        }
        let name = if revision.starts_with(":/") {
            // Everything behind it is searched for in the messages.
            revision.to_owned()
        } else {
            format!("{revision}^{{commit}}")
        };
        let ended = self.run(&["rev-parse", "--verify", "--end-of-options", &name])?;
        let words = ended.words.clone();
        if ended.success
            && let Some(commit) = Commit::printed(&ended.into_output()?)
        {
            return Ok(commit);
        }
        if let Some(object) = missing_object(&words) {
            return Err(GitError::ObjectMissing { object });
        }
        if self.has_no_commit_for(revision)? {
            return Err(GitError::NoCommitYet {
                top: self.folder().to_owned(),
            });
        }
        let words = words.strip_suffix(NO_REVISION).unwrap_or(&words).trim();
        if words.is_empty() && self.is_shallow()? {
            return Err(GitError::NotInShallowClone {
                revision: revision.to_owned(),
            });
        }
        Err(no_such(words))
    }

    /// Returns whether a revision leads nowhere because there is no commit that it could name: it begins with a
    /// `HEAD` that has none, or there is none at all.
    fn has_no_commit_for(&self, revision: &str) -> Result<bool, GitError> {
        let head = self.run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
        if head.success {
            return Ok(false);
        }
        if revision.starts_with("HEAD") || revision.starts_with('@') {
            return Ok(true);
        }
        let all = self.run(&["rev-parse", "--all"])?.into_output()?;
        Ok(all.is_empty())
    }

    /// Returns whether the repository has only the newest commits of its history.
    pub(crate) fn is_shallow(&self) -> Result<bool, GitError> {
        let ended = self.run(&["rev-parse", "--is-shallow-repository"])?;
        Ok(ended.into_output()?.starts_with(b"true"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_hash_is_a_commit() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let commit = Commit::printed(format!("{hash}\n").as_bytes()).expect("a hash");
        assert_eq!(commit.hash(), hash);
        assert_eq!(commit.short(), "0123456789");
        for text in ["", "abc", &format!("^{hash}"), &format!("{hash}\n{hash}")] {
            assert_eq!(Commit::printed(text.as_bytes()), None, "{text}");
        }
    }
}
