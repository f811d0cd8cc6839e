//! The scopes around a position of a Go text (Go spec, Blocks; Declarations and scope).

use codeweft_syntax::scopes::{ScopeForm, ScopeRange, scopes_around};

/// Returns the scopes around a byte offset, the innermost first: blocks, implicit ones too, functions,
/// the file.
pub fn scopes_at(text: &str, offset: u32) -> Vec<ScopeRange> {
    let language = tree_sitter_go::LANGUAGE.into();
    scopes_around(text, offset, &language, |node, parent| {
        let is_body = || parent.is_some_and(|parent| is_function(parent.kind()));
        match node.kind() {
            kind if is_function(kind) => Some(ScopeForm::Function),
            // The body of a function is the block of its parameters.
            "block" if is_body() => None,
            "block"
            | "if_statement"
            | "for_statement"
            | "expression_switch_statement"
            | "type_switch_statement"
            | "select_statement"
            | "expression_case"
            | "type_case"
            | "default_case"
            | "communication_case" => Some(ScopeForm::Block),
            _ => None,
        }
    })
}

fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration" | "method_declaration" | "func_literal"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_if_is_a_block_around_its_branches_and_a_function_is_one_with_its_body() {
        let text = "package p\n\nfunc f(a int) {\n\tif b := a; b > 0 {\n\t\tg := func() { b++ }\n\t\tg()\n\t}\n}\n";
        let at = text.find("b++").expect("in the text") as u32;
        let forms: Vec<ScopeForm> = scopes_at(text, at).iter().map(|scope| scope.form).collect();
        let wanted = [
            ScopeForm::Function,
            ScopeForm::Block,
            ScopeForm::Block,
            ScopeForm::Function,
            ScopeForm::File,
        ];
        assert_eq!(forms, wanted);
    }

    #[test]
    fn outside_of_functions_only_the_file_is_a_scope() {
        let scopes = scopes_at("package p\n\nvar a = 1\n", 15);
        assert_eq!(scopes.len(), 1);
        assert_eq!(scopes[0].form, ScopeForm::File);
    }
}
