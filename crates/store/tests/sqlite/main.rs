//! The SQLite export: its tables and views on small workspaces, beside the JSON export of the same database.

mod context;
mod full_text;
mod questions;
mod tables;
mod whole;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use codeweft_store::{EdgeType, ExportOptions, format_named};
use codeweft_testing::{Fixture, Workspace};
use flate2::read::ZlibDecoder;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

/// A Go workspace with calls of each resolution, a set that two sites share, and an excluded file.
const GO: &str = r#"
//- shape/shape.go
package shape

// Shape is what has an area.
type Shape interface{ Area() int }

type Square struct{ Side int }

func (s Square) Area() int { return s.Side }

type Circle struct{ Square }

func (c *Circle) Area() int { return 3 }

var Unit = make1(1)

func make1(side int) Shape { return Square{side} }

func Round() Shape { return &Circle{} }
//- main.go
package main

import "m/shape"

var total = shape.Unit.Area()

func main() {
	sum(shape.Round())
	each(func() { total++ })
}

func sum(s shape.Shape) { total = s.Area() + s.Area() }

func each(f func()) { f() }
//- main_test.go
package main

import "testing"

func TestSum(t *testing.T) { sum(nil) }
//- other_windows.go
package main

func other() {}
"#;

/// A Python workspace with bases, module code and calls that are not resolved.
const PYTHON: &str = r#"
//- app/__init__.py
//- app/base.py
"""Bases."""
from abc import ABC, abstractmethod


class Job(ABC):
    limit: int = 3

    @abstractmethod
    def run(self, times=1): ...


class Mail(Job):
    def run(self, times=1):
        return self.limit * times
//- app/main.py
from app.base import Job, Mail

# The module's own code.
mail = Mail()
mail.run()


def work(job: Job, other) -> int:
    other.unknown(1)
    return job.run(2)
"#;

/// Exports a workspace in a format with these edges; returns the path below `folder`.
fn exported(world: &Workspace, format: &str, edges: &[EdgeType], folder: &Path) -> PathBuf {
    let target = folder.join(format!("graph.{format}"));
    let options = ExportOptions {
        edges: edges.to_vec(),
        ..ExportOptions::default()
    };
    let format = format_named(format).expect("a format");
    format
        .write_file(world.host.db(), &options, 1, &target)
        .expect("written");
    target
}

/// Opens a file of the SQLite export as another program does: with an uncompress of its own.
fn opened(path: &Path, flags: OpenFlags) -> Connection {
    let connection = Connection::open_with_flags(path, flags).expect("a database");
    let pure = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection
        .create_scalar_function("sqlar_uncompress", 2, pure, |arguments| {
            let ValueRef::Blob(packed) = arguments.get_raw(0) else {
                return Ok(None);
            };
            let size: i64 = arguments.get(1)?;
            if packed.len() as i64 == size {
                return Ok(Some(packed.to_vec()));
            }
            let mut text = Vec::new();
            let read = ZlibDecoder::new(packed).read_to_end(&mut text);
            read.map(|_| Some(text))
                .map_err(|error| rusqlite::Error::UserFunctionError(error.into()))
        })
        .expect("a function");
    connection
}

/// An export that is open, and removed when dropped.
struct Database {
    connection: Connection,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Database {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// Loads files and exports all of them.
fn database(text: &str) -> Database {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(
        &Fixture::new(text).load(),
        "sqlite",
        &EdgeType::ALL,
        folder.path(),
    );
    let connection = opened(&path, OpenFlags::SQLITE_OPEN_READ_WRITE);
    Database {
        connection,
        _folder: folder,
    }
}

/// Returns the rows of a query, a line each, cells apart by ` | `.
fn rows(connection: &Connection, query: &str) -> Vec<String> {
    let mut statement = connection.prepare(query).expect(query);
    let columns = statement.column_count();
    let lines = statement.query_map([], |row| {
        let cells = (0..columns).map(|at| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => "-".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8_lossy(text).into_owned()
                }
            })
        });
        Ok(cells.collect::<rusqlite::Result<Vec<_>>>()?.join(" | "))
    });
    lines
        .expect(query)
        .collect::<rusqlite::Result<_>>()
        .expect(query)
}

/// Returns the rows of a query as a text.
fn text(connection: &Connection, query: &str) -> String {
    rows(connection, query).join("\n")
}
