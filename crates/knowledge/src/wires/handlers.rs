//! The functions that handle routes and events: what is registered may be wrapped.

use codeweft_db::{Db as _, SymbolClass, SymbolId, ValueId, WireValue};

use super::facts::Composer;
use super::value::{Abstract, Class, FrameRef};

/// A handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RouteHandler {
    pub(crate) symbol: SymbolId,
    /// Whether it is a function without a name inside that symbol.
    pub(crate) in_literal: bool,
}

/// The nesting of wrappers.
const MAX_WRAPPERS: u32 = 8;

impl Composer<'_> {
    /// Returns the handlers that a value may be. Of a function that wraps others it is the innermost that is passed to it;
    /// of one that makes a handler it is that one.
    pub(super) fn handlers(
        &self,
        file: u32,
        value: ValueId,
        frame: &FrameRef,
    ) -> Vec<RouteHandler> {
        self.unwrapped(file, value, frame, MAX_WRAPPERS)
    }

    fn unwrapped(
        &self,
        file: u32,
        value: ValueId,
        frame: &FrameRef,
        left: u32,
    ) -> Vec<RouteHandler> {
        if left == 0 {
            return Vec::new();
        }
        if let WireValue::Result { call, .. } = self.value(file, value)
            && let Some(called) = self.call((file, call))
        {
            let is_known = self
                .matches((file, call))
                .iter()
                .any(|of| self.row(*of).is_some_and(|row| row.text.is_some()));
            let given = called.arguments.iter().rev();
            let inner = given.map(|argument| self.unwrapped(file, argument.value, frame, left - 1));
            let inner = inner.into_iter().find(|handlers| !handlers.is_empty());
            if let (Some(inner), false) = (inner, is_known) {
                return inner;
            }
        }
        let mut found: Vec<RouteHandler> = Vec::new();
        for of in self.evaluate(file, value, frame).iter() {
            let handler = match of {
                Abstract::Function(symbol) => Some((*symbol, false)),
                Abstract::Literal(file, function) => {
                    let loaded = self.loaded(*file);
                    let function = loaded.wires.functions.get(*function as usize);
                    function.map(|function| (function.symbol, true))
                }
                Abstract::Class(symbol) | Abstract::Object(_, Class::Declared(symbol), _) => {
                    Some((*symbol, false))
                }
                Abstract::Written(file, value, _) => match self.value(*file, *value) {
                    WireValue::Object { class, .. } => match self.class_of_type(*file, class) {
                        Class::Declared(symbol) => Some((symbol, false)),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            };
            let handler = handler.filter(|(symbol, _)| self.file_of(*symbol).is_some());
            found.extend(handler.map(|(symbol, in_literal)| RouteHandler { symbol, in_literal }));
        }
        // A function that makes something else of the workspace's is the handler's maker.
        if found.is_empty()
            && let WireValue::Result { call, .. } = self.value(file, value)
            && let Some(called) = self.call((file, call))
            && let Some((file, function)) = self.called_function(file, called.callee)
        {
            let loaded = self.loaded(file);
            let function = loaded.wires.functions.get(function as usize);
            found.extend(function.map(|function| RouteHandler {
                symbol: function.symbol,
                in_literal: false,
            }));
        }
        found
    }

    /// Returns the methods of HTTP that a class has as methods of their names in small letters, with the method.
    pub(super) fn methods_of_class(&self, class: SymbolId) -> Vec<(&'static str, SymbolId)> {
        if self.class(class) != SymbolClass::Type {
            return Vec::new();
        }
        let Some(file) = self.file_of(class) else {
            return Vec::new();
        };
        let methods = codeweft_documents::contract::METHODS.into_iter();
        let found = methods.filter_map(|method| {
            let name = self.db.shared().names.get(&method.to_ascii_lowercase())?;
            let symbol = self.member_of(file, class, name)?;
            (self.file_of(symbol).is_some() && self.class(symbol) == SymbolClass::Method)
                .then_some((method, symbol))
        });
        found.collect()
    }
}
