//! What a file uses, free of offsets, and the join of a unit's files.

use std::borrow::Cow;
use std::sync::Arc;

use codeweft_syntax::NameId;

use crate::{FlowSite, Flows, NodeKind, SymbolId, TypeRow};

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
    /// Of a call of a method: exactly this one runs, no override may stand in. Python:
    /// `super().m()`, `C.m(x)`, constructors, a receiver whose exact class is known.
    pub direct: bool,
}

const _: () = assert!(size_of::<Use>() == 12, "millions of them are kept");

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
    Decorated,
    /// A function, method or class leaves as a value: argument, element, attribute, result.
    Escapes,
    /// The language, or code in C, runs it by its name on an object of its class.
    SpecialMethod,
    /// A test, fixture, hook or entry point: what runs it finds it by its name.
    CalledByName,
    /// A base class that is not known may call it.
    UnknownBase,
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
            Reason::Decorated => "decorated",
            Reason::Escapes => "escapes",
            Reason::SpecialMethod => "special_method",
            Reason::CalledByName => "called_by_name",
            Reason::UnknownBase => "unknown_base",
            Reason::ParseError => "parse_error",
            Reason::ExcludedFile => "excluded_file",
        }
    }
}

/// A call whose target is not known.
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
    /// Why.
    pub reason: Reason,
    /// The absent package that the base is known to come from.
    pub absent: Option<NameId>,
    /// Of a call of a function value: its canonical signature, else [`crate::NONE`].
    pub signature: u32,
}

impl UnresolvedSite {
    /// Any number of arguments.
    pub const ANY_COUNT: u8 = u8::MAX;

    /// The signature of a use of a name whose target is known by what texts promise of its
    /// receiver: by an annotation, or by what is stored in an attribute. An object of another class
    /// that has the name may come there. It is no open call of the body around it.
    pub const DECLARED_RECEIVER: u32 = u32::MAX - 1;

    /// The first of the signatures that are, as [`UnresolvedSite::DECLARED_RECEIVER`], of no open call of the body
    /// around them. A language has the others to itself.
    pub const FIRST_DECLARED_RECEIVER: u32 = u32::MAX - 8;

    /// Whether the site is no open call of the body around it: it only could be a use of what it
    /// does not list.
    pub fn is_possible_other_use(&self) -> bool {
        (UnresolvedSite::FIRST_DECLARED_RECEIVER..=UnresolvedSite::DECLARED_RECEIVER)
            .contains(&self.signature)
    }
}

/// Uses by their targets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UsesByTarget {
    /// Distinct targets, sorted by number.
    pub targets: Box<[SymbolId]>,
    /// `uses[starts[i]..starts[i + 1]]` are the uses of `targets[i]`; one longer than `targets`.
    pub starts: Box<[u32]>,
    /// Inside one target in order of (body, occ).
    pub uses: Box<[Use]>,
}

/// What a file uses. Free of offsets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileUses {
    /// The uses, in parts that follow each other by their bodies. They stay apart: an edit makes
    /// one of them anew.
    pub uses_by_target: Box<[Arc<UsesByTarget>]>,
    /// Calls without known target, sorted by name number, then place.
    pub unresolved: Box<[UnresolvedSite]>,
    /// Each body's symbol: the function, or the package for initialisers.
    pub bodies: Box<[SymbolId]>,
    /// Functions and methods used as values, sorted by number.
    pub escaped: Box<[SymbolId]>,
    /// Calls of what stands behind a class in the order of the object's class (Python's `super()`):
    /// body, token, class; sorted.
    pub super_calls: Box<[(u32, u32, SymbolId)]>,
    /// Rows of generic types and interfaces as they are instantiated here, and of local types.
    pub types: Box<[TypeRow]>,
    /// As `types`, of interfaces.
    pub interfaces: Box<[TypeRow]>,
    /// What bodies declare: types with their fields and methods.
    pub locals: Box<[LocalDecl]>,
    /// Values that become an interface's, sorted by (interface, type, place).
    pub conversions: Box<[Conversion]>,
    /// How values flow, a fragment for each part that has any.
    pub flows: Box<[Arc<Flows>]>,
}

/// A value of a concrete type that becomes a value of an interface with methods: it is assigned,
/// passed, returned, sent, put into a composite, converted, or asserted from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Conversion {
    /// The interface; of an instance its origin.
    pub interface: SymbolId,
    /// The type; of an instance its origin.
    pub ty: SymbolId,
    /// See [`Use::body`].
    pub body: u32,
    /// See [`Use::occ`]: the token of the value.
    pub occ: u32,
    /// Whether the value is a pointer to the type.
    pub pointer: bool,
    /// Whether it stands in a function literal.
    pub in_literal: bool,
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

impl UsesByTarget {
    /// Uses grouped by target.
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

impl FileUses {
    /// The call through a place, at a place of the text.
    pub fn flow_site(&self, body: u32, occ: u32) -> Option<(&Arc<Flows>, &FlowSite)> {
        let mut parts = self.flows.iter();
        parts.find_map(|flows| Some((flows, flows.site(body, occ)?)))
    }

    /// The class behind which a call at a place looks its method up.
    pub fn super_call_class(&self, body: u32, occ: u32) -> Option<SymbolId> {
        let at = self
            .super_calls
            .partition_point(|&(b, o, _)| (b, o) < (body, occ));
        let &(b, o, class) = self.super_calls.get(at)?;
        ((b, o) == (body, occ)).then_some(class)
    }

    /// Uses grouped by target, in one part; everything else is empty.
    pub fn grouped(uses: Vec<(SymbolId, Use)>) -> FileUses {
        FileUses {
            uses_by_target: [Arc::new(UsesByTarget::grouped(uses))].into(),
            ..FileUses::default()
        }
    }

    /// The uses of one target, in order of (body, occ).
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

    /// The targets with their uses, part by part, in each by target number: a target may come
    /// more than once.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &[Use])> + '_ {
        self.uses_by_target.iter().flat_map(|sites| sites.iter())
    }
}

/// The join of some files of a unit: which of them hold uses of a target, and what is open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileGroupIndex {
    /// Distinct targets, sorted by number.
    pub targets: Box<[SymbolId]>,
    /// `files[starts[i]..starts[i + 1]]` belong to `targets[i]`; one longer than `targets`.
    pub starts: Box<[u32]>,
    /// Numbers in all of the unit's chosen files, ascending inside one target.
    pub files: Box<[u32]>,
    /// (name, file number) of open calls with a name, sorted, distinct.
    pub open: Box<[(NameId, u32)]>,
    /// (signature, file number) of calls of function values without known target, sorted.
    pub dynamic: Box<[(u32, u32)]>,
    /// Functions and methods used as values, sorted by number.
    pub escaped: Box<[SymbolId]>,
    /// File numbers with `types`, `interfaces` or `locals` of their own.
    pub with_types: Box<[u32]>,
    /// (interface, type, file number) of `converts`, sorted, distinct.
    pub converts: Box<[(SymbolId, SymbolId, u32)]>,
}

impl FileGroupIndex {
    /// Joins what some files of a unit use, in the order of their numbers from `first` on.
    /// `nameless` is the number of the empty name, which open calls of function values have.
    pub fn join<'a>(
        nameless: NameId,
        first: u32,
        files: impl IntoIterator<Item = &'a FileUses>,
    ) -> FileGroupIndex {
        fn distinct<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
            list.sort_unstable();
            list.dedup();
            list.into()
        }
        let mut pairs: Vec<(SymbolId, u32)> = Vec::new();
        let (mut open, mut dynamic, mut escaped) = (Vec::new(), Vec::new(), Vec::new());
        let (mut with_types, mut converts) = (Vec::new(), Vec::new());
        for (number, uses) in (first..).zip(files) {
            let targets = uses
                .uses_by_target
                .iter()
                .flat_map(|sites| sites.targets.iter());
            pairs.extend(targets.map(|&target| (target, number)));
            for site in &uses.unresolved {
                if site.name == nameless {
                    dynamic.push((site.signature, number));
                } else {
                    open.push((site.name, number));
                }
            }
            escaped.extend(&uses.escaped);
            if !(uses.types.is_empty() && uses.interfaces.is_empty() && uses.locals.is_empty()) {
                with_types.push(number);
            }
            let conversions = uses.conversions.iter();
            converts.extend(conversions.map(|one| (one.interface, one.ty, number)));
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
            open: distinct(open),
            dynamic: distinct(dynamic),
            escaped: distinct(escaped),
            with_types: with_types.into(),
            converts: distinct(converts),
        }
    }

    /// The numbers of the files that use a target.
    fn files_of(&self, target: SymbolId) -> &[u32] {
        match self.targets.binary_search(&target) {
            Ok(at) => &self.files[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }
}

/// The rows of a key in a sorted list of pairs.
fn rows_of<K: Ord + Copy>(list: &[(K, u32)], key: K) -> impl Iterator<Item = u32> + '_ {
    let from = list.partition_point(|&(other, _)| other < key);
    let rows = list[from..].iter();
    rows.take_while(move |&&(other, _)| other == key)
        .map(|&(_, number)| number)
}

/// The join of a unit's files, in groups that follow each other by the numbers of their files. They
/// stay apart: an edit makes one of them anew.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitIndex {
    /// The groups.
    pub groups: Box<[Arc<FileGroupIndex>]>,
}

impl UnitIndex {
    /// All files of a unit in one group: see [`FileGroupIndex::join`].
    pub fn join<'a>(nameless: NameId, files: impl IntoIterator<Item = &'a FileUses>) -> UnitIndex {
        UnitIndex {
            groups: [Arc::new(FileGroupIndex::join(nameless, 0, files))].into(),
        }
    }

    /// The targets, group by group, in each by number: one may come more than once.
    pub fn targets(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.groups
            .iter()
            .flat_map(|group| group.targets.iter().copied())
    }

    /// The numbers of the files that use a target, ascending.
    pub fn files_of(&self, target: SymbolId) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(move |group| group.files_of(target).iter().copied())
    }

    /// The numbers of the files with open calls of a name, ascending.
    pub fn open(&self, name: NameId) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(move |group| rows_of(&group.open, name))
    }

    /// The numbers of the files with calls of function values of a signature, ascending.
    pub fn dynamic(&self, signature: u32) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(move |group| rows_of(&group.dynamic, signature))
    }

    /// Whether a function or method is used as a value.
    pub fn escapes(&self, symbol: SymbolId) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| group.escaped.binary_search(&symbol).is_ok())
    }

    /// The numbers of the files with `types`, `interfaces` or `locals` of their own, ascending.
    pub fn with_types(&self) -> impl Iterator<Item = u32> + '_ {
        self.groups
            .iter()
            .flat_map(|group| group.with_types.iter().copied())
    }

    /// (interface, type, file number) of the files' `converts`.
    pub fn converts(&self) -> impl Iterator<Item = (SymbolId, SymbolId, u32)> + '_ {
        self.groups
            .iter()
            .flat_map(|group| group.converts.iter().copied())
    }
}
