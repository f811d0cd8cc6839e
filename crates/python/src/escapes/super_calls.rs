//! Calls of `super()` that reach a class which is no base of the enclosing class, since the order
//! searched is that of the object's class (Python library, `super`).
//!
//! ```python
//! class Log:
//!     def save(self): super().save()    # runs Db.save for a `Both`
//! class Db:
//!     def save(self): ...
//! class Both(Log, Db): ...              # mro: Both, Log, Db, object
//! ```

use codeweft_db::{Db, File, Reason, SymbolId};

use super::declared::unknown_base;
use crate::classes::{class_info, is_subclass};
use crate::keys::ClassKey;
use crate::locations::declaration_range;

/// Returns the unknown base of a subclass `object` of `class`, which may call what it inherits, if the
/// class itself has none.
pub(crate) fn unknown_bases_beside(
    db: &dyn Db,
    object: SymbolId,
    class: SymbolId,
) -> Vec<(File, u32, Reason)> {
    let has_unknown_base = |class| class_info(db, ClassKey::new(db, class)).has_unknown_base;
    if has_unknown_base(object) && !has_unknown_base(class) {
        unknown_base(db, object).into_iter().collect()
    } else {
        Vec::new()
    }
}

/// Returns the byte offsets of `super().name` in classes that come before the method's class in the
/// mro of `object` (a subclass) without being its subclasses. With a single base these are the classes
/// that come before for the base, which is another subclass.
pub(crate) fn super_calls(
    db: &dyn Db,
    object: SymbolId,
    method: SymbolId,
) -> Vec<(File, u32, Reason)> {
    let key = db.shared().symbols.key(method);
    let Some(class) = key.parent else {
        return Vec::new();
    };
    let info = class_info(db, ClassKey::new(db, object));
    let name = db.shared().names.text(key.name);
    let mut found = Vec::new();
    let before = info.mro.iter().take_while(|&&one| one != class);
    for &other in before.filter(|&&other| !is_subclass(db, other, class)) {
        let Some(own) = declaration_range(db, other) else {
            continue;
        };
        let text = own.file.text(db);
        let span = text.get(own.span.start as usize..own.span.end as usize);
        let span = span.unwrap_or("");
        for (at, _) in span.match_indices(name) {
            let before = span[..at].trim_end();
            let is_attribute = before.strip_suffix('.').is_some_and(|rest| {
                let rest = rest.trim_end();
                rest.ends_with(')') && rest.rfind("super").is_some_and(|of| rest.len() - of < 120)
            });
            let is_whole = !span[at + name.len()..]
                .starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            if is_attribute && is_whole {
                let at = own.span.start + at as u32;
                found.push((own.file, at, Reason::UnknownReceiver));
            }
        }
    }
    found
}
