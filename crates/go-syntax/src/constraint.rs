//! Parses build constraints (`go help buildconstraint`; packages `go/build` and
//! `go/build/constraint`).

use super::ir::Constraint;

/// Maximum number of operators, as in `go/build/constraint`; a longer expression is malformed.
const MAX_OPERATORS: usize = 1000;

/// Returns the build constraint above the package clause of a file.
///
/// `//go:build` may be on any comment line there and takes precedence. Without it, all `// +build`
/// lines count that are followed by a blank line before the first line that is no comment.
///
/// ```go
/// //go:build linux && (amd64 || !cgo)    // And(linux, Or(amd64, Not(cgo)))
///
/// // +build linux,amd64 darwin           // Or(And(linux, amd64), darwin)
/// ```
pub(super) fn of_header(text: &str) -> Option<Constraint> {
    let mut blank_seen_at = 0;
    let mut ended = false;
    let mut in_block = false;
    let mut at = 0;
    'lines: for full in text.split_inclusive('\n') {
        at += full.len();
        let mut line = full.trim();
        if line.is_empty() && !ended {
            blank_seen_at = at;
            continue;
        }
        ended |= !line.starts_with("//");
        if !in_block && let Some(expression) = go_build(line) {
            return parse_expression(expression);
        }
        while !line.is_empty() {
            if in_block {
                let Some((_, rest)) = line.split_once("*/") else {
                    continue 'lines;
                };
                in_block = false;
                line = rest.trim();
            } else if line.starts_with("//") {
                continue 'lines;
            } else if let Some(rest) = line.strip_prefix("/*") {
                in_block = true;
                line = rest.trim();
            } else {
                break 'lines;
            }
        }
    }
    let lines = text[..blank_seen_at]
        .lines()
        .filter_map(|line| plus_build(line.trim()));
    lines
        .map(parse_options)
        .take(MAX_OPERATORS)
        .reduce(|all, line| Constraint::And(Box::new(all), Box::new(line)))
}

/// Returns the text after `//go:build` and a space.
fn go_build(line: &str) -> Option<&str> {
    after_word(line.strip_prefix("//go:build")?)
}

/// Returns the text after `// +build` and a space.
fn plus_build(line: &str) -> Option<&str> {
    after_word(
        line.strip_prefix("//")?
            .trim_start()
            .strip_prefix("+build")?,
    )
}

fn after_word(rest: &str) -> Option<&str> {
    let trimmed = rest.trim();
    (rest.is_empty() || trimmed.len() < rest.len()).then_some(trimmed)
}

/// Parses the options of a `// +build` line: a space is `or`, a comma is `and`. An invalid tag
/// becomes a tag that never holds.
fn parse_options(line: &str) -> Constraint {
    let ignore = || Constraint::Tag("ignore".into());
    let option = |word: &str| {
        if word == "!" || word.starts_with("!!") {
            return ignore();
        }
        let (negated, name) = match word.strip_prefix('!') {
            Some(name) => (true, name),
            None => (false, word),
        };
        let tag = if !name.is_empty() && name.chars().all(is_tag_char) {
            Constraint::Tag(name.into())
        } else {
            ignore()
        };
        if negated {
            Constraint::Not(Box::new(tag))
        } else {
            tag
        }
    };
    let clause = |clause: &str| {
        clause
            .split(',')
            .map(option)
            .take(MAX_OPERATORS)
            .reduce(|all, one| Constraint::And(Box::new(all), Box::new(one)))
            .unwrap_or_else(ignore)
    };
    line.split_whitespace()
        .map(clause)
        .take(MAX_OPERATORS)
        .reduce(|all, one| Constraint::Or(Box::new(all), Box::new(one)))
        .unwrap_or_else(ignore)
}

fn is_tag_char(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '.'
}

/// Parses a `//go:build` expression; `None` if it is malformed or too complex.
fn parse_expression(text: &str) -> Option<Constraint> {
    let mut parser = Parser {
        rest: text,
        operators: 0,
    };
    let parsed = parser.or()?;
    parser.rest.trim_start().is_empty().then_some(parsed)
}

struct Parser<'t> {
    rest: &'t str,
    operators: usize,
}

impl Parser<'_> {
    /// Consumes a token if it comes next.
    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn count(&mut self) -> Option<()> {
        self.operators += 1;
        (self.operators <= MAX_OPERATORS).then_some(())
    }

    fn or(&mut self) -> Option<Constraint> {
        let mut left = self.and()?;
        while self.take("||") {
            self.count()?;
            left = Constraint::Or(Box::new(left), Box::new(self.and()?));
        }
        Some(left)
    }

    fn and(&mut self) -> Option<Constraint> {
        let mut left = self.not()?;
        while self.take("&&") {
            self.count()?;
            left = Constraint::And(Box::new(left), Box::new(self.not()?));
        }
        Some(left)
    }

    /// `!!x` is malformed, as in `go/build/constraint`.
    fn not(&mut self) -> Option<Constraint> {
        if !self.take("!") {
            return self.atom();
        }
        self.count()?;
        if self.take("!") {
            return None;
        }
        Some(Constraint::Not(Box::new(self.atom()?)))
    }

    fn atom(&mut self) -> Option<Constraint> {
        if self.take("(") {
            self.count()?;
            let inner = self.or()?;
            return self.take(")").then_some(inner);
        }
        let len = self
            .rest
            .find(|char| !is_tag_char(char))
            .unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(len);
        self.rest = rest;
        (!tag.is_empty()).then(|| Constraint::Tag(tag.into()))
    }
}
