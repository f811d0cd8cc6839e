//! The bars of the house: each a figure of the whole workspace with the floor it must not pass.

use super::figures::{Measured, all_docs};

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

/// Files in the largest import circle.
const CIRCLE: usize = 6;
/// Methods of a type.
const METHODS: usize = 40;
/// Public type names that a crate declares twice.
const HOMONYMS: usize = 0;

/// Bars that a change of the source shows, not the source: each needs a commit or a test that adds
/// the thing.
const NOT_MEASURED: &[(&str, usize)] = &[
    (
        "files outside its own folders that the toy language touches",
        2,
    ),
    ("files to change for an operation", 3),
    ("files to change for an MCP tool", 1),
    ("files to change for an export", 1),
    ("files to change for a decorator", 1),
];

/// Returns all bars with the figures of these crates.
pub fn bars(crates: &[Measured]) -> Vec<Bar> {
    let mut bars = vec![circle(crates), methods(crates), homonyms(crates)];
    bars.extend(NOT_MEASURED.iter().map(|&(name, floor)| Bar {
        name,
        figure: None,
        floor: Some(floor),
        holds: None,
    }));
    let docs = all_docs(crates);
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

fn circle(crates: &[Measured]) -> Bar {
    // The first of several, in order of crate.
    let largest = crates.iter().rev().max_by_key(|of| of.circle.files.len());
    let files = largest.map_or(0, |of| of.circle.files.len());
    let figure = match largest {
        Some(of) if files > 0 => format!("{files} with {} edges ({})", of.circle.edges, of.name),
        _ => "none".to_owned(),
    };
    bound("files in the largest import circle", figure, files, CIRCLE)
}

fn methods(crates: &[Measured]) -> Bar {
    let types = crates
        .iter()
        .rev()
        .filter_map(|of| Some((of, of.widest()?)));
    let widest = types.max_by_key(|(_, wide)| wide.methods);
    let methods = widest.map_or(0, |(_, wide)| wide.methods);
    let figure = match widest {
        Some((of, wide)) => format!("{methods} (`{}` of {})", wide.name, of.name),
        None => "none".to_owned(),
    };
    bound(
        "methods on the widest type that is not exempt",
        figure,
        methods,
        METHODS,
    )
}

fn homonyms(crates: &[Measured]) -> Bar {
    let names = crates.iter().map(|of| of.homonyms.len()).sum();
    let name = "public type names that a crate declares more than once";
    bound(name, format!("{names}"), names, HOMONYMS)
}

fn bound(name: &'static str, figure: String, value: usize, floor: usize) -> Bar {
    Bar {
        name,
        figure: Some(figure),
        floor: Some(floor),
        holds: Some(value <= floor),
    }
}

#[cfg(test)]
mod tests {
    use super::bars;
    use crate::house::exempt::Exempt;
    use crate::house::figures::Measured;
    use crate::house::source::inline;

    const EXEMPT: &[Exempt] = &[Exempt {
        package: "c",
        folder: "checker/",
        name: "Builder",
        reason: "the inference builder",
    }];

    fn measured(text: &str) -> Vec<Measured> {
        let files = [("lib.rs", "mod checker;"), ("checker/mod.rs", text)];
        vec![Measured::of(&inline("c", &files), EXEMPT)]
    }

    /// A type of this name with so many methods.
    fn wide(name: &str, methods: usize) -> String {
        let methods: Vec<String> = (0..methods).map(|at| format!("fn f{at}() {{}}")).collect();
        format!("struct {name}; impl {name} {{ {} }}", methods.join(" "))
    }

    fn broken(text: &str) -> Vec<&'static str> {
        let bars = bars(&measured(text));
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
    fn a_circle_of_seven_files_breaks_the_floor() {
        let circle = |length: usize| {
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
            let measured = vec![Measured::of(&inline("c", &files), &[])];
            bars(&measured).into_iter().next().and_then(|bar| bar.holds)
        };
        assert_eq!(circle(6), Some(true));
        assert_eq!(circle(7), Some(false));
    }

    #[test]
    fn what_the_source_does_not_tell_has_no_figure() {
        let bars = bars(&measured(""));
        let open: Vec<_> = bars.iter().filter(|bar| bar.figure.is_none()).collect();
        assert_eq!(open.len(), 5);
        assert!(open.iter().all(|bar| bar.holds.is_none()));
    }
}
