//! Parsing of the judge's output: one JSON object a line (xtask/judges/go/README.md).

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::Deserialize;

/// The maximum length of a line, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// A line of the judge; the fields present depend on `k`.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub struct Line<'a> {
    /// The kind: `package`, `import`, `type`, `impl`, `call` or `use`.
    #[serde(borrow)]
    pub k: Cow<'a, str>,
    /// The position of a use.
    #[serde(borrow)]
    pub at: Cow<'a, str>,
    #[serde(borrow)]
    pub kind: Cow<'a, str>,
    #[serde(borrow)]
    pub def: Cow<'a, str>,
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    pub decl: bool,
    pub local: bool,
    pub alias: bool,
    #[serde(borrow)]
    pub caller: Cow<'a, str>,
    #[serde(borrow)]
    pub callee: Cow<'a, str>,
    #[serde(borrow)]
    pub callee_def: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    pub ty: Cow<'a, str>,
    #[serde(borrow)]
    pub type_def: Cow<'a, str>,
    #[serde(borrow)]
    pub iface: Cow<'a, str>,
    #[serde(borrow)]
    pub iface_def: Cow<'a, str>,
    pub ptr: bool,
    pub constraint: bool,
    /// The number of methods of an interface.
    pub methods: u64,
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    #[serde(borrow)]
    pub dir: Cow<'a, str>,
    #[serde(borrow)]
    pub pkg: Cow<'a, str>,
    pub errors: u32,
    pub first_errors: Option<Vec<String>>,
    pub imports: Vec<String>,
    pub files: Vec<String>,
}

impl Line<'_> {
    /// Returns whether a `use` is an edge of the graph: not the name of a package, a builtin or a
    /// local variable.
    pub fn is_edge(&self) -> bool {
        let kind = &*self.kind;
        if matches!(kind, "package" | "builtin" | "nil") {
            return false;
        }
        if self.local {
            return kind == "type" && !self.alias;
        }
        !self.def.is_empty() || kind == "method"
    }
}

/// Splits a position of the judge: `file:line:column`.
pub fn split_position(text: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

/// The kinds of lines that are compared; the fields of other kinds are not read.
const COMPARED: [&str; 6] = ["package", "import", "type", "impl", "call", "use"];

/// The part of a line that determines its kind.
#[derive(Deserialize)]
struct LineKind<'a> {
    #[serde(borrow)]
    k: Cow<'a, str>,
}

/// Reads all lines that are compared, holding at most one in memory.
///
/// # Errors
/// The stream broke, or holds a line that the judge does not print.
pub fn each(mut from: impl BufRead, take: &mut dyn FnMut(&Line<'_>)) -> io::Result<()> {
    let mut text = Vec::new();
    loop {
        text.clear();
        let read = io::Read::take(&mut from, MAX_LINE_BYTES).read_until(b'\n', &mut text)?;
        if read == 0 {
            return Ok(());
        }
        if text.last() != Some(&b'\n') {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the judge's line has no end",
            ));
        }
        let kind: LineKind<'_> = serde_json::from_slice(&text)?;
        if COMPARED.contains(&&*kind.k) {
            take(&serde_json::from_slice(&text)?);
        }
    }
}
