//! The fields of a request as flags, generated from the table that the MCP schema uses as well.

use std::marker::PhantomData;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use codeweft_ide::api::{Field, FieldDefault, FieldKind, RequestFields};
use serde_json::{Map, Value};

/// The fields of a request that were given, by their names on the wire; `T` are its operations.
#[derive(Clone, Debug)]
pub struct Fields<T> {
    /// The values.
    pub given: Map<String, Value>,
    table: PhantomData<T>,
}

impl<T: RequestFields> FromArgMatches for Fields<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Fields<T>, Error> {
        let mut fields = Fields {
            given: Map::new(),
            table: PhantomData,
        };
        fields.update_from_arg_matches(matches)?;
        Ok(fields)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for field in T::FIELDS {
            let value = match field.kind {
                FieldKind::Text | FieldKind::Choice(_) => matches
                    .get_one::<String>(field.name)
                    .cloned()
                    .map(Value::from),
                FieldKind::Texts | FieldKind::Choices(_) => matches
                    .get_many::<String>(field.name)
                    .map(|texts| texts.cloned().collect::<Vec<_>>().into()),
                FieldKind::Number { .. } => {
                    matches.get_one::<i64>(field.name).copied().map(Value::from)
                }
                FieldKind::Flag => matches
                    .get_one::<bool>(field.name)
                    .copied()
                    .map(Value::from),
            };
            if let Some(value) = value {
                self.given.insert(field.name.to_owned(), value);
            }
        }
        Ok(())
    }
}

impl<T: RequestFields> Args for Fields<T> {
    fn augment_args(command: Command) -> Command {
        command.args(T::FIELDS.iter().map(argument::<T>))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Fields::<T>::augment_args(command)
    }
}

fn argument<T: RequestFields>(field: &Field) -> Arg {
    let argument = match field.default {
        // OPERATION TARGET; an analysis need not have a target.
        FieldDefault::Required => Arg::new(field.name)
            .required(true)
            .value_name(field.name.to_uppercase()),
        _ if field.name == "target" => Arg::new(field.name).value_name("TARGET"),
        _ => Arg::new(field.name)
            .long(field.name.replace('_', "-"))
            .value_name(match field.kind {
                FieldKind::Text => "TEXT",
                FieldKind::Texts => "PATTERN",
                FieldKind::Number { .. } => "N",
                FieldKind::Flag => "BOOL",
                FieldKind::Choice(_) | FieldKind::Choices(_) => "WORD",
            }),
    };
    let argument = match field.kind {
        FieldKind::Text => argument.value_parser(clap::value_parser!(String)),
        FieldKind::Texts => argument
            .value_parser(clap::value_parser!(String))
            .action(ArgAction::Append),
        // Bounds are checked by the request itself, with the same message for every frontend.
        FieldKind::Number { .. } => argument
            .value_parser(clap::value_parser!(i64))
            .allow_negative_numbers(true),
        FieldKind::Flag => argument
            .value_parser(clap::value_parser!(bool))
            .num_args(0..=1)
            .default_missing_value("true"),
        FieldKind::Choice(words) => argument.value_parser(PossibleValuesParser::new(words)),
        FieldKind::Choices(words) => argument
            .value_parser(PossibleValuesParser::new(words))
            .value_delimiter(',')
            .action(ArgAction::Append),
    };
    let argument = match field.name {
        "depth" => argument.alias("max-depth"),
        _ => argument,
    };
    argument.help(help::<T>(field))
}

/// Returns a flag's help text: `steps [1 to 10; default 1, path 10]`.
fn help<T: RequestFields>(field: &Field) -> String {
    let mut notes = Vec::new();
    match field.kind {
        FieldKind::Number { most: u32::MAX, .. } => {}
        FieldKind::Number { least, most } => notes.push(format!("{least} to {most}")),
        _ => {}
    }
    match field.default {
        FieldDefault::Required | FieldDefault::Empty | FieldDefault::OfOperation => {}
        FieldDefault::Number(number) => {
            let others: String = T::other_defaults(field.name)
                .iter()
                .map(|(operation, number)| format!(", {operation} {number}"))
                .collect();
            notes.push(format!("default {number}{others}"));
        }
        FieldDefault::Flag(flag) => notes.push(format!("default {flag}")),
        FieldDefault::Word(word) => notes.push(format!("default {word}")),
    }
    let operations = T::operations(field.name);
    if !operations.is_empty() {
        notes.push(format!("only {}", operations.join(", ")));
    }
    match notes.as_slice() {
        [] => field.words.to_owned(),
        notes => format!("{} [{}]", field.words, notes.join("; ")),
    }
}
