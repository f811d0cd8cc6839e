//! Sizes as areas: packages by lines, coloured by how many ties they have.

use super::SectionHtml;
use crate::escape::xml;
use crate::numbers::{counted, grouped, pixels};
use crate::picture::Rect;
use crate::text_size;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 560.0;
/// Between tiles, in pixels.
const GAP: f64 = 2.0;

/// Rectangles with areas in proportion to sizes.
#[derive(Clone, Debug, Default)]
pub struct Treemap {
    /// The heading.
    pub title: String,
    /// The tiles, in any order.
    pub tiles: Vec<Tile>,
    /// What the areas are, in the plural: `lines`.
    pub unit: String,
    /// What the colours are, in the plural: `imports`.
    pub ties: String,
    /// The greatest number of tiles; smaller ones are joined into one that says so.
    pub max_tiles: usize,
}

/// A rectangle of a treemap.
#[derive(Clone, Debug, Default)]
pub struct Tile {
    /// The name on it.
    pub label: String,
    /// Its size; a tile without size is not drawn.
    pub size: u64,
    /// How many ties it has to others.
    pub ties: u64,
    /// The id of the node that the tile is about, in a diagram of the page: a link to it.
    pub node: Option<String>,
}

/// Returns the section of a treemap.
pub(super) fn html(treemap: &Treemap, number: usize) -> SectionHtml {
    let title = xml(&treemap.title);
    let (tiles, joined) = bounded(treemap);
    let mut sizes: Vec<f64> = tiles.iter().map(|tile| tile.size as f64).collect();
    let whole = Rect {
        x: 0.0,
        y: 0.0,
        width: WIDTH,
        height: HEIGHT,
    };
    // What was joined is a strip at the bottom: as a tile among others it would look like the greatest package.
    let strip = if joined > 0 {
        sizes.pop().unwrap_or(0.0)
    } else {
        0.0
    };
    let strip = HEIGHT * strip / (sizes.iter().sum::<f64>() + strip).max(1.0);
    let whole = Rect {
        height: HEIGHT - strip,
        ..whole
    };
    let mut rects = squarified(&sizes, whole);
    if joined > 0 {
        rects.push(Rect {
            y: whole.height,
            height: strip,
            ..whole
        });
    }
    let shades = shades(&tiles);
    let total: u64 = treemap.tiles.iter().map(|tile| tile.size).sum();
    let mut html = format!(
        "<section class=\"treemap\" id=\"s{number}\" aria-label=\"{title}\">\n<div class=\"bar\"><h2>{title}</h2>\
         <span class=\"counts\">{} {} in {}</span></div>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" aria-label=\"{title}\">",
        grouped(total),
        xml(&treemap.unit),
        counted(treemap.tiles.len(), "tile")
    );
    for ((tile, rect), shade) in tiles.iter().zip(&rects).zip(shades) {
        html += &tile_html(tile, *rect, shade, treemap);
    }
    html += "</svg>\n";
    if joined > 0 {
        html += &format!(
            "<p class=\"note\">The {} smallest are one tile.</p>\n",
            grouped(joined as u64)
        );
    }
    html += &format!(
        "<p class=\"legend\"><span>Area: {}</span><span>Colour: {}, few <i class=\"t0\"></i><i class=\"t1\"></i>\
         <i class=\"t2\"></i><i class=\"t3\"></i><i class=\"t4\"></i> many</span></p>\n</section>\n",
        xml(&treemap.unit),
        xml(&treemap.ties)
    );
    SectionHtml {
        title: treemap.title.clone(),
        html,
    }
}

fn tile_html(tile: &Tile, rect: Rect, shade: usize, treemap: &Treemap) -> String {
    let (width, height) = ((rect.width - GAP).max(0.5), (rect.height - GAP).max(0.5));
    let detail = grouped(tile.size);
    let about = format!(
        "{}: {detail} {}, {} {}",
        tile.label,
        treemap.unit,
        grouped(tile.ties),
        treemap.ties
    );
    let go = tile.node.as_ref().map_or_else(String::new, |node| {
        format!(" data-go=\"{}\" tabindex=\"0\" role=\"button\"", xml(node))
    });
    let mut html = format!(
        "<g class=\"tile t{shade}\"{go} aria-label=\"{0}\" transform=\"translate({1},{2})\"><title>{0}</title>\
         <rect class=\"b\" width=\"{3}\" height=\"{4}\" rx=\"3\"/>",
        xml(&about),
        pixels(rect.x),
        pixels(rect.y),
        pixels(width),
        pixels(height)
    );
    let font = (width / 9.0).min(height / 3.0).clamp(10.0, 18.0).floor();
    let label = fitted(&tile.label, font * 1.07, width - 14.0);
    // A name of which only a letter or two would be left is no help.
    let legible = label == tile.label || label.chars().count() > 4;
    if height > font + 8.0 && legible {
        html += &format!(
            "<text x=\"7\" y=\"{}\" style=\"font-size:{font}px\">{}</text>",
            pixels(font + 4.0),
            xml(&label)
        );
        if height > font + 26.0 && text_size::width(&detail, 11.0) < width - 14.0 {
            let y = pixels(font + 20.0);
            html += &format!("<text class=\"t\" x=\"7\" y=\"{y}\">{detail}</text>");
        }
    }
    html + "</g>"
}

/// Returns a label that fits: without its first parts, which neighbours share, then cut.
fn fitted(label: &str, font: f64, width: f64) -> String {
    let mut rest = label;
    let mut left = label.to_owned();
    while text_size::width(&left, font) > width {
        let Some((_, behind)) = rest.split_once(['/', '.']) else {
            return text_size::fit(rest, font, width);
        };
        rest = behind;
        left = format!("…{rest}");
    }
    left
}

/// Returns the tiles by size, the greatest first, and how many were joined into the last one.
fn bounded(treemap: &Treemap) -> (Vec<Tile>, usize) {
    let mut tiles: Vec<Tile> = treemap.tiles.clone();
    tiles.retain(|tile| tile.size > 0);
    tiles.sort_by(|one, other| (other.size, &one.label).cmp(&(one.size, &other.label)));
    let kept = treemap.max_tiles.max(1);
    if tiles.len() <= kept {
        return (tiles, 0);
    }
    let rest = tiles.split_off(kept - 1);
    tiles.push(Tile {
        label: format!("{} more", rest.len()),
        size: rest.iter().map(|tile| tile.size).sum(),
        ties: 0,
        node: None,
    });
    (tiles, rest.len())
}

/// Returns a shade for each tile, 0 to 4: by rank, so that a few great numbers do not make all others equal.
fn shades(tiles: &[Tile]) -> Vec<usize> {
    let mut ties: Vec<u64> = tiles.iter().map(|tile| tile.ties).collect();
    ties.sort_unstable();
    ties.dedup();
    let last = ties.len().max(2) - 1;
    let rank = |tile: &Tile| ties.partition_point(|&count| count < tile.ties);
    tiles.iter().map(|tile| rank(tile) * 4 / last).collect()
}

/// Returns rectangles with areas in proportion to descending sizes, as near to squares as rows allow.
fn squarified(sizes: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    let scale = whole.width * whole.height / total.max(1.0);
    let areas: Vec<f64> = sizes.iter().map(|size| size * scale).collect();
    let mut rects = Vec::with_capacity(sizes.len());
    let mut free = whole;
    let mut begin = 0;
    while begin < areas.len() {
        let side = free.width.min(free.height);
        // The longest side of a row's worst tile by the other one.
        let worst = |row: &[f64]| {
            let sum: f64 = row.iter().sum();
            let (greatest, least) = (row[0], row[row.len() - 1]);
            let thick = sum / side;
            (thick * thick / least).max(greatest / (thick * thick))
        };
        let mut end = begin + 1;
        while end < areas.len() && worst(&areas[begin..=end]) <= worst(&areas[begin..end]) {
            end += 1;
        }
        let row = &areas[begin..end];
        let thick = row.iter().sum::<f64>() / side;
        let mut at = 0.0;
        for area in row {
            let length = area / thick;
            rects.push(if free.width >= free.height {
                Rect {
                    x: free.x,
                    y: free.y + at,
                    width: thick,
                    height: length,
                }
            } else {
                Rect {
                    x: free.x + at,
                    y: free.y,
                    width: length,
                    height: thick,
                }
            });
            at += length;
        }
        if free.width >= free.height {
            free.x += thick;
            free.width -= thick;
        } else {
            free.y += thick;
            free.height -= thick;
        }
        begin = end;
    }
    rects
}
