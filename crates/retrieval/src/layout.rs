//! The files of an index in the order of their paths, and which import which.

use rustc_hash::FxHashSet;

use crate::index::{FileId, ImportTarget, Index};
use crate::paths;

/// The most files of an imported package that count: more say nothing of any one of them.
const MAX_PACKAGE: usize = 40;

/// The order of files, and the graph of their imports. A function of paths and imports alone.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// By path.
    pub(crate) order: Vec<FileId>,
    /// The position in `order` of a file by its number; `u32::MAX` for a number without a file.
    position: Vec<u32>,
    /// Of each position those that import it or are imported by it, ascending.
    neighbours: Vec<Vec<u32>>,
    /// Of each position those that it imports, ascending.
    imported: Vec<Vec<u32>>,
}

impl Layout {
    /// Returns the layout of an index.
    pub(crate) fn of(index: &Index) -> Layout {
        let mut files: Vec<(&str, FileId)> = index
            .ids()
            .filter_map(|id| Some((&*index.by_id(id)?.path, id)))
            .collect();
        files.sort_unstable();
        let mut position = vec![u32::MAX; index.id_bound()];
        for (&(_, id), at) in files.iter().zip(0..) {
            if let Some(slot) = position.get_mut(id as usize) {
                *slot = at;
            }
        }
        let mut layout = Layout {
            order: files.iter().map(|&(_, id)| id).collect(),
            position,
            neighbours: vec![Vec::new(); files.len()],
            imported: Vec::with_capacity(files.len()),
        };
        for (&(path, id), at) in files.iter().zip(0..) {
            let imported = layout.imported_by(index, path, id);
            for &other in &imported {
                layout.join(at, other);
            }
            layout.imported.push(imported);
        }
        for list in &mut layout.neighbours {
            list.sort_unstable();
            list.dedup();
        }
        layout
    }

    /// Returns the position of a file.
    pub(crate) fn position(&self, id: FileId) -> Option<u32> {
        let position = self.position.get(id as usize).copied();
        position.filter(|&position| position != u32::MAX)
    }

    /// Returns the positions of the files that a file imports or is imported by.
    pub(crate) fn neighbours(&self, position: u32) -> &[u32] {
        let list = self.neighbours.get(position as usize);
        list.map_or(&[], Vec::as_slice)
    }

    /// Returns the positions of the files that a file imports.
    pub(crate) fn imported(&self, position: u32) -> &[u32] {
        let list = self.imported.get(position as usize);
        list.map_or(&[], Vec::as_slice)
    }

    fn join(&mut self, one: u32, other: u32) {
        if one == other {
            return;
        }
        for (from, to) in [(one, other), (other, one)] {
            if let Some(list) = self.neighbours.get_mut(from as usize) {
                list.push(to);
            }
        }
    }

    fn imported_by(&self, index: &Index, path: &str, id: FileId) -> Vec<u32> {
        let Some(file) = index.by_id(id) else {
            return Vec::new();
        };
        let mut imported: FxHashSet<u32> = FxHashSet::default();
        for target in file.imports.iter() {
            match target {
                ImportTarget::File(target) => {
                    let target = index.id(target).and_then(|id| self.position(id));
                    imported.extend(target);
                }
                ImportTarget::Folder(folder) => {
                    let mut files: Vec<u32> = index
                        .in_folder(folder)
                        .iter()
                        .filter(|&&other| {
                            index
                                .by_id(other)
                                .is_some_and(|other| is_of_package(path, &other.path))
                        })
                        .filter_map(|&other| self.position(other))
                        .collect();
                    files.sort_unstable();
                    imported.extend(files.into_iter().take(MAX_PACKAGE));
                }
            }
        }
        let mut imported: Vec<u32> = imported.into_iter().collect();
        imported.sort_unstable();
        imported
    }
}

/// Returns whether a file of an imported folder belongs to what a file imports: it has the same extension and is no test.
fn is_of_package(importer: &str, file: &str) -> bool {
    paths::extension(importer) == paths::extension(file) && !paths::is_test(file)
}
