//! The uses of what stands at a position.

use codeweft_db::{DeclarationRange, File, NameTarget, Role, Span};
use codeweft_graph::{NameUse, token};
use codeweft_vfs::{Encoding, Position, Range};

use super::data::{Access, Location};
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Every use, of locals too, sorted: the sites of `references`. `declaration`: with where it is
/// declared; without, the binding that declares a Python variable is none of its uses.
pub fn references(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
    declaration: bool,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = query.cursor(path, at) else {
        return Vec::new();
    };
    let (used, declared) = match &cursor.found {
        NameTarget::Local { place, .. } => (query.local_uses(place), vec![place.clone()]),
        NameTarget::Symbol(_) => {
            let symbols = query.meant(&cursor);
            let places = symbols
                .iter()
                .filter_map(|&symbol| query.graph.declaration_range(symbol));
            (query.graph.references(&symbols), places.collect())
        }
    };
    let mut locations = query.locations(used);
    let declared = declared.into_iter();
    for declared in declared.filter_map(|place| query.location(place.file, place.name)) {
        locations.retain(|location| *location != declared);
        if declaration {
            locations.push(declared);
        }
    }
    locations.sort();
    locations.dedup();
    locations
}

/// The uses in the same file and the declaration, in order of the text. Of a local it is read
/// off the text whether it is written: an assignment follows its name.
pub fn highlights(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<(Range, Access)> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = query.cursor(path, at) else {
        return Vec::new();
    };
    let file = cursor.file;
    let text = file.text(snapshot.db());
    let (mut found, declared): (Vec<(Span, Access)>, Vec<DeclarationRange>) = match &cursor.found {
        NameTarget::Local { place, .. } => {
            let used = query.local_uses(place).into_iter();
            let used = used.map(|one| (one.span, access_by_text(text, one.span)));
            (used.collect(), vec![place.clone()])
        }
        NameTarget::Symbol(_) => {
            let symbols = query.meant(&cursor);
            let used = symbols.iter();
            let used = used.flat_map(|&symbol| query.graph.references_in(file, symbol));
            let used = used.map(|(one, role)| (one.span, access(role)));
            let places = symbols
                .iter()
                .filter_map(|&symbol| query.graph.declaration_range(symbol));
            (used.collect(), places.collect())
        }
    };
    for place in declared.into_iter().filter(|place| place.file == file) {
        found.retain(|(span, _)| *span != place.name);
        if place.name.start < place.name.end {
            found.push((place.name, Access::Write));
        }
    }
    found.sort_unstable_by_key(|(span, access)| (span.start, *access));
    found.dedup();
    let found = found.into_iter();
    found
        .map(|(span, access)| (query.range(file, span), access))
        .collect()
}

impl EditorQuery<'_> {
    fn local_uses(&self, place: &DeclarationRange) -> Vec<NameUse> {
        let file: File = place.file;
        let Some(room) = self.language(file) else {
            return Vec::new();
        };
        let db = self.snapshot.db();
        let uses = room.local_uses(db, place).into_iter();
        uses.map(|one| NameUse {
            file,
            span: token(file.text(db), one.offset),
        })
        .collect()
    }
}

fn access(role: Role) -> Access {
    match role {
        Role::Write | Role::ReadWrite => Access::Write,
        _ => Access::Read,
    }
}

/// Whether an assignment, or an increment, follows a name, alone or in a list of names.
fn access_by_text(text: &str, name: Span) -> Access {
    let (start, end) = (name.start as usize, name.end as usize);
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
        return Access::Read;
    };
    let before = before.rsplit('\n').next().unwrap_or("");
    let after = after.split('\n').next().unwrap_or("");
    let in_list =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ',' | ' ' | '\t');
    let rest = if before.chars().all(in_list) {
        after.trim_start_matches(in_list)
    } else {
        after.trim_start()
    };
    let operator: String = rest
        .chars()
        .take_while(|letter| "=:+-*/%&|^<>@".contains(*letter))
        .collect();
    match operator.as_str() {
        "++" | "--" | "=" | ":=" | "=-" | "=&" | "=*" | "=<" => Access::Write,
        "==" | "<=" | ">=" | ":" | "" => Access::Read,
        operator if operator.ends_with('=') => Access::Write,
        _ => Access::Read,
    }
}
