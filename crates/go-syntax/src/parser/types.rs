//! Parses types and signatures (Go spec, Types).

use super::GoParser;
use super::scanner::Token;
use crate::flat::{Children, NodeNumber};
use crate::kinds::GoKind;

/// Of so many names for one type the grammar takes some for types.
const MAX_NAMES: usize = 9;

/// A parameter before it is known whether a name alone is a name or a type.
enum Entry {
    /// An identifier alone.
    Alone(NodeNumber),
    Named(NodeNumber, NodeNumber),
    NamedVariadic(NodeNumber, NodeNumber),
    Type(NodeNumber),
    VariadicType(NodeNumber),
}

impl GoParser<'_> {
    /// Returns whether a type can begin with a token.
    pub(super) fn begins_type(token: Token) -> bool {
        matches!(
            token,
            Token::Ident
                | Token::Star
                | Token::Open
                | Token::OpenBracket
                | Token::Map
                | Token::Chan
                | Token::Arrow
                | Token::Func
                | Token::Struct
                | Token::Interface
        )
    }

    /// Parses a type.
    pub(super) fn ty(&mut self) -> Option<NodeNumber> {
        self.nested(|p| p.type_here())
    }

    fn type_here(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        match self.peek() {
            Token::Ident => {
                let name = self.type_name()?;
                if self.peek() != Token::OpenBracket {
                    return Some(name);
                }
                self.instantiated(name, start)
            }
            Token::Star => {
                self.bump();
                let inner = self.ty()?;
                Some(self.wrap(GoKind::PointerType, start, inner))
            }
            Token::Open => {
                self.bump();
                let inner = self.ty()?;
                self.expect(Token::Close)?;
                Some(self.wrap(GoKind::ParenType, start, inner))
            }
            Token::OpenBracket => self.array_type(false),
            Token::Map => self.map_type(),
            Token::Chan | Token::Arrow => self.channel_type(),
            Token::Func => {
                self.bump();
                let mut children = Children::new();
                self.signature(&mut children)?;
                Some(self.node(GoKind::FunctionType, start, children))
            }
            Token::Struct => self.struct_type(),
            Token::Interface => self.interface_type(),
            _ => None,
        }
    }

    /// Adds a node from `start` to the last token around one child.
    pub(super) fn wrap(&mut self, kind: GoKind, start: u32, child: NodeNumber) -> NodeNumber {
        let mut children = Children::new();
        self.append(&mut children, child);
        self.node(kind, start, children)
    }

    /// Parses a type name, qualified or not.
    fn type_name(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        if self.peek_at(1) != Token::Dot {
            return self.name(GoKind::TypeIdentifier);
        }
        let mut children = Children::new();
        let package = self.name(GoKind::PackageIdentifier)?;
        self.append(&mut children, package);
        self.bump();
        let name = self.name(GoKind::TypeIdentifier)?;
        self.append(&mut children, name);
        Some(self.node(GoKind::QualifiedType, start, children))
    }

    /// Parses the type arguments of a type.
    fn instantiated(&mut self, base: NodeNumber, start: u32) -> Option<NodeNumber> {
        let from = self.start();
        self.bump();
        let mut arguments = Children::new();
        while self.peek() != Token::CloseBracket {
            let at = self.start();
            let ty = self.ty()?;
            let elem = self.wrap(GoKind::TypeElem, at, ty);
            self.append(&mut arguments, elem);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBracket)?;
        if arguments.is_empty() {
            return None;
        }
        let arguments = self.node(GoKind::TypeArguments, from, arguments);
        let mut children = Children::new();
        self.append(&mut children, base);
        self.append(&mut children, arguments);
        Some(self.node(GoKind::GenericType, start, children))
    }

    /// Parses an array or slice type; `[...]T` only if `may_have_dots`, as in a composite literal.
    pub(super) fn array_type(&mut self, may_have_dots: bool) -> Option<NodeNumber> {
        let start = self.start();
        self.expect(Token::OpenBracket)?;
        let mut children = Children::new();
        let kind = match self.peek() {
            Token::CloseBracket => GoKind::SliceType,
            Token::Ellipsis if may_have_dots => {
                self.bump();
                GoKind::DotsArrayType
            }
            _ => {
                let len = self.with_header(false, |p| p.expr())?;
                self.append(&mut children, len);
                GoKind::ArrayType
            }
        };
        self.expect(Token::CloseBracket)?;
        let elem = self.ty()?;
        self.append(&mut children, elem);
        Some(self.node(kind, start, children))
    }

    fn map_type(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        self.expect(Token::OpenBracket)?;
        let mut children = Children::new();
        let key = self.ty()?;
        self.append(&mut children, key);
        self.expect(Token::CloseBracket)?;
        let value = self.ty()?;
        self.append(&mut children, value);
        Some(self.node(GoKind::MapType, start, children))
    }

    /// Parses a channel type; lowering reads its direction from the tokens.
    fn channel_type(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        if self.peek() == Token::Arrow {
            let arrow = self.leaf(GoKind::Arrow);
            self.append(&mut children, arrow);
            if self.peek() != Token::Chan {
                return None;
            }
            let chan = self.leaf(GoKind::Chan);
            self.append(&mut children, chan);
        } else {
            let chan = self.leaf(GoKind::Chan);
            self.append(&mut children, chan);
            if self.peek() == Token::Arrow {
                let arrow = self.leaf(GoKind::Arrow);
                self.append(&mut children, arrow);
            }
        }
        let elem = self.ty()?;
        self.append(&mut children, elem);
        Some(self.node(GoKind::ChannelType, start, children))
    }

    fn struct_type(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let from = self.start();
        self.expect(Token::OpenBrace)?;
        let mut fields = Children::new();
        while self.peek() != Token::CloseBrace {
            let field = self.field()?;
            self.append(&mut fields, field);
            if self.peek() != Token::CloseBrace {
                self.terminator()?;
            }
        }
        self.bump();
        let list = self.node(GoKind::FieldDeclarationList, from, fields);
        Some(self.wrap(GoKind::StructType, start, list))
    }

    fn field(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        if self.is_embedded_field()? {
            if self.peek() == Token::Star {
                let star = self.leaf(GoKind::Star);
                self.append(&mut children, star);
            }
            if self.peek() != Token::Ident {
                return None;
            }
            let ty = self.ty()?;
            self.append(&mut children, ty);
        } else {
            loop {
                let name = self.name(GoKind::FieldIdentifier)?;
                self.append(&mut children, name);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            let ty = self.ty()?;
            self.append(&mut children, ty);
        }
        let tag = match self.peek() {
            Token::String => Some(GoKind::InterpretedString),
            Token::RawString => Some(GoKind::RawString),
            _ => None,
        };
        if let Some(kind) = tag {
            let tag = self.leaf(kind);
            self.append(&mut children, tag);
        }
        Some(self.node(GoKind::FieldDeclaration, start, children))
    }

    fn is_embedded_field(&self) -> Option<bool> {
        Some(match (self.peek(), self.peek_at(1)) {
            (Token::Star, _) => true,
            (Token::Ident, Token::OpenBracket) => !self.is_named_array()?,
            (
                Token::Ident,
                Token::Dot
                | Token::String
                | Token::RawString
                | Token::LineEnd
                | Token::Semicolon
                | Token::CloseBrace,
            ) => true,
            _ => false,
        })
    }

    /// Returns whether an identifier and a bracket are a name with an array or slice type, rather than an
    /// instantiated type.
    fn is_named_array(&self) -> Option<bool> {
        if self.peek_at(2) == Token::CloseBracket {
            return Some(true);
        }
        Some(Self::begins_type(self.behind_bracket(1)?))
    }

    fn interface_type(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        self.expect(Token::OpenBrace)?;
        let mut children = Children::new();
        while self.peek() != Token::CloseBrace {
            let from = self.start();
            let elem = if self.peek() == Token::Ident && self.peek_at(1) == Token::Open {
                let mut parts = Children::new();
                let name = self.name(GoKind::FieldIdentifier)?;
                self.append(&mut parts, name);
                self.signature(&mut parts)?;
                self.node(GoKind::MethodElem, from, parts)
            } else {
                self.union(GoKind::TypeElem)?
            };
            self.append(&mut children, elem);
            if self.peek() != Token::CloseBrace {
                self.terminator()?;
            }
        }
        self.bump();
        Some(self.node(GoKind::InterfaceType, start, children))
    }

    /// Parses the terms of a union.
    fn union(&mut self, kind: GoKind) -> Option<NodeNumber> {
        let start = self.start();
        let mut terms = Children::new();
        loop {
            let term = self.term()?;
            self.append(&mut terms, term);
            if !self.eat(Token::Pipe) {
                return Some(self.node(kind, start, terms));
            }
        }
    }

    /// Parses a type with or without a tilde. Of `~F[T]` the grammar has several readings.
    fn term(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        if !self.eat(Token::Tilde) {
            return self.ty();
        }
        let inner = self.ty()?;
        if self.tree.node(inner).kind == GoKind::GenericType {
            return None;
        }
        Some(self.wrap(GoKind::NegatedType, start, inner))
    }

    /// Parses parameters and result.
    pub(super) fn signature(&mut self, into: &mut Children) -> Option<()> {
        let params = self.parameters()?;
        self.append(into, params);
        if self.peek() == Token::Open {
            let results = self.parameters()?;
            self.append(into, results);
        } else if Self::begins_type(self.peek()) {
            let result = self.ty()?;
            self.append(into, result);
        }
        Some(())
    }

    /// Parses a parameter list.
    pub(super) fn parameters(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.expect(Token::Open)?;
        let mut list = Children::new();
        if !self.eat(Token::Close) {
            self.with_header(false, |p| p.nested(|p| p.entries(&mut list)))?;
        }
        Some(self.node(GoKind::ParameterList, start, list))
    }

    /// Parses the parameters of a list and its closing parenthesis.
    fn entries(&mut self, list: &mut Children) -> Option<()> {
        let mut entries = Vec::new();
        while !self.eat(Token::Close) {
            entries.push(self.entry()?);
            if !self.eat(Token::Comma) {
                self.expect(Token::Close)?;
                break;
            }
        }
        let is_named = |entry: &Entry| matches!(entry, Entry::Named(..) | Entry::NamedVariadic(..));
        let has_names = entries.iter().any(is_named);
        let mut alone: Vec<NodeNumber> = Vec::new();
        for entry in entries {
            let (kind, children) = match entry {
                Entry::Alone(name) if has_names => {
                    alone.push(name);
                    continue;
                }
                Entry::Alone(ty) => {
                    self.tree.set_kind(ty, GoKind::TypeIdentifier);
                    (GoKind::Parameter, [None, Some(ty)])
                }
                Entry::Type(_) | Entry::VariadicType(_) if has_names => return None,
                Entry::Type(ty) => (GoKind::Parameter, [None, Some(ty)]),
                Entry::VariadicType(ty) => (GoKind::VariadicParameter, [None, Some(ty)]),
                Entry::Named(name, ty) => (GoKind::Parameter, [Some(name), Some(ty)]),
                Entry::NamedVariadic(name, ty) => {
                    // The grammar knows one name before the dots: others are types to it.
                    for ty in alone.drain(..) {
                        self.tree.set_kind(ty, GoKind::TypeIdentifier);
                        let param = self.wrap(GoKind::Parameter, 0, ty);
                        self.append(list, param);
                    }
                    (GoKind::VariadicParameter, [Some(name), Some(ty)])
                }
            };
            if alone.len() >= MAX_NAMES {
                return None;
            }
            let mut parts = Children::new();
            for name in alone.drain(..) {
                self.append(&mut parts, name);
            }
            for part in children.into_iter().flatten() {
                self.append(&mut parts, part);
            }
            let param = self.node(kind, 0, parts);
            self.append(list, param);
        }
        alone.is_empty().then_some(())
    }

    fn entry(&mut self) -> Option<Entry> {
        if self.eat(Token::Ellipsis) {
            return Some(Entry::VariadicType(self.ty()?));
        }
        if self.peek() != Token::Ident {
            return Some(Entry::Type(self.ty()?));
        }
        match self.peek_at(1) {
            Token::Comma | Token::Close => Some(Entry::Alone(self.name(GoKind::Identifier)?)),
            Token::Dot => Some(Entry::Type(self.ty()?)),
            Token::OpenBracket if !self.is_named_array()? => Some(Entry::Type(self.ty()?)),
            Token::Ellipsis => {
                let name = self.name(GoKind::Identifier)?;
                self.bump();
                Some(Entry::NamedVariadic(name, self.ty()?))
            }
            _ => {
                let name = self.name(GoKind::Identifier)?;
                Some(Entry::Named(name, self.ty()?))
            }
        }
    }

    /// Parses a type parameter list.
    pub(super) fn type_parameters(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.expect(Token::OpenBracket)?;
        let mut list = Children::new();
        while !self.eat(Token::CloseBracket) {
            let from = self.start();
            let mut parts = Children::new();
            loop {
                let name = self.name(GoKind::Identifier)?;
                self.append(&mut parts, name);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            let constraint = self.nested(|p| p.union(GoKind::TypeConstraint))?;
            self.append(&mut parts, constraint);
            let param = self.node(GoKind::TypeParameter, from, parts);
            self.append(&mut list, param);
            if !self.eat(Token::Comma) {
                self.expect(Token::CloseBracket)?;
                break;
            }
        }
        (!list.is_empty()).then(|| self.node(GoKind::TypeParameterList, start, list))
    }
}
