//! Values that escape to package reflect, which may call functions and methods without a visible
//! call.
//!
//! ```go
//! v := reflect.ValueOf(handler)    // handler flows to escaped(f, 0)
//! v.MethodByName("Serve").Call(in) // the package calls by reflection: escaped(f, 0) has a reason
//! ```

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, File, FlowNode, Reason, SymbolClass, SymbolId, Unit, Use};

use crate::locations::file_of;
use crate::typing::{as_escaped, is_reflect_value_of};
use crate::units::{package_path, unit_files};
use crate::uses::{file_uses, unit_index};

/// Returns the reason why values that flow to a node may be called invisibly: their package passes
/// them to `reflect` and calls values, or looks methods up by number or name.
pub fn escapes(db: &dyn Db, node: FlowNode) -> Option<Reason> {
    let symbols = &db.shared().symbols;
    if let Some((function, _)) = as_escaped(node)
        && (is_reflect_value_of(db, function) || uses_value_of_as_value(db, function))
    {
        return Some(Reason::Reflection);
    }
    let of = match (node, as_escaped(node)) {
        (FlowNode::Variable(symbol), _) => {
            Some(symbol).filter(|&symbol| symbols.key(symbol).class == SymbolClass::Package)
        }
        (_, escaped) => escaped.map(|(function, _)| function),
    };
    let DeclaredIn::Unit(unit) = symbols.key(of?).declared_in else {
        return None;
    };
    // Calls inside package reflect are made on behalf of other packages.
    let is_reflect = db.shared().names.text(package_path(db, unit)) == "reflect";
    (!is_reflect && calls_by_reflection(db, unit)).then_some(Reason::Reflection)
}

/// Returns whether a unit calls the values that it reflects on (package reflect, Value and Type).
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

/// Returns whether a function outside package reflect uses `reflect.ValueOf` as a value, so that
/// its calls and their results are not visible.
fn uses_value_of_as_value(db: &dyn Db, function: SymbolId) -> bool {
    let key = db.shared().symbols.key(function);
    let is_reflect = matches!(
        key.declared_in,
        DeclaredIn::Unit(unit) if db.shared().names.text(package_path(db, unit)) == "reflect"
    );
    let Some(file) = file_of(db, function).filter(|_| !is_reflect) else {
        return false;
    };
    let uses = uses_in(db, file, function);
    uses.iter().any(|one| !one.role.is_call())
}

/// Returns the uses of `reflect.ValueOf` in a function of a file.
fn uses_in(db: &dyn Db, file: File, function: SymbolId) -> Vec<Use> {
    let uses = uses_of_value_of(db, file);
    let bodies = &file_uses(db, file).bodies;
    let own = uses.iter();
    own.filter(|one| bodies.get(one.body as usize) == Some(&function))
        .copied()
        .collect()
}

/// Returns the uses of `reflect.ValueOf` in a file.
#[salsa::tracked(returns(clone))]
fn uses_of_value_of(db: &dyn Db, file: File) -> Arc<[Use]> {
    let uses = file_uses(db, file);
    let found = uses.iter();
    let found = found.filter(|&(target, _)| is_reflect_value_of(db, target));
    found.flat_map(|(_, sites)| sites).copied().collect()
}

/// Returns the call that passes the values of a node to package reflect. Uses of `reflect.ValueOf`
/// as a value come after its calls.
pub fn escaping_call(db: &dyn Db, node: FlowNode) -> Option<(File, u32, u32)> {
    if let FlowNode::Variable(package) = node {
        return initialising_call(db, package);
    }
    let (function, number) = as_escaped(node)?;
    let file = file_of(db, function)?;
    let calls = uses_in(db, file, function);
    let mut calls: Vec<(bool, u32, u32)> = calls
        .iter()
        .map(|one| (!one.role.is_call(), one.body, one.occ))
        .collect();
    calls.sort_unstable();
    let last = calls.len().checked_sub(1)?;
    let (_, body, occ) = calls[last.min(usize::from(number))];
    Some((file, body, occ))
}

/// Returns the first call of `reflect.ValueOf` in the initialisers of a package, whose arguments all
/// flow to one node.
fn initialising_call(db: &dyn Db, package: SymbolId) -> Option<(File, u32, u32)> {
    let DeclaredIn::Unit(unit) = db.shared().symbols.key(package).declared_in else {
        return None;
    };
    let mut files = unit_files(db, unit).chosen.iter();
    files.find_map(|&file| {
        let bodies = &file_uses(db, file).bodies;
        let is_outside = |one: &&Use| {
            let owner = bodies.get(one.body as usize);
            one.role.is_call() && owner.is_none_or(|owner| *owner == package)
        };
        let uses = uses_of_value_of(db, file);
        let calls = uses.iter().filter(is_outside);
        let (body, occ) = calls.map(|one| (one.body, one.occ)).min()?;
        Some((file, body, occ))
    })
}
