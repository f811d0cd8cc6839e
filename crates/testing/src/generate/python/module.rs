//! The texts of generated modules.

use super::code::NamesInScope;
use super::{Module, PythonPlan};
use crate::{SeededRng, Texts};

/// A module under construction.
struct PythonSource {
    lines: Vec<String>,
    names: NamesInScope,
}

impl PythonSource {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn finish(self) -> String {
        self.lines.join("\n") + "\n"
    }
}

/// Writes a package: its `__init__`, its modules, and their test.
pub(super) fn write_package(plan: &PythonPlan, package: usize, texts: &mut Texts) {
    let folder = plan.folder(package);
    for file in 0..plan.size.files {
        let text = text_of(plan, Module { package, file });
        texts.insert(format!("{folder}/m{file}.py"), text);
    }
    texts.insert(format!("{folder}/__init__.py"), init(plan, package));
    if package.is_multiple_of(2) {
        let text = test(plan, package);
        texts.insert(format!("tests/test_p{package}.py"), text);
    }
}

/// Writes `app.py`, which imports packages through the names that they re-export.
pub(super) fn write_app(plan: &PythonPlan, texts: &mut Texts) {
    let mut rng = plan.rng(1, &[]);
    let mut source = PythonSource {
        lines: Vec::new(),
        names: NamesInScope::default(),
    };
    for package in 0..plan.size.packages.min(3) {
        let dotted = plan.dotted(package);
        if rng.chance(1, 2) {
            source.line(format!(
                "from {dotted} import Item as Item{package}, make as make{package}"
            ));
            source.names.classes.push(format!("Item{package}"));
            source.names.functions.push(format!("make{package}"));
        } else {
            source.line(format!("import {dotted}.m0"));
            source.names.classes.push(format!("{dotted}.m0.Item"));
            source.names.functions.push(format!("{dotted}.m0.make"));
        }
    }
    for number in 0..3 {
        function(&mut rng, &mut source, &format!("step{number}"));
    }
    source.line("\n\nif __name__ == '__main__':\n    count = 1");
    let mut names = source.names.clone();
    names.statements(&mut rng, "    ", &mut source.lines);
    texts.insert("app.py".into(), source.finish());
}

fn init(plan: &PythonPlan, package: usize) -> String {
    let mut rng = plan.rng(2, &[package]);
    let mut lines = Vec::new();
    let last = plan.size.files - 1;
    match rng.below(3) {
        0 => lines.push("from .m0 import Item, make".to_owned()),
        1 => lines.push("from .m0 import *".to_owned()),
        _ => {
            lines.push("from . import m0".to_owned());
            lines.push("Item = m0.Item\nmake = m0.make".to_owned());
        }
    }
    let own = plan.own_class(Module {
        package,
        file: last,
    });
    match rng.below(3) {
        0 => lines.push(format!(
            "from .m{last} import {own}\n__all__ = ['Item', 'make', '{own}']"
        )),
        1 => lines.push(format!(
            "from . import m{last}\nfrom .m{last} import *\n__all__ = ['Item'] + m{last}.__all__"
        )),
        _ => {
            // Packages re-export from each other: cycles of star imports.
            let other = plan.dotted(rng.below(plan.size.packages));
            lines.push(format!("from {other} import *"));
        }
    }
    lines.join("\n") + "\n"
}

fn test(plan: &PythonPlan, package: usize) -> String {
    let dotted = plan.dotted(package);
    let own = plan.own_class(Module { package, file: 0 });
    let mut source = PythonSource {
        lines: vec![format!(
            "import {dotted}\nfrom {dotted}.m0 import {own}, make\n\n\nclass Fake({own}):\n    def peer(self):\n        return self"
        )],
        names: NamesInScope {
            classes: vec![own, "Fake".into(), format!("{dotted}.Item")],
            functions: vec!["make".into(), format!("{dotted}.make")],
            ..NamesInScope::default()
        },
    };
    let mut rng = plan.rng(3, &[package]);
    source.line("\n\ndef test_all():\n    count = 2");
    let mut names = source.names.clone();
    names.statements(&mut rng, "    ", &mut source.lines);
    names.statements(&mut rng, "    ", &mut source.lines);
    source.finish()
}

fn text_of(plan: &PythonPlan, module: Module) -> String {
    let mut rng = plan.rng(4, &[module.package, module.file]);
    let mut source = PythonSource {
        lines: vec![format!(
            "\"\"\"Module {} of {}.\"\"\"",
            module.file, module.package
        )],
        names: NamesInScope::default(),
    };
    source.line("from contextlib import contextmanager");
    source.line("from typing import Protocol, TYPE_CHECKING");
    source.line("from absent.package import unknown");
    imports(plan, &mut rng, &mut source, module);
    if rng.chance(1, 3) {
        let own = plan.own_function(module);
        source.line(format!("\n__all__ = ['Item', '{own}', 'CURRENT']"));
        if rng.chance(1, 3) {
            source.line("__all__ += ['make', 'DEFAULT']");
        }
    }
    source.line("\ncount = 3");
    source.line(
        "\n\ndef traced(called):\n    def inner(*args, **named):\n        return called(*args, **named)\n    return inner",
    );
    if rng.chance(1, 2) {
        source.line(
            "\n\nclass Walks(Protocol):\n    part: object\n\n    def peer(self):\n        ...\n\n    def again(self, other=None):\n        ...",
        );
        source.names.classes.push("Walks".into());
        source.names.bases.push("Walks".into());
    }
    class(&mut rng, &mut source, "Item");
    class(&mut rng, &mut source, &plan.own_class(module));
    source.line("");
    let object = source.names.object(&mut rng, 1);
    source.line(format!("DEFAULT = {object}"));
    source.names.objects.push("DEFAULT".into());
    for name in ["make".to_owned(), plan.own_function(module)] {
        function(&mut rng, &mut source, &name);
    }
    for number in 0..plan.size.functions.saturating_sub(2) {
        function(&mut rng, &mut source, &format!("step{number}"));
    }
    let object = source.names.object(&mut rng, 2);
    source.line(format!("\n\nCURRENT = {object}"));
    source.line(format!(
        "REGISTRY = {{'make': make, 'item': Item}}\n\n\ndef renew():\n    global CURRENT\n    CURRENT = {}\n    return CURRENT",
        source.names.object(&mut rng, 2)
    ));
    if rng.chance(1, 3) {
        source
            .line("\n\nif count:\n    Chosen = Item\nelse:\n    from absent.package import Chosen");
    }
    source.finish()
}

fn imports(plan: &PythonPlan, rng: &mut SeededRng, source: &mut PythonSource, module: Module) {
    for number in 0..2 + rng.below(2) {
        let other = plan.other(rng, module);
        let package = plan.dotted(other.package);
        let path = format!("{package}.m{}", other.file);
        let (own_class, own_function) = (plan.own_class(other), plan.own_function(other));
        let before = source.names.classes.len();
        let NamesInScope {
            classes,
            functions,
            objects,
            ..
        } = &mut source.names;
        match rng.below(9) {
            0 | 1 => {
                source.lines.push(format!(
                    "from {path} import {own_class}, {own_function}, make"
                ));
                classes.push(own_class);
                functions.extend([own_function, "make".into()]);
            }
            2 | 3 => {
                let alias = format!("x{number}");
                source.lines.push(format!("import {path} as {alias}"));
                classes.extend([format!("{alias}.Item"), format!("{alias}.{own_class}")]);
                functions.extend([format!("{alias}.{own_function}"), format!("{alias}.renew")]);
                objects.extend([format!("{alias}.DEFAULT"), format!("{alias}.CURRENT")]);
            }
            4 => {
                source.lines.push(format!("from {path} import *"));
                classes.push(own_class);
                functions.push(own_function);
                objects.push("CURRENT".into());
            }
            5 => {
                source.lines.push(format!(
                    "try:\n    from {path} import {own_class} as Base{number}\nexcept ImportError:\n    from {package} import Item as Base{number}"
                ));
                classes.push(format!("Base{number}"));
            }
            6 => {
                source.lines.push(format!(
                    "if TYPE_CHECKING:\n    from {path} import {own_class}\n\n\ndef takes{number}(it: '{own_class}'):\n    return it.peer()\n"
                ));
                functions.push(format!("takes{number}"));
            }
            7 if other.package == module.package => {
                let file = other.file;
                source.lines.push(format!("from . import m{file}"));
                classes.push(format!("m{file}.Item"));
                functions.push(format!("m{file}.make"));
            }
            7 => {
                source.lines.push(format!(
                    "def late{number}(it):\n    from {path} import {own_class}\n    return {own_class}(it).again()\n"
                ));
                functions.push(format!("late{number}"));
            }
            _ => {
                source.lines.push(format!(
                    "from {package} import Item as Item{number}, make as got{number}"
                ));
                classes.push(format!("Item{number}"));
                functions.push(format!("got{number}"));
            }
        }
        // Imports and values may be cyclic; a class that is its own ancestor is rare.
        let is_earlier = other.package < module.package
            || other.package == module.package && other.file < module.file;
        if is_earlier || rng.chance(1, 8) {
            let bases = source.names.classes[before..].to_vec();
            source.names.bases.extend(bases);
        }
    }
}

fn class(rng: &mut SeededRng, source: &mut PythonSource, name: &str) {
    let mut bases: Vec<String> = Vec::new();
    for _ in 0..rng.below(3) {
        if let Some(base) = rng.one(&source.names.bases)
            && !bases.contains(base)
        {
            bases.push(base.clone());
        }
    }
    let bases = if bases.is_empty() {
        String::new()
    } else {
        format!("({})", bases.join(", "))
    };
    source.line(format!("\n\nclass {name}{bases}:"));
    source.names.classes.push(name.to_owned());
    source.names.bases.push(name.to_owned());
    if rng.chance(1, 2) {
        let object = source.names.object(rng, 1);
        source.line(format!("    kind = {object}\n"));
    }
    let mut in_method = source.names.clone();
    in_method.in_method = true;
    in_method.objects.extend(["self".into(), "other".into()]);
    let mut method = |rng: &mut SeededRng, head: &str, end: &str| {
        let mut names = in_method.clone();
        source.line(format!("    def {head}:"));
        if end == "self.part = " && rng.chance(1, 2) {
            source.line("        super().__init__(other)");
        }
        names.statements(rng, "        ", &mut source.lines);
        let object = names.object(rng, 2);
        source.line(format!("        {end}{object}"));
        if end == "self.part = " && rng.chance(2, 3) {
            source.line("        self.other = other");
        }
        source.line("");
    };
    method(rng, "__init__(self, other=None)", "self.part = ");
    for name in [
        "peer(self)",
        "again(self, other=None)",
        "run(self, other=None)",
    ] {
        if rng.chance(2, 3) {
            method(rng, name, "return ");
        }
    }
    for (name, end) in [
        ("__iter__(self, other=None)", "yield "),
        ("__enter__(self, other=None)", "return "),
        ("__call__(self, other=None)", "return "),
        ("__add__(self, other)", "return "),
        ("__getitem__(self, other)", "return "),
    ] {
        if rng.chance(1, 4) {
            method(rng, name, end);
        }
    }
    if rng.chance(1, 2) {
        let object = in_method.object(rng, 2);
        source.line(format!(
            "    @property\n    def prop(self, other=None):\n        return {object}\n"
        ));
    }
    if rng.chance(1, 2) {
        source.line(
            "    @classmethod\n    def create(cls, other=None):\n        return cls(other)\n",
        );
    }
    if rng.chance(1, 3) {
        let object = source.names.object(rng, 1);
        source.line(format!(
            "    @staticmethod\n    def close():\n        return {object}\n"
        ));
    }
}

fn function(rng: &mut SeededRng, source: &mut PythonSource, name: &str) {
    let mut names = source.names.clone();
    names.functions.push(name.to_owned());
    names.objects.push("it".into());
    let (head, end) = match rng.below(9) {
        0 => ("\n\ndef", "yield "),
        1 => ("\n\n@contextmanager\ndef", "yield "),
        2 => ("\n\n@unknown\ndef", "return "),
        3 => ("\n\n@traced\ndef", "return "),
        4 => ("\n\nasync def", "return await "),
        _ => ("\n\ndef", "return "),
    };
    source.line(format!("{head} {name}(it=None):"));
    names.statements(rng, "    ", &mut source.lines);
    if rng.chance(1, 6) {
        let object = names.object(rng, 1);
        source.line(format!(
            "    kept = {object}\n\n    def turn():\n        nonlocal kept\n        kept = kept.peer()\n        return kept\n"
        ));
        names.functions.push("turn".into());
        names.objects.push("kept".into());
    }
    if rng.chance(1, 3) {
        let object = names.object(rng, 2);
        source.line(format!("    if count:\n        {end}{object}"));
    }
    let object = names.object(rng, 2);
    source.line(format!("    {end}{object}"));
    source.names.functions.push(name.to_owned());
}
