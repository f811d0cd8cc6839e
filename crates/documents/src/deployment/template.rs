//! Templates: objects with the values of parameters in them (OpenShift, Template).
//!
//! ```yaml
//! kind: Template
//! objects: [{kind: Deployment, metadata: {name: '${NAME}'}, …}]
//! parameters: [{name: NAME, value: orders}]
//! ```

use std::collections::BTreeMap;

use super::{Deployment, VariableValue, image_name, kubernetes};
use crate::value::Value;

/// The size of a filled text beyond which nothing more is filled in, in bytes.
const MAX_SIZE: usize = 4096;

/// The values of the parameters of a template that has them, by name.
type Parameters<'a> = BTreeMap<&'a str, &'a str>;

/// Adds the objects of a template, with the values of its parameters where it has them.
pub(super) fn add(deployment: &mut Deployment, template: Value<'_>) {
    let parameters = template.get("parameters").map(Value::items);
    let parameters = parameters.unwrap_or_default().into_iter();
    let parameters: Parameters<'_> = parameters
        .filter_map(|parameter| Some((parameter.text_of("name")?, parameter.text_of("value")?)))
        .collect();
    let mut objects = Deployment::default();
    for object in template
        .get("objects")
        .map(Value::items)
        .unwrap_or_default()
    {
        // A template has no templates.
        if object.text_of("kind") != Some("Template") {
            kubernetes::add(&mut objects, object);
        }
    }
    for service in &mut objects.services {
        let mut texts = vec![&mut service.name, &mut service.image];
        texts.extend(&mut service.command);
        texts.extend(&mut service.value_sets);
        texts.extend(&mut service.mounted_sets);
        texts.extend(service.labels.iter_mut().map(|(_, value)| value));
        for variable in &mut service.variables {
            match &mut variable.value {
                VariableValue::Text(text) => texts.push(text),
                VariableValue::FromSet { set, key } => texts.extend([set, key]),
                VariableValue::Elsewhere => {}
            }
        }
        for text in texts {
            fill(text, &parameters);
        }
        // The tag may be a parameter too.
        service.image = image_name(&service.image);
    }
    for set in &mut objects.value_sets {
        fill(&mut set.name, &parameters);
        for (_, value) in &mut set.values {
            fill(value, &parameters);
        }
    }
    for host in &mut objects.hosts {
        fill(&mut host.name, &parameters);
        for (_, value) in &mut host.selector {
            fill(value, &parameters);
        }
    }
    deployment.services.append(&mut objects.services);
    deployment.value_sets.append(&mut objects.value_sets);
    deployment.hosts.append(&mut objects.hosts);
    deployment.errors.append(&mut objects.errors);
}

/// Replaces the parameters in a text: `${NAME}`, and `${{NAME}}` for what is no text. One without a value stays as it is
/// written.
fn fill(text: &mut String, parameters: &Parameters<'_>) {
    let mut filled = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("${")
        && filled.len() < MAX_SIZE
    {
        filled.push_str(before);
        let (inner, close) = match behind.strip_prefix('{') {
            Some(inner) => (inner, "}}"),
            None => (behind, "}"),
        };
        let parameter = inner.split_once(close);
        match parameter.and_then(|(name, after)| Some((parameters.get(name)?, after))) {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push_str("${");
                rest = behind;
            }
        }
    }
    filled.push_str(rest);
    *text = filled;
}
