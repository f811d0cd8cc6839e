//! What a use of `sys.modules` reads: nothing, one module that the text names, or any module (Python library, `sys.modules`;
//! Python reference, Import-related attributes on module objects).
//!
//! ```python
//! if "json" in sys.modules:                  # nothing
//! sys.modules[name] = module                 # nothing
//! sys.modules.get("multiprocessing")         # the module `multiprocessing`
//! sys.modules[__name__]                      # the module of the text
//! sys.modules[name], sys.modules.values()    # any module
//! sys.modules[__name__] = Lazy()             # what is imported as this module is an object of `Lazy`
//! ```

use super::prefixes::in_word;

/// What a use of `sys.modules` reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModulesRead<'t> {
    /// No module.
    Nothing,
    /// The module of this name.
    Named(&'t str),
    /// The module of the text.
    Own,
    /// Any.
    Any,
    /// None, but the module of the text replaces itself: by an object of any class.
    Replaces,
}

/// The methods that take a module out by its name.
pub(super) const TAKING: [&str; 3] = ["__getitem__", "get", "pop"];

/// Returns what the use of `sys.modules` reads whose `modules` is at an offset.
pub(super) fn modules_read(text: &str, at: u32) -> ModulesRead<'_> {
    let Some((before, rest)) = text.split_at_checked(at as usize) else {
        return ModulesRead::Any;
    };
    let Some(rest) = rest.strip_prefix("modules") else {
        return ModulesRead::Any;
    };
    let after = rest.trim_start_matches([' ', '\t']);
    if let Some(key) = after.strip_prefix('[') {
        return taken(key, ']').unwrap_or_else(|| stored(key));
    }
    if let Some(method) = after.strip_prefix('.') {
        let call = method.split_once('(');
        let call = call.filter(|(name, _)| TAKING.contains(&name.trim()));
        let read = call.and_then(|(_, key)| taken(key, ')').or_else(|| own(key, ')')));
        return read.unwrap_or(ModulesRead::Any);
    }
    let before = before.trim_end_matches(|letter: char| in_word(letter) || letter == '.');
    let before = before.trim_end_matches([' ', '\t']).strip_suffix("in");
    if before.is_some_and(|before| !before.ends_with(in_word)) {
        return ModulesRead::Nothing;
    }
    ModulesRead::Any
}

/// Returns the module of the literal that a text begins with, if that is the whole key, or the first of the arguments.
fn taken(key: &str, end: char) -> Option<ModulesRead<'_>> {
    let key = key.trim_start();
    let quote = key
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let (name, after) = key[1..].split_once(quote)?;
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let after = after.trim_start();
    let is_whole = after.starts_with(end) || end == ')' && after.starts_with(',');
    (is_whole && !name.is_empty() && name.chars().all(is_name)).then_some(ModulesRead::Named(name))
}

/// Returns the module of the text, if a text begins with its name as the whole key, or the first of the arguments.
fn own(key: &str, end: char) -> Option<ModulesRead<'static>> {
    let after = key.trim_start().strip_prefix("__name__")?.trim_start();
    let is_whole = after.starts_with(end) || end == ')' && after.starts_with(',');
    is_whole.then_some(ModulesRead::Own)
}

/// Returns what an access to an item reads whose key the text does not name: nothing, if it stores the item.
fn stored(key: &str) -> ModulesRead<'static> {
    const LONGEST: usize = 200;
    let is_simple = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ' ');
    let end = key.find(|letter| !is_simple(letter));
    let after = end.filter(|&end| end < LONGEST).map(|end| &key[end..]);
    let after = after.and_then(|after| after.strip_prefix(']'));
    let after = after.and_then(|after| after.trim_start_matches([' ', '\t']).strip_prefix('='));
    let read = || own(key, ']').unwrap_or(ModulesRead::Any);
    match after {
        Some(after) if after.starts_with('=') => read(),
        Some(_) if key.starts_with("__name__") => ModulesRead::Replaces,
        Some(_) => ModulesRead::Nothing,
        None => read(),
    }
}

#[cfg(test)]
mod tests {
    use super::ModulesRead::{Any, Named, Nothing, Own, Replaces};
    use super::modules_read;

    #[test]
    fn a_use_of_the_loaded_modules_reads_what_the_text_says() {
        for (text, read) in [
            ("sys.modules[\"a.b\"]", Named("a.b")),
            ("sys.modules['__main__'].x", Named("__main__")),
            ("sys.modules.get('a')", Named("a")),
            ("sys.modules.get( \"a\", None)", Named("a")),
            ("sys.modules.pop('a')", Named("a")),
            ("sys.modules['a' + b]", Any),
            ("sys.modules[f'{b}']", Any),
            ("sys.modules[name]", Any),
            ("sys.modules[name] == module", Any),
            ("sys.modules[__name__] = Lazy()", Replaces),
            ("sys.modules[__name__]", Own),
            ("sys.modules[__name__].x = 1", Own),
            ("sys.modules[__name__] == x", Own),
            ("sys.modules.get(__name__)", Own),
            ("sys.modules.get(__name__, x)", Own),
            ("sys.modules[__name__ + x]", Any),
            ("sys.modules.get(__name__ + x)", Any),
            ("sys.modules[__name__s]", Any),
            ("sys.modules[name] = module", Nothing),
            ("sys.modules[self.name]=module", Nothing),
            ("sys.modules.get(name)", Any),
            ("sys.modules.values()", Any),
            ("sys.modules.items", Any),
            ("sys.modules)", Any),
            ("for name in sys.modules:", Nothing),
            ("if 'a' in sys.modules:", Nothing),
            ("if a not in sys.modules and b:", Nothing),
            ("for m in sys.modules.values():", Any),
            ("margin=sys.modules", Any),
            ("main sys.modules", Any),
        ] {
            let at = text.find("modules").and_then(|at| u32::try_from(at).ok());
            assert_eq!(modules_read(text, at.unwrap_or(0)), read, "{text}");
        }
    }
}
