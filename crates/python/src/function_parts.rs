//! The header and the body of a function by themselves: firewalls between a file's items and what is
//! inferred from one function.
//!
//! Items are an input of the file, and their numbers count from its start. A query that read them
//! would run for every function of a file that gets a new one, and so would the whole cycle that it
//! is part of. A [`FunctionPart`] has numbers of its own and symbols instead of those of the file, so
//! it is equal as long as the function means the same.

use std::borrow::Cow;
use std::sync::Arc;

use codeweft_db::{Db, File, SymbolId};
use codeweft_python_syntax::{Cut, Item, ItemPart};

use crate::declared::{declaration_of, file_symbols, items};
use crate::keys::FunctionKey;
use crate::whole_file::is_without_firewalls;

/// The header or the body of a function, with what it is computed from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionPart {
    /// The file that declares the function.
    pub(crate) file: File,
    /// The part, as items of its own.
    pub(crate) cut: Cut,
    /// The symbols of these items. Functions of one name differ in them alone: their numbers are not kept.
    pub(crate) symbols: Arc<[SymbolId]>,
}

impl FunctionPart {
    /// Returns the function's own item.
    pub(crate) fn item(&self) -> Option<&Item> {
        self.cut.items.items.get(self.cut.item as usize)
    }
}

/// Returns the header of a function, lambda or class; `None` if its module's own text does not
/// declare it.
#[salsa::tracked(returns(as_ref))]
pub fn function_header<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Option<FunctionPart> {
    read_part(db, key.symbol(db), ItemPart::Header)
}

/// Returns what the body of a function or lambda returns and yields; `None` if its module's own text
/// does not declare it.
#[salsa::tracked(returns(as_ref))]
pub fn function_body<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Option<FunctionPart> {
    read_part(db, key.symbol(db), ItemPart::Body)
}

/// Returns the header of a function, lambda or class, or what its body returns and yields; `None` if its module's own text does not
/// declare it.
pub(crate) fn part_of_function(
    db: &dyn Db,
    symbol: SymbolId,
    part: ItemPart,
) -> Option<Cow<'_, FunctionPart>> {
    if is_without_firewalls(db, symbol) {
        return read_part(db, symbol, part).map(Cow::Owned);
    }
    let key = FunctionKey::new(db, symbol);
    let found = match part {
        ItemPart::Header => function_header(db, key),
        ItemPart::Body => function_body(db, key),
    };
    found.map(Cow::Borrowed)
}

/// Returns a part of a function, lambda or class by its module's own text.
fn read_part(db: &dyn Db, symbol: SymbolId, part: ItemPart) -> Option<FunctionPart> {
    let (file, item) = declaration_of(db, symbol)?;
    part_of(db, file, item, part)
}

/// Returns a part of an item of a file.
pub(crate) fn part_of(db: &dyn Db, file: File, item: u32, part: ItemPart) -> Option<FunctionPart> {
    let (cut, numbers) = items(db, file)?.cut(item, part)?;
    let all = file_symbols(db, file);
    let symbols = numbers
        .iter()
        .filter_map(|&number| all.get(number as usize));
    Some(FunctionPart {
        file,
        cut,
        symbols: symbols.copied().collect(),
    })
}
