//! The settings of retrieval.

use std::collections::BTreeMap;

use crate::query::Profile;
use crate::request::TOKEN_BUDGET;
use crate::weights::Weights;

/// What the settings say of retrieval.
#[derive(Clone, PartialEq, Debug)]
pub struct RetrievalSettings {
    /// By which formula files are ranked.
    pub profile: Profile,
    /// The weights of the measured formula.
    pub weights: Weights,
    /// The size of an answer in tokens, where a request says none.
    pub token_budget: u32,
    /// The model of what declarations mean, by name; `None` for none.
    pub model: Option<String>,
}

impl Default for RetrievalSettings {
    fn default() -> RetrievalSettings {
        RetrievalSettings {
            profile: Profile::default(),
            weights: Weights::default(),
            token_budget: TOKEN_BUDGET.2,
            model: None,
        }
    }
}

impl RetrievalSettings {
    /// Returns the settings of a workspace by key: `retrieval_profile`, `retrieval_weights` (a JSON object),
    /// `retrieval_token_budget` and `retrieval_model`. What cannot be read counts as absent: the file of settings is checked where it is read.
    pub fn from_values(values: &BTreeMap<String, String>) -> RetrievalSettings {
        let mut settings = RetrievalSettings::default();
        if values
            .get("retrieval_profile")
            .is_some_and(|name| name == Profile::NAMES[1])
        {
            settings.profile = Profile::Codegrapher;
        }
        settings.model = values
            .get("retrieval_model")
            .filter(|name| !name.is_empty())
            .cloned();
        let budget = values
            .get("retrieval_token_budget")
            .and_then(|text| text.parse().ok());
        settings.token_budget = budget.unwrap_or(settings.token_budget);
        let weights = values.get("retrieval_weights").map_or("{}", String::as_str);
        let weights: BTreeMap<String, f64> = serde_json::from_str(weights).unwrap_or_default();
        for (name, weight) in weights {
            // The file of settings has refused names that are none.
            let _ = settings.weights.set(&name, weight);
        }
        settings
    }
}
