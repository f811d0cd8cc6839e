//! The bodies of generated functions.

use super::package::GoSource;
use super::{Function, GoPlan, Shape};
use crate::SeededRng;

/// A body under construction.
pub(super) struct Body<'a> {
    plan: &'a GoPlan,
    source: &'a mut GoSource,
    rng: SeededRng,
    function: Function,
    /// Expressions of type int that are in scope.
    ints: Vec<String>,
    locals: usize,
}

impl<'a> Body<'a> {
    /// Returns an empty body whose first number is `parameter`.
    pub(super) fn new(
        plan: &'a GoPlan,
        source: &'a mut GoSource,
        function: Function,
        parameter: &str,
    ) -> Body<'a> {
        Body {
            rng: plan.rng(5, &[function.package, function.file, function.number]),
            plan,
            source,
            function,
            ints: vec![parameter.to_owned()],
            locals: 0,
        }
    }

    /// Returns the result expression: the sum of the last numbers, so that every local variable is
    /// used.
    pub(super) fn total(self) -> String {
        self.ints.join(" + ")
    }

    /// Generates some statements.
    pub(super) fn statements(&mut self) {
        for _ in 0..3 + self.rng.below(4) {
            match self.rng.below(14) {
                0..=3 => self.call(),
                4 => self.item(),
                5 => self.closure(),
                6 => self.shadow(),
                7 => self.generic(),
                8 => self.switch(),
                9 => self.type_switch(),
                10 => self.channel(),
                11 => self.method_value(),
                12 => self.local_type(),
                _ => self.map(),
            }
        }
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.locals += 1;
        format!("{stem}{}", self.locals)
    }

    fn int(&mut self) -> String {
        match self.rng.below(4) {
            0 => format!("{}", self.rng.below(100)),
            1 => format!("Limit{}", self.rng.below(self.plan.size.files)),
            _ => {
                let at = self.rng.below(self.ints.len());
                self.ints[at].clone()
            }
        }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        for line in line.as_ref().lines() {
            self.source.line(format!("\t{line}"));
        }
    }

    /// Draws a function to call.
    fn callee(&mut self) -> Function {
        let imports = self.plan.imports(self.function.package);
        let own = self.rng.chance(1, 2) || imports.is_empty();
        let package = if own {
            self.function.package
        } else {
            imports[self.rng.below(imports.len())]
        };
        let mut callee = Function {
            package,
            file: self.rng.below(self.plan.size.files),
            number: self.rng.below(self.plan.size.functions),
        };
        if !own && !self.plan.is_exported(callee) {
            callee.number -= 1;
        }
        callee
    }

    /// Returns a function's name as it is written here.
    fn named(&mut self, callee: Function) -> String {
        let name = self.plan.name(callee);
        if callee.package == self.function.package {
            name
        } else {
            self.name_package(callee.package) + &name
        }
    }

    fn name_package(&mut self, package: usize) -> String {
        self.source.used.insert(package);
        format!("p{package}.")
    }

    fn call(&mut self) {
        let callee = self.callee();
        let name = self.named(callee);
        let file = callee.file;
        let n = self.int();
        let local = self.fresh("r");
        match self.plan.shape(callee) {
            Shape::Number => self.line(format!("{local} := {name}({n})")),
            Shape::Fails => {
                let text = self.fresh("s");
                self.line(format!(
                    "{local} := 0\nif {text}, err := {name}(\"a\", {n}); err == nil {{\n\t{local} = len({text})\n}} else {{\n\t{local} = len(err.Error())\n}}"
                ));
            }
            Shape::TakesInterface => {
                // Every item of every package has the methods of every Doer.
                let item = self.rng.below(self.plan.size.files);
                self.line(format!("{local} := {name}(Default{item}, {n})"));
            }
            Shape::Generic => {
                if self.rng.chance(1, 2) {
                    self.line(format!(
                "{local} := {name}(Default{file}, func(i *Item{file}) int {{\n\treturn i.Do({n})\n}})"
            ))
                } else {
                    self.line(format!(
                "{local} := {name}[string](\"x\", func(s string) int {{ return len(s) + {n} }})"
            ))
                }
            }
            Shape::Variadic => {
                if self.rng.chance(1, 2) {
                    self.line(format!("{local} := {name}(1, 2, {n})"))
                } else {
                    self.line(format!("{local} := {name}([]int{{{n}, 3}}...)"))
                }
            }
            Shape::MakesItem => {
                self.line(format!("{local} := {name}({n}).Next().Do({n})"));
            }
        }
        self.ints.push(local);
    }

    fn item(&mut self) {
        let file = self.rng.below(self.plan.size.files);
        let (item, n) = (self.fresh("item"), self.int());
        self.line(format!(
            "{item} := &Item{file}{{Name: \"n\", count: {n}}}\n{item}.next = Default{file}\n{item}.Next().count++"
        ));
        self.ints.push(format!("{item}.Count()"));
    }

    fn closure(&mut self) {
        let (add, n) = (self.fresh("add"), self.int());
        let callee = self.callee();
        let inner = match self.plan.shape(callee) {
            Shape::Number => self.named(callee) + "(k)",
            _ => "k".to_owned(),
        };
        self.line(format!(
            "{add} := func(k int) int {{\n\treturn {inner} + {n}\n}}\ndefer {add}(2)"
        ));
        self.ints.push(format!("{add}(1)"));
    }

    fn shadow(&mut self) {
        let (sum, n) = (self.fresh("sum"), self.int());
        // The loop variable shadows a package-level name.
        self.line(format!(
            "{sum} := {n}\nfor Default0 := range 3 {{\n\tif {sum} := {sum} + Default0; {sum} > 10 {{\n\t\tbreak\n\t}}\n\t{sum} += Default0\n}}"
        ));
        self.ints.push(sum);
    }

    fn generic(&mut self) {
        let (list, n) = (self.fresh("list"), self.int());
        let imports = self.plan.imports(self.function.package);
        let prefix = match imports.last() {
            Some(&import) if self.rng.chance(1, 2) => self.name_package(import),
            _ => String::new(),
        };
        self.line(format!(
            "{list} := {prefix}Map([]int{{{n}}}, func(n int) *{prefix}Box[int] {{\n\treturn {prefix}NewBox(n)\n}})"
        ));
        self.ints.push(format!("{list}[0].Put(4).Get()"));
        self.ints.push(format!("{prefix}Sum(1, len({list}))"));
    }

    fn switch(&mut self) {
        let (kind, n) = (self.fresh("kind"), self.int());
        self.line(format!(
            "{kind} := Kind({n}).Next()\nswitch {{\ncase {kind} == KindA:\n\t{kind}++\ncase {kind} > KindB, {n} > half0:\n\t{kind} = KindC\ndefault:\n\tDefault0.kind = {kind}\n}}"
        ));
        self.ints.push(format!("int({kind})"));
    }

    fn type_switch(&mut self) {
        let (value, size) = (self.fresh("value"), self.fresh("size"));
        let n = self.int();
        self.line(format!(
            "var {value} any = Default0\n{size} := 0\nswitch v := {value}.(type) {{\ncase Doer0:\n\t{size} = v.Do({n})\ncase interface{{ Count() int }}:\n\t{size} = v.Count()\ncase string, nil:\n\t{size} = -1\n}}"
        ));
        self.ints.push(size);
    }

    fn channel(&mut self) {
        let (pipe, n) = (self.fresh("pipe"), self.int());
        self.line(format!(
            "{pipe} := make(chan int, 1)\ngo func() {{\n\t{pipe} <- Default0.Do({n})\n}}()\nselect {{\ncase got := <-{pipe}:\n\t_ = got\ndefault:\n}}"
        ));
        self.ints.push(format!("cap({pipe})"));
    }

    fn method_value(&mut self) {
        let (run, n) = (self.fresh("run"), self.int());
        if self.rng.chance(1, 2) {
            self.line(format!("{run} := Default0.Do"))
        } else {
            self.line(format!(
                "{run} := func(n int) int {{ return (*Item0).Do(Default0, n) }}"
            ))
        }
        self.ints.push(format!("{run}({n})"));
    }

    fn local_type(&mut self) {
        let (name, local) = (self.fresh("pair"), self.fresh("both"));
        let n = self.int();
        self.line(format!(
            "type {name} struct {{\n\t*Item0\n\textra int\n}}\n{local} := {name}{{Default0, {n}}}"
        ));
        self.ints.push(format!("{local}.Do({local}.extra)"));
    }

    fn map(&mut self) {
        let (table, n) = (self.fresh("table"), self.int());
        self.line(format!(
            "{table} := map[string]func(int) int{{\n\t\"do\":  Default0.Do,\n\t\"own\": func(n int) int {{ return n + {n} }},\n}}\nfor name, f := range {table} {{\n\tif f(len(name)) > 3 {{\n\t\tcontinue\n\t}}\n}}"
        ));
        self.ints.push(format!("len({table})"));
    }
}
