//! What decides what code does beside its text: the release of the interpreter, and the frameworks that are known.

use std::sync::Arc;

use codeweft_db::{Configuration, Db};
use codeweft_python_syntax::{Guard, PYTHON};

use crate::frameworks::Frameworks;
use crate::project::version::Version;

/// The settings that all answers of Python hold under.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PythonSettings {
    /// The release of the interpreter; `None` if no folder or file says it.
    pub version: Option<Version>,
    /// The frameworks that functions are registered with.
    pub frameworks: Arc<Frameworks>,
}

impl PythonSettings {
    /// Returns the settings as the part of a layout.
    pub(crate) fn part(self) -> Arc<Configuration> {
        Arc::new(Configuration::new(self))
    }
}

fn settings(db: &dyn Db) -> Option<&PythonSettings> {
    db.shared().configuration(PYTHON)?.value(db).downcast()
}

/// Returns the release of the interpreter, if it is known.
pub(crate) fn version(db: &dyn Db) -> Option<Version> {
    settings(db)?.version
}

/// Returns the frameworks that functions are registered with.
pub(crate) fn frameworks(db: &dyn Db) -> Arc<Frameworks> {
    settings(db).map_or_else(Arc::default, |settings| settings.frameworks.clone())
}

/// Returns whether code under a guard does not run in a release.
pub(crate) fn never_runs(guard: Guard, version: Version) -> bool {
    let from = |minor: u16| Version {
        major: 3,
        minor: minor.into(),
    };
    match guard {
        Guard::Since(minor) => version < from(minor),
        Guard::Before(minor) => version >= from(minor),
        _ => false,
    }
}
