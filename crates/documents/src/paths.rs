//! Paths of documents that name others.

/// Returns a path with `/` below a folder, without `.` and `..`; `..` above the root is dropped. A folder that begins with `/`
/// gives a path that does.
///
/// ```
/// assert_eq!(codeweft_documents::joined("api/v1", "../common.json"), "api/common.json");
/// ```
pub fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if folder.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
