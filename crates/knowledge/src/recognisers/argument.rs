//! Where a part of a wire is among the arguments of a call.

use serde::Deserialize;

/// The first of several that a call has: `0|path`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Argument(pub(crate) Vec<One>);

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum One {
    /// `0`, `-1`: by position, negative from the end.
    Position(i32),
    /// `0..`: all from a position on.
    From(u32),
    /// `path`: by keyword.
    Keyword(String),
    /// `0.Topic`: a field of an object.
    Field(i32, String),
    /// `receiver`: what the method is called on.
    Receiver,
    /// `name`: the name of what is called, in capital letters.
    Name,
    /// `value`: what the field of the row's key is set to.
    Value,
    /// `decorated`: the decorated function.
    Decorated,
    /// `module`: the module around.
    Module,
    /// `result`: what the call makes.
    Result,
    /// `arg1.param0`: the parameter of a function that is an argument.
    Parameter {
        /// The function's number among the arguments.
        argument: u32,
        /// The parameter's number.
        parameter: u32,
    },
    /// `=GET`: a text.
    Text(String),
    /// `0&1`: the texts of several, with a slash between those that are not empty.
    Joined(Vec<One>),
}

/// An argument as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(i32),
    Words(String),
}

impl TryFrom<Written> for Argument {
    type Error = String;

    fn try_from(written: Written) -> Result<Argument, String> {
        let words = match written {
            Written::Number(number) => return Ok(Argument(vec![One::Position(number)])),
            Written::Words(words) => words,
        };
        words
            .split('|')
            .map(one)
            .collect::<Result<_, _>>()
            .map(Argument)
    }
}

fn one(words: &str) -> Result<One, String> {
    if words.contains('&') {
        return words
            .split('&')
            .map(one)
            .collect::<Result<_, _>>()
            .map(One::Joined);
    }
    let is_name = |word: &str| {
        !word.is_empty()
            && !word.starts_with(|first: char| first.is_ascii_digit())
            && word
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let parameter = || {
        let (argument, parameter) = words.split_once('.')?;
        Some(One::Parameter {
            argument: argument.strip_prefix("arg")?.parse().ok()?,
            parameter: parameter.strip_prefix("param")?.parse().ok()?,
        })
    };
    let field = || {
        let (position, name) = words.split_once('.')?;
        let position = position.parse().ok()?;
        is_name(name).then(|| One::Field(position, name.to_owned()))
    };
    let from = || words.strip_suffix("..")?.parse().ok().map(One::From);
    Ok(match words {
        "receiver" => One::Receiver,
        "name" => One::Name,
        "value" => One::Value,
        "decorated" => One::Decorated,
        "module" => One::Module,
        "result" => One::Result,
        _ => {
            let position = words.parse().ok().map(One::Position);
            let text = words
                .strip_prefix('=')
                .map(|text| One::Text(text.to_owned()));
            let known = position
                .or(text)
                .or_else(from)
                .or_else(parameter)
                .or_else(field);
            match known {
                Some(one) => one,
                None if is_name(words) => One::Keyword(words.to_owned()),
                None => {
                    return Err(format!(
                        "`{words}` is not an argument: write a position (0, -1, 0..), a keyword, `0.Field`, `=text`, `receiver`, `name`, `value`, `decorated`, `module`, `result` or `arg1.param0`, several with | between them"
                    ));
                }
            }
        }
    })
}
