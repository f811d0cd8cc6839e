//! The exports that name symbols across repositories, on small workspaces.

mod absent;
mod monikers;
#[cfg(feature = "parquet")]
mod parquet;
mod scip_index;
mod snapshot;

use std::path::{Path, PathBuf};

use codeweft_store::{ExportOptions, Naming, format_named};
use codeweft_testing::{Fixture, Workspace};
use protobuf::Message as _;
use scip::types::{Index, SymbolRole};

/// A Go workspace: an interface of its own and one of the library, an embedded field, two functions `init`, a
/// renamed import, a package of which there is no source, and texts with letters of several bytes.
const GO: &str = r#"
//- go.mod
module example.com/app

go 1.26

require (
	example.com/lib v1.2.0
	example.com/lib/deep v0.0.0-20200102030405-abcdefabcdef
)
//- shape/shape.go
// Package shape has shapes.
package shape

// Shape is what has an area.
type Shape interface{ Area() int }

// Square is one.
type Square struct{ Side int }

// Area is the side twice.
func (s Square) Area() int { return s.Side * s.Side }

type Framed struct {
	Square
	Name string
}

const Größe = 3

func init() {}
func init() {}
//- main.go
package main

import (
	"io"

	s "example.com/app/shape"
	"example.com/lib"
	"example.com/lib/deep/nested"
	"gone.example/pkg"
)

var total = s.Größe

func main() {
	var shape s.Shape = s.Framed{Name: "ä"}; total = shape.Area()
	var out io.Writer
	out.Write(nil)
	lib.Run(lib.Options{}, nested.Limit)
	pkg.Call().Chain()
	lib.Run.Twice()
}
//- main_test.go
package main

import "testing"

func TestMain(t *testing.T) { main() }
"#;

/// A Python workspace: a module that gives on names of others, and packages of which there is no source.
const PYTHON: &str = r#"
//- pyproject.toml
[project]
name = "My_App"
version = "2.1"
//- app/__init__.py
"""The package."""
from .base import Job, run
from .more import *
//- app/base.py
"""Bases."""


class Job:
    """Work."""

    limit: int = 3

    def run(self, times=1):
        return self.limit * times


class Mail(Job):
    def run(self, times=1):
        return 0


def run(job: Job) -> int:
    return job.run(2)
//- app/more.py
def more(): ...
def _hidden(): ...
//- app/main.py
import requests
import yaml.loader
from app import Job
from flask import Flask

server = Flask("x")
requests.get("u").json()
requests.sessions.Session.send(1)
yaml.loader.Loader()
Job().run()
"#;

/// Exports a workspace in a format; returns the path below `folder`.
fn exported(world: &Workspace, format: &str, folder: &Path) -> PathBuf {
    let target = folder.join(format!("export.{format}"));
    let format = format_named(format).expect("a format");
    let options = ExportOptions {
        edges: format.edges.to_vec(),
        ..ExportOptions::default()
    };
    let naming = Naming {
        root: world.host.root(),
        reader: world.host.file_system(),
        version: "v9.8.7",
    };
    format
        .with_names(naming)
        .write_file(world.host.db(), &options, 1, &target)
        .expect("written");
    target
}

/// Returns the SCIP index of files, as the reader of protobuf reads it.
fn index(text: &str) -> Index {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(&Fixture::new(text).load(), "scip", folder.path());
    let bytes = std::fs::read(path).expect("the index");
    Index::parse_from_bytes(&bytes).expect("a SCIP index")
}

/// Returns the occurrences in a file, a line each: place, roles, symbol.
fn occurrences(index: &Index, path: &str) -> Vec<String> {
    let documents = index.documents.iter();
    let mut documents = documents.filter(|document| document.relative_path == path);
    let document = documents.next().expect("a document");
    let one = |one: &scip::types::Occurrence| {
        let place = match one.range.as_slice() {
            [line, start, end] => format!("{}:{start}-{end}", line + 1),
            other => format!("{other:?}"),
        };
        let roles = [
            (SymbolRole::Definition, "definition"),
            (SymbolRole::Import, "import"),
            (SymbolRole::WriteAccess, "write"),
            (SymbolRole::ReadAccess, "read"),
            (SymbolRole::Test, "test"),
        ];
        let roles = roles
            .iter()
            .filter(|(role, _)| one.symbol_roles & *role as i32 != 0);
        let roles: Vec<&str> = roles.map(|(_, name)| *name).collect();
        format!("{place} {} {}", roles.join("+"), one.symbol)
    };
    document.occurrences.iter().map(one).collect()
}
