//! Files that the build configuration excludes: their declarations, and the positions where they
//! could use a symbol. They are not typed, so their imports and the words before a name decide.

use codeweft_db::{
    Db, DeclarationRange, DeclaredIn, ExcludedDeclaration, File, NodeKind, Span, SymbolClass,
    SymbolId, Unit, file_ranges,
};
use codeweft_go_syntax::{Expr, ItemKind};

use crate::symbols::imported;
use crate::types::is_exported;
use crate::units::{PackageRef, file_imports, items, package_symbol, unit_of, unit_scope};

/// Returns the package-level declarations and methods of a file, in text order; `_` declares
/// nothing.
pub fn declarations(db: &dyn Db, file: File) -> Vec<ExcludedDeclaration> {
    let Some(items) = items(db, file) else {
        return Vec::new();
    };
    let ranges = file_ranges(db, file);
    let names = &db.shared().names;
    let blank = names.intern("_");
    let mut found = Vec::new();
    for (number, item) in items.items.iter().enumerate() {
        let span = ranges.items.get(number).copied();
        let start = ranges.item_tokens.get(item.tok as usize).copied();
        let (Some(span), Some(start)) = (span, start) else {
            continue;
        };
        if item.name == blank {
            continue;
        }
        let name = names.text(item.name);
        let (parent, kind) = match &item.kind {
            ItemKind::Func { .. } => (None, NodeKind::Function),
            ItemKind::Method { receiver, .. } => {
                (Some(items.code.name(receiver.base)), NodeKind::Method)
            }
            ItemKind::Type { alias: true, .. } => (None, NodeKind::Type),
            ItemKind::Type { ty, .. } => match items.code.exprs[*ty] {
                Expr::Struct(_) => (None, NodeKind::Struct),
                Expr::Interface(_) => (None, NodeKind::Interface),
                _ => (None, NodeKind::Type),
            },
            ItemKind::Const { .. } => (None, NodeKind::Constant),
            ItemKind::Var { .. } => (None, NodeKind::Variable),
        };
        found.push(ExcludedDeclaration {
            parent,
            name: item.name,
            kind,
            public: is_exported(name),
            declaration: DeclarationRange {
                file,
                span,
                name: Span {
                    start,
                    end: start + name.len() as u32,
                },
            },
        });
    }
    found
}

/// Returns the packages that a file imports, each with the byte offset of its path, in text order.
pub fn imports(db: &dyn Db, file: File) -> Vec<(SymbolId, u32)> {
    let targets = &file_imports(db, file).targets;
    let ranges = &file_ranges(db, file).imports;
    let pairs = targets.iter().zip(ranges.iter());
    let found = pairs.filter_map(|(&target, range)| Some((imported(db, target)?, range.start)));
    found.collect()
}

/// Returns the first byte offset where an excluded file could use a symbol.
///
/// A package is used where it is imported. A package-level name must be qualified by an import of its package, or be unqualified in a file
/// of that package (Go spec, Qualified identifiers, Import declarations). A method or field must be
/// selected, and not from a package that declares such a name itself (Go spec, Selectors).
///
/// ```go
/// //go:build windows
///
/// import "example.com/m/log"
///
/// func init() { log.Setup(); x.Close() } // could use m/log.Setup, and any method Close
/// ```
pub fn first_use(db: &dyn Db, file: File, symbol: SymbolId) -> Option<u32> {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let name = shared.names.text(key.name);
    if key.class == SymbolClass::Package {
        let mut imports = imports(db, file).into_iter();
        return imports.find_map(|(package, at)| (package == symbol).then_some(at));
    }
    let imports = file_imports(db, file);
    let own = unit_of(db, file).map(|unit| package_symbol(db, unit));
    let home = match key.declared_in {
        DeclaredIn::Unit(unit) => Some(package_symbol(db, unit)),
        DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => None,
    };
    let is_home = |package: PackageRef| match (package, key.declared_in) {
        (PackageRef::Loaded(unit, _), _) => Some(package_symbol(db, unit)) == home,
        (PackageRef::Absent(path), DeclaredIn::Absent(other)) => path == other,
        _ => false,
    };
    let declares = |unit: Unit| unit_scope(db, unit).get(key.name).is_some();
    let member = matches!(key.class, SymbolClass::Method | SymbolClass::Field);
    let alone = match key.class {
        SymbolClass::Method => false,
        // A key of a composite literal.
        SymbolClass::Field => true,
        _ => {
            let of_dot =
                |&(unit, _): &(Unit, Option<Unit>)| is_home(PackageRef::Loaded(unit, None));
            key.declared_in == DeclaredIn::Builtin(codeweft_go_syntax::GO)
                || home.is_some() && own == home
                || imports.dots.iter().any(of_dot)
        }
    };
    let text = file.text(db);
    let could = |&(at, _): &(usize, &str)| {
        if !is_word(text, at, name) {
            return false;
        }
        let before = text[..at].trim_end();
        let Some(before) = before.strip_suffix('.') else {
            return alone && !before.ends_with("func");
        };
        let package = qualifier(before)
            .and_then(|word| shared.names.get(word))
            .and_then(|word| imports.package(word));
        match package {
            Some(PackageRef::Loaded(unit, _)) if member => !declares(unit),
            Some(package) if !member => is_home(package),
            _ => member,
        }
    };
    let mut offsets = text.match_indices(name).filter(could);
    offsets.next().map(|(at, _)| at as u32)
}

fn in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns whether the text at an offset is a whole word.
fn is_word(text: &str, at: usize, word: &str) -> bool {
    !word.is_empty()
        && !text[..at].ends_with(in_word)
        && !text[at + word.len()..].starts_with(in_word)
}

/// Returns the word that a text ends in, unless it is selected itself.
fn qualifier(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let start = text.trim_end_matches(in_word).len();
    let selected = text[..start].trim_end().ends_with('.');
    (start < text.len() && !selected).then(|| &text[start..])
}
