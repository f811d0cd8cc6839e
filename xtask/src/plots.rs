//! Plots of recorded figures: `docs/figures/NAME.tsv` to `NAME.svg`, bars on a logarithmic axis.
//!
//! ```text
//! # First answer, s                  the title
//! Django  cold  3.9                  label, series, figure, with tabs between
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::place;

const LABELS: f64 = 190.0;
const BARS: f64 = 430.0;
const FIGURES: f64 = 70.0;
const ROW: f64 = 15.0;
const GAP: f64 = 9.0;
const HEAD: f64 = 58.0;

/// Colours of series in the order of their first rows; readable on white and on black.
const COLOURS: [&str; 5] = ["#4878a8", "#d08030", "#4a9860", "#a05080", "#808080"];

/// Writes the plot of every table; with `check` it only compares, and the exit code is 1 if one differs.
pub fn run(check: bool) -> Result<ExitCode> {
    let folder = place::root().join("docs/figures");
    let mut differs = false;
    let mut tables: Vec<PathBuf> = fs::read_dir(&folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    tables.retain(|path| path.extension().is_some_and(|end| end == "tsv"));
    tables.sort();
    for table in tables {
        let svg = plot(&table)?;
        let path = table.with_extension("svg");
        if check {
            let is_same = fs::read_to_string(&path).is_ok_and(|old| old == svg);
            if !is_same {
                println!(
                    "{} is not what its table gives: cargo xtask plots",
                    path.display()
                );
                differs = true;
            }
        } else {
            fs::write(&path, svg)?;
            println!("{}", path.display());
        }
    }
    Ok(ExitCode::from(u8::from(differs)))
}

struct Bar<'t> {
    label: &'t str,
    series: usize,
    figure: f64,
}

fn plot(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    let title = lines.next().and_then(|line| line.strip_prefix("# "));
    let title =
        title.with_context(|| format!("{}: the first line is `# TITLE`", path.display()))?;
    let mut series: Vec<&str> = Vec::new();
    let mut bars: Vec<Bar<'_>> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [label, name, figure] = fields[..] else {
            bail!(
                "{}: `{line}` is not label, series and figure with tabs between",
                path.display()
            );
        };
        let figure: f64 = figure
            .parse()
            .with_context(|| format!("{}: `{figure}` is no number", path.display()))?;
        if !(figure.is_finite() && figure > 0.0) {
            bail!(
                "{}: {figure} has no place on a logarithmic axis",
                path.display()
            );
        }
        let known = series.iter().position(|known| *known == name);
        let number = known.unwrap_or_else(|| {
            series.push(name);
            series.len() - 1
        });
        bars.push(Bar {
            label,
            series: number,
            figure,
        });
    }
    Ok(drawn(title, &series, &bars))
}

fn drawn(title: &str, series: &[&str], bars: &[Bar<'_>]) -> String {
    let figures = || bars.iter().map(|bar| bar.figure.log10());
    let low = figures().fold(f64::INFINITY, f64::min).floor();
    let high = figures()
        .fold(f64::NEG_INFINITY, f64::max)
        .ceil()
        .max(low + 1.0);
    let x = |log: f64| LABELS + (log - low) / (high - low) * BARS;
    let groups = bars
        .windows(2)
        .filter(|pair| pair[0].label != pair[1].label);
    let height = HEAD + bars.len() as f64 * ROW + (groups.count() + 1) as f64 * GAP + 8.0;
    let width = LABELS + BARS + FIGURES;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#707070\">\n\
         <title>{0}</title>\n<text x=\"4\" y=\"16\" font-size=\"14\">{0}</text>\n",
        escaped(title)
    );
    let mut at = LABELS;
    for (name, colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let _ = writeln!(
            svg,
            "<rect x=\"{at:.1}\" y=\"26\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"35\">{}</text>",
            at + 14.0,
            escaped(name)
        );
        at += 34.0 + 6.5 * name.chars().count() as f64;
    }
    for power in low as i32..=high as i32 {
        let at = x(f64::from(power));
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {HEAD}V{:.1}\" stroke=\"#a0a0a0\" stroke-width=\"0.5\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            height - 4.0,
            HEAD - 4.0,
            10f64.powi(power)
        );
    }
    let mut y = HEAD;
    let mut last = "";
    for bar in bars {
        if bar.label != last {
            y += GAP;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LABELS - 8.0,
                y + ROW - 4.0,
                escaped(bar.label)
            );
            last = bar.label;
        }
        let end = x(bar.figure.log10()).max(LABELS + 1.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{LABELS}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            end - LABELS,
            ROW - 3.0,
            COLOURS[bar.series % COLOURS.len()],
            end + 4.0,
            y + ROW - 5.0,
            bar.figure
        );
        y += ROW;
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_the_logarithm_of_its_figure() {
        let bar = |figure| Bar {
            label: "a < b",
            series: 0,
            figure,
        };
        let svg = drawn(
            "Title & more",
            &["cold"],
            &[bar(1.0), bar(10.0), bar(100.0)],
        );
        assert!(svg.contains("Title &amp; more") && svg.contains("a &lt; b"));
        for (figure, width) in [("1", 1.0), ("10", BARS / 2.0), ("100", BARS)] {
            let row = svg.lines().find(|line| {
                line.ends_with(&format!(">{figure}</text>")) && line.starts_with("<rect x=\"190\"")
            });
            assert!(
                row.is_some_and(|row| row.contains(&format!("width=\"{width:.1}\""))),
                "{figure}: {svg}"
            );
        }
    }

    #[test]
    fn the_plots_in_docs_are_those_of_their_tables() {
        assert_eq!(run(true).expect("docs/figures"), ExitCode::from(0));
    }
}
