//! Reading and checking requests.

use expect_test::expect;

use crate::answer::{CheckedRequest, FIELDS, FieldDefault, GraphRequest, Operation, RequestFields};

fn read(json: &str) -> Result<GraphRequest, String> {
    let request: Result<CheckedRequest, _> = serde_json::from_str(json);
    request
        .map(|request| GraphRequest::clone(&request))
        .map_err(|error| error.to_string())
}

#[test]
fn defaults_are_filled_in_and_depth_has_its_own_for_some_operations() {
    let plain = read(r#"{"operation": "callers", "target": "f"}"#).unwrap();
    assert_eq!(plain, GraphRequest::new(Operation::Callers, "f"));
    expect![[r#"
        GraphRequest {
            operation: Callers,
            target: "f",
            to: "",
            scope: "",
            exclude_patterns: [],
            within: All,
            include_context: true,
            context_lines: 3,
            depth: 1,
            max_results: 100,
            max_per_level: 50,
            change_type: Signature,
            diff: false,
            include_unresolved: false,
            include_literal_calls: false,
            include_tests: true,
        }"#]]
    .assert_eq(&format!("{plain:#?}"));
    let depth = |operation| GraphRequest::new(operation, "f").depth;
    assert_eq!(depth(Operation::Impact), 3);
    assert_eq!(depth(Operation::Path), 10);
}

#[test]
fn null_means_the_default() {
    let plain = read(r#"{"operation": "callers", "target": "f", "depth": null, "scope": null}"#);
    assert_eq!(plain.unwrap(), GraphRequest::new(Operation::Callers, "f"));
}

#[test]
fn errors_name_field_value_and_bounds() {
    let mut text = String::new();
    for json in [
        r#"{"operation": "callers", "target": "f", "depth": 11}"#,
        r#"{"operation": "callers", "target": "f", "depth": 0}"#,
        r#"{"operation": "callers", "target": "f", "depth": -1}"#,
        r#"{"operation": "callers", "target": "f", "max_results": 501}"#,
        r#"{"operation": "callers", "target": "f", "max_per_level": 101}"#,
        r#"{"operation": "callers", "target": "f", "context_lines": 21}"#,
        r#"{"operation": "callers", "target": "f", "dept": 1}"#,
        r#"{"operation": "call", "target": "f"}"#,
        r#"{"operation": "callers"}"#,
        r#"{"operation": "callers", "target": " "}"#,
        r#"{"operation": "path", "target": "f"}"#,
        r#"{"operation": "callers", "target": "f", "depth": 2, "max_depth": 3}"#,
    ] {
        text.push_str(&read(json).unwrap_err());
        text.push('\n');
    }
    expect![[r#"
        depth: 11 is out of bounds 1 to 10
        depth: 0 is out of bounds 1 to 10
        depth: -1 is out of bounds 1 to 10
        max_results: 501 is out of bounds 1 to 500
        max_per_level: 101 is out of bounds 1 to 100
        context_lines: 21 is out of bounds 0 to 20
        unknown field `dept`, expected one of `operation`, `target`, `to`, `scope`, `exclude_patterns`, `within`, `include_context`, `context_lines`, `depth`, `max_depth`, `max_results`, `max_per_level`, `change_type`, `diff`, `include_unresolved`, `include_literal_calls`, `include_tests` at line 1 column 46
        unknown variant `call`, expected one of `callers`, `callees`, `dependencies`, `dependents`, `type_usages`, `implementations`, `implements`, `references`, `definition`, `impact`, `path`, `search`, `outline` at line 1 column 20
        missing field `target` at line 1 column 24
        target: must not be empty
        to: is required by path
        depth: 2 and max_depth: 3 name the same field and differ
    "#]].assert_eq(&text);
}

#[test]
fn an_end_that_the_operation_does_not_take_is_an_error() {
    let given = r#"{"operation": "callers", "target": "f", "to": "g"}"#;
    expect!["to: callers does not take it; only path does"].assert_eq(&read(given).unwrap_err());
}

#[test]
fn fields_that_the_operation_does_not_take_are_named_unless_they_have_their_defaults() {
    let mut text = String::new();
    for json in [
        r#"{"operation": "callers", "target": "f", "depth": 2, "max_per_level": 1}"#,
        r#"{"operation": "definition", "target": "f", "change_type": "removal"}"#,
        r#"{"operation": "references", "target": "f", "depth": 2, "include_unresolved": true}"#,
        r#"{"operation": "implements", "target": "f", "max_depth": 2}"#,
        r#"{"operation": "type_usages", "target": "f", "max_per_level": 1}"#,
        r#"{"operation": "path", "target": "f", "to": "g", "include_unresolved": true}"#,
        // As clients send that fill in every default of the schema.
        r#"{"operation": "definition", "target": "f", "to": "", "change_type": "signature",
            "depth": 1, "max_per_level": 50, "include_unresolved": false}"#,
    ] {
        let request = read(json).unwrap();
        text.push_str(&format!(
            "{}: {:?}\n",
            request.operation.wire_name(),
            request.unused_fields()
        ));
    }
    expect![[r#"
        callers: []
        definition: ["change_type"]
        references: ["depth"]
        implements: ["depth"]
        type_usages: ["max_per_level"]
        path: ["include_unresolved"]
        definition: []
    "#]]
    .assert_eq(&text);
}

#[test]
fn max_depth_is_an_alias_of_depth() {
    let both = read(r#"{"operation": "callers", "target": "f", "depth": 2, "max_depth": 2}"#);
    let other = read(r#"{"operation": "callers", "target": "f", "max_depth": 2}"#);
    assert_eq!(both.unwrap().depth, 2);
    assert_eq!(other.unwrap().depth, 2);
}

#[test]
fn a_request_survives_serialization() {
    let request = GraphRequest {
        scope: "a".into(),
        exclude_patterns: vec!["b".into()],
        ..GraphRequest::new(Operation::Impact, "f")
    };
    let json = serde_json::to_string(&request).unwrap();
    assert_eq!(read(&json).unwrap(), request);
}

#[test]
fn the_table_of_fields_matches_the_request() {
    let request = GraphRequest::new(Operation::Callers, "f");
    let json = serde_json::to_value(&request).unwrap();
    let names: Vec<&str> = json.as_object().unwrap().keys().map(|key| &**key).collect();
    let table: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(names, table);
    for field in FIELDS {
        let default: serde_json::Value = match field.default {
            FieldDefault::Number(number) => number.into(),
            FieldDefault::Flag(flag) => flag.into(),
            FieldDefault::Word(word) => word.into(),
            FieldDefault::Empty | FieldDefault::Required | FieldDefault::OfOperation => continue,
        };
        assert_eq!(json[field.name], default, "{}", field.name);
    }
}

#[test]
fn rows_of_operations_name_fields_of_the_request() {
    let mut text = String::new();
    for field in FIELDS {
        let names = Operation::operations(field.name);
        let others = Operation::other_defaults(field.name);
        let others: Vec<String> = others
            .iter()
            .map(|(operation, number)| format!("{operation} {number}"))
            .collect();
        if !(names.is_empty() && others.is_empty()) {
            text.push_str(&format!(
                "{}: only {names:?}, defaults {others:?}\n",
                field.name
            ));
        }
    }
    expect![[r#"
        to: only ["path"], defaults []
        depth: only ["callers", "callees", "dependencies", "dependents", "impact", "path", "outline"], defaults ["impact 3", "path 10", "outline 2"]
        max_per_level: only ["callers", "callees", "dependencies", "dependents", "impact", "path"], defaults []
        change_type: only ["impact"], defaults []
        diff: only ["impact"], defaults []
        include_unresolved: only ["callers", "callees", "type_usages", "references", "impact"], defaults []
        include_literal_calls: only ["callers", "callees"], defaults []
    "#]]
    .assert_eq(&text);
}
