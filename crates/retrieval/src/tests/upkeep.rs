use super::{files, history, lex};
use crate::{Difference, ImportTarget, Index, IndexedFile, RetrievalQuery, Weights, rank};

/// A generator of numbers that are the same in every run (Marsaglia, 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn file(numbers: &mut Numbers, path: &str) -> IndexedFile {
    const WORDS: [&str; 8] = [
        "load", "store", "parse", "token", "route", "cart", "price", "mail",
    ];
    let mut text = String::new();
    for _ in 0..1 + numbers.below(4) {
        let name = format!("{}_{}", WORDS[numbers.below(8)], WORDS[numbers.below(8)]);
        text.push_str(&format!(
            "def {name}(x):\n    return {}(x)\n",
            WORDS[numbers.below(8)]
        ));
    }
    let imports = (0..numbers.below(3)).map(|_| {
        let folder = numbers.below(3);
        match numbers.below(4) {
            0 => ImportTarget::Folder(format!("p{folder}").into()),
            _ => ImportTarget::File(format!("p{folder}/m{}.py", numbers.below(10)).into()),
        }
    });
    IndexedFile {
        imports: imports.collect(),
        path: path.into(),
        lex: lex(path, &text),
    }
}

#[test]
fn after_five_hundred_changes_the_index_is_that_of_the_files() {
    let mut numbers = Numbers(0x5eed);
    let mut index = Index::default();
    let mut known: Vec<IndexedFile> = Vec::new();
    for step in 0..500 {
        let path = format!("p{}/m{}.py", numbers.below(3), numbers.below(10));
        let mut difference = Difference::default();
        match numbers.below(4) {
            0 => {
                known.retain(|file| *file.path != *path);
                difference.removed.push(path.into());
            }
            1 if !known.is_empty() => {
                // A rename: the same text under another path.
                let at = numbers.below(known.len());
                let old = known.remove(at);
                known.retain(|file| *file.path != *path);
                let moved = IndexedFile {
                    path: path.into(),
                    ..old.clone()
                };
                if old.path != moved.path {
                    difference.removed.push(old.path);
                }
                difference.changed.push(moved.clone());
                known.push(moved);
            }
            _ => {
                let new = file(&mut numbers, &path);
                known.retain(|file| file.path != new.path);
                known.push(new.clone());
                difference.changed.push(new);
            }
        }
        index.apply(difference);
        let rebuilt = Index::build(known.iter().cloned());
        assert_eq!(index.rows(), rebuilt.rows(), "step {step}");
        let query = RetrievalQuery {
            text: "Loading of a price_mail\nparse_token() of m3.py, p1/m2.py",
            explain: true,
            ..RetrievalQuery::default()
        };
        let commits = history(&[(1, "parse mails", &["p1/m1.py", "p0/m2.py"])]);
        let of = |index| rank(index, Some(&commits), &Weights::default(), &query);
        assert_eq!(of(&index), of(&rebuilt), "step {step}");
    }
    assert!(known.len() > 5, "{}", known.len());
}

#[test]
fn an_edit_of_one_file_changes_no_row_of_another() {
    let before = files("== a.py b.py\ndef one(): two()\n== b.py\ndef two(): one()\n");
    let mut index = Index::build(before);
    let of_b = |index: &Index| -> Vec<String> {
        let rows = index.rows().into_iter();
        rows.filter(|row| row.contains("b.py") && !row.contains("a.py"))
            .collect()
    };
    let was = of_b(&index);
    assert!(!was.is_empty());
    index.apply(Difference {
        changed: vec![IndexedFile {
            path: "a.py".into(),
            lex: lex("a.py", "def three(): four()\n"),
            imports: Vec::new().into(),
        }],
        removed: Vec::new(),
    });
    assert_eq!(of_b(&index), was);
    index.apply(Difference {
        changed: Vec::new(),
        removed: vec!["b.py".into()],
    });
    assert!(
        of_b(&index).is_empty(),
        "nothing is left of a file that is gone"
    );
}
