//! Services that the settings declare.

use serde::{Deserialize, Deserializer};

/// A service that the settings declare.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DeclaredService {
    /// Folders and files below the root, with `/`; empty for all.
    #[serde(deserialize_with = "one_or_more")]
    pub paths: Vec<String>,
    /// The part of the domain that it is for.
    pub domain: String,
    /// What it does.
    pub description: String,
    /// What it is made with.
    #[serde(deserialize_with = "joined_texts")]
    pub stack: String,
}

/// A text or a list of texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    List(Vec<String>),
}

fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(match Texts::deserialize(from)? {
        Texts::One(text) => vec![text],
        Texts::List(list) => list,
    })
}

fn joined_texts<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(one_or_more(from)?.join(", "))
}
