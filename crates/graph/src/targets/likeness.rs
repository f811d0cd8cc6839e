//! How near a written container is to a declared one.
//!
//! ```text
//! Server  Server         0      c       Cursor     2
//! server  Server         1      rootCmd Command    2
//! bolt    bbolt          3 + the distance of the letters
//! ```

/// The largest distance that counts; a larger one counts as this.
const MAX_DISTANCE: usize = 20;

/// Returns how far a written name of a container is from a declared one.
pub fn unlikeness(written: &str, declared: &str) -> usize {
    if written == declared {
        0
    } else if written.eq_ignore_ascii_case(declared) {
        1
    } else if may_hold(written, declared) {
        2
    } else {
        let (written, declared) = (written.to_lowercase(), declared.to_lowercase());
        3 + strsim::damerau_levenshtein(&written, &declared).min(MAX_DISTANCE)
    }
}

/// Returns whether a variable of this name may hold a value of the type: `c`, `ctx` and `reqContext`
/// for `Context`.
pub fn may_hold(variable: &str, ty: &str) -> bool {
    let ty = ty.trim_start_matches('_').to_lowercase();
    let last = variable.char_indices().rev();
    let begins = |&(_, letter): &(usize, char)| letter.is_uppercase();
    let word = match last.into_iter().find(begins) {
        Some((at, _)) => &variable[at..],
        None => variable.rsplit('_').next().unwrap_or(variable),
    };
    [variable, word]
        .iter()
        .any(|word| abbreviates(&word.to_lowercase(), &ty))
}

/// Returns whether a word is the beginning of another, or up to four letters of it in order with the
/// first one.
fn abbreviates(word: &str, whole: &str) -> bool {
    if word.is_empty() || whole.starts_with(word) {
        return !word.is_empty();
    }
    let mut letters = whole.chars();
    let is_first = whole.chars().next() == word.chars().next();
    is_first && word.len() <= 4 && word.chars().all(|one| letters.any(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::{may_hold, unlikeness};

    #[test]
    fn variables_may_hold_types_that_begin_with_them_or_have_their_letters() {
        for (variable, ty) in [
            ("c", "Cursor"),
            ("ctx", "Context"),
            ("rootCmd", "Command"),
            ("router", "RouterGroup"),
            ("db", "DB"),
            ("my_app", "App"),
        ] {
            assert!(may_hold(variable, ty), "{variable} {ty}");
        }
        for (variable, ty) in [("c", "Recursor"), ("server", "Service"), ("", "T")] {
            assert!(!may_hold(variable, ty), "{variable} {ty}");
        }
    }

    #[test]
    fn equal_names_are_nearer_than_names_in_another_case() {
        let all = ["Server", "server", "s", "Sarver"].map(|one| unlikeness(one, "Server"));
        assert_eq!(all, [0, 1, 2, 4]);
    }
}
