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
    /// Whether it is a type of any kind.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            NodeKind::Interface | NodeKind::Struct | NodeKind::Class | NodeKind::Type
        )
    }

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
    /// The imported package's symbol; of an absent package one of [`crate::DeclaredIn::Absent`].
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
    /// Interfaces that a type satisfies for some type arguments alone, or as a constraint.
    pub generic_interfaces: Box<[GenericInterfaceRow]>,
    /// (method name, row of `types`), sorted.
    pub by_method: Box<[(NameId, u32)]>,
    /// (method name, row of `interfaces`), sorted.
    pub by_interface_method: Box<[(NameId, u32)]>,
    /// Embedded fields and interfaces, or the direct bases of classes, in text order.
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

    /// The same with these generic interfaces and constraints.
    pub fn with_generic_interfaces(self, open: Vec<GenericInterfaceRow>) -> Self {
        Hierarchy {
            generic_interfaces: open.into(),
            ..self
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

/// A generic interface in terms of its own type parameters, or one with a type set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericInterfaceRow {
    /// Its methods.
    pub row: TypeRow,
    /// Whether it has a type set: it is a constraint alone, and no type implements it.
    pub has_type_set: bool,
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

/// An embedding, or a class with one of its direct bases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SupertypeRow {
    /// The struct or interface, or the subclass.
    pub from: SymbolId,
    /// The embedded type, or the base.
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

/// Which units can name a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VisibilityScope {
    /// Only these.
    Units(Vec<Unit>),
    /// These and the units that import one of them directly, with their tests.
    DirectImporters(Vec<Unit>),
    /// These and the units that import one of them over any number of steps.
    AllImporters(Vec<Unit>),
    /// All units of the language.
    Workspace,
}

/// What stands at a place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameTarget {
    /// A use or the declaration of a symbol.
    Symbol(SymbolId),
    /// A local variable, constant, parameter or type parameter.
    Local {
        /// The function around it.
        owner: SymbolId,
        /// Its name.
        name: NameId,
        /// Where it is declared.
        place: DeclarationRange,
    },
}

/// A use of a local.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LocalUse {
    /// Where its name starts, in bytes.
    pub offset: u32,
    /// Whether it stands in a function literal.
    pub in_literal: bool,
}

/// A declaration of a file that the configuration leaves out: a node without edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExcludedDeclaration {
    /// The name of the type around it, if any.
    pub parent: Option<NameId>,
    /// Its name.
    pub name: NameId,
    /// Its kind.
    pub kind: NodeKind,
    /// Visible outside its package by its name alone.
    pub public: bool,
    /// Where it stands.
    pub place: DeclarationRange,
}

/// Where a declaration stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclarationRange {
    /// The file.
    pub file: File,
    /// The declaration, without its doc comment.
    pub span: Span,
    /// The declared name.
    pub name: Span,
}
