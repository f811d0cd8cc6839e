//! The location of the standard library and its release, found without running Go.

use super::env::{Environment, LIST_SEPARATOR};
use super::paths::{join, last, parent};
use super::tree::CachedFileSystem;
use super::versions::{compare, minor_release};

/// The release that is assumed if there is no standard library.
const NEWEST_KNOWN: u32 = 26;

/// A GOROOT.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Goroot {
    /// The folder `src`, absolute.
    pub(super) src: String,
    /// The minor release: 26 of go1.26.
    pub(super) release: u32,
}

/// Returns the release that the tags `go1.N` follow.
pub(super) fn release(goroot: Option<&Goroot>) -> u32 {
    goroot.map_or(NEWEST_KNOWN, |goroot| goroot.release)
}

/// Returns the GOROOT that a workspace is in or contains: its modules `std` and `cmd` are its own
/// library.
pub(super) fn own(tree: &CachedFileSystem<'_>, root: &str) -> Option<Goroot> {
    let nearest = std::iter::successors(Some(root), |dir| parent(dir))
        .find_map(|dir| Some((dir, tree.go_mod(dir)?)));
    if let Some((dir, file)) = nearest {
        let src = match file.module.as_str() {
            "std" => Some(dir),
            "cmd" => parent(dir),
            _ => None,
        };
        if let Some(src) = src.filter(|src| last(src) == "src") {
            return at(tree, parent(src)?);
        }
    }
    let below = join(root, "src");
    let file = tree.go_mod(&below)?;
    (file.module == "std").then(|| at(tree, root)).flatten()
}

/// Returns the GOROOT of any other workspace: the setting `goroot`, GOROOT, the folder of the `go`
/// on PATH with links resolved, then the usual locations, the newest release first.
///
/// # Errors Returns the folder of the setting if that is no GOROOT: a guess does not replace it.
pub(super) fn find(
    tree: &CachedFileSystem<'_>,
    env: &Environment<'_>,
) -> Result<Option<Goroot>, String> {
    if let Some(folder) = env.setting("goroot") {
        let folder = folder.replace('\\', "/");
        let folder = folder.trim_end_matches('/');
        return at(tree, folder).map(Some).ok_or(folder.to_owned());
    }
    let named = env.variable("GOROOT").map(|dir| dir.replace('\\', "/"));
    let on_path = || {
        let path = env.variable("PATH")?;
        path.split(LIST_SEPARATOR)
            .filter_map(of_binary)
            .find_map(|folder| at(tree, &folder))
    };
    let versioned = |folder: &str, prefix: &str| {
        let mut names: Vec<String> = tree
            .reader
            .list(folder)
            .into_iter()
            .filter_map(|name| name.strip_suffix('/').map(str::to_owned))
            .filter(|name| name.starts_with(prefix))
            .collect();
        let version = |name: &str| format!("v{}", &name[prefix.len()..]);
        names.sort_by(|a, b| compare(&version(b), &version(a)).then_with(|| b.cmp(a)));
        names
            .iter()
            .find_map(|name| at(tree, &format!("{folder}/{name}")))
    };
    Ok(named
        .and_then(|folder| at(tree, folder.trim_end_matches('/')))
        .or_else(on_path)
        .or_else(|| at(tree, "/usr/local/go"))
        .or_else(|| at(tree, "/usr/lib/go"))
        .or_else(|| versioned("/usr/lib", "go-"))
        .or_else(|| versioned(&join(&env.home()?, "sdk"), "go")))
}

/// Returns the GOROOT of the `go` in a folder of PATH. The only access to the disk besides the
/// [`codeweft_db::FileSystem`], which cannot resolve links.
fn of_binary(folder: &str) -> Option<String> {
    let name = if cfg!(windows) { "go.exe" } else { "go" };
    let binary = std::fs::canonicalize(std::path::Path::new(folder).join(name)).ok()?;
    let binary = binary.to_str()?.replace('\\', "/");
    parent(parent(&binary)?).map(str::to_owned)
}

/// Returns a folder as a GOROOT, if it is one. Its release is in `VERSION` (`go1.26.8`); a checkout
/// of the repository has only the constant of `internal/goversion`.
fn at(tree: &CachedFileSystem<'_>, folder: &str) -> Option<Goroot> {
    let src = join(folder, "src");
    let of_version = || minor_release(tree.reader.read(&join(folder, "VERSION"))?.lines().next()?);
    let of_source = || {
        let text = tree
            .reader
            .read(&join(&src, "internal/goversion/goversion.go"))?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("const Version = "))?;
        line.trim().parse().ok()
    };
    let release = of_version().or_else(of_source)?;
    tree.is_folder(&src).then_some(Goroot { src, release })
}
