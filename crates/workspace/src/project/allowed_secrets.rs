//! Which secrets the user allows: those of the baseline at the root, and those that patterns of the settings match.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::secret_rules::Allowed;
use codeweft_db::{AllowedSecrets, FileSystem as _, Origin, RootDb, Setter as _, base_durability};

use super::sources::SourceFiles;
use super::transaction::Transaction;

/// The baseline of detect-secrets, at the root.
const BASELINE: &str = ".secrets.baseline";

/// The key of the patterns among the settings, one a line.
const PATTERNS: &str = "secrets_allow";

/// Queues which secrets the user allows, if that differs: none of them, if they cannot be read. Returns a note then. The
/// baseline is read as layouts read files, so that another one is a new layout.
pub(super) fn set(
    db: &RootDb,
    transaction: &mut Transaction,
    sources: &SourceFiles,
    settings: &BTreeMap<String, String>,
) -> Option<(String, String)> {
    let baseline = sources.disk.read(&format!("{}/{BASELINE}", sources.root));
    let patterns = settings.get(PATTERNS).map_or("", String::as_str).lines();
    let patterns: Vec<String> = patterns.map(str::to_owned).collect();
    let read = Allowed::new(baseline.as_deref(), &patterns);
    let note = read.as_ref().err().map(|wrong| {
        (
            BASELINE.to_owned(),
            format!("{wrong}; no secret is allowed by it"),
        )
    });
    let allowed = Arc::new(read.unwrap_or_default());
    // A change concerns texts of libraries too.
    let durability = base_durability(Origin::Library);
    match AllowedSecrets::try_get(db) {
        Some(known) if **known.allowed(db) == *allowed => {}
        Some(known) => transaction.set(move |db| {
            known
                .set_allowed(db)
                .with_durability(durability)
                .to(allowed);
        }),
        None => {
            transaction.differs = true;
            let _ = AllowedSecrets::builder(allowed)
                .durability(durability)
                .new(db);
        }
    }
    note
}
