//! How complete an answer is, in words.

use super::{GraphResponse, Operation};

/// One line that says how far an answer can be trusted: what could still belong to it.
pub fn verdict(response: &GraphResponse) -> String {
    let completeness = &response.completeness;
    let configuration = match completeness.configuration.as_str() {
        "" => String::new(),
        configuration => format!(" under {configuration}"),
    };
    let found = found(response);
    if completeness.complete {
        return format!("{found}; complete{configuration}");
    }
    let open = match &completeness.words {
        Some(words) => words.clone(),
        None => match completeness.unresolved_sites {
            0 => "not complete".to_owned(),
            1 => "not complete: 1 site more could belong to it".to_owned(),
            sites => format!("not complete: {sites} sites more could belong to it"),
        },
    };
    let mut line = match completeness.words {
        // They name it themselves.
        Some(_) => open,
        None => format!("{found}; {open}{configuration}"),
    };
    for (number, site) in completeness.first.iter().enumerate() {
        let before = if number == 0 { ": " } else { ", " };
        line.push_str(&format!(
            "{before}{}:{}:{} {}",
            site.file, site.line, site.column, site.reason
        ));
    }
    if completeness.unresolved_sites as usize > completeness.first.len()
        && !completeness.first.is_empty()
    {
        line.push_str(", …");
    }
    line
}

/// `3 callers`, `no caller found`, `100 of 240 callers shown`.
pub(crate) fn found(response: &GraphResponse) -> String {
    let (one, many) = noun(response.operation);
    let (total, shown) = (response.total_found, response.total_returned);
    let at_least = match response.total_found_is_lower_bound {
        true => "at least ",
        false => "",
    };
    match total {
        0 => format!("no {one} found"),
        1 if shown == 1 => format!("{at_least}1 {one}"),
        _ if shown < total => format!("{shown} of {at_least}{total} {many} shown"),
        _ => format!("{at_least}{total} {many}"),
    }
}

fn noun(operation: Operation) -> (&'static str, &'static str) {
    match operation {
        Operation::Callers => ("caller", "callers"),
        Operation::Callees => ("callee", "callees"),
        Operation::Dependencies => ("dependency", "dependencies"),
        Operation::Dependents => ("dependent", "dependents"),
        Operation::TypeUsages => ("user of the type", "users of the type"),
        Operation::Implementations => ("implementation", "implementations"),
        Operation::Implements => ("interface", "interfaces"),
        Operation::References => ("referrer", "referrers"),
        Operation::Definition => ("definition", "definitions"),
        Operation::Impact => ("reached node", "reached nodes"),
        Operation::Path => ("node on a path", "nodes on the path"),
    }
}
