//! The parts of one declaration of a Python text, read with tree-sitter from a text that holds its header
//! alone:
//!
//! ```text
//! @cached                              @cached
//! def size(self) -> int:        ->     def size(self) -> int: pass
//!     return len(self.rows)
//! ```

use codeweft_syntax::detail::{DeclarationDetail, ParameterDetail, ParameterRole, text_of};
use tree_sitter::{Node, Parser, Tree};

/// Returns the parts of a `def` or `class`, from its decorators and header without the colon; each line
/// without the indent of the first. The first parameter is the receiver if `is_method`, unless the
/// method is static (Python reference, Standard type hierarchy).
pub fn definition_detail(header: &str, is_method: bool) -> DeclarationDetail {
    let text = format!("{header}: pass\n");
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(&text) else {
        return detail;
    };
    let mut node = tree.root_node().named_child(0);
    if let Some(decorated) = node.filter(|node| node.kind() == "decorated_definition") {
        let mut cursor = decorated.walk();
        for child in decorated.named_children(&mut cursor) {
            if child.kind() == "decorator" {
                detail.annotations.extend(decorator(child, &text));
            }
        }
        node = decorated.child_by_field_name("definition");
    }
    let Some(node) = node else {
        return detail;
    };
    if let Some(list) = node.child_by_field_name("type_parameters") {
        let mut cursor = list.walk();
        let parameters = list.named_children(&mut cursor);
        detail.type_params = parameters
            .map(|one| type_parameter(&text_of(one, &text)))
            .collect();
    }
    if node.kind() != "function_definition" {
        return detail;
    }
    if let Some(list) = node.child_by_field_name("parameters") {
        let mut cursor = list.walk();
        let children = list.named_children(&mut cursor);
        detail
            .parameters
            .extend(children.filter_map(|child| parameter(child, &text)));
        detail.type_expr = text_of(list, &text);
    }
    let is_static = || {
        detail
            .annotations
            .iter()
            .any(|(name, _)| name == "staticmethod")
    };
    if is_method
        && !is_static()
        && let Some(first) = detail.parameters.first_mut()
    {
        first.role = ParameterRole::Receiver;
    }
    if let Some(result) = node.child_by_field_name("return_type") {
        let type_expr = text_of(result, &text);
        detail.type_expr = format!("{} -> {type_expr}", detail.type_expr);
        detail.parameters.push(ParameterDetail {
            type_expr,
            role: ParameterRole::Result,
            ..ParameterDetail::default()
        });
    }
    detail
}

/// Returns the annotation of a variable or attribute, from the statement that declares it.
pub fn variable_detail(statement: &str) -> DeclarationDetail {
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(statement) else {
        return detail;
    };
    let statement_node = tree.root_node().named_child(0);
    let node = statement_node.and_then(|node| match node.kind() {
        "expression_statement" => node.named_child(0),
        _ => Some(node),
    });
    if let Some(ty) = node.and_then(|node| node.child_by_field_name("type")) {
        detail.type_expr = text_of(ty, statement);
    }
    detail
}

fn parsed(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .ok()?;
    parser.parse(text, None)
}

/// Returns the name of a decorator and its arguments as they are written.
fn decorator(node: Node<'_>, text: &str) -> Option<(String, String)> {
    let expression = node.named_child(0)?;
    let call = (expression.kind() == "call").then_some(expression);
    let called = call.and_then(|call| call.child_by_field_name("function"));
    let arguments = call.and_then(|call| call.child_by_field_name("arguments"));
    let arguments = arguments.map(|arguments| text_of(arguments, text));
    let arguments = arguments
        .as_deref()
        .and_then(|text| text.strip_prefix('(')?.strip_suffix(')'));
    let name = text_of(called.unwrap_or(expression), text);
    Some((name, arguments.unwrap_or_default().to_owned()))
}

/// Returns the name and the bound of a type parameter (PEP 695): `T: int`.
fn type_parameter(written: &str) -> (String, String) {
    match written.split_once(':') {
        Some((name, bound)) => (name.trim().to_owned(), bound.trim().to_owned()),
        None => (written.to_owned(), String::new()),
    }
}

fn parameter(node: Node<'_>, text: &str) -> Option<ParameterDetail> {
    let field = |name: &str| node.child_by_field_name(name);
    let of_field = |name: &str| field(name).map(|part| text_of(part, text));
    let name = match node.kind() {
        "identifier" | "list_splat_pattern" | "dictionary_splat_pattern" => text_of(node, text),
        // Its name has no field.
        "typed_parameter" => text_of(node.named_child(0)?, text),
        "default_parameter" | "typed_default_parameter" => of_field("name")?,
        // What separates kinds of parameters is none.
        _ => return None,
    };
    Some(ParameterDetail {
        name,
        type_expr: of_field("type").unwrap_or_default(),
        default: of_field("value"),
        role: ParameterRole::Parameter,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(detail: &DeclarationDetail, expected: Expect) {
        let mut text = format!("type {:?}\n", detail.type_expr);
        for one in &detail.parameters {
            let (role, name, ty) = (one.role, &one.name, &one.type_expr);
            text.push_str(&format!("{role:?} {name:?} {ty:?} {:?}\n", one.default));
        }
        for (name, constraint) in &detail.type_params {
            text.push_str(&format!("type parameter {name:?} {constraint:?}\n"));
        }
        for (name, arguments) in &detail.annotations {
            text.push_str(&format!("annotation {name:?} {arguments:?}\n"));
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn a_method_has_its_receiver_defaults_stars_and_result() {
        check(
            &definition_detail(
                "@app.route('/', methods=['GET'])\nasync def get(self, key: str, /, size=3, *rest: int, deep: bool = False, **named) -> list[int]",
                true,
            ),
            expect![[r#"
                type "(self, key: str, /, size=3, *rest: int, deep: bool = False, **named) -> list[int]"
                Receiver "self" "" None
                Parameter "key" "str" None
                Parameter "size" "" Some("3")
                Parameter "*rest" "int" None
                Parameter "deep" "bool" Some("False")
                Parameter "**named" "" None
                Result "" "list[int]" None
                annotation "app.route" "'/', methods=['GET']"
            "#]],
        );
    }

    #[test]
    fn a_static_method_has_no_receiver() {
        check(
            &definition_detail("@staticmethod\ndef make(size)", true),
            expect![[r#"
                type "(size)"
                Parameter "size" "" None
                annotation "staticmethod" ""
            "#]],
        );
    }

    #[test]
    fn a_class_has_its_decorators_and_type_parameters() {
        check(
            &definition_detail(
                "@dataclass(frozen=True)\nclass Pair[K: str, V](Base)",
                false,
            ),
            expect![[r#"
                type ""
                type parameter "K" "str"
                type parameter "V" ""
                annotation "dataclass" "frozen=True"
            "#]],
        );
    }

    #[test]
    fn a_variable_has_its_annotation() {
        assert_eq!(
            variable_detail("limit: int | None = 3").type_expr,
            "int | None"
        );
        assert_eq!(variable_detail("limit = 3").type_expr, "");
    }
}
