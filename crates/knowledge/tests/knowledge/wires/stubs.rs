//! Stubs of libraries: what of their declarations the rows of the table name.

use codeweft_testing::fixture::{Texts, texts};

/// Go: a module by its path, and its only package.
const GO: &[(&str, &str)] = &[
    (
        "github.com/gin-gonic/gin",
        r#"package gin
type Context struct{}
type HandlerFunc func(*Context)
type IRoutes interface {
	GET(string, ...HandlerFunc) IRoutes
	POST(string, ...HandlerFunc) IRoutes
	Any(string, ...HandlerFunc) IRoutes
	Handle(string, string, ...HandlerFunc) IRoutes
}
type IRouter interface {
	IRoutes
	Group(string, ...HandlerFunc) *RouterGroup
}
type RouterGroup struct{}
func (g *RouterGroup) Group(path string, hs ...HandlerFunc) *RouterGroup { return g }
func (g *RouterGroup) GET(path string, hs ...HandlerFunc) IRoutes { return g }
func (g *RouterGroup) POST(path string, hs ...HandlerFunc) IRoutes { return g }
func (g *RouterGroup) PUT(path string, hs ...HandlerFunc) IRoutes { return g }
func (g *RouterGroup) DELETE(path string, hs ...HandlerFunc) IRoutes { return g }
func (g *RouterGroup) Any(path string, hs ...HandlerFunc) IRoutes { return g }
func (g *RouterGroup) Handle(method, path string, hs ...HandlerFunc) IRoutes { return g }
type Engine struct{ RouterGroup }
func New() *Engine { return &Engine{} }
func Default() *Engine { return New() }
"#,
    ),
    (
        "github.com/labstack/echo/v4",
        r#"package echo
type Context interface{}
type HandlerFunc func(Context) error
type Echo struct{}
type Group struct{}
func New() *Echo { return &Echo{} }
func (e *Echo) Group(prefix string) *Group { return &Group{} }
func (e *Echo) GET(path string, h HandlerFunc) {}
func (e *Echo) Any(path string, h HandlerFunc) {}
func (e *Echo) Add(method, path string, h HandlerFunc) {}
func (g *Group) GET(path string, h HandlerFunc) {}
func (g *Group) POST(path string, h HandlerFunc) {}
func (g *Group) Group(prefix string) *Group { return g }
"#,
    ),
    (
        "github.com/go-chi/chi/v5",
        r#"package chi
type Handler interface{}
type HandlerFunc func()
type Router interface {
	Get(string, HandlerFunc)
	Post(string, HandlerFunc)
	Method(string, string, Handler)
	Route(string, func(Router)) Router
	Group(func(Router)) Router
	With(...func(Handler) Handler) Router
	Mount(string, Handler)
}
type Mux struct{}
func NewRouter() *Mux { return &Mux{} }
func (m *Mux) Get(p string, h HandlerFunc) {}
func (m *Mux) Post(p string, h HandlerFunc) {}
func (m *Mux) Method(method, p string, h Handler) {}
func (m *Mux) Route(p string, f func(Router)) Router { return m }
func (m *Mux) Group(f func(Router)) Router { return m }
func (m *Mux) With(f ...func(Handler) Handler) Router { return m }
func (m *Mux) Mount(p string, h Handler) {}
"#,
    ),
    (
        "github.com/gorilla/mux",
        r#"package mux
type Router struct{}
type Route struct{}
func NewRouter() *Router { return &Router{} }
func (r *Router) HandleFunc(p string, f func()) *Route { return &Route{} }
func (r *Router) PathPrefix(p string) *Route { return &Route{} }
func (r *Router) Methods(m ...string) *Route { return &Route{} }
func (r *Route) Methods(m ...string) *Route { return r }
func (r *Route) Path(p string) *Route { return r }
func (r *Route) HandlerFunc(f func()) *Route { return r }
func (r *Route) Subrouter() *Router { return &Router{} }
"#,
    ),
    (
        "github.com/gofiber/fiber/v2",
        r#"package fiber
type Ctx struct{}
type Handler func(*Ctx) error
type Router interface {
	Get(string, ...Handler) Router
	Group(string, ...Handler) Router
}
type App struct{}
func New() *App { return &App{} }
func (a *App) Get(p string, hs ...Handler) Router { return nil }
func (a *App) All(p string, hs ...Handler) Router { return nil }
func (a *App) Group(p string, hs ...Handler) Router { return nil }
"#,
    ),
    (
        "github.com/nats-io/nats.go",
        r#"package nats
type Msg struct{ Subject string }
type Conn struct{}
func Connect(url string) (*Conn, error) { return &Conn{}, nil }
func (c *Conn) Publish(subject string, data []byte) error { return nil }
func (c *Conn) Subscribe(subject string, h func(*Msg)) error { return nil }
"#,
    ),
    (
        "github.com/segmentio/kafka-go",
        r#"package kafka
type Message struct { Topic string; Value []byte }
type Writer struct { Topic string }
func (w *Writer) WriteMessages(ms ...Message) error { return nil }
type ReaderConfig struct { Topic string; GroupTopics []string }
type Reader struct{}
func NewReader(c ReaderConfig) *Reader { return &Reader{} }
"#,
    ),
    (
        "github.com/rabbitmq/amqp091-go",
        r#"package amqp091
type Publishing struct{}
type Channel struct{}
func (c *Channel) Publish(exchange, key string, mandatory, immediate bool, msg Publishing) error { return nil }
func (c *Channel) Consume(queue, consumer string) error { return nil }
"#,
    ),
];

/// The standard library of Go: packages of their own beside the workspace.
const GO_STANDARD: &[(&str, &str)] = &[(
    "net/http",
    r#"package http
type ResponseWriter interface{}
type Request struct{ Header Header }
type Header map[string][]string
func (h Header) Get(key string) string { return "" }
type Handler interface{ ServeHTTP(ResponseWriter, *Request) }
type HandlerFunc func(ResponseWriter, *Request)
func (f HandlerFunc) ServeHTTP(w ResponseWriter, r *Request) { f(w, r) }
type ServeMux struct{}
func NewServeMux() *ServeMux { return &ServeMux{} }
func (m *ServeMux) Handle(pattern string, h Handler) {}
func (m *ServeMux) HandleFunc(pattern string, h func(ResponseWriter, *Request)) {}
func Handle(pattern string, h Handler) {}
func HandleFunc(pattern string, h func(ResponseWriter, *Request)) {}
func StripPrefix(prefix string, h Handler) Handler { return h }
const MethodGet = "GET"
"#,
)];

/// Python: files below the installed packages.
const PYTHON: &[(&str, &str)] = &[
    (
        "fastapi",
        r#"
//- fastapi/__init__.py
from .applications import FastAPI as FastAPI
from .routing import APIRouter as APIRouter
//- fastapi/applications.py
from . import routing

class FastAPI:
    def __init__(self, **extra):
        self.router = routing.APIRouter()
    def get(self, path: str, *, operation_id: str = None):
        def inner(f): return f
        return inner
    def include_router(self, router: routing.APIRouter, *, prefix: str = ""): ...
//- fastapi/routing.py
class APIRouter:
    def __init__(self, *, prefix: str = "", tags=None): ...
    def get(self, path: str, *, operation_id: str = None):
        def inner(f): return f
        return inner
    def post(self, path: str, *, operation_id: str = None):
        def inner(f): return f
        return inner
    def api_route(self, path: str, *, methods=None):
        def inner(f): return f
        return inner
    def include_router(self, router: "APIRouter", *, prefix: str = ""): ...
"#,
    ),
    (
        "flask",
        r#"
//- flask/__init__.py
from .app import Flask as Flask
from .blueprints import Blueprint as Blueprint
//- flask/app.py
from .scaffold import Scaffold

class Flask(Scaffold):
    def __init__(self, import_name): ...
    def register_blueprint(self, blueprint, *, url_prefix=None): ...
//- flask/blueprints.py
from .scaffold import Scaffold

class Blueprint(Scaffold):
    def __init__(self, name, import_name, *, url_prefix=None): ...
    def register_blueprint(self, blueprint, *, url_prefix=None): ...
//- flask/scaffold.py
class Scaffold:
    def route(self, rule, **options):
        def inner(f): return f
        return inner
    def get(self, rule, **options):
        return self.route(rule, **options)
    def add_url_rule(self, rule, endpoint=None, view_func=None, **options): ...
//- flask/views.py
class View:
    @classmethod
    def as_view(cls, name): ...

class MethodView(View): ...
"#,
    ),
    (
        "django",
        r#"
//- django/__init__.py
//- django/urls/__init__.py
from .conf import include as include, path as path, re_path as re_path
//- django/urls/conf.py
from functools import partial

def include(arg, namespace=None): ...
def _path(route, view, kwargs=None, name=None, Pattern=None): ...
path = partial(_path, Pattern=1)
re_path = partial(_path, Pattern=2)
//- django/views/__init__.py
from .generic.base import View as View
//- django/views/generic/__init__.py
from .base import View as View
//- django/views/generic/base.py
class View:
    @classmethod
    def as_view(cls, **initkwargs): ...
"#,
    ),
];

/// Returns the files of a fixture with the stubs of these libraries: Go's in `vendor`, Python's among the installed packages
/// of an environment. A name without a stub stays a library that is not loaded.
pub(crate) fn with_stubs(text: &str, wanted: &[&str]) -> Texts {
    let mut all = texts(text);
    let mut required = String::new();
    let mut vendored = String::new();
    for (path, source) in GO.iter().filter(|(path, _)| wanted.contains(path)) {
        required += &format!("require {path} v5.0.0\n");
        vendored += &format!("# {path} v5.0.0\n## explicit; go 1.26\n{path}\n");
        all.insert(format!("vendor/{path}/lib.go"), (*source).to_owned());
    }
    if !vendored.is_empty() {
        all.insert(
            "go.mod".to_owned(),
            format!("module m\n\ngo 1.26\n\n{required}"),
        );
        all.insert("vendor/modules.txt".to_owned(), vendored);
    }
    for (_, source) in PYTHON.iter().filter(|(name, _)| wanted.contains(name)) {
        for (path, source) in texts(source) {
            all.insert(format!(".venv/lib/python3.12/site-packages/{path}"), source);
        }
        all.insert(
            ".venv/pyvenv.cfg".to_owned(),
            "home = /usr/bin\n".to_owned(),
        );
    }
    all
}

/// Writes the standard library of Go to a folder and returns it.
pub(crate) fn standard_library() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, source) in GO_STANDARD {
        let package = folder.path().join("src").join(path);
        std::fs::create_dir_all(&package).expect("a folder");
        std::fs::write(package.join("lib.go"), source).expect("a file");
    }
    std::fs::write(folder.path().join("VERSION"), "go1.26\n").expect("a file");
    folder
}
