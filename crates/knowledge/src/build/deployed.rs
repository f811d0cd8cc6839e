//! What services are deployed with: their variables, and the hosts in the values of these.

use std::collections::BTreeMap;

use codeweft_documents::deployment::{DeployedService, Variable, VariableValue};

use crate::facts::Facts;
use crate::services::Service;

/// The named sets of values of all deployments.
pub(super) struct ValueSets<'a>(BTreeMap<&'a str, &'a [(String, String)]>);

/// A variable with its value, and whether several services may share it: not all are for each then.
pub(super) struct DeployedVariable<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    pub(super) is_shared: bool,
}

impl<'a> ValueSets<'a> {
    pub(super) fn of(facts: &'a Facts) -> ValueSets<'a> {
        let deployments = facts.deployments.iter();
        let sets = deployments.flat_map(|(_, deployment)| &deployment.value_sets);
        ValueSets(sets.map(|set| (&*set.name, &*set.values)).collect())
    }

    /// Returns the variables of a service: those of the sets that it takes as a whole, then its own, which win.
    pub(super) fn variables(
        &self,
        deployed: &'a DeployedService,
    ) -> impl Iterator<Item = DeployedVariable<'a>> {
        let sets = deployed.value_sets.iter();
        let sets = sets.filter_map(|set| self.0.get(&**set));
        let of_sets = sets.flat_map(|set| set.iter());
        let of_sets = of_sets.map(|(name, value)| DeployedVariable {
            name,
            value,
            is_shared: true,
        });
        let own = deployed.variables.iter().filter_map(|variable| {
            Some(DeployedVariable {
                name: &variable.name,
                value: self.value(variable)?,
                is_shared: variable.is_of_file,
            })
        });
        of_sets.chain(own)
    }

    fn value(&self, variable: &'a Variable) -> Option<&'a str> {
        match &variable.value {
            VariableValue::Text(text) => Some(text),
            VariableValue::FromSet { set, key } => {
                let mut values = self.0.get(&**set)?.iter();
                let (_, value) = values.find(|(name, _)| name == key)?;
                Some(value)
            }
            VariableValue::Elsewhere => None,
        }
    }
}

/// Returns what is deployed and is a service, with the service.
pub(super) fn deployed_services(
    facts: &Facts,
) -> impl Iterator<Item = (&Service, &DeployedService)> {
    let deployments = facts.deployments.iter();
    let deployed = deployments.flat_map(|(_, deployment)| &deployment.services);
    deployed
        .filter(|deployed| !deployed.name.is_empty())
        .filter_map(|deployed| Some((facts.services.of_host(&deployed.name)?, deployed)))
}

/// The last words of the names of variables whose values are hosts.
const NAMES_OF_HOSTS: [&str; 12] = [
    "ADDR", "ADDRESS", "BROKER", "BROKERS", "ENDPOINT", "HOST", "HOSTNAME", "HOSTS", "SERVER",
    "SERVERS", "URI", "URL",
];

/// Returns the host that a variable has whose name says that it has one: `PAY_HOST=pay`.
pub(super) fn host_by_name<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let name = name.to_ascii_uppercase();
    let last = name.rsplit(['_', '.', '-']).next()?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    (NAMES_OF_HOSTS.contains(&last) && !text.is_empty() && text.chars().all(is_host))
        .then_some(text)
}

/// Returns the host of an address: `http://pay:80/x`, `pay:50051`, `--pay=pay:80`. A word alone is no address.
pub(super) fn host_of(text: &str) -> Option<&str> {
    let text = match text.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => text,
    };
    let (has_scheme, rest) = match text.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, text),
    };
    let authority = rest.split(['/', '?']).next()?;
    let authority = authority.rsplit('@').next()?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) => (host, port),
        None => (authority, ""),
    };
    let has_port = !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
    (!host.is_empty() && (has_scheme || has_port)).then_some(host)
}
