//! The scopes around a position of a Python text (Python reference, Resolution of names).

use codeweft_syntax::scopes::{ScopeForm, ScopeRange, scopes_around};

/// Returns the scopes around a byte offset, the innermost first: comprehensions, functions and lambdas,
/// classes, the module.
pub fn scopes_at(text: &str, offset: u32) -> Vec<ScopeRange> {
    let language = tree_sitter_python::LANGUAGE.into();
    scopes_around(text, offset, &language, |node, _| match node.kind() {
        "function_definition" | "lambda" => Some(ScopeForm::Function),
        "class_definition" => Some(ScopeForm::Class),
        "list_comprehension"
        | "set_comprehension"
        | "dictionary_comprehension"
        | "generator_expression" => Some(ScopeForm::Comprehension),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comprehension_is_a_scope_and_a_branch_is_none() {
        let text =
            "class C:\n    def f(self):\n        if self:\n            return [x for x in self]\n";
        let at = text.find("x for").expect("in the text") as u32;
        let forms: Vec<ScopeForm> = scopes_at(text, at).iter().map(|scope| scope.form).collect();
        let wanted = [
            ScopeForm::Comprehension,
            ScopeForm::Function,
            ScopeForm::Class,
            ScopeForm::File,
        ];
        assert_eq!(forms, wanted);
    }
}
