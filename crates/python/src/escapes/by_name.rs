//! Functions that only their names lead to, as far as texts show, and the texts that may use a name
//! which they do not write.
//!
//! ```python
//! def load(): ...                 # used by name: a text without `load` has no use of it
//! from shop import load as read   # carried by a name: texts with `read` may use it too
//! register(load)                  # carried by a value: any text may
//! getattr(shop, "lo" + "ad")()    # a text that looks names up
//! @hooked
//! def store(): ...                # the decorator holds it: any text may run it
//! ```

use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};
use codeweft_db::{
    BodyParts as _, Carrier, Db, DeclaredIn, File, FileUses, Identifiers, NameId, Role,
    SymbolClass, SymbolId, Use, file_identifiers, saved,
};
use codeweft_python_syntax::{
    self as python, Access, AsPython as _, ItemKind, Node, NodeId, UseKind,
};

use super::declared::decorator_escapes;
use crate::declared::{declaration_of, items};
use crate::index::{self, PythonParts};
use crate::infer::is_modelled;
use crate::locations::offset;
use crate::symbols::is_special;
use crate::uses::computed::LOOK_UPS;
use crate::uses::read_look_ups;

/// Those of [`LOOK_UPS`] that are methods or attributes, and so follow a dot.
const ATTRIBUTES: &[&str] = &[
    "__delattr__",
    "__dict__",
    "__getattr__",
    "__getattribute__",
    "__setattr__",
    "modules",
];

/// Those of them whose second argument is the name; if that is a literal, the text writes the name.
const WITH_NAME: &[&str] = &["delattr", "getattr", "hasattr", "setattr"];

/// Returns whether only its names lead to a function or method, unless a use carries it away.
pub(crate) fn is_used_by_name(db: &dyn Db, symbol: SymbolId) -> bool {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let is_function = matches!(key.class, SymbolClass::Function | SymbolClass::Method);
    if !is_function
        || !matches!(key.declared_in, DeclaredIn::Unit(_))
        || is_special(shared.names.text(key.name))
        || is_modelled(db, symbol)
    {
        return false;
    }
    let Some((file, item)) = declaration_of(db, symbol) else {
        return false;
    };
    let items = items(db, file);
    let declared = items
        .as_ref()
        .and_then(|items| items.items.get(item as usize));
    declared.is_some_and(|declared| declared.kind == ItemKind::Function)
        && decorator_escapes(db, symbol).is_empty()
}

/// Returns what carries the target of a use away from its name.
pub(crate) fn carried_by(db: &dyn Db, file: File, one: &Use) -> Carrier {
    match one.role {
        role if role.is_call() => Carrier::Nothing,
        // A name in `__all__`, and an assignment to the name.
        Role::Read | Role::Write => Carrier::Nothing,
        Role::Import => imported_as(db, file, one),
        Role::Value if !super::escapes(db, file, one.body, one.occ) => Carrier::Nothing,
        _ => Carrier::Value,
    }
}

/// Returns the name that an import binds instead of the target's own.
fn imported_as(db: &dyn Db, file: File, one: &Use) -> Carrier {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let at = offset(db, file, one.body, one.occ);
    let Some(rest) = at.and_then(|at| file.text(db).get(at as usize..)) else {
        return Carrier::Value;
    };
    // No statement begins with `as`, so what follows on other lines may be skipped.
    let mut name = rest.trim_start_matches(in_word).trim_start();
    while let Some(comment) = name.strip_prefix('#') {
        let end = comment.find('\n').unwrap_or(comment.len());
        name = comment[end..].trim_start();
    }
    if name.starts_with('\\') {
        return Carrier::Value;
    }
    let Some(alias) = name
        .strip_prefix("as")
        .filter(|rest| !rest.starts_with(in_word))
    else {
        return Carrier::Nothing;
    };
    let alias = alias.trim_start();
    let end = alias.find(|letter| !in_word(letter)).unwrap_or(alias.len());
    match &alias[..end] {
        "" => Carrier::Value,
        alias => Carrier::Name(db.shared().names.intern(alias)),
    }
}

/// Returns whether a file may look names up by values, or has names with letters outside ASCII: names
/// that differ in them may be the same (Python reference, Identifiers).
pub(crate) fn looks_up_names(db: &dyn Db, file: File) -> bool {
    if file.is_edited(db) {
        edited_text_looks_up(db, file)
    } else {
        saved_text_looks_up(db, file)
    }
}

/// Returns whether the edited text of a file looks names up, as [`looks_up_names`].
#[salsa::tracked(returns(copy))]
pub fn edited_text_looks_up(db: &dyn Db, file: File) -> bool {
    let text: &Arc<str> = file.text(db);
    has_look_up(text) || has_other_letters(db, text, || file_identifiers(db, file))
}

/// Returns whether the saved text of a file looks names up, as [`looks_up_names`].
#[salsa::tracked(returns(copy))]
pub fn saved_text_looks_up(db: &dyn Db, file: File) -> bool {
    let text: &Arc<str> = file.saved_text(db);
    has_look_up(text) || has_other_letters(db, text, || saved::file_identifiers(db, file))
}

/// Returns whether names of a text have letters outside ASCII.
fn has_other_letters(
    db: &dyn Db,
    text: &str,
    identifiers: impl FnOnce() -> Arc<Identifiers>,
) -> bool {
    let names = &db.shared().names;
    !text.is_ascii()
        && identifiers()
            .names
            .iter()
            .any(|&name| !names.text(name).is_ascii())
}

/// Returns the uses in the bodies of a file that look names up, without those by the names that the bodies
/// write; all of a file that is edited, that binds a function which looks names up to another name, or
/// whose names have letters outside ASCII.
pub(crate) fn look_up_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    if file.is_edited(db) {
        index::file_uses(db, file)
    } else {
        saved_look_up_uses(db, file)
    }
}

/// Returns the uses in the bodies of a saved text that look names up, as [`look_up_uses`].
#[salsa::tracked(returns(clone))]
pub fn saved_look_up_uses(db: &dyn Db, file: File) -> Arc<FileUses> {
    let names = &db.shared().names;
    let all = saved::file_bodies(db, file);
    let header = file.header(db).python();
    let (Some(bodies), Some(header)) = (all.python(), header) else {
        return index::saved::file_uses(db, file);
    };
    let is_look_up = |name: NameId| LOOK_UPS.contains(&names.text(name));
    let renames = header.imports.iter().any(|import| {
        let mut pairs = import.names.iter().zip(&import.bound);
        pairs.any(|(&name, &bound)| name != bound && is_look_up(name))
    });
    let identifiers = || saved::file_identifiers(db, file);
    if renames || has_other_letters(db, file.saved_text(db), identifiers) {
        return index::saved::file_uses(db, file);
    }
    let looks_up = |number: &usize| body_looks_up(db, bodies, *number);
    let parts = (0..bodies.bodies.len()).filter(looks_up).map(|number| {
        let body = bodies.one_body(number);
        if may_read_by_value(db, bodies, number) {
            return Arc::new(PythonParts::resolve(db, file, &body));
        }
        let look_ups = read_look_ups(db, file, body.first, &body.bodies);
        Arc::new(look_ups.unwrap_or_else(|| PythonParts::resolve(db, file, &body)))
    });
    Arc::new(PythonParts::join(db, file, &parts.collect::<Vec<_>>()))
}

/// Returns whether a body has `getattr` other than as the name that it calls: what the call returns is then
/// found by the function's value, as in `read = getattr; read(shop, NAME)()`.
fn may_read_by_value(db: &dyn Db, bodies: &python::Bodies, number: usize) -> bool {
    let is_getattr = |name: NameId| db.shared().names.text(name) == "getattr";
    let body = bodies.bodies.get(number);
    let uses = body.and_then(|body| bodies.uses.get(body.uses.iter()));
    uses.unwrap_or(&[]).iter().any(|one| match one.kind {
        UseKind::Name { name, access, .. } => access != Access::Callee && is_getattr(name),
        UseKind::Attr { name, .. } => is_getattr(name),
        _ => false,
    })
}

/// Returns whether a body has a name by which code looks names up, other than in a call whose second
/// argument is the name as a literal.
fn body_looks_up(db: &dyn Db, bodies: &python::Bodies, number: usize) -> bool {
    let names = &db.shared().names;
    let is_in = |name: NameId, words: &[&str]| words.contains(&names.text(name));
    let Some(body) = bodies.bodies.get(number) else {
        return false;
    };
    let node = |node: NodeId| bodies.code.nodes.get(node as usize);
    let has_literal = |call: NodeId| {
        let Some(&Node::Call(call)) = node(call) else {
            return false;
        };
        let call = bodies.code.calls.get(call as usize);
        let name = call.and_then(|call| bodies.code.list(call.positional).get(1).copied());
        name.is_some_and(|name| matches!(node(name), Some(Node::Str(_))))
    };
    let callee = |call: NodeId| match node(call) {
        Some(&Node::Call(call)) => {
            let call = bodies.code.calls.get(call as usize)?;
            match node(call.callee) {
                Some(&(Node::Global(name) | Node::Attr { name, .. })) => Some(name),
                _ => None,
            }
        }
        _ => None,
    };
    let uses = bodies.uses.get(body.uses.iter()).unwrap_or(&[]);
    uses.iter().any(|one| match one.kind {
        UseKind::Call(call) => {
            let name = callee(call).filter(|&name| is_in(name, LOOK_UPS));
            name.is_some_and(|name| !(is_in(name, WITH_NAME) && has_literal(call)))
        }
        UseKind::Name { name, access, .. } => access != Access::Callee && is_in(name, LOOK_UPS),
        UseKind::Attr { name, access, .. } => access != Access::Callee && is_in(name, LOOK_UPS),
        _ => false,
    })
}

fn has_look_up(text: &str) -> bool {
    static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest);
        builder.build(LOOK_UPS).ok()
    });
    let Some(words) = WORDS.as_ref() else {
        return true;
    };
    let in_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    words.find_iter(text).any(|found| {
        let (before, after) = (&text[..found.start()], &text[found.end()..]);
        if before.ends_with(in_word) || after.starts_with(in_word) {
            return false;
        }
        let word = &text[found.start()..found.end()];
        let follows_dot = before.trim_end_matches([' ', '\t']).ends_with('.');
        let is_broken_line = before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
        if ATTRIBUTES.contains(&word) && !follows_dot && !is_broken_line {
            return false;
        }
        !(WITH_NAME.contains(&word) && has_literal_name(after))
    })
}

/// Returns whether the text behind `getattr` is a call whose second argument is a plain literal.
/// False where that is not plain to see.
fn has_literal_name(after: &str) -> bool {
    let Some(arguments) = after.strip_prefix('(') else {
        return false;
    };
    let mut depth = 0;
    let mut behind_comma = None;
    for (at, letter) in arguments.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return false,
            ')' | ']' | '}' => depth -= 1,
            '"' | '\'' | '#' | '\\' => return false,
            ',' if depth == 0 => {
                behind_comma = Some(at + 1);
                break;
            }
            _ => {}
        }
    }
    let name = behind_comma.and_then(|at| arguments.get(at..));
    let Some(name) = name.map(str::trim_start) else {
        return false;
    };
    let Some(quote) = name
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))
    else {
        return false;
    };
    let rest = &name[1..];
    let Some(end) = rest.find([quote, '\\', '\n']) else {
        return false;
    };
    let (content, behind) = rest.split_at(end);
    behind.starts_with(quote)
        && !content.is_empty()
        && behind[1..].trim_start().starts_with([',', ')'])
}

#[cfg(test)]
mod tests {
    use super::has_look_up;

    #[test]
    fn a_text_looks_names_up_unless_it_writes_them() {
        for text in [
            "getattr(x, name)()",
            "getattr(x, \"on_\" + event)",
            "getattr(x, \"a\" \"b\")",
            "getattr(f(1, 2), name)",
            "getattr(x['a'], 'b')",
            "hasattr(x, f'on_{event}')",
            "map(getattr, xs, names)",
            "from operator import attrgetter as by",
            "x.__dict__[name]",
            "sys.modules[name]",
            "sys.\\\n    modules[name]",
            "eval(text)",
        ] {
            assert!(has_look_up(text), "{text}");
        }
        for text in [
            "getattr(x, \"name\")()",
            "getattr(f(1, 2), 'name', None)",
            "def __getattr__(self, name): ...",
            "the_getattr(x, name)",
            "getattr_all(x, name)",
            "modules = []",
            "evaluate(text)",
        ] {
            assert!(!has_look_up(text), "{text}");
        }
    }
}
