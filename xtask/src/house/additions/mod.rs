//! How many files change where something is added that has a list: an operation, a tool of agents, an
//! export format, a known decorator.
//!
//! Nothing is added to count this. A file that a new member would have to join already names the others:
//! it holds a list of them, or a `match` over them. So a file counts if it names every member, by its
//! name on the wire, as a variant, or by a path to the file that declares it:
//!
//! ```text
//! answer/operation.rs   Callers("callers") {..} Callees("callees") {..}      the table: counts
//! words.rs              match operation { Operation::Callers => .., .. }     a second list: counts
//! editor.rs             neighbours(Operation::Callers)                       uses one: does not count
//! ```
//!
//! Of three members or more all but one are enough, so that a `match` that ends in `_` counts. The file
//! with the `mod` lines of the members' folder counts, too. The files that members are declared in do not:
//! these are written, not changed. Nor do tests, the crate `testing` among them, and pages.
//!
//! A known decorator is a row of data without a file: here the file of the rows counts, and each other file
//! that holds the path of the row that most files hold.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, Item, Lit};

use super::literals::visit_literals;
use super::names::{Named, Names};
use super::paths::visit_paths;
use super::source::{Crate, File};

/// The crate that holds clients and generators for tests.
const TESTS: &str = "testing";

/// A thing that has a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addition {
    /// An operation of the graph: a row of `operation_table`.
    Operation,
    /// A tool of agents: an entry of `TOOLS`.
    Tool,
    /// An export format: an entry of `FORMATS`.
    Export,
    /// A decorator, function or class of Python's library: a row of `known.rs`.
    Decorator,
}

/// The files that change for an addition, as `crate path`; `None` for a workspace without its list.
pub type Changed = Option<Vec<String>>;

/// The files that change for each addition.
#[derive(Default)]
pub struct Additions {
    operation: Changed,
    tool: Changed,
    export: Changed,
    decorator: Changed,
}

impl Additions {
    /// Counts the files of a workspace.
    pub fn of(crates: &[Crate]) -> Additions {
        let sources = Sources::of(crates);
        Additions {
            operation: sources.operation(),
            tool: sources.entries("mcp", "TOOLS"),
            export: sources.entries("store", "FORMATS"),
            decorator: sources.rows("python", "known.rs"),
        }
    }

    /// Returns the files that change for an addition.
    pub fn files(&self, addition: Addition) -> Option<&[String]> {
        let files = match addition {
            Addition::Operation => &self.operation,
            Addition::Tool => &self.tool,
            Addition::Export => &self.export,
            Addition::Decorator => &self.decorator,
        };
        files.as_deref()
    }
}

/// A file: the index of its crate, and its own in it.
type FileId = (usize, usize);

/// A member of a list.
#[derive(Default)]
struct Member {
    /// The name on the wire.
    name: Option<String>,
    /// The variant of an enum.
    variant: Option<String>,
    /// The file that declares it.
    own: Option<FileId>,
}

impl Member {
    /// Returns a member that is known by its name on the wire and, in upper camel case, as a variant.
    fn named(name: String) -> Member {
        Member {
            variant: Some(camel(&name)),
            name: Some(name),
            own: None,
        }
    }
}

/// What the code of a file names.
#[derive(Default)]
struct Mentions {
    literals: BTreeSet<String>,
    /// The last parts of paths of several.
    variants: BTreeSet<String>,
    /// The files that declare what its paths name, in any crate.
    declared: BTreeSet<FileId>,
}

impl Mentions {
    fn names(&self, member: &Member) -> bool {
        let literal = |name: &String| {
            let one_word = name.contains('_');
            self.literals.contains(name)
                || one_word && self.literals.iter().any(|text| has_word(text, name))
        };
        let variant = |name: &String| self.variants.contains(name);
        member.name.as_ref().is_some_and(literal)
            || member.variant.as_ref().is_some_and(variant)
            || member.own.is_some_and(|own| self.declared.contains(&own))
    }
}

struct Sources<'a> {
    crates: &'a [Crate],
    names: Vec<Names>,
    /// By crate and file; empty for the crate of tests.
    mentions: Vec<Vec<Mentions>>,
}

impl<'a> Sources<'a> {
    fn of(crates: &'a [Crate]) -> Sources<'a> {
        let mut sources = Sources {
            names: crates.iter().map(Names::of).collect(),
            mentions: Vec::new(),
            crates,
        };
        sources.mentions = (0..crates.len())
            .map(|at| match &crates[at] {
                tests if tests.name == TESTS => Vec::new(),
                product => {
                    let files = product.files.iter();
                    files.map(|file| sources.mentions(at, file)).collect()
                }
            })
            .collect();
        sources
    }

    fn mentions(&self, of: usize, file: &File) -> Mentions {
        let mut mentions = Mentions::default();
        visit_literals(file, &mut |text| {
            mentions.literals.insert(text.to_owned());
        });
        visit_paths(file, &mut |scope, path| {
            if let [_, .., last] = path {
                mentions.variants.insert(last.clone());
            }
            mentions.declared.extend(self.declaration(of, scope, path));
        });
        mentions
    }

    /// Returns the file that declares what a path in a crate names; it may be one of another crate.
    fn declaration(&self, of: usize, scope: &[String], path: &[String]) -> Option<FileId> {
        let (first, rest) = path.split_first()?;
        let other = first.strip_prefix("codeweft_");
        let other = other.and_then(|name| self.package(name));
        let named = match other {
            None => self.names[of].resolve(scope, path),
            Some(other) => {
                let root = ["crate".to_owned()];
                let path: Vec<String> = root.iter().chain(rest).cloned().collect();
                self.names[other].resolve(&root, &path)
            }
        };
        match named? {
            Named::Item { file, .. } => Some((other.unwrap_or(of), file)),
            Named::Module(_) => None,
        }
    }

    fn package(&self, name: &str) -> Option<usize> {
        self.crates.iter().position(|one| one.name == name)
    }

    fn operation(&self) -> Changed {
        let graph = self.package("graph")?;
        let files = &self.crates[graph].files;
        let items = || files.iter().flat_map(|file| &file.syntax.items);
        let table = items().find_map(|item| match item {
            Item::Macro(table) if table.ident.as_ref()? == "operation_table" => {
                Some(table.mac.tokens.clone())
            }
            _ => None,
        });
        // Before there was a table.
        let variants = || {
            items().find_map(|item| match item {
                Item::Enum(one) if one.ident == "Operation" => {
                    let variants = one.variants.iter();
                    Some(variants.map(|one| snake(&one.ident.to_string())).collect())
                }
                _ => None,
            })
        };
        let names = table.map(rows_of_table).or_else(variants)?;
        let members: Vec<Member> = names.into_iter().map(Member::named).collect();
        self.changed(&members, Some((graph, "operations/")))
    }

    /// Counts for a list of entries: `const LIST: .. = &[&module::ENTRY, ..]`.
    fn entries(&self, package: &str, list: &str) -> Changed {
        let of = self.package(package)?;
        let mut members = Vec::new();
        for file in &self.crates[of].files {
            for item in &file.syntax.items {
                let Item::Const(constant) = item else {
                    continue;
                };
                if constant.ident == list {
                    let mut paths = Paths::default();
                    paths.visit_expr(&constant.expr);
                    for path in paths.0 {
                        let own = self.declaration(of, &file.module, &path);
                        members.push(self.member(own?));
                    }
                }
            }
        }
        self.changed(&members, None)
    }

    /// Returns the member that a file declares; its constant `NAME` is the name on the wire.
    fn member(&self, own: FileId) -> Member {
        let file = &self.crates[own.0].files[own.1];
        let name = file.syntax.items.iter().find_map(|item| match item {
            Item::Const(constant) if constant.ident == "NAME" => text(&constant.expr),
            _ => None,
        });
        Member {
            own: Some(own),
            ..name.map(Member::named).unwrap_or_default()
        }
    }

    /// Returns the files that a new member would have to join.
    fn changed(&self, members: &[Member], folder: Option<(usize, &str)>) -> Changed {
        if members.is_empty() {
            return None;
        }
        let enough = match members.len() {
            few @ 0..3 => few,
            many => many - 1,
        };
        let mut changed = BTreeSet::new();
        for (of, files) in self.mentions.iter().enumerate() {
            for (at, mentions) in files.iter().enumerate() {
                let of_member = members
                    .iter()
                    .any(|one| one.own.is_some_and(|own| self.is_part((of, at), own)));
                let named = members.iter().filter(|one| mentions.names(one)).count();
                if !of_member && named >= enough {
                    changed.insert(self.printed((of, at)));
                }
            }
        }
        if let Some((of, folder)) = folder {
            let files = &self.crates[of].files;
            let root = [format!("{folder}mod.rs"), folder.replace('/', ".rs")];
            let at = files.iter().position(|file| root.contains(&file.path));
            changed.extend(at.map(|at| self.printed((of, at))));
        }
        Some(changed.into_iter().collect())
    }

    /// Returns whether a file is another one or a module below it.
    fn is_part(&self, file: FileId, of: FileId) -> bool {
        let module = |(of, at): FileId| &self.crates[of].files[at].module;
        file.0 == of.0 && module(file).starts_with(module(of))
    }

    /// Counts for rows of data in a file: paths with a dot, or pairs of a module and a name.
    fn rows(&self, package: &str, path: &str) -> Changed {
        let of = self.package(package)?;
        let mut files = self.crates[of].files.iter();
        let at = files.position(|one| one.path == path)?;
        let mut rows = Rows::default();
        for item in &self.crates[of].files[at].syntax.items {
            if let Item::Const(constant) = item {
                rows.visit_expr(&constant.expr);
            }
        }
        let home = (of, at);
        let holds = |row: &String| -> Vec<String> {
            let mut files = Vec::new();
            for (of, all) in self.mentions.iter().enumerate() {
                for (at, mentions) in all.iter().enumerate() {
                    if (of, at) != home && mentions.literals.contains(row) {
                        files.push(self.printed((of, at)));
                    }
                }
            }
            files
        };
        let most = rows.0.iter().map(holds).max_by_key(Vec::len)?;
        let home = [self.printed(home)];
        Some(home.into_iter().chain(most).collect())
    }

    fn printed(&self, (of, at): FileId) -> String {
        let package = &self.crates[of];
        format!("{} {}", package.name, package.files[at].path)
    }
}

/// The paths of an expression.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.0.push(parts.collect());
    }
}

/// The dotted paths of an expression: literals with a dot, and tuples that begin with two literals.
#[derive(Default)]
struct Rows(BTreeSet<String>);

impl<'ast> Visit<'ast> for Rows {
    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        let path = literal.value();
        if path.contains('.') {
            self.0.insert(path);
        }
    }

    fn visit_expr_tuple(&mut self, row: &'ast syn::ExprTuple) {
        let mut parts = row.elems.iter().map(text);
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(module), Some(name)) => {
                self.0.insert(format!("{module}.{name}"));
            }
            _ => visit::visit_expr_tuple(self, row),
        }
    }
}

/// The value of a string literal.
fn text(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The names in rows `Variant("name") { .. }`, in any group.
fn rows_of_table(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let after_name = at > 0 && matches!(tokens[at - 1], TokenTree::Ident(_));
        let before_body = matches!(tokens.get(at + 1), Some(TokenTree::Group(_)));
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        match &inner[..] {
            [TokenTree::Literal(literal)] if after_name && before_body => {
                if let Lit::Str(name) = Lit::new(literal.clone()) {
                    names.push(name.value());
                }
            }
            _ => names.extend(rows_of_table(group.stream())),
        }
    }
    names
}

/// Whether a text has a name between characters that belong to no name.
fn has_word(text: &str, name: &str) -> bool {
    let mut words =
        text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
    words.any(|word| word == name)
}

/// `type_usages` as `TypeUsages`.
fn camel(name: &str) -> String {
    let parts = name.split('_').map(|part| {
        let mut characters = part.chars();
        let first = characters.next().into_iter();
        first
            .flat_map(char::to_uppercase)
            .chain(characters)
            .collect::<String>()
    });
    parts.collect()
}

/// `TypeUsages` as `type_usages`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, character) in name.char_indices() {
        if character.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests;
