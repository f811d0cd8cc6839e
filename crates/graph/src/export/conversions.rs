//! Where values become those of an interface: what a lost implementation breaks.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{ExportContext, ExportedPackage, Location};
use crate::call_graph;
use crate::completeness;
use crate::completeness::unresolved_sites::SiteLocation;
use crate::link::SiteKey;
use crate::symbols;

/// A conversion of a value to an interface type, or an assignment that is one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ConversionRow {
    /// The id of the declaration around it.
    pub from: Arc<str>,
    /// Where the value is.
    pub location: Location,
    /// The id of the value's type.
    pub ty: Arc<str>,
    /// The id of the interface.
    pub interface: Arc<str>,
    /// Whether it is inside a function literal.
    pub in_literal: bool,
}

impl ExportContext<'_, '_> {
    /// Returns the conversions in a package's own files, in order; none for libraries.
    pub(super) fn conversions(&self, package: &ExportedPackage) -> Vec<ConversionRow> {
        let query = self.query;
        let mut rows = Vec::new();
        for &unit in package.units.iter().filter(|_| !package.external) {
            let Some(language) = query.languages.of(unit.lang(query.db)) else {
                continue;
            };
            for &file in language.files(query.db, unit).iter() {
                let mut positions: FxHashMap<SiteKey, (u32, u32)> = FxHashMap::default();
                call_graph::enclosing(query, file, |uses, enclosing| {
                    for one in uses.conversions.iter() {
                        let key = SiteKey::Use {
                            body: one.body,
                            occ: one.occ,
                        };
                        let at = positions.entry(key);
                        let &mut (line, column) = at.or_insert_with(|| {
                            completeness::line_column(query, file, SiteLocation::Key(key))
                        });
                        rows.push(ConversionRow {
                            from: symbols::id(query, enclosing(one.body)),
                            location: Location {
                                file: file.path(query.db).clone(),
                                line,
                                column,
                            },
                            ty: symbols::id(query, one.ty),
                            interface: symbols::id(query, one.interface),
                            in_literal: one.in_literal,
                        });
                    }
                });
            }
        }
        rows.sort();
        rows.dedup();
        rows
    }
}
