//! Agreement of both protocols: for randomly sampled symbols, the editor's incoming calls against
//! the agent's `callers`. If the agent's answer is not truncated they are compared in full (callers
//! by id, and every site), else by their counts.

use std::collections::BTreeSet;

use codeweft_testing::SeededRng;
use codeweft_testing::clients::Editor;
use codeweft_testing::rows::Placed;
use serde_json::{Value, json};

use crate::clients::ClientPair;

/// The numbers of symbols compared.
#[derive(Default, Debug)]
pub struct Compared {
    pub symbols: usize,
    /// Those compared in full.
    pub whole: usize,
    /// Those with a caller.
    pub called: usize,
    /// The methods of interfaces among them.
    pub interface_methods: usize,
    pub differences: usize,
}

/// Returns a random sample of `count` symbols, `methods` of which are methods of interfaces if
/// there are any.
pub fn sample(placed: &[Placed], count: usize, methods: usize, seed: u64) -> Vec<Placed> {
    let mut rng = SeededRng::new(seed);
    let (mut of_interface, mut others): (Vec<&Placed>, Vec<&Placed>) =
        placed.iter().partition(|placed| placed.of_interface);
    rng.shuffle(&mut of_interface);
    rng.shuffle(&mut others);
    of_interface.truncate(methods);
    let rest = count - of_interface.len();
    let chosen = of_interface
        .into_iter()
        .chain(others.into_iter().take(rest));
    chosen.cloned().collect()
}

/// Queries both clients about each symbol.
pub fn compare(
    clients: &mut ClientPair,
    root: &str,
    symbols: &[Placed],
    compared: &mut Compared,
) -> std::io::Result<()> {
    for symbol in symbols {
        compared.symbols += 1;
        compared.interface_methods += usize::from(symbol.of_interface);
        let reply = clients.agent.call(json!({
            "operation": "callers",
            "target": symbol.id,
            "max_results": 500,
            "include_context": false,
        }))?;
        let agent = reply.structured;
        let Some(calls) = incoming(&mut clients.editor, root, symbol)? else {
            eprintln!("  {}: the editor has no item at its name", symbol.id);
            compared.differences += 1;
            continue;
        };
        let results = agent["results"].as_array().cloned().unwrap_or_default();
        let total = agent["total_found"].as_u64().unwrap_or(u64::MAX);
        compared.called += usize::from(total > 0);
        let all_sites = results
            .iter()
            .all(|row| row["site_count"] == row["sites"].as_array().map_or(0, Vec::len));
        let cut = agent["truncated"] == true || !all_sites;
        let difference = if cut {
            numbers(&agent, &results, total, &calls)
        } else {
            compared.whole += 1;
            rows(root, &results, &calls)
        };
        if let Some(words) = difference {
            eprintln!("  {}: {words}", symbol.id);
            compared.differences += 1;
        }
    }
    Ok(())
}

/// Returns the incoming calls of the item at a symbol's name; `None` if there is no such item.
fn incoming(
    editor: &mut Editor,
    root: &str,
    symbol: &Placed,
) -> std::io::Result<Option<Vec<Value>>> {
    let path = format!("{root}/{}", symbol.file);
    let at = Editor::at(&path, symbol.line, symbol.column);
    let items = editor.ask("textDocument/prepareCallHierarchy", at)?;
    let items = items.as_array().cloned().unwrap_or_default();
    let own = |item: &&Value| item["data"]["id"] == symbol.id.as_str();
    let Some(item) = items.iter().find(own).or(items.first()) else {
        return Ok(None);
    };
    let calls = editor.ask("callHierarchy/incomingCalls", json!({"item": item}))?;
    Ok(Some(calls.as_array().cloned().unwrap_or_default()))
}

/// Callers by id with every site: (id, file, line, column), 0-based.
type Sites = BTreeSet<(String, String, u64, u64)>;

fn rows(root: &str, results: &[Value], calls: &[Value]) -> Option<String> {
    let mut agent = Sites::new();
    for row in results {
        let id = row["node"]["id"].as_str().unwrap_or_default();
        for site in row["sites"].as_array().into_iter().flatten() {
            let number = |name: &str| site[name].as_u64().unwrap_or(0).wrapping_sub(1);
            let file = site["file"].as_str().unwrap_or_default().to_owned();
            agent.insert((id.to_owned(), file, number("line"), number("column")));
        }
    }
    let mut editor = Sites::new();
    for call in calls {
        let id = call["from"]["data"]["id"].as_str().unwrap_or_default();
        let uri = call["from"]["uri"].as_str().unwrap_or_default();
        let path = uri.strip_prefix("file://").unwrap_or(uri);
        let file = path.strip_prefix(root).map_or(path, |rest| &rest[1..]);
        for range in call["fromRanges"].as_array().into_iter().flatten() {
            let number = |name: &str| range["start"][name].as_u64().unwrap_or(u64::MAX);
            editor.insert((
                id.to_owned(),
                file.to_owned(),
                number("line"),
                number("character"),
            ));
        }
    }
    if agent == editor {
        return None;
    }
    let only_agent: Vec<_> = agent.difference(&editor).take(2).collect();
    let only_editor: Vec<_> = editor.difference(&agent).take(2).collect();
    Some(format!(
        "only the agent: {only_agent:?}, only the editor: {only_editor:?}"
    ))
}

fn numbers(agent: &Value, results: &[Value], total: u64, calls: &[Value]) -> Option<String> {
    let ids: BTreeSet<&str> = calls
        .iter()
        .filter_map(|call| call["from"]["data"]["id"].as_str())
        .collect();
    if ids.len() as u64 != total {
        return Some(format!("{total} callers, and {} in the editor", ids.len()));
    }
    if agent["truncated"] == true {
        // The sites of rows that are not listed are not counted.
        return None;
    }
    let of_agent: u64 = results
        .iter()
        .filter_map(|row| row["site_count"].as_u64())
        .sum();
    let of_editor: usize = calls
        .iter()
        .map(|call| call["fromRanges"].as_array().map_or(0, Vec::len))
        .sum();
    (of_agent != of_editor as u64)
        .then(|| format!("{of_agent} sites, and {of_editor} in the editor"))
}
