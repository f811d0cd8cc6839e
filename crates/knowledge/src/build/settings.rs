//! What the configurations of services set: the texts of documents beside their code, by key; else what the code says.
//!
//! ```text
//! orders/config/config.yaml   kafkaTopics: {orderPaid: {topicName: order_paid}}
//! orders/server.go            s.cfg.KafkaTopics.OrderPaid.TopicName  // .kafkatopics.orderpaid.topicname: order_paid
//! ```

use std::collections::BTreeMap;

use codeweft_documents::{Reader, Value};

use super::configuration::configurations;
use super::environment::Wired;
use crate::services::is_below;
use crate::wires::{SettingFact, setting_key};

/// The nesting of a document below which no setting is looked for.
const MAX_DEPTH: u32 = 16;

/// The fewest parts of a key that the fields of an object may lead to without those before it: one alone is a name of
/// anything.
const MIN_PARTS: usize = 2;

/// The settings of services, by service and key.
pub(super) struct Settings<'a> {
    documented: BTreeMap<&'a str, BTreeMap<String, Vec<String>>>,
    by_code: BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a str>>>,
}

impl<'a> Settings<'a> {
    /// Returns those of all services; `facts` are what the code says.
    pub(super) fn of(wired: &Wired<'a>, facts: &'a [SettingFact]) -> Settings<'a> {
        let mut documented: BTreeMap<&str, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        let documents = configurations(wired.facts).into_iter();
        // One that has a secret may have another that no rule finds.
        for (path, document) in documents.filter(|(_, document)| !document.has_secret) {
            let services = wired.facts.services.list.iter();
            let around = services.filter(|service| {
                let mut folders = service.paths.iter();
                folders.any(|folder| is_below(path, folder))
            });
            let around: Vec<_> = around.collect();
            if around.is_empty() {
                continue;
            }
            let reader = Reader::new(&document.tree);
            let mut texts = Vec::new();
            for root in reader.roots() {
                add_texts(&mut texts, String::new(), root, MAX_DEPTH);
            }
            for service in around {
                let of_service = documented.entry(&service.name).or_default();
                for (key, text) in &texts {
                    add(of_service.entry(key.clone()).or_default(), text.clone());
                }
            }
        }
        let mut by_code: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
        for fact in facts {
            for service in wired.running(fact.file, fact.origin) {
                let of_service = by_code.entry(&service.name).or_default();
                add(of_service.entry(&fact.key).or_default(), &*fact.value);
            }
        }
        Settings {
            documented,
            by_code,
        }
    }

    /// Returns the values of a key for a service, in the order of documents. The first parts may be those of what holds the
    /// configuration.
    pub(super) fn values(&self, service: &str, key: &str) -> Vec<&str> {
        let documented = self.documented.get(service);
        let by_code = self.by_code.get(service);
        let mut tail = key;
        loop {
            if let Some(values) = documented.and_then(|of| of.get(tail)) {
                return values.iter().map(String::as_str).collect();
            }
            if let Some(values) = by_code.and_then(|of| of.get(tail)) {
                return values.clone();
            }
            let next = tail.get(1..).and_then(|rest| rest.find('.'));
            let Some(next) = next.and_then(|at| tail.get(at + 1..)) else {
                return Vec::new();
            };
            if next.matches('.').count() < MIN_PARTS {
                return Vec::new();
            }
            tail = next;
        }
    }
}

/// Adds the texts of a value, by key.
fn add_texts(texts: &mut Vec<(String, String)>, key: String, value: Value<'_>, left: u32) {
    if left == 0 {
        return;
    }
    if let Some(text) = value.text() {
        if !key.is_empty() && !text.is_empty() {
            texts.push((key, text.to_owned()));
        }
        return;
    }
    // The elements of a list have the key of the list: which of them the code takes is not known.
    for item in value.items() {
        add_texts(texts, key.clone(), item, left - 1);
    }
    for (name, value) in value.entries() {
        let key = format!("{key}{}", setting_key([name]));
        add_texts(texts, key, value, left - 1);
    }
}

fn add<T: PartialEq>(values: &mut Vec<T>, value: T) {
    if !values.contains(&value) {
        values.push(value);
    }
}
