//! What a language room tells the graph: boxed slices without offsets, compared by value.

use codeweft_syntax::{NameId, Span};

use crate::{File, SymbolId, Unit};

/// The kinds of nodes, as on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum NodeKind {
    Package,
    Interface,
    Struct,
    Class,
    Type,
    Function,
    Method,
    Field,
    Constant,
    Variable,
}

impl NodeKind {
    /// The name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            NodeKind::Package => "package",
            NodeKind::Interface => "interface",
            NodeKind::Struct => "struct",
            NodeKind::Class => "class",
            NodeKind::Type => "type",
            NodeKind::Function => "function",
            NodeKind::Method => "method",
            NodeKind::Field => "field",
            NodeKind::Constant => "constant",
            NodeKind::Variable => "variable",
        }
    }
}

/// No row, item, field or token.
pub const NONE: u32 = u32::MAX;

/// The declarations of a unit. Read from items only: no body edit changes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitSymbols {
    /// In order of file (path bytes) and text; a package's own row first.
    pub rows: Box<[SymbolRow]>,
    /// (name, row), sorted.
    pub by_name: Box<[(NameId, u32)]>,
    /// (symbol, row), sorted.
    pub by_id: Box<[(SymbolId, u32)]>,
    /// (parent row, row), sorted; only rows with a parent row.
    pub by_parent: Box<[(u32, u32)]>,
}

/// A declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolRow {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its name.
    pub name: NameId,
    /// The row of its parent type, or [`NONE`]: declared at package level, or its parent is
    /// declared in another unit (the parent's symbol is in its key).
    pub parent: u32,
    /// Its kind.
    pub kind: NodeKind,
    /// Visible outside its package by its name alone.
    pub public: bool,
    /// The file, by its number in the unit's files; [`NONE`] without one.
    pub file: u32,
    /// The item in that file.
    pub item: u32,
    /// The field of the items' arena, for fields and interface methods; else [`NONE`].
    pub field: u32,
    /// The declared name's token in the items' arena.
    pub tok: u32,
}

impl UnitSymbols {
    /// Builds the indexes over rows.
    pub fn from_rows(rows: Vec<SymbolRow>) -> UnitSymbols {
        fn index<T: Ord>(
            rows: &[SymbolRow],
            key: impl Fn(&SymbolRow) -> Option<T>,
        ) -> Box<[(T, u32)]> {
            let mut index: Vec<_> = rows
                .iter()
                .enumerate()
                .filter_map(|(number, row)| Some((key(row)?, number as u32)))
                .collect();
            index.sort_unstable();
            index.into()
        }
        UnitSymbols {
            by_name: index(&rows, |row| Some(row.name)),
            by_id: index(&rows, |row| Some(row.symbol)),
            by_parent: index(&rows, |row| (row.parent != NONE).then_some(row.parent)),
            rows: rows.into(),
        }
    }

    /// The row of a symbol.
    pub fn row(&self, symbol: SymbolId) -> Option<u32> {
        let at = self
            .by_id
            .binary_search_by_key(&symbol, |&(id, _)| id)
            .ok()?;
        Some(self.by_id[at].1)
    }

    /// The rows of a name, ascending.
    pub fn named(&self, name: NameId) -> impl Iterator<Item = u32> + '_ {
        let from = self.by_name.partition_point(|&(other, _)| other < name);
        self.by_name[from..]
            .iter()
            .take_while(move |&&(other, _)| other == name)
            .map(|&(_, r)| r)
    }

    /// The rows declared inside a row, ascending.
    pub fn children(&self, parent: u32) -> impl Iterator<Item = u32> + '_ {
        let from = self.by_parent.partition_point(|&(other, _)| other < parent);
        self.by_parent[from..]
            .iter()
            .take_while(move |&&(other, _)| other == parent)
            .map(|&(_, row)| row)
    }
}

/// One import of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportRow {
    /// The importing file.
    pub file: File,
    /// The number of the import in the file's header.
    pub import: u32,
    /// The importing package's symbol (of a test of the same package: the package's).
    pub from: SymbolId,
    /// The imported package's symbol; of an absent package one of [`crate::Home::Absent`].
    pub to: SymbolId,
    /// The imported unit; `None` where it is absent.
    pub unit: Option<Unit>,
}

/// Types, interfaces and embeddings of a unit, from declarations only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hierarchy {
    /// Concrete types with methods, promoted ones included.
    pub types: Box<[TypeRow]>,
    /// Interfaces with at least one method and no type set.
    pub interfaces: Box<[TypeRow]>,
    /// (method name, row of `types`), sorted.
    pub by_method: Box<[(NameId, u32)]>,
    /// (method name, row of `interfaces`), sorted.
    pub by_interface_method: Box<[(NameId, u32)]>,
    /// Embedded fields and interfaces, in text order.
    pub embeds: Box<[EmbedRow]>,
}

impl Hierarchy {
    /// Builds the indexes over rows.
    pub fn from_rows(types: Vec<TypeRow>, interfaces: Vec<TypeRow>, embeds: Vec<EmbedRow>) -> Self {
        fn index(rows: &[TypeRow]) -> Box<[(NameId, u32)]> {
            let mut index: Vec<_> = rows
                .iter()
                .enumerate()
                .flat_map(|(number, row)| row.methods.iter().map(move |m| (m.name, number as u32)))
                .collect();
            index.sort_unstable();
            index.dedup();
            index.into()
        }
        Hierarchy {
            by_method: index(&types),
            by_interface_method: index(&interfaces),
            types: types.into(),
            interfaces: interfaces.into(),
            embeds: embeds.into(),
        }
    }

    /// The rows of an index with this method name, ascending.
    pub fn with_method(index: &[(NameId, u32)], name: NameId) -> impl Iterator<Item = u32> + '_ {
        let from = index.partition_point(|&(other, _)| other < name);
        index[from..]
            .iter()
            .take_while(move |&&(other, _)| other == name)
            .map(|&(_, row)| row)
    }
}

/// A type (its pointer method set) or an interface (its methods).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeRow {
    /// The type's symbol; of an instance its origin's.
    pub symbol: SymbolId,
    /// Of an instance its type arguments, printed; else empty.
    pub type_args: Box<[Box<str>]>,
    /// One bit of each method (name and signature): a type fits only if it has all bits.
    pub mask: u64,
    /// Sorted by name number.
    pub methods: Box<[MethodRow]>,
}

impl TypeRow {
    /// The method of a name.
    pub fn method(&self, name: NameId) -> Option<&MethodRow> {
        let at = self
            .methods
            .binary_search_by_key(&name, |method| method.name)
            .ok()?;
        Some(&self.methods[at])
    }
}

/// A method in a method set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodRow {
    /// Its name; of an unexported Go method the name behind its package's path, so that equal
    /// names of two packages differ.
    pub name: NameId,
    /// The canonical signature, a number of the language's table.
    pub signature: u32,
    /// The declaration that this name runs.
    pub symbol: SymbolId,
    /// Whether it is in the method set of the type itself, not only of its pointer.
    pub by_value: bool,
}

/// An embedding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmbedRow {
    /// The struct or interface.
    pub from: SymbolId,
    /// The embedded type.
    pub to: SymbolId,
    /// The file.
    pub file: File,
    /// The token in the items' arena.
    pub tok: u32,
}

/// How a type satisfies an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Receiver {
    /// The type itself does.
    Value,
    /// Only its pointer does.
    Pointer,
}

/// The role of a use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the roles by name")]
pub enum Role {
    Call,
    Go,
    Defer,
    Read,
    Write,
    ReadWrite,
    Address,
    /// A function that is not called.
    Value,
    /// A key of a composite literal.
    Key,
    Import,
    Embed,
    Receiver,
    Parameter,
    Result,
    FieldType,
    VariableType,
    Literal,
    Conversion,
    Assertion,
    TypeArgument,
    Constraint,
    /// The right side of a type declaration, or part of it.
    Base,
    Annotation,
}

impl Role {
    /// Whether the use is a call.
    pub fn is_call(self) -> bool {
        matches!(self, Role::Call | Role::Go | Role::Defer)
    }
}

/// How a use was resolved; the wire's `dispatch` is joined at question time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Resolution {
    /// Decided by declarations and types.
    Exact,
    /// A method that may run instead.
    Dispatch,
    /// A function value's possible target.
    Value,
    /// Chosen by name and arity.
    Name,
}

impl Resolution {
    /// The name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            Resolution::Exact => "exact",
            Resolution::Dispatch => "dispatch",
            Resolution::Value => "value",
            Resolution::Name => "name",
        }
    }
}

/// One use of a target in a file, 12 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Use {
    /// The body, by its number in the file; from the number of bodies on: an item, by its number
    /// plus the number of bodies.
    pub body: u32,
    /// The token: relative to the body's first; of an item its number in the items' arena.
    pub occ: u32,
    /// What the use does.
    pub role: Role,
    /// How it was found.
    pub resolution: Resolution,
    /// Whether it stands in a function literal.
    pub in_literal: bool,
}

/// Why a site could not be resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum Reason {
    UnknownReceiver,
    FunctionValue,
    Reflection,
    Linkname,
    Cgo,
    Assembly,
    DynamicAttribute,
    ParseError,
    ExcludedFile,
}

impl Reason {
    /// The name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            Reason::UnknownReceiver => "unknown_receiver",
            Reason::FunctionValue => "function_value",
            Reason::Reflection => "reflection",
            Reason::Linkname => "linkname",
            Reason::Cgo => "cgo",
            Reason::Assembly => "assembly",
            Reason::DynamicAttribute => "dynamic_attribute",
            Reason::ParseError => "parse_error",
            Reason::ExcludedFile => "excluded_file",
        }
    }
}

/// A call whose target is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpenSite {
    /// The name that is called; the empty name for a call of a function value.
    pub name: NameId,
    /// See [`Use::body`].
    pub body: u32,
    /// See [`Use::occ`].
    pub occ: u32,
    /// The number of arguments; [`OpenSite::ANY_COUNT`] with a spread or a tuple.
    pub arguments: u8,
    /// Why.
    pub reason: Reason,
    /// The absent package that the base is known to come from.
    pub absent: Option<NameId>,
    /// Of a call of a function value: its canonical signature, else [`NONE`].
    pub signature: u32,
}

impl OpenSite {
    /// Any number of arguments.
    pub const ANY_COUNT: u8 = u8::MAX;
}

/// What a file uses. Free of offsets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileUses {
    /// Distinct targets, sorted by number.
    pub targets: Box<[SymbolId]>,
    /// `uses[starts[i]..starts[i + 1]]` are the uses of `targets[i]`; one longer than `targets`.
    pub starts: Box<[u32]>,
    /// Inside one target in order of (body, occ).
    pub uses: Box<[Use]>,
    /// Calls without known target, sorted by name number, then place.
    pub open: Box<[OpenSite]>,
    /// Each body's symbol: the function, or the package for initialisers.
    pub bodies: Box<[SymbolId]>,
    /// Functions and methods used as values, sorted by number.
    pub escaped: Box<[SymbolId]>,
    /// Rows of generic types and interfaces as they are instantiated here, and of local types.
    pub types: Box<[TypeRow]>,
    /// As `types`, of interfaces.
    pub interfaces: Box<[TypeRow]>,
    /// What bodies declare: types with their fields and methods.
    pub locals: Box<[LocalDecl]>,
}

/// A type declared inside a function, or a field or method of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalDecl {
    /// Its symbol; the parent in its key is the function, or the type around it.
    pub symbol: SymbolId,
    /// What it is.
    pub kind: NodeKind,
    /// See [`Use::body`].
    pub body: u32,
    /// See [`Use::occ`].
    pub occ: u32,
}

impl FileUses {
    /// Uses grouped by target; everything else is empty.
    pub fn grouped(mut uses: Vec<(SymbolId, Use)>) -> FileUses {
        uses.sort_unstable();
        uses.dedup();
        let mut targets = Vec::new();
        let mut starts = Vec::new();
        for (at, (target, _)) in uses.iter().enumerate() {
            if targets.last() != Some(target) {
                targets.push(*target);
                starts.push(at as u32);
            }
        }
        starts.push(uses.len() as u32);
        FileUses {
            targets: targets.into(),
            starts: starts.into(),
            uses: uses.into_iter().map(|(_, one)| one).collect(),
            ..FileUses::default()
        }
    }

    /// The uses of one target.
    pub fn of(&self, target: SymbolId) -> &[Use] {
        match self.targets.binary_search(&target) {
            Ok(at) => &self.uses[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }

    /// Every target with its uses, by target number.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &[Use])> + '_ {
        self.targets.iter().enumerate().map(|(at, &target)| {
            (
                target,
                &self.uses[self.starts[at] as usize..self.starts[at + 1] as usize],
            )
        })
    }
}

/// The join of a unit's files: which files hold uses of a target, and what is open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitIndex {
    /// Distinct targets, sorted by number.
    pub targets: Box<[SymbolId]>,
    /// `files[starts[i]..starts[i + 1]]` belong to `targets[i]`; one longer than `targets`.
    pub starts: Box<[u32]>,
    /// Numbers in the unit's chosen files, ascending inside one target.
    pub files: Box<[u32]>,
    /// (name, file number) of open calls with a name, sorted, distinct.
    pub open: Box<[(NameId, u32)]>,
    /// (signature, file number) of calls of function values without known target, sorted.
    pub dynamic: Box<[(u32, u32)]>,
    /// Functions and methods used as values, sorted by number.
    pub escaped: Box<[SymbolId]>,
    /// File numbers with `types`, `interfaces` or `locals` of their own.
    pub with_types: Box<[u32]>,
}

impl UnitIndex {
    /// The numbers of the files that use a target.
    pub fn files_of(&self, target: SymbolId) -> &[u32] {
        match self.targets.binary_search(&target) {
            Ok(at) => &self.files[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }
}

/// Which units can name a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Only these.
    Units(Vec<Unit>),
    /// These and the units that import one of them directly, with their tests.
    Direct(Vec<Unit>),
    /// These and the units that import one of them over any number of steps.
    Transitive(Vec<Unit>),
    /// All units of the language.
    Workspace,
}

/// What stands at a place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A use or the declaration of a symbol.
    Symbol(SymbolId),
    /// A local variable, constant, parameter or type parameter.
    Local {
        /// The function around it.
        owner: SymbolId,
        /// Its name.
        name: NameId,
        /// Where it is declared.
        place: Place,
    },
}

/// Where a declaration stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub file: File,
    /// The declaration, without its doc comment.
    pub span: Span,
    /// The declared name.
    pub name: Span,
}
