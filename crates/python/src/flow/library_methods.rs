//! The attributes of what the library makes: of another name, a container or a string has none.

/// Those of lists, tuples, sets, dictionaries and the containers of `collections`, sorted.
const OF_CONTAINERS: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "clear",
    "copy",
    "count",
    "default_factory",
    "difference",
    "difference_update",
    "discard",
    "elements",
    "extend",
    "extendleft",
    "fromkeys",
    "get",
    "index",
    "insert",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "items",
    "keys",
    "maps",
    "maxlen",
    "most_common",
    "move_to_end",
    "new_child",
    "parents",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "rotate",
    "setdefault",
    "sort",
    "subtract",
    "symmetric_difference",
    "symmetric_difference_update",
    "total",
    "union",
    "update",
    "values",
];

/// Those of strings and bytes, sorted.
const OF_STRINGS: &[&str] = &[
    "capitalize",
    "casefold",
    "center",
    "count",
    "decode",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "fromhex",
    "hex",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "maketrans",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
];

/// Returns whether a container of the library has an attribute, other than a special method.
pub(super) fn has_container(name: &str) -> bool {
    OF_CONTAINERS.binary_search(&name).is_ok()
}

/// Returns whether a string has an attribute, other than a special method.
pub(super) fn has_string(name: &str) -> bool {
    OF_STRINGS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{OF_CONTAINERS, OF_STRINGS};

    #[test]
    fn the_names_are_sorted() {
        assert!(OF_CONTAINERS.is_sorted() && OF_STRINGS.is_sorted());
    }
}
