//! What a Dockerfile builds and runs (Dockerfile reference).

use super::{DeployedService, Deployment, Stage, Variable, VariableValue, image_name};
use crate::value::Value;

/// Adds the image of a Dockerfile. Returns whether it has one: an instruction `FROM`.
pub(super) fn add(deployment: &mut Deployment, root: Value<'_>) -> bool {
    let mut image: Option<DeployedService> = None;
    let mut sources: Vec<String> = Vec::new();
    let mut named_files: Vec<String> = Vec::new();
    let mut stages: Vec<Stage> = Vec::new();
    let mut stage: Option<&str> = None;
    for instruction in root.items() {
        let arguments = instruction
            .get("arguments")
            .map(Value::items)
            .unwrap_or_default();
        let arguments: Vec<&str> = arguments.into_iter().filter_map(Value::text).collect();
        let is_flag = |word: &&&str| word.starts_with("--");
        match instruction.text_of("instruction").unwrap_or_default() {
            // The last stage is what runs; code is built in any.
            "FROM" => {
                stages.extend(named_stage(stage, image.as_ref()));
                stage = match arguments[..] {
                    [.., word, name] if word.eq_ignore_ascii_case("AS") => Some(name),
                    _ => None,
                };
                let base = arguments.iter().find(|word| !is_flag(word));
                image = Some(DeployedService {
                    image: image_name(base.copied().unwrap_or_default()),
                    node: root.node(),
                    ..DeployedService::default()
                });
            }
            "COPY" | "ADD" => {
                let from_stage = arguments.iter().any(|word| word.starts_with("--from"));
                let mut paths: Vec<&str> = arguments
                    .iter()
                    .filter(|word| !is_flag(word))
                    .copied()
                    .collect();
                paths.pop();
                if !from_stage {
                    sources.extend(paths.into_iter().map(str::to_owned));
                }
            }
            "RUN" => {
                sources.extend(named_paths(&arguments));
                named_files.extend(files_in(&arguments));
            }
            "ENV" => {
                if let Some(image) = &mut image {
                    add_variables(image, &arguments, instruction);
                }
            }
            "ENTRYPOINT" | "CMD" => {
                named_files.extend(files_in(&arguments));
                if let Some(image) = &mut image {
                    // CMD has the arguments of the entry point, which may precede it or not.
                    let words = arguments.iter().map(|word| (*word).to_owned());
                    if instruction.text_of("instruction") == Some("ENTRYPOINT") {
                        image.command.splice(0..0, words);
                    } else {
                        image.command.extend(words);
                    }
                }
            }
            _ => {}
        }
    }
    let Some(mut image) = image else {
        return false;
    };
    stages.extend(named_stage(stage, Some(&image)));
    image.stages = stages;
    sources.dedup();
    image.sources = sources;
    image.named_files = named_files;
    deployment.services.push(image);
    true
}

/// Returns a stage that has a name and runs something.
fn named_stage(name: Option<&str>, image: Option<&DeployedService>) -> Option<Stage> {
    let command = &image?.command;
    let runs = !command.is_empty();
    let name = name.filter(|_| runs)?.to_owned();
    let command = command.clone();
    Some(Stage { name, command })
}

/// Returns the paths that a command names from the folder that it runs in.
fn named_paths(words: &[&str]) -> Vec<String> {
    let paths = words.iter().filter(|word| word.starts_with("./"));
    paths.map(|word| (*word).to_owned()).collect()
}

/// Returns the files in folders that a command names, in a text that another program runs too: `watch --build="cc a/main.c"`.
fn files_in(words: &[&str]) -> Vec<String> {
    let parts = words
        .iter()
        .flat_map(|word| word.split([' ', '"', '\'', '=', ';', '&']));
    let is_file = |part: &&str| {
        let name = part.rsplit_once('/').map(|(_, name)| name);
        name.is_some_and(|name| name.contains('.')) && !part.starts_with(['/', '-', '$'])
    };
    parts.filter(is_file).map(str::to_owned).collect()
}

/// Adds the variables of an `ENV`: `NAME=value …`, or the older `NAME value`.
fn add_variables(image: &mut DeployedService, words: &[&str], instruction: Value<'_>) {
    let mut add = |name: &str, value: &str| {
        image.variables.push(Variable {
            name: name.to_owned(),
            value: VariableValue::Text(value.to_owned()),
            is_of_file: false,
            node: instruction.node(),
        });
    };
    match words {
        [name, rest @ ..] if !name.contains('=') => add(name, &rest.join(" ")),
        words => {
            for word in words {
                if let Some((name, value)) = word.split_once('=') {
                    add(name, value);
                }
            }
        }
    }
}
