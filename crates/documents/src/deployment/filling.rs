//! Compose files with the values of environment files in them (Compose specification: Interpolation, `env_file`,
//! `environment`).

use std::collections::BTreeMap;

use super::{DeployedService, Deployment, Variable, VariableValue, image_name};
use crate::paths::joined;

/// The file beside a compose file whose values are filled in.
const DEFAULT_FILE: &str = ".env";

/// How deep defaults are filled in: `${A:-${B:-…}}`.
const MAX_DEPTH: u32 = 8;

/// The size of a filled text beyond which nothing more is filled in, in bytes.
const MAX_SIZE: usize = 4096;

/// Returns the values of an environment file by its path, in text order; `None` if there is none.
pub type EnvironmentFiles<'a> = &'a dyn Fn(&str) -> Option<Vec<(String, String)>>;

impl Deployment {
    /// Returns the deployment of the document at `path` with `${NAME}` replaced by the values of the file `.env` beside it,
    /// and with the variables of the environment files that services name. Other documents than compose files stay as they
    /// are.
    ///
    /// ```
    /// use codeweft_documents::{Format, deployment::read_deployment};
    ///
    /// let tree = Format::Yaml.read("services: {web: {image: 'shop/web:${TAG:-1}', environment: [PAY]}}");
    /// let deployment = read_deployment("compose.yaml", &tree).unwrap_or_default();
    /// let filled = deployment.filled("compose.yaml", &|path| {
    ///     (path == ".env").then(|| vec![("PAY".to_owned(), "http://pay".to_owned())])
    /// });
    /// assert_eq!(filled.services[0].variables[0].value.text(), Some("http://pay"));
    /// ```
    pub fn filled(&self, path: &str, files: EnvironmentFiles<'_>) -> Deployment {
        let mut filled = self.clone();
        if !self.is_compose {
            return filled;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut values = BTreeMap::new();
        for (name, value) in files(&joined(folder, DEFAULT_FILE)).unwrap_or_default() {
            let value = interpolated(&value, &values, 0);
            values.insert(name, value);
        }
        for service in &mut filled.services {
            fill(service, folder, &values, files);
        }
        filled
    }
}

fn fill(
    service: &mut DeployedService,
    folder: &str,
    values: &BTreeMap<String, String>,
    files: EnvironmentFiles<'_>,
) {
    let mut texts = vec![&mut service.image];
    texts.extend(service.build_context.iter_mut());
    texts.extend(service.dockerfile.iter_mut());
    texts.extend(service.mounted_folder.iter_mut());
    texts.extend(service.mounted.iter_mut());
    texts.extend(service.command.iter_mut());
    texts.extend(service.environment_files.iter_mut());
    for text in texts {
        *text = interpolated(text, values, 0);
    }
    service.image = image_name(&service.image);
    for variable in &mut service.variables {
        match &mut variable.value {
            VariableValue::Text(text) => *text = interpolated(text, values, 0),
            // Without a value it has that of the environment of compose itself.
            VariableValue::Elsewhere => {
                if let Some(value) = values.get(&variable.name) {
                    variable.value = VariableValue::Text(value.clone());
                }
            }
            VariableValue::FromSet { .. } => {}
        }
    }
    let own = service.variables.len();
    for file in &service.environment_files {
        for (name, value) in files(&joined(folder, file)).unwrap_or_default() {
            // The document itself wins over a file, a later file over an earlier one.
            let (of_document, of_files) = service.variables.split_at_mut(own);
            if of_document.iter().any(|known| known.name == name) {
                continue;
            }
            let value = VariableValue::Text(interpolated(&value, values, 0));
            match of_files.iter_mut().find(|known| known.name == name) {
                Some(known) => known.value = value,
                None => service.variables.push(Variable {
                    name,
                    value,
                    is_of_file: true,
                    node: service.node,
                }),
            }
        }
    }
}

/// Returns a text with `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:+other}`, `${NAME+other}` and
/// `${NAME:?words}` replaced; `$$` is a dollar. A name without value is empty.
fn interpolated(text: &str, values: &BTreeMap<String, String>, depth: u32) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        filled.push_str(before);
        let value = |name: &str| values.get(name).map(String::as_str).unwrap_or_default();
        if let Some(after) = after.strip_prefix('$') {
            filled.push('$');
            rest = after;
        } else if let Some(inner) = after.strip_prefix('{') {
            let Some(end) = closing(inner) else {
                filled.push('$');
                rest = after;
                continue;
            };
            let (expression, after) = (&inner[..end], &inner[end + 1..]);
            let name_end = expression.find(|c: char| !is_of_name(c));
            let (name, operator) = expression.split_at(name_end.unwrap_or(expression.len()));
            let (is_strict, operator) = match operator.strip_prefix(':') {
                Some(operator) => (true, operator),
                None => (false, operator),
            };
            let is_there = values.contains_key(name) && !(is_strict && value(name).is_empty());
            let other = operator.get(1..).unwrap_or_default();
            match (operator.chars().next(), is_there) {
                (Some('-'), false) | (Some('+'), true) if depth < MAX_DEPTH => {
                    filled.push_str(&interpolated(other, values, depth + 1));
                }
                (Some('+'), _) => {}
                _ => filled.push_str(value(name)),
            }
            rest = after;
        } else {
            let end = after.find(|c: char| !is_of_name(c)).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                filled.push('$');
            }
            filled.push_str(value(name));
            rest = after;
        }
        if filled.len() > MAX_SIZE {
            return filled;
        }
    }
    filled.push_str(rest);
    filled
}

/// Returns where the brace ends that a text is behind.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 0 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
