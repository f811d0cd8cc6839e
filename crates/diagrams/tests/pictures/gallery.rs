//! Diagrams as code bases have them, made by a seeded generator.

use codeweft_diagrams::{
    Cell, Column, Diagram, Direction, Edge, EdgeStyle, Fact, Node, Page, Row, Section, Table, Tile,
    Treemap,
};

/// A sequence of numbers that is the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn node(id: &str, kind: &str, lines: u64) -> Node {
    let (group, label) = id.rsplit_once('/').unwrap_or(("", id));
    Node {
        id: id.to_owned(),
        label: label.to_owned(),
        group: group.to_owned(),
        kind: kind.to_owned(),
        lines: Some(lines),
        facts: vec![
            Fact::new("file", format!("{id}/{label}.go:12")),
            Fact::new("lines", lines.to_string()),
        ],
        holds: 0,
    }
}

fn edge(from: usize, to: usize, count: u64) -> Edge {
    Edge {
        from,
        to,
        count,
        ..Edge::default()
    }
}

/// Ten packages with a cycle, a dashed edge, a node by itself and labels.
pub fn small() -> Diagram {
    let ids = [
        ("cmd/agent", "package", 1204),
        ("cmd/consul", "package", 88),
        ("internal/store", "package", 3310),
        ("internal/server", "package", 5120),
        ("internal/raft", "package", 2740),
        ("pkg/codec", "package", 420),
        ("pkg/log", "package", 260),
        ("internal/state", "interface", 990),
        ("api", "function", 35),
        ("docs/examples", "test", 61),
    ];
    let mut edges = vec![
        edge(0, 3, 14),
        edge(1, 0, 3),
        edge(3, 2, 220),
        edge(3, 4, 31),
        edge(4, 2, 9),
        edge(2, 7, 55),
        edge(7, 5, 12),
        edge(4, 6, 40),
        edge(3, 6, 102),
        edge(0, 6, 7),
        edge(8, 3, 1),
        edge(8, 5, 1),
    ];
    edges.push(Edge {
        label: "closes the cycle".to_owned(),
        style: EdgeStyle::Highlighted,
        ..edge(7, 3, 2)
    });
    edges.push(Edge {
        style: EdgeStyle::Dashed,
        ..edge(5, 6, 1)
    });
    edges.push(edge(2, 2, 4));
    Diagram {
        title: "Packages of consul".to_owned(),
        direction: Direction::Down,
        nodes: ids
            .iter()
            .map(|(id, kind, lines)| node(id, kind, *lines))
            .collect(),
        edges,
        ..Diagram::default()
    }
}

/// Folders from the left to the right.
pub fn right() -> Diagram {
    Diagram {
        direction: Direction::Right,
        ..large(120, 160, 24)
    }
}

/// Names that mean something to HTML, and scripts of several writings.
pub fn odd() -> Diagram {
    let mut diagram = small();
    let names = [
        "</script><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "名前の長い関数名前の長い関数名前の長い関数",
        "🦀🦀🦀 ünïcödé\nsecond line",
        "&lt;b&gt; <!-- ]]>",
        "a name that is much longer than any box may be in a drawing",
        "WWWWWWWWWWWWWWMMMMMMMMMM@@@@@@",
        "'; alert(1); '",
        "\u{0}\u{7f}\u{2028}\u{202e}abc",
        "${alert(1)} `",
    ];
    for (node, name) in diagram.nodes.iter_mut().zip(names) {
        node.label = name.to_owned();
        node.id = format!("{}/{name}", node.group);
        node.facts.push(Fact::new(name, name));
    }
    diagram.title = names[0].to_owned();
    diagram
}

const WORDS: [&str; 24] = [
    "store", "raft", "server", "agent", "codec", "session", "watch", "token", "policy", "catalog",
    "health", "proxy", "config", "router", "limits", "metrics", "plugin", "shard", "index",
    "lease", "queue", "schema", "replica", "auth",
];

/// A diagram of so many packages in folders up to four deep, with edges mostly to what is near.
pub fn large(nodes: usize, edges: usize, folders: usize) -> Diagram {
    let mut random = Random::new(7);
    let mut paths: Vec<String> = ["cmd", "internal", "pkg", "api", "tools"]
        .map(str::to_owned)
        .to_vec();
    while paths.len() < folders {
        let base = paths[random.below(paths.len())].clone();
        let path = format!("{base}/{}", WORDS[random.below(WORDS.len())]);
        if path.matches('/').count() < 4 && !paths.contains(&path) {
            paths.push(path);
        }
    }
    let kinds = [
        "package",
        "package",
        "package",
        "function",
        "struct",
        "interface",
        "test",
    ];
    let mut ids: Vec<String> = (0..nodes)
        .map(|at| {
            let folder = &paths[random.below(paths.len())];
            format!("{folder}/{}{at}", WORDS[random.below(WORDS.len())])
        })
        .collect();
    ids.sort();
    let mut all: Vec<Edge> = (0..edges)
        .map(|_| {
            let from = random.below(nodes);
            let near = (from + 1 + random.below(nodes / 20 + 2)) % nodes;
            let far = random.below(nodes).max(random.below(nodes)).max(from);
            let to = if random.below(4) > 0 { near } else { far };
            edge(from, to, 1 + random.below(30) as u64)
        })
        .collect();
    for edge in &mut all {
        if edge.to < edge.from {
            edge.style = EdgeStyle::Highlighted;
        } else if random.below(12) == 0 {
            edge.style = EdgeStyle::Dashed;
        }
    }
    Diagram {
        title: format!("A workspace of {nodes} packages"),
        direction: Direction::Down,
        nodes: ids
            .iter()
            .map(|id| {
                let skewed = random.below(60) * random.below(60) + 20;
                node(id, kinds[random.below(kinds.len())], skewed as u64)
            })
            .collect(),
        edges: all,
        ..Diagram::default()
    }
}

/// The overview of a workspace.
pub fn overview() -> Page {
    let diagram = large(300, 700, 60);
    let mut ties = vec![0; diagram.nodes.len()];
    for edge in &diagram.edges {
        ties[edge.from] += edge.count;
        ties[edge.to] += edge.count;
    }
    let tiles = diagram.nodes.iter().zip(&ties).map(|(node, ties)| Tile {
        label: node.label.clone(),
        size: node.lines.unwrap_or(0),
        ties: *ties,
        node: Some(node.id.clone()),
    });
    let mut rows: Vec<Row> = diagram
        .nodes
        .iter()
        .zip(&ties)
        .map(|(node, ties)| Row {
            cells: vec![
                Cell::Text(node.id.clone()),
                Cell::Text(node.kind.clone()),
                Cell::Number(node.lines.unwrap_or(0)),
                Cell::Number(*ties),
            ],
            node: Some(node.id.clone()),
        })
        .collect();
    rows.sort_by_key(|row| match row.cells[3] {
        Cell::Number(ties) => std::cmp::Reverse(ties),
        Cell::Text(_) => std::cmp::Reverse(0),
    });
    let column = |name: &str, bars| Column {
        name: name.to_owned(),
        bars,
    };
    Page {
        title: "Map of example.org/consul".to_owned(),
        sections: vec![
            Section::Treemap(Treemap {
                title: "Packages by size".to_owned(),
                tiles: tiles.collect(),
                unit: "lines".to_owned(),
                ties: "imports".to_owned(),
                max_tiles: 200,
            }),
            Section::Diagram(
                Diagram {
                    title: "Imports".to_owned(),
                    ..diagram
                },
                150,
            ),
            Section::Table(Table {
                title: "Hotspots".to_owned(),
                columns: vec![
                    column("Package", false),
                    column("Kind", false),
                    column("Lines", true),
                    column("Imports", true),
                ],
                rows,
                max_rows: 100,
            }),
        ],
    }
}
