//! The formats of an export: a file for each, and the list of them.
//!
//! To add a format, write a file with a `FORMAT`, and add its `mod` line and its entry in [`FORMATS`]
//! here. The flag `--format` of the command line follows.

mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod scip;
mod sqlite;

use crate::format::ExportFormat;

/// The formats; the first is the default.
pub const FORMATS: &[ExportFormat] = &[
    json::FORMAT,
    sqlite::FORMAT,
    scip::FORMAT,
    #[cfg(feature = "parquet")]
    parquet::FORMAT,
];

/// Returns the format with a name.
///
/// ```
/// assert!(codeweft_store::format_named("json").is_some());
/// ```
pub fn format_named(name: &str) -> Option<ExportFormat> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

#[cfg(test)]
mod tests {
    use super::FORMATS;

    #[test]
    fn no_two_formats_share_a_name() {
        let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        names.sort_unstable();
        assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
    }
}
