//! The implementation of [`Language`] for Go: it delegates to the modules that own each rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{
    Completeness, Db, DeclarationRange, DeclaredIn, Dispatch, Distribution, ExcludedDeclaration,
    File, FileFlows, FileSystem, FileUses, FileWires, FlowInstantiated, FlowNode, FlowTarget,
    FlowValue, HiddenUse, Hierarchy, Identifiers, ImportRow, Lang, Language, Layout, LayoutInput,
    LocalUse, NameId, NameTarget, NamedSymbol, NodeKind, PackageSource, Packaging, ProjectLayout,
    QualifiedName, Reachability, Reason, Receiver, Semantics, Span, SymbolClass, SymbolId, TypeRow,
    Unit, UnitGraph, UnitIndex, UnitKeepers, UnitKind, UnitSymbols, UnknownValue, UnresolvedSite,
    ValueFlow, VisibilityScope, Wires,
};
use codeweft_go_syntax::{AsGo as _, GO};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::decls::{DeclKey, TypeKey, decl, extra_methods, type_def};
use crate::definitions::{Decl, interface_methods};
use crate::settings::{GoSettings, settings};
use crate::types::{Signature, Ty, Type, is_exported, printed, table};
use crate::typing::Unnamed;
use crate::units::{IN_TEST, X_TEST};
use crate::units::{companion_units, package_path, package_symbol, unit_files, unit_name, unit_of};
use crate::{
    excluded, flows, hierarchy, interface_names, keepers, locations, named_members, project,
    qualified, reflection, symbols, uses, wires,
};

/// The language Go.
pub struct Go;

impl Language for Go {
    fn lang(&self) -> Lang {
        GO
    }
}

impl Wires for Go {
    fn wires(&self, db: &dyn Db, file: File) -> Arc<FileWires> {
        wires::file_wires(db, file)
    }
}

impl ProjectLayout for Go {
    fn reads(&self, relative: &str) -> bool {
        project::holds_packages(relative.rsplit_once('/').map_or("", |(folder, _)| folder))
    }

    fn layout(&self, input: &LayoutInput<'_>) -> Layout {
        project::layout(input)
    }

    fn configuration(&self, db: &dyn Db) -> String {
        settings(db).map_or_else(String::new, GoSettings::printed)
    }

    fn configured(
        &self,
        reader: &dyn FileSystem,
        settings: &BTreeMap<String, String>,
    ) -> Result<String, UnknownValue> {
        project::configured(reader, settings)
    }
}

impl Semantics for Go {
    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        unit_files(db, unit).chosen.clone()
    }

    fn excluded(&self, db: &dyn Db, unit: Unit) -> Arc<[File]> {
        unit_files(db, unit).excluded.clone()
    }

    fn first_use_in_excluded(&self, db: &dyn Db, file: File, symbol: SymbolId) -> Option<u32> {
        excluded::first_use(db, file, symbol)
    }

    fn imports_of_excluded(&self, db: &dyn Db, file: File) -> Vec<(SymbolId, u32)> {
        excluded::imports(db, file)
    }

    fn declarations_of_excluded(&self, db: &dyn Db, file: File) -> Vec<ExcludedDeclaration> {
        excluded::declarations(db, file)
    }

    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId {
        package_symbol(db, unit)
    }

    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
        symbols::unit_symbols(db, unit)
    }

    fn member_named(&self, db: &dyn Db, of: SymbolId, name: NameId) -> Option<SymbolId> {
        named_members::member_named(db, of, name)
    }

    fn package_clause(&self, db: &dyn Db, unit: Unit) -> Option<NameId> {
        unit_name(db, unit)
    }

    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
        symbols::unit_import_rows(db, unit)
    }

    fn hierarchy(&self, db: &dyn Db, unit: Unit) -> Arc<Hierarchy> {
        hierarchy::impl_index(db, unit)
    }

    fn universe(&self, db: &dyn Db) -> Arc<Hierarchy> {
        Arc::new(hierarchy::of_universe(db))
    }

    fn uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        uses::file_uses(db, file)
    }

    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex> {
        uses::unit_index(db, unit)
    }

    fn identifiers(&self, db: &dyn Db, unit: Unit) -> Arc<Identifiers> {
        uses::unit_identifiers(db, unit)
    }

    fn visibility_scope(&self, db: &dyn Db, symbol: SymbolId) -> VisibilityScope {
        let key = db.shared().symbols.key(symbol);
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return VisibilityScope::Workspace;
        };
        let companions = companion_units(db, UnitGraph::get(db));
        let tests_of = |base: Unit| companions.get(&base).into_iter().flatten().copied();
        let own: Vec<Unit> = match unit.kind(db) {
            UnitKind::BASE => [unit].into_iter().chain(tests_of(unit)).collect(),
            X_TEST => return VisibilityScope::Units(vec![unit]),
            _ => {
                let xtest = unit.base(db).into_iter().flat_map(tests_of);
                let xtest = xtest.filter(|other| other.kind(db) == X_TEST);
                return VisibilityScope::Units([unit].into_iter().chain(xtest).collect());
            }
        };
        // A declaration inside a body has no row and is visible only in its package.
        let is_local =
            key.parent.is_some() && symbols::unit_symbols(db, unit).row(symbol).is_none();
        let exported = is_exported(db.shared().names.text(key.name));
        match key.class {
            SymbolClass::Package => VisibilityScope::DirectImporters(own),
            _ if is_local || !exported => VisibilityScope::Units(own),
            SymbolClass::Field | SymbolClass::Method => VisibilityScope::AllImporters(own),
            _ => VisibilityScope::DirectImporters(own),
        }
    }

    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        smallvec![db.shared().symbols.key(symbol).name]
    }

    fn signature(&self, db: &dyn Db, symbol: SymbolId) -> Option<u32> {
        let signature = declared_signature(db, symbol)?;
        let types = table(db);
        Some(
            types
                .canonical(types.intern(Type::Func(signature)))
                .number(),
        )
    }

    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind> {
        let key = db.shared().symbols.key(symbol);
        match key.declared_in {
            DeclaredIn::Absent(_) => {
                (key.class == SymbolClass::Package).then_some(NodeKind::Package)
            }
            DeclaredIn::Builtin(_) => Some(match key.class {
                SymbolClass::Method => NodeKind::Method,
                _ => NodeKind::Interface,
            }),
            DeclaredIn::Unit(_) if key.class == SymbolClass::Package => Some(NodeKind::Package),
            DeclaredIn::Unit(unit) => {
                let symbols = symbols::unit_symbols(db, unit);
                match symbols.row(symbol) {
                    Some(row) => Some(symbols.rows[row as usize].kind),
                    None => local_kind(db, symbol, key.parent?),
                }
            }
        }
    }

    fn name_at(&self, db: &dyn Db, file: File, offset: u32) -> Option<NameTarget> {
        locations::name_at(db, file, offset)
    }

    fn local_uses(&self, db: &dyn Db, declared: &DeclarationRange) -> Vec<LocalUse> {
        locations::local_uses(db, declared).unwrap_or_default()
    }

    fn declaration_range(&self, db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange> {
        locations::declaration_range(db, symbol)
    }

    fn offset(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32> {
        locations::offset(db, file, body, occ)
    }

    fn is_test(&self, db: &dyn Db, file: File) -> bool {
        unit_of(db, file).is_some_and(|unit| unit.kind(db) != UnitKind::BASE)
    }
}

impl Packaging for Go {
    fn scip_scheme(&self) -> &'static str {
        "scip-go"
    }

    fn package_manager(&self) -> &'static str {
        "gomod"
    }

    fn distributions(
        &self,
        packages: &[PackageSource],
        root: &str,
        reader: &dyn FileSystem,
    ) -> Vec<Distribution> {
        project::distributions(packages, root, reader)
    }

    fn qualified_names(&self, db: &dyn Db, file: File) -> Vec<QualifiedName> {
        qualified::qualified_names(db, file)
    }

    fn package_clause_name(&self, db: &dyn Db, file: File) -> Option<Span> {
        qualified::package_clause_name(db, file)
    }

    fn import_names(&self, db: &dyn Db, file: File) -> Vec<(SymbolId, Span)> {
        qualified::import_names(db, file)
    }
}

impl Dispatch for Go {
    fn method_name(&self, db: &dyn Db, method: SymbolId) -> NameId {
        flows::method_name(db, method)
    }

    fn is_of_interface_literal(&self, db: &dyn Db, method: SymbolId) -> bool {
        flows::is_of_literal(db, method)
    }

    fn satisfies(&self, _db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
        hierarchy::satisfies(ty, interface)
    }

    fn may_satisfy(&self, db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
        hierarchy::may_satisfy(db, ty, interface)
    }
}

impl ValueFlow for Go {
    fn flows(&self, db: &dyn Db, unit: Unit) -> Arc<[FileFlows]> {
        uses::unit_flows(db, unit)
    }

    fn flow_assignable(&self, db: &dyn Db, value: FlowValue, to: u32) -> bool {
        flows::is_assignable(db, value, to)
    }

    fn flow_target(&self, db: &dyn Db, ty: u32, method: SymbolId) -> Option<FlowTarget> {
        flows::target(db, ty, method)
    }

    fn flow_interface(&self, db: &dyn Db, method: SymbolId) -> Option<u32> {
        flows::interface_of(db, method)
    }

    fn flow_has_type_set(&self, db: &dyn Db, interface: u32) -> bool {
        flows::has_type_set(db, interface)
    }

    fn flow_owners(&self, db: &dyn Db, node: FlowNode) -> SmallVec<[SymbolId; 2]> {
        flows::owners(db, node)
    }

    fn flow_instantiate(
        &self,
        db: &dyn Db,
        node: FlowNode,
        owner: SymbolId,
        args: &[u32],
    ) -> FlowInstantiated {
        flows::instantiate(db, node, owner, args)
    }

    fn flow_escapes(&self, db: &dyn Db, node: FlowNode) -> Option<Reason> {
        reflection::escapes(db, node)
    }

    fn flow_call(&self, db: &dyn Db, node: FlowNode) -> Option<(File, u32, u32)> {
        reflection::escaping_call(db, node)
    }

    fn unnamed_node(&self, db: &dyn Db, kind: u16, ty: u32) -> String {
        let words = |kind: Unnamed| kind.words(&self.type_name(db, ty));
        Unnamed::numbered(kind).map_or_else(String::new, words)
    }

    fn type_name(&self, db: &dyn Db, ty: u32) -> String {
        table(db)
            .of_number(ty)
            .map_or_else(String::new, |ty| printed(db, ty))
    }
}

impl Reachability for Go {
    fn keepers(&self, db: &dyn Db, unit: Unit) -> UnitKeepers {
        keepers::keepers(db, unit)
    }

    fn does_nothing(&self, declaration: &str) -> bool {
        let tokens = codeweft_go_syntax::code::code_tokens(declaration);
        let words = tokens.iter().rev().filter_map(|token| {
            declaration.get(token.span.start as usize..token.span.end as usize)
        });
        words.take(2).eq(["}", "{"])
    }

    fn runs_with_tests(&self, db: &dyn Db, unit: Unit) -> Vec<SymbolId> {
        keepers::test_main(db, unit)
    }

    fn interface_methods<'t>(&self, text: &'t str) -> Vec<&'t str> {
        interface_names::interface_methods(text)
    }

    /// Returns whether a store uses what it stores to: to a field always, since others may read the
    /// struct whole; to a variable in tests only, where benchmarks keep results in one.
    fn write_is_use(&self, db: &dyn Db, file: File, class: SymbolClass) -> bool {
        class != SymbolClass::Variable || self.is_test(db, file)
    }

    fn is_generated(&self, db: &dyn Db, file: File) -> bool {
        file.header(db).go().is_some_and(|header| header.generated)
    }

    fn hidden_uses(&self, db: &dyn Db, symbols: &[SymbolId]) -> Vec<(SymbolId, HiddenUse)> {
        keepers::linked_from_elsewhere(db, symbols)
    }

    fn named_in_literals<'t>(&self, text: &'t str, visit: &mut dyn FnMut(&'t str, u32)) {
        interface_names::named_in_literals(text, visit);
    }
}

impl Completeness for Go {
    fn could_call(&self, db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool {
        let key = db.shared().symbols.key(symbol);
        if site.name != key.name || site.absent.is_some() {
            return false;
        }
        match (declared_signature(db, symbol), site.arguments) {
            (_, UnresolvedSite::ANY_COUNT) | (None, _) => true,
            (Some(signature), count) => {
                let (wanted, count) = (signature.params.len(), count as usize);
                if signature.variadic {
                    count + 1 >= wanted
                } else {
                    count == wanted
                }
            }
        }
    }

    fn hidden_callers(&self, db: &dyn Db, symbols: &[NamedSymbol]) -> Vec<(File, u32, Reason)> {
        let symbols: Vec<SymbolId> = symbols.iter().map(|one| one.symbol).collect();
        linknames_of(db, &symbols)
    }

    fn read_for_hidden_callers(&self, db: &dyn Db, unit: Unit) {
        symbols::unit_linknames(db, unit);
    }
}

/// Returns the byte offset of the directive in a text that links a local name to `target`.
pub(crate) fn linkname_offset(text: &str, target: &str) -> Option<u32> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let links = line.strip_prefix("//go:linkname ");
        if links.is_some_and(|links| links.split_whitespace().nth(1) == Some(target)) {
            return u32::try_from(at).ok();
        }
        at += line.len();
    }
    None
}

/// Returns the kind of a type declared inside a function.
fn local_kind(db: &dyn Db, symbol: SymbolId, parent: SymbolId) -> Option<NodeKind> {
    let uses = uses::file_uses(db, locations::file_of(db, parent)?);
    Some(
        uses.locals
            .iter()
            .find(|local| local.symbol == symbol)?
            .kind,
    )
}

/// Returns the signature of a function or method, without receiver.
fn declared_signature(db: &dyn Db, symbol: SymbolId) -> Option<Signature> {
    let key = db.shared().symbols.key(symbol);
    let ty: Ty = match (key.class, key.declared_in, key.parent) {
        (SymbolClass::Function, DeclaredIn::Unit(unit), _) => {
            match decl(db, DeclKey::new(db, unit, key.name))? {
                Decl::Func { signature, .. } => signature,
                _ => return None,
            }
        }
        (SymbolClass::Method, home, Some(parent)) => {
            let def = type_def(db, TypeKey::new(db, parent))?;
            let own = def.methods.iter().find(|method| method.symbol == symbol);
            match own {
                Some(method) => method.signature,
                None => {
                    let def_of = |symbol| type_def(db, TypeKey::new(db, symbol));
                    let of_interface = interface_methods(table(db), def.underlying, &def_of);
                    let found = of_interface
                        .iter()
                        .find(|(_, _, declared)| *declared == Some(symbol));
                    match (found, home) {
                        (Some(&(_, signature, _)), _) => signature,
                        (None, DeclaredIn::Unit(unit)) if unit.kind(db) == IN_TEST => {
                            let extra = extra_methods(db, unit);
                            let methods = extra.iter().flat_map(|(_, methods)| methods);
                            methods
                                .clone()
                                .find(|method| method.symbol == symbol)?
                                .signature
                        }
                        _ => return None,
                    }
                }
            }
        }
        _ => return None,
    };
    match table(db).get(ty) {
        Type::Func(signature) => Some(signature.clone()),
        _ => None,
    }
}

/// Returns the `//go:linkname` directives that give functions to other packages, or lead to them from
/// there (Go, cmd/compile, "Compiler Directives"). The directives of all packages are read once.
fn linknames_of(db: &dyn Db, functions: &[SymbolId]) -> Vec<(File, u32, Reason)> {
    let names = &db.shared().names;
    let mut hidden = Vec::new();
    let mut targets: FxHashMap<NameId, SmallVec<[Unit; 1]>> = FxHashMap::default();
    for &function in functions {
        let key = db.shared().symbols.key(function);
        let (SymbolClass::Function, DeclaredIn::Unit(unit)) = (key.class, key.declared_in) else {
            continue;
        };
        let own = symbols::unit_linknames(db, unit);
        let mut own = own.locals.iter().filter(|(local, _)| *local == key.name);
        if own.clone().next().is_some()
            && let Some(declared) = locations::declaration_range(db, function)
            && own.any(|&(_, file)| file == declared.file)
        {
            hidden.push((declared.file, declared.name.start, Reason::Linkname));
        }
        let path = names.text(package_path(db, unit));
        let full = names.get(&format!("{path}.{}", names.text(key.name)));
        if let Some(full) = full {
            targets.entry(full).or_default().push(unit);
        }
    }
    if targets.is_empty() {
        return hidden;
    }
    for &other in UnitGraph::get(db).units(db).iter() {
        if other.lang(db) != GO {
            continue;
        }
        for &(target, file) in &symbols::unit_linknames(db, other).targets {
            let mut declared_in = targets.get(&target).into_iter().flatten();
            if declared_in.any(|&unit| unit != other) {
                let clause = codeweft_db::file_ranges(db, file).package.start;
                let at = linkname_offset(file.text(db), names.text(target)).unwrap_or(clause);
                hidden.push((file, at, Reason::Linkname));
            }
        }
    }
    hidden
}
