//! The parts of one declaration of a Go text, read with tree-sitter from a text that holds it alone:
//!
//! ```text
//! path string `json:"p"`   ->  package p; type _ struct { path string `json:"p"` }
//! ```
//!
//! What cannot be parsed has no parts.

use codeweft_syntax::detail::{DeclarationDetail, ParameterDetail, ParameterRole, text_of};
use tree_sitter::{Node, Parser, Tree};

/// Returns the parts of a function or method, from its header.
pub fn function_detail(header: &str) -> DeclarationDetail {
    let text = format!("package p\n{header} {{}}");
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(&text) else {
        return detail;
    };
    let declared = ["function_declaration", "method_declaration"];
    let Some(node) = first(tree.root_node(), &declared) else {
        return detail;
    };
    if let Some(receiver) = node.child_by_field_name("receiver") {
        parameters(&mut detail, receiver, &text, ParameterRole::Receiver);
    }
    signature(&mut detail, node, &text);
    detail
}

/// Returns the parts of a method as an interface declares it.
pub fn interface_method_detail(declared: &str) -> DeclarationDetail {
    let text = format!("package p\ntype _ interface {{\n{declared}\n}}");
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(&text) else {
        return detail;
    };
    if let Some(node) = first(tree.root_node(), &["method_elem", "method_spec"]) {
        signature(&mut detail, node, &text);
    }
    detail
}

/// Returns the parts of a type declaration, with its keyword or without.
pub fn type_detail(declared: &str) -> DeclarationDetail {
    let text = format!("package p\ntype {}", without_keyword(declared, "type"));
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(&text) else {
        return detail;
    };
    let Some(node) = first(tree.root_node(), &["type_spec", "type_alias"]) else {
        return detail;
    };
    type_parameters(&mut detail, node, &text);
    if let Some(ty) = node.child_by_field_name("type")
        && !matches!(ty.kind(), "struct_type" | "interface_type")
    {
        detail.type_expr = text_of(ty, &text);
    }
    detail
}

/// Returns the type of a field with its tag.
pub fn field_detail(declared: &str) -> DeclarationDetail {
    let text = format!("package p\ntype _ struct {{\n{declared}\n}}");
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(&text) else {
        return detail;
    };
    let Some(node) = first(tree.root_node(), &["field_declaration"]) else {
        return detail;
    };
    if let Some(ty) = node.child_by_field_name("type") {
        detail.type_expr = text_of(ty, &text);
    }
    if let Some(tag) = node.child_by_field_name("tag") {
        detail.annotations = tags(text.get(tag.byte_range()).unwrap_or_default());
    }
    detail
}

/// Returns the type that a constant or variable is declared with.
pub fn value_detail(declared: &str) -> DeclarationDetail {
    let spec = without_keyword(without_keyword(declared, "const"), "var");
    let text = format!("package p\nvar {spec}");
    let mut detail = DeclarationDetail::default();
    let Some(tree) = parsed(&text) else {
        return detail;
    };
    let spec = first(tree.root_node(), &["var_spec"]);
    if let Some(ty) = spec.and_then(|spec| spec.child_by_field_name("type")) {
        detail.type_expr = text_of(ty, &text);
    }
    detail
}

/// Returns the directives in the comment lines that end a text, such as `//go:noinline`, in text order
/// (cmd/compile, Compiler Directives).
pub fn directives(before: &str) -> Vec<(String, String)> {
    let lines = before.lines().rev().map(str::trim);
    let comments = lines.map_while(|line| line.strip_prefix("//"));
    let mut found: Vec<(String, String)> = comments
        .filter_map(|line| {
            let (name, arguments) = line.split_once(' ').unwrap_or((line, ""));
            let (tool, verb) = name.split_once(':')?;
            let is_word = |word: &str| {
                !word.is_empty()
                    && word
                        .chars()
                        .all(|letter| letter.is_ascii_lowercase() || letter == '_')
            };
            let is_directive =
                is_word(tool) && verb.starts_with(|first: char| first.is_ascii_lowercase());
            is_directive.then(|| (name.to_owned(), arguments.trim().to_owned()))
        })
        .collect();
    found.reverse();
    found
}

fn parsed(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_go::LANGUAGE.into()).ok()?;
    parser.parse(text, None)
}

/// Returns the first node of one of some kinds, by text order.
fn first<'t>(root: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = root.walk();
    loop {
        if kinds.contains(&cursor.node().kind()) {
            return Some(cursor.node());
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return None;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// Adds the type parameters, parameters and results of a function, and its header behind the name.
fn signature(detail: &mut DeclarationDetail, node: Node<'_>, text: &str) {
    type_parameters(detail, node, text);
    let list = node.child_by_field_name("parameters");
    let result = node.child_by_field_name("result");
    if let Some(list) = list {
        parameters(detail, list, text, ParameterRole::Parameter);
    }
    match result {
        Some(list) if list.kind() == "parameter_list" => {
            parameters(detail, list, text, ParameterRole::Result);
        }
        Some(ty) => detail.parameters.push(ParameterDetail {
            type_expr: text_of(ty, text),
            role: ParameterRole::Result,
            ..ParameterDetail::default()
        }),
        None => {}
    }
    let written = [list, result].into_iter().flatten();
    let written: Vec<String> = written.map(|part| text_of(part, text)).collect();
    detail.type_expr = written.join(" ");
}

fn parameters(detail: &mut DeclarationDetail, list: Node<'_>, text: &str, role: ParameterRole) {
    let mut cursor = list.walk();
    for parameter in list.named_children(&mut cursor) {
        let dots = match parameter.kind() {
            "parameter_declaration" => "",
            "variadic_parameter_declaration" => "...",
            _ => continue,
        };
        let ty = parameter.child_by_field_name("type");
        let type_expr = ty.map(|ty| format!("{dots}{}", text_of(ty, text)));
        let type_expr = type_expr.unwrap_or_default();
        let mut names = parameter.walk();
        let names = parameter.children_by_field_name("name", &mut names);
        let mut names: Vec<String> = names.map(|name| text_of(name, text)).collect();
        if names.is_empty() {
            names.push(String::new());
        }
        let named = names.into_iter().map(|name| ParameterDetail {
            name,
            type_expr: type_expr.clone(),
            default: None,
            role,
        });
        detail.parameters.extend(named);
    }
}

fn type_parameters(detail: &mut DeclarationDetail, node: Node<'_>, text: &str) {
    let Some(list) = node.child_by_field_name("type_parameters") else {
        return;
    };
    let mut cursor = list.walk();
    for parameter in list.named_children(&mut cursor) {
        let constraint = parameter.child_by_field_name("type");
        let constraint = constraint.map_or_else(String::new, |ty| text_of(ty, text));
        let mut names = parameter.walk();
        for name in parameter.children_by_field_name("name", &mut names) {
            let name = text_of(name, text);
            detail.type_params.push((name, constraint.clone()));
        }
    }
}

/// Returns the keys and values of a struct tag (package reflect, StructTag).
fn tags(literal: &str) -> Vec<(String, String)> {
    let quoted = literal.strip_prefix(['`', '"']);
    let inside = quoted.and_then(|rest| rest.strip_suffix(['`', '"']));
    let inside = inside.unwrap_or_default().replace("\\\"", "\"");
    let mut rest = inside.as_str();
    let mut found = Vec::new();
    while let Some((key, after)) = rest.trim_start().split_once(":\"") {
        let Some((value, after)) = after.split_once('"') else {
            break;
        };
        found.push((key.to_owned(), value.to_owned()));
        rest = after;
    }
    found
}

fn without_keyword<'t>(declared: &'t str, word: &str) -> &'t str {
    let rest = declared.strip_prefix(word);
    let rest = rest.filter(|rest| rest.starts_with(char::is_whitespace));
    rest.map_or(declared, str::trim_start)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(detail: &DeclarationDetail, expected: Expect) {
        let mut text = format!("type {:?}\n", detail.type_expr);
        for one in &detail.parameters {
            text.push_str(&format!(
                "{:?} {:?} {:?}\n",
                one.role, one.name, one.type_expr
            ));
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
    fn a_method_has_its_receiver_each_parameter_and_each_result() {
        let header = "func (t *Tree[K]) Add(a, b K, more ...int) (n int, err error)";
        check(
            &function_detail(header),
            expect![[r#"
                type "(a, b K, more ...int) (n int, err error)"
                Receiver "t" "*Tree[K]"
                Parameter "a" "K"
                Parameter "b" "K"
                Parameter "more" "...int"
                Result "n" "int"
                Result "err" "error"
            "#]],
        );
    }

    #[test]
    fn parameters_without_names_have_their_types() {
        check(
            &function_detail("func f[T any, K comparable](T, map[K]T) error"),
            expect![[r#"
                type "(T, map[K]T) error"
                Parameter "" "T"
                Parameter "" "map[K]T"
                Result "" "error"
                type parameter "T" "any"
                type parameter "K" "comparable"
            "#]],
        );
    }

    #[test]
    fn a_field_has_its_type_and_the_keys_of_its_tag() {
        check(
            &field_detail("Path string `json:\"path,omitempty\" yaml:\"p\"`"),
            expect![[r#"
                type "string"
                annotation "json" "path,omitempty"
                annotation "yaml" "p"
            "#]],
        );
        check(
            &field_detail("Path string \"json:\\\"path\\\"\""),
            expect![[r#"
                type "string"
                annotation "json" "path"
            "#]],
        );
    }

    #[test]
    fn a_type_of_members_has_no_type_of_its_own() {
        check(
            &type_detail("Pair[K, V any] struct { key K }"),
            expect![[r#"
                type ""
                type parameter "K" "any"
                type parameter "V" "any"
            "#]],
        );
        check(
            &type_detail("type Names = []string"),
            expect![[r#"
                type "[]string"
            "#]],
        );
    }

    #[test]
    fn a_method_of_an_interface_has_its_header_behind_the_name() {
        check(
            &interface_method_detail("Read(p []byte) (n int, err error)"),
            expect![[r#"
                type "(p []byte) (n int, err error)"
                Parameter "p" "[]byte"
                Result "n" "int"
                Result "err" "error"
            "#]],
        );
    }

    #[test]
    fn a_variable_has_the_type_that_it_is_declared_with() {
        assert_eq!(
            value_detail("var limit, rest int64 = 3, 4").type_expr,
            "int64"
        );
        assert_eq!(value_detail("Big = 1 << 20").type_expr, "");
    }

    #[test]
    fn directives_are_the_comments_that_a_tool_reads() {
        let before = "// Add adds.\n// go: not one\n//go:noinline\n//go:linkname add other.add\n";
        let found: Vec<String> = directives(before)
            .into_iter()
            .map(|(name, arguments)| format!("{name}|{arguments}"))
            .collect();
        assert_eq!(found, ["go:noinline|", "go:linkname|add other.add"]);
    }

    #[test]
    fn a_broken_header_has_no_parts() {
        assert_eq!(function_detail("func ("), DeclarationDetail::default());
    }
}
