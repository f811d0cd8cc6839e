//! Files as targets: the declarations of a file, seen from outside of it (docs/graph.md §2).

use codeweft_db::{File, NodeKind, SymbolId};

use super::Target;
use crate::answer::{ApiError, ErrorType, FileScope, Operation};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// Resolves a file to the symbols that the operation's [`FileScope`] says, and to its package if
    /// there are none. `None` for a file without a package.
    pub(super) fn file_target(
        &self,
        operation: Operation,
        file: File,
    ) -> Result<Option<Target>, ApiError> {
        let Some(package) = self.package_of(file) else {
            return Ok(None);
        };
        let path = file.path(self.db).to_string();
        let scope = operation.spec().files;
        let declared = match scope {
            FileScope::Package => Vec::new(),
            _ => self.declared_in(operation, file, &path)?,
        };
        let language = self.languages.of(file.lang(self.db));
        let module = language.and_then(|language| language.module(self.db, file));
        // Package-level code has callers, callees and paths; but only a module is imported by its
        // file.
        let with_package = match scope {
            FileScope::Package | FileScope::WithPackageCode => true,
            FileScope::WithModule => module == Some(package),
            FileScope::Declarations => false,
        };
        let mut symbols = declared;
        if with_package || symbols.is_empty() {
            symbols.push(package);
        }
        Ok(Some(Target {
            symbols: self.in_order(symbols),
            printed: path,
            file: Some(file),
            local: None,
        }))
    }

    fn declared_in(
        &self,
        operation: Operation,
        file: File,
        path: &str,
    ) -> Result<Vec<SymbolId>, ApiError> {
        let language = self.languages.of(file.lang(self.db));
        let Some((language, unit)) = language.zip(self.owner(file)) else {
            return Ok(Vec::new());
        };
        let files = language.files(self.db, unit);
        let Some(number) = files.iter().position(|&other| other == file) else {
            let configuration = language.configuration(self.db);
            return Err(ApiError::new(
                ErrorType::TargetNotFound,
                format!("{path}: the file is left out under {configuration}"),
                "ask under a configuration that chooses it",
            ));
        };
        let symbols = self.symbols(unit);
        let rows = symbols.rows.iter();
        let own = rows.filter(|row| row.file == number as u32 && row.kind != NodeKind::Package);
        let own = own.map(|row| row.symbol);
        Ok(own
            .filter(|&symbol| self.takes(operation, symbol))
            .collect())
    }
}
