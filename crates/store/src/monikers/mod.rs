//! The names of symbols across repositories: monikers.
//!
//! A moniker has four parts, those of a SCIP symbol without its scheme. Two indexes of different versions
//! of a library join by all parts but the version.
//!
//! ```text
//! manager  package                          version  descriptor
//! gomod    github.com/hashicorp/errwrap     v1.1.0   `github.com/hashicorp/errwrap`/Wrap().
//! python   requests                         2.32.5   `requests.api`/get().
//! ```

mod descriptor;
mod named_graph;

use std::hash::Hasher as _;

use twox_hash::XxHash64;

pub(crate) use descriptor::unknown_path;
pub(crate) use named_graph::{NamedEdge, NamedGraph, NamedSymbol, NamedUseKind};

/// The name of a symbol across repositories.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Moniker {
    /// The package manager: `gomod`, `python`.
    pub manager: String,
    /// The package, as its manager names it.
    pub package: String,
    /// The version; empty if it is not known.
    pub version: String,
    /// The symbol in the package, by the grammar of SCIP symbols.
    pub descriptor: String,
}

impl Moniker {
    /// Returns the key that equal symbols of all versions have: XXH64 with seed 0 of manager, package and
    /// descriptor in UTF-8, each behind a space but the first.
    ///
    /// ```
    /// use codeweft_store::Moniker;
    ///
    /// let moniker = |version: &str| Moniker {
    ///     manager: "gomod".to_owned(),
    ///     package: "example.com/a".to_owned(),
    ///     version: version.to_owned(),
    ///     descriptor: "`example.com/a`/F().".to_owned(),
    /// };
    /// assert_eq!(moniker("v1.0.0").key(), moniker("v1.1.0").key());
    /// ```
    pub fn key(&self) -> i64 {
        let mut hasher = XxHash64::with_seed(0);
        hasher.write(self.manager.as_bytes());
        hasher.write(b" ");
        hasher.write(self.package.as_bytes());
        hasher.write(b" ");
        hasher.write(self.descriptor.as_bytes());
        hasher.finish().cast_signed()
    }

    /// Returns the SCIP symbol of a scheme.
    pub(crate) fn scip_symbol(&self, scheme: &str) -> String {
        let field = |text: &str| match text {
            "" => ".".to_owned(),
            text => text.replace(' ', "  "),
        };
        format!(
            "{} {} {} {} {}",
            field(scheme),
            field(&self.manager),
            field(&self.package),
            field(&self.version),
            self.descriptor
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Moniker;

    #[test]
    fn a_key_is_the_hash_that_other_programs_compute() {
        let moniker = Moniker {
            manager: "gomod".to_owned(),
            package: "a".to_owned(),
            // No part of the key.
            version: "v1.2.3".to_owned(),
            descriptor: "a/F().".to_owned(),
        };
        // xxh64("gomod a a/F().") of the Python package xxhash, as a signed number.
        assert_eq!(moniker.key(), KEY);
    }

    /// See the test above.
    const KEY: i64 = 2_017_503_557_532_050_303;

    #[test]
    fn a_symbol_has_a_dot_for_what_is_not_known() {
        let moniker = Moniker {
            manager: "gomod".to_owned(),
            package: "a b".to_owned(),
            version: String::new(),
            descriptor: "a/F().".to_owned(),
        };
        assert_eq!(
            moniker.scip_symbol("scip-go"),
            "scip-go gomod a  b . a/F()."
        );
    }
}
