//! Calls between services by the addresses that their code mentions: the values of the variables that it reads, and literals.

use super::deployed::{host_by_name, host_of};
use super::environment::Wired;
use super::service_calls::add_call;
use crate::builder::GraphBuilder;
use crate::wires::MentionFact;

/// Adds the services whose addresses the code of another mentions.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, mentions: &[MentionFact]) {
    for mention in mentions {
        for from in wired.mentioning(mention) {
            let deployed = wired.values(&from.name, &mention.variable);
            let (evidence, values) = match &*deployed {
                [] => ("address", mention.text.as_deref().into_iter().collect()),
                values => ("deployment", values.to_vec()),
            };
            for address in values.iter().flat_map(|value| value.split(',')) {
                let by_name = || host_by_name(&mention.variable, address);
                let host = host_of(address).or_else(by_name);
                let to = host.and_then(|host| wired.facts.services.of_host(host));
                // Programs of one folder have their variables in common.
                if let Some(to) = to.filter(|to| to.paths.is_empty() || to.paths != from.paths) {
                    add_call(graph, &from.name, &to.name, evidence, "", 0);
                }
            }
        }
    }
}
