//! Prints the intermediate representation of a Python file, for tests and debugging.

mod nodes;

use std::fmt::Write;

use super::ir::*;
use crate::parts::AsPython as _;
use codeweft_syntax::{FileIr, NameId, Names};

/// An expression printed in one piece ends in `…` after this many nodes.
const MAX_NODES: u32 = 200;
/// An expression printed in one piece ends in `…` below this depth.
const MAX_DEPTH: u32 = 50;

/// Returns the imports, items, bodies and report of a Python file as text without offsets: equal
/// for equal values, and independent of the numbers of names. For a file of another language, only
/// the report.
///
/// Items are a tree by indentation, each with its number (`#3`). Their expressions are nested lists
/// in parentheses; a phi inside itself is `…`. A body lists its nodes that have operands (`%1`),
/// numbered in order, then its uses ordered by token. Leaves are written where they are used: `?`
/// for the opaque node, a name for a global, `free.3.x`, `param.0`, `item.3`, `decorated.3`,
/// `import.0.0`, `typeparam.3.0`, `cell.3`.
///
/// ```text
/// x: A[B] = c         %1 = ([] A B)
///                     %2 = (type %1)
///                     %3 = (any c %2)
///                     store x of #0 c
///                     load A outside A as Variable
/// ```
pub fn print_ir(ir: &FileIr, names: &Names) -> String {
    let mut out = String::new();
    if let (Some(header), Some(items), Some(bodies)) =
        (ir.header.python(), ir.items.python(), ir.bodies.python())
    {
        for import in &header.imports {
            import_line(&mut out, import, names);
        }
        items_text(&mut out, items, names);
        for (number, body) in bodies.bodies.iter().enumerate() {
            let _ = writeln!(out, "body #{number}");
            body_text(&mut out, bodies, body, names);
        }
    }
    let _ = write!(out, "{}", ir.report);
    out
}

fn import_line(out: &mut String, import: &Import, names: &Names) {
    let text = |name: NameId| names.text(name);
    let module = [&".".repeat(import.level as usize), text(import.module)].concat();
    match import.form {
        ImportForm::Module => {
            let _ = write!(out, "import {module}");
        }
        ImportForm::ModuleAs => {
            let _ = write!(out, "import {module} as");
        }
        ImportForm::Names => {
            let _ = write!(out, "from {module} import");
        }
        ImportForm::Star => {
            let _ = write!(out, "from {module} import *");
        }
    }
    for at in 0..import.names.len().max(import.bound.len()) {
        let comma = if at > 0 { "," } else { "" };
        let name = import.names.get(at).map(|&name| text(name));
        let bound = import.bound.get(at).map(|&name| text(name));
        let _ = match (name, bound) {
            (Some(name), Some(bound)) if name == bound => write!(out, "{comma} {name}"),
            (Some(name), Some(bound)) => write!(out, "{comma} {name} as {bound}"),
            (Some(name), None) => write!(out, "{comma} {name} unbound"),
            (None, Some(bound)) if import.form == ImportForm::Module => {
                write!(out, "{comma} binds {bound}")
            }
            (None, bound) => write!(out, "{comma} {}", bound.unwrap_or("?")),
        };
    }
    guard_words(out, import.guard);
    out.push_str(if import.in_function {
        " in function\n"
    } else {
        "\n"
    });
}

fn guard_words(out: &mut String, guard: Guard) {
    if guard != Guard::None {
        let _ = write!(out, " under {guard:?}");
    }
}

fn items_text(out: &mut String, items: &Items, names: &Names) {
    let mut depths = Vec::with_capacity(items.items.len());
    for (number, item) in items.items.iter().enumerate() {
        let depth = depths
            .get(item.parent as usize)
            .map_or(0, |depth| depth + 1);
        depths.push(depth);
        let mut printer = PythonPrinter::new(out, &items.code, names, depth);
        printer.item(items, number as u32, item);
        if number == 0 {
            items.all.iter().for_each(|change| printer.all(change));
        }
        for binding in items.bindings.get(item.bindings.iter()).unwrap_or_default() {
            printer.binding(binding, number as u32);
        }
        let stores = items.stores.iter();
        for store in stores.filter(|store| store.method == number as u32) {
            printer.line();
            let _ = write!(printer.out, "store #{}.", store.class);
            printer.name(store.name);
            printer.valued(" = ", store.value);
            printer.valued(": ", store.annotation);
        }
        for &result in &item.results {
            printer.line();
            printer.valued("result ", result);
        }
        for &value in &item.yields {
            printer.line();
            printer.valued("yield ", value);
        }
        out.push('\n');
    }
}

fn body_text(out: &mut String, bodies: &Bodies, body: &Body, names: &Names) {
    let mut printer = PythonPrinter::new(out, &bodies.code, names, 0);
    let mut numbers = vec![0; body.nodes.iter().len()];
    let is_leaf = |node: usize| bodies.code.operands(node as NodeId).is_empty();
    let compound = body.nodes.iter().filter(|&node| !is_leaf(node));
    for (node, number) in compound.zip(1..) {
        numbers[node - body.nodes.start as usize] = number;
    }
    printer.numbered = Some((body.nodes.start, numbers));
    for node in body.nodes.iter().filter(|&node| !is_leaf(node)) {
        printer.word("  ");
        printer.number(node as NodeId);
        printer.word(" = ");
        printer.compound(node as NodeId);
        printer.word("\n");
    }
    for one in bodies.uses.get(body.uses.iter()).unwrap_or_default() {
        // It is a part of the string whose use follows.
        if let UseKind::TextStart { .. } = one.kind {
            continue;
        }
        printer.word("  ");
        printer.one_use(one);
        if one.role() != TypeRole::None {
            let _ = write!(printer.out, " as {:?}", one.role());
        }
        printer.word("\n");
    }
}

struct PythonPrinter<'a> {
    out: &'a mut String,
    code: &'a Code,
    names: &'a Names,
    indent: usize,
    /// The first node of a body, and the number of each of its nodes with operands; `None` if
    /// expressions are printed in one piece.
    numbered: Option<(NodeId, Vec<u32>)>,
    /// Number of nodes that the current expression may still print.
    left: u32,
    /// The enclosing phis.
    enclosing_phis: Vec<NodeId>,
    depth: u32,
}

impl<'a> PythonPrinter<'a> {
    fn new(out: &'a mut String, code: &'a Code, names: &'a Names, indent: usize) -> Self {
        PythonPrinter {
            out,
            code,
            names,
            indent,
            numbered: None,
            left: 0,
            enclosing_phis: Vec::new(),
            depth: 0,
        }
    }

    fn word(&mut self, word: &str) {
        self.out.push_str(word);
    }

    fn name(&mut self, name: NameId) {
        let names = self.names;
        self.word(names.text(name));
    }

    /// Begins a line below the item's own.
    fn line(&mut self) {
        self.word("\n");
        for _ in 0..=self.indent {
            self.word("  ");
        }
    }

    /// Prints a node after a word; nothing if the node is absent.
    fn valued(&mut self, head: &str, node: NodeId) {
        if node != NONE {
            self.word(head);
            self.root(node);
        }
    }

    fn item(&mut self, items: &Items, number: u32, item: &Item) {
        for _ in 0..self.indent {
            self.word("  ");
        }
        let _ = write!(self.out, "#{number} ");
        self.word(if item.flags.is_async { "async " } else { "" });
        self.word(match item.kind {
            ItemKind::Module => "module",
            ItemKind::Class => "class ",
            ItemKind::Function => "def ",
            ItemKind::Lambda => "",
        });
        self.name(item.name);
        if item.nth > 0 {
            let _ = write!(self.out, "~{}", item.nth);
        }
        for (at, &(name, bound)) in item.type_params.iter().enumerate() {
            self.word(if at > 0 { ", " } else { "[" });
            self.name(name);
            self.valued(": ", bound);
        }
        self.word(if item.type_params.is_empty() { "" } else { "]" });
        match item.kind {
            ItemKind::Function | ItemKind::Lambda => {
                self.params(items.params.get(item.params.iter()).unwrap_or_default());
            }
            ItemKind::Class => self.bases(item),
            ItemKind::Module => {}
        }
        self.valued(" -> ", item.returns);
        let words = [
            (item.flags.is_generator, " generator"),
            (item.flags.is_stub, " stub"),
            (item.flags.falls_through, " falls-through"),
        ];
        for (_, word) in words.iter().filter(|(holds, _)| *holds) {
            self.word(word);
        }
        guard_words(self.out, item.guard);
        for &decorator in &item.decorators {
            self.line();
            self.valued("@ ", decorator);
        }
    }

    fn params(&mut self, params: &[Param]) {
        self.word("(");
        for (at, param) in params.iter().enumerate() {
            self.word(if at > 0 { ", " } else { "" });
            self.word(match param.kind {
                ParamKind::PositionalOnly => "/",
                ParamKind::Normal => "",
                ParamKind::Star => "*",
                ParamKind::KeywordOnly => "=",
                ParamKind::DoubleStar => "**",
            });
            self.name(param.name);
            self.valued(": ", param.annotation);
            self.valued(" = ", param.default);
        }
        self.word(")");
    }

    fn bases(&mut self, item: &Item) {
        if item.bases.is_empty() && item.keywords.is_empty() {
            return;
        }
        self.word("(");
        for (at, &base) in item.bases.iter().enumerate() {
            self.valued(if at > 0 { ", " } else { "" }, base);
        }
        for (at, &(name, value)) in item.keywords.iter().enumerate() {
            self.word(if at + item.bases.len() > 0 { ", " } else { "" });
            if self.names.text(name).is_empty() {
                self.valued("**", value);
            } else {
                self.name(name);
                self.valued(" = ", value);
            }
        }
        self.word(")");
    }

    fn all(&mut self, change: &AllChange) {
        self.line();
        let (head, changed): (&str, &[NameId]) = match change {
            AllChange::Set(names) => ("all =", names),
            AllChange::Add(names) => ("all +", names),
            AllChange::Remove(name) => ("all -", std::slice::from_ref(name)),
            AllChange::AddOf(module) => return self.valued("all of ", *module),
            AllChange::Unknown => ("all ?", &[]),
        };
        self.word(head);
        for &name in changed {
            self.word(" ");
            self.name(name);
        }
    }

    fn binding(&mut self, binding: &Binding, scope: u32) {
        self.line();
        self.word("bind ");
        self.name(binding.name);
        let _ = match binding.kind {
            BindingKind::Item(item) => write!(self.out, " item.{item}"),
            BindingKind::Import { import, which } => write!(self.out, " import.{import}.{which}"),
            BindingKind::Star(import) => write!(self.out, "* import.{import}"),
            BindingKind::Param(number) => write!(self.out, " param.{number}"),
            BindingKind::Deleted => write!(self.out, " deleted"),
            BindingKind::Value { value, annotation } => {
                self.valued(" = ", value);
                self.valued(": ", annotation);
                Ok(())
            }
            BindingKind::TypeAlias(value) => {
                self.valued(" type ", value);
                Ok(())
            }
        };
        if binding.owner != scope {
            let _ = write!(self.out, " by #{}", binding.owner);
        }
        guard_words(self.out, binding.guard);
    }

    fn one_use(&mut self, one: &Use) {
        match one.kind {
            UseKind::Name {
                scope,
                name,
                access,
                value,
                ..
            } => {
                self.word(access_word(access));
                self.name(name);
                let _ = match scope {
                    NONE => write!(self.out, " outside"),
                    scope if is_comprehension(scope) => {
                        write!(self.out, " inside.{}", scope - COMPREHENSION)
                    }
                    scope => write!(self.out, " of #{scope}"),
                };
                self.valued(" ", value);
            }
            UseKind::Attr {
                base,
                name,
                access,
                value,
                ..
            } => {
                self.word(access_word(access));
                self.word(".");
                self.name(name);
                self.valued(" of ", base);
                self.valued(" ", value);
            }
            UseKind::Call(node) => self.valued("call ", node),
            UseKind::Keyword { call, which } => {
                let keyword = match self.code.nodes.get(call as usize) {
                    Some(&Node::Call(call)) => self.code.calls.get(call as usize),
                    _ => None,
                };
                let keyword = keyword.and_then(|call| call.keywords.get(which as usize));
                self.word("keyword ");
                match keyword {
                    Some(&(name, _)) => self.name(name),
                    None => self.word("?"),
                }
                self.valued(" of ", call);
            }
            UseKind::Decorate { item, which, .. } => {
                let _ = write!(self.out, "decorate #{item} by {which}");
            }
            UseKind::ClassStatement(item) => {
                let _ = write!(self.out, "class #{item}");
            }
            UseKind::Import { import, which } => {
                let _ = match which {
                    NONE => write!(self.out, "import.{import}"),
                    which => write!(self.out, "import.{import}.{which}"),
                };
            }
            UseKind::ImportedModule(import) => {
                let _ = write!(self.out, "module of import.{import}");
            }
            UseKind::All(name) => {
                self.word("all ");
                self.name(name);
            }
            UseKind::Operator(node) => self.valued("operator ", node),
            UseKind::SubscriptStore {
                base,
                index,
                access,
                ..
            } => {
                self.word(access_word(access));
                self.valued("[", index);
                self.valued("] of ", base);
            }
            UseKind::Truth(value) => self.valued("truth ", value),
            UseKind::Iterate { value, is_async } => {
                self.valued(if is_async { "async for " } else { "for " }, value);
            }
            UseKind::With { value, is_async } => {
                self.valued(if is_async { "async with " } else { "with " }, value);
            }
            UseKind::Await(value) => self.valued("await ", value),
            UseKind::Raise(value) => self.valued("raise ", value),
            UseKind::Text(value) => self.valued("text ", value),
            UseKind::TextStart { value, text } => {
                self.word("starts with ");
                self.name(text);
                self.valued(" ", value);
            }
        }
    }

    /// Prints an expression that is not part of a body.
    fn root(&mut self, node: NodeId) {
        self.left = MAX_NODES;
        self.node(node);
    }
}

fn access_word(access: Access) -> &'static str {
    match access {
        Access::Load => "load ",
        Access::Store => "store ",
        Access::Augment => "augment ",
        Access::Delete => "delete ",
        Access::Callee => "callee ",
    }
}
