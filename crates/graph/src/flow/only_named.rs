//! Functions of the workspace that nothing but their name can call, found without the flow graph.
//!
//! The graph joins the fragments of all units, so a question that needs it types every body of every
//! library, and the first one after an edit verifies all fragments. Most functions of a workspace do not
//! need it: no value carries them, and no interface has a method of their name. Only the units that import
//! a package can name what it declares, so their fragments show the former; the texts show the latter, a
//! superset of the interfaces in them:
//!
//! ```go
//! func load() {}             // only named: no fragment has it as a value
//! func (t *tree) spill() {}  // only named: no text has a line that begins with spill(
//! func (t *tree) Close() {}  // io.Closer has the line `Close() error`: the graph decides
//! ```
//!
//! Used only while this revision has no graph. Methods are looked for only while files may be unresolved:
//! to read all texts takes longer than to patch the last revision's graph.

use codeweft_db::{DeclaredIn, FileFlows, FlowValue, Language, Origin, SymbolClass, SymbolId};
use rustc_hash::FxHashSet;

use crate::mentions;
use crate::query_context::QueryContext;
use crate::resolve_ahead::{lower_ahead, resolve_ahead};
use crate::symbols;
use crate::symbols::MethodOwner;
use crate::visibility;

/// A query that needs this of more symbols gets the flow graph.
const MAX_CHECKED: usize = 16;

/// Returns whether every call of a symbol, whether it is known or possible, names the symbol: no value
/// carries it, no method of an interface runs it, and it does not escape. `false` if that is not known
/// without the flow graph.
pub(crate) fn is_only_named(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    let known = &query.caches.only_named;
    if !known.contains(&symbol) && known.len() >= MAX_CHECKED {
        return false;
    }
    known.get_or(symbol, || find(query, symbol).unwrap_or(false))
}

fn find(query: &QueryContext<'_>, symbol: SymbolId) -> Option<bool> {
    let lang = query.lang(symbol)?;
    let language = query.languages.of(lang)?;
    let key = query.key(symbol);
    let has_graph = query.cache.flow.graphs.get(&lang).is_some();
    // Where parts of a text are lowered alone, a name is written in one way only.
    if has_graph || lang.lower_parts.is_none() || language.is_dynamically_typed() {
        return None;
    }
    let is_method = match (key.class, key.declared_in) {
        (SymbolClass::Function, DeclaredIn::Unit(_)) => false,
        (SymbolClass::Method, DeclaredIn::Unit(_))
            if query.db.shared().may_have_unresolved_files() =>
        {
            (symbols::method_owner(query, symbol)? == MethodOwner::Type).then_some(true)?
        }
        _ => return None,
    };
    if symbols::is_external(query, symbol) {
        return None;
    }
    // Libraries that import the workspace back are among them: grpc is imported by what it imports.
    let mut units = visibility::visible_units(query, symbol);
    if !is_method {
        // A value that carries a function begins where the function is named.
        units = mentions::units_with_name(query, units, &[key.name]);
    }
    let name = query.db.shared().names.text(key.name);
    if is_method && may_be_of_interface(query, language, name) {
        return None;
    }
    resolve_ahead(query, &units);
    let fragments = query.map(&units, |languages, db, &unit| {
        let language = languages.of(lang);
        language.map_or_else(Default::default, |language| language.flows(db, unit))
    });
    let rows = || fragments.iter().flat_map(|rows| rows.iter());
    if rows().any(|row| carries(row, symbol)) {
        return None;
    }
    // Outside code cannot name an unexported method, else a value of its type may take it along.
    let is_public = query.row(symbol).is_none_or(|(_, row)| row.public);
    if is_method && is_public && rows().any(|row| may_hold_receiver(query, language, row, symbol)) {
        return None;
    }
    Some(true)
}

/// Returns whether a fragment has a function, or a literal in its body, as a value.
fn carries(row: &FileFlows, symbol: SymbolId) -> bool {
    let mut sources = row.flows.sources.iter();
    sources.any(|source| match source.value {
        FlowValue::Function(of) | FlowValue::InterfaceMethod(of) | FlowValue::Literal(of, _) => {
            of == symbol
        }
        FlowValue::Type(_) | FlowValue::Unknown(_) => false,
    })
}

/// Returns whether a value of a type that has a method may begin in a fragment, or in generic code
/// that the fragment gives types of the workspace to.
fn may_hold_receiver(
    query: &QueryContext<'_>,
    language: &dyn Language,
    row: &FileFlows,
    method: SymbolId,
) -> bool {
    let types = row
        .flows
        .sources
        .iter()
        .filter_map(|source| match source.value {
            FlowValue::Type(ty) => Some(ty),
            _ => None,
        });
    let types: FxHashSet<u32> = types.collect();
    let has_method = |ty: u32| language.flow_target(query.db, ty, method).is_some();
    if types.into_iter().any(has_method) {
        return true;
    }
    let mut arguments = row.flows.instances.iter().flat_map(|one| one.args.iter());
    arguments.any(|&ty| has_method(ty) || names_workspace(query, &language.type_name(query.db, ty)))
}

/// Returns whether a printed type has one of a package of the workspace in it.
fn names_workspace(query: &QueryContext<'_>, printed: &str) -> bool {
    let names = &query.db.shared().names;
    let mut units = query.units.all.iter();
    // A type that is too long is not printed whole.
    printed.contains('…')
        || units.any(|unit| {
            let path = names.text(unit.import_path(query.db));
            unit.origin(query.db) == Origin::Workspace
                && (printed.contains(&format!("{path}."))
                    || printed.contains(&format!("{}.", names.text(unit.name(query.db)))))
        })
}

/// Lowers all that is built on all threads, if a target looks like a method of the workspace that an
/// interface has: the question will need every body, and to find the target alone lowers declarations
/// one by one. A guess by texts; answers are the same without it.
pub(crate) fn lower_for_method(query: &QueryContext<'_>, target: &str) {
    if !query.db.shared().may_have_unread_files() {
        return;
    }
    let mut words = target.rsplit(['.', '/', ':']);
    let name = words.next().unwrap_or_default();
    // As methods are written: `func (p *part) Close() error`.
    let declared = format!("{}) {name}(", words.next().unwrap_or_default());
    for language in query.languages.0 {
        let units = query.units.of_lang(language.lang());
        let own = units
            .iter()
            .filter(|unit| unit.origin(query.db) == Origin::Workspace);
        let mut own_files = own.flat_map(|unit| unit.files(query.db).iter());
        if language.lang().lower_parts.is_some()
            && !name.is_empty()
            && own_files.any(|file| file.text(query.db).contains(&declared))
            && may_be_of_interface(query, *language, name)
        {
            lower_ahead(query, &units);
        }
    }
}

/// Returns whether an interface may have a method of this name: one of the language itself, or one in
/// a text, where a line or a list begins with the name and a parenthesis.
fn may_be_of_interface(query: &QueryContext<'_>, language: &dyn Language, name: &str) -> bool {
    let universe = language.universe(query.db);
    let rows = universe.types.iter().chain(&universe.interfaces);
    let mut own = rows.flat_map(|row| row.methods.iter());
    let names = &query.db.shared().names;
    if own.any(|method| names.text(query.key(method.symbol).name) == name) {
        return true;
    }
    let units = query.units.of_lang(language.lang());
    let found = query.map(&units, |_, db, &unit| {
        let mut files = unit.files(db).iter();
        files.any(|file| has_method_line(file.text(db), name))
    });
    found.contains(&true)
}

/// Returns whether a text has a name before a parenthesis where a method of an interface may be declared.
fn has_method_line(text: &str, name: &str) -> bool {
    let blank = [' ', '\t', '\r'];
    text.match_indices(name).any(|(at, _)| {
        let behind = text[at + name.len()..].trim_start_matches(blank);
        let before = text[..at].trim_end_matches(blank);
        let may_begin =
            before.is_empty() || before.ends_with(['\n', '{', ';']) || before.ends_with("*/");
        let may_end = behind.starts_with('(') || behind.starts_with("/*");
        may_begin && may_end
    })
}

#[cfg(test)]
mod tests {
    use super::has_method_line;

    #[test]
    fn a_method_of_an_interface_begins_a_line_or_a_list() {
        for text in [
            "type I interface {\n\tClose() error\n}",
            "type I interface{ Close() }",
            "type I interface{ Open(); Close() }",
            "type I interface {\n\t/* ends */ Close (x int)\n}",
            "type I interface {\r\n\tClose() error\r\n}",
            "type I interface {\n\tClose /* none */ ()\n}",
        ] {
            assert!(has_method_line(text, "Close"), "{text}");
        }
        for text in [
            "func (t T) Close() error { return t.f.Close() }",
            "x := t.Close\n\tNoClose()\n\tClosed()\n",
            "defer t.Close()",
        ] {
            assert!(!has_method_line(text, "Close"), "{text}");
        }
    }
}
