//! The secrets of a file, and the text of it that may be visible: one query a file, read wherever lines are.

use std::sync::Arc;

use codeweft_secrets::{Allowed, Finding, scan};

use crate::{Db, File, text_queries};

/// The secrets that the user allows. Set before the first query runs, by the writer alone.
#[salsa::input(singleton, debug)]
pub struct AllowedSecrets {
    /// What is allowed.
    #[returns(ref)]
    pub allowed: Arc<Allowed>,
}

text_queries! {
    saved {
        /// Scans a text of the disk.
        #[salsa::tracked(returns(clone))]
        pub fn file_secrets(db: &dyn Db, file: File) -> Arc<[Finding]> {
            found(db, file, file.saved_text(db))
        }
    }
    edited {
        /// Scans a text; if that is the saved text, reuses what was found there.
        #[salsa::tracked(returns(clone))]
        pub fn file_secrets(db: &dyn Db, file: File) -> Arc<[Finding]> {
            let text = if file.is_edited(db) {
                file.edited_text(db)
            } else {
                file.saved_text(db)
            };
            if Arc::ptr_eq(text, file.saved_text(db)) {
                return super::saved::file_secrets(db, file);
            }
            found(db, file, text)
        }
    }
    both {}
    /// Returns the secrets of a file, in text order. A file with any is visible nowhere: see [`visible_text`].
    fn file_secrets(File) -> Arc<[Finding]>;
}

fn found(db: &dyn Db, file: File, text: &str) -> Arc<[Finding]> {
    let allowed = AllowedSecrets::try_get(db).map(|settings| settings.allowed(db).clone());
    scan(file.path(db), text, &allowed.unwrap_or_default()).into()
}

/// Returns a hash of which secrets are allowed: what is kept of texts holds under one of them.
pub fn allowed_secrets_fingerprint(db: &dyn Db) -> [u8; 20] {
    let settings = AllowedSecrets::try_get(db);
    settings.map_or_else(
        || Allowed::default().fingerprint(),
        |settings| settings.allowed(db).fingerprint(),
    )
}

/// Returns whether a file has a secret, so that no line of it is visible, and no literal of it kept. Must not be called in a
/// tracked query: see [`File::is_edited`].
pub fn has_secret(db: &dyn Db, file: File) -> bool {
    !file_secrets(db, file).is_empty()
}

/// Returns the text of a file as far as it may be visible: all of it, or nothing of a file with a secret. What prints, sends or
/// stores lines or words of a text takes it from here; what only computes positions and edges, from [`File::text`]. Must not be
/// called in a tracked query: see [`File::is_edited`].
pub fn visible_text(db: &dyn Db, file: File) -> &str {
    if has_secret(db, file) {
        ""
    } else {
        file.text(db)
    }
}

/// Returns the words about a file that is not visible: `Skipped src/config.py: secret detected (AWS key, line 12)`; `None`
/// for a file without a secret.
pub fn skipped(db: &dyn Db, file: File) -> Option<(u32, String)> {
    let secrets = file_secrets(db, file);
    let first = secrets.first()?;
    let (path, kind, line) = (file.path(db), first.kind, first.line);
    Some((
        line,
        format!("Skipped {path}: secret detected ({kind}, line {line})"),
    ))
}
