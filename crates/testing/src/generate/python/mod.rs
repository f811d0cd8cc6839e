//! Generated Python: workspaces whose modules infer from each other in cycles, and edits of them.
//! Everything is a function of a seed.
//!
//! The code is for inference, not to be run: nearly nothing is annotated, names recur from module
//! to module, and results, attributes, bases and star imports lead across modules and back.

mod code;
mod edits;
mod module;

pub use edits::{PythonEditKind, edit};

use super::Size;
use crate::{SeededRng, Texts};

/// Returns a workspace of this size: packages of modules, `tests`, and `app.py`. A file of [`Size`]
/// is a module, besides the package's `__init__`.
pub fn workspace(seed: u64, size: Size) -> Texts {
    let plan = PythonPlan { seed, size };
    let mut texts = Texts::new();
    for package in 0..size.packages {
        module::write_package(&plan, package, &mut texts);
    }
    module::write_app(&plan, &mut texts);
    texts
}

/// The facts that every module may assume about every other.
struct PythonPlan {
    seed: u64,
    size: Size,
}

/// A module by its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Module {
    package: usize,
    file: usize,
}

impl PythonPlan {
    fn rng(&self, part: u64, numbers: &[usize]) -> SeededRng {
        let numbers = numbers.iter().map(|&number| number as u64);
        let all: Vec<u64> = [self.seed, 1000 + part]
            .into_iter()
            .chain(numbers)
            .collect();
        SeededRng::of(&all)
    }

    /// Returns the folder of a package; every third is in a namespace package.
    fn folder(&self, package: usize) -> String {
        match package % 3 {
            1 => format!("deep/p{package}"),
            _ => format!("p{package}"),
        }
    }

    /// Returns the dotted name of a package.
    fn dotted(&self, package: usize) -> String {
        self.folder(package).replace('/', ".")
    }

    /// Returns the class that only this module declares.
    fn own_class(&self, module: Module) -> String {
        format!("Box{}x{}", module.package, module.file)
    }

    /// Returns the function that only this module declares.
    fn own_function(&self, module: Module) -> String {
        format!("make{}x{}", module.package, module.file)
    }

    /// Draws another module, before or after this one: imports may be cyclic.
    fn other(&self, rng: &mut SeededRng, than: Module) -> Module {
        loop {
            let module = Module {
                package: rng.below(self.size.packages),
                file: rng.below(self.size.files),
            };
            let is_only = self.size.packages * self.size.files < 2;
            if module != than || is_only {
                return module;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::workspace;
    use crate::generate::Size;

    #[test]
    fn a_seed_and_a_size_make_one_workspace_of_python() {
        assert_eq!(workspace(7, Size::SMALL), workspace(7, Size::SMALL));
        assert_ne!(workspace(7, Size::SMALL), workspace(8, Size::SMALL));
    }

    #[test]
    fn a_few_generated_workspaces_have_every_construct() {
        let all: String = (0..6)
            .flat_map(|seed| workspace(seed, Size::SMALL).into_values())
            .collect();
        let forms = [
            "from . import ",
            "import *",
            "__all__ = ",
            "except ImportError",
            "if TYPE_CHECKING:",
            "(Protocol)",
            "@property",
            "@classmethod",
            "@staticmethod",
            "@contextmanager",
            "@unknown",
            "@traced",
            "yield ",
            "    with ",
            "async def",
            "await ",
            " for z in ",
            "lambda ",
            "isinstance(",
            "self.part = ",
            "super().",
            "nonlocal ",
            "global ",
        ];
        for form in forms {
            assert!(all.contains(form), "{form}");
        }
    }
}
