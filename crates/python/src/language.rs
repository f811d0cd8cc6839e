//! The implementation of [`Language`] for Python: every method forwards to the module that holds
//! the rule.

use std::sync::Arc;

use codeweft_db::{
    Alias, Carrier, Completeness, Db, DeclarationRange, DeclaredIn, Dispatch, Distribution, File,
    FileFlows, FileSystem, FileUses, FileWires, HiddenUse, Hierarchy, Holders, Identifiers,
    ImportRow, ImportTime, Lang, Language, Layout, LayoutInput, LocalUse, NameId, NameTarget,
    NamedSymbol, NodeKind, OpenSitesOf, OutsideCaller, PackageSource, Packaging, PossibleCall,
    ProjectLayout, Reachability, Reason, Receiver, Semantics, SymbolClass, SymbolId, TypeRow, Unit,
    UnitIndex, UnitKeepers, UnitSymbols, UnresolvedSite, Use, ValueFlow, VisibilityScope, Wires,
};
use codeweft_python_syntax::PYTHON;
use smallvec::SmallVec;

use crate::declared::declaration_of;
use crate::members::Reading;
use crate::modules::package_symbol;
use crate::project::distributions;
use crate::{
    aliases, classes, completeness, conftest, declared, entry_points, escapes, flow, frameworks,
    hierarchy, imports, index, keepers, layout, locals, locations, open_sites, symbols, uses,
    wires,
};

/// The language Python.
pub struct Python;

impl Language for Python {
    fn lang(&self) -> Lang {
        PYTHON
    }
}

impl Wires for Python {
    fn wires(&self, db: &dyn Db, file: File) -> Arc<FileWires> {
        wires::py_file_wires(db, file)
    }
}

impl ProjectLayout for Python {
    fn reads(&self, relative: &str) -> bool {
        layout::is_source(relative)
    }

    fn layout(&self, input: &LayoutInput<'_>) -> Layout {
        layout::layout(input)
    }

    fn configuration(&self, _db: &dyn Db) -> String {
        String::new()
    }
}

impl Packaging for Python {
    fn scip_scheme(&self) -> &'static str {
        "scip-python"
    }

    fn package_manager(&self) -> &'static str {
        "python"
    }

    fn distributions(
        &self,
        packages: &[PackageSource],
        root: &str,
        reader: &dyn FileSystem,
    ) -> Vec<Distribution> {
        distributions::distributions(packages, root, reader)
    }

    fn aliases(&self, db: &dyn Db, unit: Unit) -> Vec<Alias> {
        aliases::aliases(db, unit)
    }
}

impl Semantics for Python {
    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        unit.files(db).clone()
    }

    fn excluded(&self, _db: &dyn Db, _unit: Unit) -> Arc<[File]> {
        Arc::default()
    }

    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId {
        package_symbol(db, unit)
    }

    fn module(&self, db: &dyn Db, file: File) -> Option<SymbolId> {
        declared::module_of(db, file).map(|(_, module)| module.symbol)
    }

    fn stub_counterpart(&self, db: &dyn Db, file: File) -> Option<File> {
        declared::stub_beside(db, file)
    }

    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        symbols::py_symbols(db, unit)
    }

    fn member_named(&self, db: &dyn Db, of: SymbolId, name: NameId) -> Option<SymbolId> {
        classes::member_named(db, of, name)
    }

    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
        imports::py_imports(db, unit)
    }

    fn import_time(&self, db: &dyn Db, file: File, import: u32) -> ImportTime {
        imports::import_time(db, file, import)
    }

    fn hierarchy(&self, db: &dyn Db, unit: Unit) -> Arc<Hierarchy> {
        hierarchy::py_hierarchy(db, unit)
    }

    fn uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        index::file_uses(db, file)
    }

    fn look_up_uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        escapes::look_up_uses(db, file)
    }

    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
        index::py_unit_index(db, unit)
    }

    fn identifiers(&self, db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
        index::py_unit_identifiers(db, unit)
    }

    fn visibility_scope(&self, db: &dyn Db, symbol: SymbolId) -> VisibilityScope {
        completeness::visibility_scope(db, symbol)
    }

    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        completeness::search_names(db, symbol)
    }

    fn constructed_class(&self, db: &dyn Db, symbol: SymbolId) -> Option<SymbolId> {
        completeness::constructed_class(db, symbol)
    }

    fn signature(&self, db: &dyn Db, symbol: SymbolId) -> Option<u32> {
        let class = db.shared().symbols.key(symbol).class;
        let is_callable = matches!(
            class,
            SymbolClass::Type | SymbolClass::Function | SymbolClass::Method
        );
        is_callable.then_some(uses::record::CALLABLE)
    }

    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind> {
        let key = db.shared().symbols.key(symbol);
        let DeclaredIn::Unit(unit) = key.declared_in else {
            // Of an absent package only the syntactic form of the reference is known.
            return Some(match key.class {
                SymbolClass::Package => NodeKind::Package,
                SymbolClass::Type => NodeKind::Class,
                SymbolClass::Function => NodeKind::Function,
                SymbolClass::Method => NodeKind::Method,
                SymbolClass::Field => NodeKind::Field,
                SymbolClass::Constant => NodeKind::Constant,
                SymbolClass::Variable => NodeKind::Variable,
            });
        };
        let symbols = symbols::py_symbols(db, unit);
        Some(symbols.rows[symbols.row(symbol)? as usize].kind)
    }

    fn name_at(&self, db: &dyn Db, file: File, offset: u32) -> Option<NameTarget> {
        locations::name_at(db, file, offset)
    }

    fn local_uses(&self, db: &dyn Db, declared: &DeclarationRange) -> Vec<LocalUse> {
        locals::local_uses(db, declared)
    }

    fn declaration_range(&self, db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange> {
        locations::declaration_range(db, symbol)
    }

    fn offset(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32> {
        locations::offset(db, file, body, occ)
    }

    fn is_test(&self, db: &dyn Db, file: File) -> bool {
        is_test_path(file.path(db))
    }
}

/// Returns whether a symbol is declared in a test: code outside of the workspace has none of it.
pub(crate) fn is_in_tests(db: &dyn Db, symbol: SymbolId) -> bool {
    let file = declaration_of(db, symbol).map(|(file, _)| file);
    file.is_some_and(|file| is_test_path(file.path(db)))
}

/// Returns whether a file is a test by the conventions of pytest and unittest: `test_x.py`,
/// `x_test.py`, `conftest.py`, or any file below a folder `test` or `tests`.
pub(crate) fn is_test_path(path: &str) -> bool {
    // All of the names below contain it, and an answer may rank thousands of files.
    if !path.contains("test") {
        return false;
    }
    let (dir, _) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = layout::stem(path);
    stem == "conftest"
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || dir.split('/').any(|part| matches!(part, "test" | "tests"))
}

impl Dispatch for Python {
    fn satisfies(&self, db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
        hierarchy::satisfies(db, ty, interface)
    }

    fn is_special_name(&self, name: &str) -> bool {
        name.starts_with("__")
    }

    fn is_abstract_class(&self, _db: &dyn Db, _interface: SymbolId) -> bool {
        true
    }

    fn resolve_method(&self, db: &dyn Db, class: SymbolId, method: SymbolId) -> Option<SymbolId> {
        classes::resolve_method(db, class, method)
    }

    fn resolve_methods(
        &self,
        db: &dyn Db,
        classes: &[SymbolId],
        method: SymbolId,
    ) -> Vec<Option<SymbolId>> {
        classes::resolve_methods(db, classes, method)
    }

    fn conditional_redefinitions(&self, db: &dyn Db, method: SymbolId) -> Vec<SymbolId> {
        classes::conditional_redefinitions(db, method, Reading::Whole)
    }

    fn resolve_super_method(
        &self,
        db: &dyn Db,
        class: SymbolId,
        after: SymbolId,
        method: SymbolId,
    ) -> Option<SymbolId> {
        let symbols = &db.shared().symbols;
        let key = symbols.key(method);
        let name = match key.parent {
            Some(parent) => classes::mangled(db, parent, key.name),
            None => key.name,
        };
        let found = classes::lookup_after(db, class, after, name)?;
        (symbols.key(found).class == SymbolClass::Method).then_some(found)
    }
}

impl ValueFlow for Python {
    fn flows(&self, db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
        flow::flows(db, unit)
    }
}

impl Reachability for Python {
    fn keepers(&self, db: &dyn Db, unit: Unit) -> UnitKeepers {
        keepers::keepers(db, unit)
    }

    fn write_is_use(&self, _db: &dyn Db, _file: File, _class: SymbolClass) -> bool {
        false
    }

    /// Returns whether an import re-exports: a package's own file gives its names to others.
    fn import_is_use(&self, db: &dyn Db, file: File) -> bool {
        layout::stem(file.path(db)) == "__init__"
    }

    fn runs_with_tests(&self, db: &dyn Db, unit: Unit) -> Vec<SymbolId> {
        conftest::modules(db, unit)
    }

    fn looked_up_by_prefix(&self, db: &dyn Db, symbols: &[SymbolId]) -> Vec<SymbolId> {
        escapes::looked_up_by_prefix(db, symbols)
    }

    fn hidden_uses(&self, db: &dyn Db, symbols: &[SymbolId]) -> Vec<(SymbolId, HiddenUse)> {
        keepers::hidden_uses(db, symbols)
    }
}

impl Completeness for Python {
    fn is_dynamically_typed(&self) -> bool {
        true
    }

    fn looks_up_by_literal(&self, db: &dyn Db, unit: Unit, names: &[NameId]) -> bool {
        escapes::has_literal(db, unit, names)
    }

    fn could_call(&self, db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
        completeness::could_call(db, site, symbol)
    }

    fn unresolved_names_by_object(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        completeness::unresolved_names_by_object(db, symbol)
    }

    fn could_use_declared_receiver(
        &self,
        db: &dyn Db,
        site: &UnresolvedSite,
        symbol: SymbolId,
    ) -> bool {
        site.is_possible_other_use() && completeness::could_reference(db, site, symbol)
    }

    fn possible_calls(&self, db: &dyn Db, bodies: &[(File, u32)]) -> Vec<Vec<PossibleCall>> {
        uses::possible::possible_calls(db, bodies)
    }

    fn could_be_called(&self, db: &dyn Db, call: &PossibleCall, symbol: SymbolId) -> bool {
        completeness::could_be_called(db, call, symbol)
    }

    fn hidden_callers(&self, db: &dyn Db, symbols: &[NamedSymbol]) -> Vec<(File, u32, Reason)> {
        escapes::hidden_callers(db, symbols)
    }

    fn declared_callers(&self, db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)> {
        escapes::declaration_escapes(db, symbol)
    }

    fn outside_callers(&self, db: &dyn Db, symbol: SymbolId) -> Vec<OutsideCaller> {
        let mut found = Vec::new();
        if escapes::is_run_by_test_runner(db, symbol) {
            found.push(OutsideCaller::TestRunner);
        }
        if entry_points::is_called(db, symbol) {
            found.push(OutsideCaller::EntryPoint);
        }
        if frameworks::is_registered_by_decorator(db, symbol) || flow::is_registered(db, symbol) {
            found.push(OutsideCaller::Framework);
        }
        found
    }

    fn read_for_hidden_callers(&self, db: &dyn Db, unit: Unit) {
        escapes::read_groups(db, unit);
    }

    fn read_ahead_for_hidden_callers(&self, db: &dyn Db, unit: Unit) {
        escapes::read_module_imports(db, unit);
    }

    fn is_used_by_name(&self, db: &dyn Db, symbol: SymbolId) -> bool {
        escapes::is_used_by_name(db, symbol)
    }

    fn carried_by(&self, db: &dyn Db, file: File, one: &Use) -> Carrier {
        escapes::carried_by(db, file, one)
    }

    fn holders(&self, db: &dyn Db, file: File, has_name: bool, known: &Holders) -> Option<Holders> {
        escapes::holders(db, file, has_name, known)
    }

    fn looks_up_names(&self, db: &dyn Db, file: File) -> bool {
        escapes::looks_up_names(db, file)
    }

    fn escapes(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> bool {
        escapes::escapes(db, file, body, occ)
    }

    fn may_escape(&self, db: &dyn Db, symbol: SymbolId) -> bool {
        flow::may_escape(db, symbol)
    }

    fn is_followed(&self, db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
        open_sites::is_followed(db, file, site)
    }

    fn is_open_site(&self, db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
        open_sites::is_open(db, file, site)
    }

    fn open_sites_of<'db>(&self, db: &'db dyn Db, symbol: SymbolId) -> OpenSitesOf<'db> {
        let open_sites = open_sites::OpenSites::of(db, symbol);
        Box::new(move |file, site| open_sites.contain(file, site))
    }

    fn super_calls(
        &self,
        db: &dyn Db,
        class: SymbolId,
        method: SymbolId,
    ) -> Vec<(File, u32, Reason)> {
        escapes::super_calls(db, class, method)
    }

    fn unknown_bases_beside(
        &self,
        db: &dyn Db,
        class: SymbolId,
        base: SymbolId,
    ) -> Vec<(File, u32, Reason)> {
        escapes::unknown_bases_beside(db, class, base)
    }

    fn unknown_subclasses(&self, db: &dyn Db, class: SymbolId) -> Vec<(File, u32, Reason)> {
        escapes::unknown_subclasses(db, class)
    }

    fn unknown_bases(&self, db: &dyn Db, class: SymbolId) -> Vec<(File, u32, Reason)> {
        escapes::unknown_bases(db, class)
    }

    fn computed_importers(&self, db: &dyn Db, modules: &[SymbolId]) -> Vec<(File, u32, Reason)> {
        escapes::importers(db, modules)
    }

    fn computed_imports(&self, db: &dyn Db, module: SymbolId) -> Vec<(File, u32, Reason)> {
        escapes::imports(db, module)
    }
}
