//! Judging of one answer: which symbol it is about, against the one that is meant.

use serde_json::Value;

/// The outcome of a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// Answered for the symbol that is meant.
    Answered,
    /// Not answered; the symbol is the first candidate.
    First,
    /// Not answered; the symbol is another candidate.
    Listed,
    /// Not answered, without the symbol among the candidates.
    Missing,
    /// Answered for another symbol.
    Wrong,
    /// Neither an answer nor an error about the target.
    Failed,
}

/// All outcomes, in the order of the table.
pub const OUTCOMES: [Outcome; 6] = [
    Outcome::Answered,
    Outcome::First,
    Outcome::Listed,
    Outcome::Missing,
    Outcome::Wrong,
    Outcome::Failed,
];

/// Errors that say nothing about the target.
const FAILURES: &[&str] = &[
    "index_stale",
    "index_corrupt",
    "index_unavailable",
    "internal",
];

impl Outcome {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Answered => "answered",
            Outcome::First => "first",
            Outcome::Listed => "listed",
            Outcome::Missing => "missing",
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
        }
    }

    /// Judges a response of `cortex_graph`, or its error.
    ///
    /// An answer is about its `target`, which is the id of the symbol that the name was taken for; a
    /// name that was repeated as said, for several symbols, is an answer for none of them.
    pub fn of(response: &Value, expected: &str) -> Outcome {
        if response["status"] == "error" {
            let error = response["error_type"].as_str().unwrap_or_default();
            if error.is_empty() || FAILURES.contains(&error) {
                return Outcome::Failed;
            }
            let candidates = response["candidates"].as_array();
            let mut candidates = candidates.into_iter().flatten();
            return match candidates.position(|one| is(one, expected)) {
                Some(0) => Outcome::First,
                Some(_) => Outcome::Listed,
                None => Outcome::Missing,
            };
        }
        match &response["target"] {
            Value::String(_) if is(&response["target"], expected) => Outcome::Answered,
            Value::String(_) => Outcome::Wrong,
            _ => Outcome::Failed,
        }
    }
}

/// Returns a word about what was answered instead of the symbol.
pub fn instead(response: &Value) -> String {
    let candidates = response["candidates"].as_array();
    let candidates: Vec<&str> = candidates
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .take(5)
        .collect();
    match (response["error_type"].as_str(), &response["target"]) {
        (Some(error), _) if candidates.is_empty() => {
            let message = response["message"].as_str().unwrap_or_default();
            format!("{error}: {message}")
        }
        (Some(error), _) => format!("{error}: {}", candidates.join(", ")),
        (None, Value::String(target)) => format!("answered for {target}"),
        (None, _) => "no answer".to_owned(),
    }
}

/// Returns whether an id of an answer is the expected one. A language's prefix is none of the id, and
/// one of several declarations of a name in a scope (`x#2`) stands for the name.
fn is(id: &Value, expected: &str) -> bool {
    let Some(id) = id.as_str() else {
        return false;
    };
    let mut prefixes = ["go:", "py:"].iter();
    let id = prefixes
        .find_map(|prefix| id.strip_prefix(prefix))
        .unwrap_or(id);
    let name = match id.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|one| one.is_ascii_digit()) => name,
        _ => id,
    };
    name == expected
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn error(candidates: &[&str]) -> Value {
        json!({"status": "error", "error_type": "target_not_found", "message": "none fits",
            "candidates": candidates})
    }

    #[test]
    fn an_answer_is_right_for_the_expected_symbol_alone() {
        let answer =
            |target: &str| json!({"operation": "callers", "target": target, "results": []});
        assert_eq!(Outcome::of(&answer("m.C.f"), "m.C.f"), Outcome::Answered);
        assert_eq!(Outcome::of(&answer("py:m.C.f"), "m.C.f"), Outcome::Answered);
        assert_eq!(Outcome::of(&answer("m.C.f#2"), "m.C.f"), Outcome::Answered);
        assert_eq!(Outcome::of(&answer("C.f"), "m.C.f"), Outcome::Wrong);
        assert_eq!(Outcome::of(&answer("m.D.f"), "m.C.f"), Outcome::Wrong);
        assert_eq!(Outcome::of(&answer("m.C.f#x"), "m.C.f"), Outcome::Wrong);
        assert_eq!(instead(&answer("m.D.f")), "answered for m.D.f");
    }

    #[test]
    fn a_candidate_counts_by_its_place() {
        let of = |candidates: &[&str]| Outcome::of(&error(candidates), "m.C.f");
        assert_eq!(of(&["m.C.f", "m.D.f"]), Outcome::First);
        assert_eq!(of(&["m.D.f", "m.C.f"]), Outcome::Listed);
        assert_eq!(of(&["m.D.f"]), Outcome::Missing);
        assert_eq!(of(&[]), Outcome::Missing);
        assert_eq!(instead(&error(&["m.D.f"])), "target_not_found: m.D.f");
        assert_eq!(instead(&error(&[])), "target_not_found: none fits");
    }

    #[test]
    fn what_says_nothing_about_the_target_has_failed() {
        let late = json!({"status": "error", "error_type": "index_stale", "candidates": ["m.C.f"]});
        assert_eq!(Outcome::of(&late, "m.C.f"), Outcome::Failed);
        assert_eq!(Outcome::of(&Value::Null, "m.C.f"), Outcome::Failed);
        assert_eq!(instead(&Value::Null), "no answer");
    }
}
