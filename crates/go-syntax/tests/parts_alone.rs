//! Headers and items that are lowered alone equal those of the whole text: of damaged texts, and with
//! `CODEWEFT_SLOW=1` of all of GOROOT/src.

mod goroot;

use codeweft_go_syntax::GO;
use codeweft_syntax::{Names, lower, lower_header, lower_items};

const TEXT: &str = "//go:build linux\n\n// Package p.\npackage p\n\nimport (\n\t\"fmt\"\n\tx \"os\" // args\n)\n\n\
    //go:linkname a x.a\nfunc a(n int) (s struct{ b int })\n\n\
    type I interface {\n\tClose() error\n}\n\n\
    func (t *T[K]) M(f func(int) interface{ N() }) map[string]struct{} {\n\tif x := `}`; x != \"}\" {\n\t\treturn nil // }\n\t}\n\treturn map[string]struct{}{'}': {}}\n}\n\n\
    var v, w = func() int { return 1 }, T[int]{k: 1}\n\n\
    type T[K any] struct{ k K }\n\n\
    //go:linkname b\nfunc b() { fmt.Println(x.Args) }\n";

/// Checks both parts of a text, and returns whether its header was lowered alone.
fn check(text: &str) -> bool {
    let names = Names::default();
    let whole = lower(text, GO, &names, &|| false).expect("nothing stops it");
    let header = lower_header(text, GO, &names);
    if let Some(header) = &header {
        assert!(**header == *whole.header, "header of:\n{text}");
    }
    let items = lower_items(text, GO, &names).expect("nothing stops it");
    assert!(*items == *whole.items, "items of:\n{text}");
    header.is_some()
}

#[test]
fn parts_of_damaged_texts_equal_those_of_the_whole() {
    assert!(check(TEXT));
    for at in 0..TEXT.len() {
        check(&TEXT[..at]);
        check(&format!("{}{}", &TEXT[..at], &TEXT[at + 1..]));
        for inserted in ["{", "}", "(", "`", "\"", "\n", "/*", "x "] {
            check(&format!("{}{inserted}{}", &TEXT[..at], &TEXT[at..]));
        }
    }
}

#[test]
fn parts_of_the_library_equal_those_of_the_whole() {
    let Some(files) = goroot::files_if_slow() else {
        return;
    };
    let (mut alone, mut all) = (0, 0);
    for path in &files {
        if let Ok(text) = std::fs::read_to_string(path) {
            all += 1;
            alone += u32::from(check(&text));
        }
    }
    println!("{alone} of {all} headers alone");
    assert!(alone * 10 > all * 9);
}
