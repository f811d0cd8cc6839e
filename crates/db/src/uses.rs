//! The uses in a file, free of byte offsets, and their join over a unit's files.
//!
//! [`FileUses`] is the result of resolving one file; [`UnitIndex`] maps targets to the files that
//! use them, so that a query for callers reads only those files.
//!
//! Large files are resolved in chunks, and edits should rebuild little. So uses and indexes are
//! lists of shared parts:
//!
//! ```text
//! UnitIndex ── groups: [Arc<FileGroupIndex>, …]           target -> file numbers
//! FileUses  ── uses_by_target: [Arc<UsesByTarget>, …]     target -> uses, one part per chunk
//!           └─ flows:          [Arc<Flows>, …]            see `crate::Flows`
//! ```

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use codeweft_syntax::NameId;

use crate::{BoxedType, Flows, NodeKind, Reason, SymbolId, TypeRow, distinct};

/// The syntactic role of a use.
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
    /// A function that is used as a value, not called.
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
    /// Returns whether the use is a call.
    pub fn is_call(self) -> bool {
        matches!(self, Role::Call | Role::Go | Role::Defer)
    }
}

/// The method by which a use was resolved. The wire's `dispatch` is joined when a query runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Resolution {
    /// Decided by declarations and types.
    Exact,
    /// A method that may run instead of the declared one.
    Dispatch,
    /// A possible target of a function value.
    Value,
    /// Chosen by name and number of arguments.
    Name,
}

impl Resolution {
    /// Returns the name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            Resolution::Exact => "exact",
            Resolution::Dispatch => "dispatch",
            Resolution::Value => "value",
            Resolution::Name => "name",
        }
    }
}

/// A use of a target in a file; 12 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Use {
    /// The number of the body in the file; from the number of bodies on, an item: its number plus
    /// the number of bodies.
    pub body: u32,
    /// The token, counted from the body's first token; for an item the token in the items' arena.
    pub occ: u32,
    /// The syntactic role.
    pub role: Role,
    /// The method of resolution.
    pub resolution: Resolution,
    /// Whether the use is inside a function literal.
    pub in_literal: bool,
    /// For a call of a method: exactly this method runs, never an override. Python: `super().m()`,
    /// `C.m(x)`, constructors, a receiver whose exact class is known.
    pub direct: bool,
}

const _: () = assert!(size_of::<Use>() == 12, "millions of them are kept");

/// A call site whose target is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct UnresolvedSite {
    /// The name that is called; the empty name for a call of a function value.
    pub name: NameId,
    /// See [`Use::body`].
    pub body: u32,
    /// See [`Use::occ`].
    pub occ: u32,
    /// The number of arguments; [`UnresolvedSite::ANY_COUNT`] with a spread or a tuple.
    pub arguments: u8,
    /// The names of the keyword arguments, joined by commas; `None` without any.
    pub keywords: Option<NameId>,
    /// The reason.
    pub reason: Reason,
    /// The unloaded package that the receiver is known to come from.
    pub absent: Option<NameId>,
    /// For a call of a function value its canonical signature, else [`crate::NONE`].
    pub signature: u32,
}

impl UnresolvedSite {
    /// The argument count of a call whose number of arguments is unknown.
    pub const ANY_COUNT: u8 = u8::MAX;

    /// The pseudo-signature of a use whose target follows from a declared receiver type: from an
    /// annotation, or from what is stored in an attribute. At run time the object may belong to
    /// another class that has the name. Such a site is no unresolved call of its body.
    pub const DECLARED_RECEIVER: u32 = u32::MAX - 1;

    /// The first of the pseudo-signatures that, like [`UnresolvedSite::DECLARED_RECEIVER`], are no
    /// unresolved calls of their body. The others are free for a language's own use.
    pub const FIRST_DECLARED_RECEIVER: u32 = u32::MAX - 8;

    /// Returns whether the site is resolved and only could have further targets.
    pub fn is_possible_other_use(&self) -> bool {
        (UnresolvedSite::FIRST_DECLARED_RECEIVER..=UnresolvedSite::DECLARED_RECEIVER)
            .contains(&self.signature)
    }
}

/// An operation that may call more functions than its uses have, because the class of an operand is
/// only inferred. For languages whose types are checked when the code runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PossibleCall {
    /// The name of what may be called; `None` if it may have any name.
    pub name: Option<NameId>,
    /// See [`Use::occ`].
    pub occ: u32,
    /// The number of arguments, as of [`UnresolvedSite::arguments`].
    pub arguments: u8,
    /// Whether it is no call but reads or stores an attribute, which may run a property.
    pub is_read: bool,
    /// The reason.
    pub reason: Reason,
}

/// Uses grouped by their targets: a map in two sorted arrays.
///
/// ```text
/// targets  [ A,    B,       C ]
/// starts   [ 0,    2,       5,  6 ]
/// uses     [ a1 a2 b1 b2 b3 c1 ]
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UsesByTarget {
    /// The distinct targets, sorted by number.
    pub targets: Box<[SymbolId]>,
    /// The uses of `targets[i]` are `uses[starts[i]..starts[i + 1]]`; one longer than `targets`.
    pub starts: Box<[u32]>,
    /// The uses; those of one target are sorted by (body, occ).
    pub uses: Box<[Use]>,
}

/// The uses in a file and everything else that resolving its bodies yields. Free of byte offsets,
/// so edits that only move code leave it equal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileUses {
    /// The uses, in parts that follow each other by their bodies. The parts are kept apart because
    /// an edit rebuilds only one of them.
    pub uses_by_target: Box<[Arc<UsesByTarget>]>,
    /// Calls without a known target, sorted by name number, then position.
    pub unresolved: Box<[UnresolvedSite]>,
    /// The symbol of each body: the function, or the package for initialisers.
    pub bodies: Box<[SymbolId]>,
    /// Functions and methods used as values, sorted by number.
    pub escaped: Box<[SymbolId]>,
    /// Calls that look their method up after a class in the method resolution order of the object's
    /// class (Python's `super()`): (body, token, class), sorted.
    pub super_calls: Box<[(u32, u32, SymbolId)]>,
    /// Rows of generic types as instantiated here, and of local types.
    pub types: Box<[TypeRow]>,
    /// The same for interfaces.
    pub interfaces: Box<[TypeRow]>,
    /// Declarations inside bodies: types with their fields and methods.
    pub locals: Box<[LocalDecl]>,
    /// Conversions of values to interface types, sorted by (interface, type, position).
    pub conversions: Box<[Conversion]>,
    /// The types whose values become values of an interface, once a body, sorted.
    pub boxed: Box<[BoxedType]>,
    /// The fields that are set or read without their names, sorted: those of composite literals
    /// without keys and of structs that are converted.
    pub unnamed_fields: Box<[SymbolId]>,
    /// The value flow fragments, one per part that has any.
    pub flows: Box<[Arc<Flows>]>,
}

/// A value of a concrete type that becomes a value of an interface with methods: it is assigned,
/// passed, returned, sent, put into a composite literal, converted, or asserted from the interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Conversion {
    /// The interface; for an instance its generic type.
    pub interface: SymbolId,
    /// The type; for an instance its generic type.
    pub ty: SymbolId,
    /// See [`Use::body`].
    pub body: u32,
    /// See [`Use::occ`]: the token of the value.
    pub occ: u32,
    /// Whether the value is a pointer to the type.
    pub pointer: bool,
    /// Whether the conversion is inside a function literal.
    pub in_literal: bool,
}

/// A type declared inside a function, or a field or method of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalDecl {
    /// The symbol; the parent in its key is the function or the enclosing type.
    pub symbol: SymbolId,
    /// The kind.
    pub kind: NodeKind,
    /// See [`Use::body`].
    pub body: u32,
    /// See [`Use::occ`].
    pub occ: u32,
}

impl UsesByTarget {
    /// Groups uses by target.
    pub fn grouped(mut uses: Vec<(SymbolId, Use)>) -> UsesByTarget {
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
        UsesByTarget {
            targets: targets.into(),
            starts: starts.into(),
            uses: uses.into_iter().map(|(_, one)| one).collect(),
        }
    }

    /// Returns the uses of one target.
    pub fn of(&self, target: SymbolId) -> &[Use] {
        match self.targets.binary_search(&target) {
            Ok(at) => &self.uses[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }

    /// Returns every target with its uses, by target number.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &[Use])> + '_ {
        self.targets.iter().enumerate().map(|(at, &target)| {
            (
                target,
                &self.uses[self.starts[at] as usize..self.starts[at + 1] as usize],
            )
        })
    }
}

impl FileUses {
    /// Returns the class after which the call at a token looks its method up.
    pub fn super_call_class(&self, body: u32, occ: u32) -> Option<SymbolId> {
        let at = self
            .super_calls
            .partition_point(|&(b, o, _)| (b, o) < (body, occ));
        let &(b, o, class) = self.super_calls.get(at)?;
        ((b, o) == (body, occ)).then_some(class)
    }

    /// Returns uses grouped by target in one part, with everything else empty.
    pub fn grouped(uses: Vec<(SymbolId, Use)>) -> FileUses {
        FileUses {
            uses_by_target: [Arc::new(UsesByTarget::grouped(uses))].into(),
            ..FileUses::default()
        }
    }

    /// Returns the uses of one target, in order of (body, occ).
    pub fn of(&self, target: SymbolId) -> Cow<'_, [Use]> {
        let mut found = self.uses_by_target.iter().map(|sites| sites.of(target));
        let mut found = found.by_ref().filter(|uses| !uses.is_empty());
        let first = found.next().unwrap_or_default();
        match found.next() {
            None => first.into(),
            Some(second) => {
                let mut all = [first, second].concat();
                all.extend(found.flatten());
                all.into()
            }
        }
    }

    /// Returns the targets with their uses, part by part, sorted by target number within a part. A
    /// target may occur more than once.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &[Use])> + '_ {
        self.uses_by_target.iter().flat_map(|sites| sites.iter())
    }
}

/// The joined index of some files of a unit: the files that use each target, and those with
/// unresolved calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileGroupIndex {
    /// The distinct targets, sorted by number.
    pub targets: Box<[SymbolId]>,
    /// The files of `targets[i]` are `files[starts[i]..starts[i + 1]]`; one longer than `targets`.
    pub starts: Box<[u32]>,
    /// File numbers in the list of the unit's selected files, ascending within a target.
    pub files: Box<[u32]>,
    /// (name, file number) of unresolved calls by name, sorted, distinct.
    pub unresolved: Box<[(NameId, u32)]>,
    /// (signature, file number) of calls of function values without a known target, sorted,
    /// distinct.
    pub function_value_calls: Box<[(u32, u32)]>,
    /// Functions and methods used as values, sorted by number.
    pub escaped: Box<[SymbolId]>,
    /// The numbers of files that have `types`, `interfaces` or `locals`.
    pub with_types: Box<[u32]>,
    /// (interface, type, file number) of conversions, sorted, distinct.
    pub conversions: Box<[(SymbolId, SymbolId, u32)]>,
}

impl FileGroupIndex {
    /// Joins the uses of some files of a unit, whose numbers begin at `first`. `empty_name` is the
    /// number of the empty name, which unresolved calls of function values have.
    pub fn join(
        empty_name: NameId,
        first: u32,
        files: impl IntoIterator<Item: Deref<Target = FileUses>>,
    ) -> FileGroupIndex {
        let mut pairs: Vec<(SymbolId, u32)> = Vec::new();
        let (mut unresolved, mut function_value_calls, mut escaped) =
            (Vec::new(), Vec::new(), Vec::new());
        let (mut with_types, mut conversions) = (Vec::new(), Vec::new());
        for (number, uses) in (first..).zip(files) {
            let targets = uses
                .uses_by_target
                .iter()
                .flat_map(|sites| sites.targets.iter());
            pairs.extend(targets.map(|&target| (target, number)));
            for site in &uses.unresolved {
                if site.name == empty_name {
                    function_value_calls.push((site.signature, number));
                } else {
                    unresolved.push((site.name, number));
                }
            }
            escaped.extend(&uses.escaped);
            if !(uses.types.is_empty() && uses.interfaces.is_empty() && uses.locals.is_empty()) {
                with_types.push(number);
            }
            conversions.extend(
                uses.conversions
                    .iter()
                    .map(|one| (one.interface, one.ty, number)),
            );
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut targets = Vec::new();
        let mut starts = Vec::new();
        for (at, &(target, _)) in pairs.iter().enumerate() {
            if targets.last() != Some(&target) {
                targets.push(target);
                starts.push(at as u32);
            }
        }
        starts.push(pairs.len() as u32);
        FileGroupIndex {
            targets: targets.into(),
            starts: starts.into(),
            files: pairs.into_iter().map(|(_, file)| file).collect(),
            unresolved: distinct(unresolved),
            function_value_calls: distinct(function_value_calls),
            escaped: distinct(escaped),
            with_types: with_types.into(),
            conversions: distinct(conversions),
        }
    }

    /// Returns whether one of the files uses a target.
    pub fn has_target(&self, target: SymbolId) -> bool {
        self.targets.binary_search(&target).is_ok()
    }

    /// Returns the numbers of the files with unresolved calls of a name, ascending.
    pub fn files_with_unresolved(&self, name: NameId) -> impl Iterator<Item = u32> + '_ {
        rows_of(&self.unresolved, name)
    }

    /// Returns the numbers of the files that use a target.
    fn files_of(&self, target: SymbolId) -> &[u32] {
        match self.targets.binary_search(&target) {
            Ok(at) => &self.files[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }
}

/// Returns the rows of a key in a sorted list of pairs.
fn rows_of<K: Ord + Copy>(list: &[(K, u32)], key: K) -> impl Iterator<Item = u32> + '_ {
    let from = list.partition_point(|&(other, _)| other < key);
    let rows = list[from..].iter();
    rows.take_while(move |&&(other, _)| other == key)
        .map(|&(_, number)| number)
}

/// The joined index of all files of a unit, in groups that follow each other by file number. The
/// groups are kept apart because an edit rebuilds only one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitIndex {
    /// The groups.
    pub groups: Box<[Arc<FileGroupIndex>]>,
    /// The groups' lists of files with rows of types, concatenated: each revision reads them of
    /// all units, and most units have none.
    with_types: Box<[u32]>,
}

impl UnitIndex {
    /// Joins all files of a unit into one group: see [`FileGroupIndex::join`].
    pub fn join(
        empty_name: NameId,
        files: impl IntoIterator<Item: Deref<Target = FileUses>>,
    ) -> UnitIndex {
        UnitIndex::from_groups([Arc::new(FileGroupIndex::join(empty_name, 0, files))].into())
    }

    /// Builds the index from groups that follow each other by the numbers of their files.
    pub fn from_groups(groups: Box<[Arc<FileGroupIndex>]>) -> UnitIndex {
        let with_types = groups.iter().flat_map(|group| group.with_types.iter());
        UnitIndex {
            with_types: with_types.copied().collect(),
            groups,
        }
    }

    /// Returns the targets, group by group, sorted by number within a group. A target may occur
    /// more than once.
    pub fn targets(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.groups
            .iter()
            .flat_map(|group| group.targets.iter().copied())
    }

    /// Returns the numbers of the files that use a target, ascending.
    pub fn files_of(&self, target: SymbolId) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(move |group| group.files_of(target).iter().copied())
    }

    /// Returns the numbers of the files with unresolved calls of a name, ascending.
    pub fn files_with_unresolved(&self, name: NameId) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(move |group| group.files_with_unresolved(name))
    }

    /// Returns the numbers of the files that call function values of a signature, ascending.
    pub fn files_with_function_value_calls(
        &self,
        signature: u32,
    ) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(move |group| rows_of(&group.function_value_calls, signature))
    }

    /// Returns whether a function or method is used as a value.
    pub fn escapes(&self, symbol: SymbolId) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| group.escaped.binary_search(&symbol).is_ok())
    }

    /// Returns the numbers of the files that have `types`, `interfaces` or `locals`, ascending.
    pub fn files_with_types(&self) -> &[u32] {
        &self.with_types
    }

    /// Returns the (interface, type, file number) of all conversions.
    pub fn conversions(&self) -> impl Iterator<Item = (SymbolId, SymbolId, u32)> + '_ {
        self.groups
            .iter()
            .flat_map(|group| group.conversions.iter().copied())
    }
}
