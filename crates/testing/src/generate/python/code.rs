//! Expressions that give objects, and the statements around them.

use crate::SeededRng;

/// What code at some place can name.
#[derive(Clone, Default)]
pub(super) struct NamesInScope {
    /// Expressions of classes.
    pub(super) classes: Vec<String>,
    /// Those of them that a class may have as its bases.
    pub(super) bases: Vec<String>,
    /// Expressions of functions.
    pub(super) functions: Vec<String>,
    /// Expressions of objects.
    pub(super) objects: Vec<String>,
    /// Whether `self` is one of them.
    pub(super) in_method: bool,
}

/// The methods that classes have without another argument.
pub(super) const METHODS: [&str; 4] = ["peer", "again", "close", "run"];

/// The attributes that objects may have.
pub(super) const ATTRIBUTES: [&str; 4] = ["part", "other", "prop", "kind"];

impl NamesInScope {
    fn class(&self, lot: &mut SeededRng) -> String {
        lot.one(&self.classes)
            .cloned()
            .unwrap_or_else(|| "object".into())
    }

    fn name(&self, lot: &mut SeededRng) -> String {
        match lot.one(&self.objects) {
            Some(name) => name.clone(),
            None => format!("{}()", self.class(lot)),
        }
    }

    /// An expression that gives an object.
    pub(super) fn object(&self, lot: &mut SeededRng, depth: usize) -> String {
        if depth == 0 {
            return match lot.below(3) {
                0 => format!("{}()", self.class(lot)),
                _ => self.name(lot),
            };
        }
        let inner = |lot: &mut SeededRng| self.object(lot, depth - 1);
        let method = METHODS[lot.below(METHODS.len())];
        let attribute = ATTRIBUTES[lot.below(ATTRIBUTES.len())];
        match lot.below(18) {
            0 | 1 => {
                let class = self.class(lot);
                format!("{class}({})", inner(lot))
            }
            2..=4 => {
                let function = lot.one(&self.functions).cloned();
                let function = function.unwrap_or_else(|| self.class(lot));
                format!("{function}({})", inner(lot))
            }
            5 | 6 => format!("{}.{method}()", inner(lot)),
            7 | 8 => format!("{}.{attribute}", inner(lot)),
            9 => format!("({} or {})", inner(lot), inner(lot)),
            10 => format!("({} if count else {})", inner(lot), inner(lot)),
            11 => format!("[{}, {}][0]", inner(lot), inner(lot)),
            12 => format!("[z.{method}() for z in {}][0]", inner(lot)),
            13 => format!("({} + {})", inner(lot), inner(lot)),
            14 => format!("{}.create({})", self.class(lot), inner(lot)),
            15 => format!("(lambda q: q.{method}())({})", inner(lot)),
            16 if self.in_method => match lot.below(3) {
                0 => "type(self)()".into(),
                1 => format!("super().{method}()"),
                _ => format!("self.{attribute}"),
            },
            16 => format!("{{'k': {}}}['k']", inner(lot)),
            _ => format!("{}[0]", inner(lot)),
        }
    }

    /// Some statements at an indentation; the names they bind are known behind them.
    pub(super) fn statements(
        &mut self,
        lot: &mut SeededRng,
        indent: &str,
        lines: &mut Vec<String>,
    ) {
        for number in 0..1 + lot.below(3) {
            let object = self.object(lot, 2);
            let method = METHODS[lot.below(METHODS.len())];
            let attribute = ATTRIBUTES[lot.below(ATTRIBUTES.len())];
            let class = self.class(lot);
            let mut line = |text: String| lines.push(format!("{indent}{text}"));
            match lot.below(12) {
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
                    let name = self.name(lot);
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
                    line(format!("one, two = {object}, {}", self.name(lot)));
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
