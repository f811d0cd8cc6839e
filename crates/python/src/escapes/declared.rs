//! Escapes that a symbol's own declaration shows: decorators, special names, unknown bases.

use codeweft_db::{Db, DeclarationRange, File, Reason, SymbolClass, SymbolId};
use codeweft_python_syntax::ItemKind;

use super::names::{is_found_by_name, is_run_by_language};
use crate::bases::class_statement;
use crate::classes::{OwnMember, class_info, find_in_mro, own_member};
use crate::declared::{declaration_of, items};
use crate::flow::{keeps_function, may_escape};
use crate::frameworks::registrations;
use crate::infer::{decorator_paths, is_modelled};
use crate::keys::ClassKey;
use crate::known::{self, KnownClass};
use crate::language::is_test_path;
use crate::locations::declaration_range;

/// Returns the escapes that the declaration of a function, method or class shows; for a method also
/// those of its class.
pub(crate) fn declaration_escapes(db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)> {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let mut found = Vec::new();
    let is_callable = matches!(
        key.class,
        SymbolClass::Type | SymbolClass::Function | SymbolClass::Method
    );
    if !is_callable || is_modelled(db, symbol) {
        return found;
    }
    let Some((own, (file, item))) = declaration_range(db, symbol).zip(declaration_of(db, symbol))
    else {
        return found;
    };
    let declared = items(db, file).and_then(|items| items.items.get(item as usize));
    let Some(declared) = declared else {
        return found;
    };
    let here = |reason| (own.file, own.name.start, reason);
    // A lambda is called by whatever holds its value.
    if declared.kind == ItemKind::Lambda {
        if may_escape(db, symbol) {
            found.push(here(Reason::Escapes));
        }
        return found;
    }
    found.extend(decorator_escapes(db, symbol));
    let name = shared.names.text(key.name);
    if key.class == SymbolClass::Type {
        return found;
    }
    let is_method = key.class == SymbolClass::Method;
    if is_run_by_language(name, is_method) {
        found.push(here(Reason::SpecialMethod));
    }
    if is_found_by_runners(db, symbol) && !is_test_path(own.file.path(db)) {
        found.push(here(Reason::CalledByName));
    }
    if let Some(class) = key.parent.filter(|_| is_method) {
        found.extend(class_escapes(
            db,
            class,
            symbol,
            here(Reason::SpecialMethod),
        ));
    }
    found
}

/// Returns whether a test runner, or a host of plug-ins, calls a function by its name, as the file and the name say: then that
/// call is known, and leaves nothing open. In other files a name alone does not say it.
pub(crate) fn is_run_by_test_runner(db: &dyn Db, symbol: SymbolId) -> bool {
    let in_test = |own: DeclarationRange| is_test_path(own.file.path(db));
    is_found_by_runners(db, symbol) && declaration_range(db, symbol).is_some_and(in_test)
}

/// Returns whether a function has a name, and a parent, by which test runners find it.
fn is_found_by_runners(db: &dyn Db, symbol: SymbolId) -> bool {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let parent = key.parent.map(|parent| shared.symbols.key(parent).class);
    matches!(key.class, SymbolClass::Function | SymbolClass::Method)
        && matches!(parent, Some(SymbolClass::Type | SymbolClass::Package))
        && is_found_by_name(shared.names.text(key.name))
}

/// Returns the decorators of a function or class that may pass it to any code: those that flow does not follow to what they call.
pub(super) fn decorator_escapes(db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)> {
    let paths = decorator_paths(db, symbol);
    if paths.is_empty() {
        return Vec::new();
    }
    let Some(own) = declaration_range(db, symbol) else {
        return Vec::new();
    };
    let text = own.file.text(db);
    let before = text.get(own.span.start as usize..own.name.start as usize);
    let before = before.unwrap_or("");
    // The lines of decorators, located by their `@`.
    let mut marks = Vec::new();
    let mut at = own.span.start as usize;
    for line in before.split_inclusive('\n') {
        let lead = line.len() - line.trim_start().len();
        if line[lead..].starts_with('@') {
            marks.push((at + lead) as u32);
        }
        at += line.len();
    }
    let mut found = Vec::new();
    let is_followed = !may_escape(db, symbol);
    // What a library's decorator makes of a test is run by the runner, too.
    let is_test = is_run_by_test_runner(db, symbol);
    let registrations = registrations(db, symbol);
    for (number, path) in paths.iter().enumerate() {
        if registrations.get(number).is_some_and(Option::is_some) {
            continue;
        }
        let is_known = match path.as_deref() {
            Some(path) if path.starts_with('.') => is_followed || extends_property(db, symbol),
            Some(_) if is_test => true,
            Some(path) => match known::decorator(path) {
                Some(row) => row.is_transparent,
                // pytest runs the fixtures that it is given.
                None => is_followed && !keeps_function(path),
            },
            None => is_followed,
        };
        if !is_known {
            let mark = marks.get(number).copied();
            let at = mark.unwrap_or(own.name.start);
            found.push((own.file, at, Reason::Decorated));
        }
    }
    found
}

/// Returns whether `@x.setter` of the function extends a plain property.
fn extends_property(db: &dyn Db, symbol: SymbolId) -> bool {
    let symbols = &db.shared().symbols;
    let mut key = symbols.key(symbol);
    key.disambiguator.n = 0;
    let first = symbols.intern(key);
    let paths = decorator_paths(db, first);
    let is_property = |path: &Option<String>| {
        let path = path.as_deref();
        let is_plain = |path| known::decorator(path).is_some_and(|row| row.is_plain_property());
        path.is_some_and(|path| is_plain(path) || path == known::ABSTRACT_METHOD)
    };
    first != symbol && !paths.is_empty() && paths.iter().all(is_property)
}

/// Adds the escapes of a method that come from its class.
fn class_escapes(
    db: &dyn Db,
    class: SymbolId,
    method: SymbolId,
    here: (File, u32, Reason),
) -> Vec<(File, u32, Reason)> {
    let shared = db.shared();
    let name = shared.symbols.key(method).name;
    let mut found = Vec::new();
    let info = class_info(db, ClassKey::new(db, class));
    if info.has_unknown_base {
        found.push(unknown_base(db, class).unwrap_or((here.0, here.1, Reason::UnknownBase)));
    }
    let is_init = shared.names.text(name) == "__init__";
    let is = |class, wanted| known::class(db, class) == Some(wanted);
    let is_exception = || {
        let mut mro = info.mro.iter();
        mro.any(|&one| is(one, KnownClass::BaseException))
    };
    // A base written in C calls methods by name; `object` calls only special methods.
    let overrides_c = info.mro.iter().skip(1).any(|&base| {
        is_modelled(db, base)
            && own_member(db, base, name).is_some()
            && !(is_init && (is(base, KnownClass::Object) || is_exception()))
    });
    if overrides_c {
        found.push(here);
    }
    if is_init {
        found.extend(decorator_escapes(db, class));
        // `type.__call__` runs `__init__`, and is called by the metaclass's own `__call__`.
        let of_meta = info
            .metaclass
            .map(|meta| class_info(db, ClassKey::new(db, meta)));
        let call = of_meta.and_then(|of_meta| {
            match find_in_mro(db, &of_meta, shared.names.intern("__call__"), 0)? {
                (_, OwnMember::Function { function, .. }) => Some(function),
                _ => None,
            }
        });
        if info.is_enum || call.is_some_and(|call| !is_modelled(db, call)) {
            found.push(here);
        }
    }
    found
}

/// Returns the location of the first unknown base of a class or its ancestors.
pub(super) fn unknown_base(db: &dyn Db, class: SymbolId) -> Option<(File, u32, Reason)> {
    let info = class_info(db, ClassKey::new(db, class));
    let statement = |&ancestor: &SymbolId| {
        let statement = class_statement(db, ClassKey::new(db, ancestor));
        statement.is_none_or(|statement| statement.has_unknown_base)
    };
    let first = info.mro.iter().copied().find(statement);
    let (file, at) = bases_location(db, first.unwrap_or(class))?;
    Some((file, at, Reason::UnknownBase))
}

/// Returns the location of the bases of a class, else of its name.
fn bases_location(db: &dyn Db, class: SymbolId) -> Option<(File, u32)> {
    let (file, item) = declaration_of(db, class)?;
    let declared = items(db, file)?.items.get(item as usize)?;
    let statement = class_statement(db, ClassKey::new(db, class));
    let unknown =
        statement.and_then(|statement| statement.unknown.first().map(|&(number, _)| number));
    let toks = &declared.base_toks;
    let tok = toks
        .get(unknown.unwrap_or(0) as usize)
        .or_else(|| toks.first());
    let ranges = codeweft_db::file_ranges(db, file);
    let at = tok.and_then(|&tok| ranges.item_tokens.get(tok as usize).copied());
    at.or_else(|| Some(declaration_range(db, class)?.name.start))
        .map(|at| (file, at))
}
