//! Fits an analysis into a number of tokens, text and structure together.
//!
//! The longest list of the answer loses its second half until the answer fits, and a note says how many
//! items it lost:
//!
//! ```text
//! symbols.items: 100 -> 50 -> 25     note: max_tokens left out 75 of symbols.items
//! ```

use std::collections::BTreeMap;

use codeweft_ide::analysis_text;
use codeweft_ide::api::AnalysisResponse;
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::tools::cut::{cut_longest, is_within};

/// Returns the text of an answer and its structure, which fit.
pub(super) fn fit(response: AnalysisResponse, max_tokens: usize) -> (String, Value) {
    let mut structure = serde_json::to_value(&response).unwrap_or_default();
    let mut text = analysis_text(&response);
    let mut lost: BTreeMap<String, usize> = BTreeMap::new();
    let note = response.note;
    while !is_within(&text, &structure, max_tokens) {
        let Some((path, items)) = cut_longest(&mut structure) else {
            break;
        };
        let listed = structure["symbols"]["items"].as_array().map(Vec::len);
        if let Some(listed) = listed {
            structure["symbols"]["total_returned"] = json!(listed);
        }
        *lost.entry(path).or_default() += items;
        let cut: Vec<String> = lost
            .iter()
            .map(|(path, items)| format!("max_tokens left out {items} of {path}"))
            .collect();
        let notes: Vec<String> = note.iter().cloned().chain(cut).collect();
        structure["note"] = json!(notes.join("; "));
        if let Ok(shorter) = AnalysisResponse::deserialize(&structure) {
            text = analysis_text(&shorter);
        }
    }
    (text, structure)
}

#[cfg(test)]
mod tests {
    use codeweft_ide::api::{AnalysisOperation, SymbolInfo};

    use super::*;
    use crate::tools::tokens;

    fn answer(symbols: usize) -> AnalysisResponse {
        let items: Vec<Value> = (0..symbols)
            .map(|at| {
                let symbol = SymbolInfo {
                    id: format!("m.f{at}"),
                    ..SymbolInfo::default()
                };
                serde_json::to_value(symbol).expect("a symbol has a JSON")
            })
            .collect();
        let mut structure = serde_json::to_value(AnalysisResponse::new(AnalysisOperation::Symbols))
            .expect("an answer has a JSON");
        structure["symbols"] =
            json!({"items": items, "total_found": 900, "total_returned": symbols});
        AnalysisResponse::deserialize(&structure).expect("an answer")
    }

    #[test]
    fn an_answer_that_fits_is_whole() {
        let (text, structure) = fit(answer(3), 4_000);
        assert!(
            text.contains("m.f2") && structure["note"].is_null(),
            "{text}"
        );
    }

    #[test]
    fn a_list_that_does_not_fit_says_how_many_it_lost() {
        let (text, structure) = fit(answer(100), 1_500);
        let listed = structure["symbols"]["items"].as_array().map_or(0, Vec::len);
        assert!(listed > 0 && listed < 100, "{listed}");
        assert_eq!(structure["symbols"]["total_returned"], listed);
        assert_eq!(structure["symbols"]["total_found"], 900);
        let note = format!("max_tokens left out {} of symbols.items", 100 - listed);
        assert_eq!(structure["note"], note);
        assert!(text.contains(&note), "{text}");
        assert!(tokens::count(&text) + tokens::count(&structure.to_string()) <= 1_500);
    }
}
