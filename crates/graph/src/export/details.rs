//! The parts of declarations that an export can add to its nodes.

use std::sync::Arc;

use codeweft_db::detail::{DeclarationDetail, ParameterDetail};
use codeweft_db::{DeclaredIn, Lang, SymbolId, visible_text};

use super::{ClassRelation, ConversionRow, OpenNodes, PackageRows};
use crate::query_context::QueryContext;
use crate::rendering::line;
use crate::symbols;

/// A package with the parts of its nodes' declarations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DetailedPackage {
    /// The language, of an absent package if it is known.
    pub lang: Option<Lang>,
    /// The nodes and edges.
    pub rows: PackageRows,
    /// The details of the nodes, in their order.
    pub details: Vec<NodeDetail>,
    /// What answers about the nodes may lack, if the options say so.
    pub open: OpenNodes,
    /// The conversions to interfaces in its files, if the options say so.
    pub conversions: Vec<ConversionRow>,
    /// The relations of its classes that no edge says, if the options say so.
    pub relations: Vec<ClassRelation>,
}

/// The parts of a node's declaration, as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeDetail {
    /// The id of the enclosing type or function, else of the package; empty for a package.
    pub container: Arc<str>,
    /// The header in one line; `None` for packages and where there is no text.
    pub signature: Option<String>,
    /// The type, as [`DeclarationDetail::type_expr`]; empty without one and for libraries.
    pub type_expr: String,
    /// The receiver, the parameters and the results, in text order; none for libraries.
    pub parameters: Vec<ParameterDetail>,
    /// Whether it is declared in a file of tests.
    pub test: bool,
    /// Whether it is a class, an abstract one too, or the method of one.
    pub is_of_class: bool,
    /// Whether it is a method that an interface declares.
    pub is_interface_method: bool,
    /// Whether it is a member of a package that is not loaded.
    pub is_absent: bool,
    /// For a package: its path as an import writes it, if a unit is that package.
    pub import_path: Option<Arc<str>>,
    /// The symbol, for further questions to the same database.
    pub symbol: Option<SymbolId>,
}

/// Returns the details of symbols, in their order; types and parameters only if `types` says so.
pub(super) fn details(
    query: &QueryContext<'_>,
    symbols: &[SymbolId],
    types: bool,
) -> Vec<NodeDetail> {
    let known: Vec<_> = symbols
        .iter()
        .map(|&symbol| {
            let external = symbols::is_external(query, symbol);
            let lang = query.lang(symbol);
            let import_path = match query.key(symbol).declared_in {
                DeclaredIn::Unit(unit) if symbols::own_package(query, unit) == Some(symbol) => {
                    let names = &query.db.shared().names;
                    Some(names.text(unit.import_path(query.db)).into())
                }
                _ => None,
            };
            let detail = NodeDetail {
                container: symbols::container(query, symbol),
                test: symbols::in_test(query, symbol),
                is_of_class: symbols::is_of_class(query, symbol),
                is_interface_method: symbols::is_interface_method(query, symbol),
                is_absent: matches!(query.key(symbol).declared_in, DeclaredIn::Absent(_)),
                import_path,
                symbol: Some(symbol),
                ..NodeDetail::default()
            };
            (symbol, lang, query.kind(symbol), external, detail)
        })
        .collect();
    query.map(
        &known,
        |languages, db, (symbol, lang, kind, external, detail)| {
            let mut detail = detail.clone();
            let language = lang.and_then(|lang| languages.of(lang));
            let declared = language.and_then(|language| {
                let range = language.declaration_range(db, *symbol)?;
                Some((language, range))
            });
            if let Some((language, range)) = declared {
                detail.signature = line::signature(db, language, &range, *kind);
                if types && !external {
                    let text = visible_text(db, range.file);
                    let DeclarationDetail {
                        type_expr,
                        parameters,
                        ..
                    } = language.detail(text, &range, *kind);
                    detail.type_expr = type_expr;
                    detail.parameters = parameters;
                }
            }
            detail
        },
    )
}
