//! What the judge prints: a JSON object a line (xtask/judges/go/README.md).

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::Deserialize;

/// The longest line that is taken, in bytes.
const LONGEST: u64 = 64 << 20;

/// A line; which fields there are goes by `k`.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub struct Line<'a> {
    /// One of `package`, `import`, `type`, `impl`, `call`, `use`.
    #[serde(borrow)]
    pub k: Cow<'a, str>,
    /// Where a use stands.
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
    /// Of an interface: how many methods it has.
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

/// The kinds of lines that are compared; of others the fields may mean anything.
const COMPARED: [&str; 6] = ["package", "import", "type", "impl", "call", "use"];

/// What tells the kind of a line.
#[derive(Deserialize)]
struct LineKind<'a> {
    #[serde(borrow)]
    k: Cow<'a, str>,
}

/// Reads all lines that are compared; at most one is in memory at a time.
///
/// # Errors
/// The stream broke, or holds what the judge does not print.
pub fn each(mut from: impl BufRead, take: &mut dyn FnMut(&Line<'_>)) -> io::Result<()> {
    let mut text = Vec::new();
    loop {
        text.clear();
        let read = io::Read::take(&mut from, LONGEST).read_until(b'\n', &mut text)?;
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
