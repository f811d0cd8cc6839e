//! Which calls a function accepts by number and names of arguments, and whether one function can
//! override another.

use std::sync::Arc;

use codeweft_db::{Db, NameId, SymbolClass, SymbolId};
use codeweft_python_syntax::{ItemKind, ParamKind};

use crate::declared::stub_declaration_of;
use crate::infer::info_by_form;
use crate::members::{FunctionKind, FunctionShape, form_at, form_of};

/// The arguments that a function accepts when called; without the receiver for a method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Arity {
    /// The number of positional parameters without a default.
    required: u32,
    /// All positional parameters; those that a keyword can fill by name.
    normal: Vec<NameId>,
    positional: u32,
    /// The receiver's name, which a call on the class can give: `C.m(self=x)`.
    receiver: Option<NameId>,
    /// `*args`
    star: bool,
    /// The keyword-only parameters, each with whether it has no default.
    keywords: Vec<(NameId, bool)>,
    /// `**kwargs`
    double_star: bool,
    /// Whether a call returns a coroutine.
    is_async: bool,
    /// Whether the result is annotated.
    is_annotated: bool,
}

/// Returns the arity of a function or method; `None` if a decorator may change it, or if the symbol
/// is no function.
pub(crate) fn arity(db: &dyn Db, symbol: SymbolId) -> Option<Arity> {
    let form = form_of(db, symbol).or_else(|| {
        let (file, item) = stub_declaration_of(db, symbol)?;
        form_at(db, file, item).map(Arc::new)
    })?;
    arity_of(db, symbol, &form)
}

/// Returns the arity of a function or method by its header.
pub(crate) fn arity_of(db: &dyn Db, symbol: SymbolId, form: &FunctionShape) -> Option<Arity> {
    if !matches!(form.kind, ItemKind::Function | ItemKind::Lambda) {
        return None;
    }
    let info = info_by_form(db, symbol, form);
    let runs_by_name = match info.kind {
        FunctionKind::Plain | FunctionKind::Static | FunctionKind::Class => {
            info.keeps || info.is_context
        }
        FunctionKind::Property | FunctionKind::Setter | FunctionKind::Deleter => false,
    };
    // Overloads without an implementation may each accept a different number.
    (runs_by_name && !info.is_overload).then_some(())?;
    let key = db.shared().symbols.key(symbol);
    // `__new__` is a static method that receives the class.
    let is_bound =
        info.kind != FunctionKind::Static || db.shared().names.text(key.name) == "__new__";
    let mut has_receiver = key.class == SymbolClass::Method && is_bound;
    let mut arity = Arity {
        is_async: form.flags.is_async && !form.flags.is_generator,
        is_annotated: form.is_annotated,
        ..Arity::default()
    };
    for param in &form.params {
        let has_default = param.has_default;
        match param.kind {
            ParamKind::PositionalOnly | ParamKind::Normal if has_receiver => {
                has_receiver = false;
                arity.receiver = Some(param.name);
            }
            ParamKind::PositionalOnly | ParamKind::Normal => {
                arity.positional += 1;
                arity.required += u32::from(!has_default);
                if param.kind == ParamKind::Normal {
                    arity.normal.push(param.name);
                }
            }
            ParamKind::Star => arity.star = true,
            ParamKind::KeywordOnly => arity.keywords.push((param.name, !has_default)),
            ParamKind::DoubleStar => arity.double_star = true,
        }
    }
    Some(arity)
}

impl Arity {
    /// Returns whether `count` arguments, positional and named together, can be accepted.
    pub(crate) fn accepts(&self, count: u32) -> bool {
        let required = self
            .keywords
            .iter()
            .filter(|(_, required)| *required)
            .count() as u32;
        let most = self.positional + self.keywords.len() as u32;
        self.required + required <= count && (self.star || self.double_star || count <= most)
    }

    /// Returns whether an argument can be given by a name that `is_named` accepts.
    pub(crate) fn accepts_keyword(&self, is_named: impl Fn(NameId) -> bool) -> bool {
        let keywords = self.keywords.iter().map(|&(name, _)| name);
        let mut all = self.normal.iter().copied().chain(keywords);
        self.double_star || all.any(&is_named) || self.receiver.is_some_and(is_named)
    }

    /// Returns whether every call that `wanted` accepts is accepted here too: by the number of
    /// positional arguments, the names of keyword-only ones and the variadic parameters, and either
    /// both or neither return coroutines. A plain function with an annotated result may return one
    /// as well.
    pub(crate) fn accepts_all_of(&self, wanted: &Arity) -> bool {
        let takes_keyword = |name: &NameId| {
            self.double_star
                || self.normal.contains(name)
                || self.keywords.iter().any(|(own, _)| own == name)
        };
        let passes_keyword = |name: &NameId| {
            let mut keywords = wanted.keywords.iter();
            keywords.any(|(own, required)| *required && own == name)
        };
        let same_color = self.is_async == wanted.is_async
            || if self.is_async {
                wanted.is_annotated
            } else {
                self.is_annotated
            };
        let mut required = self.keywords.iter().filter(|(_, required)| *required);
        same_color
            && self.required <= wanted.required
            && (self.star || self.positional >= wanted.positional && !wanted.star)
            && (self.double_star || !wanted.double_star)
            && wanted.keywords.iter().all(|(name, _)| takes_keyword(name))
            && required.all(|(name, _)| passes_keyword(name))
    }

    /// Returns the arity packed into one number: equal arities give equal numbers, and different
    /// ones differ except in names and in counts above 254.
    pub(crate) fn packed(&self) -> u32 {
        let flags = [self.star, self.double_star, self.is_async];
        let bits = flags
            .iter()
            .fold(0, |bits, &flag| bits << 1 | u32::from(flag));
        let keywords = self.keywords.len().min(254) as u32;
        bits << 24 | keywords << 16 | self.required.min(254) << 8 | self.positional.min(254)
    }
}
