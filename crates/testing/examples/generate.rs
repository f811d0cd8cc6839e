//! Writes a generated workspace: `cargo run -p codeweft-testing --example generate -- FOLDER SEED
//! PACKAGES FILES FUNCTIONS`.

use std::path::Path;
use std::process::ExitCode;

use codeweft_testing::generate::{Size, workspace};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, numbers @ ..] = arguments.as_slice() else {
        eprintln!("which folder?");
        return ExitCode::from(2);
    };
    let number = |at: usize, default| {
        let given = numbers.get(at).and_then(|number| number.parse().ok());
        given.unwrap_or(default)
    };
    let size = Size {
        packages: number(1, 8),
        files: number(2, 3),
        functions: number(3, 8),
    };
    for (path, text) in workspace(number(0, 1) as u64, size) {
        let path = Path::new(folder).join(path);
        let parent = path.parent().unwrap_or(Path::new("."));
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
        if let Err(error) = written {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
