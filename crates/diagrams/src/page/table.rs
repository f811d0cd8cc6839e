//! Tables that sort by a click on a heading.

use super::SectionHtml;
use crate::escape::xml;
use crate::numbers::{counted, grouped, pixels};

/// A table of a page.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The heading.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, the most important first.
    pub rows: Vec<Row>,
    /// The greatest number of rows that are listed; the section says how many more there are.
    pub max_rows: usize,
}

/// A column of a table.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// Whether its numbers have bars, the greatest the longest.
    pub bars: bool,
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// A cell for each column.
    pub cells: Vec<Cell>,
    /// The id of the node that the row is about, in a diagram of the page: a link to it.
    pub node: Option<String>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Number(u64),
}

/// Returns the section of a table.
pub(super) fn html(table: &Table, number: usize) -> SectionHtml {
    let title = xml(&table.title);
    let mut html = format!(
        "<section class=\"table\" id=\"s{number}\" aria-label=\"{title}\">\n<div class=\"bar\"><h2>{title}</h2>\
         <span class=\"counts\">{}</span></div>\n<div class=\"scroll\"><table><thead><tr>",
        counted(table.rows.len(), "row")
    );
    let rows = &table.rows[..table.rows.len().min(table.max_rows)];
    let greatest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.cells.get(column));
        let numbers = cells.map(|cell| match cell {
            Cell::Number(number) => *number,
            Cell::Text(_) => 0,
        });
        numbers.max().unwrap_or(0).max(1)
    };
    let greatest: Vec<u64> = (0..table.columns.len()).map(greatest).collect();
    for (at, column) in table.columns.iter().enumerate() {
        let is_number = |row: &Row| matches!(row.cells.get(at), Some(Cell::Number(_)));
        let class = if rows.iter().any(is_number) {
            " class=\"num\""
        } else {
            ""
        };
        html += &format!(
            "<th scope=\"col\"{class}><button>{}</button></th>",
            xml(&column.name)
        );
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        html += "<tr>";
        for (at, (cell, column)) in row.cells.iter().zip(&table.columns).enumerate() {
            html += &match cell {
                Cell::Text(text) => match (&row.node, at) {
                    (Some(node), 0) => format!(
                        "<td><button class=\"go\" data-go=\"{}\">{}</button></td>",
                        xml(node),
                        xml(text)
                    ),
                    _ => format!("<td>{}</td>", xml(text)),
                },
                Cell::Number(count) => {
                    let bar = if column.bars {
                        let part = *count as f64 * 100.0 / greatest[at] as f64;
                        format!("<i class=\"len\" style=\"width:{}%\"></i>", pixels(part))
                    } else {
                        String::new()
                    };
                    format!(
                        "<td class=\"num\" data-v=\"{count}\">{bar}<b>{}</b></td>",
                        grouped(*count)
                    )
                }
            };
        }
        html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    if table.rows.len() > rows.len() {
        let more = table.rows.len() - rows.len();
        html += &format!(
            "<p class=\"note\">{} more, not listed here.</p>\n",
            counted(more, "row")
        );
    }
    SectionHtml {
        title: table.title.clone(),
        html: html + "</section>\n",
    }
}
