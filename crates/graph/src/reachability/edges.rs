//! The edges of a file: what each of its declarations uses.
//!
//! ```go
//! func (s *Store) Get() any { return s.row }   // Store.Get -> Store, Store.row; boxed row's type
//! var def = New()                              // the package -> New
//! const Limit = half * 2                       // Limit -> half
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db, File, FileUses, Language, Resolution, Role, SymbolClass, SymbolId, Unit, Use,
};

use super::memo::{FileEdges, LiveNode};
use crate::call_graph::memo::package_in;
use crate::call_graph::uses::UnitItems;
use crate::revision_cache::RevisionCache;

/// Returns the edges of the files of a unit, in their order.
pub(crate) fn of_unit(
    cache: &RevisionCache,
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
) -> Vec<(File, Arc<FileEdges>)> {
    let known = &cache.reachability.edges;
    let mut items = UnitItems::new(language, unit);
    let mut found = Vec::new();
    for (number, &file) in (0..).zip(language.files(db, unit).iter()) {
        db.unwind_if_cancelled();
        let uses = language.uses(db, file);
        let package = package_in(language, db, unit, file);
        if let Some((of, in_package, edges)) = known.get(&file)
            && Arc::ptr_eq(&of, &uses)
            && in_package == package
        {
            found.push((file, edges));
            continue;
        }
        let mut reader = FileReader {
            db,
            language,
            file: (file, number),
            package,
            uses: &uses,
            items: &mut items,
        };
        let edges = Arc::new(reader.read());
        known.insert(file, (uses, package, edges.clone()));
        found.push((file, edges));
    }
    found
}

/// Returns the declaration that runs a body: its own, but what is around a class, whose body runs where the
/// class statement does.
pub(crate) fn code_around(db: &dyn Db, mut owner: SymbolId, package: SymbolId) -> SymbolId {
    let symbols = &db.shared().symbols;
    while symbols.key(owner).class == SymbolClass::Type {
        owner = symbols.key(owner).parent.unwrap_or(package);
    }
    owner
}

/// A reader of the edges of one file.
struct FileReader<'a, 'i> {
    db: &'a dyn Db,
    language: &'a dyn Language,
    /// With its number in the unit.
    file: (File, u32),
    package: SymbolId,
    uses: &'a FileUses,
    items: &'a mut UnitItems<'i>,
}

impl FileReader<'_, '_> {
    /// Returns the declaration that a body or item belongs to, and whether it is an item.
    fn owner(&mut self, body: u32) -> (SymbolId, bool) {
        let bodies = self.uses.bodies.len() as u32;
        if let Some(item) = body.checked_sub(bodies) {
            let owner = self.items.symbol(self.db, self.file.1, item);
            return (owner.unwrap_or(self.package), true);
        }
        let owner = self.uses.bodies[body as usize];
        (code_around(self.db, owner, self.package), false)
    }

    fn read(&mut self) -> FileEdges {
        let uses = self.uses;
        let mut edges = Vec::new();
        let mut guesses = Vec::new();
        let mut methods = Vec::new();
        for (target, sites) in uses.iter() {
            let class = self.db.shared().symbols.key(target).class;
            if class == SymbolClass::Package {
                continue;
            }
            for one in sites {
                if class == SymbolClass::Method {
                    let owner = LiveNode::declared(self.owner(one.body).0);
                    methods.push((target, owner));
                }
                if one.resolution == Resolution::Name {
                    guesses.push((target, one.body, one.occ));
                } else if self.is_use(class, one) {
                    self.add(&mut edges, (target, class), one);
                }
            }
        }
        // `var _ I = T{}` stores nothing. Elsewhere a conversion may be an assertion, which makes no value
        // of an interface.
        let converted = uses.conversions.iter();
        let converted = converted.filter(|one| self.owner(one.body).0 == self.package);
        let converted = converted.map(|one| (one.ty, one.body, one.occ));
        let boxed = uses.boxed.iter();
        let boxed = boxed.map(|one| (one.ty, one.body, one.occ));
        let boxed: Vec<_> = boxed.chain(converted).collect();
        for &(ty, body, _) in &boxed {
            let (owner, _) = self.owner(body);
            edges.push((LiveNode::declared(owner), LiveNode::boxed(ty)));
        }
        edges.sort_unstable();
        edges.dedup();
        methods.sort_unstable();
        methods.dedup();
        FileEdges {
            edges: edges.into(),
            methods: methods.into(),
            unnamed_fields: uses.unnamed_fields.clone(),
            guesses: guesses.into(),
            boxed: boxed.into(),
        }
    }

    /// Returns whether an occurrence of a name uses what it means.
    fn is_use(&self, class: SymbolClass, one: &Use) -> bool {
        let is_stored = matches!(
            class,
            SymbolClass::Field | SymbolClass::Variable | SymbolClass::Constant
        );
        match one.role {
            Role::Import => self.language.import_is_use(self.db, self.file.0),
            // `x += 1` reads for the sake of the store.
            Role::Write | Role::ReadWrite if is_stored => {
                let (db, file) = (self.db, self.file.0);
                self.language.write_is_use(db, file, class)
            }
            _ => true,
        }
    }

    fn add(
        &mut self,
        edges: &mut Vec<(LiveNode, LiveNode)>,
        (target, class): (SymbolId, SymbolClass),
        one: &Use,
    ) {
        let (owner, is_item) = self.owner(one.body);
        if owner != target {
            edges.push((LiveNode::declared(owner), LiveNode::declared(target)));
        }
        if !is_item || class != SymbolClass::Type {
            return;
        }
        // Code that holds the declaration holds values of the types that it is written with.
        edges.push((LiveNode::open(owner), LiveNode::open(target)));
        let is_part = matches!(
            one.role,
            Role::FieldType | Role::Embed | Role::Base | Role::TypeArgument
        );
        if is_part && self.db.shared().symbols.key(owner).class == SymbolClass::Type {
            edges.push((LiveNode::boxed(owner), LiveNode::boxed(target)));
        }
    }
}
