//! Events whose channel or client goes through functions that are given, and interfaces.

use expect_test::expect;

use super::check_events;

#[test]
fn a_function_that_is_given_gets_its_channel_where_it_is_called() {
    check_events(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  orders: {build: ./orders}
  mail: {build: ./mail}
//- queue/queue.go
package queue

import "github.com/segmentio/kafka-go"

type Make func(topic string) *kafka.Reader

func FromEnv(topic string) *kafka.Reader {
	return kafka.NewReader(kafka.ReaderConfig{Topic: topic})
}

func Silent(topic string) *kafka.Reader { return nil }

func Spawn(topic string, make Make) { go run(topic, make) }

func run(topic string, make Make) { make(topic) }
//- orders/main.go
package main

import "m/queue"

func main() { queue.Spawn("paid", queue.FromEnv) }
//- mail/main.go
package main

import "m/queue"

func main() {
	queue.Spawn("lost", queue.FromEnv)
	queue.Spawn("never", queue.Silent)
}
"#,
        &[],
        expect![[r#"
            mail consumes lost ?
            orders consumes paid ?
        "#]],
    );
}

#[test]
fn what_a_method_of_an_interface_returns_is_what_its_implementers_do() {
    check_events(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  mail: {build: ./mail}
//- queue/queue.go
package queue

import "github.com/IBM/sarama"

type Holder interface{ Consumer() sarama.Consumer }

func Start(holder Holder, topic string) { holder.Consumer().ConsumePartition(topic, 0, 0) }
//- mail/main.go
package main

import (
	"github.com/IBM/sarama"

	"m/queue"
)

type holder struct{ consumer sarama.Consumer }

func (h holder) Consumer() sarama.Consumer { return h.consumer }

func main() { queue.Start(holder{}, "paid") }
"#,
        &[],
        expect![[r#"
            mail consumes paid ?
        "#]],
    );
}

/// A publisher of Kafka, and one that passes messages on inside the process.
const WATERMILL: &str = r#"
//- compose.yaml
services:
  orders: {build: ./orders}
  mail: {build: ./mail}
//- orders/main.go
package main

func main() { NewSender(NewPublisher(), "paid").Paid() }
//- orders/sender.go
package main

import (
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
)

func NewPublisher() message.Publisher {
	publisher, _ := kafka.NewPublisher(kafka.PublisherConfig{}, nil)
	return publisher
}

type Sender struct {
	publisher, local message.Publisher
	topic            string
}

func NewSender(publisher message.Publisher, topic string) *Sender {
	local := gochannel.NewGoChannel(gochannel.Config{}, nil)
	return &Sender{publisher: publisher, local: local, topic: topic}
}

func (s *Sender) Paid() {
	s.publisher.Publish(s.topic, nil)
	s.local.Publish("inside", nil)
}
//- mail/main.go
package main

import "github.com/ThreeDotsLabs/watermill/message"

func handle(m *message.Message) error { return nil }

func main() {
	var subscriber message.Subscriber
	var publisher message.Publisher
	router, _ := message.NewRouter(message.RouterConfig{}, nil)
	router.AddNoPublisherHandler("a", "paid", subscriber, handle)
	router.AddHandler("b", "lost", subscriber, "found", publisher, handle)
}
"#;

#[test]
fn messages_of_watermill_that_leave_the_process_are_events() {
    check_events(
        WATERMILL,
        &[],
        expect![[r#"
            mail consumes lost ?
            mail consumes paid ?
            mail publishes found ?
            orders publishes paid ?
        "#]],
    );
}
