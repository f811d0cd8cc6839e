//! Commands of one program that are services of their own.

use expect_test::expect;

use crate::wires::check_calls;

#[test]
fn a_service_that_names_a_case_of_its_program_reaches_what_that_case_reaches() {
    check_calls(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  web: {build: ., entrypoint: shop web}
  mail: {build: ., entrypoint: shop mail}
  log: {image: log}
  pay: {image: pay}
  smtp: {image: smtp}
//- Dockerfile
FROM x
//- main.go
package main

import (
	"flag"
	"net/http"

	"m/mail"
	"m/web"
)

type server interface{ Run() }

func main() {
	pay := flag.String("pay", "http://pay:80", "")
	smtp := flag.String("smtp", "http://smtp:25", "")
	http.Get("http://log:80")
	var srv server
	switch name := flag.Arg(0); name {
	case "web":
		client := dial(*pay)
		srv = web.New(client)
	case "mail":
		srv = mail.New(dial(*smtp))
	default:
		panic(name)
	}
	srv.Run()
}

func dial(address string) string {
	http.Get(address + "/ready")
	return address
}
//- web/web.go
package web

type Web struct{ pay string }

func New(pay string) *Web { return &Web{pay} }

func (w *Web) Run() {}
//- mail/mail.go
package mail

import "net/http"

type Mail struct{ smtp string }

func New(smtp string) *Mail { return &Mail{smtp} }

func (m *Mail) Run() { http.Get("http://web:80/users") }
"#,
        expect![[r#"
            service::mail SERVICE_CALLS service::log via= evidence=address|http imports=Some(0)
            service::mail SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
            service::mail SERVICE_CALLS service::web via= evidence=http imports=Some(0)
            service::web SERVICE_CALLS service::log via= evidence=address|http imports=Some(0)
            service::web SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        "#]],
    );
}

#[test]
fn a_service_that_names_a_command_of_cobra_reaches_what_its_functions_and_those_that_it_runs_reach()
{
    check_calls(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  web: {build: ., command: [web, --port=80]}
  mail: {build: ., command: [mail]}
  both: {build: ., command: [all]}
  other: {build: ., command: [--help]}
  pay: {image: pay}
  smtp: {image: smtp}
//- Dockerfile
FROM x
ENTRYPOINT ["/shop"]
//- main.go
package main

import "m/cmd"

func main() { cmd.Root.Execute() }
//- cmd/cmd.go
package cmd

import (
	"net/http"

	"github.com/spf13/cobra"
)

var Root = &cobra.Command{Use: "shop"}

var webCmd = &cobra.Command{
	Use: "web [flags]",
	RunE: func(cmd *cobra.Command, args []string) error {
		_, err := http.Get("http://pay:80")
		return err
	},
}

var mailCmd = &cobra.Command{Use: "mail", Run: runMail}

func runMail(cmd *cobra.Command, args []string) {
	http.Get("http://smtp:25")
}

var allCmd = &cobra.Command{
	Use: "all",
	Run: func(cmd *cobra.Command, args []string) {
		go webCmd.RunE(webCmd, args)
		mailCmd.Run(mailCmd, args)
	},
}

func init() {
	Root.AddCommand(webCmd)
	Root.AddCommand(mailCmd, allCmd)
}
"#,
        expect![[r#"
            service::both SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
            service::both SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
            service::mail SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
            service::other SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
            service::other SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
            service::web SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        "#]],
    );
}

#[test]
fn a_service_that_names_a_decorated_command_imports_and_calls_what_its_function_does() {
    check_calls(
        r#"
//- compose.yaml
services:
  api: {build: ., command: python -m shop serve-api}
  mail: {build: ., command: python -m shop mail}
  pay: {image: pay}
  smtp: {image: smtp}
//- Dockerfile
FROM x
//- shop/__init__.py
//- shop/__main__.py
from shop.cli import app

app()
//- shop/cli.py
import click


@click.group()
def app():
    pass


@app.command()
def serve_api():
    from shop import api

    api.run()


@app.command("mail")
def send_all():
    from shop import mails

    mails.run()
//- shop/api.py
import requests

READY = requests.get("http://pay:80/ready")


def run():
    pass
//- shop/mails.py
import requests


def run():
    requests.get("http://smtp:25")
"#,
        expect![[r#"
            service::api SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
            service::mail SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
        "#]],
    );
}

#[test]
fn an_option_of_a_command_is_the_value_of_the_flag_that_the_program_declares() {
    check_calls(
        r#"
//- k8s.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: main, image: web, args: [--pay-host=pay, -port, '80', '--log-host=$(LOG)']}]}}}
//- compose.yaml
services:
  pay: {image: pay}
  mail: {image: mail}
  log: {image: log}
  old: {image: old}
//- web/Dockerfile
FROM x
//- web/main.go
package main

import (
	"flag"
	"net/http"

	"github.com/spf13/pflag"
)

var (
	host string
	mail struct{ host string }
)

func main() {
	port := flag.Int("port", 8080, "")
	flag.StringVar(&host, "pay-host", "old", "")
	pflag.StringVarP(&mail.host, "mail-host", "m", "mail", "")
	log := pflag.String("log-host", "log", "")
	flag.Parse()
	http.Get("http://" + host + ":" + string(*port) + "/ready")
	http.Get("http://" + mail.host + ":25")
	http.Get("http://" + *log + ":80")
}
"#,
        expect![[r#"
            service::web SERVICE_CALLS service::log via= evidence=http imports=Some(0)
            service::web SERVICE_CALLS service::mail via= evidence=http imports=Some(0)
            service::web SERVICE_CALLS service::pay via= evidence=http imports=Some(0)
        "#]],
    );
}

/// A program with two commands, and a broker that it sends to through a package of its own.
const PROGRAM_OF_COMMANDS: &str = r#"
//- go.mod
module m
//- main.go
package main

import "m/cmd"

func main() { cmd.Root.Execute() }
//- cmd/cmd.go
package cmd

import (
	"net/http"

	"github.com/spf13/cobra"
)

var Root = &cobra.Command{Use: "shop"}

var ordersCmd = &cobra.Command{
	Use: "orders",
	Run: func(cmd *cobra.Command, args []string) { http.Get("http://pay:80") },
}

var mailCmd = &cobra.Command{
	Use: "mail",
	Run: func(cmd *cobra.Command, args []string) { http.Get("http://smtp:25") },
}

func init() { Root.AddCommand(ordersCmd, mailCmd) }
"#;

#[test]
fn workloads_of_an_image_that_nothing_builds_are_services_of_the_only_program_whose_commands_they_run()
 {
    let text = format!(
        "{PROGRAM_OF_COMMANDS}{}",
        r"
//- compose.yaml
services:
  sales: {image: 'hub/shop-api:1', command: [orders]}
  letters: {image: 'hub/shop-api:1', entrypoint: /app/server, command: [mail, --fast]}
  idle: {image: 'hub/shop-api:1'}
  pay: {image: pay}
  smtp: {image: smtp}
"
    );
    check_calls(
        &text,
        expect![[r#"
            service::letters SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
            service::sales SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        "#]],
    );
}

#[test]
fn one_command_alone_or_one_that_is_none_of_the_program_says_nothing_of_an_image() {
    let text = format!(
        "{PROGRAM_OF_COMMANDS}{}",
        r"
//- compose.yaml
services:
  queue: {image: hub/queue, command: [mail]}
  sales: {image: hub/other, command: [orders]}
  letters: {image: hub/other, command: [mail]}
  else: {image: hub/other, command: [shell]}
  pay: {image: pay}
  smtp: {image: smtp}
"
    );
    check_calls(
        &text,
        expect![[r#"
        service::shop SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        service::shop SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
    "#]],
    );
}

#[test]
fn commands_that_two_programs_have_say_nothing_of_an_image() {
    let text = format!(
        "{PROGRAM_OF_COMMANDS}{}",
        r#"
//- tool/main.go
package main

import "github.com/spf13/cobra"

var mail = &cobra.Command{Use: "mail", Run: func(cmd *cobra.Command, args []string) {}}

func main() { mail.Execute() }
//- compose.yaml
services:
  sales: {image: hub/shop-api, command: [orders]}
  letters: {image: hub/shop-api, command: [mail]}
  pay: {image: pay}
  smtp: {image: smtp}
"#
    );
    check_calls(
        &text,
        expect![[r#"
        service::shop SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        service::shop SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
    "#]],
    );
}

#[test]
fn a_function_that_commands_give_others_to_runs_for_each_those_that_it_gives() {
    check_calls(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  orders: {build: ., command: orders}
  mail: {build: ., command: mail}
  pay: {image: pay}
  smtp: {image: smtp}
//- Dockerfile
FROM x
//- main.go
package main

import (
	"os"

	"m/mail"
	"m/orders"
)

func main() {
	switch os.Args[1] {
	case "orders":
		orders.Run()
	case "mail":
		mail.Run()
	}
}
//- loop/loop.go
package loop

type Handler func(text string) error

func Spawn(handler Handler) { go run(handler) }

func run(handler Handler) { handler("x") }
//- orders/orders.go
package orders

import (
	"net/http"

	"m/loop"
)

func Run() { loop.Spawn(handle) }

func handle(text string) error {
	_, err := http.Get("http://pay:80")
	return err
}
//- mail/mail.go
package mail

import (
	"net/http"

	"m/loop"
)

func Run() { loop.Spawn(handle) }

func handle(text string) error {
	_, err := http.Get("http://smtp:25")
	return err
}
"#,
        expect![[r#"
            service::mail SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
            service::orders SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        "#]],
    );
}
