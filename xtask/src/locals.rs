//! Random local identifiers: the definition of each is queried by position and compared with the
//! judge's.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::product::Product;
use crate::truth::scattered;

/// A line of the judge about an identifier.
#[derive(Deserialize)]
struct Use {
    at: String,
    #[serde(default)]
    def: String,
    kind: String,
    name: String,
    #[serde(default)]
    local: bool,
}

/// An identifier that means a local, at its declaration or a use.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Local {
    /// `file:line:column`.
    pub at: String,
    /// The position of its declaration.
    pub declared: String,
    /// `local` (a variable), `const`, `type`, `typeparam`, `label` or `field`.
    pub kind: String,
    pub name: String,
}

/// The numbers of right answers.
#[derive(Default)]
pub struct Outcome {
    /// By kind, the right answers and all.
    pub by_kind: BTreeMap<String, (u64, u64)>,
    /// The wrong answers, a line each.
    pub differences: Vec<String>,
}

impl Outcome {
    /// Returns the right answers and all.
    pub fn counts(&self) -> (u64, u64) {
        let add = |sum: (u64, u64), one: &(u64, u64)| (sum.0 + one.0, sum.1 + one.1);
        self.by_kind.values().fold((0, 0), add)
    }

    /// Returns one line: how many were right, of each kind.
    pub fn words(&self) -> String {
        let (right, all) = self.counts();
        let kinds = self.by_kind.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, (right, all))| format!("{kind} {right} of {all}"))
            .collect();
        format!("{right} of {all}: {}", kinds.join(", "))
    }

    fn take(&mut self, local: &Local, answered: &str) {
        let counts = self.by_kind.entry(local.kind.clone()).or_default();
        counts.1 += 1;
        if answered == local.declared {
            counts.0 += 1;
        } else {
            self.differences.push(format!(
                "{} {} at {}: declared at {}, answered {answered}",
                local.kind, local.name, local.at, local.declared
            ));
        }
    }
}

/// Draws up to `count` identifiers that mean locals, the same on every run. An embedded field's
/// name, which means its type as well, is excluded.
pub fn sample(verdict: &Path, count: usize) -> Result<Vec<Local>> {
    let file = std::fs::File::open(verdict)
        .with_context(|| format!("cannot read {}", verdict.display()))?;
    let mut locals = Vec::new();
    let mut others = HashSet::new();
    for line in BufReader::with_capacity(1 << 20, file).lines() {
        let line = line?;
        if !line.contains(r#""k":"use""#) {
            continue;
        }
        let one: Use = serde_json::from_str(&line).with_context(|| format!("not a use: {line}"))?;
        if one.local {
            locals.push(Local {
                at: one.at,
                declared: one.def,
                kind: one.kind,
                name: one.name,
            });
        } else {
            others.insert(one.at);
        }
    }
    locals.sort_unstable();
    locals.dedup(); // a file may be in two variants of its package
    locals.retain(|local| !others.contains(&local.at));
    locals.sort_by_cached_key(|local| scattered(&local.at));
    locals.truncate(count);
    Ok(locals)
}

/// Queries the definition of each.
pub fn score(product: &Product, root: &Path, sample: &[Local]) -> Result<Outcome> {
    let mut session = product.session(root)?;
    let mut outcome = Outcome::default();
    for local in sample {
        let answer = session.ask(&json!({"operation": "definition", "target": local.at}))?;
        outcome.take(local, &place_of(&answer));
    }
    Ok(outcome)
}

/// Returns the position of the only definition; the message if there is none.
fn place_of(answer: &Value) -> String {
    match answer["results"].as_array().map(Vec::as_slice) {
        Some([result]) => {
            let node = &result["node"];
            let file = node["file"].as_str().unwrap_or_default();
            format!("{file}:{}:{}", node["name_line"], node["name_column"])
        }
        Some(several) => format!("{} results: {}", several.len(), answer["message"]),
        None => answer["message"].to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(at: &str, declared: &str) -> Local {
        Local {
            at: at.to_owned(),
            declared: declared.to_owned(),
            kind: "local".to_owned(),
            name: "x".to_owned(),
        }
    }

    #[test]
    fn an_answer_is_right_only_at_the_position_of_the_declaration() {
        let mut outcome = Outcome::default();
        outcome.take(&local("a.go:3:1", "a.go:2:1"), "a.go:2:1");
        outcome.take(&local("a.go:4:1", "a.go:2:1"), "a.go:2:2");
        assert_eq!(outcome.words(), "1 of 2: local 1 of 2");
        assert_eq!(
            outcome.differences,
            ["local x at a.go:4:1: declared at a.go:2:1, answered a.go:2:2"]
        );
    }

    #[test]
    fn an_answer_without_results_is_its_message() {
        let found =
            json!({"results": [{"node": {"file": "a.go", "name_line": 2, "name_column": 1}}]});
        assert_eq!(place_of(&found), "a.go:2:1");
        assert_eq!(place_of(&json!({"message": "none"})), "\"none\"");
    }

    #[test]
    fn a_lot_is_of_locals_and_the_same_every_time() {
        let folder = crate::place::work().unwrap().join("tests");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("lot.jsonl");
        let mut lines = String::from("{\"k\":\"func\",\"id\":\"f\"}\n");
        for line in 1..=50 {
            let one = json!({"k": "use", "at": format!("a.go:{line}:1"), "def": "a.go:1:1",
                "kind": "local", "name": "x", "local": line % 2 == 0});
            lines += &format!("{one}\n");
        }
        // An embedded field of an unnamed struct type is its type's name as well.
        lines += "{\"k\":\"use\",\"at\":\"a.go:2:1\",\"kind\":\"type\",\"name\":\"T\"}\n";
        std::fs::write(&file, lines).unwrap();
        let drawn = sample(&file, 10).unwrap();
        assert_eq!(drawn.len(), 10);
        assert_eq!(drawn, sample(&file, 10).unwrap());
        assert_eq!(sample(&file, 100).unwrap().len(), 24);
        assert!(!drawn.is_sorted());
    }
}
