//! Tests of the names of look-ups, before these: a name that fails one is not looked up.
//!
//! ```python
//! for key in dir(settings):
//!     if key.isupper():
//!         self[key] = getattr(settings, key)                                    # upper-case names alone
//! {n: getattr(module, n) for n in dir(module) if not n.startswith("_")}    # names without the prefix
//! ```

use super::prefixes::in_word;

/// The longest text that is looked through on a side of a look-up.
const LONGEST: usize = 400;

/// Returns whether a name passes the tests that the text has of the variable which the call of `getattr` at an offset looks up.
pub(super) fn passes(name: &str, text: &str, at: u32) -> bool {
    let Some((before, call)) = text.split_at_checked(at as usize) else {
        return true;
    };
    let Some((variable, after)) = looked_up(call) else {
        return true;
    };
    let of_comprehension = comprehension_tests(after, variable);
    let tests = of_comprehension.or_else(|| block_test(before, variable));
    let mut each = tests.into_iter().flat_map(|tests| tests.split(" and "));
    each.all(|test| may_pass(name, test.trim(), variable))
}

/// Returns whether a text has a word, on whatever line.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter| !in_word(letter)).any(|one| one == word)
}

/// Returns the variable that is the second argument of a call of `getattr`, and the text after the call.
fn looked_up(call: &str) -> Option<(&str, &str)> {
    let arguments = call.strip_prefix("getattr(")?;
    let (object, rest) = arguments.split_once(',')?;
    let is_simple = object
        .chars()
        .all(|letter| in_word(letter) || letter == '.');
    let rest = rest.trim_start();
    let end = rest.find(|letter| !in_word(letter))?;
    let (variable, rest) = rest.split_at(end);
    let after = match rest.strip_prefix(')') {
        Some(after) => after,
        // The default of the look-up.
        None => {
            let (default, after) = rest.strip_prefix(',')?.split_once(')')?;
            let is_simple = |letter| in_word(letter) || letter == ' ';
            default.chars().all(is_simple).then_some(after)?
        }
    };
    (is_simple && !variable.is_empty()).then_some((variable, after))
}

/// Returns the tests of a comprehension of one loop over the variable, if the text after the look-up, its element, is that.
fn comprehension_tests<'t>(after: &'t str, variable: &str) -> Option<&'t str> {
    let rest = after.trim_start().strip_prefix("for ")?.trim_start();
    let rest = rest.strip_prefix(variable)?.strip_prefix(" in ")?;
    let mut depth = 0;
    let end = rest.char_indices().take(LONGEST).find(|&(_, letter)| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0
    });
    let (loop_over, tests) = rest[..end?.0].split_once(" if ")?;
    let is_one = !has_word(loop_over, "for") && !has_word(tests, "for");
    (is_one && !has_word(tests, "if") && !has_word(tests, "or")).then_some(tests)
}

/// Returns the test of the `if` statement whose block begins with the statement of the look-up.
fn block_test<'t>(before: &'t str, variable: &str) -> Option<&'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (above, own) = before.rsplit_once('\n')?;
    let line = above.rsplit('\n').next()?;
    let test = line.trim().strip_prefix("if ")?.strip_suffix(':')?;
    // The statement binds the variable neither before the look-up nor in brackets around that.
    let depth = own.chars().map(|letter| match letter {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    });
    let words = || own.split(|letter| !in_word(letter));
    let is_bound = words().any(|word| matches!(word, "for" | "lambda"))
        || words().find(|word| !word.is_empty()) == Some(variable)
        || depth.sum::<i32>() != 0;
    let is_fitting = indent(line) < indent(own) && !has_word(test, "or");
    (is_fitting && !is_bound).then_some(test)
}

/// Returns whether a name may pass a test of a variable; true for a test that is not known.
fn may_pass(name: &str, test: &str, variable: &str) -> bool {
    let (is_negated, test) = match test.strip_prefix("not ") {
        Some(test) => (true, test.trim_start()),
        None => (false, test),
    };
    let call = test
        .strip_prefix(variable)
        .and_then(|rest| rest.strip_prefix('.'));
    let Some(call) = call else {
        return true;
    };
    let literal = |method: &str| {
        let argument = call
            .strip_prefix(method)?
            .strip_prefix('(')?
            .strip_suffix(')')?;
        let inner = argument
            .strip_prefix(['"', '\''])?
            .strip_suffix(['"', '\''])?;
        inner.chars().all(in_word).then_some(inner)
    };
    if call == "isupper()" {
        let is_upper =
            name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        return is_upper != is_negated;
    }
    if let Some(prefix) = literal("startswith") {
        return name.starts_with(prefix) != is_negated;
    }
    match literal("endswith") {
        Some(suffix) => name.ends_with(suffix) != is_negated,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn a_name_that_fails_the_test_of_its_variable_is_not_looked_up() {
        for (text, passing) in [
            ("{k: getattr(o.p, k) for k in dir(o) if k.isupper()}", "A"),
            (
                "[getattr(o, k, None) for k in dir(o) if not k.startswith('_')]",
                "A go go_on",
            ),
            (
                "[getattr(o, k) for k in f(o) if k.endswith(\"_on\") and k.x()]",
                "go_on",
            ),
            (
                "[getattr(o, k) for k in dir(o) if not k.isupper()]",
                "go _go go_on",
            ),
            (
                "[getattr(o, k) for k in dir(o) if k.isupper() or x]",
                "A go _go go_on",
            ),
            (
                "[getattr(o, k) for k in dir(o) if k.isupper() and x or\n y]",
                "A go _go go_on",
            ),
            (
                "[getattr(o, k) for k in dir(o) for o in p if k.isupper()]",
                "A go _go go_on",
            ),
            (
                "[getattr(o, k) for o in p if k.isupper()]",
                "A go _go go_on",
            ),
            (
                "[getattr(o, k) for k in dir(o) if j.isupper()]",
                "A go _go go_on",
            ),
            (
                "for k in p:\n  if k.isupper():\n    x[k] = getattr(o, k)\n",
                "A",
            ),
            (
                "  if k.startswith('go'):\n    k = getattr(o, k)\n",
                "A go _go go_on",
            ),
            (
                "  if k.startswith('go'):\n    x = getattr(o, k)\n",
                "go go_on",
            ),
            (
                "  if k.isupper():\n    pass\n  x = getattr(o, k)\n",
                "A go _go go_on",
            ),
            (
                "  if k.isupper():\n    for k in p: getattr(o, k)\n",
                "A go _go go_on",
            ),
            (
                "  if k.isupper():\n    pass\n  else:\n    getattr(o, k)\n",
                "A go _go go_on",
            ),
        ] {
            let at = text.find("getattr").and_then(|at| u32::try_from(at).ok());
            let names = ["A", "go", "_go", "go_on"].into_iter();
            let found: Vec<&str> = names
                .filter(|name| passes(name, text, at.unwrap_or(0)))
                .collect();
            assert_eq!(found.join(" "), passing, "{text}");
        }
    }
}
