//! Generated Python: workspaces whose modules infer from each other in rings, and edits of them.
//! Everything is a function of a seed.
//!
//! The code is there to be inferred, not to be run: nearly nothing is annotated, names recur from
//! module to module, and results, attributes, bases and star imports lead over modules and back.

mod code;
mod edits;
mod module;

pub use edits::{PythonEditKind, edit};

use super::Size;
use crate::{SeededRng, Texts};

/// A workspace of this size: packages of modules, `tests`, and `app.py`. Of [`Size`] a file is a
/// module, besides the package's `__init__`.
pub fn workspace(seed: u64, size: Size) -> Texts {
    let plan = PythonPlan { seed, size };
    let mut texts = Texts::new();
    for package in 0..size.packages {
        module::write_package(&plan, package, &mut texts);
    }
    module::write_app(&plan, &mut texts);
    texts
}

/// What every module knows of every other without looking at it.
struct PythonPlan {
    seed: u64,
    size: Size,
}

/// A module by its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Module {
    package: usize,
    file: usize,
}

impl PythonPlan {
    fn lot(&self, part: u64, numbers: &[usize]) -> SeededRng {
        let numbers = numbers.iter().map(|&number| number as u64);
        let all: Vec<u64> = [self.seed, 1000 + part]
            .into_iter()
            .chain(numbers)
            .collect();
        SeededRng::of(&all)
    }

    /// The folder of a package; every third stands in a namespace package.
    fn folder(&self, package: usize) -> String {
        match package % 3 {
            1 => format!("deep/p{package}"),
            _ => format!("p{package}"),
        }
    }

    /// The dotted name of a package.
    fn dotted(&self, package: usize) -> String {
        self.folder(package).replace('/', ".")
    }

    /// The class that only this module declares.
    fn own_class(&self, module: Module) -> String {
        format!("Box{}x{}", module.package, module.file)
    }

    /// The function that only this module declares.
    fn own_function(&self, module: Module) -> String {
        format!("make{}x{}", module.package, module.file)
    }

    /// Any module but one, earlier or later: imports may be rings.
    fn other(&self, lot: &mut SeededRng, than: Module) -> Module {
        loop {
            let module = Module {
                package: lot.below(self.size.packages),
                file: lot.below(self.size.files),
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
    fn a_few_workspaces_have_every_form() {
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
