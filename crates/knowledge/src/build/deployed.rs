//! What services are deployed with: their variables, and the hosts in the values of these.

use std::collections::BTreeMap;

use codeweft_documents::deployment::{DeployedService, Variable, VariableValue, names_host};

use crate::facts::Facts;
use crate::services::{DOCKER_HOST, Service, parent};

/// The named sets of values of all deployments. Several documents may have one of a name, for different clusters.
pub(super) struct ValueSets<'a>(BTreeMap<&'a str, Vec<&'a [(String, String)]>>);

/// A variable with its value, and whether several services may share it: not all are for each then.
pub(super) struct DeployedVariable<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    pub(super) is_shared: bool,
}

/// The folders of documents that deploy nothing: those of tests, and examples in pages.
const FOLDERS_OF_TESTS_AND_PAGES: [&str; 5] = ["doc", "docs", "e2e", "test", "tests"];

fn is_of_tests_or_pages(path: &str) -> bool {
    let mut folders = parent(path).split('/');
    folders.any(|folder| FOLDERS_OF_TESTS_AND_PAGES.contains(&folder))
}

impl<'a> ValueSets<'a> {
    pub(super) fn of(facts: &'a Facts) -> ValueSets<'a> {
        let deployments = facts.deployments.iter();
        let deployments = deployments.filter(|(path, _)| !is_of_tests_or_pages(path));
        let mut sets: BTreeMap<&str, Vec<&[(String, String)]>> = BTreeMap::new();
        for set in deployments.flat_map(|(_, deployment)| &deployment.value_sets) {
            sets.entry(&set.name).or_default().push(&set.values);
        }
        ValueSets(sets)
    }

    /// Returns the variables of a service: its own, and those of the sets that it takes as a whole where it has none of the
    /// name.
    pub(super) fn variables(
        &self,
        deployed: &'a DeployedService,
    ) -> impl Iterator<Item = DeployedVariable<'a>> {
        let sets = deployed.value_sets.iter();
        let sets = sets.flat_map(|set| self.0.get(&**set).into_iter().flatten());
        let of_sets = sets.flat_map(|set| set.iter());
        let of_sets = of_sets.map(|(name, value)| DeployedVariable {
            name,
            value,
            is_shared: true,
        });
        let has_own = |name: &str| deployed.variables.iter().any(|own| own.name == name);
        let of_sets = of_sets.filter(move |one| !has_own(one.name));
        let own = deployed.variables.iter().flat_map(|variable| {
            let values = self.values(variable).into_iter();
            values.map(|value| DeployedVariable {
                name: &variable.name,
                value,
                is_shared: variable.is_of_file,
            })
        });
        own.chain(of_sets)
    }

    /// Returns the values of the sets of a name with their own names; `None` if there is no such set.
    pub(super) fn set(&self, name: &str) -> Option<impl Iterator<Item = (&'a str, &'a str)>> {
        let sets = self.0.get(name)?.iter();
        let values = sets.flat_map(|set| set.iter());
        Some(values.map(|(name, value)| (name.as_str(), value.as_str())))
    }

    fn values(&self, variable: &'a Variable) -> Vec<&'a str> {
        match &variable.value {
            VariableValue::Text(text) => vec![text],
            VariableValue::FromSet { set, key } => {
                let sets = self.0.get(&**set).into_iter().flatten();
                let values = sets.flat_map(|set| set.iter());
                let of_key = values.filter(|(name, _)| name == key);
                of_key.map(|(_, value)| value.as_str()).collect()
            }
            VariableValue::Elsewhere => Vec::new(),
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

/// Returns the options of a command with their values: `--name=value`, `-name value`. One whose value is filled in later has none.
pub(super) fn options(command: &[String]) -> Vec<(String, String)> {
    let words = command.iter().flat_map(|word| word.split_whitespace());
    let words: Vec<&str> = words.collect();
    let mut options = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let name = word.trim_start_matches('-');
        if name.len() == word.len() || name.is_empty() {
            continue;
        }
        let next = words.get(at + 1).filter(|next| !next.starts_with('-'));
        let given = name.split_once('=').or(next.map(|next| (name, *next)));
        if let Some((name, value)) = given.filter(|(_, value)| !value.contains('$')) {
            let value = value.trim_matches(['"', '\'']);
            options.push((name.to_owned(), value.to_owned()));
        }
    }
    options
}

/// Returns the host that a variable has whose name says that it has one: `PAY_HOST=pay`.
pub(super) fn host_by_name<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    (names_host(name) && !text.is_empty() && text.chars().all(is_host)).then_some(text)
}

/// Returns the host of an address, or of a text that is known to be one: `pay`, `dns:///pay:50051`.
pub(super) fn host_in(text: &str) -> Option<&str> {
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    if let Some(host) = host_of_source(text) {
        return Some(host);
    }
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let rest = rest.trim_start_matches('/');
    host_of(rest).or_else(|| {
        let first = rest.split('/').next()?;
        (!first.is_empty() && first.chars().all(is_host)).then_some(first)
    })
}

/// Returns the host of the name of a data source that is no address: of keywords with values (PostgreSQL, Connection Strings:
/// `host=db port=5432`), or with the protocol before the host (go-sql-driver/mysql, DSN: `user@tcp(db:3306)/shop`).
fn host_of_source(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    let keyword = words.find_map(|word| word.strip_prefix("host="));
    let in_brackets = || {
        let (_, rest) = text.split_once("tcp(")?;
        Some(rest.split_once(')')?.0)
    };
    let address = keyword.or_else(in_brackets)?;
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    (!host.is_empty()).then_some(host)
}

/// Returns the host of an address: `http://pay:80/x`, `pay:50051`, `--pay=pay:80`. A word alone is no address. The machine of the
/// containers is a host for each of its ports.
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
    if has_port && host == DOCKER_HOST {
        return Some(authority);
    }
    (!host.is_empty() && (has_scheme || has_port)).then_some(host)
}
