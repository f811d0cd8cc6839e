//! The page that keeps the figures of each commit that was measured, newest first.

/// The page, from the root of the workspace.
pub const PAGE: &str = "docs/house.md";

/// Below this line a section for each commit follows.
const MARK: &str = "## Measured";

/// Returns the page with a section for a commit: in the place of its old section, else before all others.
///
/// `None` where the page has no line `## Measured`.
pub fn with_section(page: &str, commit: &str, figures: &str) -> Option<String> {
    let (head, rest) = page.split_once(&format!("\n{MARK}\n"))?;
    let title = format!("### {commit}");
    let mut sections: Vec<(String, String)> = Vec::new();
    let mut before = String::new();
    for line in rest.lines() {
        if line.starts_with("### ") {
            sections.push((line.to_owned(), String::new()));
            continue;
        }
        let text = sections.last_mut().map_or(&mut before, |(_, text)| text);
        text.push_str(line);
        text.push('\n');
    }
    match sections.iter_mut().find(|(of, _)| *of == title) {
        Some((_, text)) => *text = figures.to_owned(),
        None => sections.insert(0, (title, figures.to_owned())),
    }
    let mut renewed = format!("{head}\n{MARK}\n");
    if !before.trim().is_empty() {
        renewed.push_str(&format!("\n{}\n", before.trim()));
    }
    for (title, text) in sections {
        renewed.push_str(&format!("\n{title}\n\n{}\n", text.trim()));
    }
    Some(renewed)
}

#[cfg(test)]
mod tests {
    use super::with_section;

    const PAGE: &str = "# The house\n\n## Measured\n\n### b2\n\ntwo\n\n### a1\n\none\n";

    #[test]
    fn a_new_commit_stands_first() {
        assert_eq!(
            with_section(PAGE, "c3", "three\n").as_deref(),
            Some(
                "# The house\n\n## Measured\n\n### c3\n\nthree\n\n### b2\n\ntwo\n\n### a1\n\none\n"
            )
        );
    }

    #[test]
    fn a_commit_that_is_measured_again_keeps_its_place() {
        assert_eq!(
            with_section(PAGE, "a1", "once more\n").as_deref(),
            Some("# The house\n\n## Measured\n\n### b2\n\ntwo\n\n### a1\n\nonce more\n")
        );
    }

    #[test]
    fn a_page_without_its_mark_is_not_changed() {
        assert_eq!(with_section("# Another page\n", "a1", "one"), None);
    }
}
