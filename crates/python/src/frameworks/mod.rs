//! Frameworks by declaration: which decorators and calls of libraries register a function that the library calls, as data.
//!
//! ```toml
//! [[framework]]
//! decorator = "flask.Flask.route"      # the path by which code names it; `{a,b}` for alternatives
//! keeps = true                         # the name stays the function; without it: what the library makes of it
//!
//! [[framework]]
//! call = "signal.signal"
//! function = [1, "handler"]            # the arguments that may be the function, by position or keyword
//!
//! [[framework]]
//! decorator = "click.group"
//! makes = "click.Group"                # what the name is then: its own decorators have paths behind this
//! ```
//!
//! The rows of the crate are in `rows.toml`; `[[python.framework]]` of the settings adds more of the same form. A function that
//! is registered has a caller that is no site, so it leaves to nothing else ([`codeweft_db::OutsideCaller::Framework`]); its parameters
//! may be anything, and what it returns leaves to the library. Paths are those that the text names, whether the library's source
//! is loaded or not.

mod paths;

use std::sync::{Arc, LazyLock};

use codeweft_db::{Db, SymbolClass, SymbolId};
use codeweft_python_syntax::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

pub(crate) use paths::Expressions;
pub use paths::py_named_paths;

use crate::declared::{declaration_of, items};
use crate::settings;

/// The rows of this crate.
const ROWS: &str = include_str!("rows.toml");

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Row {
    decorator: Option<String>,
    call: Option<String>,
    /// The arguments of a call that may be the function.
    function: Option<Arguments>,
    makes: Option<String>,
    keeps: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
enum Arguments {
    One(Argument),
    Several(Vec<Argument>),
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Argument {
    /// By its position, from 0 on.
    Position(u32),
    /// By its keyword.
    Keyword(String),
}

/// What a decorator that registers its function gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Given {
    /// Whether it gives the function back.
    keeps: bool,
    /// The path of the class of the object that it makes.
    makes: Option<Arc<str>>,
}

/// The frameworks that are known, by the paths of what registers functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frameworks {
    decorators: FxHashMap<String, Given>,
    calls: FxHashMap<String, Vec<Argument>>,
    /// The last names of the paths.
    last_names: FxHashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    framework: Vec<Row>,
}

/// The frameworks of this crate.
static SHIPPED: LazyLock<Arc<Frameworks>> = LazyLock::new(|| {
    let mut shipped = Frameworks::default();
    // A test reads them: they are always right.
    let rows = toml::from_str::<Table>(ROWS).map(|table| table.framework);
    for row in rows.unwrap_or_default() {
        shipped.add(row);
    }
    Arc::new(shipped)
});

impl Row {
    /// Returns what is wrong with a row: it has to name one thing, and say what of it is a function.
    fn mistake(&self) -> Option<&'static str> {
        match (&self.decorator, &self.call) {
            (None, None) => Some("name what registers a function: `decorator` or `call`"),
            (Some(_), Some(_)) => Some("one of `decorator` and `call`, not both"),
            (None, Some(_)) if self.function.is_none() => {
                Some("say which argument is the function: `function`")
            }
            (None, Some(_)) if self.keeps || self.makes.is_some() => {
                Some("`keeps` and `makes` are of a `decorator`")
            }
            (Some(_), None) if self.function.is_some() => Some("`function` is of a `call`"),
            _ if self.keeps && self.makes.is_some() => Some("one of `keeps` and `makes`, not both"),
            _ => None,
        }
    }
}

impl Frameworks {
    /// Returns the frameworks of this crate and those of settings, a JSON array of objects `{line, row}`; and what is wrong with the
    /// others: the 1-based line of the file of settings, and the words.
    pub(crate) fn of_settings(json: Option<&str>) -> (Arc<Frameworks>, Vec<(u32, String)>) {
        #[derive(Deserialize)]
        struct Written {
            line: u32,
            row: serde_json::Value,
        }
        let written = json.map(serde_json::from_str::<Vec<Written>>);
        let written = written.and_then(Result::ok).unwrap_or_default();
        if written.is_empty() {
            return (SHIPPED.clone(), Vec::new());
        }
        let (mut all, mut wrong) = (Frameworks::clone(&SHIPPED), Vec::new());
        for Written { line, row } in written {
            let read = serde_json::from_value::<Row>(row).map_err(|error| error.to_string());
            let checked = read.and_then(|row| match row.mistake() {
                None => Ok(row),
                Some(mistake) => Err(mistake.to_owned()),
            });
            match checked {
                Ok(row) => all.add(row),
                Err(words) => wrong.push((line, format!("[[python.framework]] {words}"))),
            }
        }
        (Arc::new(all), wrong)
    }

    fn add(&mut self, row: Row) {
        let given = Given {
            keeps: row.keeps,
            makes: row.makes.as_deref().map(Arc::from),
        };
        for path in row.decorator.iter().flat_map(|paths| expanded(paths)) {
            self.add_last(&path);
            self.decorators.insert(path, given.clone());
        }
        let function = match row.function {
            None => Vec::new(),
            Some(Arguments::One(one)) => vec![one],
            Some(Arguments::Several(all)) => all,
        };
        for path in row.call.iter().flat_map(|paths| expanded(paths)) {
            self.add_last(&path);
            self.calls.insert(path, function.clone());
        }
    }

    fn add_last(&mut self, path: &str) {
        let last = path.rsplit('.').next().unwrap_or(path);
        self.last_names.insert(last.to_owned());
    }

    /// Returns whether a path ends with a name.
    fn may_end_with(&self, name: &str) -> bool {
        self.last_names.contains(name)
    }
}

/// Returns the texts that a text with alternatives in braces means: `a.{b,c}` is `a.b` and `a.c`.
fn expanded(text: &str) -> Vec<String> {
    let Some((before, behind)) = text.split_once('{') else {
        return vec![text.to_owned()];
    };
    let Some((choices, after)) = behind.split_once('}') else {
        return vec![text.to_owned()];
    };
    let rest = expanded(after);
    let choices = choices.split(',').map(str::trim);
    choices
        .flat_map(|choice| {
            rest.iter()
                .map(move |rest| format!("{before}{choice}{rest}"))
        })
        .collect()
}

/// What a decorator does with its function that registers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Registration {
    /// Whether the function's name stays the function.
    pub(crate) keeps: bool,
}

/// Returns for each decorator of a function whether it registers it with a framework.
pub(crate) fn registrations(db: &dyn Db, function: SymbolId) -> Vec<Option<Registration>> {
    let class = db.shared().symbols.key(function).class;
    // Objects of a class are made, and their methods called, by more than the registration says.
    if !matches!(class, SymbolClass::Function | SymbolClass::Method) {
        return Vec::new();
    }
    let Some((file, item)) = declaration_of(db, function) else {
        return Vec::new();
    };
    let Some(all) = items(db, file) else {
        return Vec::new();
    };
    let Some(declared) = all.items.get(item as usize) else {
        return Vec::new();
    };
    let frameworks = settings::frameworks(db);
    let of = Expressions::of_items(db, file, all, declared.parent);
    let given = |&node: &NodeId| {
        let found = frameworks.given(of, node)?;
        Some(Registration { keeps: found.keeps })
    };
    declared.decorators.iter().map(given).collect()
}

/// Returns whether a decorator registers a function with a framework.
pub(crate) fn is_registered_by_decorator(db: &dyn Db, function: SymbolId) -> bool {
    registrations(db, function).iter().any(Option::is_some)
}

/// Returns the arguments of a call that the called library registers, by the node of its callee.
pub(crate) fn registered_arguments<'f>(
    frameworks: &'f Frameworks,
    of: Expressions<'_>,
    callee: NodeId,
) -> Option<&'f [Argument]> {
    if !paths::may_be_named(of, (callee, false), |name| frameworks.may_end_with(name)) {
        return None;
    }
    let found = paths::of_node(of, callee, paths::MAX_DEPTH);
    let mut rows = found
        .iter()
        .filter_map(|path| frameworks.calls.get(path.as_ref()));
    rows.next().map(Vec::as_slice)
}

impl Frameworks {
    fn given(&self, of: Expressions<'_>, decorator: NodeId) -> Option<&Given> {
        if !paths::may_be_named(of, (decorator, true), |name| self.may_end_with(name)) {
            return None;
        }
        let found = paths::of_node(of, decorator, paths::MAX_DEPTH);
        found
            .iter()
            .find_map(|path| self.decorators.get(path.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_the_crate_are_read_and_say_what_they_name() {
        let table: Table = toml::from_str(ROWS).expect("the rows are read");
        for row in &table.framework {
            assert_eq!(row.mistake(), None, "{row:?}");
        }
        assert!(SHIPPED.decorators.contains_key("flask.Blueprint.route"));
        assert!(SHIPPED.calls.contains_key("threading.settrace"));
    }

    #[test]
    fn rows_of_settings_are_added_and_what_is_wrong_with_one_is_said_with_its_line() {
        let json = r#"[
            {"line": 3, "row": {"decorator": "web.App.{get,post}", "keeps": true}},
            {"line": 6, "row": {"decorator": "web.App.get", "kept": true}},
            {"line": 9, "row": {"call": "web.run"}},
            {"line": 12, "row": {"call": "web.on", "function": "handler"}}
        ]"#;
        let (all, wrong) = Frameworks::of_settings(Some(json));
        assert!(all.decorators["web.App.post"].keeps);
        let handler = Argument::Keyword("handler".to_owned());
        assert_eq!(all.calls["web.on"], [handler]);
        let wrong: Vec<String> = wrong
            .into_iter()
            .map(|(line, words)| format!("{line}: {words}"))
            .collect();
        assert_eq!(
            wrong,
            [
                "6: [[python.framework]] unknown field `kept`, expected one of `decorator`, `call`, `function`, `makes`, `keeps`",
                "9: [[python.framework]] say which argument is the function: `function`",
            ]
        );
    }
}
