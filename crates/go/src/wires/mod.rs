//! The values, calls and writes of a file: a walk over its code that reads from its uses what names mean.
//!
//! ```text
//! file_uses ──(body, token) -> symbol──┐
//! file_bodies, items ─────────────────-┼── WireWalk ── FileWires
//! file_ranges, text ──(token) -> value─┘
//! ```
//!
//! Types are not inferred again: a name that the uses resolve is a declaration, a local variable holds whatever it is
//! assigned anywhere in its function, and the rest is unknown.

mod expressions;
mod literals;
mod statements;
mod tokens;

use std::sync::Arc;

use codeweft_db::{
    Bodies, Db, File, FileUses, FileWires, NameId, Ranges, SymbolId, ValueId, WireBuilder,
    WireFunction, WireParameter, WireValue, text_queries,
};
use codeweft_go_syntax::{
    AsGo as _, BodyRoot, Chunk, Code, Expr, ExprId, FieldKind, Item, ItemKind, Items, ListId,
    SigId, Tok, no_expr,
};
use rustc_hash::FxHashMap;

use crate::units::{FileImports, file_imports, item_symbol, items, package_symbol, unit_of};
use crate::uses;
use tokens::Tokens;

text_queries! {
    saved {
        /// Returns the values, calls and writes of a file.
        #[salsa::tracked(returns(clone), lru = 1024)]
        pub fn file_wires(db: &dyn Db, file: File) -> Arc<FileWires> {
            let bodies = codeweft_db::saved::file_bodies(db, file);
            let ranges = codeweft_db::saved::file_ranges(db, file);
            let uses = uses::saved::file_uses(db, file);
            Arc::new(walk(db, file, file.saved_text(db), (&bodies, &ranges), &uses))
        }
    }
    edited {
        /// Returns the values, calls and writes of a file.
        #[salsa::tracked(returns(clone), lru = 1024)]
        pub fn file_wires(db: &dyn Db, file: File) -> Arc<FileWires> {
            let bodies = codeweft_db::file_bodies(db, file);
            let ranges = codeweft_db::file_ranges(db, file);
            let uses = uses::file_uses(db, file);
            Arc::new(walk(db, file, file.text(db), (&bodies, &ranges), &uses))
        }
    }
    both {}
    /// Returns the values, calls and writes of a file.
    fn file_wires(File) -> Arc<FileWires>;
}

/// Returns the values, calls and writes of a file; empty for one that belongs to no package.
fn walk(
    db: &dyn Db,
    file: File,
    text: &str,
    (bodies, ranges): (&Bodies, &Ranges),
    uses: &FileUses,
) -> FileWires {
    let (Some(unit), Some(items), Some(bodies)) = (unit_of(db, file), items(db, file), bodies.go())
    else {
        return FileWires::default();
    };
    let imports = file_imports(db, file);
    let tokens = Tokens::new(text, ranges, uses);
    let mut walk = WireWalk {
        db,
        items,
        imports: &imports,
        tokens,
        code: &items.code,
        function: 0,
        branch: 0,
        scopes: Vec::new(),
        results: Vec::new(),
        builder: WireBuilder::default(),
    };
    walk.builder.add_function(WireFunction {
        symbol: package_symbol(db, unit),
        is_named: false,
        around: 0,
        parameters: Box::default(),
        receiver: 0,
        returns: Box::default(),
    });
    let symbol = |item: &Item| item_symbol(db, unit, file, item, items);
    for (number, item) in (bodies.count() as u32..).zip(&items.items) {
        db.unwind_query_if_cancelled();
        walk.tokens.enter_items(number);
        walk.declaration(item, symbol(item));
    }
    for (first, chunk) in bodies.with_tokens() {
        for (number, body) in (chunk.first..).zip(&chunk.bodies) {
            db.unwind_query_if_cancelled();
            let Some(item) = items.items.get(body.item as usize) else {
                continue;
            };
            match body.root {
                BodyRoot::Block(block) => {
                    walk.tokens.enter_items(bodies.count() as u32 + body.item);
                    walk.code = &items.code;
                    walk.enter_function(item, symbol(item));
                    walk.enter_body(chunk, number, body.first_tok, first);
                    walk.statement(block);
                    walk.leave_function();
                }
                BodyRoot::Values(values) => {
                    walk.enter_body(chunk, number, body.first_tok, first);
                    walk.initialisers(body.item as usize, values, &symbol);
                }
            }
        }
    }
    walk.builder.finish()
}

/// A walk over a file.
struct WireWalk<'a> {
    db: &'a dyn Db,
    items: &'a Items,
    imports: &'a FileImports,
    tokens: Tokens<'a>,
    /// The arenas that are walked: those of the items or of a chunk of bodies.
    code: &'a Code,
    /// The function that is walked.
    function: u32,
    /// The innermost branch around what is walked; 0 without one.
    branch: u32,
    /// The local variables in scope, innermost last.
    scopes: Vec<FxHashMap<NameId, u32>>,
    /// The named results of the functions around, innermost last.
    results: Vec<Vec<u32>>,
    builder: WireBuilder,
}

impl<'a> WireWalk<'a> {
    fn enter_body(&mut self, chunk: &'a Chunk, number: u32, first_tok: Tok, first: Tok) {
        self.code = &chunk.code;
        self.tokens.enter_body(number, first_tok, first);
    }

    /// Adds what a declaration says outside of bodies: a constant's value, the types of fields and variables.
    fn declaration(&mut self, item: &Item, symbol: SymbolId) {
        self.code = &self.items.code;
        match &item.kind {
            ItemKind::Const { value, .. } if *value != no_expr() => {
                let value = self.value(*value);
                self.write_declared(symbol, value);
            }
            ItemKind::Var { ty, .. } => self.declared_type(symbol, *ty),
            ItemKind::Type { ty, .. } => {
                if let Expr::Struct(fields) = self.code.exprs[*ty] {
                    self.field_types(symbol, fields);
                }
            }
            _ => {}
        }
    }

    fn field_types(&mut self, class: SymbolId, fields: ListId) {
        let declared = literals::struct_fields(self.db, class);
        let code = self.code;
        for field in code.fields_of(fields) {
            let field = code.fields[field];
            if field.kind == FieldKind::Embedded {
                let base = self.type_value(field.ty);
                if base != 0 {
                    self.builder.bases.push((class, base));
                }
            }
            if matches!(field.kind, FieldKind::Named | FieldKind::Embedded) {
                let name = code.name(field.tok);
                let symbol = declared.iter().find(|(known, _)| *known == name);
                if let Some(&(_, symbol)) = symbol {
                    self.declared_type(symbol, field.ty);
                }
            }
        }
    }

    fn declared_type(&mut self, symbol: SymbolId, ty: ExprId) {
        let declared = self.type_value(ty);
        if declared != 0 {
            self.builder.types.push((symbol, declared));
        }
    }

    fn write_declared(&mut self, symbol: SymbolId, value: ValueId) {
        if value != 0 {
            let target = self.builder.add(WireValue::Declared(symbol));
            self.builder.writes.push((target, value));
        }
    }

    /// Adds the values of a var spec whose first name is item `first`.
    fn initialisers(&mut self, first: usize, values: ListId, symbol: &dyn Fn(&Item) -> SymbolId) {
        self.function = 0;
        let values: Vec<ExprId> = self.code.exprs_of(values).collect();
        let items = self.items.items.get(first..).unwrap_or(&[]);
        let single = match values[..] {
            [only] => Some(self.value(only)),
            _ => None,
        };
        for (at, item) in items.iter().enumerate() {
            let ItemKind::Var { result, .. } = item.kind else {
                break;
            };
            let value = match (single, values.get(at), result) {
                (Some(value), Some(_), None) => value,
                (Some(value), _, Some(result)) if usize::from(result) == at => {
                    self.result_of(value, u32::from(result))
                }
                (None, Some(&value), None) => self.value(value),
                _ => break,
            };
            self.write_declared(symbol(item), value);
        }
    }

    /// Enters the scope of a function or method.
    fn enter_function(&mut self, item: &Item, symbol: SymbolId) {
        let (sig, receiver) = match &item.kind {
            ItemKind::Method { receiver, sig, .. } => (Some(*sig), Some(receiver)),
            ItemKind::Func { sig, .. } => (Some(*sig), None),
            _ => (None, None),
        };
        let class = receiver.and_then(|receiver| self.tokens.symbol(receiver.base));
        let class = class.map_or(0, |class| self.builder.add(WireValue::Declared(class)));
        self.begin_function(symbol, true, sig, class);
        let name = receiver.and_then(|receiver| receiver.tok);
        if let Some(tok) = name {
            let value = self.builder.add(WireValue::Parameter {
                function: self.function,
                number: codeweft_db::RECEIVER,
            });
            self.declare(tok, vec![value]);
        }
    }

    /// Adds a function with its parameters and enters its scope. The signature is of the arenas that are walked.
    fn begin_function(
        &mut self,
        symbol: SymbolId,
        is_named: bool,
        sig: Option<SigId>,
        receiver: ValueId,
    ) {
        let code = self.code;
        let sig = sig.map(|sig| &code.sigs[sig]);
        let params = sig.map_or(&[][..], |sig| &sig.params);
        let count = params.len();
        let is_variadic = sig.is_some_and(|sig| sig.variadic);
        let empty = self.db.shared().names.intern("");
        let mut parameters = Vec::with_capacity(count);
        for (number, param) in params.iter().enumerate() {
            parameters.push(WireParameter {
                name: param.tok.map_or(empty, |tok| code.name(tok)),
                declared: self.type_value(param.ty),
                default: 0,
                is_variadic: is_variadic && number + 1 == count,
            });
        }
        let function = self.builder.add_function(WireFunction {
            symbol,
            is_named,
            around: self.function,
            parameters: parameters.into(),
            receiver,
            returns: Box::default(),
        });
        self.function = function;
        self.scopes.push(FxHashMap::default());
        for (number, param) in (0..).zip(params) {
            if let Some(tok) = param.tok {
                let value = self.builder.add(WireValue::Parameter { function, number });
                self.declare(tok, vec![value]);
            }
        }
        let results = sig.map_or(&[][..], |sig| &sig.results);
        let named: Vec<Tok> = results.iter().filter_map(|result| result.tok).collect();
        let named = named.into_iter().map(|tok| self.declare(tok, Vec::new()));
        let named = named.collect();
        self.results.push(named);
    }

    fn leave_function(&mut self) {
        let around = self.builder.functions.get(self.function as usize);
        self.function = around.map_or(0, |function| function.around);
        self.scopes.pop();
        self.results.pop();
    }

    /// Declares a local variable with its first values.
    fn declare(&mut self, tok: Tok, values: Vec<ValueId>) -> u32 {
        let values = values.into_iter().filter(|value| *value != 0).collect();
        let local = self.builder.add_local(values);
        let name = self.code.name(tok);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, local);
        }
        local
    }

    /// Returns the local variable that a name means.
    fn local(&self, name: NameId) -> Option<u32> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(&name).copied())
    }

    /// Returns result `number` of a value that may be a call's.
    fn result_of(&mut self, value: ValueId, number: u32) -> ValueId {
        match self.builder.values.get(value as usize) {
            Some(&WireValue::Result { call, .. }) => {
                self.builder.add(WireValue::Result { call, number })
            }
            // `v, ok := x.(T)`, `v, ok := m[key]`
            _ if number == 0 => value,
            _ => 0,
        }
    }
}
