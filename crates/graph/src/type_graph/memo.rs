//! The types and classes that queries of one revision share.

use std::sync::Arc;

use codeweft_db::Lang;
use rustc_hash::FxHashMap;

use super::classes::JoinedClasses;
use super::table::JoinedTypes;
use crate::memo::{Garbage, Memo, SymbolMemo};

/// The types and classes of one revision.
#[derive(Default)]
pub(crate) struct TypeMemos {
    /// Types and interfaces, by language.
    pub(crate) types: Memo<Lang, Arc<JoinedTypes>>,
    /// Classes, by language.
    pub(crate) classes: Memo<Lang, Arc<JoinedClasses>>,
    /// The methods that may run where a method is called.
    pub(crate) dispatch_targets: SymbolMemo,
    /// The methods of interfaces and bases whose calls may run a method.
    pub(crate) dispatched_from: SymbolMemo,
    /// Types and interfaces of an earlier revision.
    pub(crate) previous_types: FxHashMap<Lang, Arc<JoinedTypes>>,
    /// Classes of an earlier revision.
    pub(crate) previous_classes: FxHashMap<Lang, Arc<JoinedClasses>>,
}

impl TypeMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> (TypeMemos, Garbage) {
        let mut previous_types = self.previous_types;
        previous_types.extend(self.types.into_map());
        let mut previous_classes = self.previous_classes;
        previous_classes.extend(self.classes.into_map());
        let next = TypeMemos {
            previous_types,
            previous_classes,
            ..TypeMemos::default()
        };
        (
            next,
            Box::new((self.dispatch_targets, self.dispatched_from)),
        )
    }
}
