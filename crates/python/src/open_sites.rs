//! Which unresolved sites may run more than is known of them, and which of those count for a symbol that
//! they fit.

use std::cell::OnceCell;

use codeweft_db::{
    Db, DeclaredIn, File, Origin, Reason, SymbolClass, SymbolId, SymbolKey, UnitGraph,
    UnresolvedSite,
};

use crate::classes::class_info;
use crate::completeness::class_or_class_of_init;
use crate::declared::{enclosing_module, module_of};
use crate::escapes::{is_of_test_runner, is_run_by_test_runner, site_escapes};
use crate::flow;
use crate::keys::ClassKey;
use crate::language::is_in_tests;
use crate::locations::offset;
use crate::uses::record::{CLASS_OF, CLASS_VALUE};

/// Returns whether a site may run what is not known of it, whatever the symbol.
pub(crate) fn is_open(db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
    site_escapes(db, file, site) && !is_followed(db, file, site)
}

/// Returns whether the flows of a file have all that a site runs, so that it is not unresolved.
pub(crate) fn is_followed(db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
    may_be_followed(site) && flow::is_closed_to_others(db, file, site.body, site.occ)
}

/// Returns whether flow may have all that an unresolved site runs.
fn may_be_followed(site: &UnresolvedSite) -> bool {
    // At the token of a look-up by a name that is a value flow has the call of the look-up.
    let is_call = matches!(
        site.reason,
        Reason::UnknownReceiver | Reason::FunctionValue | Reason::Decorated
    );
    // An annotation does not keep objects of other classes away.
    is_call && !site.is_possible_other_use() && site.signature != CLASS_VALUE
}

/// The open sites that count for a symbol, of those that fit it. What depends on the symbol alone is found
/// out once.
pub(crate) struct OpenSites<'db> {
    db: &'db dyn Db,
    symbol: SymbolId,
    key: SymbolKey,
    /// The class that is constructed: the symbol, or of `__init__` its class.
    constructed: Option<SymbolId>,
    /// Whether it is declared in a test.
    is_in_tests: OnceCell<bool>,
    /// Whether a test runner calls it by its name.
    is_run_by_test_runner: OnceCell<bool>,
    /// Whether an unknown object may be one of its class: see [`OpenSites::may_be_of_object`].
    may_be_of_class: OnceCell<bool>,
}

impl<'db> OpenSites<'db> {
    pub(crate) fn of(db: &'db dyn Db, symbol: SymbolId) -> OpenSites<'db> {
        OpenSites {
            db,
            symbol,
            key: db.shared().symbols.key(symbol),
            constructed: class_or_class_of_init(db, symbol),
            is_in_tests: OnceCell::new(),
            is_run_by_test_runner: OnceCell::new(),
            may_be_of_class: OnceCell::new(),
        }
    }

    /// Returns whether a site of a file counts for the symbol.
    pub(crate) fn contain(&self, file: File, site: &UnresolvedSite) -> bool {
        self.count_in(file, site) && !self.is_closed_to_test(file, site)
    }

    /// Returns whether a site counts in its file. A library that calls `__init__`, or constructs the class
    /// of an object, does so for its own classes and their subclasses; others reach it as values, and are
    /// reported where they are passed. That a test runner calls a test by its name is said without the site.
    fn count_in(&self, file: File, site: &UnresolvedSite) -> bool {
        let db = self.db;
        let runs_tests =
            || module_of(db, file).is_some_and(|(_, module)| is_of_test_runner(db, module.symbol));
        let is_run = || is_run_by_test_runner(db, self.symbol);
        if *self.is_run_by_test_runner.get_or_init(is_run) && runs_tests() {
            return false;
        }
        let shared = db.shared();
        let is_class_of = shared.names.text(site.name) == CLASS_OF;
        // What only reads `x.__class__` constructs nothing, whatever is declared of `x`.
        if self.constructed.is_some()
            && is_class_of
            && site.signature == UnresolvedSite::DECLARED_RECEIVER
            && !is_callee(db, file, site)
        {
            return false;
        }
        let by_name = is_class_of || shared.names.text(site.name) == "__init__";
        let class = self.constructed;
        let Some(class) = class.filter(|_| by_name || site.signature == CLASS_VALUE) else {
            return true;
        };
        let Some(&unit) = UnitGraph::get(db).owners(db).get(&file) else {
            return true;
        };
        if unit.origin(db) == Origin::Workspace {
            return true;
        }
        let info = class_info(db, ClassKey::new(db, class));
        let is_near =
            |class: &&SymbolId| shared.symbols.key(**class).declared_in == DeclaredIn::Unit(unit);
        let mut near = info.mro.iter().filter(is_near).peekable();
        if near.peek().is_none() {
            return false;
        }
        let module = module_of(db, file).map(|(_, module)| module.symbol);
        module.is_none_or(|module| near.any(|&class| enclosing_module(db, class) == module))
    }

    /// Returns whether values decide that a site does not run a symbol that is declared in a test, which
    /// code outside cannot pass.
    fn is_closed_to_test(&self, file: File, site: &UnresolvedSite) -> bool {
        let db = self.db;
        let is_in_tests = || is_in_tests(db, self.symbol);
        *self.is_in_tests.get_or_init(is_in_tests)
            && (!self.may_be_of_object(site)
                || may_be_followed(site) && flow::is_closed(db, file, site.body, site.occ))
    }

    /// Returns whether the unknown object of a site may have the symbol as its method, or as its class or
    /// the constructor of that.
    fn may_be_of_object(&self, site: &UnresolvedSite) -> bool {
        let (db, key) = (self.db, &self.key);
        let is_of_class = db.shared().names.text(site.name) == CLASS_OF;
        let is_of_receiver = may_be_followed(site) && site.name == key.name;
        let class = match key.class {
            SymbolClass::Type => Some(self.symbol).filter(|_| is_of_class),
            SymbolClass::Method => key.parent.filter(|_| is_of_class || is_of_receiver),
            _ => None,
        };
        class.is_none_or(|class| {
            let may_be_of_class = || flow::may_be_of_class(db, class);
            *self.may_be_of_class.get_or_init(may_be_of_class)
        })
    }
}

/// Returns whether the word at a site is the callee of a call; true if the text is not known.
fn is_callee(db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
    let at = offset(db, file, site.body, site.occ);
    let rest = at.and_then(|at| file.text(db).get(at as usize..));
    rest.is_none_or(|rest| {
        let after =
            rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
        after.trim_start_matches([' ', '\t']).starts_with('(')
    })
}
