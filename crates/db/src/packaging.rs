//! What a language says of names that are known outside the repository: the distributions of package
//! managers that packages belong to, qualified names, and names by which a package gives on what another
//! declares.

use std::sync::Arc;

use codeweft_syntax::{NameId, Span};

use crate::{Db, File, FileSystem, Role, SymbolId, Unit};

/// The names of a language's symbols across repositories. All methods have default bodies, for languages
/// without a package manager.
pub trait Packaging {
    /// Returns the first word of the language's SCIP symbols: that of the indexer whose symbols they equal.
    fn scip_scheme(&self) -> &'static str {
        "codeweft"
    }

    /// Returns what manages the language's packages, as SCIP symbols name it.
    fn package_manager(&self) -> &'static str {
        ""
    }

    /// Returns the distributions that packages belong to, in their order. A pure function of the packages
    /// and of what `reader` reads; `root` is the workspace's folder, absolute.
    fn distributions(
        &self,
        packages: &[PackageSource],
        _root: &str,
        _reader: &dyn FileSystem,
    ) -> Vec<Distribution> {
        let unmanaged = |package: &PackageSource| Distribution {
            name: package.import_path.to_string(),
            version: DistributionVersion::Unknown,
        };
        packages.iter().map(unmanaged).collect()
    }

    /// Returns the qualified names of a file, in no order. Not kept by any query: an export computes them.
    fn qualified_names(&self, _db: &dyn Db, _file: File) -> Vec<QualifiedName> {
        Vec::new()
    }

    /// Returns the range of the package's name in the clause that begins a file.
    fn package_clause_name(&self, _db: &dyn Db, _file: File) -> Option<Span> {
        None
    }

    /// Returns the names that a file's imports give packages in it, with their ranges: `f` of `import f "fmt"`.
    fn import_names(&self, _db: &dyn Db, _file: File) -> Vec<(SymbolId, Span)> {
        Vec::new()
    }

    /// Returns the names of a unit's packages that mean what another package declares.
    fn aliases(&self, _db: &dyn Db, _unit: Unit) -> Vec<Alias> {
        Vec::new()
    }
}

/// A package, or a module, whose distribution is wanted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PackageSource {
    /// The path by which others import it.
    pub import_path: Arc<str>,
    /// The folder of its files, printed like their paths; `None` if it is not loaded.
    pub folder: Option<Arc<str>>,
    /// Whether it belongs to a library.
    pub library: bool,
}

/// What a package manager installs as one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Distribution {
    /// The name: a module's path in Go, the normalised name in Python.
    pub name: String,
    /// The version.
    pub version: DistributionVersion,
}

/// The version of a distribution.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DistributionVersion {
    /// That of the workspace itself, which its own files seldom name.
    Own,
    /// One that a file names.
    Known(String),
    /// None that a file names.
    Unknown,
}

/// A name behind a package's name and a dot: `errwrap.Wrap`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QualifiedName {
    /// The number of the body or item, as [`crate::Use::body`].
    pub body: u32,
    /// The token of the package's name, as [`crate::Use::occ`].
    pub occ: u32,
    /// The package.
    pub package: SymbolId,
    /// The name behind the dot, if the package is not loaded, so that no use has it.
    pub member: Option<AbsentMember>,
}

/// A use of what a package that is not loaded declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AbsentMember {
    /// The name.
    pub name: NameId,
    /// Its token, as [`crate::Use::occ`].
    pub occ: u32,
    /// Its role as far as the text says: a call may be the conversion to a type.
    pub role: Role,
    /// Whether the use is inside a function literal.
    pub in_literal: bool,
}

/// A name of a package that means a declaration of another package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The package that has the name.
    pub package: SymbolId,
    /// The name.
    pub name: NameId,
    /// What it means.
    pub target: SymbolId,
}
