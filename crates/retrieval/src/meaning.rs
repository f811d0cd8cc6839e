//! The text by which a declaration is encoded: path, signature, the first sentence of its documentation, and the attributes
//! that its body assigns.

use std::collections::BTreeSet;

/// The most names of attributes in a text.
const MAX_MUTATES: usize = 6;

/// The most lines of a declaration that are read.
const MAX_LINES: usize = 200;

/// Returns the text of a declaration at some lines (first and last, 1-based) of a file's text; `None` if it is not there.
///
/// ```
/// let text = "class Cart:\n    def add(self, item):\n        \"\"\"Adds an item. Twice is fine.\"\"\"\n        self.items = [item]\n";
/// let said = codeweft_retrieval::meaning_text("shop/cart.py", "Cart.add", (2, 4), text);
/// assert_eq!(said.unwrap(), "shop/cart.py Cart.add def add(self, item): Adds an item. mutates items");
/// ```
pub fn meaning_text(path: &str, symbol: &str, lines: (u32, u32), text: &str) -> Option<String> {
    let all: Vec<&str> = text.lines().collect();
    let first = (lines.0 as usize).checked_sub(1)?;
    let own = all.get(first..(lines.1 as usize).min(all.len()))?;
    let (signature, body) = own.split_first()?;
    let body = body.get(..body.len().min(MAX_LINES)).unwrap_or_default();
    let mut parts = vec![path.to_owned(), symbol.to_owned()];
    parts.push(signature.trim().trim_end_matches('{').trim_end().to_owned());
    let above = all.get(..first).unwrap_or_default();
    parts.extend(docstring(body).or_else(|| comment(above)));
    let mutates = mutates(body);
    if !mutates.is_empty() {
        parts.push(format!("mutates {}", mutates.join(" ")));
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join(" "))
}

/// Returns the first sentence of the string that a body begins with.
fn docstring(body: &[&str]) -> Option<String> {
    let first = body
        .iter()
        .map(|line| line.trim())
        .find(|line| !line.is_empty())?;
    let quote = ["\"\"\"", "'''", "\"", "'"];
    let inner = quote
        .into_iter()
        .find_map(|quote| first.trim_start_matches(['r', 'R']).strip_prefix(quote))?;
    sentence(inner.trim_end_matches(['"', '\'']))
}

/// Returns the first sentence of the line comments that end right above a declaration.
fn comment(above: &[&str]) -> Option<String> {
    let comments = above
        .iter()
        .rev()
        .take_while(|line| line.trim_start().starts_with("//"));
    let first = comments.last()?;
    sentence(first.trim_start().trim_start_matches('/'))
}

fn sentence(text: &str) -> Option<String> {
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    let text = text.get(..end)?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the attributes and fields that lines assign, sorted.
fn mutates<'t>(body: &[&'t str]) -> Vec<&'t str> {
    let names = body.iter().filter_map(|line| {
        let (target, value) = line.trim().split_once('=')?;
        let is_assignment = !value.starts_with('=') && !target.ends_with(['!', '<', '>', '=']);
        let target = target.trim_end_matches([':', '+', '-', '*', '/', '|', '&', '%', ' ']);
        let (object, name) = target.rsplit_once('.')?;
        let is_name = |text: &str| {
            !text.is_empty()
                && text
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        };
        (is_assignment && is_name(object) && is_name(name)).then_some(name)
    });
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().take(MAX_MUTATES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_its_path_signature_first_sentence_and_what_it_assigns() {
        let text = "package shop\n\n// Add puts an item into the cart. It never fails.\n// More.\nfunc (c *Cart) Add(item int) {\n\tc.items = append(c.items, item)\n\tif c.total == 3 {\n\t\tc.total += item\n\t}\n\tx := c.size\n}\n";
        let said = meaning_text("shop/cart.go", "Cart.Add", (5, 11), text);
        assert_eq!(
            said.as_deref(),
            Some(
                "shop/cart.go Cart.Add func (c *Cart) Add(item int) Add puts an item into the cart. mutates items total"
            )
        );
        assert_eq!(meaning_text("a.py", "f", (9, 12), "def f(): pass\n"), None);
        assert_eq!(
            meaning_text("a.py", "", (1, 1), "import os\n").as_deref(),
            Some("a.py import os")
        );
    }
}
