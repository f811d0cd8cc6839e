//! Symbols as printed nodes (docs/graph.md §1).

use codeweft_db::{
    Db, DeclarationRange, DeclaredIn, Lang, Language, NodeKind, Origin, SymbolClass, SymbolId,
    file_ranges,
};

use crate::answer::Node;
use crate::languages::spelling;
use crate::query_context::QueryContext;

/// What a node says that no range is read for.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The symbol.
    pub(crate) symbol: SymbolId,
    lang: Option<Lang>,
    id: String,
    kind: NodeKind,
    name: String,
    public: bool,
    package: String,
    external: bool,
}

impl QueryContext<'_> {
    /// The facts of a symbol.
    pub(crate) fn facts(&self, symbol: SymbolId) -> Facts {
        let key = self.key(symbol);
        let lang = self.lang(symbol);
        let id = self.id(symbol).to_string();
        let kind = self.kind(symbol);
        let text = self.db.shared().names.text(key.name);
        let name = match (key.class, lang) {
            (SymbolClass::Package, Some(lang)) => {
                let separator = spelling(lang).package_separator;
                text.rsplit(separator).next().unwrap_or(text)
            }
            _ => text,
        };
        let external = match key.declared_in {
            DeclaredIn::Unit(unit) => unit.origin(self.db) == Origin::Library,
            DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => true,
        };
        let public = match self.row(symbol) {
            Some((_, row)) => row.public,
            None => external || kind == NodeKind::Package,
        };
        Facts {
            symbol,
            lang,
            name: name.to_owned(),
            package: self.package_id(symbol).to_string(),
            id,
            kind,
            public,
            external,
        }
    }
}

impl Facts {
    /// The node with its place; reads ranges.
    pub(crate) fn node(
        &self,
        db: &dyn Db,
        language: Option<&dyn Language>,
    ) -> (Node, Option<DeclarationRange>) {
        let place = language.and_then(|language| language.declaration_range(db, self.symbol));
        let mut node = Node {
            id: self.id.clone(),
            kind: self.kind.wire_name().to_owned(),
            name: self.name.clone(),
            language: self.lang.map_or("", Lang::wire_name).to_owned(),
            visibility: if self.public { "public" } else { "private" }.to_owned(),
            package: self.package.clone(),
            external: self.external,
            ..Node::default()
        };
        if let Some(place) = &place {
            put_place(db, &mut node, place);
        }
        (node, place)
    }

    /// The name of its own.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The language.
    pub(crate) fn lang(&self) -> Option<Lang> {
        self.lang
    }
}

/// Writes a place into a node: lines from 1, the last inclusive; columns in bytes.
pub(crate) fn put_place(db: &dyn Db, node: &mut Node, place: &DeclarationRange) {
    let ranges = file_ranges(db, place.file);
    let last = place.span.end.saturating_sub(1).max(place.span.start);
    node.file = place.file.path(db).to_string();
    node.start_line = ranges.line_column(place.span.start).0;
    node.end_line = ranges.line_column(last).0;
    node.start_pos = place.span.start;
    node.end_pos = place.span.end;
    (node.name_line, node.name_column) = ranges.line_column(place.name.start);
}
