//! Broken text keeps what can be read: cuts, lost lines and stray brackets in one body.

mod goroot;

use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::GO;
use codeweft_syntax::{Names, lower};

/// The declarations and the bodies of a text, printed, by name.
fn parts(text: &str) -> Vec<String> {
    let names = Names::default();
    let ir = lower(text, GO, &names, &|| false).expect("not stopped");
    let mut parts: Vec<String> = Vec::new();
    for line in codeweft_go_syntax::print_ir(&ir, &names).lines() {
        match parts.last_mut() {
            Some(part) if line.starts_with(' ') || line.is_empty() => {
                part.push('\n');
                part.push_str(line);
            }
            _ => parts.push(line.to_owned()),
        }
    }
    parts
}

/// Byte ranges of the functions of a text, told by gofmt's layout.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut open = None;
    for line in text.split_inclusive('\n') {
        if line.starts_with("func ") && line.trim_end().ends_with('{') {
            open = Some(at);
        } else if line.trim_end() == "}"
            && let Some(start) = open.take()
        {
            found.push((start, at + line.len()));
        }
        at += line.len();
    }
    found
}

fn next(seed: &mut u64) -> usize {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 33) as usize
}

/// Damages one function and says how many of the other parts changed, and whether the function
/// itself is still declared.
fn damage(text: &str, whole: &[String], seed: &mut u64) -> Option<(Vec<String>, bool, String)> {
    let functions = functions(text);
    let &(start, end) = functions.get(next(seed) % functions.len().max(1))?;
    let header = text[start..end].find('\n')? + start + 1;
    let mut cut = header + next(seed) % (end - header).max(1);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let damaged = match next(seed) % 4 {
        0 => format!("{}\n{}", &text[..cut], &text[end..]),
        1 => {
            let line_end = text[cut..].find('\n').map_or(text.len(), |at| cut + at);
            format!("{}{}", &text[..cut], &text[line_end..])
        }
        2 => format!("{}}}{}", &text[..cut], &text[cut..]),
        _ => format!("{}({}", &text[..cut], &text[cut..]),
    };
    let own = parts(&text[start..end]);
    let now = parts(&damaged);
    let own_body = own.iter().find(|part| part.starts_with("body "));
    let changed = whole
        .iter()
        .filter(|part| own_body != Some(part) && !now.contains(part))
        .cloned()
        .collect();
    let declared = own
        .iter()
        .filter(|part| part.starts_with("func ") || part.starts_with("method "));
    let declared = declared.take(1).all(|part| now.contains(part));
    Some((changed, declared, damaged))
}

const TEXT: &str = r#"package p

import "fmt"

type T struct{ n int }

func (t *T) First(a int) error {
	if a > 0 {
		return fmt.Errorf("x %d", t.n)
	}
	for i := range a {
		defer func() { recover(i) }()
	}
	return nil
}

var table = map[string]int{"a": f(1), "b": 2}

func second[K comparable](m map[K]int, ch chan int) (n int) {
	switch x := any(m).(type) {
	case map[string]int:
		n = len(x)
	default:
		n = <-ch
	}
	select {
	case v := <-ch:
		third(v, []int{1, 2}, T{n: n})
	default:
	}
	return
}

const (
	A = iota
	B
)

func third(int, []int, T) {
	s := `
func notAChunk() int
`
	fmt.Println(s, '"', "\"")
}
"#;

#[test]
fn damage_in_one_body_leaves_the_other_declarations_as_they_are() {
    let whole = parts(TEXT);
    let mut seed = 1;
    for _ in 0..2000 {
        let Some((changed, declared, damaged)) = damage(TEXT, &whole, &mut seed) else {
            continue;
        };
        // A cut inside the raw string leaves it open or makes its text code.
        if damaged.matches('`').count() == 2 {
            assert_eq!(changed, Vec::<String>::new(), "{damaged}");
            assert!(declared, "{damaged}");
        }
    }
}

#[test]
fn damage_in_the_standard_library_stays_in_its_body() {
    let Some(all) = goroot::files_if_slow() else {
        return;
    };
    let files = [
        "net/http/server.go",
        "fmt/print.go",
        "go/parser/parser.go",
        "sort/sort.go",
    ];
    let (mut runs, mut others, mut lost) = (0, 0, 0);
    for file in all
        .iter()
        .filter(|path| files.iter().any(|file| path.ends_with(file)))
    {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        let whole = parts(&text);
        let mut seed = 7;
        for _ in 0..150 {
            let Some((changed, declared, _)) = damage(&text, &whole, &mut seed) else {
                continue;
            };
            runs += 1;
            if !changed.is_empty() {
                others += 1;
                println!(
                    "{}: {} others changed, first {}",
                    file.display(),
                    changed.len(),
                    changed[0]
                );
            }
            lost += u32::from(!declared);
        }
    }
    println!("{runs} damages, {others} with other parts changed, {lost} functions lost");
    assert!(others * 100 <= runs && lost * 100 <= runs);
}

#[test]
fn damage_anywhere_neither_panics_nor_hangs() {
    let text = include_str!("go_fixture.go.txt");
    let mut seed = 3;
    let names = Names::default();
    for _ in 0..400 {
        let mut damaged = text.to_owned();
        for _ in 0..1 + next(&mut seed) % 3 {
            let mut place = || {
                let mut at = next(&mut seed) % text.len();
                while !damaged.is_char_boundary(at.min(damaged.len())) {
                    at -= 1;
                }
                at.min(damaged.len())
            };
            let (one, other) = (place(), place());
            let (start, end) = (one.min(other), one.max(other).min(one.min(other) + 60));
            let end = (end..)
                .find(|&at| damaged.is_char_boundary(at))
                .unwrap_or(start);
            match next(&mut seed) % 3 {
                0 => damaged.replace_range(start..end, ""),
                1 => damaged.insert_str(start, &text[..40]),
                _ => {
                    let piece = damaged[start..end].to_owned();
                    damaged.insert_str(one.min(damaged.len()), &piece);
                }
            }
        }
        let start = std::time::Instant::now();
        let ir = lower(&damaged, GO, &names, &|| false).expect("not stopped");
        assert!(start.elapsed().as_secs() < 2, "{damaged}");
        let (items, bodies) = (ir.items.go().expect("Go"), ir.bodies.go().expect("Go"));
        assert_eq!(items.items.len(), ir.ranges.items.len());
        assert_eq!(items.code.names.len(), ir.ranges.item_tokens.len());
        assert_eq!(items.code.fields.len(), ir.ranges.fields.len());
        assert_eq!(bodies.count(), ir.ranges.bodies.len());
        let tokens = bodies.chunks.iter().map(|chunk| chunk.code.names.len());
        assert_eq!(tokens.sum::<usize>(), ir.ranges.body_tokens.len());
        for (_, body) in bodies.iter() {
            assert!((body.item as usize) < items.items.len());
        }
        codeweft_go_syntax::print_ir(&ir, &names);
    }
}
