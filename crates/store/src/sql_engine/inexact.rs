//! Texts that no id ends in. The readings are tried in this order; the first that fits counts, and its answer has
//! a note:
//!
//! ```text
//! a.go:Close               a declaration of a file
//! store.sql.Open           what a type of the name has from what it embeds, or a base
//! example.com/m/store      another name of a package
//! server.close             in another letter case
//! c.Seek                   a member of the only type that a variable of this name may have
//! ```

use std::rc::Rc;

use codeweft_db::NodeKind;
use codeweft_graph::shaping::{ends_in, may_hold};
use rustc_hash::FxHashSet;

use super::failure::Found;
use super::rows::Symbol;
use super::target::{self, Question, Target};
use super::{ending, names, nearest, package, position};
use crate::sqlite::codes;

/// Finds the symbols that one reading of a text fits.
type Read = fn(Question<'_, '_>, &str) -> Found<Vec<Rc<Symbol>>>;

/// Resolves a text that no id ends in.
pub(super) fn resolve(question: Question<'_, '_>, plain: &str) -> Found<Target> {
    let readings: [(Read, &str); 5] = [
        (in_file, "that file declares it"),
        (inherited, "the name is declared there"),
        (package::of_other_name, "another name of the package"),
        (any_case, "the letter case differs"),
        (
            of_variable,
            "the only member of this name of a type that the variable may have",
        ),
    ];
    for (read, why) in readings {
        let mut fits = read(question, plain)?;
        if target::only_packages(question.rules) {
            fits.retain(|one| one.kind == NodeKind::Package);
        }
        let fits = target::distinct(question.rows, fits, "")?;
        if !fits.is_empty() {
            return target::one_of(question, "", fits, Some(why));
        }
    }
    Err(nearest::not_found(question, plain)?.into())
}

/// Returns the declarations of `path:name`.
fn in_file(question: Question<'_, '_>, plain: &str) -> Found<Vec<Rc<Symbol>>> {
    let rows = question.rows;
    let Some((path, name)) = plain.rsplit_once(':').filter(|(_, name)| !name.is_empty()) else {
        return Ok(Vec::new());
    };
    let Some(file) = position::find_file(rows, path.trim_end_matches(':'))? else {
        return Ok(Vec::new());
    };
    let mut own = position::declared_in(rows, file)?;
    own.retain(|one| one.kind != NodeKind::Package && ends_in(&one.id, name));
    Ok(ending::major(own))
}

/// Returns what `container.name` means if a base of the container, or what it embeds, declares the name.
fn inherited(question: Question<'_, '_>, plain: &str) -> Found<Vec<Rc<Symbol>>> {
    let rows = question.rows;
    let Some((container, name)) = plain.rsplit_once('.') else {
        return Ok(Vec::new());
    };
    if container.is_empty() || name.is_empty() || name.contains('/') {
        return Ok(Vec::new());
    }
    let members = names::named(rows, name)?;
    let mut found = Vec::new();
    let mut containers = ending::ending_in(question, container)?;
    containers.retain(|one| one.kind == NodeKind::Package || one.kind.is_type());
    for start in ending::major(containers) {
        if start.kind == NodeKind::Package {
            found.extend(imported(question, &start, name)?);
        }
        let mut seen = FxHashSet::from_iter([start.sid]);
        let mut level = vec![start.sid];
        while !level.is_empty() {
            let at_level = members
                .iter()
                .filter(|one| one.parent.is_some_and(|of| level.contains(&of)));
            let at_level: Vec<Rc<Symbol>> = at_level.cloned().collect();
            if !at_level.is_empty() {
                found.extend(at_level);
                break;
            }
            let mut next = Vec::new();
            for owner in level {
                for one in super::calls::uses(rows, owner)? {
                    if one.code == codes::EMBEDS && seen.insert(one.target) {
                        next.push(one.target);
                    }
                }
            }
            level = next;
        }
    }
    Ok(found)
}

/// Returns what a module imports under the name of its declaration.
fn imported(question: Question<'_, '_>, module: &Symbol, name: &str) -> Found<Vec<Rc<Symbol>>> {
    let rows = question.rows;
    let mut found = Vec::new();
    for (owner, _) in rows.owners_of(module.sid)? {
        for one in super::calls::uses(rows, owner)? {
            if one.code == codes::NAMED_IN_IMPORT {
                let symbol = rows.symbol(one.target)?;
                found.extend(symbol.filter(|symbol| symbol.name() == name));
            }
        }
    }
    Ok(found)
}

/// Returns the symbols whose ids end in a text in any letter case.
fn any_case(question: Question<'_, '_>, plain: &str) -> Found<Vec<Rc<Symbol>>> {
    let rows = question.rows;
    let lower = plain.to_lowercase();
    let mut sids = Vec::new();
    names::each_id(rows, "", &mut |sid, id| {
        let end = id
            .len()
            .checked_sub(plain.len())
            .and_then(|at| id.get(at..));
        if end.is_some_and(|end| end.eq_ignore_ascii_case(plain))
            && ends_in(&id.to_lowercase(), &lower)
        {
            sids.push(sid);
        }
    })?;
    let mut found = Vec::new();
    for symbol in rows.symbols(sids)? {
        if names::is_of(rows, question.langs, &symbol)?
            && !names::is_inside_function(rows, &symbol)?
        {
            found.push(symbol);
        }
    }
    Ok(ending::major(found))
}

/// Returns the members of the types that a variable of this name may have: `c.Seek` for `Cursor.Seek`.
fn of_variable(question: Question<'_, '_>, plain: &str) -> Found<Vec<Rc<Symbol>>> {
    let rows = question.rows;
    let Some((variable, name)) = plain.rsplit_once('.') else {
        return Ok(Vec::new());
    };
    let is_variable = variable.starts_with(|one: char| one.is_lowercase())
        && variable
            .chars()
            .all(|one| one.is_alphanumeric() || one == '_');
    if !is_variable {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for member in names::named(rows, name)? {
        let Some(of) = member.parent.map_or(Ok(None), |of| rows.symbol(of))? else {
            continue;
        };
        if of.kind.is_type()
            && may_hold(variable, of.name())
            && !of.has(codes::TEST)
            && !member.is_external()
            && names::is_of(rows, question.langs, &member)?
        {
            found.push(member);
        }
    }
    Ok(found)
}
