//! Parses source files and declarations (Go spec, Source file organization; Declarations and scope).

use super::GoParser;
use super::scanner::Token;
use crate::flat::{Children, NodeNumber};
use crate::kinds::GoKind;

impl GoParser<'_> {
    /// Parses a whole text that begins with a package clause; returns the root. Of the comments those
    /// between declarations become nodes.
    pub(super) fn source_file(&mut self, comments: &[(u32, u32)]) -> Option<NodeNumber> {
        let mut comments = comments.iter().copied().peekable();
        let mut children = Children::new();
        if self.peek() != Token::Package {
            return None;
        }
        while self.peek() != Token::End {
            let start = self.start();
            while let Some(comment) = comments.next_if(|comment| comment.0 < start) {
                self.comment(&mut children, comment);
            }
            let declaration = self.top_level()?;
            self.append(&mut children, declaration);
            let end = self.tree.node(declaration).end;
            while comments.next_if(|comment| comment.0 < end).is_some() {}
            self.terminator()?;
        }
        for comment in comments {
            self.comment(&mut children, comment);
        }
        let end = self.text.len() as u32;
        Some(self.tree.push(GoKind::Other, (0, end), children))
    }

    fn comment(&mut self, into: &mut Children, span: (u32, u32)) {
        let comment = self.tree.push(GoKind::Comment, span, Children::new());
        self.append(into, comment);
    }

    fn top_level(&mut self) -> Option<NodeNumber> {
        match self.peek() {
            Token::Package => {
                let start = self.start();
                self.bump();
                let name = self.name(GoKind::PackageIdentifier)?;
                Some(self.wrap(GoKind::PackageClause, start, name))
            }
            Token::Import => self.import(),
            Token::Func => self.function_declaration(),
            Token::Var | Token::Const | Token::Type => self.declaration(),
            _ => None,
        }
    }

    fn import(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        if self.peek() != Token::Open {
            let spec = self.import_spec()?;
            return Some(self.wrap(GoKind::ImportDeclaration, start, spec));
        }
        let from = self.start();
        self.bump();
        let mut specs = Children::new();
        while !self.eat(Token::Close) {
            let spec = self.import_spec()?;
            self.append(&mut specs, spec);
            if self.peek() != Token::Close {
                self.terminator()?;
            }
        }
        let list = self.node(GoKind::ImportSpecList, from, specs);
        Some(self.wrap(GoKind::ImportDeclaration, start, list))
    }

    fn import_spec(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        let name = match self.peek() {
            Token::Dot => Some(self.leaf(GoKind::Dot)),
            _ => self.name(GoKind::PackageIdentifier),
        };
        if let Some(name) = name {
            self.append(&mut children, name);
        }
        let path = match self.peek() {
            Token::String => GoKind::InterpretedString,
            Token::RawString => GoKind::RawString,
            _ => return None,
        };
        let path = self.leaf(path);
        self.append(&mut children, path);
        Some(self.node(GoKind::ImportSpec, start, children))
    }

    fn function_declaration(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        self.bump();
        let mut children = Children::new();
        let mut kind = GoKind::FunctionDeclaration;
        if self.peek() == Token::Open {
            kind = GoKind::MethodDeclaration;
            let receiver = self.parameters()?;
            self.append(&mut children, receiver);
            let name = self.name(GoKind::FieldIdentifier)?;
            self.append(&mut children, name);
        } else {
            let name = self.name(GoKind::Identifier)?;
            self.append(&mut children, name);
            if self.peek() == Token::OpenBracket {
                let params = self.type_parameters()?;
                self.append(&mut children, params);
            }
        }
        self.signature(&mut children)?;
        if self.peek() == Token::OpenBrace {
            let body = self.block()?;
            self.append(&mut children, body);
        }
        Some(self.node(kind, start, children))
    }

    /// Parses a declaration of variables, constants or types.
    pub(super) fn declaration(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let keyword = self.peek();
        let kind = match keyword {
            Token::Var => GoKind::VarDeclaration,
            Token::Const => GoKind::ConstDeclaration,
            _ => GoKind::TypeDeclaration,
        };
        self.bump();
        let mut children = Children::new();
        if self.peek() != Token::Open {
            let spec = self.spec(keyword)?;
            self.append(&mut children, spec);
            return Some(self.node(kind, start, children));
        }
        let from = self.start();
        let open = self.leaf(GoKind::Open);
        let mut specs = Children::new();
        self.append(&mut specs, open);
        while !self.eat(Token::Close) {
            let spec = self.spec(keyword)?;
            self.append(&mut specs, spec);
            // The grammar wants a terminator behind the last variable or constant, too.
            if keyword != Token::Type || self.peek() != Token::Close {
                self.terminator()?;
            }
        }
        if keyword != Token::Var {
            return Some(self.node(kind, start, specs));
        }
        let list = self.node(GoKind::VarSpecList, from, specs);
        Some(self.wrap(kind, start, list))
    }

    fn spec(&mut self, keyword: Token) -> Option<NodeNumber> {
        match keyword {
            Token::Var => self.var_spec(),
            Token::Const => self.const_spec(),
            _ => self.type_spec(),
        }
    }

    fn names(&mut self, into: &mut Children) -> Option<()> {
        loop {
            let name = self.name(GoKind::Identifier)?;
            self.append(into, name);
            if !self.eat(Token::Comma) {
                return Some(());
            }
        }
    }

    fn var_spec(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        self.names(&mut children)?;
        let has_type = self.peek() != Token::Assign;
        if has_type {
            let ty = self.ty()?;
            self.append(&mut children, ty);
        }
        if self.eat(Token::Assign) {
            let values = self.expr_list()?;
            self.append(&mut children, values);
        }
        Some(self.node(GoKind::VarSpec, start, children))
    }

    fn const_spec(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        self.names(&mut children)?;
        let has_type = Self::begins_type(self.peek());
        if has_type {
            let ty = self.ty()?;
            self.append(&mut children, ty);
        }
        if has_type || self.peek() == Token::Assign {
            self.expect(Token::Assign)?;
            let values = self.expr_list()?;
            self.append(&mut children, values);
        }
        Some(self.node(GoKind::ConstSpec, start, children))
    }

    fn type_spec(&mut self) -> Option<NodeNumber> {
        let start = self.start();
        let mut children = Children::new();
        let name = self.name(GoKind::TypeIdentifier)?;
        self.append(&mut children, name);
        if self.peek() == Token::OpenBracket && self.has_type_parameters()? {
            let params = self.type_parameters()?;
            self.append(&mut children, params);
        }
        let kind = if self.eat(Token::Assign) {
            GoKind::TypeAlias
        } else {
            GoKind::TypeSpec
        };
        let ty = self.ty()?;
        self.append(&mut children, ty);
        Some(self.node(kind, start, children))
    }

    /// Returns whether a bracket behind the name of a type begins type parameters rather than an array or
    /// slice type; gives up where that takes more than a look at the next tokens.
    fn has_type_parameters(&self) -> Option<bool> {
        if self.is_value_at(1) {
            return None;
        }
        match (self.peek_at(1), self.peek_at(2)) {
            (Token::Ident, Token::Open | Token::OpenBracket | Token::Star) => {
                let is_slice = self.peek_at(3) == Token::CloseBracket;
                (self.peek_at(2) == Token::OpenBracket && is_slice).then_some(true)
            }
            (Token::Ident, next) => {
                Some(matches!(next, Token::Comma | Token::Tilde) || Self::begins_type(next))
            }
            _ => Some(false),
        }
    }
}
