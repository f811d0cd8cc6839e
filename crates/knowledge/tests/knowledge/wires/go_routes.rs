//! Routes of Go servers (rules 25 to 32, 39 to 41): with the library's source, and without.

use expect_test::{Expect, expect};

use super::{check_routes, routes, stubs};

const GIN: &str = "github.com/gin-gonic/gin";
const ECHO: &str = "github.com/labstack/echo/v4";
const CHI: &str = "github.com/go-chi/chi/v5";
const MUX: &str = "github.com/gorilla/mux";
const FIBER: &str = "github.com/gofiber/fiber/v2";

/// Compares the routes of a fixture with the stub of a library; without it they are the same, but assumed.
fn check_both(text: &str, stub: &str, expected: Expect) {
    let with = super::wired(text, &[stub]);
    expected.assert_eq(&routes(&with));
    let without = routes(&super::wired(text, &[]));
    assert_eq!(
        without.replace(" ?", ""),
        routes(&with),
        "without the source of {stub}"
    );
    assert!(without.contains(" ?"), "{without}");
}

const NET_HTTP: &str = r#"
//- main.go
package main

import "net/http"

type api struct{}

func (a *api) user(w http.ResponseWriter, r *http.Request) { r.Header.Get("X-Id") }
func list(w http.ResponseWriter, r *http.Request) {}
func health(w http.ResponseWriter, r *http.Request) {}

func main() {
	mux := http.NewServeMux()
	a := &api{}
	mux.HandleFunc("GET /a/{id}", a.user)
	mux.Handle("POST example.com/a", http.HandlerFunc(list))
	http.HandleFunc("/health", health)
	sub := http.NewServeMux()
	sub.HandleFunc(http.MethodGet+" /x/{$}", list)
	mux.Handle("/v1/", http.StripPrefix("/v1", sub))
}
"#;

#[test]
fn a_pattern_has_its_method_and_one_without_is_of_any() {
    let expected = expect![[r#"
        ANY /health main.go::health ?
        GET /a/{id} main.go::api.user ?
        GET /v1/x/ main.go::list ?
        POST /a main.go::list ?
    "#]];
    check_routes(NET_HTTP, &[], expected);
}

#[test]
fn routes_of_the_standard_library_are_sure_where_its_source_is_read() {
    let library = stubs::standard_library();
    let fixture = codeweft_testing::Fixture::new(NET_HTTP);
    let fixture = fixture.setting("goroot", &library.path().to_string_lossy());
    let expected = expect![[r#"
        ANY /health main.go::health
        GET /a/{id} main.go::api.user
        GET /v1/x/ main.go::list
        POST /a main.go::list
    "#]];
    expected.assert_eq(&routes(&crate::graph(&fixture.load())));
}

#[test]
fn groups_of_gin_are_composed_two_deep_and_as_a_parameter() {
    check_both(
        r#"
//- main.go
package main

import "github.com/gin-gonic/gin"

func users(c *gin.Context) {}
func auth(c *gin.Context)  {}
func orders(c *gin.Context) {}

func register(r gin.IRouter) {
	r.POST("/orders/:id", auth, orders)
}

func main() {
	r := gin.Default()
	api := r.Group("/api")
	{
		v1 := api.Group("/v1", auth)
		v1.GET("/users", auth, users)
		register(v1)
	}
	r.Any("/any", users)
	r.Handle("DELETE", "/users/:id", users)
}
"#,
        GIN,
        expect![[r#"
            ANY /any main.go::users
            DELETE /users/:id main.go::users
            GET /api/v1/users main.go::users
            POST /api/v1/orders/:id main.go::orders
        "#]],
    );
}

#[test]
fn echo_has_groups_add_and_any() {
    check_both(
        r#"
//- main.go
package main

import "github.com/labstack/echo/v4"

func show(c echo.Context) error { return nil }
func make(c echo.Context) error { return nil }

func main() {
	e := echo.New()
	g := e.Group("/admin")
	g.POST("/items", make)
	g.Group("/deep").GET("/x", show)
	e.Add("PUT", "/items/:id", make)
	e.Any("/all", show)
}
"#,
        ECHO,
        expect![[r#"
            ANY /all main.go::show
            GET /admin/deep/x main.go::show
            POST /admin/items main.go::make
            PUT /items/:id main.go::make
        "#]],
    );
}

#[test]
fn chi_has_closures_mounted_routers_chains_and_methods() {
    check_both(
        r#"
//- main.go
package main

import "github.com/go-chi/chi/v5"

func list()  {}
func show()  {}
func save()  {}
func stats() {}

func limit(next chi.Handler) chi.Handler { return next }

func adminRouter() *chi.Mux {
	r := chi.NewRouter()
	r.Get("/stats", stats)
	return r
}

func itemRoutes(r chi.Router) {
	r.Get("/{item}", show)
}

func main() {
	r := chi.NewRouter()
	r.Route("/users", func(r chi.Router) {
		r.Get("/", list)
		r.Group(func(r chi.Router) {
			r.With(limit).Post("/", save)
		})
		r.Route("/{id}", func(r chi.Router) {
			r.Method("PUT", "/", save)
		})
	})
	r.Route("/items", itemRoutes)
	r.Mount("/admin", adminRouter())
}
"#,
        CHI,
        expect![[r#"
            GET /admin/stats main.go::stats
            GET /items/{item} main.go::show
            GET /users/ main.go::list
            POST /users/ main.go::save
            PUT /users/{id}/ main.go::save
        "#]],
    );
}

#[test]
fn later_links_of_gorilla_refine_a_route_and_subrouters_have_prefixes() {
    check_both(
        r#"
//- main.go
package main

import "github.com/gorilla/mux"

func list() {}
func save() {}

func main() {
	r := mux.NewRouter()
	r.HandleFunc("/all", list)
	s := r.PathPrefix("/api").Subrouter()
	s.HandleFunc("/items", list).Methods("GET", "HEAD")
	s.Methods("POST").Path("/items").HandlerFunc(save)
}
"#,
        MUX,
        expect![[r#"
            ANY /all main.go::list
            GET /api/items main.go::list
            HEAD /api/items main.go::list
            POST /api/items main.go::save
        "#]],
    );
}

#[test]
fn fiber_has_groups_and_all() {
    check_both(
        r#"
//- main.go
package main

import "github.com/gofiber/fiber/v2"

func show(c *fiber.Ctx) error { return nil }

func main() {
	app := fiber.New()
	app.Group("/v1").Get("/x/:id", show)
	app.All("/all", show)
}
"#,
        FIBER,
        expect![[r#"
            ANY /all main.go::show
            GET /v1/x/:id main.go::show
        "#]],
    );
}

#[test]
fn a_method_of_ones_own_type_and_a_header_are_no_routes() {
    check_routes(
        r#"
//- main.go
package main

import "net/http"

type client struct{}

func (c *client) GET(path string, h func()) {}
func (c *client) HandleFunc(path string, h func()) {}

func f() {}

func main() {
	c := &client{}
	c.GET("/x", f)
	c.HandleFunc("/y", f)
	h := http.Header{}
	h.Get("/z")
}
"#,
        &[],
        expect![[r#"
            none
        "#]],
    );
}
