//! Resolution of broken code: every declaration before a cut of the text resolves as in the whole
//! file, unless it depends on the text after the cut. With `CODEWEFT_SLOW=1` also for a random
//! sample of packages of GOROOT/src: `CODEWEFT_SEED` selects another sample, `CODEWEFT_FILES` the
//! number of files.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use codeweft_db::{Db as _, Semantics as _, Span};
use codeweft_go_syntax::GO;
use codeweft_syntax::lower;
use salsa::Setter as _;

use super::Fixture;
use crate::Go;
use crate::units::unit_of;

/// The facts at each offset of a file: uses with their targets, unresolved calls, declarations.
type Facts = BTreeMap<u32, BTreeSet<String>>;

fn facts(fixture: &Fixture, path: &str) -> Facts {
    let file = fixture.file(path);
    let db = &fixture.db;
    let mut facts = Facts::new();
    let mut add = |at: Option<u32>, fact: String| {
        let at = at.expect("every fact has an offset");
        facts.entry(at).or_default().insert(fact);
    };
    let range = |symbol| {
        let range = Go.declaration_range(db, symbol)?;
        Some((range.file.path(db).clone(), range.span, range.name))
    };
    let uses = Go.uses(db, file);
    for (symbol, uses_of) in uses.iter() {
        let target = format!("{} {:?}", fixture.id(symbol), range(symbol));
        for one in uses_of {
            let from = uses.bodies.get(one.body as usize);
            let from = from.map(|&from| fixture.id(from));
            let (role, in_literal) = (one.role, one.in_literal);
            add(
                Go.offset(db, file, one.body, one.occ),
                format!("{from:?} {role:?} {in_literal} {target}"),
            );
        }
    }
    for site in &uses.unresolved {
        let reason = site.reason.wire_name();
        add(
            Go.offset(db, file, site.body, site.occ),
            format!("open {reason}"),
        );
    }
    if let Some(unit) = unit_of(db, file) {
        for row in &Go.symbols(db, unit).rows {
            let Some((path, span, name)) = range(row.symbol) else {
                continue;
            };
            if path == *file.path(db) {
                let id = fixture.id(row.symbol);
                add(Some(name.start), format!("{id} {:?} {span:?}", row.kind));
            }
        }
    }
    facts
}

/// Replaces the text of a file.
fn set(fixture: &mut Fixture, path: &str, text: &str) {
    let file = fixture.file(path);
    let names = &fixture.db.shared().names;
    let ir = lower(text, GO, names, &|| false).expect("nothing stops it");
    file.set_saved_text(&mut fixture.db).to(text.into());
    file.set_header(&mut fixture.db).to(ir.header.clone());
    file.set_items(&mut fixture.db).to(ir.items.clone());
}

/// Returns the spans of the declarations of a text; `None` if it has errors.
fn declarations(fixture: &Fixture, text: &str) -> Option<Vec<Span>> {
    let names = &fixture.db.shared().names;
    let ir = lower(text, GO, names, &|| false).expect("nothing stops it");
    ir.report
        .error_lines
        .is_empty()
        .then(|| ir.ranges.items.to_vec())
}

/// Returns the text up to the end of a declaration's line, with open parentheses closed; `None` if
/// that does not parse.
fn prefix(fixture: &Fixture, text: &str, end: u32) -> Option<String> {
    let end = end as usize;
    let line = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let prefixes = [text[..line].to_owned(), format!("{})\n", &text[..line])];
    let mut prefixes = prefixes.into_iter();
    prefixes.find(|prefix| declarations(fixture, prefix).is_some())
}

#[derive(Default, Debug)]
struct Counts {
    cuts: usize,
    /// Offsets with facts in declarations that ended before the cut.
    offsets: usize,
    /// Those of them where the text without the damaged declaration has other facts than the whole,
    /// so that both are correct.
    dependent: usize,
    /// Those of the dependent ones that have neither of the two.
    third: usize,
    failures: Vec<String>,
}

/// Cuts a file at some offsets and counts the facts that differ from those of the whole file.
fn check(fixture: &mut Fixture, path: &str, cuts: &[usize], counts: &mut Counts) {
    let text = fixture.file(path).text(&fixture.db).clone();
    let Some(spans) = declarations(fixture, &text) else {
        return;
    };
    let whole = facts(fixture, path);
    let mut known: BTreeMap<u32, Facts> = BTreeMap::new();
    for &cut in cuts {
        let ended = |span: &&Span| {
            let after = text.get(span.end as usize..cut);
            after.is_some_and(|after| after.contains('\n'))
        };
        let Some(last) = spans.iter().filter(ended).map(|span| span.end).max() else {
            continue;
        };
        let without = match known.entry(last) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let Some(prefix) = prefix(fixture, &text, last) else {
                    continue;
                };
                set(fixture, path, &prefix);
                new.insert(facts(fixture, path))
            }
        };
        set(fixture, path, &text[..cut]);
        let now = facts(fixture, path);
        counts.cuts += 1;
        let nothing = BTreeSet::new();
        let inside = |at: &&u32| {
            let mut ended = spans.iter().filter(ended);
            ended.any(|span| span.start <= **at && **at < span.end)
        };
        let offsets: BTreeSet<u32> = whole.keys().chain(now.keys()).copied().collect();
        for at in offsets.iter().filter(inside) {
            let of = |facts: &Facts| facts.get(at).unwrap_or(&nothing).clone();
            let (whole, without, now) = (of(&whole), of(without), of(&now));
            counts.offsets += 1;
            if whole != without {
                counts.dependent += 1;
                counts.third += usize::from(now != whole && now != without);
            } else if now != whole {
                let failure =
                    format!("{path} cut at {cut}: at {at}\n  whole {whole:?}\n  now {now:?}");
                counts.failures.push(failure);
            }
        }
    }
    set(fixture, path, &text);
}

fn next(seed: &mut u64) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

/// Returns random offsets.
fn cuts(text: &str, count: usize, seed: &mut u64) -> Vec<usize> {
    let mut all = Vec::new();
    for _ in 0..count {
        let at = next(seed) % (text.len() + 1);
        all.extend((0..=at).rfind(|&at| text.is_char_boundary(at)));
    }
    all
}

#[test]
fn declarations_before_a_cut_resolve_as_in_the_whole_file() {
    let text = r#"package m

import "strings"

type (
    Shape interface { Area() float64 }
    Square struct { side float64; *named }
)

type named struct { name string }

func (n *named) Name() string { return strings.ToUpper(n.name) }

func (s Square) Area() float64 { return s.side * s.side }

const (
    small = iota
    large
)

var (
    shapes = []Shape{Square{side: small}, Square{}}
    first  = shapes[large].(Square).Name()
)

func Map[K comparable, V any](m map[K]V, f func(V) V) map[K]V {
    for k := range m {
        m[k] = f(m[k])
    }
    return m
}

func total(shapes ...Shape) (sum float64) {
    for _, shape := range shapes {
        sum += shape.Area()
    }
    text := `a
func no() {}
` + first
    Map(map[string]int{text: 1}, func(n int) int { return n + large })
    return
}

var all = total(shapes...)
"#;
    let mut fixture = Fixture::new(text);
    let mut counts = Counts::default();
    let every: Vec<usize> = (0..text.len()).collect();
    let step = if is_slow() { 1 } else { 7 };
    let some: Vec<usize> = every.into_iter().step_by(step).collect();
    check(&mut fixture, "a.go", &some, &mut counts);
    assert!(counts.offsets > 1000, "{counts:?}");
    assert_eq!(counts.failures, Vec::<String>::new());
}

fn is_slow() -> bool {
    std::env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1")
}

fn go_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "go"))
        .collect();
    files.sort();
    files
}

fn folders(dir: &Path, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    inner.sort();
    into.push(dir.to_owned());
    for path in inner {
        if path.is_dir() && !path.ends_with("testdata") {
            folders(&path, into);
        }
    }
}

/// Returns a package of GOROOT/src with its imports, as far as they are not large.
fn package(src: &Path, dir: &Path) -> Option<String> {
    let mut text = String::new();
    let mut imports = BTreeSet::new();
    for path in go_files(dir) {
        let source = std::fs::read_to_string(&path).ok()?;
        if source.contains("//- ") || source.len() > 200_000 {
            return None;
        }
        let quoted = source.lines().take(200).filter_map(|line| {
            let (_, rest) = line.split_once('"')?;
            Some(rest.split_once('"')?.0.to_owned())
        });
        imports.extend(quoted);
        let name = path.file_name()?.to_str()?;
        let _ = write!(text, "//- {name}\n{source}\n");
    }
    let mut size = 0;
    for import in imports {
        let files = go_files(&src.join(&import));
        for path in files {
            let name = path.file_name()?.to_str()?;
            let source = std::fs::read_to_string(&path).unwrap_or_default();
            size += source.len();
            let is_test = name.ends_with("_test.go");
            if !is_test && size < 400_000 && !source.contains("//- ") {
                let _ = write!(text, "//- /goroot/src/{import}/{name}\n{source}\n");
            }
        }
    }
    Some(text)
}

#[test]
fn declarations_before_a_cut_of_the_standard_library_resolve_as_in_the_whole_file() {
    let goroot = std::env::var("GOROOT").unwrap_or("/usr/local/go".into());
    let src = Path::new(&goroot).join("src");
    if !is_slow() || !src.is_dir() {
        return;
    }
    let number = |name: &str, otherwise| {
        let given = std::env::var(name).ok();
        given
            .and_then(|given| given.parse().ok())
            .unwrap_or(otherwise)
    };
    let (mut seed, wanted) = (number("CODEWEFT_SEED", 1), number("CODEWEFT_FILES", 300));
    let mut dirs = Vec::new();
    folders(&src, &mut dirs);
    let mut counts = Counts::default();
    let (mut files, mut packages) = (0, 0);
    while files < wanted {
        let dir = &dirs[next(&mut seed) % dirs.len()];
        let Some(text) = package(&src, dir) else {
            continue;
        };
        let mut fixture = Fixture::new(&text);
        packages += 1;
        let mut paths = go_files(dir);
        // A few files of each package.
        while paths.len() > 4 {
            paths.remove(next(&mut seed) % paths.len());
        }
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let text = fixture.file(name).text(&fixture.db).clone();
            let cuts = cuts(&text, 20, &mut seed);
            check(&mut fixture, name, &cuts, &mut counts);
            files += 1;
        }
    }
    let failures = std::mem::take(&mut counts.failures);
    println!("{packages} packages, {files} files: {counts:?}");
    for failure in failures.iter().take(20) {
        println!("{failure}");
    }
    assert_eq!(failures.len(), 0);
}
