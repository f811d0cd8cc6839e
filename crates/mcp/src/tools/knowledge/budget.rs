//! Fits an answer into a number of tokens, text and structure together: the longest list loses its second half until the
//! answer fits, and a note says how many items it lost.

use std::collections::BTreeMap;

use codeweft_ide::api::{KnowledgeResponse, knowledge_text};
use serde_json::{Value, json};

use crate::tools::cut::{cut_longest, is_within};

/// Returns the text of an answer and its structure, which fit.
pub(super) fn fit(mut response: KnowledgeResponse, max_tokens: usize) -> (String, Value) {
    let mut answer = response.answer.to_json();
    let mut text = knowledge_text(&response);
    let mut structure = whole(&response, answer.clone());
    let mut lost: BTreeMap<String, usize> = BTreeMap::new();
    let note = response.note.clone();
    while !is_within(&text, &structure, max_tokens) {
        let Some((path, items)) = cut_longest(&mut answer) else {
            break;
        };
        *lost.entry(path).or_default() += items;
        let cut = lost
            .iter()
            .map(|(path, items)| format!("cut to fit: {items} of {path}"));
        let notes: Vec<String> = Some(note.clone())
            .into_iter()
            .filter(|note| !note.is_empty())
            .chain(cut)
            .collect();
        response.note = notes.join("; ");
        if let Some(shorter) = response.answer.with_json(&answer) {
            response.answer = shorter;
        }
        text = knowledge_text(&response);
        structure = whole(&response, answer.clone());
    }
    (text, structure)
}

/// Returns the fields of an answer with what is said beside it.
fn whole(response: &KnowledgeResponse, mut answer: Value) -> Value {
    if !response.note.is_empty() {
        answer["note"] = json!(response.note);
    }
    if !response.warnings.is_empty() {
        answer["warnings"] = json!(response.warnings);
    }
    answer["metadata"] = json!(response.metadata);
    answer
}

#[cfg(test)]
mod tests {
    use codeweft_ide::api::KnowledgeAnswer;

    use super::*;
    use crate::tools::tokens;

    fn search(results: usize) -> KnowledgeResponse {
        let results: Vec<Value> = (0..results)
            .map(|at| {
                json!({"node_id": format!("file::f{at}.go"), "node_type": "file", "score": 1.0,
                    "semantic_score": 1.0, "graph_score": 1.0, "distance": -1,
                    "file_path": format!("f{at}.go"), "service_name": "a"})
            })
            .collect();
        let answer = json!({"tool": "hybrid_search", "answer": {"results": results, "query": "f",
            "anchor_node_id": "", "compared_by": "words"}});
        let answer: KnowledgeAnswer = serde_json::from_value(answer).expect("an answer");
        KnowledgeResponse {
            answer,
            note: String::new(),
            warnings: Vec::new(),
            metadata: Default::default(),
        }
    }

    #[test]
    fn an_answer_that_fits_is_whole() {
        let (text, structure) = fit(search(3), 2_000);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(structure["note"].is_null());
    }

    #[test]
    fn a_list_that_does_not_fit_says_how_many_it_lost() {
        let (text, structure) = fit(search(100), 2_000);
        let listed = structure["results"].as_array().map_or(0, Vec::len);
        assert!(listed > 0 && listed < 100, "{listed}");
        let note = format!("cut to fit: {} of results", 100 - listed);
        assert_eq!(structure["note"], note);
        assert!(text.contains(&note), "{text}");
        assert!(tokens::count(&text) + tokens::count(&structure.to_string()) <= 2_000);
    }
}
