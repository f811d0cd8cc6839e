//! What is handed to package reflect, and by which call.

use codeweft_db::{
    Db, DeclaredIn, File, FileUses, FlowNode, Reason, SymbolClass, SymbolId, Unit, Use,
};

use crate::places::file_of;
use crate::units::package_path;
use crate::uses::{file_uses, unit_index};

/// Whether a function is `reflect.ValueOf`: what a package gives it flows to the place of the
/// package itself, beside the parameter.
pub(crate) fn is_value_of(db: &dyn Db, function: SymbolId) -> bool {
    let key = db.shared().symbols.key(function);
    let names = &db.shared().names;
    matches!(key.declared_in, DeclaredIn::Unit(unit) if names.text(package_path(db, unit)) == "reflect")
        && key.class == SymbolClass::Function
        && names.text(key.name) == "ValueOf"
}

/// Why what flows to a place leaves what texts show there: what a package hands to `reflect` that
/// calls values, or looks methods up by number or name.
pub fn escapes(db: &dyn Db, place: FlowNode) -> Option<Reason> {
    let symbols = &db.shared().symbols;
    if let Some((function, _)) = place.as_handed()
        && (is_value_of(db, function) || holds_value_of(db, function))
    {
        return Some(Reason::Reflection);
    }
    let of = match (place, place.as_handed()) {
        (FlowNode::Variable(symbol), _) => {
            Some(symbol).filter(|&symbol| symbols.key(symbol).class == SymbolClass::Package)
        }
        (_, handed) => handed.map(|(function, _)| function),
    };
    let DeclaredIn::Unit(unit) = symbols.key(of?).declared_in else {
        return None;
    };
    // What reflect calls by itself, others asked it to.
    let is_reflect = db.shared().names.text(package_path(db, unit)) == "reflect";
    (!is_reflect && calls_by_reflection(db, unit)).then_some(Reason::Reflection)
}

/// Whether a unit calls what it reflects on. Package reflect, Value and Type.
#[salsa::tracked(returns(copy))]
fn calls_by_reflection(db: &dyn Db, unit: Unit) -> bool {
    let names = &db.shared().names;
    unit_index(db, unit).targets().any(|target| {
        let key = db.shared().symbols.key(target);
        key.class == SymbolClass::Method
            && matches!(
                names.text(key.name),
                "Call" | "CallSlice" | "Method" | "MethodByName"
            )
            && matches!(key.declared_in, DeclaredIn::Unit(of) if names.text(package_path(db, of)) == "reflect")
    })
}

/// Whether a function outside package reflect has `reflect.ValueOf` as a value: where it is called
/// then, and what is done with its results, may be anywhere.
fn holds_value_of(db: &dyn Db, function: SymbolId) -> bool {
    let key = db.shared().symbols.key(function);
    let is_reflect = matches!(
        key.declared_in,
        DeclaredIn::Unit(unit) if db.shared().names.text(package_path(db, unit)) == "reflect"
    );
    let Some(file) = file_of(db, function).filter(|_| !is_reflect) else {
        return false;
    };
    let uses = file_uses(db, file);
    uses_of_value_of(db, &uses, function).any(|one| !one.role.is_call())
}

/// The uses of `reflect.ValueOf` in a function of a file.
fn uses_of_value_of<'u>(
    db: &'u dyn Db,
    uses: &'u FileUses,
    function: SymbolId,
) -> impl Iterator<Item = Use> + 'u {
    let found = uses
        .iter()
        .filter(move |&(target, _)| is_value_of(db, target));
    let found = found.flat_map(|(_, sites)| sites.to_vec());
    found.filter(move |one| uses.bodies.get(one.body as usize) == Some(&function))
}

/// The call that hands what flows to a place to package reflect; behind the calls come the places
/// where it is a value.
pub fn call_of(db: &dyn Db, place: FlowNode) -> Option<(File, u32, u32)> {
    let (function, number) = place.as_handed()?;
    let file = file_of(db, function)?;
    let uses = file_uses(db, file);
    let calls = uses_of_value_of(db, &uses, function);
    let mut calls: Vec<(bool, u32, u32)> = calls
        .map(|one| (!one.role.is_call(), one.body, one.occ))
        .collect();
    calls.sort_unstable();
    let last = calls.len().checked_sub(1)?;
    let (_, body, occ) = calls[last.min(usize::from(number))];
    Some((file, body, occ))
}
