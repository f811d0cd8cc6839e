//! The constant prefixes of names by which attributes are looked up: `visit_` of `"visit_" + kind`.

use codeweft_db::Db;

use super::computed::Lookup;

/// Returns the constant prefix of the name of a look-up; empty if it has none.
pub(super) fn prefix_of<'a>(db: &'a dyn Db, site: &Lookup) -> &'a str {
    match site.start {
        Some(start) => db.shared().names.text(start),
        None => formatted_prefix(site.file.text(db), site.at),
    }
}

/// Returns the prefix of the formatted literal that is the second argument of the call at an offset:
/// `visit_` of `getattr(self, f"visit_{kind}")`.
fn formatted_prefix(text: &str, at: u32) -> &str {
    const LONGEST: usize = 200;
    let rest = text.get(at as usize..).unwrap_or("");
    let Some((callee, arguments)) = rest.split_once('(') else {
        return "";
    };
    let in_callee = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let Some((first, second)) = arguments.split_once(',') else {
        return "";
    };
    if !callee.chars().all(in_callee) || !first.chars().all(in_callee) || first.len() > LONGEST {
        return "";
    }
    let literal = second.trim_start().strip_prefix(['f', 'F']);
    let content = literal.and_then(|literal| literal.strip_prefix(['"', '\'']));
    content.map_or("", |content| {
        let end = content.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let end =
            end.filter(|&end| content[end..].starts_with('{') && !content[end..].starts_with("{{"));
        end.map_or("", |end| &content[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::formatted_prefix;

    #[test]
    fn the_prefix_of_a_formatted_name_is_read_from_the_call() {
        for (text, prefix) in [
            ("getattr(self, f\"visit_{kind}\")", "visit_"),
            ("getattr(self.x, F'on_{a}_{b}', None)", "on_"),
            ("getattr(self, f\"{kind}_visit\")", ""),
            ("getattr(self, f\"a {kind}\")", ""),
            ("getattr(self, f\"a{{{kind}\")", ""),
            ("getattr(self, name)", ""),
            ("getattr(f(1, 2), f\"a_{b}\")", ""),
        ] {
            assert_eq!(formatted_prefix(text, 0), prefix, "{text}");
        }
    }
}
