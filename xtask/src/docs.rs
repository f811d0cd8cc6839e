//! The generated pages of `docs/`: the reference from what the binary announces to clients, the
//! guide's outputs from running its commands.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::place;
use crate::product::Product;

/// The page generated from the schemas.
const REFERENCE: &str = "docs/api.md";

/// The pages whose commands are run: in a `console` block the lines below `$ codeweft …` are its
/// output.
const GUIDES: &[&str] = &["docs/user-guide.md"];

/// Writes the pages, or only checks that they are up to date.
pub fn run(check: bool) -> Result<ExitCode> {
    let product = Product::build_for_tests()?;
    let mut pages = vec![(REFERENCE, page(&product.tools()?)?)];
    for guide in GUIDES {
        let text = std::fs::read_to_string(place::root().join(guide))
            .with_context(|| format!("cannot read {guide}"))?;
        pages.push((guide, consoles(&text, |words| product.console(words))?));
    }
    let mut stale = false;
    for (name, wanted) in pages {
        let file = place::root().join(name);
        if std::fs::read_to_string(&file).is_ok_and(|page| page == wanted) {
            continue;
        }
        if check {
            stale = true;
            eprintln!("{name} is not up to date: run `cargo xtask docs`");
        } else {
            std::fs::write(&file, wanted).with_context(|| format!("cannot write {name}"))?;
            println!("wrote {name}");
        }
    }
    Ok(ExitCode::from(if stale { 4 } else { 0 }))
}

/// Returns a page with the output of every command renewed.
fn consoles(page: &str, run: impl Fn(&[String]) -> Result<String>) -> Result<String> {
    let mut renewed = String::new();
    let mut inside = false;
    for line in page.lines() {
        let command = line.strip_prefix("$ codeweft ").filter(|_| inside);
        if line.starts_with("```") {
            inside = line == "```console";
        }
        if inside && command.is_none() && line != "```console" {
            continue; // the old output
        }
        renewed.push_str(line);
        renewed.push('\n');
        if let Some(command) = command {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            renewed.push_str(&run(&words)?);
        }
    }
    Ok(renewed)
}

/// Returns the page of a list of tools.
fn page(tools: &Value) -> Result<String> {
    let mut page = String::from(
        "# Reference of the tools\n\n\
         Generated from the schemas that `codeweft mcp` lists, by `cargo xtask docs`. Do not edit.\n\n\
         The command line takes the same fields: `codeweft query OPERATION TARGET` with every other\n\
         field as a flag of its name with dashes. `max_tokens` (of text and structure together) and `offset`\n\
         are of agents alone: answers on the command line have no such bound, and `include_context` is true\n\
         there by default with `--json`, but for `search` and `outline`.\n",
    );
    for tool in tools.as_array().context("a list of tools")? {
        tool_section(&mut page, tool)?;
    }
    Ok(page)
}

fn tool_section(page: &mut String, tool: &Value) -> Result<()> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let schema = &tool["inputSchema"];
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    writeln!(
        page,
        "\n## {}\n\n{}\n",
        text(&tool["name"]),
        text(&tool["description"])
    )?;
    writeln!(
        page,
        "| field | type | default | bounds | what |\n|---|---|---|---|---|"
    )?;
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let default = match &field["default"] {
            Value::Null if required.contains(&name.as_str()) => "required".to_owned(),
            Value::Null => "-".to_owned(),
            default => format!("`{default}`"),
        };
        writeln!(
            page,
            "| `{name}` | {} | {default} | {} | {} |",
            kind(field),
            bounds(field),
            text(&field["description"])
                .replace('|', "\\|")
                .replace('\n', " ")
        )?;
    }
    Ok(())
}

fn kind(field: &Value) -> String {
    match field["type"].as_str() {
        Some("array") => format!("list of {}", kind(&field["items"])),
        Some(kind) => kind.to_owned(),
        None => "any".to_owned(),
    }
}

fn bounds(field: &Value) -> String {
    if let Some(words) = field["enum"].as_array() {
        let words: Vec<String> = words
            .iter()
            .filter_map(Value::as_str)
            .map(|one| format!("`{one}`"))
            .collect();
        return words.join(", ");
    }
    match (&field["minimum"], &field["maximum"]) {
        (Value::Null, Value::Null) => "-".to_owned(),
        (least, Value::Null) => format!("from {least}"),
        (least, most) => format!("{least} to {most}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;

    #[test]
    fn generated_pages_are_up_to_date() {
        assert_eq!(
            run(true).unwrap(),
            ExitCode::SUCCESS,
            "run `cargo xtask docs`"
        );
    }

    /// Returns every file of the repository with this ending that git does not ignore.
    fn files(ending: &str) -> Vec<PathBuf> {
        let listed = place::stdout(
            Command::new("git")
                .args(["ls-files", "--cached", "--others", "--exclude-standard"])
                .current_dir(place::root()),
        )
        .unwrap();
        let all = listed.lines().filter(|one| one.ends_with(ending));
        let all = all.map(|one| place::root().join(one));
        all.filter(|one| one.is_file()).collect()
    }

    #[test]
    fn links_lead_somewhere() {
        let pages = files(".md");
        assert!(pages.len() > 10, "{pages:?}");
        let mut broken = Vec::new();
        for page in pages {
            let text = std::fs::read_to_string(&page).unwrap();
            // Code between fences has brackets of its own.
            let prose = text.split("```").step_by(2);
            for target in prose.flat_map(|prose| prose.split("](").skip(1)) {
                let target = target.split([')', '#']).next().unwrap_or_default();
                let outside = target.contains("://") || target.is_empty();
                let folder = page.parent().unwrap_or(&page);
                if !outside && !folder.join(target).exists() {
                    broken.push(format!("{}: {target}", page.display()));
                }
            }
        }
        assert_eq!(broken, Vec::<String>::new());
    }

    #[test]
    fn outputs_below_commands_are_renewed() {
        let page = "text\n\n```console\n$ codeweft query a\nold\n$ codeweft query b\nold\n```\n\n\
                    ```text\n$ codeweft query c\nkept\n```\n";
        let renewed = consoles(page, |words| Ok(format!("{}!\n", words.join("+")))).unwrap();
        assert_eq!(
            renewed,
            "text\n\n```console\n$ codeweft query a\nquery+a!\n$ codeweft query b\nquery+b!\n```\n\n\
             ```text\n$ codeweft query c\nkept\n```\n"
        );
    }

    #[test]
    fn a_page_lists_every_field() {
        let tools = serde_json::json!([{"name": "t", "description": "Does.", "inputSchema": {
        "required": ["a"],
        "properties": {
            "a": {"type": "string", "enum": ["x", "y"], "description": "which"},
            "n": {"type": "integer", "default": 3, "minimum": 0, "maximum": 20, "description": "how many"},
            "l": {"type": "array", "items": {"type": "string"}},
        }}}]);
        let page = page(&tools).unwrap();
        assert!(page.contains("## t\n\nDoes."));
        assert!(page.contains("| `a` | string | required | `x`, `y` | which |"));
        assert!(page.contains("| `n` | integer | `3` | 0 to 20 | how many |"));
        assert!(page.contains("| `l` | list of string | - | - |  |"));
    }
}
