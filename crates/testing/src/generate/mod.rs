//! Generated Go: well-typed workspaces of any size, and edits of them. Everything is a function of
//! a seed.
//!
//! What is generated names nothing of the standard library but `testing`, so that it can be loaded
//! without one. `go vet ./...` in a written workspace finds nothing to say.

mod body;
mod edits;
mod package;
pub mod python;

pub use edits::{Edit, GoEditKind, edit};

use crate::{SeededRng, Texts};

/// How much code to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// How many packages; each imports up to three before it.
    pub packages: usize,
    /// How many files a package has, besides its tests and its files for one platform.
    pub files: usize,
    /// How many functions a file has, besides methods.
    pub functions: usize,
}

impl Size {
    /// A few packages: what a test compares in a moment.
    pub const SMALL: Size = Size {
        packages: 4,
        files: 2,
        functions: 4,
    };
}

/// A workspace of this size: the module `m`.
pub fn workspace(seed: u64, size: Size) -> Texts {
    let plan = GoPlan { seed, size };
    let mut texts = Texts::new();
    texts.insert("go.mod".into(), "module m\n\ngo 1.24\n".into());
    for number in 0..size.packages {
        package::write(&plan, number, &mut texts);
    }
    texts
}

/// What every part of a workspace knows of every other without looking at it: all is drawn from
/// numbers of the seed and the place.
struct GoPlan {
    seed: u64,
    size: Size,
}

/// The shapes of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// `func(n int) int`
    Number,
    /// `func(name string, n int) (string, error)`
    Fails,
    /// `func(d Doer, n int) int`
    TakesInterface,
    /// `func[T any](first T, apply func(T) int) int`
    Generic,
    /// `func(ns ...int) int`
    Variadic,
    /// `func(n int) *Item`
    MakesItem,
}

/// A function by its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Function {
    package: usize,
    file: usize,
    number: usize,
}

impl GoPlan {
    fn lot(&self, part: u64, numbers: &[usize]) -> SeededRng {
        let numbers = numbers.iter().map(|&number| number as u64);
        SeededRng::of(
            &[self.seed, part]
                .into_iter()
                .chain(numbers)
                .collect::<Vec<_>>(),
        )
    }

    /// The path of a package below the module.
    fn folder(&self, package: usize) -> String {
        match package % 3 {
            0 => format!("p{package}"),
            1 => format!("internal/p{package}"),
            _ => format!("lib/deep/p{package}"),
        }
    }

    /// The packages that a package may import, ascending.
    fn imports(&self, package: usize) -> Vec<usize> {
        let mut lot = self.lot(1, &[package]);
        let mut imports: Vec<usize> = (0..3.min(package)).map(|_| lot.below(package)).collect();
        imports.sort_unstable();
        imports.dedup();
        imports
    }

    fn shape(&self, function: Function) -> Shape {
        match self
            .lot(2, &[function.package, function.file, function.number])
            .below(8)
        {
            0..=2 => Shape::Number,
            3 => Shape::Fails,
            4 => Shape::TakesInterface,
            5 => Shape::Generic,
            6 => Shape::Variadic,
            _ => Shape::MakesItem,
        }
    }

    /// Every fourth function is its package's own.
    fn name(&self, function: Function) -> String {
        let Function { file, number, .. } = function;
        match number % 4 {
            3 => format!("fn{file}x{number}"),
            _ => format!("Fn{file}x{number}"),
        }
    }

    fn is_exported(&self, function: Function) -> bool {
        function.number % 4 != 3
    }
}

#[cfg(test)]
mod tests {
    use super::{Size, workspace};

    #[test]
    fn a_seed_and_a_size_make_one_workspace() {
        assert_eq!(workspace(7, Size::SMALL), workspace(7, Size::SMALL));
        assert_ne!(workspace(7, Size::SMALL), workspace(8, Size::SMALL));
    }

    #[test]
    fn a_larger_size_makes_more_code() {
        let bytes = |packages| {
            let size = Size {
                packages,
                ..Size::SMALL
            };
            workspace(1, size).values().map(String::len).sum::<usize>()
        };
        assert!(bytes(16) > 3 * bytes(4));
    }
}
