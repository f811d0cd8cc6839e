//! Merging into a client's configuration file in JSON.

use serde_json::{Map, Value, json};

use super::{Merged, NAME, pretty};

/// Returns `old` with the entry under `servers`; everything else stays, in its order.
///
/// # Errors
/// `old` is no JSON (it may have comments, which would be lost), or has another value at the
/// entry's key.
pub(super) fn merged(old: &str, servers: &str, entry: Value) -> Result<Merged, String> {
    let old = old.strip_prefix('\u{feff}').unwrap_or(old);
    let mut whole: Value = if old.trim().is_empty() {
        json!({})
    } else {
        serde_json::from_str(old).map_err(|error| {
            format!("it is no plain JSON ({error}); comments in it would be lost")
        })?
    };
    let top = whole
        .as_object_mut()
        .ok_or_else(|| "it holds no object".to_owned())?;
    let list = top
        .entry(servers)
        .or_insert_with(|| Value::Object(Map::new()))
        .as_object_mut()
        .ok_or_else(|| format!("its `{servers}` is no object"))?;
    let merged = match list.get(NAME) {
        None => entry,
        Some(Value::Object(known)) => {
            // Fields that the user added (an environment, a timeout) stay.
            let mut known = known.clone();
            known.extend(entry.as_object().cloned().unwrap_or_default());
            Value::Object(known)
        }
        Some(_) => return Err(format!("its `{servers}.{NAME}` is no object")),
    };
    if list.get(NAME) == Some(&merged) {
        return Ok(Merged::Same);
    }
    list.insert(NAME.to_owned(), merged);
    Ok(Merged::New(pretty(&whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Value {
        json!({"command": "/bin/codeweft", "args": ["mcp"]})
    }

    fn new(old: &str) -> String {
        match merged(old, "mcpServers", entry()) {
            Ok(Merged::New(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_rest_of_the_file_keeps_its_order() {
        let old = r#"{"z": 1, "mcpServers": {"other": {"command": "x"}}, "a": [true, null]}"#;
        let whole: Value = serde_json::from_str(&new(old)).expect("JSON");
        let keys: Vec<&str> = whole
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(keys, ["z", "mcpServers", "a"]);
        assert_eq!(whole["a"], json!([true, null]));
        assert_eq!(whole["mcpServers"]["other"]["command"], "x");
        assert_eq!(whole["mcpServers"]["codeweft"], entry());
    }

    #[test]
    fn merging_twice_changes_nothing() {
        for old in ["", " \n", "{}", "\u{feff}{}"] {
            let once = new(old);
            assert_eq!(
                merged(&once, "mcpServers", entry()),
                Ok(Merged::Same),
                "{old:?}"
            );
        }
    }

    #[test]
    fn an_older_entry_is_brought_up_to_date_and_keeps_what_the_user_added() {
        let old = r#"{"mcpServers": {"codeweft": {"command": "old", "env": {"A": "1"}}}}"#;
        let whole: Value = serde_json::from_str(&new(old)).expect("JSON");
        let codeweft = &whole["mcpServers"]["codeweft"];
        assert_eq!(codeweft["command"], "/bin/codeweft");
        assert_eq!(codeweft["env"]["A"], "1");
    }

    #[test]
    fn a_file_with_comments_or_another_shape_is_unchanged() {
        for old in [
            "{\n  // mine\n}",
            "{\"a\": 1,}",
            "[]",
            r#"{"mcpServers": []}"#,
            r#"{"mcpServers": {"codeweft": 1}}"#,
        ] {
            assert!(merged(old, "mcpServers", entry()).is_err(), "{old}");
        }
    }
}
