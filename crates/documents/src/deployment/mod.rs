//! What is deployed under which name, with which code and environment, free of offsets.

mod compose;
mod dockerfile;
mod filling;
mod kubernetes;
mod template;

pub use filling::EnvironmentFiles;

use crate::format::Format;
use crate::tree::{NodeId, Tree};
use crate::value::{Reader, Value};

/// What a document says of deployments. Nodes are those of its tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deployment {
    /// In text order.
    pub services: Vec<DeployedService>,
    /// Named values that services take variables from (Kubernetes, ConfigMap), in text order.
    pub value_sets: Vec<ValueSet>,
    /// Names under which other services reach workloads (Kubernetes, Service), in text order.
    pub hosts: Vec<Host>,
    /// Whether it is a compose file.
    pub is_compose: bool,
    /// What in it is against its specification, by node.
    pub errors: Vec<(NodeId, String)>,
}

impl Deployment {
    /// Returns the same without the values of variables, which keep their names. A value that only names others is none of
    /// its own: `http://${HOST}:${PORT}`. Of an address its scheme, host and port stay if the host is a service of the document,
    /// or what another variable names: of `postgres://user:word@${HOST}/db` it is `postgres://${HOST}`. Any other host is a
    /// text of the document that says nothing of its services, and goes. A service without a scheme stays where the name of the
    /// variable says that it is a host.
    pub fn without_values(&self) -> Deployment {
        let mut without = self.clone();
        let names: Vec<&str> = self.services.iter().map(|one| &*one.name).collect();
        for service in &mut without.services {
            for variable in &mut service.variables {
                if let VariableValue::Text(text) = &mut variable.value
                    && !only_names_others(text)
                {
                    let address = address_of(text, &names);
                    let host = || host_of_service(&variable.name, text, &names);
                    *text = address.or_else(host).unwrap_or_default();
                }
            }
        }
        for set in &mut without.value_sets {
            for (_, value) in &mut set.values {
                value.clear();
            }
        }
        without
    }
}

/// A service of a compose file, a container of a workload, or the image of a Dockerfile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeployedService {
    /// Its name; empty for a Dockerfile.
    pub name: String,
    /// The namespace that its document gives it (Kubernetes); empty without one.
    pub namespace: String,
    /// The labels by which hosts select it (Kubernetes).
    pub labels: Vec<(String, String)>,
    /// The image without tag and digest; empty without one.
    pub image: String,
    /// The folder that it is built from, as the document writes it.
    pub build_context: Option<String>,
    /// Its Dockerfile, below the folder that it is built from.
    pub dockerfile: Option<String>,
    /// The folder of the host in which it runs, through a volume, as the document writes it.
    pub mounted_folder: Option<String>,
    /// The files and folders of the host that it sees as its own, through volumes, as the document writes them.
    pub mounted: Vec<String>,
    /// The further names under which other containers reach it.
    pub aliases: Vec<String>,
    /// The ports of the host that lead to it.
    pub published: Vec<String>,
    /// What runs, word by word: the entry point and its arguments.
    pub command: Vec<String>,
    /// The paths that are copied, or that commands name, as a Dockerfile writes them.
    pub sources: Vec<String>,
    /// The files in folders that commands name, as a Dockerfile writes them.
    pub named_files: Vec<String>,
    /// The stages of a Dockerfile that have a name and run something: an image may be built of each.
    pub stages: Vec<Stage>,
    /// In text order.
    pub variables: Vec<Variable>,
    /// Environment files, as the document writes them.
    pub environment_files: Vec<String>,
    /// Names of [`ValueSet`]s of which all values are variables.
    pub value_sets: Vec<String>,
    /// Names of [`ValueSet`]s whose values are files for it, through volumes.
    pub mounted_sets: Vec<String>,
    /// The other services that it needs to start.
    pub depends_on: Vec<String>,
    /// The service.
    pub node: NodeId,
}

/// A stage of a Dockerfile that an image may be built of (Dockerfile reference, `FROM … AS name`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// What runs, word by word: the entry point and its arguments.
    pub command: Vec<String>,
}

/// A variable of an environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where its value comes from.
    pub value: VariableValue,
    /// Whether it is from a file of variables, which several services may share: not all are for each.
    pub is_of_file: bool,
    /// The variable.
    pub node: NodeId,
}

/// The value of a [`Variable`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableValue {
    /// A text; `${NAME:-default}` is not filled in.
    Text(String),
    /// A key of a [`ValueSet`], both by name.
    FromSet {
        /// The set.
        set: String,
        /// The key in it.
        key: String,
    },
    /// Not in the document: a secret, or the environment of the process that starts it.
    Elsewhere,
}

impl VariableValue {
    /// Returns the text if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            VariableValue::Text(text) => Some(text),
            VariableValue::FromSet { .. } | VariableValue::Elsewhere => None,
        }
    }
}

/// A set of named values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueSet {
    /// Its name.
    pub name: String,
    /// In text order.
    pub values: Vec<(String, String)>,
    /// The set.
    pub node: NodeId,
}

/// A name under which workloads are reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// The name.
    pub name: String,
    /// The labels that a workload must have.
    pub selector: Vec<(String, String)>,
    /// The host.
    pub node: NodeId,
}

/// Reads the deployment of a document. `None` if it is none.
pub fn read_deployment(path: &str, tree: &Tree) -> Option<Deployment> {
    let reader = Reader::new(tree);
    let mut deployment = Deployment::default();
    let mut found = false;
    let format = Format::of_path(path)?;
    for root in reader.roots() {
        match format {
            Format::Dockerfile => found |= dockerfile::add(&mut deployment, root),
            Format::Yaml | Format::Json => {
                found |= kubernetes::add(&mut deployment, root);
                found |= compose::add(&mut deployment, root);
            }
            Format::Proto | Format::Environment => {}
        }
    }
    found.then_some(deployment)
}

/// Returns an image without tag and digest (OCI distribution specification, Pulling manifests). Colons inside `${…}` are none of
/// its own.
fn image_name(image: &str) -> String {
    let image = image.split('@').next().unwrap_or(image);
    let (mut open, mut end) = (0u32, image.len());
    for (at, c) in image.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            // The colon before was that of a port.
            '/' if open == 0 => end = image.len(),
            ':' if open == 0 => end = at,
            _ => {}
        }
    }
    image[..end].to_owned()
}

/// Returns whether a value is made of the values of others alone, behind a scheme and with a port of digits at most.
fn only_names_others(text: &str) -> bool {
    let is_scheme = |scheme: &str| scheme.chars().all(|c| c.is_ascii_lowercase());
    let mut rest = match text.split_once("://") {
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        _ => text,
    };
    let (mut names, mut literal) = (0, String::new());
    while let Some((before, behind)) = rest.split_once("${") {
        let Some((name, after)) = behind.split_once('}') else {
            return false;
        };
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return false;
        }
        literal.push_str(before);
        names += 1;
        rest = after;
    }
    literal.push_str(rest);
    let is_port = literal.strip_prefix(':').is_some_and(|port| {
        port.len() <= MAX_PORT_DIGITS && port.chars().all(|c| c.is_ascii_digit())
    });
    names > 0 && (literal.is_empty() || is_port)
}

/// The last words of the names of variables whose values are hosts.
const NAMES_OF_HOSTS: [&str; 12] = [
    "ADDR", "ADDRESS", "BROKER", "BROKERS", "ENDPOINT", "HOST", "HOSTNAME", "HOSTS", "SERVER",
    "SERVERS", "URI", "URL",
];

/// Returns whether the name of a variable says that its value is a host: `PAY_HOST`, `pay.url`.
pub fn names_host(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let last = name.rsplit(['_', '.', '-']).next();
    last.is_some_and(|last| NAMES_OF_HOSTS.contains(&last))
}

/// Returns the value of a variable that is named as a host, if it is one of the names, with a port or without.
fn host_of_service(variable: &str, text: &str, names: &[&str]) -> Option<String> {
    let (name, port) = text.split_once(':').unwrap_or((text, "0"));
    let is_port = !port.is_empty()
        && port.len() <= MAX_PORT_DIGITS
        && port.chars().all(|c| c.is_ascii_digit());
    let is_one = names_host(variable) && !name.is_empty() && names.contains(&name) && is_port;
    is_one.then(|| text.to_owned())
}

/// Returns the scheme, the host and the port of an address whose host is one of the names or that of a variable; nothing else
/// of it.
fn address_of(text: &str, names: &[&str]) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // The rest of a password with such a letter: where the host begins is not known.
    if rest.get(authority.len()..)?.contains('@') {
        return None;
    }
    let host = authority.rsplit('@').next()?;
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (host, None),
    };
    let is_port = |port: &str| {
        !port.is_empty()
            && (port.chars().all(|c| c.is_ascii_digit()) && port.len() <= MAX_PORT_DIGITS
                || only_names_others(port))
    };
    let is_scheme = !scheme.is_empty()
        && scheme.len() <= MAX_SCHEME
        && scheme
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    let is_host = !name.is_empty() && names.contains(&name) || only_names_others(name);
    (is_scheme && is_host && port.is_none_or(is_port)).then(|| format!("{scheme}://{host}"))
}

/// The longest scheme of an address, in bytes.
const MAX_SCHEME: usize = 16;

/// Ports are numbers of 16 bits.
const MAX_PORT_DIGITS: usize = 5;

/// Returns the words of a command: a list, or a text as a shell splits it.
fn words(value: Value<'_>) -> Vec<String> {
    match value.text() {
        Some(text) => text.split_whitespace().map(str::to_owned).collect(),
        None => value
            .items()
            .into_iter()
            .filter_map(Value::text)
            .map(str::to_owned)
            .collect(),
    }
}

/// Returns the texts of a list, or the only one.
fn texts(value: Option<Value<'_>>) -> Vec<String> {
    let Some(value) = value else {
        return Vec::new();
    };
    match value.text() {
        Some(text) => vec![text.to_owned()],
        None => value
            .items()
            .into_iter()
            .filter_map(Value::text)
            .map(str::to_owned)
            .collect(),
    }
}

/// Returns the texts of a mapping by key.
fn pairs(value: Option<Value<'_>>) -> Vec<(String, String)> {
    let entries = value.map(Value::entries).unwrap_or_default().into_iter();
    let texts = entries.filter_map(|(key, value)| Some((key.to_owned(), value.text()?.to_owned())));
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::{address_of, host_of_service, only_names_others};

    #[test]
    fn of_an_address_with_a_secret_its_scheme_host_and_port_stay() {
        let names = ["pay", "queue"];
        let kept = |text: &str| address_of(text, &names).unwrap_or_default();
        assert_eq!(
            kept("postgres://me:word@${HOST}/db?a=b"),
            "postgres://${HOST}"
        );
        assert_eq!(kept("http://pay:80/path?token=x"), "http://pay:80");
        assert_eq!(kept("amqp://a:b@queue:${PORT}"), "amqp://queue:${PORT}");
        for text in [
            "word",
            "pay:80",
            "://x",
            "http://a b",
            "http://word${A}",
            "http://pay:word",
            "http://word",
            "http://word@other",
            "amqp://queue:1234/5@queue",
        ] {
            assert_eq!(kept(text), "", "{text}");
        }
    }

    #[test]
    fn a_host_of_the_document_stays_where_a_variable_is_named_as_one() {
        let names = ["pay", "queue"];
        let kept = |variable: &str, text: &str| host_of_service(variable, text, &names);
        assert_eq!(kept("PAY_ADDR", "pay:80").as_deref(), Some("pay:80"));
        assert_eq!(kept("pay.host", "pay").as_deref(), Some("pay"));
        for (variable, text) in [
            ("PAY_PASSWORD", "pay"),
            ("PAY_TOKEN", "pay:80"),
            ("PAY_ADDR", "word:80"),
            ("PAY_ADDR", "pay:word"),
            ("PAY_ADDR", "pay:123456"),
            ("PAY_ADDR", ""),
        ] {
            assert_eq!(kept(variable, text), None, "{variable}={text}");
        }
    }

    #[test]
    fn a_value_that_only_names_others_has_no_text_of_its_own() {
        for text in [
            "${A}",
            "http://${HOST}:${PORT}",
            "${HOST}:80",
            "grpc://${A}",
        ] {
            assert!(only_names_others(text), "{text}");
        }
        let others = [
            "",
            "a",
            "http://a",
            "${A:-word}",
            "${A}word",
            "http://user:word@${A}",
            "${A}/word",
            "word://${A",
            "${A}:123456",
        ];
        for text in others {
            assert!(!only_names_others(text), "{text}");
        }
    }
}
