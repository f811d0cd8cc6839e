//! Callers of functions that no text shows and that are known all the same.

/// A caller of a function that is no site: an answer about the callers says it in words, and it leaves nothing open.
///
/// ```toml
/// [project.scripts]
/// shop = "shop.cli:main"       # EntryPoint, of shop.cli.main
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OutsideCaller {
    /// A test runner calls it by its name.
    TestRunner,
    /// A project names it as an entry point.
    EntryPoint,
    /// A framework calls it, which a decorator or a call registers it with.
    Framework,
}

impl OutsideCaller {
    /// All of them, in the order of the words.
    pub const ALL: [OutsideCaller; 3] = [
        OutsideCaller::TestRunner,
        OutsideCaller::EntryPoint,
        OutsideCaller::Framework,
    ];

    /// Returns what a verdict says of it.
    pub fn words(self) -> &'static str {
        match self {
            OutsideCaller::TestRunner => "a test runner calls it by its name",
            OutsideCaller::EntryPoint => "it runs as an entry point of the project",
            OutsideCaller::Framework => "a framework calls it, which it is registered with",
        }
    }
}
