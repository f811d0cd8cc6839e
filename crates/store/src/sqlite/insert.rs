//! The rows into the tables.

use std::cmp::Reverse;
use std::sync::Arc;

use codeweft_db::detail::ParameterRole;
use codeweft_db::{Lang, NodeKind};
use codeweft_graph::answer::ReceiverKind;
use codeweft_graph::export::FileRow;
use rusqlite::{Connection, Statement, params};
use rustc_hash::{FxHashMap, FxHashSet};

use super::codes::{self, USE_KINDS};
use super::content;
use super::gather::{Gathered, Site, Symbol};
use super::open;

type SqlResult<T> = rusqlite::Result<T>;

/// Creates all tables in an empty database and fills them. `about` are the rows of `cache_metadata`.
///
/// # Errors
/// What SQLite says: the disk is full, a table is there.
pub(crate) fn write_tables(
    connection: &Connection,
    mut gathered: Gathered,
    files: Vec<FileRow>,
    about: &[(&str, String)],
    now: &str,
) -> SqlResult<()> {
    content::define(connection)?;
    connection.execute_batch(include_str!("tables.sql"))?;
    connection.execute_batch(include_str!("views.sql"))?;
    connection.execute_batch(include_str!("full_text.sql"))?;
    connection.execute_batch(include_str!("open.sql"))?;
    write_codes(connection, about, now)?;
    let order = Order::of(&gathered);
    let file_numbers = file_numbers(&gathered, &files);
    write_packages(connection, &gathered, &files)?;
    write_files(connection, &mut gathered, files, &file_numbers, now)?;
    write_symbols(connection, &gathered, &order, &file_numbers)?;
    write_uses(connection, &gathered, &order)?;
    write_runs(connection, &gathered, &order)?;
    write_implements(connection, &gathered, &order)?;
    let mut reasons = std::mem::take(&mut gathered.reasons);
    open::write_open(
        connection,
        &gathered.open,
        &mut reasons,
        |number| order.sid(number),
        |path| file_numbers.get(path).copied(),
        |site| relative(&gathered, &order, site),
    )?;
    gathered.reasons = reasons;
    let named = gathered.symbols.iter().zip(0..);
    let named = named.filter(|(symbol, _)| symbol.id.is_some() && symbol.kind != codes::TOP_LEVEL);
    let named = named.map(|(symbol, number)| (symbol.name.as_str(), order.sid(number)));
    open::write_names(connection, named)?;
    let mut reasons = connection.prepare("INSERT INTO reasons VALUES (?, ?)")?;
    for (name, at) in gathered.reasons.iter().zip(1_i64..) {
        reasons.execute(params![at, name])?;
    }
    connection.execute_batch(include_str!("indexes.sql"))?;
    connection.execute_batch(include_str!("triggers.sql"))
}

/// Creates all tables with their indexes and triggers in an empty database.
///
/// # Errors
/// What SQLite says: the disk is full, a table is there.
pub(crate) fn create_tables(connection: &Connection) -> SqlResult<()> {
    for statements in [
        include_str!("tables.sql"),
        include_str!("views.sql"),
        include_str!("full_text.sql"),
        include_str!("open.sql"),
        include_str!("indexes.sql"),
        include_str!("triggers.sql"),
    ] {
        connection.execute_batch(statements)?;
    }
    Ok(())
}

/// The sids: symbols by language and id, then top levels by file.
struct Order {
    by_number: Vec<u32>,
    sorted: Vec<u32>,
}

impl Order {
    fn of(gathered: &Gathered) -> Order {
        let symbols = &gathered.symbols;
        let mut sorted: Vec<u32> = (0..symbols.len() as u32).collect();
        let key = |number: &u32| {
            let symbol = &symbols[*number as usize];
            let file = symbol.file.as_deref().filter(|_| symbol.id.is_none());
            let home = symbol.home.filter(|_| symbol.id.is_none());
            (
                Reverse(symbol.id.is_some()),
                language(symbol.lang),
                symbol.id.as_deref(),
                file,
                home,
            )
        };
        sorted.sort_by(|a, b| key(a).cmp(&key(b)));
        let mut by_number = vec![0; symbols.len()];
        for (at, &number) in sorted.iter().enumerate() {
            by_number[number as usize] = at as u32 + 1;
        }
        Order { by_number, sorted }
    }

    fn sid(&self, number: u32) -> u32 {
        self.by_number[number as usize]
    }
}

pub(crate) fn language(lang: Option<Lang>) -> Option<&'static str> {
    lang.map(Lang::wire_name)
}

pub(crate) fn write_codes(
    connection: &Connection,
    about: &[(&str, String)],
    now: &str,
) -> SqlResult<()> {
    let mut row = connection.prepare("INSERT INTO cache_metadata VALUES (?, ?, ?)")?;
    for (key, value) in about {
        row.execute(params![key, value, now])?;
    }
    let mut row = connection.prepare("INSERT INTO kinds VALUES (?, ?)")?;
    row.execute(params![codes::TOP_LEVEL, "top_level"])?;
    for kind in NodeKind::ALL {
        row.execute(params![
            codes::kind_code(kind.wire_name()),
            kind.wire_name()
        ])?;
    }
    let mut row = connection.prepare("INSERT INTO use_kinds VALUES (?, ?, ?)")?;
    for one in USE_KINDS {
        row.execute(params![one.code, one.name, one.usage])?;
    }
    Ok(())
}

/// Returns the numbers of all files by path: the workspace's and those of libraries that declare a node.
fn file_numbers(gathered: &Gathered, files: &[FileRow]) -> FxHashMap<Arc<str>, u32> {
    let mut paths: Vec<&Arc<str>> = files.iter().map(|file| &file.path).collect();
    let of_symbols = gathered.symbols.iter();
    paths.extend(of_symbols.filter_map(|symbol| symbol.file.as_ref()));
    paths.extend(gathered.open.sites.iter().map(|site| &site.file));
    paths.sort_unstable();
    paths.dedup();
    let numbers = paths.into_iter().zip(1..);
    numbers
        .map(|(path, number)| (path.clone(), number))
        .collect()
}

fn write_packages(
    connection: &Connection,
    gathered: &Gathered,
    files: &[FileRow],
) -> SqlResult<()> {
    let mut folders: FxHashMap<(&str, &str), &str> = FxHashMap::default();
    for file in files {
        folders
            .entry((file.lang.wire_name(), &file.package))
            .or_insert(&file.directory);
    }
    let mut row = connection.prepare("INSERT INTO packages VALUES (?, ?, ?, ?, ?)")?;
    for (package, at) in gathered.packages.iter().zip(1_i64..) {
        let lang = language(package.lang).unwrap_or_default();
        let written = package.import_path.as_ref();
        let written = written.filter(|path| **path != package.name);
        let folder = folders.get(&(lang, &*package.name));
        row.execute(params![at, package.name, lang, written, folder])?;
    }
    Ok(())
}

fn write_files(
    connection: &Connection,
    gathered: &mut Gathered,
    files: Vec<FileRow>,
    numbers: &FxHashMap<Arc<str>, u32>,
    now: &str,
) -> SqlResult<()> {
    let mut row = connection.prepare(
        "INSERT INTO files (file_id, file_path, language, module_path, is_test, is_generated, is_built,
            line_count_total, line_count_code, line_count_comment, line_count_blank, size_bytes, file_hash, indexed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let mut text = connection.prepare("INSERT INTO file_text VALUES (?, ?, ?, ?)")?;
    let mut words =
        connection.prepare("INSERT INTO files_fts (rowid, file_path, content) VALUES (?, ?, ?)")?;
    let mut unresolved =
        connection.prepare("INSERT INTO unresolved_rows VALUES (?, ?, ?, ?, ?, ?)")?;
    let mut errors = connection.prepare("INSERT INTO error_lines VALUES (?, ?, ?)")?;
    let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
    for file in files {
        let number = numbers.get(&file.path);
        let size = file.visible_text().len() as i64;
        let packed = content::compressed(file.visible_text().as_bytes())
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        row.execute(params![
            number,
            file.path,
            file.lang.wire_name(),
            file.package,
            file.test,
            file.generated,
            file.built,
            file.lines.total,
            file.lines.code,
            file.lines.comment,
            file.lines.blank,
            size,
            blake3::hash(file.visible_text().as_bytes())
                .to_hex()
                .as_str(),
            now
        ])?;
        text.execute(params![number, file.path, packed, size])?;
        words.execute(params![number, file.path, file.visible_text()])?;
        for site in &file.unresolved {
            let reason = gathered.reason(site.reason);
            unresolved.execute(params![
                number,
                site.line,
                site.column,
                site.name,
                site.arguments,
                reason
            ])?;
        }
        if let Some((first, lines)) = file.error_lines {
            errors.execute(params![number, first, lines])?;
        }
        seen.insert(file.path);
    }
    // Files of the workspace that no package has may hold open sites: assembly.
    let own = gathered.open.sites.iter().filter(|site| !site.in_library);
    let own: FxHashSet<&Arc<str>> = own.map(|site| &site.file).collect();
    let mut library = connection
        .prepare("INSERT INTO files (file_id, file_path, is_external) VALUES (?, ?, ?)")?;
    let mut others: Vec<_> = numbers
        .iter()
        .filter(|(path, _)| !seen.contains(*path))
        .collect();
    others.sort();
    for (path, number) in others {
        library.execute(params![number, path, !own.contains(path)])?;
    }
    connection.execute_batch("INSERT INTO files_fts (files_fts) VALUES ('optimize')")
}

fn write_symbols(
    connection: &Connection,
    gathered: &Gathered,
    order: &Order,
    files: &FxHashMap<Arc<str>, u32>,
) -> SqlResult<()> {
    let mut row = connection.prepare(
        "INSERT INTO symbol_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let mut parameter =
        connection.prepare("INSERT INTO parameter_rows VALUES (?, ?, ?, ?, ?, ?)")?;
    for &number in &order.sorted {
        let sid = order.sid(number);
        let symbol = &gathered.symbols[number as usize];
        let kind = (symbol.kind != codes::TOP_LEVEL || symbol.id.is_none()).then_some(symbol.kind);
        let (name_size, name) = name_columns(symbol);
        let known = |part: u32| (part != 0).then_some(part);
        let sid_of = |number: Option<u32>| number.map(|number| order.sid(number));
        row.execute(params![
            sid,
            symbol.id,
            name_size,
            name,
            kind,
            symbol.package.map(|package| package + 1),
            sid_of(symbol.parent),
            sid_of(symbol.home),
            symbol.file.as_ref().and_then(|file| files.get(file)),
            symbol.flags,
            known(symbol.name_position.0),
            known(symbol.name_position.1),
            known(symbol.lines.0),
            known(symbol.lines.1),
            symbol.bytes.0,
            symbol.bytes.1,
            symbol.signature,
            Some(&symbol.type_expr).filter(|_| is_typed(symbol))
        ])?;
        for (one, position) in symbol.parameters.iter().zip(0_i64..) {
            parameter.execute(params![
                sid,
                position,
                role_code(one.role),
                one.name,
                one.type_expr,
                one.default
            ])?;
        }
    }
    Ok(())
}

/// Returns the size and the name of a symbol as its row has them: the name itself only if the id does not end with it.
pub(crate) fn name_columns(symbol: &Symbol) -> (Option<i64>, Option<&str>) {
    let id = symbol.id.as_ref();
    let at_end = id.is_some_and(|id| !symbol.name.is_empty() && id.ends_with(&symbol.name));
    let size = at_end.then(|| symbol.name.chars().count() as i64);
    (size, id.filter(|_| !at_end).map(|_| symbol.name.as_str()))
}

/// Returns the number of a parameter's role.
pub(crate) fn role_code(role: ParameterRole) -> i64 {
    match role {
        ParameterRole::Receiver => 0,
        ParameterRole::Parameter => 1,
        ParameterRole::Result => 2,
    }
}

/// Returns whether the type of a symbol is kept: of a function its parameters have it.
pub(crate) fn is_typed(symbol: &Symbol) -> bool {
    let is_function = [NodeKind::Function, NodeKind::Method]
        .map(|kind| codes::kind_code(kind.wire_name()))
        .contains(&Some(symbol.kind));
    !is_function && !symbol.type_expr.is_empty()
}

/// Returns the owner's sid, and the line less the owner's.
fn relative(gathered: &Gathered, order: &Order, site: &Site) -> (u32, i64) {
    let start = gathered.symbols[site.owner as usize].lines.0;
    let below = match site.column {
        0 => 0,
        _ => i64::from(site.line) - i64::from(start),
    };
    (order.sid(site.owner), below)
}

fn write_uses(connection: &Connection, gathered: &Gathered, order: &Order) -> SqlResult<()> {
    let uses = gathered.uses.iter();
    let mut rows: Vec<_> = uses
        .map(|one| {
            let (owner, below) = relative(gathered, order, &one.site);
            let kind = one.kind | one.site.flags << codes::FLAGS_BEHIND;
            (owner, below, one.site.column, order.sid(one.target), kind)
        })
        .collect();
    rows.sort_unstable();
    insert(
        connection,
        "INSERT INTO uses VALUES (?, ?, ?, ?, ?)",
        |row| {
            for (owner, below, column, target, kind) in &rows {
                row.execute(params![owner, below, column, target, kind])?;
            }
            Ok(())
        },
    )?;
    let rows = rows.into_iter();
    let mut users: Vec<_> = rows
        .map(|(owner, _, _, target, kind)| (target, kind, owner))
        .collect();
    users.sort_unstable();
    users.dedup();
    insert(connection, "INSERT INTO users VALUES (?, ?, ?)", |row| {
        for (target, kind, owner) in users {
            row.execute(params![target, kind, owner])?;
        }
        Ok(())
    })
}

fn write_runs(connection: &Connection, gathered: &Gathered, order: &Order) -> SqlResult<()> {
    insert(connection, "INSERT INTO run_sets VALUES (?, ?)", |row| {
        for (targets, at) in gathered.sets.iter().zip(1_i64..) {
            let mut targets: Vec<u32> = targets.iter().map(|&one| order.sid(one)).collect();
            targets.sort_unstable();
            for target in targets {
                row.execute(params![at, target])?;
            }
        }
        Ok(())
    })?;
    let runs = gathered.runs.iter();
    let mut rows: Vec<_> = runs
        .map(|one| {
            let (owner, below) = relative(gathered, order, &one.site);
            let site = (owner, below, one.site.column);
            (
                site,
                one.resolution,
                one.reason,
                one.site.flags,
                one.set + 1,
            )
        })
        .collect();
    rows.sort_unstable();
    insert(
        connection,
        "INSERT INTO run_sites VALUES (?, ?, ?, ?, ?, ?, ?)",
        |row| {
            for ((owner, below, column), resolution, reason, flags, set) in &rows {
                row.execute(params![
                    owner, below, column, resolution, reason, flags, set
                ])?;
            }
            Ok(())
        },
    )
}

/// Returns a receiver as rows have it.
pub(crate) fn receiver_word(receiver: ReceiverKind) -> &'static str {
    match receiver {
        ReceiverKind::Value => "value",
        ReceiverKind::Pointer => "pointer",
    }
}

fn write_implements(connection: &Connection, gathered: &Gathered, order: &Order) -> SqlResult<()> {
    let pairs = gathered.implements.iter();
    let mut rows: Vec<_> = pairs
        .map(|one| {
            let type_args = serde_json::Value::from(one.type_args.clone()).to_string();
            let receiver = one.receiver.map(receiver_word);
            (
                order.sid(one.from),
                order.sid(one.to),
                type_args,
                receiver,
                one.test,
            )
        })
        .collect();
    rows.sort_unstable();
    insert(
        connection,
        "INSERT INTO implement_rows VALUES (?, ?, ?, ?, ?)",
        |row| {
            for (from, to, type_args, receiver, test) in &rows {
                row.execute(params![from, to, type_args, receiver, test])?;
            }
            Ok(())
        },
    )
}

fn insert(
    connection: &Connection,
    statement: &str,
    rows: impl FnOnce(&mut Statement<'_>) -> SqlResult<()>,
) -> SqlResult<()> {
    rows(&mut connection.prepare(statement)?)
}
