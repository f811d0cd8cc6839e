//! Every declaration that ended before a damage is read as in the whole file. With
//! `CODEWEFT_SLOW=1` on a sample of GOROOT/src: `CODEWEFT_SEED` draws another one, `CODEWEFT_FILES`
//! tells how many files.

mod damage;
mod goroot;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use codeweft_syntax::Names;
use damage::{
    Damaged, KINDS, Kind, Lot, compare, damage, lowered, read, token_starts, work_of_tree_sitter,
};

/// Counts of one kind of damage.
#[derive(Default, Debug)]
struct Counts {
    damages: usize,
    before: usize,
    changed_before: usize,
    behind: usize,
    changed_behind: usize,
    /// Damages with a declaration behind that is not as it was.
    with_changed_behind: usize,
    invented: usize,
    /// The largest work in hundredths of the whole's.
    work: u64,
    /// The largest time of lowering in times of the whole's, and how many took more than three.
    time: f64,
    over: usize,
}

/// Damages a text at places by lot, `cuts` of them cuts and about as many other damages.
fn damages(text: &str, cuts: usize, others: usize, lot: &mut Lot) -> Vec<(Kind, Damaged)> {
    let places = token_starts(text);
    let mut all = Vec::new();
    if places.is_empty() {
        return all;
    }
    for number in 0..cuts {
        let mut at = places[lot.below(places.len())];
        if number % 4 == 3 {
            // Inside of a token, or wherever else.
            at = lot.below(text.len());
            at = (0..=at).rfind(|&at| text.is_char_boundary(at)).unwrap_or(0);
        }
        all.extend(damage(text, Kind::Cut, at).map(|one| (Kind::Cut, one)));
    }
    for number in 0..others {
        let kind = KINDS[1 + number % (KINDS.len() - 1)];
        // The next place from one by lot on where there is something of the kind.
        let from = lot.below(places.len());
        let found = places[from..].iter().chain(&places[..from]);
        let found = found.take(5000).find_map(|&at| damage(text, kind, at));
        all.extend(found.map(|one| (kind, one)));
    }
    all
}

/// The shortest of some times that lowering a text takes.
fn shortest(text: &str, runs: usize) -> Duration {
    let names = Names::default();
    let runs = (0..runs).map(|_| {
        let start = Instant::now();
        drop(lowered(text, &names));
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}

/// Damages a text and counts what differs. Asserts what must hold.
fn check(
    path: &str,
    text: &str,
    drawn: Vec<(Kind, Damaged)>,
    timed: bool,
    counts: &mut BTreeMap<Kind, Counts>,
) -> Vec<String> {
    let whole = read(text);
    let mut failures = Vec::new();
    if whole.has_errors {
        return failures;
    }
    let mut whole_time = if timed {
        shortest(text, 5)
    } else {
        Duration::ZERO
    };
    for (kind, damaged) in drawn {
        let now = read(&damaged.text);
        let found = compare(&whole, &now, text, &damaged);
        let into = counts.entry(kind).or_default();
        into.damages += 1;
        into.before += found.before;
        into.changed_before += found.changed_before.len();
        into.behind += found.behind;
        into.changed_behind += found.changed_behind.len();
        into.with_changed_behind += usize::from(!found.changed_behind.is_empty());
        into.invented += found.invented.len();
        into.work = into.work.max(now.work * 100 / whole.work.max(20));
        if timed {
            let mut ratio = shortest(&damaged.text, 3).as_secs_f64() / whole_time.as_secs_f64();
            if ratio > 2.5 {
                // Others use the machine too.
                let now = (0..5).map(|_| shortest(&damaged.text, 5)).min();
                whole_time = whole_time.min(shortest(text, 20));
                ratio = now.unwrap_or_default().as_secs_f64() / whole_time.as_secs_f64();
            }
            into.over += usize::from(ratio > 3.0);
            if ratio > into.time {
                into.time = ratio;
            }
            if ratio > 2.5 {
                let (range, work) = (&damaged.range, (whole.work, now.work, text.len()));
                println!("{path} {kind:?} at {range:?}, {whole_time:?}, {work:?}: {ratio:.2}");
            }
        }
        let place = format!("{path}: {kind:?} at {:?}", damaged.range);
        if let Some(first) = found.changed_before.first() {
            let all = found.changed_before.len();
            failures.push(format!("before: {place}: {all} changed: {first}"));
        }
        if kind == Kind::Cut
            && let Some(first) = found.invented.first()
        {
            failures.push(format!("invented: {place}: {first}"));
        }
        if kind != Kind::Cut && std::env::var_os("CODEWEFT_BEHIND").is_some() {
            if let Some(first) = found.changed_behind.first() {
                let short: String = first.chars().take(200).collect();
                let all = found.changed_behind.len();
                failures.push(format!("behind: {place}: {all} changed: {short}"));
            }
            if let Some(first) = found.invented.first() {
                let short: String = first.chars().take(200).collect();
                failures.push(format!("invented: {place}: {short}"));
            }
        }
    }
    failures
}

fn number(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(name).ok();
    given
        .and_then(|given| given.parse().ok())
        .unwrap_or(otherwise)
}

/// One text in eight as others write it, with CRLF.
fn dressed(text: String, lot: &mut Lot) -> String {
    match lot.below(8) {
        0 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        _ => text,
    }
}

const TEXT: &str = r#"// Package p is small.
package p

import (
	"fmt"
	str "strings"
)

type (
	// T is generic.
	T[K comparable] struct {
		n    K `tag:"n"`
		next *T[K]
	}
	I interface{ ~int | ~string }
)

func (t *T[K]) First(a int, rest ...K) (err error) {
	if a > 0 {
		return fmt.Errorf("x %d", t.n)
	}
	for i := range a {
		defer func() { recover(i) }()
	}
	return nil
}

var table = map[string]*T[int]{
	"a": {n: f(1)},
	"b": {n: 2, next: nil}, // the last one
}

const (
	A = iota
	B
	_
	C, D = iota, "}"
)

/*
type NoType struct{}
*/

var (
	x, y = pair()
	text = `
func notAChunk() int {
}
`
	z func(int) string
)

func pair() (int, int) {
	s := `
type Neither int

func norThis() {
}
`
	switch x := any(s).(type) {
	case string:
		str.ToUpper(x) // '"'
	}
	return len(s), '{'
}

func init() {}
func init() { pair() }
"#;

/// What must hold of cuts at every place and of other damages by lot.
fn check_all(text: &str) {
    let mut lot = Lot::new(1);
    let places = (0..text.len()).filter(|&at| text.is_char_boundary(at));
    let cuts = places.filter_map(|at| Some((Kind::Cut, damage(text, Kind::Cut, at)?)));
    let mut drawn: Vec<_> = cuts.collect();
    drawn.extend(damages(text, 0, 400, &mut lot));
    let mut counts = BTreeMap::new();
    let failures = check("a text", text, drawn, false, &mut counts);
    assert_eq!(failures, Vec::<String>::new());
    assert!(counts[&Kind::Cut].before > text.len(), "{counts:?}");
}

#[test]
fn declarations_that_ended_before_a_cut_anywhere_are_read_as_in_the_whole_file() {
    check_all(TEXT);
}

#[test]
fn lines_may_end_as_they_do_elsewhere() {
    check_all(&TEXT.replace('\n', "\r\n"));
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    for cut in (0..TEXT.len()).step_by(5) {
        let (one, other) = (
            read(&TEXT[..cut]),
            read(&format!("\u{feff}{}", &TEXT[..cut])),
        );
        assert_eq!(one.declarations, other.declarations);
        assert_eq!(one.imports, other.imports);
    }
}

#[test]
fn reading_a_cut_text_is_at_most_three_times_the_work_of_the_whole() {
    let (head, rest) = TEXT.split_at(TEXT.find("func (t").expect("a method"));
    let mut text = head.to_owned();
    for number in 0..60 {
        text += &rest.replace("pair", &format!("pair{number}"));
    }
    let whole = work_of_tree_sitter(&text);
    assert!(whole > 300, "{whole}");
    let mut lot = Lot::new(2);
    for (kind, damaged) in damages(&text, 20, 16, &mut lot) {
        let now = read(&damaged.text).work;
        assert!(
            now <= 3 * whole,
            "{kind:?} at {:?}: {now} of {whole}",
            damaged.range
        );
    }
}

/// Lowering takes at most three times the work of a sound text of as many lexemes as the text has
/// bytes.
fn bounded(text: &str) {
    let sound = "package p\n".to_owned() + &"func f() { g(1, \"a\") }\n".repeat(text.len() / 13);
    let (now, sound) = (read(text).work, work_of_tree_sitter(&sound));
    assert!(now <= 3 * sound + 100, "{now} of {sound}: {text:.60}");
}

#[test]
fn nesting_that_never_ends_takes_bounded_work() {
    for open in [
        "(",
        "{",
        "[",
        "func(",
        "f({",
        "if x {",
        "a.(",
        "map[",
        "`",
        "/*",
        "new(",
        "func a(",
        "T{",
        "switch {",
        "[]struct{",
        "\"",
        "'",
        "//",
        "x := ",
        ";",
        "}",
        "type T struct {",
        "a b c ",
    ] {
        for head in [
            "func f() {\n",
            "var v = ",
            "type T struct {\n",
            "const (\n",
            "",
        ] {
            bounded(&format!("package p\n{head}{}", open.repeat(500)));
            bounded(&format!(
                "package p\n{head}{}",
                format!("{open}\n").repeat(500)
            ));
        }
    }
}

#[test]
fn a_long_line_takes_bounded_work() {
    let slow = std::env::var_os("CODEWEFT_SLOW").is_some();
    let line = "f(\"a\", b.c[1]) + ".repeat(if slow { 300_000 } else { 5_000 });
    let text = format!("package p\n\nfunc before() {{}}\n\nvar v = {line}");
    assert_eq!(read(&text).declarations[0].name, "before");
    bounded(&text);
}

#[test]
fn declarations_of_the_standard_library_that_ended_before_a_damage_are_read_as_in_the_whole_file() {
    let Some(files) = goroot::files_if_slow() else {
        return;
    };
    let mut lot = Lot::new(number("CODEWEFT_SEED", 1) as u64);
    let wanted = number("CODEWEFT_FILES", 300);
    let timed = std::env::var_os("CODEWEFT_TIMED").is_some();
    let (mut counts, mut failures, mut read) = (BTreeMap::new(), Vec::new(), 0);
    let mut steps = 0.0_f64;
    while read < wanted {
        let path = &files[lot.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let text = dressed(text, &mut lot);
        let drawn = damages(&text, 20, 16, &mut lot);
        let tokens = token_starts(&text).len() as f64;
        let work = work_of_tree_sitter(&text) as f64;
        if work > 20.0 && work / tokens > steps {
            steps = work / tokens;
            println!("{}: {work} polls for {tokens} tokens", path.display());
        }
        failures.extend(check(
            &path.display().to_string(),
            &text,
            drawn,
            timed,
            &mut counts,
        ));
        read += 1;
    }
    for (kind, counts) in &counts {
        println!("{kind:?}: {counts:?}");
    }
    // What must hold first.
    failures.sort_by_key(|failure| !failure.starts_with("before"));
    for failure in failures.iter().take(40) {
        let short: String = failure.chars().take(1500).collect();
        println!("{short}\n");
    }
    assert_eq!(failures.len(), 0);
}
