//! Releases of the language, and the names of the modelled modules that came with one.

/// A release of the language, 3.x.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// 3 of 3.11.
    pub(crate) major: u32,
    /// 11 of 3.11.
    pub(crate) minor: u32,
}

impl Version {
    /// Reads `3.11.7`, `3.11.7.final.0` or `3.13t`.
    pub(crate) fn read(text: &str) -> Option<Version> {
        let mut parts = text.split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?;
        let end = minor
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(minor.len());
        let minor = minor[..end].parse().ok()?;
        Some(Version { major, minor })
    }

    /// Reads `python3.11` or `pypy3.10`.
    pub(crate) fn of_folder(name: &str) -> Option<Version> {
        let name = name.strip_prefix("python").or(name.strip_prefix("pypy"))?;
        Version::read(name)
    }
}

/// The names of modules of the model that are not in all releases of Python 3, with the minor release that
/// they came with (Python library, "New in version 3.N"); sorted.
const ADDED: &[(&str, &str, u32)] = &[
    ("itertools", "batched", 12),
    ("itertools", "pairwise", 10),
    ("math", "cbrt", 11),
    ("math", "comb", 8),
    ("math", "dist", 8),
    ("math", "exp2", 11),
    ("math", "fma", 13),
    ("math", "isqrt", 8),
    ("math", "lcm", 9),
    ("math", "nextafter", 9),
    ("math", "perm", 8),
    ("math", "prod", 8),
    ("math", "sumprod", 12),
    ("math", "ulp", 9),
    ("typing", "Annotated", 9),
    ("typing", "Concatenate", 10),
    ("typing", "Final", 8),
    ("typing", "Literal", 8),
    ("typing", "LiteralString", 11),
    ("typing", "Never", 11),
    ("typing", "NoDefault", 13),
    ("typing", "NotRequired", 11),
    ("typing", "ParamSpec", 10),
    ("typing", "ParamSpecArgs", 10),
    ("typing", "ParamSpecKwargs", 10),
    ("typing", "Protocol", 8),
    ("typing", "ReadOnly", 13),
    ("typing", "Required", 11),
    ("typing", "Self", 11),
    ("typing", "SupportsIndex", 8),
    ("typing", "TypeAlias", 10),
    ("typing", "TypeAliasType", 12),
    ("typing", "TypeGuard", 10),
    ("typing", "TypeIs", 13),
    ("typing", "TypeVarTuple", 11),
    ("typing", "TypedDict", 8),
    ("typing", "Unpack", 11),
    ("typing", "assert_never", 11),
    ("typing", "assert_type", 11),
    ("typing", "clear_overloads", 11),
    ("typing", "dataclass_transform", 11),
    ("typing", "final", 8),
    ("typing", "get_args", 8),
    ("typing", "get_origin", 8),
    ("typing", "get_overloads", 11),
    ("typing", "get_protocol_members", 13),
    ("typing", "is_protocol", 13),
    ("typing", "is_typeddict", 10),
    ("typing", "override", 12),
    ("typing", "reveal_type", 11),
    ("typing", "runtime_checkable", 8),
];

/// Returns the minor release of Python 3 that a name of a module of the model came with; `None` if all have
/// it, or the model lacks the module.
pub(crate) fn added(module: &str, name: &str) -> Option<u32> {
    let at = ADDED.binary_search_by(|&(of, own, _)| (of, own).cmp(&(module, name)));
    at.ok().map(|at| ADDED[at].2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted_and_of_modules_of_the_model() {
        assert!(ADDED.is_sorted());
        for &(module, ..) in ADDED {
            assert!(crate::project::model::has(module), "{module}");
        }
    }
}
