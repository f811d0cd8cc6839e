//! The errors of reading a repository.

/// The reason why a repository could not be read. Its `Display` is the message; [`GitError::what_to_do`]
/// goes with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GitError {
    /// No program `git` is on the `PATH`.
    #[error("the program `git` is not installed, or not on the PATH")]
    NoGit,
    /// The system could not start the program.
    #[error("`git` could not be started: {reason}")]
    NotStarted {
        /// The words of the system.
        reason: String,
    },
    /// Neither the folder nor one above it is a repository, or it is no folder.
    #[error("`{folder}` is no folder of a git repository")]
    NoRepository {
        /// The folder as given.
        folder: String,
    },
    /// The repository is bare, or the folder is inside of `.git`.
    #[error(
        "the git repository around `{folder}` has no work tree there: it is bare, or the folder is git's own"
    )]
    NoWorkTree {
        /// The folder as given.
        folder: String,
    },
    /// The branch has no commit, so `HEAD` names none.
    #[error("the git repository `{top}` has no commit yet")]
    NoCommitYet {
        /// The top folder of the work tree.
        top: String,
    },
    /// The revision names no commit.
    #[error("`{revision}` names no commit{}", after_colon(.words))]
    NoSuchRevision {
        /// The revision as given.
        revision: String,
        /// The words of git if they say more than that; else empty.
        words: String,
    },
    /// The revision names no commit of a shallow clone, which has only the newest ones.
    #[error(
        "`{revision}` names no commit of this clone, which is shallow: it has only the newest commits"
    )]
    NotInShallowClone {
        /// The revision as given; of a merge base, both.
        revision: String,
    },
    /// The histories of two commits have no commit in common.
    #[error("`{first}` and `{second}` have no commit in common")]
    NoMergeBase {
        /// The hash of the one commit.
        first: String,
        /// The hash of the other one.
        second: String,
    },
    /// The repository names an object that it does not hold.
    #[error(
        "the git repository lacks {object}: it is a partial clone (or damaged), and nothing is fetched"
    )]
    ObjectMissing {
        /// The object in words, with its hash where git says it.
        object: String,
    },
    /// The program ended with an error.
    #[error("`{command}` failed{}", after_colon(.words))]
    Failed {
        /// `git` with the name of its command.
        command: String,
        /// The words of git, on one line.
        words: String,
    },
    /// The program ran longer than the deadline and was ended.
    #[error("`{command}` took longer than {seconds} seconds and was ended")]
    TookTooLong {
        /// `git` with the name of its command.
        command: String,
        /// The deadline.
        seconds: u64,
    },
    /// The output of the program has another form than its documentation says.
    #[error("the output of `{command}` could not be read")]
    UnexpectedOutput {
        /// `git` with the name of its command.
        command: String,
    },
}

fn after_colon(words: &str) -> String {
    match words {
        "" => String::new(),
        words => format!(": {words}"),
    }
}

impl GitError {
    /// The advice that goes with the message: one sentence, without a period.
    pub fn what_to_do(&self) -> String {
        match self {
            GitError::NoGit => "install git, or give a patch instead of a revision".to_owned(),
            GitError::NotStarted { .. } => {
                "see whether `git --version` runs, or give a patch instead of a revision".to_owned()
            }
            GitError::NoRepository { .. } => {
                "give a patch instead of a revision, or open a workspace that is in a repository"
                    .to_owned()
            }
            GitError::NoWorkTree { .. } => {
                "open the folder of a work tree (`git worktree add`, or a clone)".to_owned()
            }
            GitError::NoCommitYet { .. } => {
                "commit first; until then everything is new".to_owned()
            }
            GitError::NoSuchRevision { .. } => {
                "see `git log` and `git branch --all` for the names of commits".to_owned()
            }
            GitError::NotInShallowClone { .. } => {
                "fetch the older commits with `git fetch --unshallow` (or some of them with `git fetch --deepen=100`), \
                 and see whether the name is right"
                    .to_owned()
            }
            GitError::NoMergeBase { .. } => {
                "compare the two commits themselves: `A..B` instead of `A...B`".to_owned()
            }
            GitError::ObjectMissing { .. } => {
                "fetch what is missing, all of it with `git fetch --refetch --no-filter`".to_owned()
            }
            GitError::Failed { command, .. } | GitError::UnexpectedOutput { command } => {
                format!("see what `{command}` says in a terminal")
            }
            GitError::TookTooLong { .. } => {
                "try again when the disk is less busy, or give a patch instead of a revision"
                    .to_owned()
            }
        }
    }
}
