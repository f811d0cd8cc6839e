//! The page of a workspace: packages by size and ties, what is called and used most, cycles of imports, what is
//! believed unused.

use std::collections::BTreeSet;

use codeweft_diagrams::{
    Cell, Column, Diagram, Direction, EdgeStyle, MAX_NODES, Page, Row, Section, Table, Tile,
    Treemap,
};
use codeweft_ide::api::{AnalysisResponse, SymbolInfo, wire_word};

use super::analyses::packages;
use super::size_groups;

/// How many rows a table has at most.
const MAX_ROWS: usize = 100;

/// How many packages the picture by size has at most.
const MAX_TILES: usize = 150;

/// The answers that the page is made of.
pub struct Overview {
    /// Of `summary`.
    pub summary: AnalysisResponse,
    /// Of `dependency_graph`.
    pub packages: AnalysisResponse,
    /// Of `hotspots`.
    pub hotspots: AnalysisResponse,
    /// Of `circular_dependencies`.
    pub circular: AnalysisResponse,
    /// Of `unused_symbols`.
    pub unused: AnalysisResponse,
}

impl Overview {
    /// Returns whether there is no package.
    pub fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    /// Returns the page of the workspace in a folder.
    pub fn page(&self, root: &str) -> Page {
        let name = root.rsplit('/').next().unwrap_or(root);
        let mut sections = Vec::new();
        sections.extend(self.languages());
        sections.push(Section::Treemap(self.sizes()));
        sections.push(Section::Diagram(self.imports(), MAX_NODES));
        sections.extend(self.most_called());
        sections.extend(self.most_used());
        sections.extend(self.cycles());
        sections.extend(self.unused_symbols());
        Page {
            title: name.to_owned(),
            sections,
        }
    }

    fn languages(&self) -> Option<Section> {
        let languages = &self.summary.summary.as_ref()?.languages;
        let rows = languages.iter().map(|language| Row {
            cells: vec![
                Cell::Text(language.language.clone()),
                Cell::Number(u64::from(language.file_count)),
                Cell::Number(u64::from(language.line_count)),
                Cell::Number(u64::from(language.symbol_count)),
            ],
            node: None,
        });
        table(
            "Languages",
            &[
                ("language", false),
                ("files", true),
                ("lines", true),
                ("declarations", true),
            ],
            rows.collect(),
        )
    }

    fn sizes(&self) -> Treemap {
        let graph = self.packages.dependency_graph.iter();
        let packages = graph.flat_map(|graph| &graph.packages);
        let packages: Vec<Tile> = packages
            .map(|package| Tile {
                label: package.name.clone(),
                size: u64::from(package.line_count),
                ties: u64::from(package.fan_in + package.fan_out),
                node: Some(package.name.clone()),
            })
            .collect();
        Treemap {
            title: "Packages by size".to_owned(),
            tiles: size_groups::tiles(&packages, MAX_TILES),
            unit: "lines".to_owned(),
            ties: "imports".to_owned(),
            max_tiles: MAX_TILES,
        }
    }

    fn imports(&self) -> Diagram {
        let drawn = self.packages.dependency_graph.as_ref().map(packages);
        let (nodes, mut edges) = drawn.unwrap_or_default();
        let closing: BTreeSet<(&str, &str)> = self
            .circular
            .cycle_imports
            .iter()
            .filter(|cycle| !cycle.only_types && !cycle.deferred)
            .flat_map(|cycle| &cycle.imports)
            .map(|import| (import.from.as_str(), import.to.as_str()))
            .collect();
        for edge in &mut edges {
            let ends = nodes.get(edge.from).zip(nodes.get(edge.to));
            let is_closing = |(from, to): (&codeweft_diagrams::Node, &codeweft_diagrams::Node)| {
                closing.contains(&(from.id.as_str(), to.id.as_str()))
            };
            if ends.is_some_and(is_closing) {
                edge.style = EdgeStyle::Highlighted;
            }
        }
        Diagram {
            title: "Imports".to_owned(),
            direction: Direction::Down,
            nodes,
            edges,
            ..Diagram::default()
        }
    }

    fn most_called(&self) -> Option<Section> {
        let rows = self.hotspots.hotspots.iter().flatten().map(|hotspot| Row {
            cells: vec![
                Cell::Text(hotspot.symbol.id.clone()),
                Cell::Number(u64::from(hotspot.caller_count)),
                Cell::Number(u64::from(hotspot.callee_count)),
                Cell::Text(location(&hotspot.symbol)),
            ],
            node: None,
        });
        table(
            "Most called",
            &[
                ("symbol", false),
                ("callers", true),
                ("callees", true),
                ("declared", false),
            ],
            rows.collect(),
        )
    }

    fn most_used(&self) -> Option<Section> {
        let summary = self.summary.summary.iter();
        let rows = summary
            .flat_map(|summary| &summary.top_symbols)
            .map(|symbol| Row {
                cells: vec![
                    Cell::Text(symbol.id.clone()),
                    Cell::Text(symbol.kind.clone()),
                    Cell::Number(u64::from(symbol.ref_count)),
                    Cell::Number(u64::from(symbol.external_ref_count)),
                    Cell::Text(location(symbol)),
                ],
                node: None,
            });
        let columns = [
            ("symbol", false),
            ("kind", false),
            ("uses", true),
            ("in other packages", true),
            ("declared", false),
        ];
        table("Most used", &columns, rows.collect())
    }

    fn unused_symbols(&self) -> Option<Section> {
        let list = self.unused.symbols.as_ref()?;
        let rows = list.items.iter().map(|item| {
            let why = item.reason.as_ref().and_then(wire_word).unwrap_or_default();
            let open = item.completeness.as_ref().filter(|open| !open.complete);
            let doubt = open.map_or_else(String::new, |open| {
                format!("{} sites could use it", open.unresolved_sites)
            });
            Row {
                cells: vec![
                    Cell::Text(item.symbol.id.clone()),
                    Cell::Text(item.symbol.kind.clone()),
                    Cell::Text(why.replace('_', " ")),
                    Cell::Text(doubt),
                    Cell::Text(location(&item.symbol)),
                ],
                node: None,
            }
        });
        let columns = [
            ("symbol", false),
            ("kind", false),
            ("why", false),
            ("doubt", false),
            ("declared", false),
        ];
        let title = format!(
            "Believed unused: {} of {}",
            list.total_returned, list.total_found
        );
        table(&title, &columns, rows.collect())
    }

    fn cycles(&self) -> Option<Section> {
        let cycles = self.circular.cycles.iter().flatten();
        let rows = cycles
            .zip(&self.circular.cycle_imports)
            .map(|(cycle, imports)| {
                let first = imports.imports.first();
                let words = match (imports.only_types, imports.deferred) {
                    (true, _) => "only for types",
                    (_, true) => "an import inside a function",
                    _ => "",
                };
                Row {
                    cells: vec![
                        Cell::Text(cycle.join(" → ")),
                        Cell::Number(cycle.len() as u64),
                        Cell::Text(words.to_owned()),
                        Cell::Text(first.map_or_else(String::new, |import| {
                            format!("{}:{}", import.file, import.line)
                        })),
                    ],
                    node: cycle.first().cloned(),
                }
            });
        table(
            "Cycles of imports",
            &[
                ("cycle", false),
                ("packages", true),
                ("", false),
                ("first import", false),
            ],
            rows.collect(),
        )
    }
}

fn location(symbol: &SymbolInfo) -> String {
    match symbol.file.as_str() {
        "" => String::new(),
        file => format!("{file}:{}", symbol.start_line),
    }
}

/// Returns a table, unless it has no row.
fn table(title: &str, columns: &[(&str, bool)], rows: Vec<Row>) -> Option<Section> {
    let columns = columns.iter().map(|&(name, bars)| Column {
        name: name.to_owned(),
        bars,
    });
    (!rows.is_empty()).then(|| {
        Section::Table(Table {
            title: title.to_owned(),
            columns: columns.collect(),
            rows,
            max_rows: MAX_ROWS,
        })
    })
}
