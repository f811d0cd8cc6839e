//! The folders of the client's workspace, and which server serves a path.
//!
//! ```text
//! folder /w/a   root /w/a   server 0      /w/a/x.go    0   its folder
//! folder /w/b   root /w     server 1      /w/b/x.go    1   its folder
//! folder /w/c   root /w     server 1      /w/d/x.go    1   below its root
//!                                         /lib/x.go    -   of none
//! ```

/// The folders of the client's workspace. Folders with one root have one server.
#[derive(Default)]
pub(super) struct WorkspaceFolders {
    folders: Vec<WorkspaceFolder>,
}

struct WorkspaceFolder {
    /// As the client names it: absolute, normalised.
    path: String,
    /// The root that the folder leads to, canonical.
    root: String,
    server: usize,
}

impl WorkspaceFolders {
    /// Returns the server of the folders with this root.
    pub(super) fn of_root(&self, root: &str) -> Option<usize> {
        let folder = self.folders.iter().find(|folder| folder.root == root)?;
        Some(folder.server)
    }

    /// Adds a folder; one that is there already is replaced.
    pub(super) fn add(&mut self, path: String, root: String, server: usize) {
        self.folders.retain(|folder| folder.path != path);
        self.folders.push(WorkspaceFolder { path, root, server });
    }

    /// Removes a folder. Returns its server if no other folder has it.
    pub(super) fn remove(&mut self, path: &str) -> Option<usize> {
        let at = self.folders.iter().position(|folder| folder.path == path)?;
        let server = self.folders.remove(at).server;
        let mut left = self.folders.iter();
        left.all(|folder| folder.server != server).then_some(server)
    }

    /// Returns the server of a path: that of the innermost folder, or root of one, around it. `None`
    /// if it is in none.
    pub(super) fn server_of(&self, path: &str) -> Option<usize> {
        let around = self.paths().filter(|(around, _)| is_below(path, around));
        let innermost = around.max_by_key(|(around, _)| around.len());
        innermost.map(|(_, server)| server)
    }

    /// Returns the servers whose folder or root is around a path, each once.
    pub(super) fn servers_around(&self, path: &str) -> Vec<usize> {
        let around = self.paths().filter(|(around, _)| is_below(path, around));
        let mut servers: Vec<usize> = around.map(|(_, server)| server).collect();
        servers.sort_unstable();
        servers.dedup();
        servers
    }

    /// Returns the folders and their roots. A folder wins over an equal root: it comes last.
    fn paths(&self) -> impl Iterator<Item = (&str, usize)> {
        let folders = self.folders.iter();
        let roots = folders
            .clone()
            .map(|folder| (folder.root.as_str(), folder.server));
        roots.chain(folders.map(|folder| (folder.path.as_str(), folder.server)))
    }
}

/// Returns whether a path is a folder or below it.
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_served_by_the_innermost_folder_or_root_around_it() {
        let mut folders = WorkspaceFolders::default();
        for (path, root, server) in [
            ("/w/a", "/w/a", 0),
            ("/w/b", "/w", 1),
            ("/w/b/in", "/w/b/in", 2),
            ("/w/c", "/w", 1),
        ] {
            folders.add(path.to_owned(), root.to_owned(), server);
        }
        assert_eq!(folders.of_root("/w"), Some(1));
        assert_eq!(folders.server_of("/w/a/x.go"), Some(0));
        assert_eq!(folders.server_of("/w/ab/x.go"), Some(1));
        assert_eq!(folders.server_of("/w/b/x.go"), Some(1));
        assert_eq!(folders.server_of("/w/b/in/x.go"), Some(2));
        assert_eq!(folders.server_of("/lib/x.go"), None);
        assert_eq!(folders.servers_around("/w/b/in/x.go"), [1, 2]);
        assert_eq!(folders.remove("/w/b"), None);
        assert_eq!(folders.remove("/w/nothing"), None);
        assert_eq!(folders.remove("/w/b/in"), Some(2));
        assert_eq!(folders.remove("/w/c"), Some(1));
        assert_eq!(folders.server_of("/w/b/in/x.go"), None);
    }
}
