//! The rows that a language crate returns to the graph: boxed slices without byte offsets, compared
//! by value, so that salsa stops where a result is equal.

use codeweft_syntax::{NameId, Span};

use crate::{File, SymbolId, Unit};

/// The kinds of graph nodes, as on the wire.
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
    /// Returns whether it is a kind of type.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            NodeKind::Interface | NodeKind::Struct | NodeKind::Class | NodeKind::Type
        )
    }

    /// All kinds, in the order of docs/graph.md §1.
    pub const ALL: [NodeKind; 10] = [
        NodeKind::Package,
        NodeKind::Interface,
        NodeKind::Struct,
        NodeKind::Class,
        NodeKind::Type,
        NodeKind::Function,
        NodeKind::Method,
        NodeKind::Field,
        NodeKind::Constant,
        NodeKind::Variable,
    ];

    /// Returns the kind of a name on the wire.
    pub fn named(name: &str) -> Option<NodeKind> {
        let mut all = NodeKind::ALL.into_iter();
        all.find(|kind| kind.wire_name() == name)
    }

    /// Returns the name on the wire.
    pub const fn wire_name(self) -> &'static str {
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

/// The absence of a row, item, field, token or type number.
pub const NONE: u32 = u32::MAX;

/// The declarations of a unit. Built from items only: no edit inside a body changes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitSymbols {
    /// The rows in order of file (path bytes) and text; the package's own row first.
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
    /// The symbol.
    pub symbol: SymbolId,
    /// The name.
    pub name: NameId,
    /// The row of the parent type; [`NONE`] at package level, or if the parent is declared in
    /// another unit (the symbol's key has the parent).
    pub parent: u32,
    /// The kind.
    pub kind: NodeKind,
    /// Whether it is visible outside its package by its name alone.
    pub public: bool,
    /// The number of the file in the unit's files; [`NONE`] without one.
    pub file: u32,
    /// The number of the item in that file.
    pub item: u32,
    /// The field in the items' arena, for fields and interface methods; else [`NONE`].
    pub field: u32,
    /// The token of the declared name in the items' arena.
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

    /// Returns the row of a symbol.
    pub fn row(&self, symbol: SymbolId) -> Option<u32> {
        let at = self
            .by_id
            .binary_search_by_key(&symbol, |&(id, _)| id)
            .ok()?;
        Some(self.by_id[at].1)
    }

    /// Returns the rows of a name, ascending.
    pub fn named(&self, name: NameId) -> impl Iterator<Item = u32> + '_ {
        let from = self.by_name.partition_point(|&(other, _)| other < name);
        self.by_name[from..]
            .iter()
            .take_while(move |&&(other, _)| other == name)
            .map(|&(_, r)| r)
    }

    /// Returns the rows declared inside a row, ascending.
    pub fn children(&self, parent: u32) -> impl Iterator<Item = u32> + '_ {
        let from = self.by_parent.partition_point(|&(other, _)| other < parent);
        self.by_parent[from..]
            .iter()
            .take_while(move |&&(other, _)| other == parent)
            .map(|&(_, row)| row)
    }
}

/// An import of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportRow {
    /// The importing file.
    pub file: File,
    /// The number of the import in the file's header.
    pub import: u32,
    /// The importing package's symbol; for an in-package test that of the package.
    pub from: SymbolId,
    /// The imported package's symbol; for an absent package one of [`crate::DeclaredIn::Absent`].
    pub to: SymbolId,
    /// The imported unit; `None` if it is absent.
    pub unit: Option<Unit>,
}

/// When an import statement runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ImportTime {
    /// When its file is loaded; every import of a compiled language.
    Load,
    /// When the function around it is called.
    Call,
    /// Never: only a type checker reads it.
    TypeChecking,
}

/// The types, interfaces and embeddings of a unit, from declarations only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hierarchy {
    /// The concrete types that have methods, promoted ones included.
    pub types: Box<[TypeRow]>,
    /// The interfaces that have a method and no type set.
    pub interfaces: Box<[TypeRow]>,
    /// The interfaces that a type satisfies only for some type arguments, or only as a constraint.
    pub generic_interfaces: Box<[GenericInterfaceRow]>,
    /// (method name, row of `types`), sorted.
    pub by_method: Box<[(NameId, u32)]>,
    /// (method name, row of `interfaces`), sorted.
    pub by_interface_method: Box<[(NameId, u32)]>,
    /// The types that declarations name as embedded or as a base, in text order.
    pub supertypes: Box<[SupertypeRow]>,
}

impl Hierarchy {
    /// Builds the indexes over rows.
    pub fn from_rows(
        types: Vec<TypeRow>,
        interfaces: Vec<TypeRow>,
        embeds: Vec<SupertypeRow>,
    ) -> Self {
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
            generic_interfaces: Box::default(),
            supertypes: embeds.into(),
        }
    }

    /// Returns the same hierarchy with these generic interfaces and constraints.
    pub fn with_generic_interfaces(self, rows: Vec<GenericInterfaceRow>) -> Self {
        Hierarchy {
            generic_interfaces: rows.into(),
            ..self
        }
    }

    /// Returns the rows of an index that have this method name, ascending.
    pub fn with_method(index: &[(NameId, u32)], name: NameId) -> impl Iterator<Item = u32> + '_ {
        let from = index.partition_point(|&(other, _)| other < name);
        index[from..]
            .iter()
            .take_while(move |&&(other, _)| other == name)
            .map(|&(_, row)| row)
    }
}

/// A generic interface in terms of its own type parameters, or one with a type set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericInterfaceRow {
    /// The methods.
    pub row: TypeRow,
    /// Whether it has a type set, so that it can only be a constraint and no type implements it.
    pub has_type_set: bool,
}

/// A type with its pointer method set, or an interface with its methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeRow {
    /// The type's symbol; for an instance that of the generic type.
    pub symbol: SymbolId,
    /// The printed type arguments of an instance; else empty.
    pub type_args: Box<[Box<str>]>,
    /// A Bloom filter with one bit per method (name and signature): a type can satisfy an interface
    /// only if its mask contains all bits of the interface's.
    pub mask: u64,
    /// The methods, sorted by name number.
    pub methods: Box<[MethodRow]>,
}

impl TypeRow {
    /// Returns the method of a name.
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
    /// The name; for an unexported Go method prefixed by its package's path, because equal names of
    /// two packages differ (Go spec, Uniqueness of identifiers).
    pub name: NameId,
    /// The canonical signature, a number in the language's type table.
    pub signature: u32,
    /// The declaration that a call by this name runs.
    pub symbol: SymbolId,
    /// Whether it is in the method set of the type itself, not only of its pointer.
    pub by_value: bool,
}

/// A type with another one that its declaration names: an embedding, or a class with one of its
/// direct bases. Interfaces that a type satisfies by its methods alone are in no row: the rows of
/// types and interfaces give them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SupertypeRow {
    /// The struct or interface, or the subclass.
    pub from: SymbolId,
    /// The embedded type, or the base.
    pub to: SymbolId,
    /// What the declaration makes of the two.
    pub relation: Relation,
    /// The file.
    pub file: File,
    /// The token in the items' arena.
    pub tok: u32,
}

/// The relation of a type to one that its declaration names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// It has the other's members and is no subtype by that: structural.
    Embeds,
    /// It is a subclass, so that an override may run where a base's method is called: nominal.
    Extends,
}

/// The way a type satisfies an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Receiver {
    /// Values of the type itself do.
    Value,
    /// Only pointers to it do.
    Pointer,
}

/// The units that can name a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VisibilityScope {
    /// Only these.
    Units(Vec<Unit>),
    /// These, and the units that import one of them directly, with their tests.
    DirectImporters(Vec<Unit>),
    /// These, and the units that import one of them transitively.
    AllImporters(Vec<Unit>),
    /// All units of the language.
    Workspace,
}

/// The entity at a position of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameTarget {
    /// A use or the declaration of a symbol.
    Symbol(SymbolId),
    /// A local variable, constant, parameter or type parameter.
    Local {
        /// The enclosing function.
        owner: SymbolId,
        /// Its name.
        name: NameId,
        /// Its declaration.
        declaration: DeclarationRange,
    },
}

/// A use of a local.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LocalUse {
    /// The byte offset of the name.
    pub offset: u32,
    /// Whether the use is inside a function literal.
    pub in_literal: bool,
}

/// A declaration in a file that the build configuration excludes: a node without edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExcludedDeclaration {
    /// The name of the enclosing type, if any.
    pub parent: Option<NameId>,
    /// The name.
    pub name: NameId,
    /// The kind.
    pub kind: NodeKind,
    /// Whether it is visible outside its package by its name alone.
    pub public: bool,
    /// The range of the declaration.
    pub declaration: DeclarationRange,
}

/// The byte range of a declaration in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclarationRange {
    /// The file.
    pub file: File,
    /// The declaration, without its doc comment.
    pub span: Span,
    /// The declared name.
    pub name: Span,
}
