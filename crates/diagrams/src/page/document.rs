//! The frame of a page: policy, styles, headings, script.

use super::SectionHtml;
use crate::escape::xml;
use crate::picture;

/// What a page may do: nothing but use the styles and the script in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

const STYLE: &str = include_str!("page.css");
/// The script, shortened from `page.js` by `shorten.sh`; its first line says of which text.
pub(super) const SCRIPT: &str = include_str!("page.min.js");

/// Returns the script without its first line.
pub(super) fn script() -> &'static str {
    SCRIPT
        .split_once('\n')
        .map_or(SCRIPT, |(_, script)| script.trim_end())
}

/// Returns a page of sections; `whole` for one that fills the window.
pub(super) fn document(title: &str, sections: &[SectionHtml], whole: bool) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body{}>\n<header><h1>{}</h1>",
        xml(title),
        picture::STYLE,
        if whole { " class=\"whole\"" } else { "" },
        xml(title)
    );
    if sections.len() > 1 {
        html += "<nav aria-label=\"Sections\">";
        for (number, section) in sections.iter().enumerate() {
            html += &format!("<a href=\"#s{number}\">{}</a>", xml(&section.title));
        }
        html += "</nav>";
    }
    html += "</header>\n<main>\n";
    for section in sections {
        html += &section.html;
    }
    html + "</main>\n<script>\n" + script() + "\n</script>\n</body>\n</html>\n"
}
