//! The bars of the house: each a figure of the whole workspace with the floor it must not pass.

use super::additions::Addition;
use super::figures::{House, Measured, all_docs};
use super::types::Wide;

/// A figure and its floor.
pub struct Bar {
    /// What is counted.
    pub name: &'static str,
    /// The figure in words; `None` where the source alone does not tell it.
    pub figure: Option<String>,
    /// The most that is allowed.
    pub floor: Option<usize>,
    /// Whether the figure is within the floor; `None` without a figure or without a floor.
    pub holds: Option<bool>,
}

/// A figure of the source that has a floor.
#[derive(Clone, Copy)]
pub enum Metric {
    /// Files in the largest import cycle of a crate.
    Cycle,
    /// Methods on the widest type that is not exempt.
    Methods,
    /// Public type names that a crate declares more than once.
    Homonyms,
    /// Files to change where something is added.
    Added(Addition),
}

/// The value of a metric.
pub struct Value {
    /// The number that is held against the floor.
    pub number: usize,
    /// The number with where it was found.
    pub words: String,
    /// What makes it up: files of the cycle, types above the floor, names.
    pub behind: Vec<String>,
}

impl Metric {
    /// All of them, in the order of the table.
    pub const ALL: [Metric; 7] = [
        Metric::Cycle,
        Metric::Methods,
        Metric::Homonyms,
        Metric::Added(Addition::Operation),
        Metric::Added(Addition::Tool),
        Metric::Added(Addition::Export),
        Metric::Added(Addition::Decorator),
    ];

    /// What is counted.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Cycle => "files in the largest import cycle",
            Metric::Methods => "methods on the widest type that is not exempt",
            Metric::Homonyms => "public type names that a crate declares more than once",
            Metric::Added(Addition::Operation) => "files to change for an operation",
            Metric::Added(Addition::Tool) => "files to change for an MCP tool",
            Metric::Added(Addition::Export) => "files to change for an export",
            Metric::Added(Addition::Decorator) => "files to change for a decorator",
        }
    }

    /// The most that is allowed.
    pub const fn floor(self) -> usize {
        match self {
            Metric::Cycle => 6,
            Metric::Methods => 40,
            Metric::Homonyms => 0,
            Metric::Added(Addition::Operation) => 3,
            Metric::Added(Addition::Tool | Addition::Export | Addition::Decorator) => 1,
        }
    }

    /// Returns the value for a workspace; `None` for one without the list that an addition joins.
    pub fn value(self, house: &House) -> Option<Value> {
        let crates = &house.crates;
        Some(match self {
            Metric::Cycle => cycle(crates),
            Metric::Methods => methods(crates),
            Metric::Homonyms => homonyms(crates),
            Metric::Added(addition) => {
                let files = house.additions.files(addition)?;
                Value {
                    number: files.len(),
                    words: files.len().to_string(),
                    behind: files.to_vec(),
                }
            }
        })
    }

    fn bar(self, house: &House) -> Bar {
        let value = self.value(house);
        Bar {
            name: self.name(),
            holds: value.as_ref().map(|value| value.number <= self.floor()),
            figure: value.map(|value| value.words),
            floor: Some(self.floor()),
        }
    }
}

/// The most files outside its own folders that a language may touch.
const MAX_TOUCHED: usize = 2;

/// Returns all bars with the figures of a workspace, and with the files that the toy language touches outside
/// its own folders.
pub fn bars(house: &House, touched: Option<&[String]>) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Metric::ALL.iter().map(|metric| metric.bar(house)).collect();
    bars.push(Bar {
        name: "files outside its own folders that the toy language touches",
        figure: touched.map(|files| files.len().to_string()),
        floor: Some(MAX_TOUCHED),
        holds: touched.map(|files| files.len() <= MAX_TOUCHED),
    });
    let docs = all_docs(&house.crates);
    let told = |name, figure| Bar {
        name,
        figure: Some(figure),
        floor: None,
        holds: None,
    };
    bars.push(told("words a doc block", format!("{:.1}", docs.mean())));
    bars.push(told(
        "doc blocks that begin with What, Whether, How, Where, Of or One",
        format!("{:.1} %", 100.0 * docs.roundabout_share()),
    ));
    bars.push(told(
        "doc examples that are compiled",
        format!("{} of {} code blocks", docs.compiled, docs.fences),
    ));
    bars
}

fn cycle(crates: &[Measured]) -> Value {
    // The first of several, in order of crate.
    let largest = crates.iter().rev().max_by_key(|of| of.cycle.files.len());
    let largest = largest.filter(|of| !of.cycle.files.is_empty());
    let Some(of) = largest else {
        return Value {
            number: 0,
            words: "none".to_owned(),
            behind: Vec::new(),
        };
    };
    let files = of.cycle.files.len();
    let with_package = |file: &String| format!("{} {file}", of.name);
    Value {
        number: files,
        words: format!("{files} with {} edges ({})", of.cycle.edges, of.name),
        behind: of.cycle.files.iter().map(with_package).collect(),
    }
}

fn methods(crates: &[Measured]) -> Value {
    let mut types: Vec<(&str, &Wide)> = Vec::new();
    for of in crates {
        let bound = of.types.iter().filter(|of| of.exempt.is_none());
        types.extend(bound.map(|bound| (&*of.name, &bound.wide)));
    }
    // The first of several, in order of crate.
    types.sort_by_key(|(_, wide)| std::cmp::Reverse(wide.methods));
    let words = |(package, wide): &(&str, &Wide)| {
        format!("{} (`{}` of {package})", wide.methods, wide.name)
    };
    let above = types
        .iter()
        .filter(|(_, wide)| wide.methods > Metric::Methods.floor());
    Value {
        number: types.first().map_or(0, |(_, wide)| wide.methods),
        words: types.first().map_or("none".to_owned(), words),
        behind: above.map(words).collect(),
    }
}

fn homonyms(crates: &[Measured]) -> Value {
    let mut behind = Vec::new();
    for of in crates {
        let names = of.homonyms.iter();
        behind.extend(
            names.map(|one| format!("{} `{}`: {}", of.name, one.name, one.files.join(", "))),
        );
    }
    Value {
        number: behind.len(),
        words: behind.len().to_string(),
        behind,
    }
}

#[cfg(test)]
mod tests {
    use super::{Metric, bars};
    use crate::house::additions::Addition;
    use crate::house::exempt::Exempt;
    use crate::house::figures::House;
    use crate::house::source::inline;

    const EXEMPT: &[Exempt] = &[Exempt {
        folders: &[("c", "checker/")],
        names: &["Builder"],
        reason: "the inference builder",
    }];

    fn measured(text: &str) -> House {
        let files = [("lib.rs", "mod checker;"), ("checker/mod.rs", text)];
        House::of(&[inline("c", &files)], EXEMPT)
    }

    /// A type of this name with so many methods.
    fn wide(name: &str, methods: usize) -> String {
        let methods: Vec<String> = (0..methods).map(|at| format!("fn f{at}() {{}}")).collect();
        format!("struct {name}; impl {name} {{ {} }}", methods.join(" "))
    }

    fn broken(text: &str) -> Vec<&'static str> {
        let bars = bars(&measured(text), None);
        let broken = bars.into_iter().filter(|bar| bar.holds == Some(false));
        broken.map(|bar| bar.name).collect()
    }

    #[test]
    fn forty_methods_are_allowed_and_one_more_is_not() {
        assert!(broken(&wide("A", 40)).is_empty());
        let name = "methods on the widest type that is not exempt";
        assert_eq!(broken(&wide("A", 41)), [name]);
    }

    #[test]
    fn an_exempt_type_may_be_wide() {
        assert!(broken(&wide("Builder", 41)).is_empty());
    }

    #[test]
    fn a_public_name_declared_twice_breaks_the_floor() {
        let twice = "pub mod a { pub struct A; } pub mod b { pub struct A; }";
        let name = "public type names that a crate declares more than once";
        assert_eq!(broken(twice), [name]);
    }

    #[test]
    fn a_cycle_of_seven_files_breaks_the_floor() {
        let cycle = |length: usize| {
            let names: Vec<String> = (0..length).map(|at| format!("f{at}")).collect();
            let mut files = vec![(
                "lib.rs".to_owned(),
                names
                    .iter()
                    .map(|name| format!("mod {name};"))
                    .collect::<String>(),
            )];
            for (at, name) in names.iter().enumerate() {
                let next = &names[(at + 1) % length];
                files.push((
                    format!("{name}.rs"),
                    format!("pub struct S(crate::{next}::S);"),
                ));
            }
            let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
            let house = House::of(&[inline("c", &files)], &[]);
            bars(&house, None)
                .into_iter()
                .next()
                .and_then(|bar| bar.holds)
        };
        assert_eq!(cycle(6), Some(true));
        assert_eq!(cycle(7), Some(false));
    }

    #[test]
    fn types_above_the_floor_are_behind_the_figure() {
        let text = wide("A", 41) + &wide("B", 42) + &wide("C", 40);
        let value = Metric::Methods.value(&measured(&text)).expect("a figure");
        assert_eq!(value.number, 42);
        assert_eq!(value.behind, ["42 (`B` of c)", "41 (`A` of c)"]);
    }

    #[test]
    fn a_tool_that_two_files_know_breaks_the_floor() {
        let holds = |handler: &str| {
            let files = [
                ("lib.rs", "mod handler; mod tools;"),
                ("handler.rs", handler),
                ("tools/graph.rs", "pub struct GraphTool;"),
                (
                    "tools/mod.rs",
                    "mod graph; const TOOLS: &[&dyn AgentTool] = &[&graph::GraphTool];",
                ),
            ];
            let house = House::of(&[inline("mcp", &files)], &[]);
            Metric::Added(Addition::Tool).bar(&house).holds
        };
        assert_eq!(holds(""), Some(true));
        assert_eq!(holds("use crate::tools::graph::GraphTool;"), Some(false));
    }

    #[test]
    fn what_the_source_does_not_tell_has_no_figure() {
        let bars = bars(&measured(""), None);
        let open: Vec<_> = bars.iter().filter(|bar| bar.figure.is_none()).collect();
        assert_eq!(open.len(), 5); // no lists in this source
        assert!(open.iter().all(|bar| bar.holds.is_none()));
    }
}
