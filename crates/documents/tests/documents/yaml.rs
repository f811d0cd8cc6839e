//! YAML and JSON.

use std::fmt::Write as _;

use codeweft_documents::{Reader, Tree, Value, read_json, read_yaml};
use expect_test::expect;

use crate::{check, print};

#[test]
fn scalars_have_their_text_behind_quotes_and_their_position() {
    check(
        &read_yaml("a: on\nb: \"x\\ty\"\nc: |\n  one\n  two\nd: ~\ne: 'null'\nü: 1\n"),
        expect![[r#"
            {} 1:1
              a: Some("on") 1:4
              b: Some("x\ty") 2:4
              c: Some("one\ntwo\n") 4:3
              d: None 6:4
              e: Some("null") 7:4
              ü: Some("1") 8:5
        "#]],
    );
}

#[test]
fn json_with_tabs_is_read_as_yaml() {
    check(
        &read_json("{\n\t\"a\": [1, true],\n\t\"b\": {\"c\": null}\n}\n"),
        expect![[r#"
            {} 1:1
              a: [] 2:7
                - Some("1") 2:8
                - Some("true") 2:11
              b: {} 3:7
                c: None 3:13
        "#]],
    );
}

#[test]
fn a_comma_without_a_value_behind_it_is_an_error_in_json_and_none_in_yaml() {
    let text = "{\"a\": [1, 2,\n],}";
    check(
        &read_json(text),
        expect![[r#"
            {} 1:1
              a: [] 1:7
                - Some("1") 1:8
                - Some("2") 1:11
            error 1:12: a comma without a value behind it is no JSON
            error 2:2: a comma without a value behind it is no JSON
        "#]],
    );
    assert!(read_yaml(text).errors.is_empty());
}

#[test]
fn a_broken_text_has_the_nodes_before_the_error_and_the_line_of_it() {
    check(
        &read_yaml("a: 1\nb:\n  c: 2\n  d: [1, 2\ne: 3\n"),
        expect![[r#"
            {} 1:1
              a: Some("1") 1:4
              b: {} 3:3
                c: Some("2") 3:6
                d: [] 4:6
                  - Some("1") 4:7
            error 5:2: illegal placement of ':' indicator
        "#]],
    );
}

#[test]
fn several_documents_have_a_root_each() {
    check(
        &read_yaml("a: 1\n---\n- 2\n...\n---\n"),
        expect![[r#"
            {} 1:1
              a: Some("1") 1:4
            [] 3:1
              - Some("2") 3:3
            None 5:4
        "#]],
    );
}

#[test]
fn a_repeated_key_is_reported_and_its_last_value_counts() {
    check(
        &read_yaml("a: 1\nb: 2\na: 3\n"),
        expect![[r#"
            {} 1:1
              a: Some("3") 3:4
              b: Some("2") 2:4
            error 3:1: the key `a` is repeated: its last value counts
        "#]],
    );
}

#[test]
fn merge_keys_bring_what_the_mapping_does_not_have() {
    check(
        &read_yaml("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz:\n  <<: [*x, *y]\n  a: 5\n"),
        expect![[r#"
            {} 1:1
              x: {} 1:7
                a: Some("1") 1:11
                b: Some("2") 1:17
              y: {} 2:7
                b: Some("3") 2:11
                c: Some("4") 2:17
              z: {} 4:3
                a: Some("5") 5:6
                b: Some("2") 1:17
                c: Some("4") 2:17
        "#]],
    );
}

#[test]
fn an_alias_without_an_anchor_is_reported() {
    check(
        &read_yaml("a: *x\nb: &x 1\n"),
        expect![[r#"
            {} 1:1
              a: None 1:4
              b: Some("1") 2:7
            error 1:4: no anchor `x` is before this alias
        "#]],
    );
}

#[test]
fn a_template_is_named_as_such() {
    check(
        &read_yaml("kind: Deployment\n{{- if .Values.x }}\nname: {{ .Values.name }}\n"),
        expect![[r#"
            {} 1:1
              kind: Some("Deployment") 1:7
            error 2:3: "-" is only valid inside a block; it has `{{`: a template is no YAML until it is filled in
        "#]],
    );
}

#[test]
fn aliases_in_aliases_end_after_a_hundred_thousand_nodes() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let elements = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(text, "a{level}: &a{level} [{elements}]").unwrap();
    }
    let tree = read_yaml(&text);
    assert!(tree.errors.is_empty());
    let reader = Reader::new(&tree);
    fn count(value: Value<'_>) -> usize {
        1 + value.items().into_iter().map(count).sum::<usize>()
    }
    let values = reader.roots().next().unwrap().entries();
    let counted: usize = values.into_iter().map(|(_, value)| count(value)).sum();
    assert!(counted <= 101_000, "{counted}");
    assert!(reader.is_cut());
}

#[test]
fn a_node_that_contains_itself_ends() {
    let tree = read_yaml("a: &a\n  <<: *a\n  b: *a\n");
    let reader = Reader::new(&tree);
    let mut value = reader.roots().next().unwrap().get("a");
    let mut depth = 0;
    while let Some(inner) = value {
        value = inner.get("b");
        depth += 1;
    }
    assert!(depth > 1_000, "{depth}");
    assert!(reader.is_cut());
}

#[test]
fn nesting_beyond_the_bound_is_an_error() {
    for text in [
        "[".repeat(20_000),
        "- ".repeat(20_000),
        "{a: ".repeat(20_000),
    ] {
        let tree = read_yaml(&text);
        assert_eq!(tree.errors.len(), 1, "{:?}", tree.errors);
        assert!(tree.len() < 1_000);
    }
}

#[test]
fn a_mapping_of_many_keys_is_read_in_time() {
    let mut text = String::new();
    for key in 0..100_000 {
        writeln!(text, "k{key}: {key}").unwrap();
    }
    let tree = read_yaml(&text);
    assert!(tree.errors.is_empty());
    assert_eq!(tree.len(), 200_001);
}

#[test]
fn a_comment_changes_ranges_alone() {
    let print_without_positions = |tree: &Tree| {
        let printed = print(tree);
        let lines = printed.lines().map(|line| line.rsplit_once(' ').unwrap().0);
        lines.collect::<Vec<_>>().join("\n")
    };
    let plain = read_yaml("a: 1\nb: [2]\n");
    let commented = read_yaml("# x\na: 1 # y\n\nb:\n  # z\n  - 2\n");
    assert_ne!(print(&plain), print(&commented));
    assert_eq!(
        print_without_positions(&plain),
        print_without_positions(&commented)
    );
}
