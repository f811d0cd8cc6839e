//! What holds for any diagram.

use codeweft_diagrams::{
    Cell, Column, Diagram, Direction, Edge, EdgeStyle, Fact, Format, Node, Page, Row, Section,
    Table, Tile, Treemap, fold, page_html, render, svg,
};
use proptest::prelude::*;

/// Texts that mean something to one of the formats, and any others.
fn label() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("end".to_owned()),
        Just("</script><script>alert(1)</script>".to_owned()),
        Just("<!-- --> ]]> <![CDATA[ \" ' ` #quot; &amp; &#60;".to_owned()),
        Just("a\\\"];\n%% x --> y\\N{}|\\".to_owned()),
        Just("\u{202e}名前 🦀 e\u{301}\u{0}\u{7f}\u{2028}".to_owned()),
        any::<String>(),
    ]
}

fn group() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        proptest::collection::vec("[a-c]", 1..5).prop_map(|parts| parts.join("/")),
        label(),
    ]
}

fn diagram(most: usize) -> impl Strategy<Value = Diagram> {
    let node = (
        label(),
        group(),
        0..3usize,
        proptest::option::of(0..100_000u64),
    );
    (
        proptest::collection::vec(node, 1..most),
        label(),
        any::<bool>(),
    )
        .prop_flat_map(|(nodes, title, right)| {
            let count = nodes.len();
            let style = prop_oneof![
                Just(EdgeStyle::Solid),
                Just(EdgeStyle::Dashed),
                Just(EdgeStyle::Highlighted)
            ];
            let edge = (
                0..count,
                0..count,
                1..2000u64,
                prop_oneof![Just(String::new()), label()],
                style,
            );
            proptest::collection::vec(edge, 0..count * 3).prop_map(move |edges| Diagram {
                title: title.clone(),
                direction: if right {
                    Direction::Right
                } else {
                    Direction::Down
                },
                nodes: nodes
                    .iter()
                    .enumerate()
                    .map(|(at, (label, group, kind, lines))| Node {
                        id: format!("{at}{label}"),
                        label: label.clone(),
                        group: group.clone(),
                        kind: ["package", "function", "</i>"][*kind].to_owned(),
                        lines: *lines,
                        facts: vec![Fact::new(label, label)],
                        holds: 0,
                    })
                    .collect(),
                edges: edges
                    .into_iter()
                    .map(|(from, to, count, label, style)| Edge {
                        from,
                        to,
                        count,
                        label,
                        style,
                    })
                    .collect(),
                ..Diagram::default()
            })
        })
}

/// Checks that tags close in order and that all text is escaped; returns the texts of JSON scripts.
fn check_markup(text: &str) -> Vec<&str> {
    let mut open = Vec::new();
    let mut data = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (between, tag) = rest.split_at(at);
        assert!(!between.contains(['"', '\'', '>']), "unescaped: {between}");
        let end = tag.find('>').expect("a tag ends");
        let inner = &tag[1..end];
        rest = &tag[end + 1..];
        let name = inner
            .split([' ', '/', '\n'])
            .find(|name| !name.is_empty())
            .expect("a name");
        if inner.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closes in order");
        } else if name == "style" || name == "script" {
            let close = rest.find(&format!("</{name}>")).expect("it is closed");
            if inner.contains("json") {
                data.push(&rest[..close]);
            }
            rest = &rest[close + name.len() + 3..];
        } else if !inner.ends_with('/') && !["!doctype", "meta", "input"].contains(&name) {
            open.push(name);
        }
        // Attributes are quoted, so their number of quotes is even and none has a quote inside.
        assert_eq!(inner.matches('"').count() % 2, 0, "{inner}");
    }
    assert_eq!(open, [""; 0]);
    let allowed =
        |letter: char| letter >= ' ' && letter != '\u{7f}' || letter == '\n' || letter == '\t';
    assert!(text.chars().all(allowed), "XML has no control characters");
    data
}

/// The boxes of a drawing: `(x, y, width, height)`.
fn boxes(svg: &str) -> Vec<[f64; 4]> {
    let after = |text: &str, mark: &str| -> Vec<f64> {
        let begin = text.find(mark).expect("it has the attribute") + mark.len();
        let numbers = text[begin..].split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
        numbers
            .take(2)
            .map(|number| number.parse().unwrap_or(0.0))
            .collect()
    };
    let groups = svg.split("<g class=\"n ").skip(1);
    groups
        .map(|group| {
            let at = after(group, "transform=\"translate(");
            let rect = &group[group.find("<rect class=\"b\"").expect("a rect")..];
            [
                at[0],
                at[1],
                after(rect, "width=\"")[0],
                after(rect, "height=\"")[0],
            ]
        })
        .collect()
}

fn check_no_overlap(boxes: &[[f64; 4]]) {
    for (at, one) in boxes.iter().enumerate() {
        for other in &boxes[at + 1..] {
            let apart = |axis: usize| {
                one[axis] + one[axis + 2] < other[axis] || other[axis] + other[axis + 2] < one[axis]
            };
            assert!(apart(0) || apart(1), "{one:?} overlaps {other:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_format_escapes_any_label(diagram in diagram(14), max in 1..16usize) {
        for format in [Format::Svg, Format::Html] {
            let text = render(&diagram, format, max).text;
            for data in check_markup(&text) {
                let parsed: serde_json::Value = serde_json::from_str(data).expect("JSON");
                for (node, item) in diagram.nodes.iter().zip(parsed["items"].as_array().expect("items")) {
                    prop_assert_eq!(item[8].as_str(), Some(&*node.label));
                }
            }
        }
        let mermaid = render(&diagram, Format::Mermaid, max).text;
        for line in mermaid.lines().filter(|line| line.starts_with("    ") && !line.contains("%%")) {
            // Every line is of our own syntax, with labels in quotes that hold no syntax.
            let quotes = line.matches('"').count();
            prop_assert!(quotes == 0 || quotes == 2, "{}", line);
            let label = line.split('"').nth(1).unwrap_or("");
            let label = label.replace("<br>", "");
            prop_assert!(!label.contains(['<', '>', '[', ']', '|', '`', '{', '}', '\\']), "{}", line);
        }
        let dot = render(&diagram, Format::Dot, max).text;
        let mut escaped = false;
        let mut quoted = false;
        for letter in dot.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n").chars() {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quoted = !quoted,
                '\n' => prop_assert!(!quoted, "a string ends on its line"),
                _ => {}
            }
        }
        prop_assert!(!quoted && !escaped);
    }

    #[test]
    fn folding_keeps_nodes_and_counts_and_fits(diagram in diagram(40), max in 1..30usize) {
        let folded = fold(&diagram, max);
        prop_assert!(folded.diagram.nodes.len() <= max.max(1));
        let held: usize = folded.diagram.nodes.iter().map(|node| node.holds.max(1)).sum();
        prop_assert_eq!(held, diagram.nodes.len());
        let sum = |edges: &[Edge]| edges.iter().map(|edge| edge.count).sum::<u64>();
        let inner: u64 = folded.groups.iter().map(|group| group.inner_count).sum();
        prop_assert_eq!(sum(&folded.diagram.edges) + inner, sum(&diagram.edges));
        prop_assert_eq!(folded.groups.is_empty(), diagram.nodes.len() <= max);
        prop_assert_eq!(folded.note().is_some(), !folded.groups.is_empty());
        for group in &folded.groups {
            prop_assert_eq!(folded.diagram.nodes[group.node].holds, group.nodes.len());
        }
        let mut ids: Vec<&str> = folded.diagram.nodes.iter().map(|node| node.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), folded.diagram.nodes.len());
    }

    #[test]
    fn no_boxes_overlap(diagram in diagram(40), max in 1..50usize) {
        check_no_overlap(&boxes(&svg(&fold(&diagram, max))));
        check_no_overlap(&boxes(&render(&diagram, Format::Html, max).text));
    }

    #[test]
    fn equal_diagrams_give_equal_texts(diagram in diagram(20), max in 1..25usize) {
        for format in Format::ALL {
            prop_assert_eq!(render(&diagram, format, max), render(&diagram.clone(), format, max));
        }
    }

    #[test]
    fn pages_escape_any_text(diagram in diagram(6), names in proptest::collection::vec(label(), 1..12)) {
        let tiles = names.iter().enumerate().map(|(at, name)| Tile {
            label: name.clone(),
            size: at as u64 * 7,
            ties: at as u64 % 3,
            node: Some(name.clone()),
        });
        let rows = names.iter().map(|name| Row {
            cells: vec![Cell::Text(name.clone()), Cell::Number(3)],
            node: Some(name.clone()),
        });
        let page = Page {
            title: names[0].clone(),
            sections: vec![
                Section::Treemap(Treemap {
                    title: names[0].clone(),
                    tiles: tiles.collect(),
                    unit: names[0].clone(),
                    ties: names[0].clone(),
                    max_tiles: 6,
                }),
                Section::Diagram(diagram, 4),
                Section::Table(Table {
                    title: names[0].clone(),
                    columns: vec![
                        Column { name: names[0].clone(), bars: false },
                        Column { name: "n".to_owned(), bars: true },
                    ],
                    rows: rows.collect(),
                    max_rows: 5,
                }),
            ],
        };
        let html = page_html(&page);
        check_markup(&html);
        let more = names.len().saturating_sub(5);
        prop_assert_eq!(html.contains(" more, not listed here."), more > 0);
    }
}
