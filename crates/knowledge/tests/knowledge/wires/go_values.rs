//! Where the texts and routers of Go servers come from (rules 33 to 38, 42).

use expect_test::expect;

use super::check_routes;

const GIN: &[&str] = &["github.com/gin-gonic/gin"];

#[test]
fn constants_elsewhere_and_formatted_texts_are_paths() {
    check_routes(
        r#"
//- paths/paths.go
package paths

const Version = "v2"
const Users = "/" + Version + "/users"
//- main.go
package main

import (
	"fmt"
	"m/paths"

	"github.com/gin-gonic/gin"
)

func users(c *gin.Context) {}

func main() {
	r := gin.New()
	r.GET(paths.Users, users)
	r.GET(fmt.Sprintf("/%s/items/%d", paths.Version, 7), users)
}
"#,
        GIN,
        expect![[r#"
            GET /v2/items/7 main.go::users
            GET /v2/users main.go::users
        "#]],
    );
}

#[test]
fn a_router_in_a_field_is_followed_to_its_writes() {
    check_routes(
        r#"
//- main.go
package main

import "github.com/gin-gonic/gin"

type Server struct {
	engine *gin.Engine
	api    *gin.RouterGroup
}

func (s *Server) users(c *gin.Context) {}

func New() *Server {
	s := &Server{engine: gin.New()}
	s.api = s.engine.Group("/api")
	return s
}

func (s *Server) routes() {
	s.api.GET("/users", s.users)
	s.engine.GET("/root", s.users)
}

func main() { New().routes() }
"#,
        GIN,
        expect![[r#"
            GET /api/users main.go::Server.users
            GET /root main.go::Server.users
        "#]],
    );
}

#[test]
fn a_wrapper_gets_its_path_and_handler_from_its_callers() {
    check_routes(
        r#"
//- main.go
package main

import "github.com/gin-gonic/gin"

type Server struct{ r *gin.Engine }

func (s *Server) get(path string, h gin.HandlerFunc) { s.r.GET("/v1"+path, h) }

func a(c *gin.Context) {}
func b(c *gin.Context) {}

func main() {
	s := &Server{r: gin.New()}
	s.get("/a", a)
	s.get("/b", b)
}
"#,
        GIN,
        expect![[r#"
            GET /v1/a main.go::a
            GET /v1/b main.go::b
        "#]],
    );
}

#[test]
fn a_table_of_structs_is_a_route_for_each_row() {
    check_routes(
        r#"
//- main.go
package main

import "github.com/gin-gonic/gin"

type route struct {
	method, path string
	handler      gin.HandlerFunc
}

func list(c *gin.Context) {}
func save(c *gin.Context) {}

func main() {
	r := gin.New()
	for _, one := range []route{
		{"GET", "/items", list},
		{method: "POST", path: "/items", handler: save},
	} {
		r.Handle(one.method, one.path, one.handler)
	}
}
"#,
        GIN,
        expect![[r#"
            GET /items main.go::list
            POST /items main.go::save
        "#]],
    );
}

#[test]
fn handlers_are_methods_what_factories_make_and_what_wrappers_are_given() {
    check_routes(
        r#"
//- main.go
package main

import "github.com/gin-gonic/gin"

type api struct{}

func (a api) show(c *gin.Context) {}

func factory(n int) gin.HandlerFunc { return func(c *gin.Context) {} }

func logged(next gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) { next(c) }
}

func main() {
	r := gin.New()
	r.GET("/method", api{}.show)
	r.GET("/factory", factory(1))
	r.GET("/wrapped", logged(api{}.show))
	r.GET("/literal", func(c *gin.Context) {})
}
"#,
        GIN,
        expect![[r#"
            GET /factory main.go::factory
            GET /literal main.go::main
            GET /method main.go::api.show
            GET /wrapped main.go::api.show
        "#]],
    );
}

#[test]
fn of_an_unknown_prefix_the_rest_of_the_path_is_kept() {
    check_routes(
        r#"
//- main.go
package main

import (
	"os"

	"github.com/gin-gonic/gin"
)

func show(c *gin.Context) {}

func Register(r *gin.RouterGroup) { r.GET("/plugin", show) }

func main() {
	base := os.Getenv("BASE")
	r := gin.New()
	r.GET(base+"/items", show)
}
"#,
        GIN,
        expect![[r#"
            GET /items main.go::show
            GET /plugin main.go::show
        "#]],
    );
}
