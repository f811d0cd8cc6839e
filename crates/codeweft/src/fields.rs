//! The fields of a request as flags, generated from the table that the MCP schema uses as well.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use codeweft_ide::api::{FIELDS, Field, FieldDefault, FieldKind};
use serde_json::{Map, Value};

/// The fields that were given, by their names on the wire.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub Map<String, Value>);

impl FromArgMatches for Fields {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Fields, Error> {
        let mut fields = Fields::default();
        fields.update_from_arg_matches(matches)?;
        Ok(fields)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for field in FIELDS {
            let value = match field.kind {
                FieldKind::Text | FieldKind::Choice(_) => matches
                    .get_one::<String>(field.name)
                    .cloned()
                    .map(Value::from),
                FieldKind::Texts => matches
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
                self.0.insert(field.name.to_owned(), value);
            }
        }
        Ok(())
    }
}

impl Args for Fields {
    fn augment_args(command: Command) -> Command {
        command.args(FIELDS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Fields::augment_args(command)
    }
}

fn argument(field: &Field) -> Arg {
    let argument = match field.default {
        // Required fields are positional: OPERATION TARGET.
        FieldDefault::Required => Arg::new(field.name)
            .required(true)
            .value_name(field.name.to_uppercase()),
        _ => Arg::new(field.name)
            .long(field.name.replace('_', "-"))
            .value_name(match field.kind {
                FieldKind::Text => "TEXT",
                FieldKind::Texts => "PATTERN",
                FieldKind::Number { .. } => "N",
                FieldKind::Flag => "BOOL",
                FieldKind::Choice(_) => "WORD",
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
    };
    let argument = match field.name {
        "depth" => argument.alias("max-depth"),
        _ => argument,
    };
    argument.help(help(field))
}

/// Returns a flag's help text: `steps [1 to 10; default 1, path 10]`.
fn help(field: &Field) -> String {
    let mut notes = Vec::new();
    if let FieldKind::Number { least, most } = field.kind {
        notes.push(format!("{least} to {most}"));
    }
    match field.default {
        FieldDefault::Required | FieldDefault::Empty => {}
        FieldDefault::Number(number) => {
            let others: String = field
                .other_defaults()
                .iter()
                .map(|(operation, number)| format!(", {} {number}", operation.wire_name()))
                .collect();
            notes.push(format!("default {number}{others}"));
        }
        FieldDefault::Flag(flag) => notes.push(format!("default {flag}")),
        FieldDefault::Word(word) => notes.push(format!("default {word}")),
    }
    let operations = field.operations();
    if !operations.is_empty() {
        let names: Vec<&str> = operations.iter().map(|one| one.wire_name()).collect();
        notes.push(format!("only {}", names.join(", ")));
    }
    match notes.as_slice() {
        [] => field.words.to_owned(),
        notes => format!("{} [{}]", field.words, notes.join("; ")),
    }
}
