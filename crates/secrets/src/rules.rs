//! The rules of `rules.toml`, compiled.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use memchr::memmem::Finder;
use regex::bytes::Regex;
use rustc_hash::FxHashSet;
use serde::Deserialize;

/// The rules of this crate.
pub(crate) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let written: Written = toml::from_str(include_str!("../rules.toml"))
        .expect("the crate's own rules are well-formed");
    compile(written).expect("the crate's own patterns are well-formed")
});

/// A pattern of the crate's own, compiled where a keyword of it is met first: together they take some 10 MB, and few texts have
/// more than a handful of their keywords.
pub(crate) type Pattern = LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>;

/// The rules. The automata of words are compiled.
pub(crate) struct Rules {
    /// Finds the keywords of all rules.
    pub(crate) keywords: AhoCorasick,
    /// The rule of each keyword.
    pub(crate) rule_of: Vec<Rule>,
    /// The keywords as they are written.
    pub(crate) written: Vec<String>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) assigned: Vec<Assigned>,
    /// From behind a keyword: a literal that is assigned to the name.
    pub(crate) quoted: Pattern,
    /// From behind a keyword in a literal: the next argument.
    pub(crate) argument: Pattern,
    /// From behind a keyword: a value without quotes.
    pub(crate) plain: Pattern,
    pub(crate) entropy: Entropy,
    /// Finds what placeholders have.
    pub(crate) placeholders: AhoCorasick,
    /// Finds what values of tests and examples have.
    pub(crate) of_tests: AhoCorasick,
    /// Finds what templates, patterns and addresses have.
    pub(crate) references: AhoCorasick,
    /// See `[names]`.
    pub(crate) ends: FxHashSet<String>,
    /// See `[names]`.
    pub(crate) secret: Vec<String>,
    /// See `[names]`.
    pub(crate) public: FxHashSet<String>,
    /// See `[names]`.
    pub(crate) general: FxHashSet<String>,
    files: FileGlobs,
}

/// Which rule a keyword is of, by its number.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Token(usize),
    Assigned(usize),
}

/// A format of secrets.
pub(crate) struct Token {
    pub(crate) name: &'static str,
    pub(crate) pattern: Pattern,
    /// What must end where the keyword begins.
    pub(crate) before: Option<Pattern>,
    /// What ends it behind the pattern.
    pub(crate) until: Option<Finder<'static>>,
    pub(crate) in_word: bool,
    pub(crate) any_case: bool,
    /// Whether people choose the value, so that words are none.
    pub(crate) is_password: bool,
}

/// Names that secrets are assigned to.
pub(crate) struct Assigned {
    pub(crate) name: &'static str,
    pub(crate) minimum: usize,
}

/// See `[entropy]`.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entropy {
    pub(crate) base64: usize,
    pub(crate) hexadecimal: usize,
    pub(crate) most_in_file: usize,
}

/// What the path of a file says of its text.
pub(crate) struct FileRules {
    /// Whether values need no quotes.
    pub(crate) plain: bool,
    /// Whether assigned and random values are no secrets.
    pub(crate) only_tokens: bool,
    /// Whether it is of tests.
    pub(crate) is_test: bool,
}

struct FileGlobs {
    plain: GlobSet,
    only_tokens: GlobSet,
    tests: GlobSet,
}

impl Rules {
    /// Returns what a path says.
    pub(crate) fn file(&self, path: &str) -> FileRules {
        let name = path.rsplit('/').next().unwrap_or(path);
        // Globs of folders have `/` on both sides.
        let rooted = format!("/{path}");
        let fits = |globs: &GlobSet| globs.is_match(name) || globs.is_match(&rooted);
        FileRules {
            plain: fits(&self.files.plain),
            only_tokens: fits(&self.files.only_tokens),
            is_test: fits(&self.files.tests),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    token: Vec<WrittenToken>,
    assigned: Vec<WrittenAssigned>,
    forms: Forms,
    entropy: Entropy,
    values: Values,
    names: Names,
    files: Files,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenToken {
    name: String,
    keywords: Vec<String>,
    pattern: String,
    before: Option<String>,
    until: Option<String>,
    #[serde(default)]
    in_word: bool,
    #[serde(default)]
    any_case: bool,
    #[serde(default)]
    is_password: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAssigned {
    name: String,
    keywords: Vec<String>,
    minimum: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forms {
    quoted_name: String,
    plain_name: String,
    assigns: String,
    argument: String,
    literals: Vec<String>,
    plain: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    placeholders: Vec<String>,
    of_tests: Vec<String>,
    references: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    ends: Vec<String>,
    secret: Vec<String>,
    public: Vec<String>,
    general: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Files {
    plain: Vec<String>,
    only_tokens: Vec<String>,
    tests: Vec<String>,
}

/// A rule that is not well-formed.
type Malformed = Box<dyn std::error::Error + Send + Sync>;

fn compile(written: Written) -> Result<Rules, Malformed> {
    let mut keywords = Vec::new();
    let mut rule_of = Vec::new();
    let mut tokens = Vec::new();
    for (number, token) in written.token.into_iter().enumerate() {
        rule_of.extend(token.keywords.iter().map(|_| Rule::Token(number)));
        keywords.extend(token.keywords);
        let before = token
            .before
            .map(|before| pattern(format!("(?-u)(?:{before})\\z")));
        tokens.push(Token {
            name: token.name.leak(),
            pattern: anchored(&token.pattern),
            before,
            until: token.until.map(|until| Finder::new(&until).into_owned()),
            in_word: token.in_word,
            any_case: token.any_case,
            is_password: token.is_password,
        });
    }
    let mut assigned = Vec::new();
    for (number, one) in written.assigned.into_iter().enumerate() {
        rule_of.extend(one.keywords.iter().map(|_| Rule::Assigned(number)));
        keywords.extend(one.keywords);
        assigned.push(Assigned {
            name: one.name.leak(),
            minimum: one.minimum,
        });
    }
    let forms = written.forms;
    // Alternatives may not share the name of a group: the values are distinguished by number.
    let literals = forms.literals.join("|").replace("?P<value>", "");
    Ok(Rules {
        keywords: automaton(&keywords)?,
        rule_of,
        written: keywords,
        tokens,
        assigned,
        quoted: anchored(&format!(
            "{}(?:{})(?:{literals})",
            forms.quoted_name, forms.assigns
        )),
        argument: anchored(&format!(
            "{}(?:{})(?:{literals})",
            forms.quoted_name, forms.argument
        )),
        plain: anchored(&format!("(?m){}(?:{})", forms.plain_name, forms.plain)),
        entropy: written.entropy,
        placeholders: automaton(&written.values.placeholders)?,
        of_tests: automaton(&written.values.of_tests)?,
        references: automaton(&written.values.references)?,
        ends: written.names.ends.into_iter().collect(),
        secret: written.names.secret,
        public: written.names.public.into_iter().collect(),
        general: written.names.general.into_iter().collect(),
        files: FileGlobs {
            plain: globs(&written.files.plain)?,
            only_tokens: globs(&written.files.only_tokens)?,
            tests: globs(&written.files.tests)?,
        },
    })
}

/// Returns an automaton of words in any case. One transition a byte, whatever the text.
fn automaton(words: &[String]) -> Result<AhoCorasick, Malformed> {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true);
    builder.kind(Some(AhoCorasickKind::DFA));
    Ok(builder.build(words)?)
}

fn anchored(written: &str) -> Pattern {
    pattern(format!("\\A(?:{written})"))
}

fn pattern(written: String) -> Pattern {
    LazyLock::new(Box::new(move || {
        Regex::new(&written).expect("the crate's own patterns are well-formed")
    }))
}

fn globs(patterns: &[String]) -> Result<GlobSet, Malformed> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).case_insensitive(true).build()?);
    }
    Ok(set.build()?)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::RULES;

    #[test]
    fn every_pattern_is_well_formed() {
        let patterns = RULES.tokens.iter().flat_map(|token| {
            let before = token.before.as_ref();
            std::iter::once(&token.pattern).chain(before)
        });
        let forms = [&RULES.quoted, &RULES.argument, &RULES.plain];
        let mut compiled = 0;
        for pattern in patterns.chain(forms) {
            LazyLock::force(pattern);
            compiled += 1;
        }
        assert!(compiled > RULES.tokens.len(), "{compiled} patterns");
    }
}
