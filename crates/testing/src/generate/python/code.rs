//! Expressions of objects, and the statements around them.

use crate::SeededRng;

/// The names in scope at some position.
#[derive(Clone, Default)]
pub(super) struct NamesInScope {
    /// Expressions of classes.
    pub(super) classes: Vec<String>,
    /// The classes that can be base classes.
    pub(super) bases: Vec<String>,
    /// Expressions of functions.
    pub(super) functions: Vec<String>,
    /// Expressions of objects.
    pub(super) objects: Vec<String>,
    /// Whether `self` is in scope.
    pub(super) in_method: bool,
}

/// The methods of classes that take no other argument.
pub(super) const METHODS: [&str; 4] = ["peer", "again", "close", "run"];

/// The attributes of objects.
pub(super) const ATTRIBUTES: [&str; 4] = ["part", "other", "prop", "kind"];

impl NamesInScope {
    fn class(&self, rng: &mut SeededRng) -> String {
        rng.one(&self.classes)
            .cloned()
            .unwrap_or_else(|| "object".into())
    }

    fn name(&self, rng: &mut SeededRng) -> String {
        match rng.one(&self.objects) {
            Some(name) => name.clone(),
            None => format!("{}()", self.class(rng)),
        }
    }

    /// Returns an expression of an object.
    pub(super) fn object(&self, rng: &mut SeededRng, depth: usize) -> String {
        if depth == 0 {
            return match rng.below(3) {
                0 => format!("{}()", self.class(rng)),
                _ => self.name(rng),
            };
        }
        let inner = |rng: &mut SeededRng| self.object(rng, depth - 1);
        let method = METHODS[rng.below(METHODS.len())];
        let attribute = ATTRIBUTES[rng.below(ATTRIBUTES.len())];
        match rng.below(18) {
            0 | 1 => {
                let class = self.class(rng);
                format!("{class}({})", inner(rng))
            }
            2..=4 => {
                let function = rng.one(&self.functions).cloned();
                let function = function.unwrap_or_else(|| self.class(rng));
                format!("{function}({})", inner(rng))
            }
            5 | 6 => format!("{}.{method}()", inner(rng)),
            7 | 8 => format!("{}.{attribute}", inner(rng)),
            9 => format!("({} or {})", inner(rng), inner(rng)),
            10 => format!("({} if count else {})", inner(rng), inner(rng)),
            11 => format!("[{}, {}][0]", inner(rng), inner(rng)),
            12 => format!("[z.{method}() for z in {}][0]", inner(rng)),
            13 => format!("({} + {})", inner(rng), inner(rng)),
            14 => format!("{}.create({})", self.class(rng), inner(rng)),
            15 => format!("(lambda q: q.{method}())({})", inner(rng)),
            16 if self.in_method => match rng.below(3) {
                0 => "type(self)()".into(),
                1 => format!("super().{method}()"),
                _ => format!("self.{attribute}"),
            },
            16 => format!("{{'k': {}}}['k']", inner(rng)),
            _ => format!("{}[0]", inner(rng)),
        }
    }

    /// Generates some statements at an indentation; the names that they bind are in scope
    /// afterwards.
    pub(super) fn statements(
        &mut self,
        rng: &mut SeededRng,
        indent: &str,
        lines: &mut Vec<String>,
    ) {
        for number in 0..1 + rng.below(3) {
            let object = self.object(rng, 2);
            let method = METHODS[rng.below(METHODS.len())];
            let attribute = ATTRIBUTES[rng.below(ATTRIBUTES.len())];
            let class = self.class(rng);
            let mut line = |text: String| lines.push(format!("{indent}{text}"));
            match rng.below(12) {
                0..=2 => {
                    line(format!("v{number} = {object}"));
                    self.objects.push(format!("v{number}"));
                }
                3 => line(format!("{object}.{method}()")),
                4 => {
                    line(format!("for each in {object}:"));
                    line(format!("    each.{method}()"));
                }
                5 => {
                    line(format!("with {object} as held:"));
                    line(format!("    held.{method}()"));
                }
                6 => {
                    let name = self.name(rng);
                    line(format!("if isinstance({name}, {class}):"));
                    line(format!("    {name}.{method}()"));
                }
                7 => {
                    line(format!("at = {object}"));
                    line("while at:".into());
                    line(format!("    at = at.{method}()"));
                    self.objects.push("at".into());
                }
                8 => {
                    line("try:".into());
                    line(format!("    got = {object}"));
                    line("except ValueError as error:".into());
                    line(format!("    got = error.{attribute}"));
                    self.objects.push("got".into());
                }
                9 => {
                    line(format!("one, two = {object}, {}", self.name(rng)));
                    self.objects.extend(["one".into(), "two".into()]);
                }
                10 if self.in_method => line(format!("self.{attribute} = {object}")),
                10 => {
                    line(format!("def inner(q={object}):"));
                    line(format!("    return q.{method}()"));
                    self.functions.push("inner".into());
                }
                _ => {
                    line("if count:".into());
                    line(format!("    some = {object}"));
                    line("else:".into());
                    line(format!("    some = {class}()"));
                    self.objects.push("some".into());
                }
            }
        }
    }
}
