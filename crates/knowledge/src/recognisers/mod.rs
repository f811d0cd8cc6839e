//! Recognisers: which calls of libraries are wires, as data.
//!
//! A row names declarations of a library by the path by which code names them, and says with one verb what a use of them
//! does, and where its parts are among the arguments:
//!
//! ```toml
//! [[go]]
//! call = "github.com/gin-gonic/gin.{RouterGroup,Engine,IRoutes}.{GET,POST}"
//! route = { on = "receiver", method = "name", path = 0, handler = -1 }
//! ```
//!
//! The verbs are `router` (makes a router), `route` (registers a handler), `refine` (completes a route in a later link of
//! the chain), `mount` (puts a router below another), `publish`, `consume` (an event), `serve` (registers the server of
//! rpcs) and `request` (calls another service). Five kinds of rows are no wires: `text` says what a function makes of
//! texts, `setting` gives a setting its value without a document, `command` declares a command of a program, `result` what a
//! function of a library returns whose source is not loaded, `systems` which libraries make what events go through.
//!
//! The rows of the crate are in `rows.toml`; settings add more of the same form (`[[knowledge.recogniser]]`).

mod argument;
mod resolved;

use std::collections::BTreeMap;

use codeweft_graph::public_names::without_version;
use serde::Deserialize;

pub(crate) use argument::{Argument, One};
pub(crate) use resolved::{Match, Resolved};

/// The rows of this crate.
const ROWS: &str = include_str!("rows.toml");

/// A row of the table.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recogniser {
    /// The language, by its name on the wire; the table's own rows have it as their heading.
    pub language: String,
    /// What is called.
    pub call: Option<String>,
    /// What decorates a function or class.
    pub decorator: Option<String>,
    /// The field of an object that is written with its fields.
    pub key: Option<String>,
    /// The keys that a map is written with, where the row is of the value of the first.
    pub entry: Vec<String>,
    /// The types that functions of a library return, by function.
    pub result: BTreeMap<String, String>,
    /// The systems behind an interface for events, by the library that makes what has it; empty for one inside the process.
    pub systems: BTreeMap<String, String>,
    /// Makes a router.
    pub(crate) router: Option<Router>,
    /// Registers a handler.
    pub(crate) route: Option<Route>,
    /// Completes a route.
    pub(crate) refine: Option<Refine>,
    /// Mounts a router.
    pub(crate) mount: Option<Mount>,
    /// Publishes an event.
    pub(crate) publish: Option<Event>,
    /// Consumes an event.
    pub(crate) consume: Option<Event>,
    /// Registers a server of rpcs.
    pub(crate) serve: Option<Serve>,
    /// Calls another service.
    pub(crate) request: Option<Request>,
    /// Gives a setting a value that documents can replace.
    pub(crate) setting: Option<SettingOf>,
    /// Declares a command of a program.
    pub(crate) command: Option<CommandOf>,
    /// Makes a text.
    pub(crate) text: Option<TextOf>,
}

/// The verb `command`: what a program runs where the words of its command line have a name. It is the decorated function, or
/// the functions among the fields of the object whose field the row names.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CommandOf {
    /// The name, with words behind it; without one it is that of the decorated function, with hyphens.
    pub(crate) name: Option<Argument>,
    /// The type that a decorator makes of a function that is no command, but has some.
    pub(crate) group: Option<String>,
}

/// The verb `router`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Router {
    /// The router that it is below; a root without one.
    pub(crate) from: Option<Argument>,
    /// What its routes begin with.
    pub(crate) prefix: Option<Argument>,
    /// The parameter of a function that is the router; the call's result without one.
    pub(crate) to: Option<Argument>,
    /// The module whose routes it has, by its name.
    pub(crate) module: Option<Argument>,
}

/// The verb `route`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Route {
    /// The router.
    pub(crate) on: Option<Argument>,
    /// The methods; all without one.
    pub(crate) method: Option<Argument>,
    /// The path.
    pub(crate) path: Option<Argument>,
    /// Method, host and path in one text.
    pub(crate) pattern: Option<Argument>,
    /// The handler.
    pub(crate) handler: Option<Argument>,
    /// The id of the operation.
    pub(crate) operation_id: Option<Argument>,
    /// Whether the path is a regular expression.
    pub(crate) regex: bool,
}

/// The verb `refine`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Refine {
    /// The route.
    pub(crate) on: Option<Argument>,
    /// The methods.
    pub(crate) method: Option<Argument>,
    /// The path.
    pub(crate) path: Option<Argument>,
    /// The handler.
    pub(crate) handler: Option<Argument>,
}

/// The verb `mount`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Mount {
    /// The router that gets another.
    pub(crate) on: Option<Argument>,
    /// The other.
    pub(crate) child: Option<Argument>,
    /// What its routes begin with.
    pub(crate) prefix: Option<Argument>,
    /// Whether the prefix replaces that of the other.
    pub(crate) replaces: bool,
}

/// The verbs `publish` and `consume`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Event {
    /// The channels.
    pub(crate) channel: Option<Argument>,
    /// What consumes it.
    pub(crate) handler: Option<Argument>,
    /// What is published there reaches the channel: the row says that of two channels, and nothing of services.
    pub(crate) bound: Option<Argument>,
    /// The system; that of a library of `systems` where `by` is made by one. Empty if only that says it.
    pub(crate) system: String,
    /// What a library makes that the system depends on.
    pub(crate) by: Option<Argument>,
    /// Whether the channel is the last part of an address: a URL, an ARN, a resource's path.
    pub(crate) last: bool,
    /// Whether a scheduler publishes it: only what something consumes is an event then.
    pub(crate) scheduled: bool,
    /// The type that a decorator makes of a function: what calls its methods publishes the event that the function is.
    pub(crate) task: Option<String>,
}

/// The verb `serve`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Serve {
    /// The server.
    pub(crate) handler: Option<Argument>,
}

/// The verb `request`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Request {
    /// The method.
    pub(crate) method: Option<Argument>,
    /// The address.
    pub(crate) url: Option<Argument>,
    /// What addresses without a host begin with: an argument of the call that made the receiver.
    pub(crate) base: Option<Argument>,
    /// The rpc that is called: its service and name, with a slash between them.
    pub(crate) rpc: Option<Argument>,
    /// Whether it makes a connection, over which requests are made elsewhere.
    pub(crate) connection: bool,
    /// The variables of the environment whose values are addresses that the library reads by itself.
    pub(crate) variables: Vec<String>,
}

/// The verb `setting`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SettingOf {
    /// The key, with dots between its parts.
    pub(crate) key: Option<Argument>,
    /// The value.
    pub(crate) value: Option<Argument>,
}

/// What a function makes of texts.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TextOf {
    /// The value of an argument.
    pub(crate) value: Option<Argument>,
    /// A template in the style of `printf` that the further arguments fill.
    pub(crate) format: Option<Argument>,
    /// The parts of a path.
    pub(crate) path: Option<Argument>,
    /// The name of a variable of the environment.
    pub(crate) environment: Option<Argument>,
    /// The name of an option of the command line.
    pub(crate) flag: Option<Argument>,
    /// The text without it.
    pub(crate) default: Option<Argument>,
    /// The pointer to what is given the text; without one it is the result.
    pub(crate) through: Option<Argument>,
    /// The key of a setting, with dots between its parts.
    pub(crate) setting: Option<Argument>,
    /// Whether its members are settings, by their names.
    pub(crate) settings: bool,
    /// Whether it is a word of the command line, or a list of them.
    pub(crate) word: bool,
    /// The member of what a function makes that is the text; without one it is all of it.
    pub(crate) member: Option<String>,
}

/// What is wrong with a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecogniserError {
    /// Byte range in the text.
    pub span: std::ops::Range<usize>,
    /// What is wrong, and what to write instead.
    pub words: String,
}

impl Recogniser {
    /// Reads rows in the form of `rows.toml`: an array of tables for each language, by its name on the wire.
    ///
    /// # Errors
    /// See [`RecogniserError`].
    pub fn parse(text: &str) -> Result<Vec<Recogniser>, RecogniserError> {
        let wrong = |error: toml::de::Error| RecogniserError {
            span: error.span().unwrap_or_default(),
            words: error.message().trim().replace('\n', ", "),
        };
        let by_language: BTreeMap<String, Vec<Recogniser>> = toml::from_str(text).map_err(wrong)?;
        let rows = by_language.into_iter().flat_map(|(language, rows)| {
            rows.into_iter().map(move |row| Recogniser {
                language: language.clone(),
                ..row
            })
        });
        Ok(rows.collect())
    }

    /// Returns the rows of this crate.
    pub(crate) fn shipped() -> Vec<Recogniser> {
        // A test reads them: they are always right.
        Recogniser::parse(ROWS).unwrap_or_default()
    }

    /// Returns what is wrong with a row of the settings: it has to name something, and say one thing of it.
    pub fn mistake(&self) -> Option<String> {
        let keys = [&self.call, &self.decorator, &self.key];
        let named = keys.iter().filter(|key| key.is_some()).count();
        let named = named + usize::from(!self.entry.is_empty());
        let verbs = [
            self.router.is_some(),
            self.route.is_some(),
            self.refine.is_some(),
            self.mount.is_some(),
            self.publish.is_some(),
            self.consume.is_some(),
            self.serve.is_some(),
            self.request.is_some(),
            self.setting.is_some(),
            self.command.is_some(),
            self.text.is_some(),
        ];
        let says = verbs.iter().any(|says| *says);
        match (named, says, self.result.is_empty() && self.systems.is_empty()) {
            (0, false, false) => None,
            (1, true, _) => None,
            (0, ..) => Some("name what it recognises: `call`, `decorator`, `key` or `entry`".to_owned()),
            (1, ..) => Some(
                "say what it does: `router`, `route`, `refine`, `mount`, `publish`, `consume`, `serve`, `request`, `setting`, `command` or `text`"
                    .to_owned(),
            ),
            _ => Some("one of `call`, `decorator`, `key` and `entry`, not several".to_owned()),
        }
    }

    /// Returns whether it says what a value is, and nothing of wires.
    pub(crate) fn is_value(&self) -> bool {
        self.text.is_some() && self.mount.is_none()
    }

    /// Returns whether what it recognises reads a variable of the environment.
    pub(crate) fn reads_environment(&self) -> bool {
        self.text
            .as_ref()
            .is_some_and(|text| text.environment.is_some())
    }

    /// Returns the paths that it recognises, without versions.
    pub(crate) fn paths(&self) -> Vec<String> {
        let keys = [&self.call, &self.decorator, &self.key];
        let keys = keys.into_iter().flatten();
        keys.flat_map(|key| expanded(key))
            .map(|path| without_version(&path))
            .collect()
    }
}

/// Returns the rows of settings, a JSON array of objects `{line, row}`, and what is wrong with the others.
pub(crate) fn of_settings(json: &str) -> (Vec<Recogniser>, Vec<(u32, String)>) {
    #[derive(Deserialize)]
    struct Written {
        line: u32,
        row: serde_json::Value,
    }
    let written: Vec<Written> = serde_json::from_str(json).unwrap_or_default();
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for Written { line, row } in written {
        let read = serde_json::from_value::<Recogniser>(row);
        let read = read.map_err(|error| error.to_string());
        let checked = read.and_then(|row| match row.mistake() {
            None if codeweft_graph::languages::specs()
                .any(|spec| spec.wire_name == row.language) =>
            {
                Ok(row)
            }
            None => Err("name its `language`".to_owned()),
            Some(mistake) => Err(mistake),
        });
        match checked {
            Ok(row) => rows.push(row),
            Err(words) => wrong.push((line, format!("[[knowledge.recogniser]] {words}"))),
        }
    }
    (rows, wrong)
}

/// Returns the texts that a text with alternatives in braces means: `a.{b,c}` is `a.b` and `a.c`.
pub(crate) fn expanded(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((choices, after)) = behind.split_once('}') else {
            break;
        };
        let mut next = Vec::new();
        for known in &all {
            for choice in choices.split(',') {
                next.push(format!("{known}{before}{}", choice.trim()));
            }
        }
        (all, rest) = (next, after);
    }
    for known in &mut all {
        known.push_str(rest);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Recogniser, expanded};

    #[test]
    fn every_shipped_row_names_something_and_says_one_thing_of_it() {
        let rows = Recogniser::parse(super::ROWS).expect("rows.toml can be read");
        assert!(rows.len() > 40, "{}", rows.len());
        for row in rows {
            assert_eq!(row.mistake(), None, "{row:?}");
        }
    }

    #[test]
    fn an_unknown_key_of_a_row_is_an_error_with_its_range() {
        let text = "[[go]]\ncall = \"p.F\"\nroute = { path = 0, paht = 1 }\n";
        let error = Recogniser::parse(text).expect_err("`paht` is unknown");
        assert!(
            error.words.contains("unknown field `paht`"),
            "{}",
            error.words
        );
        assert!(text.get(error.span).is_some_and(|at| at.contains("paht")));
        let text = "[[go]]\ncall = \"p.F\"\nroute = { path = \"-x\" }\n";
        let error = Recogniser::parse(text).expect_err("`-x` is no argument");
        assert!(error.words.contains("an argument"), "{}", error.words);
    }

    #[test]
    fn braces_are_alternatives() {
        assert_eq!(
            expanded("a.{b, c}.{d,e}"),
            ["a.b.d", "a.b.e", "a.c.d", "a.c.e"]
        );
        assert_eq!(expanded("a.b"), ["a.b"]);
    }
}
