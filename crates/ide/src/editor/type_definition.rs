//! Go to type definition, as far as types are written in the text.

use codeweft_db::{DeclarationRange, File, NameTarget, NodeKind, Role, Span, SymbolId};
use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::EditorQuery;
use codeweft_workspace::Snapshot;

/// Returns the locations that declare the type of the name at a position: a type itself; of a function or
/// method the types of its results; of a variable, field, parameter or local the type that its
/// declaration names behind it, written (`n *T`, `n: T`) or made (`n := T{}`, `n = T()`). A
/// type that is only inferred has none.
pub fn type_definition(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = query.cursor(path, at) else {
        return Vec::new();
    };
    let types = match &cursor.found {
        NameTarget::Local { place, .. } => query.type_behind(place),
        NameTarget::Symbol(symbol) => query.type_of(*symbol),
    };
    query.all_declared(types)
}

impl EditorQuery<'_> {
    fn type_of(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let kind = self.graph.kind(symbol);
        if kind.is_type() {
            return vec![symbol];
        }
        let Some(place) = self.graph.declaration_range(symbol) else {
            return Vec::new();
        };
        match kind {
            NodeKind::Package => Vec::new(),
            NodeKind::Function | NodeKind::Method => self.results(&place),
            _ => self.type_behind(&place),
        }
    }

    /// The types of results that a header names.
    fn results(&self, place: &DeclarationRange) -> Vec<SymbolId> {
        let text = place.file.text(self.snapshot.db());
        let start = place.name.end;
        let language = self.language(place.file);
        let end = language.and_then(|language| language.header_end(text, place));
        let header = Span {
            start,
            end: end.map_or(place.span.end, |end| end as u32),
        };
        let words = text.get(start as usize..header.end as usize).unwrap_or("");
        let arrow = words.rfind("->").map(|at| start + at as u32);
        let types = self.graph.types_in(place.file, header).into_iter();
        types
            .filter(|(_, used, role)| match role {
                Role::Result => true,
                Role::Annotation => arrow.is_some_and(|arrow| arrow < used.span.start),
                _ => false,
            })
            .map(|(ty, ..)| ty)
            .collect()
    }

    /// The type that stands behind a name in its line, with nothing in between that makes another
    /// of it.
    fn type_behind(&self, place: &DeclarationRange) -> Vec<SymbolId> {
        let file: File = place.file;
        let text = file.text(self.snapshot.db());
        let start = place.name.end;
        let rest = text.get(start as usize..).unwrap_or("");
        let line = rest.split('\n').next().unwrap_or("");
        let within = Span {
            start,
            end: start + line.len() as u32,
        };
        let names_share_a_type = file.lang(self.snapshot.db()).names_share_a_type;
        let types = self.graph.types_in(file, within);
        let first = types.first().filter(|(_, used, _)| {
            let between = &line[..(used.span.start - start) as usize];
            if names_share_a_type {
                leads_to_type(after_names(between))
            } else {
                leads_to_type(between)
            }
        });
        first.map(|(ty, ..)| *ty).into_iter().collect()
    }
}

/// Whether the text between a name and a type says that the name is of it: no comma, no call, no
/// operator but a sign of its declaration.
fn leads_to_type(between: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || " \t_.*&[]:=\"'".contains(letter);
    between.chars().all(fits)
}

/// A text without the names of a list that it begins with: `, b, c`.
fn after_names(text: &str) -> &str {
    let mut rest = text;
    while let Some(names) = rest.trim_start().strip_prefix(',') {
        let names = names.trim_start();
        rest = names.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    }
    rest
}
