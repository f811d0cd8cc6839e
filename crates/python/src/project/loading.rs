//! Selection of the library files that a workspace needs: those that it imports, and what they
//! import when they are run themselves.
//!
//! ```text
//! workspace files  --every import-->  library files  --imports run at module level-->  library files …
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use codeweft_db::{Header, LayoutFile, LayoutInput, NameId, Origin};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{Guard, Import};
use codeweft_syntax::Names as Interner;
use rustc_hash::{FxHashMap, FxHashSet};

use super::library::{Library, LibraryModule, unit_of};
use super::model;
use super::names::{RootNameKind, RootNames};
use super::paths::{dotted, installed_name, prefixes, relative};
use super::site::PathGroup;

/// The maximum number of library files. Files nearest to the workspace are followed first.
pub(crate) const MAX_FILES: usize = 6_000;

/// The library files to load.
#[derive(Default)]
pub(crate) struct LibraryLoads {
    /// The modules by dotted name, with their loaded files.
    pub(crate) modules: BTreeMap<String, (Rc<LibraryModule>, Vec<String>)>,
    /// The files that are not loaded yet, sorted.
    pub(crate) missing: Vec<String>,
    /// Whether the limit was reached.
    pub(crate) cut: bool,
}

/// The tables that an importer of the workspace searches.
pub(crate) struct ImporterTables<'a> {
    /// Before the standard library.
    pub(crate) own: &'a [u32],
    /// After the standard library, before installed packages.
    pub(crate) others: &'a [u32],
}

/// A workspace file that imports.
pub(crate) struct Importer<'a> {
    pub(crate) header: &'a Header,
    /// The number of its root, an index of the importer tables.
    pub(crate) root: usize,
    /// The dotted name, in its root, of the folder that contains its package.
    pub(crate) base: &'a str,
}

/// The side on which a top-level name is found.
#[derive(Clone, Copy)]
enum LookupSide {
    /// In the workspace, or nowhere.
    Workspace,
    /// In libraries.
    Library,
    /// In libraries, unless a module next to the importer has the name.
    LibraryUnlessBeside,
}

/// Follows the imports of the workspace's files, then those of the loaded library files.
pub(crate) struct Loader<'a, 't> {
    input: &'a LayoutInput<'a>,
    names: &'a RootNames,
    library: Library<'t>,
    /// The workspace tables that libraries can import from.
    seen_by_libraries: Vec<u32>,
    /// The tables whose names are ids of the workspace.
    plain: Vec<u32>,
    /// Requested (module, name) pairs; each is followed once.
    wanted: FxHashSet<(NameId, Option<NameId>)>,
    /// The dotted names that were selected.
    taken: FxHashSet<String>,
    queue: VecDeque<(String, String)>,
    loading: LibraryLoads,
    files: usize,
}

impl<'a, 't> Loader<'a, 't> {
    /// Returns a loader that has followed nothing yet.
    pub(crate) fn new(
        input: &'a LayoutInput<'a>,
        names: &'a RootNames,
        library: Library<'t>,
        seen_by_libraries: Vec<u32>,
        plain: Vec<u32>,
    ) -> Loader<'a, 't> {
        Loader {
            input,
            names,
            library,
            seen_by_libraries,
            plain,
            wanted: FxHashSet::default(),
            taken: FxHashSet::default(),
            queue: VecDeque::new(),
            loading: LibraryLoads::default(),
            files: 0,
        }
    }

    /// Follows the imports of the workspace, of every form and in every scope.
    pub(crate) fn follow_workspace(
        &mut self,
        importers: &[Importer<'_>],
        tables: &[ImporterTables<'_>],
    ) {
        let mut decided: FxHashMap<(usize, NameId), LookupSide> = FxHashMap::default();
        for importer in importers {
            let Some(header) = importer.header.python() else {
                continue;
            };
            let tables = &tables[importer.root];
            // Relative imports stay in their package.
            for import in header.imports.iter().filter(|import| import.level == 0) {
                let name = self.input.names.text(import.module);
                let top = name.split('.').next().unwrap_or(name);
                let side = *decided
                    .entry((importer.root, import.module))
                    .or_insert_with(|| self.side(tables, top));
                let of_library = match side {
                    LookupSide::Workspace => false,
                    LookupSide::Library => true,
                    LookupSide::LibraryUnlessBeside => {
                        !self.is_beside_importer(tables, importer.base, top)
                    }
                };
                if of_library {
                    self.want(import.module, import);
                }
            }
        }
    }

    /// Follows the imports of a library file that is always loaded.
    pub(crate) fn follow_file(&mut self, package: &str, path: &str) {
        self.queue.push_back((package.to_owned(), path.to_owned()));
    }

    /// Returns where an importer of the workspace finds a top-level name.
    fn side(&mut self, tables: &ImporterTables<'_>, top: &str) -> LookupSide {
        let regular = |names: &RootNames, tables: &[u32]| {
            let mut tables = tables.iter();
            tables.any(|&table| names.kind(table as usize, top) == Some(RootNameKind::Regular))
        };
        if regular(self.names, tables.own) {
            return LookupSide::Workspace;
        }
        match self.find(top) {
            None => LookupSide::Workspace,
            Some(module) if module.group == PathGroup::Standard => LookupSide::Library,
            Some(_) if regular(self.names, tables.others) => LookupSide::Workspace,
            Some(_) => LookupSide::LibraryUnlessBeside,
        }
    }

    /// Returns whether a name exists in the folder of a script or test, which is on its path.
    fn is_beside_importer(&self, tables: &ImporterTables<'_>, base: &str, top: &str) -> bool {
        let own = tables.own.first().copied().unwrap_or_default();
        !base.is_empty()
            && self.names.kind(own as usize, &dotted(base, top)) == Some(RootNameKind::Regular)
    }

    fn find(&mut self, name: &str) -> Option<Rc<LibraryModule>> {
        let (names, plain) = (self.names, &self.plain);
        self.library.find(name, &|name| {
            if model::has(name) {
                return Some(RootNameKind::Regular);
            }
            let kinds = plain.iter();
            kinds
                .filter_map(|&table| names.kind(table as usize, name))
                .min_by_key(|&kind| kind == RootNameKind::Portion)
        })
    }

    /// Selects a module and the submodules that an import names in it.
    fn want(&mut self, module: NameId, import: &Import) {
        let interner: &'a Interner = self.input.names;
        let text = interner.text(module);
        if self.wanted.insert((module, None)) {
            self.want_name(text);
        }
        for &name in &import.names {
            if self.wanted.insert((module, Some(name))) {
                self.want_name(&dotted(text, interner.text(name)));
            }
        }
    }

    /// Selects a module and its enclosing packages, as far as they exist.
    fn want_name(&mut self, name: &str) {
        for prefix in prefixes(installed_name(name)) {
            if self.taken.contains(prefix) {
                continue;
            }
            let Some(module) = self.find(prefix) else {
                return;
            };
            self.taken.insert(prefix.to_owned());
            self.take(prefix, module);
        }
    }

    fn take(&mut self, name: &str, module: Rc<LibraryModule>) {
        let own = |file: &String| {
            let file = self.file(file);
            file.is_some_and(|file| file.origin == Origin::Workspace)
        };
        if module.files.iter().any(own) {
            return;
        }
        let mut loaded: Vec<String> = Vec::new();
        for file in &module.files {
            if self.files >= MAX_FILES {
                self.loading.cut = true;
                break;
            }
            self.files += 1;
            if self.file(file).is_some() {
                loaded.push(file.clone());
                self.queue
                    .push_back((unit_of(name, &module).to_owned(), file.clone()));
            } else {
                self.loading.missing.push(file.clone());
            }
        }
        if !loaded.is_empty() {
            let entry = (module, loaded);
            self.loading.modules.insert(name.to_owned(), entry);
        }
    }

    /// Follows the imports of the selected library files to the end.
    pub(crate) fn follow_libraries(mut self) -> (LibraryLoads, Library<'t>) {
        let mut decided: FxHashMap<NameId, bool> = FxHashMap::default();
        while let Some((package, file)) = self.queue.pop_front() {
            let Some(header) = self.file(&file).and_then(|file| file.header.python()) else {
                continue;
            };
            for import in header.imports.iter().filter(|import| runs(import)) {
                let module = self.input.names.text(import.module);
                if import.level == 0 {
                    let of_library = *decided.entry(import.module).or_insert_with(|| {
                        let top = module.split('.').next().unwrap_or(module);
                        self.libraries_find(top)
                    });
                    if of_library {
                        self.want(import.module, import);
                    }
                } else if let Some(name) = relative(&package, import.level, module) {
                    self.want_name(&name);
                    for &part in &import.names {
                        self.want_name(&dotted(&name, self.input.names.text(part)));
                    }
                }
            }
        }
        self.loading.missing.sort();
        self.loading.missing.dedup();
        (self.loading, self.library)
    }

    /// Returns whether a library file finds a top-level name in libraries.
    fn libraries_find(&mut self, top: &str) -> bool {
        match self.find(top) {
            None => false,
            Some(module) if module.group == PathGroup::Standard => true,
            Some(_) => {
                let mut tables = self.seen_by_libraries.iter();
                !tables.any(|&table| {
                    self.names.kind(table as usize, top) == Some(RootNameKind::Regular)
                })
            }
        }
    }

    fn file(&self, path: &str) -> Option<&'a LayoutFile<'a>> {
        let files = self.input.files;
        let at = files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        Some(&files[at])
    }
}

/// Returns whether an import of a library file runs when the file is imported: not in a function,
/// and not for type checkers only.
fn runs(import: &Import) -> bool {
    !import.in_function && import.guard != Guard::TypeChecking
}
