//! Lowers the header of a file: package clause, imports and directives.

use super::constraint;
use super::ir::*;
use super::kinds::GoKind;
use super::literals;
use super::walk::GoLowering;
use codeweft_syntax::{NameId, Names, Span};

/// A header under construction.
#[derive(Default)]
pub(super) struct HeaderParts {
    package: Option<(NameId, Span)>,
    imports: Vec<Import>,
    pub(super) import_spans: Vec<Span>,
    linknames: Vec<(NameId, NameId)>,
}

impl HeaderParts {
    /// Returns the span of the package clause; empty if there is none.
    pub(super) fn package_span(&self) -> Span {
        self.package.map_or(Span::default(), |(_, span)| span)
    }

    /// Returns the finished header; `text` is the whole file without byte-order mark.
    pub(super) fn finish(self, text: &str, empty: NameId) -> Header {
        let span = self.package_span();
        let before = match self.package {
            Some(_) => text.get(..span.start as usize).unwrap_or(""),
            None => text,
        };
        Header {
            package: self.package.map_or(empty, |(name, _)| name),
            has_package_doc: self.package.is_some() && ends_in_comment(before),
            constraint: constraint::of_header(text),
            imports: self.imports.into(),
            generated: before.lines().any(is_generated_line),
            linknames: self.linknames.into(),
        }
    }
}

/// Returns whether a comment ends on the last full line before the package clause.
fn ends_in_comment(before: &str) -> bool {
    let Some(line) = before.strip_suffix('\n') else {
        return false;
    };
    let line = line.rsplit('\n').next().unwrap_or("").trim();
    line.starts_with("//") || line.ends_with("*/")
}

/// Returns whether a line is `// Code generated … DO NOT EDIT.` (`go help generate`).
fn is_generated_line(line: &str) -> bool {
    line.strip_prefix("// Code generated ")
        .is_some_and(|rest| rest.ends_with("DO NOT EDIT."))
}

impl GoLowering<'_, '_> {
    pub(super) fn package_clause(&mut self, into: &mut HeaderParts) {
        let span = self.span();
        let mut name = None;
        self.children(|l, kind| {
            if kind == GoKind::PackageIdentifier && !l.is_missing() {
                let text = l.node_text();
                name = Some(l.intern(text));
            }
        });
        if let (Some(name), None) = (name, into.package) {
            into.package = Some((name, span));
        }
    }

    pub(super) fn imports(&mut self, into: &mut HeaderParts) {
        self.children(|l, kind| match kind {
            GoKind::ImportSpec => l.import_spec(into),
            GoKind::ImportSpecList => l.children(|l, kind| {
                if kind == GoKind::ImportSpec {
                    l.import_spec(into);
                }
            }),
            _ => {}
        });
        self.recovered.clear();
    }

    fn import_spec(&mut self, into: &mut HeaderParts) {
        let mut import_kind = ImportKind::Plain;
        let mut path = None;
        self.children(|l, kind| match kind {
            GoKind::Dot => import_kind = ImportKind::Dot,
            GoKind::BlankIdentifier => import_kind = ImportKind::Blank,
            GoKind::PackageIdentifier => {
                let text = l.node_text();
                import_kind = match text {
                    "_" => ImportKind::Blank,
                    _ => ImportKind::Named(l.intern(text)),
                };
            }
            GoKind::InterpretedString | GoKind::RawString => path = Some(l.span()),
            _ => {}
        });
        let Some(span) = path else { return };
        let path = self.names.intern(&literals::string(self.slice(span)));
        into.imports.push(Import {
            path,
            kind: import_kind,
        });
        into.import_spans.push(span);
    }

    /// Reads a comment between declarations; only `//go:linkname local [target]` has a meaning.
    pub(super) fn directive(&mut self, into: &mut HeaderParts) {
        if let Some(rest) = self.node_text().strip_prefix("//go:linkname ") {
            let names: &Names = self.names;
            let mut words = rest.split_whitespace();
            if let Some(local) = words.next() {
                let target = words.next().unwrap_or("");
                into.linknames
                    .push((names.intern(local), names.intern(target)));
            }
        }
    }
}
