//! Prompts: tasks that begin with what the graph knows, which a person starts by name.
//!
//! A prompt is one message: what to do, and the answers of the tools that the task needs first, as they are now.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value, json};

use crate::question::Question;
use crate::tools::ToolCall;

/// The tokens of each answer in a prompt.
const TOKENS: u32 = 3_000;

/// An argument of a prompt.
struct Argument {
    name: &'static str,
    words: &'static str,
    /// Whether it has to be given; else what it is without.
    default: Option<&'static str>,
}

/// A part of a prompt: the title of an answer, and the call that it is the answer to.
type Part = (&'static str, fn(&Given) -> Option<Question>);

/// A prompt as it is written.
struct Task {
    name: &'static str,
    words: &'static str,
    arguments: &'static [Argument],
    /// What to do; `{name}` is the value of an argument.
    instruction: &'static str,
    parts: &'static [Part],
}

/// The name of the argument that is a symbol.
pub(crate) const TARGET: &str = "target";

/// The name of the argument that is the kind of a change.
pub(crate) const CHANGE_TYPE: &str = "change_type";

const SYMBOL: Argument = Argument {
    name: TARGET,
    words: "id of a symbol, or its end (Type.method)",
    default: None,
};

const TASKS: [Task; 3] = [
    Task {
        name: "refactor",
        words: "Change a symbol with everything that uses it.",
        arguments: &[
            SYMBOL,
            Argument {
                name: "goal",
                words: "what the code should be like afterwards",
                default: Some(""),
            },
        ],
        instruction: "Refactor `{target}`. {goal}\n\nBelow is what the code graph of this workspace says now. Read the \
            definition, then each file that the task will touch; change the symbol and every site that it lists. Where \
            completeness is false, search for the sites that could not be resolved before you call it done. Run the tests \
            that are named, and ask cortex_graph impact of your diff (target HEAD, diff true) at the end: nothing should be \
            in it that you did not mean.",
        parts: &[
            ("Definition", definition),
            ("What a changed signature reaches", |given| {
                Some(impact(given.text(TARGET), "signature"))
            }),
            ("What implements or overrides it", implementations),
            ("Files that the task may touch", bundle),
        ],
    },
    Task {
        name: "explain_impact",
        words: "What breaks if a symbol changes, and how far that can be trusted.",
        arguments: &[
            SYMBOL,
            Argument {
                name: CHANGE_TYPE,
                words: "signature, behavior or removal",
                default: Some("signature"),
            },
        ],
        instruction: "Explain what a change ({change_type}) of `{target}` reaches: what breaks for certain, what may break, \
            which tests run it, and what could not be resolved. Group by package or module, the nearest first; name files and \
            lines. Do not guess beyond the answers below: ask cortex_graph for what they leave open.",
        parts: &[
            ("Definition", definition),
            ("Impact", |given| {
                Some(impact(given.text(TARGET), given.text(CHANGE_TYPE)))
            }),
        ],
    },
    Task {
        name: "review_change",
        words: "Review uncommitted changes, or those of a range of commits, by what they reach.",
        arguments: &[Argument {
            name: "change",
            words: "HEAD for what is not committed, or A..B",
            default: Some("HEAD"),
        }],
        instruction: "Review the change {change} of this workspace. Below is what it touches and what that reaches, resolved \
            by types. Read the diff, then check every symbol whose signature or behaviour changed against its callers: \
            callers that were not changed with it, implementations that no longer match, tests that are missing. Report \
            findings with file and line, the gravest first, and say what you did not check.",
        parts: &[("What the change reaches", |given| {
            let arguments = json!({
                "operation": "impact",
                "target": given.text("change"),
                "diff": true,
                "max_tokens": 2 * TOKENS,
            });
            Some(Question::new("cortex_graph", arguments))
        })],
    },
];

/// The arguments that a client has given, with the defaults of the others.
struct Given(Vec<(&'static str, String)>);

impl Given {
    /// Checks the arguments of a prompt.
    fn of(task: &Task, arguments: &Map<String, Value>) -> Result<Given, String> {
        let known = |name: &str| task.arguments.iter().any(|argument| argument.name == name);
        if let Some(other) = arguments.keys().find(|name| !known(name)) {
            return Err(format!("{}: no argument `{other}`", task.name));
        }
        let given = task.arguments.iter().map(|argument| {
            let value = arguments.get(argument.name).and_then(Value::as_str);
            let value = value.map(str::trim).filter(|value| !value.is_empty());
            match value.or(argument.default) {
                Some(value) => Ok((argument.name, value.to_owned())),
                None => Err(format!(
                    "{}: `{}` is required: {}",
                    task.name, argument.name, argument.words
                )),
            }
        });
        given.collect::<Result<_, _>>().map(Given)
    }

    fn text(&self, name: &str) -> &str {
        let mut all = self.0.iter();
        all.find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }
}

fn definition(given: &Given) -> Option<Question> {
    let target = given.text(TARGET);
    Some(graph(json!({"operation": "definition", "target": target})))
}

fn implementations(given: &Given) -> Option<Question> {
    let target = given.text(TARGET);
    let arguments = json!({"operation": "implementations", "target": target});
    Some(graph(arguments))
}

fn impact(target: &str, change_type: &str) -> Question {
    graph(json!({"operation": "impact", "target": target, "change_type": change_type}))
}

fn graph(mut arguments: Value) -> Question {
    arguments["max_tokens"] = TOKENS.into();
    Question::new("cortex_graph", arguments)
}

/// Returns the files that a task touches, if it has a goal: without one the symbol's users are all that is known.
fn bundle(given: &Given) -> Option<Question> {
    let goal = given.text("goal");
    let query = format!("{goal}\n\n`{}`", given.text(TARGET));
    let arguments = json!({"query": query, "token_budget": TOKENS});
    (!goal.is_empty()).then(|| Question::new("codegraph_query", arguments))
}

/// Returns the prompts that there are.
pub(crate) fn listed() -> Vec<Prompt> {
    let prompts = TASKS.iter().map(|task| {
        let arguments = task.arguments.iter().map(|argument| {
            PromptArgument::new(argument.name)
                .with_description(argument.words)
                .with_required(argument.default.is_none())
        });
        Prompt::new(task.name, Some(task.words), Some(arguments.collect()))
    });
    prompts.collect()
}

/// Returns a prompt with the answers of now. An answer that is an error is there with its words, unless it is about the
/// target itself.
///
/// # Errors
/// `invalid params`: no such prompt or argument, or a target that the workspace does not have, with what was possibly meant.
pub(crate) async fn get(
    name: &str,
    arguments: Map<String, Value>,
    call: ToolCall<'_>,
) -> Result<GetPromptResult, ErrorData> {
    let refused = |words: String| ErrorData::invalid_params(words, None);
    let task = TASKS.iter().find(|task| task.name == name);
    let task = task.ok_or_else(|| {
        let all: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        refused(format!("no prompt `{name}`; there are {}", all.join(", ")))
    })?;
    let given = Given::of(task, &arguments).map_err(refused)?;
    let mut text = task.instruction.to_owned();
    for (name, value) in &given.0 {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    for (at, (title, question)) in task.parts.iter().enumerate() {
        let Some(question) = question(&given) else {
            continue;
        };
        let answer = match question.answer(call).await {
            Ok(answer) => answer,
            Err(words) if at == 0 => return Err(refused(words)),
            // Such as implementations of a function.
            Err(words) => words,
        };
        text.push_str(&format!("\n\n## {title}\n\n{}", answer.trim_end()));
    }
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(task.words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, arguments: Value) -> Result<Given, String> {
        let task = TASKS.iter().find(|task| task.name == name).expect("a task");
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        Given::of(task, &arguments)
    }

    #[test]
    fn arguments_have_defaults_and_a_missing_or_unknown_one_is_refused() {
        let default = given("explain_impact", json!({"target": " f "})).expect("given");
        assert_eq!(default.text(TARGET), "f");
        assert_eq!(default.text(CHANGE_TYPE), "signature");
        let error = given("refactor", json!({"target": " "})).map(|_| ());
        assert_eq!(
            error,
            Err("refactor: `target` is required: id of a symbol, or its end (Type.method)".into())
        );
        let error = given("review_change", json!({"target": "f"})).map(|_| ());
        assert_eq!(error, Err("review_change: no argument `target`".into()));
    }

    #[test]
    fn every_argument_is_in_the_instruction_or_in_a_question() {
        for task in &TASKS {
            for argument in task.arguments {
                let hole = format!("{{{}}}", argument.name);
                assert!(task.instruction.contains(&hole), "{}: {hole}", task.name);
            }
        }
    }
}
