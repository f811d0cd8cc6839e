//! How complete an answer is, in words.

use std::collections::BTreeMap;

use super::{GraphResponse, OriginCounts};

/// One line that says how far an answer can be trusted: what could still belong to it. Many sites
/// are counted by reason; [`open_sites`] says where they are.
pub fn verdict(response: &GraphResponse) -> String {
    let completeness = &response.completeness;
    let configuration = match completeness.configuration.as_str() {
        "" => String::new(),
        configuration => format!(" under {configuration}"),
    };
    let found = found(response);
    if completeness.complete {
        let complete = match response.hidden {
            Some(_) => "otherwise complete",
            None => "complete",
        };
        return match &completeness.words {
            // They name the configuration themselves.
            Some(words) => {
                let plain = words.strip_suffix(&configuration).unwrap_or(words);
                format!("{plain}; {complete}{configuration}")
            }
            None => format!("{found}; {complete}{configuration}"),
        };
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
    line.push_str(&reasons(&completeness.by_reason));
    if !completeness.groups.is_empty() {
        return line;
    }
    let first = match completeness.unresolved_sites {
        0 | 1 => ": ",
        _ => "; first ",
    };
    for (number, site) in completeness.first.iter().enumerate() {
        let before = if number == 0 { first } else { ", " };
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

/// Returns lines that say where many unresolved sites are, the first `most` groups, and how to list
/// those that fit by name: the request's field as its reader writes it, `include_unresolved: true`.
///
/// ```text
/// open: 12 unknown_receiver in store/db.py from 40:9 on
/// open: 31 more groups of a file and reason
/// include_unresolved: true lists 17 of the sites
/// ```
pub fn open_sites(response: &GraphResponse, most: usize, field: &str) -> Vec<String> {
    let completeness = &response.completeness;
    let groups = completeness.groups.iter().take(most);
    let mut lines: Vec<String> = groups
        .map(|group| {
            let (file, line, column) = (&group.file, group.line, group.column);
            match group.count {
                1 => format!("open: {} at {file}:{line}:{column}", group.reason),
                count => format!(
                    "open: {count} {} in {file} from {line}:{column} on",
                    group.reason
                ),
            }
        })
        .collect();
    let listed = lines.len();
    let total = completeness.groups_total.map(|total| total as usize);
    let total = total.unwrap_or(completeness.groups.len());
    match total.saturating_sub(listed) {
        0 => {}
        more => lines.push(format!("open: {more} more groups of a file and reason")),
    }
    match completeness.include_unresolved {
        None => {}
        Some(1) => lines.push(format!("{field} lists 1 of the sites")),
        Some(sites) => lines.push(format!("{field} lists {sites} of the sites")),
    }
    lines
}

/// `: 2 unknown_receiver, 1 decorated`, the most frequent first; of one site nothing, for it is
/// listed with its reason.
fn reasons(by_reason: &BTreeMap<String, u32>) -> String {
    let mut counts: Vec<(&String, u32)> =
        by_reason.iter().map(|(reason, &n)| (reason, n)).collect();
    if counts.iter().map(|(_, count)| count).sum::<u32>() < 2 {
        return String::new();
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let counts: Vec<String> = counts
        .iter()
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    format!(": {}", counts.join(", "))
}

/// `3 callers`, `no caller found`, `100 of 240 callers shown`.
pub fn found(response: &GraphResponse) -> String {
    let (one, many) = response.operation.spec().rows;
    let (total, listed) = (response.total_found, response.total_returned);
    let counts = response.counts.as_ref();
    let origins = counts.map(OriginCounts::words).unwrap_or_default();
    if let Some(hidden) = &response.hidden {
        let listed = match total {
            0 => format!("no {one}"),
            1 => format!("1 {one}{origins}"),
            _ => format!("{listed} of {total} {many}{origins}"),
        };
        return format!("{listed} shown; hidden: {}", hidden.words);
    }
    let at_least = if response.total_found_is_lower_bound {
        "at least "
    } else {
        ""
    };
    match total {
        0 => format!("no {one} found"),
        1 if listed == 1 => format!("{at_least}1 {one}{origins}"),
        _ if listed < total => format!("{listed} of {at_least}{total} {many}{origins} shown"),
        _ => format!("{at_least}{total} {many}{origins}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(by_reason: serde_json::Value, sites: u32, words: &str) -> String {
        let response = serde_json::from_value(json!({
            "operation": "callers", "target": "f", "results": [], "total_found": 0,
            "total_returned": 0, "truncated": false,
            "completeness": {
                "complete": false, "configuration": "", "unresolved_sites": sites,
                "by_reason": by_reason, "words": words,
                "first": [{"file": "a.py", "line": 1, "column": 2, "reason": "escapes"}],
            },
            "metadata": {"took_ms": 0.0, "source": "live", "revision": 1, "partial": false,
                "unsaved": []},
        }));
        verdict(&response.expect("an answer"))
    }

    #[test]
    fn several_open_sites_are_listed_by_reason_the_most_frequent_first() {
        let by_reason = json!({"decorated": 1, "escapes": 2, "unknown_receiver": 2});
        assert_eq!(
            line(by_reason, 5, "no caller found; 5 sites could call it"),
            "no caller found; 5 sites could call it: 2 escapes, 2 unknown_receiver, 1 decorated; \
             first a.py:1:2 escapes, …"
        );
    }

    #[test]
    fn many_open_sites_are_listed_by_file_and_the_field_that_lists_them_is_named() {
        let group = |file: &str, count: u32| json!({"file": file, "line": 3, "column": 7, "reason": "escapes", "count": count});
        let response = serde_json::from_value(json!({
            "operation": "callers", "target": "f", "results": [], "total_found": 0,
            "total_returned": 0, "truncated": false,
            "completeness": {
                "complete": false, "configuration": "", "unresolved_sites": 9,
                "by_reason": {"escapes": 9}, "words": "no caller found; 9 sites could call it",
                "first": [{"file": "a.py", "line": 3, "column": 7, "reason": "escapes"}],
                "groups": [group("a.py", 6), group("b.py", 1), group("c.py", 1)],
                "groups_total": 4, "include_unresolved": 2,
            },
            "metadata": {"took_ms": 0.0, "source": "live", "revision": 1, "partial": false,
                "unsaved": []},
        }));
        let response: GraphResponse = response.expect("an answer");
        assert_eq!(
            verdict(&response),
            "no caller found; 9 sites could call it: 9 escapes"
        );
        assert_eq!(
            open_sites(&response, 2, "include_unresolved: true"),
            [
                "open: 6 escapes in a.py from 3:7 on",
                "open: escapes at b.py:3:7",
                "open: 2 more groups of a file and reason",
                "include_unresolved: true lists 2 of the sites",
            ]
        );
    }

    #[test]
    fn one_open_site_is_reported_with_its_reason_once() {
        assert_eq!(
            line(
                json!({"escapes": 1}),
                1,
                "no caller found; 1 site could call it"
            ),
            "no caller found; 1 site could call it: a.py:1:2 escapes"
        );
    }
}
