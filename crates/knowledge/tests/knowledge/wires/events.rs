//! Events in code (rules 67 to 74, 77).

use expect_test::expect;

use super::check_events;

#[test]
fn channels_are_literals_constants_and_variables_of_the_environment() {
    check_events(
        r#"
//- compose.yaml
services:
  orders: {build: ./orders, environment: {PAID: "orders.paid"}}
  mail: {build: ./mail}
//- orders/main.go
package main

import (
	"os"

	"github.com/nats-io/nats.go"
)

const created = "orders.created"

func topic() string {
	if name := os.Getenv("LOST"); name != "" {
		return name
	}
	return "orders.lost"
}

var lost = topic()

func main() {
	c, _ := nats.Connect("x")
	c.Publish(created, nil)
	c.Publish(os.Getenv("PAID"), nil)
	c.Publish(lost, nil)
	c.Publish(os.Args[0], nil)
}
//- mail/main.go
package main

import "github.com/nats-io/nats.go"

func onCreated(m *nats.Msg) {}

func main() {
	var c *nats.Conn
	c.Subscribe("orders.created", onCreated)
}
"#,
        &["github.com/nats-io/nats.go"],
        expect![[r#"
            mail consumes orders.created
            orders publishes orders.created
            orders publishes orders.lost
            orders publishes orders.paid
        "#]],
    );
}

#[test]
fn a_wrapper_behind_an_interface_publishes_for_its_callers_service() {
    check_events(
        r#"
//- compose.yaml
services:
  orders: {build: ./orders}
  mail: {build: ./mail}
//- bus/bus.go
package bus

import "github.com/segmentio/kafka-go"

type Publisher interface{ Publish(topic string) error }

type Kafka struct{ w *kafka.Writer }

func New() *Kafka { return &Kafka{w: &kafka.Writer{}} }

func (k *Kafka) Publish(topic string) error {
	msg := kafka.Message{Topic: topic}
	return k.w.WriteMessages(msg)
}
//- orders/main.go
package main

import "m/bus"

type service struct{ p bus.Publisher }

func (s *service) place() { s.p.Publish("orders.placed") }

func main() { (&service{p: bus.New()}).place() }
//- mail/main.go
package main

import "github.com/segmentio/kafka-go"

func main() {
	kafka.NewReader(kafka.ReaderConfig{Topic: "orders.placed", GroupTopics: []string{"a", "b"}})
}
"#,
        &["github.com/segmentio/kafka-go"],
        expect![[r#"
            mail consumes a
            mail consumes b
            mail consumes orders.placed
            orders publishes orders.placed
        "#]],
    );
}

#[test]
fn an_exchange_with_a_key_is_one_channel_and_one_name_in_two_systems_is_two() {
    check_events(
        r#"
//- main.go
package main

import (
	"github.com/nats-io/nats.go"
	"github.com/rabbitmq/amqp091-go"
)

func run(ch *amqp091.Channel, c *nats.Conn) {
	ch.Publish("shop", "paid", false, false, amqp091.Publishing{})
	ch.Publish("", "jobs", false, false, amqp091.Publishing{})
	ch.Consume("jobs", "")
	c.Publish("jobs", nil)
}

func main() { run(nil, nil) }
"#,
        &[
            "github.com/nats-io/nats.go",
            "github.com/rabbitmq/amqp091-go",
        ],
        expect![[r#"
            shop consumes rabbitmq:jobs
            shop publishes nats:jobs
            shop publishes rabbitmq:jobs
            shop publishes shop/paid
        "#]],
    );
}

#[test]
fn without_their_source_libraries_are_known_by_declared_types_and_results() {
    check_events(
        r#"
//- main.go
package main

import (
	"github.com/nats-io/nats.go"
	"github.com/IBM/sarama"
)

type bus struct{ conn *nats.Conn }

func (b *bus) send() { b.conn.Publish("a", nil) }

func connect() {
	c, err := nats.Connect("x")
	if err == nil {
		c.Subscribe("b", nil)
	}
	_ = &sarama.ProducerMessage{Topic: "c"}
}

func main() { connect() }
"#,
        &[],
        expect![[r#"
            shop consumes b ?
            shop publishes a ?
            shop publishes c ?
        "#]],
    );
}

#[test]
fn clients_of_python_publish_and_consume() {
    check_events(
        r#"
//- main.py
import os

import boto3
import redis
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

TOPIC = os.getenv("TOPIC", "orders")
sns = boto3.client("sns")


class Bus:
    def __init__(self, producer: AIOKafkaProducer):
        self.producer = producer

    async def send(self, topic, value):
        await self.producer.send_and_wait(topic, value)


async def main():
    bus = Bus(AIOKafkaProducer())
    await bus.send("paid", 1)
    await bus.send(topic=TOPIC, value=2)
    consumer = AIOKafkaConsumer("paid", "lost")
    redis.Redis().publish("news", "x")
    sns.publish(TopicArn="arn:aws:sns:eu:1:alerts", Message="m")
    sqs = boto3.client("sqs")
    sqs.send_message(QueueUrl="https://sqs.eu/1/jobs", MessageBody="b")
"#,
        &[],
        expect![[r#"
            shop consumes lost ?
            shop consumes paid ?
            shop publishes alerts ?
            shop publishes jobs ?
            shop publishes news ?
            shop publishes orders ?
            shop publishes paid ?
        "#]],
    );
}

#[test]
fn a_task_of_celery_is_an_event_by_its_name() {
    check_events(
        r#"
//- tasks.py
from celery import Celery, shared_task

app = Celery("x")


@app.task
def add(a, b):
    return a + b


@shared_task(name="mail.send")
def mail():
    pass


def run():
    add.delay(1, 2)
    mail.apply_async()
    app.send_task("other.task")
"#,
        &[],
        expect![[r#"
            shop consumes mail.send ?
            shop consumes tasks.add ?
            shop publishes mail.send ?
            shop publishes other.task ?
            shop publishes tasks.add ?
        "#]],
    );
}

#[test]
fn what_a_library_makes_is_of_the_type_that_the_variable_is_declared_with() {
    check_events(
        r#"
//- tasks.py
from celery import Celery
from kitchen import make

kit = make()
app: Celery = kit.celery()


@app.task(name="mail.send")
def mail():
    pass


def run():
    mail.apply_async()
"#,
        &[],
        expect![[r#"
            shop consumes mail.send ?
            shop publishes mail.send ?
        "#]],
    );
}

#[test]
fn a_channel_of_a_contract_and_of_code_is_one_event() {
    check_events(
        r#"
//- compose.yaml
services:
  web: {build: ./web}
  orders: {build: ./orders}
//- web/events.yaml
asyncapi: 3.0.0
info: {title: Events, version: 1.0.0}
channels: {created: {address: orders.created}}
operations:
  onCreated: {action: receive, channel: {$ref: '#/channels/created'}}
//- orders/main.go
package main

import "github.com/nats-io/nats.go"

func main() {
	var c *nats.Conn
	c.Publish("orders.created", nil)
}
"#,
        &["github.com/nats-io/nats.go"],
        expect![[r#"
            orders publishes onCreated
            web consumes onCreated
        "#]],
    );
}

#[test]
fn a_field_that_a_shared_function_fills_with_what_it_is_given_is_published_by_the_services_that_give_it()
 {
    check_events(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  orders: {build: ., image: shop, command: orders}
  mail: {image: shop, command: mail}
  log: {image: shop, command: log}
//- Dockerfile
FROM x
//- main.go
package main

import (
	"os"

	"m/logs"
	"m/mail"
	"m/orders"
)

func main() {
	switch os.Args[1] {
	case "orders":
		orders.Run()
	case "mail":
		mail.Run()
	case "log":
		logs.Run()
	}
}
//- topics/topics.go
package topics

var Topics = struct{ Paid, Sent string }{}

func init() {
	Topics.Paid = "paid"
	Topics.Sent = "sent"
}
//- queue/queue.go
package queue

import "github.com/segmentio/kafka-go"

func NewWriter(topic string) *kafka.Writer {
	config := kafka.WriterConfig{Topic: topic}
	return kafka.NewWriter(config)
}

func NewLog() *kafka.Writer {
	return kafka.NewWriter(kafka.WriterConfig{Topic: "log"})
}
//- orders/orders.go
package orders

import (
	"m/queue"
	"m/topics"
)

func Run() { queue.NewWriter(topics.Topics.Paid) }
//- mail/mail.go
package mail

import (
	"m/queue"
	"m/topics"
)

func Run() { start() }

func start() {
	if topic := topics.Topics.Sent; topic != "" {
		queue.NewWriter(topic)
	}
}
//- logs/logs.go
package logs

import "m/queue"

func Run() { queue.NewLog() }
"#,
        &[],
        expect![[r#"
            log publishes log ?
            mail publishes sent ?
            orders publishes paid ?
        "#]],
    );
}
