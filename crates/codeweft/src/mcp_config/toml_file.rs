//! Merging into a client's configuration file in TOML: a table is appended to the text, which stays
//! byte for byte.

use toml::{Table, Value};

use super::{Entry, Merged, NAME};

/// The table of all servers.
const SERVERS: &str = "mcp_servers";

/// Returns `old` with the entry's table at its end.
///
/// # Errors
/// `old` is no TOML, or has another entry of this name.
pub(super) fn merged(old: &str, entry: &Entry) -> Result<Merged, String> {
    let whole: Table = old
        .parse()
        .map_err(|error: toml::de::Error| format!("it is no TOML ({})", error.message()))?;
    let list = whole.get(SERVERS);
    if let Some(known) = list.and_then(|list| list.get(NAME)) {
        let command = known.get("command").and_then(Value::as_str);
        let arguments: Option<Vec<&str>> = known
            .get("args")
            .and_then(Value::as_array)
            .map(|list| list.iter().filter_map(Value::as_str).collect());
        let same = command == Some(&entry.program)
            && arguments.as_deref() == Some(entry.arguments().as_slice());
        return if same {
            Ok(Merged::Same)
        } else {
            Err(format!("it has another [{SERVERS}.{NAME}]"))
        };
    }
    let mut text = old.to_owned();
    if !text.is_empty() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push('\n');
    }
    let arguments = entry.arguments().map(quoted).join(", ");
    text.push_str(&format!(
        "[{SERVERS}.{NAME}]\ncommand = {}\nargs = [{arguments}]\n",
        quoted(&entry.program)
    ));
    // An inline table of servers cannot be extended outside its braces.
    match text.parse::<Table>() {
        Ok(_) => Ok(Merged::New(text)),
        Err(_) => Err(format!("its {SERVERS} is no table that can be added to")),
    }
}

/// Returns a text as a basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(root: &str) -> Entry {
        Entry {
            program: "/bin/codeweft".to_owned(),
            root: root.to_owned(),
        }
    }

    #[test]
    fn the_table_is_appended_to_the_file() {
        let old = "# mine\nmodel = \"x\"  # and this\n\n[mcp_servers.other]\ncommand = 'y'";
        let Ok(Merged::New(text)) = merged(old, &entry("/w")) else {
            panic!("merged");
        };
        assert_eq!(
            text,
            format!(
                "{old}\n\n[mcp_servers.codeweft]\ncommand = \"/bin/codeweft\"\n\
                 args = [\"mcp\", \"--root\", \"/w\"]\n"
            )
        );
        assert_eq!(merged(&text, &entry("/w")), Ok(Merged::Same));
        assert!(merged(&text, &entry("/other")).is_err());
    }

    #[test]
    fn names_with_special_characters_are_quoted() {
        let root = "/a \"b\"\\c\u{1}é";
        let Ok(Merged::New(text)) = merged("", &entry(root)) else {
            panic!("merged");
        };
        assert_eq!(merged(&text, &entry(root)), Ok(Merged::Same));
    }

    #[test]
    fn invalid_files_and_inline_tables_are_unchanged() {
        assert!(merged("a = ", &entry("/w")).is_err());
        assert!(merged("mcp_servers = {a = {command = 'x'}}", &entry("/w")).is_err());
    }
}
