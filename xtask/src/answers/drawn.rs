//! The questions of a recording, drawn from what the libraries declare: for each library fixed
//! numbers by command line, by MCP and by LSP, cycling through all operations and requests.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::graph::Graph;
use super::library::Library;
use super::question::{Asked, Question};
use super::random::Random;
use super::targets::Targets;

/// The numbers of questions about a library by command line, by MCP and by LSP.
const COUNTS: (usize, usize, usize) = (150, 180, 170);

/// The number of command line questions that are answered from disk in a process of their own, half
/// a minute each; the server answers the others.
const FROM_DISK: usize = 2;

/// The operations, each of which is drawn in turn.
pub const OPERATIONS: &[&str] = &[
    "callers",
    "callees",
    "dependencies",
    "dependents",
    "type_usages",
    "implementations",
    "implements",
    "references",
    "definition",
    "impact",
    "path",
];

const REQUESTS: &[&str] = &[
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/references",
    "textDocument/implementation",
    "textDocument/documentHighlight",
    "textDocument/hover",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "textDocument/prepareTypeHierarchy",
    "typeHierarchy/supertypes",
    "typeHierarchy/subtypes",
    "textDocument/documentSymbol",
    "workspace/symbol",
    "codeweft.impact",
    "codeweft.path",
];

const FUNCTIONS: &[&str] = &["function", "method"];
const TYPES: &[&str] = &["struct", "interface", "class", "type"];

/// Returns the questions about a library, the same for the same graph and seed.
pub fn questions(library: Library, graph: &Graph, root: &Path, seed: u64) -> Vec<Question> {
    let mut draw = Draw {
        targets: Targets {
            library,
            graph,
            // Otherwise both libraries would be queried in the same forms.
            random: Random::new(seed.wrapping_mul(2).wrapping_add(library as u64)),
        },
        root,
    };
    let (by_command, by_mcp, by_lsp) = COUNTS;
    let mut all = Vec::new();
    for number in 0..by_command {
        all.push(draw.by_command_line(number));
    }
    for number in 0..by_mcp {
        all.push(draw.by_mcp(number));
    }
    for number in 0..by_lsp {
        all.push(draw.by_lsp(number));
    }
    let all = all.into_iter();
    all.map(|asked| Question { library, asked }).collect()
}

/// Returns further questions about what the protocols announce.
pub fn handshakes(library: Library) -> Vec<Question> {
    let mcp = |method: &str, params: Value| Asked::Mcp {
        method: method.to_owned(),
        params,
    };
    let lsp = |method: &str, params: Value| Asked::Lsp {
        method: method.to_owned(),
        params,
        open: None,
    };
    let all = [
        mcp(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "xtask", "version": "0"}}),
        ),
        mcp("tools/list", json!({})),
        lsp(
            "initialize",
            json!({"processId": null, "capabilities": capabilities(library)}),
        ),
    ];
    let all = all.into_iter();
    all.map(|asked| Question { library, asked }).collect()
}

/// One library is queried with positions in bytes, the other in UTF-16.
fn capabilities(library: Library) -> Value {
    let hierarchical = json!({"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}});
    match library {
        Library::Go => json!({"general": {"positionEncodings": ["utf-8"]},
            "textDocument": hierarchical}),
        Library::Python => json!({"textDocument": hierarchical}),
    }
}

struct Draw<'a> {
    targets: Targets<'a>,
    root: &'a Path,
}

impl Draw<'_> {
    fn by_command_line(&mut self, number: usize) -> Asked {
        let mut request = self.request(OPERATIONS[number % OPERATIONS.len()]);
        let mut words = vec!["query".to_owned()];
        for positional in ["operation", "target"] {
            let word = request.remove(positional).unwrap_or_default();
            words.push(word_of(&word));
        }
        for (field, value) in &request {
            let flag = format!("--{}", field.replace('_', "-"));
            let values = match value {
                Value::Array(list) => list.as_slice(),
                one => std::slice::from_ref(one),
            };
            for one in values {
                words.extend([flag.clone(), word_of(one)]);
            }
        }
        if self.targets.random.one_in(2) {
            words.push("--json".to_owned());
        }
        if number < FROM_DISK {
            words.push("--disk".to_owned());
        }
        Asked::CommandLine { words }
    }

    fn by_mcp(&mut self, number: usize) -> Asked {
        let arguments = self.request(OPERATIONS[number % OPERATIONS.len()]);
        Asked::Mcp {
            method: "tools/call".to_owned(),
            params: json!({"name": "cortex_graph", "arguments": arguments}),
        }
    }

    /// Returns the fields of a graph request.
    fn request(&mut self, operation: &str) -> Map<String, Value> {
        let mut request = Map::new();
        request.insert("operation".to_owned(), json!(operation));
        let random = |draw: &mut Self, of: usize| draw.targets.random.one_in(of);
        match operation {
            "path" => {
                let (from, to) = self.targets.ends();
                // Both by id: a path between patterns has many ends.
                request.insert("target".to_owned(), json!(from.id));
                request.insert("to".to_owned(), json!(to.id));
            }
            _ => {
                let target = self.target(operation);
                request.insert("target".to_owned(), json!(target));
            }
        }
        let mut set = |field: &str, value: Value| request.insert(field.to_owned(), value);
        if random(self, 3) {
            let most = match operation {
                "path" => 10,
                "impact" | "callers" | "callees" => 4,
                "dependencies" | "dependents" => 3,
                _ => 2,
            };
            // 11 is out of bounds.
            let depth = if random(self, 20) {
                11
            } else {
                1 + self.targets.random.below(most)
            };
            set("depth", json!(depth));
        }
        if operation == "impact" && !random(self, 3) {
            let words = ["signature", "behavior", "removal"];
            set("change_type", json!(self.targets.random.one(&words)));
        }
        if random(self, 12) {
            set("scope", json!(self.targets.filter()));
        }
        if random(self, 12) {
            let count = 1 + self.targets.random.below(2);
            let patterns: Vec<String> = (0..count).map(|_| self.targets.filter()).collect();
            set("exclude_patterns", json!(patterns));
        }
        if random(self, 3) {
            set("include_context", json!(false));
        } else if random(self, 4) {
            set("context_lines", json!(self.targets.random.below(21)));
        }
        if random(self, 5) {
            let most = self.targets.random.one(&[1, 5, 20, 300, 500]).copied();
            set("max_results", json!(most));
        }
        if random(self, 8) {
            let most = self.targets.random.one(&[1, 10, 100]).copied();
            set("max_per_level", json!(most));
        }
        if random(self, 6) {
            set("include_unresolved", json!(true));
        }
        if random(self, 4) {
            set("include_tests", json!(false));
        }
        request
    }

    /// Returns a target for an operation.
    fn target(&mut self, operation: &str) -> String {
        let kinds = kinds(operation, self.targets.library);
        // Any kind may be queried; some are refused.
        let kinds = if self.targets.random.one_in(10) {
            &[]
        } else {
            kinds
        };
        if operation == "definition" && self.targets.random.one_in(2) {
            let at = self.targets.place(kinds);
            return format!("{}:{}:{}", at.file, at.line, at.column);
        }
        let node = self.targets.node(kinds);
        self.targets.written(node)
    }

    fn by_lsp(&mut self, number: usize) -> Asked {
        let method = REQUESTS[number % REQUESTS.len()];
        let kinds = match method {
            "textDocument/implementation" => &["interface", "class", "struct"],
            "textDocument/prepareTypeHierarchy"
            | "typeHierarchy/supertypes"
            | "typeHierarchy/subtypes" => TYPES,
            "textDocument/prepareCallHierarchy"
            | "callHierarchy/incomingCalls"
            | "callHierarchy/outgoingCalls" => FUNCTIONS,
            _ => &[],
        };
        let place = self.targets.place(kinds);
        let document = json!({"uri": uri(self.root, &place.file)});
        let position = json!({"line": place.line.saturating_sub(1),
            "character": place.column.saturating_sub(1)});
        let mut params = json!({"textDocument": document, "position": position});
        let mut open = Some(place.file);
        let mut named = method;
        match method {
            "textDocument/references" => {
                let declared = self.targets.random.one_in(2);
                params["context"] = json!({"includeDeclaration": declared});
            }
            "textDocument/documentSymbol" => params = json!({"textDocument": document}),
            "workspace/symbol" => {
                let name = self.targets.node(&[]).name.clone();
                let count = 3 + self.targets.random.below(8);
                let part: String = name.chars().take(count).collect();
                params = json!({"query": part});
                open = None;
            }
            "codeweft.impact" | "codeweft.path" => {
                let operation = method.trim_start_matches("codeweft.");
                let mut request = self.request(operation);
                request.remove("operation");
                named = "workspace/executeCommand";
                params = json!({"command": method, "arguments": [request]});
                open = None;
            }
            _ => {}
        }
        // Files that are not open are queried too.
        let opens = self.targets.random.one_in(2);
        Asked::Lsp {
            method: named.to_owned(),
            params,
            open: open.filter(|_| opens),
        }
    }
}

/// Returns the kinds of nodes that an operation takes, none for all.
pub fn kinds(operation: &str, library: Library) -> &'static [&'static str] {
    match operation {
        "callers" | "callees" => FUNCTIONS,
        "dependencies" | "dependents" => &["package"],
        "type_usages" => TYPES,
        // Only interfaces and classes have implementations; in Python methods have overrides.
        "implementations" => match library {
            Library::Go => &["interface"],
            Library::Python => &["class", "method"],
        },
        "implements" => &["struct", "class", "method", "type"],
        _ => &[],
    }
}

/// Returns a value as a command line argument.
fn word_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the URI of a file below a root. In ASCII, letters, digits and `/-._~` are not escaped.
pub fn uri(root: &Path, file: &str) -> String {
    let path = root.join(file);
    let mut uri = "file://".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::answers::graph::small;
    use crate::answers::library::LIBRARIES;

    use super::*;

    fn drawn(seed: u64) -> Vec<Question> {
        let graph = small();
        let about = |library| questions(library, &graph, Path::new("/r"), seed);
        LIBRARIES.into_iter().flat_map(about).collect()
    }

    #[test]
    fn a_thousand_questions_are_drawn_and_a_seed_draws_the_same() {
        assert_eq!(drawn(1).len(), 1000);
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }

    #[test]
    fn every_operation_is_queried_by_command_line_and_mcp_and_every_request_by_lsp() {
        let mut asked = BTreeSet::new();
        for question in drawn(1) {
            asked.insert(match question.asked {
                Asked::CommandLine { words } => format!("command {}", words[1]),
                Asked::Mcp { params, .. } => {
                    format!("mcp {}", word_of(&params["arguments"]["operation"]))
                }
                Asked::Lsp { method, params, .. } => {
                    format!("lsp {method} {}", word_of(&params["command"]))
                }
            });
        }
        assert_eq!(asked.len(), 2 * OPERATIONS.len() + REQUESTS.len());
    }

    #[test]
    fn a_question_is_read_as_it_was_written() {
        for question in drawn(1).into_iter().chain(handshakes(Library::Python)) {
            let line = serde_json::to_string(&question).unwrap();
            assert_eq!(serde_json::from_str::<Question>(&line).unwrap(), question);
        }
    }

    #[test]
    fn uris_escape_all_but_letters_digits_and_marks() {
        assert_eq!(
            uri(Path::new("/a b"), "c/ä.py"),
            "file:///a%20b/c/%C3%A4.py"
        );
    }
}
