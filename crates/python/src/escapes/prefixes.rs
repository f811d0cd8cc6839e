//! The constant prefixes of names by which attributes are looked up: `visit_` of `"visit_" + kind`.

use codeweft_db::Db;

use super::computed::Lookup;

/// Returns the constant prefix of the name of a look-up; empty if it has none.
pub(super) fn prefix_of<'a>(db: &'a dyn Db, site: &Lookup) -> &'a str {
    let start = site.start;
    start.map_or("", |start| db.shared().names.text(start))
}

/// Returns the constant prefix that a text gives the name of the look-up at an offset; empty if it gives none.
pub(super) fn text_prefix(text: &str, at: u32) -> &str {
    match formatted_prefix(text, at) {
        "" => prefix_of_variable(text, at).unwrap_or(""),
        prefix => prefix,
    }
}

/// Returns the prefix of the formatted literal that is the second argument of the call at an offset:
/// `visit_` of `getattr(self, f"visit_{kind}")`.
fn formatted_prefix(text: &str, at: u32) -> &str {
    const LONGEST: usize = 200;
    let rest = text.get(at as usize..).unwrap_or("");
    let Some((callee, arguments)) = rest.split_once('(') else {
        return "";
    };
    let in_callee = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let Some((first, second)) = arguments.split_once(',') else {
        return "";
    };
    if !callee.chars().all(in_callee) || !first.chars().all(in_callee) || first.len() > LONGEST {
        return "";
    }
    prefix_of_literal(second.trim_start())
}

/// Returns the prefix of the formatted literal that a text begins with.
fn prefix_of_literal(text: &str) -> &str {
    let literal = text.strip_prefix(['f', 'F']);
    let content = literal.and_then(|literal| literal.strip_prefix(['"', '\'']));
    content.map_or("", |content| {
        let end = content.find(|letter: char| !in_word(letter));
        let end =
            end.filter(|&end| content[end..].starts_with('{') && !content[end..].starts_with("{{"));
        end.map_or("", |end| &content[..end])
    })
}

/// Returns whether a letter may be in a name.
pub(super) fn in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the prefix of the formatted literal in the variable that is the second argument of the call at an offset, if the
/// function has that variable nowhere else: `visit_` of `name = f"visit_{kind}"` and `getattr(self, name.lower())`.
fn prefix_of_variable(text: &str, at: u32) -> Option<&str> {
    let (before, call) = text.split_at_checked(at as usize)?;
    let (_, arguments) = call.split_once('(')?;
    let (first, second) = arguments.split_once(',')?;
    let second = second.trim_start();
    let (variable, rest) = second.split_at(second.find(|letter| !in_word(letter))?);
    let is_simple = first.chars().all(|letter| in_word(letter) || letter == '.');
    let cases = [".lower()", ".upper()"];
    let case = cases.iter().find(|case| rest.starts_with(**case));
    let rest = case.map_or(rest, |case| &rest[case.len()..]);
    if !is_simple || variable.is_empty() || !rest.starts_with([',', ')']) {
        return None;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = before.rsplit('\n').next().map_or(0, indent);
    let mut start = before.len();
    let header = before.rsplit('\n').find(|line| {
        start = start.saturating_sub(line.len() + 1);
        let is_inner = !line.trim().is_empty() && indent(line) < own;
        is_inner
            && ["def ", "async def "]
                .iter()
                .any(|word| line.trim_start().starts_with(word))
    })?;
    let around = indent(header);
    let is_after = |line: &&str| !line.trim().is_empty() && indent(line) <= around;
    let after = call.split('\n').skip(1).find(is_after);
    let end = after.map_or(text.len(), |line| {
        line.as_ptr() as usize - text.as_ptr() as usize
    });
    let function = text.get(start..end)?;
    let words = function.split(|letter| !in_word(letter));
    if words.filter(|word| *word == variable).count() != 2 {
        return None;
    }
    let mut lines = function.split('\n').map(str::trim_start);
    let bound = lines.find_map(|line| line.strip_prefix(variable)?.strip_prefix(" = "))?;
    let prefix = prefix_of_literal(bound);
    let is_same = |letter: char| match case {
        Some(&".lower()") => letter.is_ascii() && !letter.is_ascii_uppercase(),
        Some(_) => letter.is_ascii() && !letter.is_ascii_lowercase(),
        None => true,
    };
    prefix.chars().all(is_same).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::{formatted_prefix, prefix_of_variable};

    #[test]
    fn the_prefix_of_a_formatted_variable_is_read_where_that_is_bound_alone() {
        for (body, prefix) in [
            ("n = f'visit_{k}'\n    getattr(self, n)", Some("visit_")),
            (
                "n = f'visit_{k}'\n    getattr(self, n.lower(), None)",
                Some("visit_"),
            ),
            ("n = f'Visit_{k}'\n    getattr(self, n.lower())", None),
            ("n = f'visit_{k}'\n    n += k\n    getattr(self, n)", None),
            ("n = k\n    getattr(self, n)", Some("")),
            ("n = f'visit_{k}'\n    getattr(self, n.strip())", None),
            (
                "if k:\n        n = f'visit_{k}'\n    getattr(self, n)",
                Some("visit_"),
            ),
        ] {
            let text =
                format!("def other(n):\n    pass\n\ndef f(k):\n    {body}\n\ndef g(n):\n    n\n");
            let at = text.find("getattr").and_then(|at| u32::try_from(at).ok());
            assert_eq!(prefix_of_variable(&text, at.unwrap_or(0)), prefix, "{body}");
        }
    }

    #[test]
    fn the_prefix_of_a_formatted_name_is_read_from_the_call() {
        for (text, prefix) in [
            ("getattr(self, f\"visit_{kind}\")", "visit_"),
            ("getattr(self.x, F'on_{a}_{b}', None)", "on_"),
            ("getattr(self, f\"{kind}_visit\")", ""),
            ("getattr(self, f\"a {kind}\")", ""),
            ("getattr(self, f\"a{{{kind}\")", ""),
            ("getattr(self, name)", ""),
            ("getattr(f(1, 2), f\"a_{b}\")", ""),
        ] {
            assert_eq!(formatted_prefix(text, 0), prefix, "{text}");
        }
    }
}
