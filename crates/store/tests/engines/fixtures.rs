//! Small workspaces with what the engines must agree on.

/// All of them, with names.
pub const ALL: &[(&str, &str)] = &[
    ("shapes", SHAPES),
    ("values", VALUES),
    ("jobs", JOBS),
    ("mixins", MIXINS),
];

/// Go: interfaces, promoted methods, generics, tests, an excluded file, conversions.
const SHAPES: &str = r#"
//- shape/shape.go
// Package shape has shapes.
package shape

import "fmt"

// Shape is what has an area.
type Shape interface{ Area() int }

// Sized embeds another interface.
type Sized interface {
	Shape
	Size() int
}

type Square struct{ Side int }

func (s Square) Area() int { return s.Side }

type Circle struct{ Square }

func (c *Circle) Area() int { return 3 }

type Box struct{ *Circle }

func (b Box) Size() int { return b.Area() }

var Unit = make1(1)

const Zero, One = 0, 1

func make1(side int) Shape { return Square{side} }

func Round() Shape { return &Circle{} }

func Print(s fmt.Stringer) { fmt.Println(s) }

type List[T Shape] struct{ items []T }

func (l *List[T]) Add(item T) { l.items = append(l.items, item); item.Area() }
//- main.go
package main

import "m/shape"

var total = shape.Unit.Area()

func main() {
	sum(shape.Round())
	each(func() { total++ })
	var sized shape.Sized = shape.Box{}
	sum(sized)
	l := &shape.List[shape.Square]{}
	l.Add(shape.Square{Side: shape.One})
	type local struct{ a int }
	_ = local{a: 1}
}

func sum(s shape.Shape) { total = s.Area() + s.Area() }

func each(f func()) { f() }

func recurse(n int) int {
	if n == shape.Zero {
		return 0
	}
	return other(n - 1)
}

func other(n int) int { return recurse(n) }
//- main_test.go
package main

import "testing"

func TestSum(t *testing.T) { sum(nil); recurse(2) }
//- other_windows.go
package main

func windows() { sum(nil) }
"#;

/// Go: function values, literals, reflection, linkname, init twins, a broken file.
const VALUES: &str = r#"
//- a/a.go
package a

import "reflect"

type Handler func(int) error

type Server struct {
	handlers map[string]Handler
	OnClose  func()
}

func (s *Server) Handle(name string, h Handler) { s.handlers[name] = h }

func (s *Server) Run() {
	for _, h := range s.handlers {
		h(1)
	}
	if s.OnClose != nil {
		s.OnClose()
	}
}

func Start(int) error { return nil }

func Stop(int) error { return nil }

func stopper() func() { return func() { Stop(1) } }

func New() *Server {
	s := &Server{}
	s.Handle("start", Start)
	s.Handle("stop", Stop)
	s.OnClose = stopper()
	stop := stopper()
	stop()
	return s
}

func Call(v any) { reflect.ValueOf(v).Call(nil) }

func hidden() {}

func init() { Call(hidden) }

func init() { New().Run() }
//- b/b.go
package b

import (
	"m/a"
	_ "unsafe"
)

//go:linkname linked m/a.hidden
func linked()

func Use(s *a.Server, unknown interface{ Run() }) {
	unknown.Run()
	s.Run()
	linked()
	defer a.Start(2)
	go func() { a.Stop(3) }()
}
//- c/broken.go
package c

import "m/a"

func Broken() { a.New( }

func After() { a.New() }
"#;

/// Python: bases, overrides, protocols, module code, unresolved calls, decorators.
const JOBS: &str = r#"
//- app/__init__.py
from app.base import Job
//- app/base.py
"""Bases."""
from abc import ABC, abstractmethod
from typing import Protocol


class Runs(Protocol):
    def run(self, times=1): ...


class Job(ABC):
    limit: int = 3

    @abstractmethod
    def run(self, times=1): ...

    def twice(self):
        self.run()
        return self.run(2)


class Mail(Job):
    def run(self, times=1):
        return self.limit * times


class Letter(Mail):
    def __init__(self, text: str):
        self.text = text

    def run(self, times=1):
        return super().run(times)


class Alone:
    def run(self, times=1):
        return times
//- app/main.py
from app.base import Job, Letter, Mail
from app import base
import app.base as other

# The module's own code.
mail = Mail()
mail.run()


def work(job: Job, unknown) -> int:
    unknown.run(1)
    unknown.nothing()
    return job.run(2)


def decorate(f):
    def inner(*args):
        return f(*args)

    return inner


@decorate
def decorated(job: base.Job):
    return job.twice()


def make(kind=Letter):
    def nested():
        return kind("x")

    return nested


register = {"work": work, "make": make}
for f in register.values():
    f(mail, None)
//- tests/test_main.py
from app.main import work, decorated, mail


def test_work():
    assert work(mail, mail) == decorated(mail)
"#;

/// Python: several bases, constructors, properties, redefinitions, relative imports, an error.
const MIXINS: &str = r#"
//- pkg/__init__.py
from .one import Handler as Handler
//- pkg/one.py
import sys


class Handler:
    level = 0

    def emit(self, record):
        return record

    @property
    def name(self):
        return self.emit(1)

    @name.setter
    def name(self, value):
        self.emit(value)


class Loud:
    def emit(self, record):
        return super().emit(record)


class LoudHandler(Loud, Handler):
    pass


if sys.platform == "win32":
    def home():
        return 1
else:
    def home():
        return 2


def create(cls=Handler):
    handler = cls()
    handler.name = home()
    return handler.name


def use(handler: Handler):
    handler.emit(handler.level)
    getattr(handler, "em" + "it")(1)
//- pkg/two.py
from . import one
from .one import LoudHandler, use as using


class Deep(LoudHandler):
    def __call__(self, x):
        return self.emit(x)

    def __len__(self):
        return one.home()


def go():
    deep = Deep()
    deep(1)
    len(deep)
    using(deep)
    return [one.create(c) for c in (LoudHandler, Deep)]
//- pkg/broken.py
from pkg.one import home

def broken(:
    home()

def fine():
    return home()
"#;
