//! Assembles the [`FileIr`] when all bodies are lowered.

use std::sync::Arc;

use super::ir::*;
use super::walk::{PendingBinding, PythonLowering};
use super::{implied, slices};
use codeweft_syntax::{FileIr, Identifiers, Ranges, Report, Span};

/// The sorted offsets of the tokens of items.
struct Tokens(Vec<u32>);

impl Tokens {
    /// Returns the number of the token at an offset.
    fn number(&self, offset: u32) -> Tok {
        self.0.partition_point(|&token| token < offset) as Tok
    }
}

impl PythonLowering<'_, '_> {
    /// Returns the intermediate representation. `errors` are the offsets of what could not be read.
    pub(super) fn finish(mut self, errors: Vec<u32>) -> FileIr {
        self.keep_bindings();
        self.stores.sort_by_key(|&(offset, _)| offset);
        let tokens = self.item_tokens();
        let item_spans = self.item_spans();
        let (bodies, body_tokens) = self.take_bodies();
        let items = self.items(&tokens);
        let items = slices::extract(items, &bodies.code, &bodies.bodies);
        let mut ranges = Ranges {
            lines: codeweft_syntax::line_starts(self.words.text),
            imports: std::mem::take(&mut self.scopes.imports.spans).into(),
            items: item_spans,
            item_tokens: tokens.0.into(),
            bodies: std::mem::take(&mut self.body_spans).into(),
            body_tokens,
            ..Ranges::default()
        };
        ranges.package = Span::default();
        let mut error_lines: Vec<u32> = errors
            .iter()
            .map(|&offset| ranges.line_column(offset).0)
            .collect();
        error_lines.sort_unstable();
        error_lines.dedup();
        let report = Report {
            error_lines: error_lines.into(),
            cut: self.cut,
            ..Report::default()
        };
        let header = Header {
            imports: std::mem::take(&mut self.scopes.imports.all).into(),
        };
        let mentioned = self.words.mentioned(implied::methods(self.implied));
        FileIr {
            header: Arc::new(codeweft_syntax::Header::new(header)),
            items: Arc::new(codeweft_syntax::Items::new(items)),
            bodies: Arc::new(codeweft_syntax::Bodies::new(bodies)),
            ranges: Arc::new(ranges),
            identifiers: Arc::new(Identifiers::from_names(mentioned)),
            report: Arc::new(report),
        }
    }

    /// Keeps only the bindings that other code can see, ordered by scope and offset.
    fn keep_bindings(&mut self) {
        let (scopes, captured) = (&self.scopes, &self.captured);
        self.bindings.retain(|pending| {
            let scope = &scopes.all[pending.scope as usize];
            if scope.is_function() || pending.comprehended {
                captured.contains(&(pending.scope, pending.binding.name))
            } else {
                true
            }
        });
        self.bindings
            .sort_by_key(|pending| (pending.scope, pending.offset));
    }

    fn item_tokens(&self) -> Tokens {
        let mut offsets: Vec<u32> = Vec::new();
        for scope in &self.scopes.all {
            if scope.kind != ItemKind::Module {
                offsets.push(self.name_offset(scope.node));
            }
            offsets.extend(scope.params.iter().map(|site| self.start(site.at)));
        }
        for pending in &self.pending_items {
            offsets.extend_from_slice(&pending.base_offsets);
        }
        offsets.extend(self.bindings.iter().map(|pending| pending.offset));
        offsets.extend(self.stores.iter().map(|&(offset, _)| offset));
        offsets.sort_unstable();
        offsets.dedup();
        Tokens(offsets)
    }

    /// Returns the offset of the name of a definition, or of the keyword of a lambda.
    fn name_offset(&self, node: u32) -> u32 {
        let name = self.flat.field(node, super::kinds::NodeField::Name);
        self.start(name.unwrap_or(node))
    }

    fn item_spans(&self) -> Box<[Span]> {
        let spans = self.scopes.all.iter().map(|scope| {
            if scope.kind == ItemKind::Module {
                return Span {
                    start: 0,
                    end: self.words.text.len() as u32,
                };
            }
            let node = self.flat.node(scope.whole);
            Span {
                start: node.start,
                end: node.end,
            }
        });
        spans.collect()
    }

    fn items(&mut self, tokens: &Tokens) -> Items {
        let mut items = Vec::with_capacity(self.scopes.all.len());
        let mut params: Vec<Param> = Vec::new();
        let pending_items = std::mem::take(&mut self.pending_items);
        let mut first_binding = 0;
        for (number, (scope, pending)) in self.scopes.all.iter().zip(pending_items).enumerate() {
            let first_param = params.len() as u32;
            for (at, site) in scope.params.iter().enumerate() {
                let (annotation, default) = pending.params.get(at).copied().unwrap_or((NONE, NONE));
                params.push(Param {
                    name: site.name,
                    kind: site.kind,
                    annotation,
                    default,
                    tok: tokens.number(self.start(site.at)),
                });
            }
            let rest = &self.bindings[first_binding as usize..];
            let own = rest.partition_point(|pending| pending.scope <= number as u32) as u32;
            let is_module = scope.kind == ItemKind::Module;
            items.push(Item {
                parent: scope.parent,
                name: scope.name,
                nth: scope.nth,
                kind: scope.kind,
                tok: if is_module {
                    NONE
                } else {
                    tokens.number(self.name_offset(scope.node))
                },
                decorators: pending.decorators.into(),
                type_params: pending.type_params.into(),
                params: Range {
                    start: first_param,
                    end: params.len() as u32,
                },
                returns: pending.returns.unwrap_or(NONE),
                bases: pending.bases.into(),
                base_toks: pending
                    .base_offsets
                    .iter()
                    .map(|&offset| tokens.number(offset))
                    .collect(),
                keywords: pending.keywords.into(),
                nodes: Range::default(),
                bindings: Range {
                    start: first_binding,
                    end: first_binding + own,
                },
                results: pending.results.into(),
                yields: pending.yields.into(),
                flags: pending.flags,
                guard: scope.guard,
            });
            first_binding += own;
        }
        let bindings = self
            .bindings
            .iter()
            .map(|pending: &PendingBinding| Binding {
                tok: tokens.number(pending.offset),
                ..pending.binding
            });
        let stores = self.stores.iter().map(|&(offset, store)| Store {
            tok: tokens.number(offset),
            ..store
        });
        Items {
            items: items.into(),
            params: params.into(),
            bindings: bindings.collect(),
            stores: stores.collect(),
            all: std::mem::take(&mut self.all).into(),
            code: Code::default(),
        }
    }
}
