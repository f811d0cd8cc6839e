//! The settings of the knowledge graph.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::recognisers::{self, Recogniser};
use crate::services::DeclaredService;

/// What the settings say of the knowledge graph.
#[derive(Clone, PartialEq, Debug)]
pub struct KnowledgeSettings {
    /// Whether there is a graph at all.
    pub enabled: bool,
    /// The services by name; found if there are none.
    pub services: BTreeMap<String, DeclaredService>,
    /// The entities by name with the services that own them; empty ones have none.
    pub entities: BTreeMap<String, String>,
    /// Whether `publish` in AsyncAPI 2 is what a client of the service does, as the specification has it.
    pub asyncapi_v2_is_client: bool,
    /// Recognisers beside those of this crate.
    pub recognisers: Vec<Recogniser>,
    /// What is wrong with others in the file of settings: the 1-based line, and the words.
    pub wrong_recognisers: Vec<(u32, String)>,
}

impl Default for KnowledgeSettings {
    fn default() -> KnowledgeSettings {
        KnowledgeSettings {
            enabled: true,
            services: BTreeMap::new(),
            entities: BTreeMap::new(),
            asyncapi_v2_is_client: false,
            recognisers: Vec::new(),
            wrong_recognisers: Vec::new(),
        }
    }
}

impl KnowledgeSettings {
    /// Returns the settings of a workspace by key: `services` and `entities`, JSON objects by name, `asyncapi_v2`, and
    /// `knowledge_enabled`. What cannot be read counts as absent: the file of settings is checked where it is read.
    pub fn from_values(values: &BTreeMap<String, String>) -> KnowledgeSettings {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Entity {
            owner: String,
        }
        let json = |key: &str| values.get(key).map_or("{}", String::as_str);
        let (recognisers, wrong_recognisers) =
            recognisers::of_settings(values.get("recogniser").map_or("[]", String::as_str));
        let entities: BTreeMap<String, Entity> =
            serde_json::from_str(json("entities")).unwrap_or_default();
        KnowledgeSettings {
            enabled: values
                .get("knowledge_enabled")
                .is_none_or(|value| value != "false"),
            services: serde_json::from_str(json("services")).unwrap_or_default(),
            entities: entities
                .into_iter()
                .map(|(name, entity)| (name, entity.owner))
                .collect(),
            asyncapi_v2_is_client: values
                .get("asyncapi_v2")
                .is_some_and(|view| view == "client"),
            recognisers,
            wrong_recognisers,
        }
    }
}
