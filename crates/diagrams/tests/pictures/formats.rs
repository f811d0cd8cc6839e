//! A small diagram in every format, and Graphviz reading ours.

use std::io::Write;
use std::process::{Command, Stdio};

use codeweft_diagrams::{Diagram, Edge, Format, MAX_NODES, Node, dot, fold, mermaid, render};
use expect_test::{expect, expect_file};

use crate::gallery;

fn text(diagram: &Diagram, format: Format) -> String {
    render(diagram, format, MAX_NODES).text
}

#[test]
fn mermaid_of_a_small_diagram() {
    expect![[r#"
        ---
        title: "Packages of consul"
        ---
        flowchart TD
            subgraph g0["cmd"]
                n0["agent"]
                n1["consul"]
            end
            subgraph g1["internal"]
                n2["store"]
                n3["server"]
                n4["raft"]
                n7["state"]
            end
            subgraph g2["pkg"]
                n5["codec"]
                n6["log"]
            end
            n8["api"]
            n9["examples<br>docs"]
            n0 -->|"14"| n3
            n1 -->|"3"| n0
            n3 -->|"220"| n2
            n3 -->|"31"| n4
            n4 -->|"9"| n2
            n2 -->|"55"| n7
            n7 -->|"12"| n5
            n4 -->|"40"| n6
            n3 -->|"102"| n6
            n0 -->|"7"| n6
            n8 --> n3
            n8 --> n5
            n7 ==>|"closes the cycle"| n3
            n5 -.-> n6
            n2 -->|"4"| n2
            linkStyle 12 stroke:#c2500c
    "#]]
    .assert_eq(&text(&gallery::small(), Format::Mermaid));
}

#[test]
fn dot_of_a_small_diagram() {
    expect![[r##"
        digraph {
            label="Packages of consul"
            labelloc=t
            rankdir=TB
            newrank=true
            graph [fontname="Helvetica,Arial,sans-serif", color="#d3d8e0"]
            node [shape=box, style=rounded, fontname="Helvetica,Arial,sans-serif", color="#667085"]
            edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, color="#9aa5b4"]
            subgraph cluster_0 {
                label="cmd"
                n0 [label="agent", tooltip="cmd/agent"]
                n1 [label="consul", tooltip="cmd/consul"]
            }
            subgraph cluster_1 {
                label="internal"
                n2 [label="store", tooltip="internal/store"]
                n3 [label="server", tooltip="internal/server"]
                n4 [label="raft", tooltip="internal/raft"]
                n7 [label="state", tooltip="internal/state"]
            }
            subgraph cluster_2 {
                label="pkg"
                n5 [label="codec", tooltip="pkg/codec"]
                n6 [label="log", tooltip="pkg/log"]
            }
            n8 [label="api", tooltip="api"]
            n9 [label="examples\ndocs", tooltip="docs/examples"]
            n0 -> n3 [label="14"]
            n1 -> n0 [label="3"]
            n3 -> n2 [label="220"]
            n3 -> n4 [label="31"]
            n4 -> n2 [label="9"]
            n2 -> n7 [label="55"]
            n7 -> n5 [label="12"]
            n4 -> n6 [label="40"]
            n3 -> n6 [label="102"]
            n0 -> n6 [label="7"]
            n8 -> n3
            n8 -> n5
            n7 -> n3 [label="closes the cycle", color="#c2500c", penwidth=2]
            n5 -> n6 [style=dashed]
            n2 -> n2 [label="4"]
        }
    "##]]
    .assert_eq(&text(&gallery::small(), Format::Dot));
}

/// The text without the styles and the script, which have files of their own.
fn without_assets(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(begin) = ["<style>", "<script>"]
        .iter()
        .filter_map(|tag| rest.find(tag))
        .min()
    {
        let inner = begin + rest[begin..].find('>').expect("a tag ends") + 1;
        let end = inner + rest[inner..].find("</").expect("an element ends");
        kept += &rest[..inner];
        rest = &rest[end..];
    }
    (kept + rest).replace("><", ">\n<")
}

#[test]
fn svg_of_a_small_diagram() {
    let svg = text(&gallery::small(), Format::Svg);
    expect_file!["snapshots/small.svg.txt"].assert_eq(&without_assets(&svg));
}

#[test]
fn html_of_a_small_diagram() {
    let html = text(&gallery::small(), Format::Html);
    expect_file!["snapshots/small.html.txt"].assert_eq(&without_assets(&html));
}

/// Two folders with two nodes each, and one node outside.
fn folders() -> Diagram {
    let node = |id: &str| {
        let (group, label) = id.rsplit_once('/').unwrap_or(("", id));
        Node {
            id: id.to_owned(),
            label: label.to_owned(),
            group: group.to_owned(),
            kind: "package".to_owned(),
            lines: Some(10),
            ..Node::default()
        }
    };
    let edge = |from, to, count| Edge {
        from,
        to,
        count,
        ..Edge::default()
    };
    Diagram {
        title: "Folders".to_owned(),
        nodes: ["main", "a/x", "a/y", "a/deep/z", "a/deep/w"]
            .map(node)
            .to_vec(),
        edges: vec![
            edge(0, 1, 1),
            edge(1, 3, 2),
            edge(2, 4, 3),
            edge(3, 4, 4),
            edge(4, 0, 5),
        ],
        ..Diagram::default()
    }
}

#[test]
fn the_deepest_folder_is_folded_first_and_the_text_says_so() {
    let folded = fold(&folders(), 4);
    let names = folded.diagram.nodes.iter().map(|node| node.id.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["main", "a/x", "a/y", "a/deep/"]);
    expect![[r#"
        ---
        title: "Folders"
        ---
        flowchart TD
            %% Folded: 2 of 5 nodes are in 1 folder; 4 nodes are drawn.
            subgraph g0["a"]
                n1["x"]
                n2["y"]
                n3[["deep/<br>2 nodes"]]
            end
            n0["main"]
            n0 --> n1
            n1 -->|"2"| n3
            n2 -->|"3"| n3
            n3 -->|"5"| n0
    "#]]
    .assert_eq(&mermaid(&folded));

    let folded = fold(&folders(), 3);
    expect![[r##"
        // Folded: 4 of 5 nodes are in 1 folder; 2 nodes are drawn.
        digraph {
            label="Folders"
            labelloc=t
            rankdir=TB
            newrank=true
            graph [fontname="Helvetica,Arial,sans-serif", color="#d3d8e0"]
            node [shape=box, style=rounded, fontname="Helvetica,Arial,sans-serif", color="#667085"]
            edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, color="#9aa5b4"]
            n0 [label="main", tooltip="main"]
            n1 [label="a/\n4 nodes", tooltip="a/", shape=folder, style=""]
            n0 -> n1
            n1 -> n0 [label="5"]
        }
    "##]]
    .assert_eq(&dot(&folded));
}

#[test]
fn nodes_that_no_folder_holds_become_one_in_the_end() {
    let mut diagram = folders();
    for node in &mut diagram.nodes {
        node.group.clear();
    }
    let folded = fold(&diagram, 3);
    // Those with the most edges stay, the first of equals.
    let names = folded.diagram.nodes.iter().map(|node| node.label.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["main", "3 more", "w"]);
    assert_eq!(
        folded.note().as_deref(),
        Some("Folded: 3 of 5 nodes are in one node for 3 more; 3 nodes are drawn.")
    );
}

#[test]
fn folders_may_be_absolute() {
    let mut diagram = folders();
    for (node, group) in diagram
        .nodes
        .iter_mut()
        .zip(["/usr/lib", "/usr/lib", "/usr", "//", "/"])
    {
        node.group = group.to_owned();
    }
    let folded = fold(&diagram, 4);
    assert_eq!(folded.groups[0].group, "/usr/lib");
    assert!(text(&diagram, Format::Html).contains("</html>"));
    assert!(render(&diagram, Format::Html, 2).text.contains("usr/"));
}

#[test]
fn every_format_says_what_was_folded() {
    let diagram = gallery::large(400, 900, 60);
    for format in Format::ALL {
        let rendered = render(&diagram, format, MAX_NODES);
        assert!(!rendered.groups.is_empty());
        let said = rendered.text.contains("of 400 nodes are in");
        assert!(said, "{} says what it folded", format.name());
    }
}

#[test]
fn graphviz_reads_dot() {
    let Ok(version) = Command::new("dot").arg("-V").output() else {
        println!("skipped: Graphviz is not installed (apt-get install graphviz)");
        return;
    };
    assert!(version.status.success());
    let mut odd = gallery::small();
    odd.title = "\"quoted\" \\N &amp; <b>\nend".to_owned();
    odd.nodes[0].label = "\\\"}];\n<table> &lt; ünï 名前 🦀 \u{0}\\".to_owned();
    odd.nodes[1].group = "a\"b\\".to_owned();
    odd.nodes[2].group = "a\"b\\".to_owned();
    for diagram in [gallery::small(), odd, gallery::large(400, 900, 60)] {
        let mut graphviz = Command::new("dot")
            .arg("-Tplain")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("dot starts");
        let text = text(&diagram, Format::Dot);
        let mut stdin = graphviz.stdin.take().expect("a pipe");
        stdin.write_all(text.as_bytes()).expect("dot reads");
        drop(stdin);
        let output = graphviz.wait_with_output().expect("dot ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && !errors.contains("syntax"),
            "{errors}\n{text}"
        );
        let nodes = String::from_utf8_lossy(&output.stdout);
        let nodes = nodes
            .lines()
            .filter(|line| line.starts_with("node "))
            .count();
        assert_eq!(nodes, fold(&diagram, MAX_NODES).diagram.nodes.len());
    }
}

/// The CRC of POSIX `cksum`.
fn cksum(bytes: &[u8]) -> u32 {
    // The length follows, its lowest byte first, without leading zeros.
    let count = (usize::BITS - bytes.len().leading_zeros()).div_ceil(8) as usize;
    let length = &bytes.len().to_le_bytes()[..count];
    let mut crc = 0_u32;
    for byte in bytes.iter().chain(length) {
        crc ^= u32::from(*byte) << 24;
        for _ in 0..8 {
            crc = (crc << 1) ^ if crc >> 31 == 1 { 0x04c1_1db7 } else { 0 };
        }
    }
    !crc
}

#[test]
fn the_script_of_pages_is_that_of_its_source_and_is_short() {
    let source = include_bytes!("../../src/page/page.js");
    let short = include_str!("../../src/page/page.min.js");
    let (about, script) = short.split_once('\n').expect("two lines");
    let expected = format!("// page.js {} {}", cksum(source), source.len());
    assert_eq!(about, expected, "run crates/diagrams/src/page/shorten.sh");
    assert!(script.len() < 8192, "the script has {} bytes", script.len());
    assert!(
        !script.contains("</"),
        "no part of the script ends its element"
    );
}
