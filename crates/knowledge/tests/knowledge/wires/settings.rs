//! Settings: what documents beside the code of a service say, and what the code says without them.

use expect_test::expect;

use super::{check_calls, check_events};

/// A shared package that publishes at the topic of a configuration, and that of one service alone.
const SHARED: &str = r#"
//- compose.yaml
services:
  orders: {build: ./orders}
  mail: {build: ./mail}
//- config/config.go
package config

type Config struct {
	Kafka Topics
	Name  string
}

type Topics struct{ OrderPaid, OrderLost Topic }

type Topic struct{ TopicName string }
//- send/send.go
package send

import (
	"m/config"

	"github.com/nats-io/nats.go"
)

type Sender struct {
	cfg *config.Config
	c   *nats.Conn
}

func (s *Sender) Paid()            { s.c.Publish(s.cfg.Kafka.OrderPaid.TopicName, nil) }
func (s *Sender) Lost()            { s.c.Publish(s.cfg.Kafka.OrderLost.TopicName, nil) }
func (s *Sender) Named(o config.Config) { s.c.Publish(o.Name, nil) }
//- orders/main.go
package main

import "m/send"

func main() {
	s := &send.Sender{}
	s.Paid()
	s.Lost()
}
//- mail/main.go
package main

import "m/send"

func main() {
	s := &send.Sender{}
	s.Paid()
}
"#;

#[test]
fn a_field_that_nothing_writes_is_what_the_configuration_of_the_service_sets() {
    let documents = r#"
//- orders/config.yaml
name: shop
kafka:
  order_paid: {topicName: orders.paid}
  orderLost: {topic-name: orders.lost}
//- mail/settings/config.json
{"kafka": {"orderPaid": {"topicName": "mail.paid"}}}
"#;
    check_events(
        &format!("{SHARED}{documents}"),
        &["github.com/nats-io/nats.go"],
        expect![[r#"
            mail publishes mail.paid
            orders publishes orders.lost
            orders publishes orders.paid
        "#]],
    );
}

#[test]
fn a_key_of_another_nesting_is_another_setting() {
    let documents = r#"
//- orders/config.yaml
kafka: {topicName: a, order_paid: {name: b}}
topicName: c
"#;
    check_events(
        &format!("{SHARED}{documents}"),
        &["github.com/nats-io/nats.go"],
        expect!["none\n"],
    );
}

#[test]
fn of_a_document_with_a_secret_no_setting_is_known() {
    let documents = r#"
//- orders/config.yaml
kafka:
  order_paid: {topicName: orders.paid}
aws_access_key_id: "AKIAQ3EGVYZ2WJ4PLMNX"
aws_secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLE9"
"#;
    check_events(
        &format!("{SHARED}{documents}"),
        &["github.com/nats-io/nats.go"],
        expect!["none\n"],
    );
}

#[test]
fn a_setting_has_the_value_of_the_code_unless_a_document_has_one() {
    check_events(
        r#"
//- compose.yaml
services:
  orders: {build: ./orders}
  mail: {build: ./mail}
//- orders/main.go
package main

import (
	"github.com/nats-io/nats.go"
	"github.com/spf13/viper"
)

func main() {
	viper.SetDefault("events.paid", "orders.paid")
	viper.SetDefault("events.lost", "orders.lost")
	c, _ := nats.Connect("x")
	c.Publish(viper.GetString("events.paid"), nil)
	c.Publish(viper.GetString("events.lost"), nil)
	c.Publish(viper.GetString("events.none"), nil)
}
//- orders/config.yaml
events: {lost: lost.of.document}
//- mail/main.go
package main

import (
	"github.com/nats-io/nats.go"
	"github.com/spf13/viper"
)

func main() {
	c, _ := nats.Connect("x")
	c.Publish(viper.GetString("events.paid"), nil)
}
"#,
        &["github.com/nats-io/nats.go"],
        expect![[r#"
            orders publishes lost.of.document
            orders publishes orders.paid
        "#]],
    );
}

#[test]
fn what_two_programs_give_a_shared_publisher_is_not_mixed() {
    check_events(
        r#"
//- compose.yaml
services:
  orders: {build: ./orders}
  mail: {build: ./mail}
//- send/send.go
package send

import "github.com/nats-io/nats.go"

var c *nats.Conn

func Send(group, topic string) { c.Publish(group+"."+topic, nil) }
//- orders/main.go
package main

import "m/send"

const group = "orders"

func main() { to(group) }

func to(group string) { send.Send(group, "paid") }
//- mail/main.go
package main

import "m/send"

func main() { send.Send("mail", "sent") }
"#,
        &["github.com/nats-io/nats.go"],
        expect![[r#"
            mail publishes mail.sent
            orders publishes orders.paid
        "#]],
    );
}

#[test]
fn members_of_what_a_library_reads_of_the_configuration_are_settings_of_its_document() {
    check_calls(
        r#"
//- compose.yaml
services:
  web: {build: ./web, environment: {ACG_CONFIG: /app/cdappconfig.json}, volumes: ['./web/cdappconfig.json:/app/cdappconfig.json']}
  mail: {build: ./mail}
  db: {image: db}
  kafka: {image: kafka}
//- web/cdappconfig.json
{"database": {"hostname": "db"}, "kafka": {"brokers": [{"hostname": "kafka", "port": 9092}]}}
//- web/main.go
package main

import (
	"fmt"

	clowder "github.com/redhatinsights/app-common-go/pkg/api/v1"
	"gorm.io/driver/postgres"
)

func main() {
	postgres.Open(fmt.Sprintf("host=%s port=5432", clowder.LoadedConfig.Database.Hostname))
}
//- mail/cdappconfig.json
{"database": {"hostname": "db"}, "kafka": {"brokers": [{"hostname": "kafka", "port": 9092}]}}
//- mail/main.go
package main

import (
	clowder "github.com/redhatinsights/app-common-go/pkg/api/v1"
	"github.com/segmentio/kafka-go"
)

func main() {
	broker := clowder.LoadedConfig.Kafka.Brokers[0]
	kafka.TCP(broker.Hostname)
}
"#,
        expect![[r#"
            service::mail SERVICE_CALLS service::kafka via= evidence=address imports=Some(0)
            service::web SERVICE_CALLS service::db via= evidence=address imports=Some(0)
        "#]],
    );
}
