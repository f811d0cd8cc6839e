//! Patterns of targets and filters: SQL `LIKE` if there is a `%`, a glob if there is a `*` or `?`,
//! else plain text.

use globset::{GlobBuilder, GlobMatcher};

use crate::answer::ApiError;

/// A parsed pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// With wildcards; matches whole texts. `*` also matches `.` and `/`.
    Wild(Wild),
    /// Without a wildcard.
    Plain(String),
}

/// A pattern with a wildcard.
#[derive(Clone, Debug)]
pub struct Wild {
    glob: GlobMatcher,
    /// The text before the first wildcard.
    head: String,
    /// The text after the last wildcard.
    tail: String,
}

impl Wild {
    /// Returns the text before the first wildcard.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Returns whether ids of a package could match at all.
    pub fn may_match_in_package(&self, package: &str) -> bool {
        self.head.starts_with(package) || package.starts_with(&self.head)
    }

    /// Returns whether the id of a declaration with this name could match at all.
    pub fn may_match_name(&self, name: &str) -> bool {
        let last = self.tail.rsplit(['.', '/']).next().unwrap_or(&self.tail);
        last.contains('#') || name.ends_with(last) || last.ends_with(name)
    }
}

impl Pattern {
    /// Parses a pattern; `field` is named in the error.
    pub fn parse(field: &str, text: &str) -> Result<Pattern, ApiError> {
        let text = text.trim();
        let (glob, wildcards) = if text.contains('%') {
            (glob_of_like(text), &['%', '_'][..])
        } else if text.contains(['*', '?']) {
            (text.to_owned(), &['*', '?', '[', ']', '{', '}', '\\'][..])
        } else {
            return Ok(Pattern::Plain(plain_path(text)));
        };
        let glob = GlobBuilder::new(&glob)
            .literal_separator(false)
            .backslash_escape(true)
            .build();
        match glob {
            Ok(glob) => Ok(Pattern::Wild(Wild {
                glob: glob.compile_matcher(),
                head: text.split(wildcards).next().unwrap_or("").to_owned(),
                tail: text.rsplit(wildcards).next().unwrap_or("").to_owned(),
            })),
            Err(error) => Err(ApiError::invalid_request(format!(
                "{field}: {text}: {}",
                error.kind()
            ))),
        }
    }

    /// Returns whether the whole text matches.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Pattern::Wild(wild) => wild.glob.is_match(text),
            Pattern::Plain(plain) => plain == text,
        }
    }

    /// Returns whether a filter matches a node: with wildcards by its file or id, else by a path
    /// prefix of its file or package.
    pub fn matches_node(&self, file: &str, id: &str, package: &str) -> bool {
        match self {
            Pattern::Wild(wild) => wild.glob.is_match(file) || wild.glob.is_match(id),
            Pattern::Plain(plain) => {
                plain.is_empty() || has_prefix(file, plain) || has_prefix(package, plain)
            }
        }
    }
}

/// Returns whether `path` is `prefix` or below it.
fn has_prefix(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns a path without leading `./` and trailing `/`.
pub fn plain_path(text: &str) -> String {
    let mut text = text.trim();
    while let Some(rest) = text.strip_prefix("./") {
        text = rest;
    }
    let text = match text {
        "." => "",
        text => text,
    };
    text.trim_end_matches('/').to_owned()
}

/// Converts a `LIKE` pattern to a glob: `%` is any text, `_` any one character.
fn glob_of_like(like: &str) -> String {
    let mut glob = String::with_capacity(like.len());
    for letter in like.chars() {
        match letter {
            '%' => glob.push('*'),
            '_' => glob.push('?'),
            '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | ',' => {
                glob.push('\\');
                glob.push(letter);
            }
            _ => glob.push(letter),
        }
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::parse("target", pattern).unwrap().matches(text)
    }

    #[test]
    fn like_wins_over_glob_and_takes_stars_literally() {
        assert!(matches("%.Close", "io.Closer.Close"));
        assert!(matches("io._loser%", "io.Closer.Close"));
        assert!(!matches("%*%", "io.Closer"));
        assert!(matches("%*%", "a*b"));
    }

    #[test]
    fn a_glob_stops_at_neither_dot_nor_slash() {
        assert!(matches("net/*", "net/http.Server.Close"));
        assert!(matches("*.Clos?", "net/http.Server.Close"));
        assert!(!matches("*.close", "net/http.Server.Close"));
    }

    #[test]
    fn an_underscore_is_a_wildcard_only_beside_a_percent_sign() {
        assert!(!matches("a_b*", "axbc"));
        assert!(matches("a_b%", "axbc"));
    }

    #[test]
    fn a_filter_without_wildcard_is_a_prefix_at_a_slash() {
        let scope = Pattern::parse("scope", "./internal/").unwrap();
        assert!(scope.matches_node("internal/a.go", "internal.F", "internal"));
        assert!(!scope.matches_node("internals/a.go", "internals.F", "internals"));
    }

    #[test]
    fn a_glob_that_cannot_be_read_names_its_field() {
        let error = Pattern::parse("scope", "a[*").unwrap_err();
        assert!(
            error.message.starts_with("scope: a[*: "),
            "{}",
            error.message
        );
    }
}
