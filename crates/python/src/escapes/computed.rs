//! Sites that look names up by value: computed attributes, computed imports, and code run from
//! strings.

use std::sync::Arc;

use codeweft_db::{
    Bodies, Db, File, FileUses, NameId, Origin, Ranges, SymbolClass, SymbolId, UnresolvedSite,
    file_bodies, file_ranges,
};
use codeweft_python_syntax::{AsPython as _, UseKind};

use super::by_name::{look_up_uses, looks_up_names};
use super::modules_read::{ModulesRead, modules_read};
use super::prefixes::text_prefix;
use crate::declared::{enclosing_module, file_symbols, module_of};
use crate::file_groups::PyGroupKey;
use crate::locations::offset_in;
use crate::uses::computed::{
    COMPUTED, EVALUATED, MODULES, NOT_READ, OF_IMPORT, OF_MODULE, OF_MODULE_OBJECT, OF_OWN_MODULE,
    OF_RECEIVER, OF_SCOPE, OF_TABLE,
};

/// The sites in some files that look names up by value. Computed attributes of any object count in
/// the workspace only: a library looks up names that it is passed, and those are in the workspace's
/// literals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputedNames {
    /// Attributes of any object, in the workspace.
    pub(super) any: Vec<Lookup>,
    /// Attributes of the receiver of a method, each with the method's class.
    pub(super) own: Vec<(SymbolId, Lookup)>,
    /// Names in the table of any object, in the workspace.
    pub(super) tables: Vec<Lookup>,
    /// Names of a module, in the workspace, each with the module, if the text says which.
    pub(super) modules: Vec<(Option<SymbolId>, Lookup)>,
    /// Names of the scope of a function that declares or imports some, each with the function and the
    /// number of the site's body.
    pub(super) scopes: Vec<(SymbolId, u32, Lookup)>,
    /// Imports by a value.
    pub(super) imports: Vec<ComputedImport>,
    /// Whether the workspace reads modules of `sys.modules` whose names the text does not say.
    pub(super) reads_modules: bool,
    /// The names of those that it reads by literals.
    pub(super) read_modules: Vec<String>,
    /// Those that take themselves out of `sys.modules`.
    pub(super) own_modules: Vec<SymbolId>,
    /// Whether a module of the workspace replaces itself by an object.
    pub(super) replaces_modules: bool,
    /// Whether the workspace runs code from strings.
    pub(super) evaluates: bool,
}

/// A site that looks a name up by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lookup {
    /// Its file.
    pub(super) file: File,
    /// The number of its body.
    pub(super) body: u32,
    /// Its token in the body.
    pub(super) token: u32,
    /// Its byte offset.
    pub(super) at: u32,
    /// What the name is known to start with.
    pub(super) start: Option<NameId>,
    /// Whether the attribute is read, not only tested, stored or deleted.
    pub(super) is_read: bool,
    /// Whether the object is a module.
    pub(super) is_of_module_object: bool,
}

/// An import by a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ComputedImport {
    /// The site; its start is the whole name if `is_literal`.
    pub(super) site: Lookup,
    /// Whether the name is a literal.
    pub(super) is_literal: bool,
    /// Whether the site is in the workspace.
    pub(super) is_own: bool,
}

/// Returns the sites in a group of files that look names up by value, with their byte offsets. Resolves
/// only the bodies that do so: what it reads is little, and is verified with each new declaration.
#[salsa::tracked(returns(clone))]
pub fn computed_names<'db>(db: &'db dyn Db, group: PyGroupKey<'db>) -> Arc<ComputedNames> {
    let files = group.files(db).iter().copied();
    let files = files.filter(|&file| looks_up_names(db, file));
    Arc::new(ComputedNames::of_files(db, group, files, |file| {
        let bodies = file_bodies(db, file);
        (look_up_uses(db, file), bodies, file_ranges(db, file))
    }))
}

/// Returns the names of the sites that look names up.
fn wanted(db: &dyn Db) -> [NameId; 3] {
    let names = &db.shared().names;
    [COMPUTED, EVALUATED, MODULES].map(|name| names.intern(name))
}

impl ComputedNames {
    /// Returns the sites in some files of a group; `read` returns the uses, bodies and ranges of a
    /// file.
    fn of_files(
        db: &dyn Db,
        group: PyGroupKey<'_>,
        files: impl Iterator<Item = File>,
        read: impl Fn(File) -> (Arc<FileUses>, Arc<Bodies>, Arc<Ranges>),
    ) -> ComputedNames {
        let wanted = wanted(db);
        let [computed, ..] = wanted;
        let is_own = group.unit(db).origin(db) == Origin::Workspace;
        let mut found = ComputedNames::default();
        for file in files {
            let (uses, bodies, ranges) = read(file);
            let sites = uses.unresolved.iter();
            for site in sites.filter(|site| wanted.contains(&site.name)) {
                if let Some(at) = offset_in(&bodies, &ranges, site.body, site.occ) {
                    // The prefix of a module's name says nothing of the names in it.
                    let is_name = site.name == computed && site.signature % NOT_READ != OF_IMPORT;
                    let of_text = || {
                        let prefix = is_name.then(|| text_prefix(file.text(db), at))?;
                        (!prefix.is_empty()).then(|| db.shared().names.intern(prefix))
                    };
                    let lookup = Lookup {
                        file,
                        body: site.body,
                        token: site.occ,
                        at,
                        start: site.absent.or_else(of_text),
                        is_read: site.signature < NOT_READ,
                        is_of_module_object: site.signature % NOT_READ == OF_MODULE_OBJECT,
                    };
                    found.add(db, &uses, wanted, site, lookup, is_own);
                    found.drop_empty_scope(db, &bodies, site.body);
                }
            }
        }
        found
    }

    /// Takes out the site just added to `scopes` if its function neither declares nor imports anything:
    /// its own names then are variables alone.
    fn drop_empty_scope(&mut self, db: &dyn Db, bodies: &Bodies, body: u32) {
        let Some(&(function, of_body, lookup)) = self.scopes.last() else {
            return;
        };
        let imports = || {
            let Some(bodies) = bodies.python() else {
                return true;
            };
            let body = bodies.bodies.get(body as usize);
            let uses = body.and_then(|body| bodies.uses.get(body.uses.iter()));
            let mut uses = uses.unwrap_or(&[]).iter();
            uses.any(|one| matches!(one.kind, UseKind::Import { .. }))
        };
        let symbols = &db.shared().symbols;
        let declares = || {
            let declared = file_symbols(db, lookup.file);
            let mut parents = declared.iter().map(|&symbol| symbols.key(symbol).parent);
            parents.any(|parent| parent == Some(function))
        };
        if of_body == body && !imports() && !declares() {
            self.scopes.pop();
        }
    }

    fn add(
        &mut self,
        db: &dyn Db,
        uses: &FileUses,
        [_, evaluated, modules]: [NameId; 3],
        site: &UnresolvedSite,
        lookup: Lookup,
        is_own: bool,
    ) {
        let symbols = &db.shared().symbols;
        let body = uses.bodies.get(site.body as usize).copied();
        match site.signature % NOT_READ {
            _ if site.name == evaluated => {
                self.evaluates |= is_own;
                let is_function = |body: &SymbolId| {
                    let class = symbols.key(*body).class;
                    matches!(class, SymbolClass::Function | SymbolClass::Method)
                };
                if let Some(function) = body.filter(is_function) {
                    self.scopes.push((function, site.body, lookup));
                }
            }
            _ if site.name == modules => match modules_read(lookup.file.text(db), lookup.at) {
                ModulesRead::Any => self.reads_modules |= is_own,
                ModulesRead::Named(name) if is_own => self.read_modules.push(name.to_owned()),
                ModulesRead::Own if is_own => match module_of(db, lookup.file) {
                    Some((_, module)) => self.own_modules.push(module.symbol),
                    None => self.reads_modules = true,
                },
                ModulesRead::Replaces => self.replaces_modules |= is_own,
                ModulesRead::Named(_) | ModulesRead::Own | ModulesRead::Nothing => {}
            },
            OF_SCOPE => match body.map(|body| (body, symbols.key(body).class)) {
                Some((class, SymbolClass::Type)) => self.own.push((class, lookup)),
                Some((module, SymbolClass::Package)) if is_own => {
                    self.modules.push((Some(module), lookup));
                }
                Some((_, SymbolClass::Package)) | None => {}
                Some((function, _)) => self.scopes.push((function, site.body, lookup)),
            },
            OF_IMPORT => {
                self.imports.push(ComputedImport {
                    site: lookup,
                    is_literal: site.arguments == 0,
                    is_own,
                });
            }
            OF_RECEIVER => {
                // The class of the enclosing method.
                let mut enclosing = body;
                while let Some(symbol) = enclosing {
                    let key = symbols.key(symbol);
                    if key.class == SymbolClass::Type {
                        self.own.push((symbol, lookup));
                        break;
                    }
                    enclosing = key.parent;
                }
            }
            OF_MODULE if is_own => self.modules.push((None, lookup)),
            OF_OWN_MODULE if is_own => {
                let module = body.map(|body| enclosing_module(db, body));
                self.modules.push((module, lookup));
            }
            OF_TABLE if is_own => self.tables.push(lookup),
            OF_OWN_MODULE | OF_TABLE => {}
            _ if is_own => self.any.push(lookup),
            _ => {}
        }
    }
}
