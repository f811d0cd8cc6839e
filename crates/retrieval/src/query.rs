//! What a client sends to be ranked by.

/// By which formula files are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Linear terms over text, structure, imports and history, with the weights that measured best.
    #[default]
    Measured,
    /// Names, full text and calls joined by reciprocal rank, as the program Codegrapher does.
    Codegrapher,
}

/// A text that files are ranked by.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetrievalQuery<'a> {
    /// The text: an issue, a task, a question, a name.
    pub text: &'a str,
    /// The file that the client has before it, from the workspace's root. It lifts its neighbours and removes nothing.
    pub cursor_file: Option<&'a str>,
    /// Whether test files are ranked among the others.
    pub include_tests: bool,
    /// The formula.
    pub profile: Profile,
    /// Whether the parts of each score are listed, those that are zero too.
    pub explain: bool,
}
