//! Pages in a real browser: no request, no error, and what keys and pointers do. `browser.mjs` drives it.

use codeweft_diagrams::{Format, fold, page_html, render, svg};

use crate::gallery;

/// Writes the pages of the gallery into a folder, to look at: `CODEWEFT_GALLERY=/tmp/gallery cargo test …`.
#[test]
fn a_gallery_to_look_at() {
    let Some(folder) = std::env::var_os("CODEWEFT_GALLERY") else {
        println!("skipped: CODEWEFT_GALLERY names no folder");
        return;
    };
    let folder = std::path::PathBuf::from(folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let write = |name: &str, text: String| {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    };
    let medium = gallery::large(150, 260, 30);
    let right = gallery::right();
    let all = gallery::large(5000, 20_000, 400);
    for (name, diagram) in [
        ("small", gallery::small()),
        ("odd", gallery::odd()),
        ("right", right),
        ("medium", medium),
        ("large", all.clone()),
    ] {
        for format in Format::ALL {
            let begin = std::time::Instant::now();
            let text = render(&diagram, format, 150).text;
            println!(
                "{name}.{}: {} KB in {:?}",
                format.name(),
                text.len() / 1024,
                begin.elapsed()
            );
            write(&format!("{name}.{}", format.name()), text);
        }
    }
    let begin = std::time::Instant::now();
    let unfolded = svg(&fold(&all, usize::MAX));
    println!(
        "5,000 nodes, 20,000 edges unfolded as SVG: {:?}",
        begin.elapsed()
    );
    write("unfolded.svg", unfolded);
    write("overview.html", page_html(&gallery::overview()));
}

/// Returns the first program of a list that can be started.
fn program(names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|name| {
        let version = std::process::Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    })
}

#[test]
fn pages_work_in_chromium() {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        println!("skipped: CODEWEFT_SLOW is not set");
        return;
    }
    let chromium = program(&["chromium", "chromium-browser", "google-chrome"]);
    let (Some(chromium), Some(node)) = (chromium, program(&["node"])) else {
        println!("skipped: needs Chromium (apt-get install chromium) and Node.js");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let pages = [
        (
            "small.html",
            render(&gallery::small(), Format::Html, 150).text,
        ),
        ("odd.html", render(&gallery::odd(), Format::Html, 150).text),
        (
            "folded.html",
            render(&gallery::large(400, 700, 60), Format::Html, 150).text,
        ),
        (
            "right.html",
            render(&gallery::right(), Format::Html, 40).text,
        ),
        (
            "large.html",
            render(&gallery::large(5000, 20_000, 400), Format::Html, 150).text,
        ),
        ("overview.html", page_html(&gallery::overview())),
    ];
    let kept = std::env::var_os("CODEWEFT_GALLERY").map(std::path::PathBuf::from);
    let folder = kept.as_deref().unwrap_or(folder.path());
    std::fs::create_dir_all(folder).expect("a folder can be made");
    for (name, text) in &pages {
        std::fs::write(folder.join(name), text).expect("a page can be written");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/browser.mjs");
    let output = std::process::Command::new(node)
        .arg(script)
        .arg(chromium)
        .arg(folder)
        .args(pages.iter().map(|(name, _)| *name))
        .output()
        .expect("node starts");
    let reports = String::from_utf8_lossy(&output.stdout);
    println!("{reports}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        reports.lines().count(),
        pages.len(),
        "every page has a report"
    );
    for report in reports.lines() {
        let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
        assert_eq!(
            report["failures"],
            serde_json::json!([]),
            "{}",
            report["page"]
        );
    }
}
