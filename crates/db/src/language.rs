//! The [`Language`] traits: the boundary between the graph crate and the language crates.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_syntax::code::CodeToken;
use codeweft_syntax::detail::DeclarationDetail;
use codeweft_syntax::excerpt::line_of;
use codeweft_syntax::scopes::ScopeRange;
use codeweft_syntax::{Identifiers, Lang, NameId};
use smallvec::SmallVec;

use crate::{
    Db, DeclarationRange, ExcludedDeclaration, File, FileFlows, FileSystem, FileUses,
    FlowInstantiated, FlowNode, FlowTarget, FlowValue, Hierarchy, ImportRow, ImportTime, Layout,
    LayoutInput, LocalUse, NameTarget, NodeKind, OutsideCaller, Packaging, PossibleCall,
    Reachability, Reason, Receiver, SymbolId, TypeRow, Unit, UnitIndex, UnitSymbols, UnknownValue,
    UnresolvedSite, Use, VisibilityScope, Wires,
};

/// The rules of a language as the graph and the host use them: the sum of a family of traits, each
/// for one kind of rules. Methods with a default body are for rules that not every language has.
pub trait Language:
    ProjectLayout
    + Semantics
    + Dispatch
    + ValueFlow
    + Completeness
    + Reachability
    + EditorText
    + Packaging
    + Wires
    + Send
    + Sync
{
    /// Returns the language.
    fn lang(&self) -> Lang;
}

/// Returns whether an open site of a file counts for a symbol: see [`Completeness::open_sites_of`].
pub type OpenSitesOf<'db> = Box<dyn Fn(File, &UnresolvedSite) -> bool + 'db>;

/// How files become units, and for which build: pure functions of the project's files and settings.
pub trait ProjectLayout {
    /// Returns whether a workspace file can belong to a package, by its path relative to the root.
    /// Other files are not read at all.
    fn reads(&self, _relative: &str) -> bool {
        true
    }

    /// Groups files into units, maps imports to them, and lists the library directories that must
    /// be loaded first. A pure function of its input.
    fn layout(&self, input: &LayoutInput<'_>) -> Layout;

    /// Returns the printed configuration that answers hold under.
    fn configuration(&self, db: &dyn Db) -> String;

    /// Returns the configuration that a layout with these settings and this environment has,
    /// printed as by [`ProjectLayout::configuration`]; empty if the language has none.
    ///
    /// # Errors Returns the first value that the language does not know.
    fn configured(
        &self,
        _reader: &dyn FileSystem,
        _settings: &BTreeMap<String, String>,
    ) -> Result<String, UnknownValue> {
        Ok(String::new())
    }
}

/// What texts declare and refer to: symbols, imports, types, uses, and where they are written.
///
/// Results are `Arc`s of tracked queries, so a call costs a lookup where nothing changed.
pub trait Semantics {
    /// Returns the unit's files that the configuration selects, sorted by path bytes. File numbers
    /// in all other results are indexes into this list.
    fn files(&self, db: &dyn Db, unit: Unit) -> Arc<[File]>;

    /// Returns the unit's files that the configuration excludes.
    fn excluded(&self, db: &dyn Db, unit: Unit) -> Arc<[File]>;

    /// Returns the byte offset of the first possible use of a symbol in an excluded file. The
    /// default is the first word that is one of the symbol's names.
    fn first_use_in_excluded(&self, db: &dyn Db, file: File, symbol: SymbolId) -> Option<u32> {
        first_word(db, file, &self.search_names(db, symbol))
    }

    /// Returns the packages that an excluded file imports, each with the byte offset of the import,
    /// in text order.
    fn imports_of_excluded(&self, _db: &dyn Db, _file: File) -> Vec<(SymbolId, u32)> {
        Vec::new()
    }

    /// Returns the declarations of an excluded file, in text order.
    fn declarations_of_excluded(&self, _db: &dyn Db, _file: File) -> Vec<ExcludedDeclaration> {
        Vec::new()
    }

    /// Returns the package symbol of a unit. A companion that extends its package shares that of the
    /// Base unit.
    fn package(&self, db: &dyn Db, unit: Unit) -> SymbolId;

    /// Returns the package symbol of a file, for languages where one unit holds several packages: a
    /// Python module. It replaces [`Semantics::package`] wherever a file is known.
    fn module(&self, _db: &dyn Db, _file: File) -> Option<SymbolId> {
        None
    }

    /// Returns the other file that declares the same names: for a Python module the stub beside it,
    /// and the other way round.
    fn stub_counterpart(&self, _db: &dyn Db, _file: File) -> Option<File> {
        None
    }

    /// Returns the declarations of a unit.
    fn symbols(&self, db: &dyn Db, unit: Unit) -> Arc<UnitSymbols>;

    /// Returns the symbol that a name means as a member of a package or type: what a module imports,
    /// a base class declares, a method stores, or an embedded field promotes too. `None` if it means
    /// nothing declared.
    fn member_named(&self, _db: &dyn Db, _of: SymbolId, _name: NameId) -> Option<SymbolId> {
        None
    }

    /// Returns the name that the texts of a unit give its package: that of Go's package clause.
    /// `None` for languages where the path alone names it.
    fn package_clause(&self, _db: &dyn Db, _unit: Unit) -> Option<NameId> {
        None
    }

    /// Returns the imports of a unit's files.
    fn imports(&self, db: &dyn Db, unit: Unit) -> Arc<[ImportRow]>;

    /// Returns when an import of a file runs, by its number in the file's header.
    fn import_time(&self, _db: &dyn Db, _file: File, _import: u32) -> ImportTime {
        ImportTime::Load
    }

    /// Returns the types of a unit.
    fn hierarchy(&self, db: &dyn Db, unit: Unit) -> Arc<Hierarchy>;

    /// Returns the types of the language's universe scope: Go's `error`.
    fn universe(&self, _db: &dyn Db) -> Arc<Hierarchy> {
        Arc::default()
    }

    /// Returns the uses in a file.
    fn uses(&self, db: &dyn Db, file: File) -> Arc<FileUses>;

    /// Returns the uses in the bodies of a file that look names up ([`Completeness::looks_up_names`]), and
    /// maybe others of the file: all that it can have of a symbol whose names it does not write, if no
    /// value carries the symbol there.
    fn look_up_uses(&self, db: &dyn Db, file: File) -> Arc<FileUses> {
        self.uses(db, file)
    }

    /// Returns the joined index of a unit's files.
    fn index(&self, db: &dyn Db, unit: Unit) -> Arc<UnitIndex>;

    /// Returns the identifiers of a unit's files.
    fn identifiers(&self, db: &dyn Db, unit: Unit) -> Arc<Identifiers>;

    /// Returns the units that can name a symbol.
    fn visibility_scope(&self, db: &dyn Db, symbol: SymbolId) -> VisibilityScope;

    /// Returns the names by which a text can mention a symbol, without those of
    /// [`Semantics::constructed_class`].
    fn search_names(&self, db: &dyn Db, symbol: SymbolId) -> SmallVec<[NameId; 4]>;

    /// Returns the class that a symbol is a constructor of: a text mentions it by the name of each
    /// subclass too, since a call of that constructs an object.
    fn constructed_class(&self, _db: &dyn Db, _symbol: SymbolId) -> Option<SymbolId> {
        None
    }

    /// Returns the canonical signature of a function or method, for calls of function values.
    fn signature(&self, db: &dyn Db, symbol: SymbolId) -> Option<u32>;

    /// Returns the kind of a symbol; `None` if it is no longer declared. Local types and symbols of
    /// the universe scope have a kind.
    fn kind(&self, db: &dyn Db, symbol: SymbolId) -> Option<NodeKind>;

    /// Returns the symbol or local at a byte offset of a file.
    fn name_at(&self, db: &dyn Db, file: File, offset: u32) -> Option<NameTarget>;

    /// Returns the uses of a local by its declaration, in text order. The default tries each token
    /// of the name with [`Semantics::name_at`].
    fn local_uses(&self, db: &dyn Db, declared: &DeclarationRange) -> Vec<LocalUse> {
        let (file, name) = (declared.file, declared.name);
        let text = file.text(db);
        let Some(word) = text.get(name.start as usize..name.end as usize) else {
            return Vec::new();
        };
        let means = |&(at, _): &(usize, &str)| {
            at as u32 != name.start
                && matches!(self.name_at(db, file, at as u32), Some(NameTarget::Local { declaration, .. }) if declaration == *declared)
        };
        let uses = text.match_indices(word).filter(means);
        uses.map(|(at, _)| LocalUse {
            offset: at as u32,
            in_literal: false,
        })
        .collect()
    }

    /// Returns the range of a symbol's declaration; for a package that of its clause. `None` if it
    /// has no text.
    fn declaration_range(&self, db: &dyn Db, symbol: SymbolId) -> Option<DeclarationRange>;

    /// Returns the byte offset of a use.
    fn offset(&self, db: &dyn Db, file: File, body: u32, occ: u32) -> Option<u32>;

    /// Returns whether a file contains only tests.
    fn is_test(&self, db: &dyn Db, file: File) -> bool;
}

/// Which types satisfy which, and which method runs for a type. Default bodies are for languages
/// without classes.
pub trait Dispatch {
    /// Returns the name of a method as [`crate::MethodRow::name`] has it.
    fn method_name(&self, db: &dyn Db, method: SymbolId) -> NameId {
        db.shared().symbols.key(method).name
    }

    /// Returns whether a method that belongs to a type is declared by an interface literal inside
    /// that type's declaration: `type T []interface{ Close() error }`.
    fn is_of_interface_literal(&self, _db: &dyn Db, _method: SymbolId) -> bool {
        false
    }

    /// Returns whether and how a type satisfies an interface, by the language's full rule.
    fn satisfies(&self, db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver>;

    /// Returns whether and how a type satisfies an interface for some type arguments of both.
    fn may_satisfy(&self, db: &dyn Db, ty: &TypeRow, interface: &TypeRow) -> Option<Receiver> {
        self.satisfies(db, ty, interface)
    }

    /// Returns whether a type of kind interface is a class too: it lists its bases and has a body
    /// that runs. Python's abstract classes and protocols are.
    fn is_abstract_class(&self, _db: &dyn Db, _interface: SymbolId) -> bool {
        false
    }

    /// Returns whether a method of this name runs without being named: by an operator or a
    /// construction (Python reference, Special method names).
    fn is_special_name(&self, _name: &str) -> bool {
        false
    }

    /// Returns the method that runs for an object of exactly this class when `method`, declared by
    /// the class or one of its bases, is called by its name (Python reference, Data model, and the
    /// method resolution order). `None` if the class has no method of that name.
    fn resolve_method(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _method: SymbolId,
    ) -> Option<SymbolId> {
        None
    }

    /// Returns for each of some classes what [`Dispatch::resolve_method`] does. A language may read once what a base of many of
    /// them declares.
    fn resolve_methods(
        &self,
        db: &dyn Db,
        classes: &[SymbolId],
        method: SymbolId,
    ) -> Vec<Option<SymbolId>> {
        let resolve = |&class| self.resolve_method(db, class, method);
        classes.iter().map(resolve).collect()
    }

    /// Returns the other definitions of a method that may run instead of it: those that other
    /// branches of the class body declare by the same name.
    fn conditional_redefinitions(&self, _db: &dyn Db, _method: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Returns the method that runs for an object of exactly this class when `method` is looked up
    /// by name after class `after` in the method resolution order: Python's `super()`.
    fn resolve_super_method(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _after: SymbolId,
        _method: SymbolId,
    ) -> Option<SymbolId> {
        None
    }
}

/// The flow of values between variables. All methods have default bodies: a language that follows no
/// values implements none of them, and its dynamic calls are answered from class hierarchies.
pub trait ValueFlow {
    /// Returns the value flow fragments of a unit, in the order of its files, without empty ones.
    /// Empty if the language does not follow values; dynamic calls are then answered from class
    /// hierarchies.
    fn flows(&self, _db: &dyn Db, _unit: Unit) -> Arc<[FileFlows]> {
        Arc::default()
    }

    /// Returns whether a variable of type `through` can hold a value (Go spec, Assignability).
    fn flow_assignable(&self, _db: &dyn Db, _value: FlowValue, _to: u32) -> bool {
        true
    }

    /// Returns what runs when an interface's method is called on a value of this type; `None` if
    /// the type has no such method. Methods of one name have the same target, whichever interface
    /// or type declares them; unexported methods, only within one package.
    fn flow_target(&self, _db: &dyn Db, _ty: u32, _method: SymbolId) -> Option<FlowTarget> {
        None
    }

    /// Returns the type of the interface that declares a method; for a generic one in terms of its
    /// own type parameters. `None` if the declaration has no name of its own.
    fn flow_interface(&self, _db: &dyn Db, _method: SymbolId) -> Option<u32> {
        None
    }

    /// Returns whether an interface can only be a constraint (Go spec, General interfaces): no type
    /// implements it.
    fn flow_has_type_set(&self, _db: &dyn Db, _interface: u32) -> bool {
        false
    }

    /// Returns the generic declarations whose type parameters occur in the key of a node.
    fn flow_owners(&self, _db: &dyn Db, _node: FlowNode) -> SmallVec<[SymbolId; 2]> {
        SmallVec::new()
    }

    /// Returns the node that a node of generic code becomes in an instance.
    fn flow_instantiate(
        &self,
        _db: &dyn Db,
        _node: FlowNode,
        _owner: SymbolId,
        _args: &[u32],
    ) -> FlowInstantiated {
        FlowInstantiated::Nothing
    }

    /// Returns why values that flow to a node leave the visible code, if they do: a parameter of a
    /// function without a body, a value that reflection may call.
    fn flow_escapes(&self, _db: &dyn Db, _node: FlowNode) -> Option<Reason> {
        None
    }

    /// Returns the call through which values that flow to such a node leave: file, body and token
    /// as in [`crate::Use`].
    fn flow_call(&self, _db: &dyn Db, _node: FlowNode) -> Option<(File, u32, u32)> {
        None
    }

    /// Returns the words for an unnamed node of a kind and a type ([`FlowNode::Unnamed`]), for
    /// printed reasons: `elements of type error`.
    fn unnamed_node(&self, _db: &dyn Db, _kind: u16, _ty: u32) -> String {
        String::new()
    }

    /// Returns a type in the language's own syntax, for printed reasons.
    fn type_name(&self, _db: &dyn Db, _ty: u32) -> String {
        String::new()
    }
}

/// What could still belong to an answer: the uses of a symbol that do not name it.
pub trait Completeness: Semantics {
    /// Returns whether types are checked when the code runs: values that nothing follows carry
    /// functions and classes to code that does not name them, operators call methods, and a
    /// receiver need not have its declared type.
    fn is_dynamically_typed(&self) -> bool {
        false
    }

    /// Returns whether a unit looks attributes up by constant strings, and one of these names is
    /// such a string there and occurs nowhere else in the unit.
    fn looks_up_by_literal(&self, _db: &dyn Db, _unit: Unit, _names: &[NameId]) -> bool {
        false
    }

    /// Returns whether an unresolved site could be a call of `symbol`. It is the same for all sites that
    /// differ only in where they are.
    fn could_call(&self, db: &dyn Db, site: &UnresolvedSite, symbol: SymbolId) -> bool;

    /// Returns the names of unresolved sites that could call a symbol beside those by which a text
    /// mentions it. They count in files that cannot name it too, because these hold an object that leads
    /// to it: `type(x)()` constructs any class, and a base's `cls` is any of its subclasses.
    fn unresolved_names_by_object(&self, _db: &dyn Db, _symbol: SymbolId) -> SmallVec<[NameId; 4]> {
        SmallVec::new()
    }

    /// Returns whether a use whose target follows from a declared receiver type
    /// ([`UnresolvedSite::DECLARED_RECEIVER`]) could be a use of `symbol` instead; the same for all sites that
    /// differ only in where they are.
    fn could_use_declared_receiver(
        &self,
        _db: &dyn Db,
        _site: &UnresolvedSite,
        _symbol: SymbolId,
    ) -> bool {
        false
    }

    /// Returns for each of some bodies, a file and a number, the operations that may call more than its
    /// uses have. What is common to the bodies is read once.
    fn possible_calls(&self, _db: &dyn Db, bodies: &[(File, u32)]) -> Vec<Vec<PossibleCall>> {
        vec![Vec::new(); bodies.len()]
    }

    /// Returns whether a possible call that has the name of `symbol` could call it.
    fn could_be_called(&self, _db: &dyn Db, _call: &PossibleCall, _symbol: SymbolId) -> bool {
        false
    }

    /// Returns whether a use of a function or class that is no call (body and token) passes it on,
    /// so that later calls of it are not visible. For languages that do not follow values.
    fn escapes(&self, _db: &dyn Db, _file: File, _body: u32, _occ: u32) -> bool {
        false
    }

    /// Returns whether a function or class may leave, as a value, to code that calls it unseen; `false` only if its values are
    /// followed to where they end. For languages that do not follow values as Go does.
    fn may_escape(&self, _db: &dyn Db, _symbol: SymbolId) -> bool {
        true
    }

    /// Returns whether the flows of a file have all that an unresolved site runs, so that it is none.
    fn is_followed(&self, _db: &dyn Db, _file: File, _site: &UnresolvedSite) -> bool {
        false
    }

    /// Returns whether an unresolved site of a file may run what is not known of it, whatever the symbol.
    fn is_open_site(&self, _db: &dyn Db, _file: File, _site: &UnresolvedSite) -> bool {
        true
    }

    /// Returns which of the open sites that fit a symbol count for it, each in its file.
    fn open_sites_of<'db>(&self, _db: &'db dyn Db, _symbol: SymbolId) -> OpenSitesOf<'db> {
        Box::new(|_, _| true)
    }

    /// Returns the calls that reach `method` through `super()` from classes that precede the
    /// method's own class in the resolution order of its subclass `class`, which has several bases. Each is
    /// a file, a byte offset and a reason.
    fn super_calls(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _method: SymbolId,
    ) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns the unknown bases of `class` that its base `base` does not have: they may call what the class
    /// inherits. Each is a file, a byte offset and a reason.
    fn unknown_bases_beside(
        &self,
        _db: &dyn Db,
        _class: SymbolId,
        _base: SymbolId,
    ) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns the positions where classes are declared or created that could be subclasses of a
    /// class, or of one that satisfies it, although no known base says so: file, byte offset and
    /// reason.
    fn unknown_subclasses(&self, _db: &dyn Db, _class: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns the positions where the unknown bases of a class are written, because it may have more
    /// ancestors: file, byte offset and reason.
    fn unknown_bases(&self, _db: &dyn Db, _class: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns the positions where one of some modules may be imported by a name that no import statement
    /// has: file, byte offset and reason. What is common to the modules is read once.
    fn computed_importers(&self, _db: &dyn Db, _modules: &[SymbolId]) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns the positions where a module imports by a computed name: file, byte offset and reason.
    fn computed_imports(&self, _db: &dyn Db, _module: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns the ways some symbols are reached without a visible call, which make any answer about
    /// their callers incomplete: linkname, assembly, lookups by name. Each is a file, a byte offset and a
    /// reason. What is common to the symbols is read once; those that the declaration of a symbol shows are
    /// [`Completeness::declared_callers`].
    fn hidden_callers(&self, db: &dyn Db, symbols: &[NamedSymbol]) -> Vec<(File, u32, Reason)>;

    /// Returns the same of one symbol, as far as its own declaration shows them: decorators, special methods.
    fn declared_callers(&self, _db: &dyn Db, _symbol: SymbolId) -> Vec<(File, u32, Reason)> {
        Vec::new()
    }

    /// Returns what is known to call a function without a site, in order: an answer says so, and that leaves it complete.
    fn outside_callers(&self, _db: &dyn Db, _symbol: SymbolId) -> Vec<OutsideCaller> {
        Vec::new()
    }

    /// Runs the queries of a unit that [`Completeness::hidden_callers`] of any symbol reads, so that several
    /// threads do it for several units.
    fn read_for_hidden_callers(&self, _db: &dyn Db, _unit: Unit) {}

    /// Runs the queries of a unit that [`Completeness::hidden_callers`] of some symbols reads: ahead of
    /// questions, when no question is waiting.
    fn read_ahead_for_hidden_callers(&self, _db: &dyn Db, _unit: Unit) {}

    /// Returns whether only its names, and uses that carry it ([`Completeness::carried_by`]), lead to a
    /// symbol: no operator runs it, and no decorator holds it. Then a text without one of its names has
    /// no use of it, unless the text looks names up by values, or another text carries the symbol away.
    fn is_used_by_name(&self, _db: &dyn Db, _symbol: SymbolId) -> bool {
        false
    }

    /// Returns what carries the target of a use in a file to texts without its names.
    fn carried_by(&self, _db: &dyn Db, _file: File, _one: &Use) -> Carrier {
        Carrier::Value
    }

    /// Returns what other files can read of a file to get one of some functions as a value, beside what is
    /// in `known`; `None` if that cannot be listed. `has_name` if the text of the file has one of the
    /// known names.
    fn holders(
        &self,
        _db: &dyn Db,
        _file: File,
        _has_name: bool,
        _known: &Holders,
    ) -> Option<Holders> {
        None
    }

    /// Returns whether a file may look names up by values that it does not write as literals, or may
    /// write a name in another way than other files do.
    fn looks_up_names(&self, _db: &dyn Db, _file: File) -> bool {
        true
    }
}

/// A symbol with the names by which a text can mention it.
#[derive(Clone, Debug)]
pub struct NamedSymbol {
    /// The symbol.
    pub symbol: SymbolId,
    /// [`Semantics::search_names`], and the names of the subclasses of the class that it constructs;
    /// those of the workspace.
    pub names: Arc<[NameId]>,
    /// Whether its callers are queried: what a look-up is known to read is then followed to where it is
    /// called. Else the look-up itself is a use.
    pub of_callers: bool,
}

/// What carries a symbol to texts without its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// Nothing: the use is a call, say.
    Nothing,
    /// Another name, which an import binds.
    Name(NameId),
    /// A value: see [`Completeness::holders`].
    Value,
}

/// What gives code a function as a value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holders {
    /// The names of what holds or returns it.
    pub names: Vec<NameId>,
    /// The function itself, and those that return it.
    pub functions: Vec<SymbolId>,
}

/// Excerpts of a language's texts for editors. Offsets are bytes of the text.
pub trait EditorText {
    /// Returns the comment that documents a declaration as plain text; empty without one.
    fn doc(&self, _text: &str, _declaration: &DeclarationRange, _kind: NodeKind) -> String {
        String::new()
    }

    /// Returns the header of a declaration as it is written, without the indent of its lines.
    fn declaration_header(
        &self,
        text: &str,
        declaration: &DeclarationRange,
        _kind: NodeKind,
    ) -> String {
        line_of(text, declaration.name.start)
    }

    /// Returns the offset where the header of a function or class ends: before what begins its
    /// body.
    fn header_end(&self, _text: &str, _declaration: &DeclarationRange) -> Option<usize> {
        None
    }

    /// Returns the parts of a declaration as they are written: parameters, annotations, types.
    fn detail(
        &self,
        _text: &str,
        _declaration: &DeclarationRange,
        _kind: NodeKind,
    ) -> DeclarationDetail {
        DeclarationDetail::default()
    }

    /// Returns the tokens of a text that are code: comments and white space do not count.
    fn code_tokens(&self, text: &str) -> Vec<CodeToken> {
        codeweft_syntax::code::words(text)
    }

    /// Returns the scopes around a byte offset of a text, the innermost first.
    fn scopes_at(&self, _text: &str, _offset: u32) -> Vec<ScopeRange> {
        Vec::new()
    }

    /// Returns whether a name behind these words, the first of its line, is declared there. Used in
    /// stubs.
    fn begins_declaration(&self, _before: &str) -> bool {
        false
    }
}

/// Returns the byte offset of the first whole word of a text that is one of these names.
pub fn first_word(db: &dyn Db, file: File, names: &[NameId]) -> Option<u32> {
    let text = file.text(db);
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let whole = |at: usize, name: &str| {
        !text[..at].ends_with(in_word) && !text[at + name.len()..].starts_with(in_word)
    };
    let first = names.iter().filter_map(|&name| {
        let name = db.shared().names.text(name);
        let mut offsets = text.match_indices(name).map(|(at, _)| at);
        offsets.find(|&at| !name.is_empty() && whole(at, name))
    });
    first.min().map(|at| at as u32)
}
