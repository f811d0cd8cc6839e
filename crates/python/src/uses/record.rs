//! The record of the references and unresolved sites of a file's bodies.

use std::sync::Arc;

use codeweft_db::{
    Db, NameId, PartUses, Reason, Resolution, Role, SymbolClass, SymbolId, UnresolvedSite, Use,
    UsesByTarget, distinct,
};
use rustc_hash::FxHashMap;

use crate::classes::conditional_redefinitions;
use crate::members::Reading;
use crate::values::{Shape, Values, shape};

/// The arguments of a call, as an unresolved site keeps them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arguments {
    /// See [`UnresolvedSite::arguments`].
    pub(super) count: u8,
    /// See [`UnresolvedSite::keywords`].
    pub(super) keywords: Option<NameId>,
}

impl From<u8> for Arguments {
    fn from(count: u8) -> Arguments {
        Arguments {
            count,
            keywords: None,
        }
    }
}

/// The signature of every function. Calls of function values are not distinguished by arguments.
pub(crate) const CALLABLE: u32 = 0;

/// The signature of an unresolved site that reads an attribute and calls nothing.
pub(crate) const READ: u32 = 1;

/// The attribute that is an object's class: calling it constructs.
pub(crate) const CLASS_OF: &str = "__class__";

/// The signature of a site where a class is a value, which may be any of its subclasses.
pub(crate) const CLASS_VALUE: u32 = UnresolvedSite::DECLARED_RECEIVER - 1;

/// The signature of a call of a class that may be any of its subclasses.
pub(crate) const CALLED_CLASS_VALUE: u32 = UnresolvedSite::DECLARED_RECEIVER - 2;

/// Returns whether a use of a declaration lets it leave as a value, so that it may be called where no
/// text names it.
pub(super) fn escapes(class: SymbolClass, role: Role) -> bool {
    let is_callable = matches!(
        class,
        SymbolClass::Function | SymbolClass::Method | SymbolClass::Type
    );
    match role {
        Role::Value => is_callable,
        // `type[C]` may be called though no text names `C`.
        Role::TypeArgument => class == SymbolClass::Type,
        _ => false,
    }
}

/// What the bodies refer to, as far as they are read.
pub(super) struct UseRecord<'a> {
    db: &'a dyn Db,
    /// The number of the body that is read.
    pub(super) body: u32,
    uses: Vec<(SymbolId, Use)>,
    pub(super) unresolved: Vec<UnresolvedSite>,
    escaped: Vec<SymbolId>,
    super_calls: Vec<(u32, u32, SymbolId)>,
    /// The conditional redefinitions of the targets seen so far.
    redefinitions: FxHashMap<SymbolId, Arc<[SymbolId]>>,
}

impl UseRecord<'_> {
    /// Returns an empty record.
    pub(super) fn new(db: &dyn Db) -> UseRecord<'_> {
        UseRecord {
            db,
            body: 0,
            uses: Vec::new(),
            unresolved: Vec::new(),
            escaped: Vec::new(),
            super_calls: Vec::new(),
            redefinitions: FxHashMap::default(),
        }
    }

    /// Returns what was recorded, with each list sorted and distinct.
    pub(super) fn finish(self) -> PartUses {
        PartUses {
            uses_by_target: Arc::new(UsesByTarget::grouped(self.uses)),
            unresolved: distinct(self.unresolved),
            escaped: distinct(self.escaped),
            super_calls: distinct(self.super_calls),
            ..PartUses::default()
        }
    }

    /// Adds a reference, together with references to the methods of the same name in other branches
    /// of the class body, any of which may be bound.
    pub(super) fn add(
        &mut self,
        occ: u32,
        target: SymbolId,
        role: Role,
        resolution: Resolution,
        direct: bool,
    ) {
        let redefinitions = self.redefinitions_of(target);
        let resolution = if redefinitions.is_empty() {
            resolution
        } else {
            resolution.max(Resolution::Value)
        };
        self.add_use(occ, target, role, resolution, direct);
        for &redefinition in &*redefinitions {
            self.add_use(occ, redefinition, role, resolution, direct);
        }
    }

    fn redefinitions_of(&mut self, target: SymbolId) -> Arc<[SymbolId]> {
        if let Some(redefinitions) = self.redefinitions.get(&target) {
            return redefinitions.clone();
        }
        let redefinitions: Arc<[SymbolId]> =
            conditional_redefinitions(self.db, target, Reading::ByName).into();
        self.redefinitions.insert(target, redefinitions.clone());
        redefinitions
    }

    fn add_use(
        &mut self,
        occ: u32,
        target: SymbolId,
        role: Role,
        resolution: Resolution,
        direct: bool,
    ) {
        let class = self.db.shared().symbols.key(target).class;
        if escapes(class, role) {
            self.escaped.push(target);
        }
        self.uses.push((
            target,
            Use {
                body: self.body,
                occ,
                role,
                resolution,
                in_literal: false,
                direct,
            },
        ));
    }

    /// Adds a use whose target is unknown.
    pub(super) fn add_unresolved(
        &mut self,
        occ: u32,
        name: NameId,
        arguments: impl Into<Arguments>,
        reason: Reason,
        call: bool,
    ) {
        let arguments = arguments.into();
        self.unresolved.push(UnresolvedSite {
            name,
            body: self.body,
            occ,
            arguments: arguments.count,
            keywords: arguments.keywords,
            reason,
            absent: None,
            signature: if !call {
                READ
            } else if self.db.shared().names.text(name).is_empty() {
                CALLABLE
            } else {
                codeweft_db::NONE
            },
        });
    }

    /// Adds an unresolved site for an attribute whose target is known only by the receiver's
    /// declared type.
    pub(super) fn add_declared_receiver(
        &mut self,
        occ: u32,
        name: NameId,
        arguments: impl Into<Arguments>,
    ) {
        let arguments = arguments.into();
        self.unresolved.push(UnresolvedSite {
            name,
            body: self.body,
            occ,
            arguments: arguments.count,
            keywords: arguments.keywords,
            reason: Reason::UnknownReceiver,
            absent: None,
            signature: UnresolvedSite::DECLARED_RECEIVER,
        });
    }

    /// Adds an unresolved site for a special method of an unknown receiver.
    pub(super) fn add_unresolved_operator(&mut self, occ: u32, method: &str) {
        let name = self.db.shared().names.intern(method);
        self.add_unresolved(
            occ,
            name,
            UnresolvedSite::ANY_COUNT,
            Reason::UnknownReceiver,
            true,
        );
    }

    /// Records a reference through `super()`, whose targets come after the class in the mro.
    /// Returns whether it is one.
    pub(super) fn record_super_call(&mut self, occ: u32, of: &Values) -> bool {
        let mut super_calls = None;
        for one in of.iter() {
            match shape(self.db, one) {
                Shape::Super { class, .. } => super_calls = Some(*class),
                _ => return false,
            }
        }
        if let Some(class) = super_calls {
            self.super_calls.push((self.body, occ, class));
        }
        super_calls.is_some() && !of.is_unknown()
    }
}
