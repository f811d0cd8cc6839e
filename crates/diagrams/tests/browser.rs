//! Pages in a real browser.

mod gallery;

use codeweft_diagrams::{Format, fold, page_html, render, svg};

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
    let right = codeweft_diagrams::Diagram {
        direction: codeweft_diagrams::Direction::Right,
        ..gallery::small()
    };
    let all = gallery::large(5000, 20_000, 400);
    for (name, diagram) in [
        ("small", gallery::small()),
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
