//! Symbols as printed nodes (docs/graph.md §1).

use codeweft_db::{
    Db, DeclarationRange, DeclaredIn, Lang, Language, NodeKind, Origin, SymbolClass, SymbolId,
    file_ranges,
};

use crate::answer::Node;
use crate::query_context::QueryContext;
use crate::symbols;

/// The parts of a node that need no ranges.
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

/// Returns the nodes of symbols, in their order.
pub(crate) fn nodes(query: &QueryContext<'_>, symbols: &[SymbolId]) -> Vec<Node> {
    let facts: Vec<Facts> = symbols.iter().map(|&symbol| facts(query, symbol)).collect();
    query.map(&facts, |languages, db, facts| {
        let language = facts.lang().and_then(|lang| languages.of(lang));
        facts.node(db, language).0
    })
}

/// Returns the facts of a symbol.
pub(crate) fn facts(query: &QueryContext<'_>, symbol: SymbolId) -> Facts {
    let key = query.key(symbol);
    let lang = query.lang(symbol);
    let id = symbols::id(query, symbol).to_string();
    let kind = query.kind(symbol);
    let text = query.db.shared().names.text(key.name);
    let name = match (key.class, lang) {
        (SymbolClass::Package, Some(lang)) => {
            let separator = lang.package_separator;
            text.rsplit(separator).next().unwrap_or(text)
        }
        _ => text,
    };
    let external = match key.declared_in {
        DeclaredIn::Unit(unit) => unit.origin(query.db) == Origin::Library,
        DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => true,
    };
    let public = match query.row(symbol) {
        Some((_, row)) => row.public,
        None => external || kind == NodeKind::Package,
    };
    Facts {
        symbol,
        lang,
        name: name.to_owned(),
        package: symbols::package_id(query, symbol).to_string(),
        id,
        kind,
        public,
        external,
    }
}

impl Facts {
    /// Returns the node with its range; reads ranges.
    pub(crate) fn node(
        &self,
        db: &dyn Db,
        language: Option<&dyn Language>,
    ) -> (Node, Option<DeclarationRange>) {
        let range = language.and_then(|language| language.declaration_range(db, self.symbol));
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
        if let Some(range) = &range {
            put_range(db, &mut node, range);
        }
        (node, range)
    }

    /// Returns the symbol's own name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind.
    pub(crate) fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Returns the language.
    pub(crate) fn lang(&self) -> Option<Lang> {
        self.lang
    }
}

/// Writes a range into a node: 1-based lines, the last inclusive; 1-based columns in bytes.
pub(crate) fn put_range(db: &dyn Db, node: &mut Node, range: &DeclarationRange) {
    let ranges = file_ranges(db, range.file);
    let last = range.span.end.saturating_sub(1).max(range.span.start);
    node.file = range.file.path(db).to_string();
    node.start_line = ranges.line_column(range.span.start).0;
    node.end_line = ranges.line_column(last).0;
    node.start_pos = range.span.start;
    node.end_pos = range.span.end;
    (node.name_line, node.name_column) = ranges.line_column(range.name.start);
}
