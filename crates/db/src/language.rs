//! The wall between `graph` and the languages.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_syntax::{Identifiers, Lang, NameId};
use smallvec::SmallVec;

use crate::{
    Db, DeclarationRange, ExcludedDeclaration, File, FileFlows, FileSystem, FileUses,
    FlowInstantiated, FlowNode, FlowTarget, FlowValue, Hierarchy, ImportRow, Layout, LayoutInput,
    LocalUse, NameTarget, NodeKind, Reason, Receiver, SymbolId, TypeRow, Unit, UnitIndex,
    UnitSymbols, UnknownValue, UnresolvedSite, VisibilityScope,
};

/// How much of the graph a language room answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Packages and their imports.
    Imports,
    /// Everything.
    Whole,
}

/// A language, as the graph and the Host see it. Results are `Arc`s of tracked queries.
pub trait Language: Send + Sync {
    /// Which language.
    fn lang(&self) -> Lang;

    /// What it answers.
    fn coverage(&self) -> Coverage;

    /// Whether a file of the workspace, by its path relative to the root, can belong to a
    /// package. The rest is not read at all.
    fn reads(&self, _relative: &str) -> bool {
        true
    }

    /// Groups files into units and says how imports find them, and which directories of
    /// libraries must be loaded first. A pure function of its input.
    fn layout(&self, input: &LayoutInput<'_>) -> Layout;

    /// The configuration that answers hold under, printed.
    fn configuration(&self, db: &dyn Db) -> String;

    /// The configuration that a layout with these settings and this environment has, printed as
    /// [`Language::configuration`]; empty where the language has none.
    ///
    /// # Errors
    /// A value is none that the language knows.
    fn configured(
        &self,
        _reader: &dyn FileSystem,
        _settings: &BTreeMap<String, String>,
    ) -> Result<String, UnknownValue> {
        Ok(String::new())
    }

    /// The unit's files that the configuration chooses, in order of path bytes. File numbers of
    /// all other results count in this list.
    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]>;

    /// The unit's files that the configuration leaves out.
    fn excluded(&self, db: &dyn Db, unit: Unit) -> Arc<[File]>;

    /// Where a file that the configuration leaves out could use a symbol first: a byte offset.
    /// Without a way of its own, the first word that is one of the symbol's names.
    fn first_use_in_excluded(&self, db: &dyn Db, file: File, symbol: SymbolId) -> Option<u32> {
        first_word(db, file, &self.search_names(db, symbol))
    }

    /// The packages that a file which the configuration leaves out imports, each with the byte
    /// offset of the import, in text order.
    fn imports_of_excluded(&self, _db: &dyn Db, _file: File) -> Vec<(SymbolId, u32)> {
        Vec::new()
    }

    /// What a file that the configuration leaves out declares, in text order.
    fn declarations_of_excluded(&self, _db: &dyn Db, _file: File) -> Vec<ExcludedDeclaration> {
        Vec::new()
    }

    /// The symbol of the package that a unit belongs to. InTest shares its Base's.
    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId;

    /// The symbol of the package that a file is, where one unit holds several: a Python module.
    /// It stands for [`Language::package`] wherever a file is known.
    fn module(&self, _db: &dyn Db, _file: File) -> Option<SymbolId> {
        None
    }

    /// The other file whose texts declare what a file declares: of a Python module the stub beside
    /// it.
    fn stub_twin(&self, _db: &dyn Db, _file: File) -> Option<File> {
        None
    }

    /// The declarations of a unit.
    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols>;

    /// The imports of a unit's files.
    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]>;

    /// The types of a unit.
    fn hierarchy(&self, db: &dyn Db, unit: Unit) -> Arc<Hierarchy>;

    /// The types of the language's universe: Go's `error`.
    fn universe(&self, _db: &dyn Db) -> Arc<Hierarchy> {
        Arc::default()
    }

    /// What a file uses.
    fn uses(&self, db: &dyn Db, file: File) -> Arc<FileUses>;

    /// The join of a unit's files.
    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex>;

    /// How values flow in a unit: the fragments of its files that have any, in the order of the
    /// files. None where the language does not follow values; class hierarchies answer then.
    fn flows(&self, _db: &dyn Db, _unit: Unit) -> Arc<[FileFlows]> {
        Arc::default()
    }

    /// Whether a place of the type of this number can hold a value. Go spec, Assignability.
    fn flow_assignable(&self, _db: &dyn Db, _value: FlowValue, _through: u32) -> bool {
        true
    }

    /// What runs where an interface's method is called on a value of the type of this number.
    /// `None` where the type has no such method. Methods of one name run the same, whichever
    /// interface or type declares them; unexported ones, of one name and package.
    fn flow_target(&self, _db: &dyn Db, _ty: u32, _method: SymbolId) -> Option<FlowTarget> {
        None
    }

    /// The type of the interface that declares a method, by its number: of a generic one in terms
    /// of its own type parameters. `None` where the declaration has no name of its own.
    fn flow_interface(&self, _db: &dyn Db, _method: SymbolId) -> Option<u32> {
        None
    }

    /// Whether an interface, by its number, is a constraint alone: no type implements it.
    fn flow_has_type_set(&self, _db: &dyn Db, _interface: u32) -> bool {
        false
    }

    /// The name of a method as rows have it: see [`crate::MethodRow::name`].
    fn method_name(&self, db: &dyn Db, method: SymbolId) -> NameId {
        db.shared().symbols.key(method).name
    }

    /// Whether a method that belongs to a type is one of an interface literal in its declaration:
    /// `type T []interface{ Close() error }`.
    fn is_of_interface_literal(&self, _db: &dyn Db, _method: SymbolId) -> bool {
        false
    }

    /// The generic declarations whose type parameters occur in what a place is keyed by.
    fn flow_owners(&self, _db: &dyn Db, _place: FlowNode) -> SmallVec<[SymbolId; 2]> {
        SmallVec::new()
    }

    /// What a place of generic code is in an instance.
    fn flow_instantiate(
        &self,
        _db: &dyn Db,
        _place: FlowNode,
        _owner: SymbolId,
        _args: &[u32],
    ) -> FlowInstantiated {
        FlowInstantiated::Nothing
    }

    /// Why what flows to a place leaves what texts show there: a parameter of a function without a
    /// body, a value that reflection may call.
    fn flow_escapes(&self, _db: &dyn Db, _place: FlowNode) -> Option<Reason> {
        None
    }

    /// The call that makes what flows to such a place leave: file, body and token, as in
    /// [`crate::Use`].
    fn flow_call(&self, _db: &dyn Db, _place: FlowNode) -> Option<(File, u32, u32)> {
        None
    }

    /// The type of this number, as a reader of the language writes it, for reasons.
    fn type_name(&self, _db: &dyn Db, _ty: u32) -> String {
        String::new()
    }

    /// Whether a unit's texts look attributes up by constant texts, of which one is such a name:
    /// they use it and mention it nowhere.
    fn looks_up_by_literal(&self, _db: &dyn Db, _unit: Unit, _names: &[NameId]) -> bool {
        false
    }

    /// The identifiers of a unit's files.
    fn identifiers(&self, db: &dyn Db, unit: Unit) -> Arc<Identifiers>;

    /// Which units can name a symbol.
    fn visibility_scope(&self, db: &dyn Db, symbol: SymbolId) -> VisibilityScope;

    /// The names by which a text can mention a symbol.
    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]>;

    /// Whether and how a type satisfies an interface: the language's full rule.
    fn satisfies(&self, db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver>;

    /// Whether and how a type satisfies an interface for some type arguments of both.
    fn may_satisfy(&self, db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
        self.satisfies(db, ty, interface)
    }

    /// Whether classes are subtypes of what they embed: an override may run where a base's
    /// method is called.
    fn is_nominal(&self) -> bool {
        false
    }

    /// The method that runs for an object of exactly this class where `method`, of the class or
    /// of one of its bases, is called by its name. Python reference, Data model, "Callable types"
    /// and the method resolution order. `None` where the class gives the name no method.
    fn resolve_method(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _method: SymbolId,
    ) -> Option<SymbolId> {
        None
    }

    /// The other methods of a method's class that may run where it does: those that other branches
    /// of the class's body declare by its name.
    fn conditional_redefinitions(&self, _db: &dyn Db, _method: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The method that runs for an object of exactly this class where `method` is looked up by its
    /// name behind another class in the method resolution order: Python's `super()`.
    fn resolve_super_method(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _behind: SymbolId,
        _method: SymbolId,
    ) -> Option<SymbolId> {
        None
    }

    /// Whether an open site could be a call of `symbol`.
    fn could_call(&self, db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool;

    /// The names of open sites that could be a symbol's.
    fn unresolved_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        self.search_names(db, symbol)
    }

    /// Whether a use whose target is promised ([`UnresolvedSite::DECLARED_RECEIVER`]) could be one of `symbol`
    /// instead.
    fn could_use_declared_receiver(
        &self,
        _db: &dyn Db,
        _site: &UnresolvedSite,
        _symbol: SymbolId,
    ) -> bool {
        false
    }

    /// Whether a use of a function or class that is no call, by its body and token, hands it on:
    /// then what is called where it goes is not seen. Of languages that do not follow values.
    fn escapes(&self, _db: &dyn Db, _file: File, _body: u32, _occ: u32) -> bool {
        false
    }

    /// Whether an open site that fits a symbol counts for it in this file.
    fn unresolved_site_counts(
        &self,
        _db: &dyn Db,
        _file: File,
        _site: &UnresolvedSite,
        _symbol: SymbolId,
    ) -> bool {
        true
    }

    /// Calls in classes that stand before a method's own class in the order of `class`, a
    /// subclass of it, which lead to the next class there: Python's `super().m()`; and the bases of
    /// `class` that are not known, which may call what it inherits. File, byte offset, and why.
    fn super_calls(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _method: SymbolId,
    ) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Where classes are declared or made that could be below a class, or below one that fits it,
    /// though no base that is known says so: file, byte offset, and why.
    fn unknown_subclasses(&self, _db: &dyn Db, _class: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Where the bases of a class are written that are not known: it may have more above it.
    fn unknown_bases(&self, _db: &dyn Db, _class: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Where a module may be imported by a name that no import line has: file, byte offset, and why.
    fn computed_importers(&self, _db: &dyn Db, _module: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Where a module imports by a name that is a value.
    fn computed_imports(&self, _db: &dyn Db, _module: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// The canonical signature of a function or method, for calls of function values.
    fn signature(&self, db: &dyn Db, symbol: SymbolId) -> Option<u32>;

    /// Ways into a symbol that no call shows and that make any answer about its callers
    /// incomplete: linkname, assembly, decorators, special methods, names that are looked up.
    fn hidden_callers(&self, db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)>;

    /// The kind of a symbol; `None` for one that is not declared (any more). Local types and
    /// symbols of the universe have one.
    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind>;

    /// What stands at a byte offset of a file.
    fn name_at(&self, db: &dyn Db, file: File, offset: u32) -> Option<NameTarget>;

    /// The uses of a local by its declaration, in order of the text: where [`Language::name_at`] finds
    /// a local of that place. Without a way of its own, each token of the name is asked for.
    fn local_uses(&self, db: &dyn Db, declared: &DeclarationRange) -> Vec<LocalUse> {
        let (file, name) = (declared.file, declared.name);
        let text = file.text(db);
        let Some(word) = text.get(name.start as usize..name.end as usize) else {
            return Vec::new();
        };
        let means = |&(at, _): &(usize, &str)| {
            at as u32 != name.start
                && matches!(self.name_at(db, file, at as u32), Some(NameTarget::Local { place, .. }) if place == *declared)
        };
        let uses = text.match_indices(word).filter(means);
        uses.map(|(at, _)| LocalUse {
            offset: at as u32,
            in_literal: false,
        })
        .collect()
    }

    /// Where a symbol is declared; `None` without a text. Of a package: its clause.
    fn declaration_range(&self, db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange>;

    /// The byte offset of a use.
    fn offset(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32>;

    /// Whether a file holds tests only.
    fn is_test(&self, db: &dyn Db, file: File) -> bool;
}

/// The byte offset where a text first has one of these names as a word of its own.
pub fn first_word(db: &dyn Db, file: File, names: &[NameId]) -> Option<u32> {
    let text = file.text(db);
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let whole = |at: usize, name: &str| {
        !text[..at].ends_with(in_word) && !text[at + name.len()..].starts_with(in_word)
    };
    let first = names.iter().filter_map(|&name| {
        let name = db.shared().names.text(name);
        let mut places = text.match_indices(name).map(|(at, _)| at);
        places.find(|&at| !name.is_empty() && whole(at, name))
    });
    first.min().map(|at| at as u32)
}
