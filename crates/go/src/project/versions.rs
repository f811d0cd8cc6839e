//! Versions of modules and of Go, and their escaped form in the module cache.

use std::cmp::Ordering;

/// Compares two versions of a module (Go Modules Reference, "Versions"): by major, minor and patch,
/// a pre-release (pseudo-versions are such) before its release; build metadata `+…` does not count.
/// A text that is no version comes first.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    match (parse(left), parse(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

#[derive(PartialEq, Eq)]
struct Version<'a> {
    core: [Number<'a>; 3],
    pre: Option<&'a str>,
}

/// A decimal number of any length without leading zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Number<'a>(&'a str);

impl Number<'_> {
    fn read(text: &str) -> Option<Number<'_>> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && (text == "0" || !text.starts_with('0'))).then_some(Number(text))
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.len(), self.0).cmp(&(other.0.len(), other.0))
    }
}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.core
            .cmp(&other.core)
            .then_with(|| match (self.pre, other.pre) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(left), Some(right)) => compare_pre(left, right),
            })
    }
}

impl PartialOrd for Version<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares pre-releases part by part: numbers before words, numbers by value, words by bytes, and
/// a prefix before the longer one (Semantic Versioning 2.0, item 11).
fn compare_pre(left: &str, right: &str) -> Ordering {
    let part = |(left, right): (&str, &str)| match (Number::read(left), Number::read(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(right),
    };
    left.split('.')
        .zip(right.split('.'))
        .map(part)
        .find(|order| order.is_ne())
        .unwrap_or_else(|| left.split('.').count().cmp(&right.split('.').count()))
}

/// Parses a version; `v1`, `v1.2` are short for `v1.0.0`, `v1.2.0`.
fn parse(text: &str) -> Option<Version<'_>> {
    let text = text.strip_prefix('v')?;
    let text = text.split('+').next().unwrap_or(text);
    let (core, pre) = match text.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (text, None),
    };
    let mut numbers = [Number("0"); 3];
    let mut parts = core.split('.');
    for (at, number) in numbers.iter_mut().enumerate() {
        match parts.next() {
            Some(part) => *number = Number::read(part)?,
            None if at == 0 => return None,
            None => {}
        }
    }
    parts
        .next()
        .is_none()
        .then_some(Version { core: numbers, pre })
}

/// Returns the minor release of a Go version as go.mod, go.work and `VERSION` write it: 21 of
/// `1.21`, `1.21rc1`, `go1.21.3`.
pub(super) fn minor_release(text: &str) -> Option<u32> {
    let text = text.strip_prefix("go").unwrap_or(text);
    let digits = text.strip_prefix("1.")?;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Returns a module path or version as escaped in the module cache: `!` and the lower-case letter
/// for each capital (Go Modules Reference, "Module cache").
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(c.to_ascii_lowercase());
    }
    escaped
}

/// Returns the last element of a module path that is no major version suffix: `x` of
/// `example.com/x/v2` and of `gopkg.in/x.v2` (Go Modules Reference, "Major version suffixes").
pub(super) fn short_name(path: &str) -> &str {
    let is_major = |text: &str| {
        text.strip_prefix('v')
            .and_then(Number::read)
            .is_some_and(|number| number.0 != "0")
    };
    let mut elements = path.rsplit('/');
    let last = elements.next().unwrap_or(path);
    if is_major(last)
        && let Some(before) = elements.next()
    {
        return before;
    }
    match last.rsplit_once('.') {
        Some((name, version)) if path.starts_with("gopkg.in/") && is_major(version) => name,
        _ => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_the_order_of_the_modules_reference() {
        let sorted = [
            "none",
            "v0.0.0-20200101000000-abcdefabcdef",
            "v0.9.0",
            "v1.0.0-alpha",
            "v1.0.0-alpha.1",
            "v1.0.0-alpha.beta",
            "v1.0.0-rc.2",
            "v1.0.0-rc.11",
            "v1.0.0",
            "v1.0.1-0.20200101000000-abcdefabcdef",
            "v1.0.1",
            "v1.10.0",
            "v2.0.0+incompatible",
        ];
        for pair in sorted.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(compare(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        assert_eq!(compare("v1.2", "v1.2.0"), Ordering::Equal);
        assert_eq!(compare("v2.0.0+incompatible", "v2.0.0"), Ordering::Equal);
    }

    #[test]
    fn the_minor_release_is_read_from_every_form() {
        assert_eq!(minor_release("1.21"), Some(21));
        assert_eq!(minor_release("1.22rc1"), Some(22));
        assert_eq!(minor_release("go1.26.8"), Some(26));
        assert_eq!(minor_release("devel"), None);
    }

    #[test]
    fn capitals_are_escaped_in_the_module_cache() {
        assert_eq!(
            escaped("github.com/BurntSushi/toml"),
            "github.com/!burnt!sushi/toml"
        );
    }

    #[test]
    fn a_major_version_is_no_name() {
        assert_eq!(short_name("example.com/x/v2"), "x");
        assert_eq!(short_name("gopkg.in/yaml.v3"), "yaml");
        assert_eq!(short_name("example.com/x"), "x");
        assert_eq!(short_name("v2"), "v2");
        assert_eq!(short_name("example.com/x/v0"), "v0");
    }
}
