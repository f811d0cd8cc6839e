//! Routes of Python servers (rules 43 to 54).

use expect_test::expect;

use super::check_routes;

const FASTAPI: &str = r#"
//- app/__init__.py
//- app/users.py
from fastapi import APIRouter

router = APIRouter(prefix="/users")
V = "/v"


@router.get("/{id}", operation_id="getUser")
def get_user(id: int):
    return id


@router.post(f"{V}/make")
async def make_user():
    pass


@router.api_route("/both", methods=["GET", "PUT"])
def both():
    pass
//- app/main.py
from fastapi import FastAPI
from app import users

app = FastAPI()
app.include_router(users.router, prefix="/api")
app.include_router(users.router, prefix="/old")


@app.get("/health")
def health():
    pass
"#;

#[test]
fn routers_of_fastapi_are_included_twice_with_ids_formatted_paths_and_several_methods() {
    let expected = expect![[r#"
        GET /api/users/both app/users.py::both
        GET /api/users/{id} app/users.py::get_user (getUser)
        GET /health app/main.py::health
        GET /old/users/both app/users.py::both
        GET /old/users/{id} app/users.py::get_user (getUser)
        POST /api/users/v/make app/users.py::make_user
        POST /old/users/v/make app/users.py::make_user
        PUT /api/users/both app/users.py::both
        PUT /old/users/both app/users.py::both
    "#]];
    check_routes(FASTAPI, &["fastapi"], expected);
}

#[test]
fn without_the_library_the_same_routes_are_assumed() {
    let expected = expect![[r#"
        GET /api/users/both app/users.py::both ?
        GET /api/users/{id} app/users.py::get_user (getUser) ?
        GET /health app/main.py::health ?
        GET /old/users/both app/users.py::both ?
        GET /old/users/{id} app/users.py::get_user (getUser) ?
        POST /api/users/v/make app/users.py::make_user ?
        POST /old/users/v/make app/users.py::make_user ?
        PUT /api/users/both app/users.py::both ?
        PUT /old/users/both app/users.py::both ?
    "#]];
    check_routes(FASTAPI, &[], expected);
}

const SUBCLASS: &str = r#"
//- lib/__init__.py
from fastapi import APIRouter as Router
//- app/__init__.py
//- app/main.py
from lib import Router
try:
    from fastapi import FastAPI
except ImportError:
    FastAPI = None


class Own(Router):
    pass


app = FastAPI()
own = Own()


@own.get("/own")
def own_route():
    pass


app.include_router(own, prefix="/x")
"#;

#[test]
fn a_subclass_a_re_export_and_an_import_that_may_fail_are_the_library() {
    check_routes(
        SUBCLASS,
        &["fastapi"],
        expect![[r#"
            GET /x/own app/main.py::own_route
        "#]],
    );
}

#[test]
fn an_own_class_with_a_method_get_is_no_router() {
    check_routes(
        r#"
//- main.py
import requests


class Cache:
    def get(self, path):
        def inner(f):
            return f
        return inner


cache = Cache()


@cache.get("/x")
def f():
    return requests.get("/y")
"#,
        &["fastapi"],
        expect![[r#"
            none
        "#]],
    );
}

#[test]
fn blueprints_of_flask_nest_and_views_have_a_method_each() {
    check_routes(
        r#"
//- app/__init__.py
from flask import Flask
from app.views import api

def create_app():
    app = Flask(__name__)
    app.register_blueprint(api, url_prefix="/api")

    @app.route("/health")
    def health():
        return "ok"

    return app
//- app/views.py
from flask import Blueprint
from flask.views import MethodView

api = Blueprint("api", __name__)
items = Blueprint("items", __name__, url_prefix="/items")
api.register_blueprint(items)


@items.route("/<int:id>", methods=["GET", "DELETE"])
def item(id):
    pass


@items.get("/all")
def every():
    pass


def plain():
    pass


class Things(MethodView):
    def get(self):
        pass

    def post(self):
        pass


api.add_url_rule("/plain", view_func=plain)
api.add_url_rule("/things", view_func=Things.as_view("things"))
"#,
        &["flask"],
        expect![[r#"
            DELETE /api/items/<int:id> app/views.py::item
            GET /api/items/<int:id> app/views.py::item
            GET /api/items/all app/views.py::every
            GET /api/plain app/views.py::plain
            GET /api/things app/views.py::Things.get
            GET /health app/__init__.py::create_app.<locals>.health
            POST /api/things app/views.py::Things.post
        "#]],
    );
}

const DJANGO: &str = r#"
//- shop/__init__.py
//- shop/urls.py
from django.urls import include, path, re_path
from shop import views

urlpatterns = [
    path("items/<int:id>/", views.item),
    path("class/", views.Things.as_view()),
    re_path(r"^year/(?P<year>[0-9]{4})/$", views.year),
    path("more/", include("shop.more")),
]
//- shop/more.py
from django.urls import path
from shop import views

urlpatterns = [path("deep/", views.year)]
//- shop/views.py
from django.views import View


def item(request, id):
    pass


def year(request, year=None):
    pass


class Things(View):
    def get(self, request):
        pass

    def put(self, request):
        pass
"#;

#[test]
fn paths_of_django_are_included_by_the_name_of_their_module() {
    let expected = expect![[r#"
        ANY /items/<int:id>/ shop/views.py::item
        ANY /more/deep/ shop/views.py::year
        ANY /year/{year}/ shop/views.py::year
        GET /class/ shop/views.py::Things.get
        PUT /class/ shop/views.py::Things.put
    "#]];
    check_routes(DJANGO, &["django"], expected);
}

#[test]
fn paths_of_django_are_found_without_its_source() {
    let expected = expect![[r#"
        ANY /items/<int:id>/ shop/views.py::item ?
        ANY /more/deep/ shop/views.py::year ?
        ANY /year/{year}/ shop/views.py::year ?
        GET /class/ shop/views.py::Things.get ?
        PUT /class/ shop/views.py::Things.put ?
    "#]];
    check_routes(DJANGO, &[], expected);
}

#[test]
fn tables_of_aiohttp_and_subapplications_are_mounted() {
    check_routes(
        r#"
//- main.py
from aiohttp import web

routes = web.RouteTableDef()


@routes.get("/a/{id}")
async def a(request):
    pass


async def b(request):
    pass


async def c(request):
    pass


def make():
    app = web.Application()
    app.add_routes(routes)
    app.add_routes([web.post("/b", b)])
    admin = web.Application()
    admin.router.add_get("/c", c)
    app.add_subapp("/admin", admin)
    return app
"#,
        &[],
        expect![[r#"
            GET /a/{id} main.py::a ?
            GET /c main.py::c ?
            POST /b main.py::b ?
        "#]],
    );
}

#[test]
fn mounts_of_starlette_are_prefixes_of_the_routes_in_them() {
    check_routes(
        r#"
//- main.py
from starlette.applications import Starlette
from starlette.routing import Mount, Route


async def home(request):
    pass


async def user(request):
    pass


app = Starlette(routes=[
    Route("/", home),
    Mount("/users", routes=[Route("/{name}", endpoint=user, methods=["POST"])]),
])
"#,
        &[],
        expect![[r#"
            GET / main.py::home ?
            POST /users/{name} main.py::user ?
        "#]],
    );
}
