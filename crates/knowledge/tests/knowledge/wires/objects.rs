//! Events whose channel is a field of an object: the program publishes that chooses the object.

use expect_test::expect;

use super::check_events;

/// A sender of messages with a topic of its own, settings that topics come from, and two programs that make senders.
const SENDER: &str = r#"
//- compose.yaml
services:
  one: {build: ., command: python one.py}
  two: {build: ., command: python two.py}
//- Dockerfile
FROM x
//- lib/settings.py
import os

from app_common_python import KafkaTopics


class Settings:
    def __init__(self):
        def named(topic):
            found = KafkaTopics.get(topic)
            return found.name

        self.paid_topic = os.environ.get("PAID", "paid")
        self.lost_topic = named("lost")
//- lib/sender.py
from confluent_kafka import Producer


class Silent:
    def __init__(self, settings, topic):
        self.topic = topic

    def send(self, text): ...


class Sender:
    def __init__(self, settings, topic):
        self._producer = Producer(settings)
        self.topic = topic

    def send(self, text):
        topic = self.topic
        self._producer.produce(topic=topic, value=text)


def sender(settings, topic):
    if settings.silent:
        return Silent(settings, topic)
    return Sender(settings, topic)


def setup():
    settings = Settings()
    return sender(settings, settings.paid_topic), sender(settings, settings.lost_topic)
//- lib/report.py
def report(sender, text):
    sender.send(text)


def report_all(sender):
    for text in ["a", "b"]:
        report(sender, text)
"#;

#[test]
fn of_two_objects_of_one_type_each_publishes_on_the_topic_that_it_was_made_with() {
    let sender = SENDER.replace(
        "from confluent_kafka import Producer\n",
        "from confluent_kafka import Producer\nfrom lib.settings import Settings\n",
    );
    check_events(
        &format!(
            r#"{sender}
//- one.py
from lib.report import report_all
from lib.sender import setup


def main():
    paid, lost = setup()
    report_all(lost)


if __name__ == "__main__":
    main()
//- two.py
from lib.report import report
from lib.sender import setup


class Shop:
    def __init__(self, paid, lost):
        self.paid = paid
        self.lost = lost

    def run(self):
        report(self.paid, "x")


kinds = {{"shop": Shop}}
shop = kinds["shop"](*setup())
paid, lost = setup()
Shop(paid, lost).run()
"#
        ),
        &[],
        expect![[r#"
            one publishes lost ?
            two publishes paid ?
        "#]],
    );
}

#[test]
fn an_object_in_an_attribute_of_a_library_is_found_where_the_attribute_is_read() {
    check_events(
        r#"
//- main.py
import flask
from confluent_kafka import Consumer, Producer, TopicPartition
from flask import current_app


class Settings:
    def __init__(self):
        self.paid_topic = "paid"
        self.read_topic = "read"


class Sender:
    def __init__(self, topic):
        self.topic = topic

    def send(self, text):
        Producer({}).produce(self.topic, text)


def create(settings: Settings):
    app = flask.Flask("x")
    app.paid_sender = Sender(settings.paid_topic)
    app.lost_sender = Sender("lost")
    app.config["SETTINGS"] = settings
    return app


def pay():
    current_app.paid_sender.send("x")


def read():
    settings = current_app.config["SETTINGS"]
    parts = []
    for number in range(3):
        parts.append(TopicPartition(settings.read_topic, number))
    consumer = Consumer({})
    consumer.assign(parts)
"#,
        &[],
        expect![[r#"
            shop consumes read ?
            shop publishes paid ?
        "#]],
    );
}

#[test]
fn code_that_no_program_imports_is_run_by_the_application_among_them() {
    check_events(
        r#"
//- compose.yaml
services:
  web: {build: ., command: 'gunicorn run:app'}
  job: {build: ., command: python job.py}
//- Dockerfile
FROM x
//- run.py
app = 1
//- job.py
x = 1
//- api/pay.py
from aiokafka import AIOKafkaProducer


def pay(producer: AIOKafkaProducer):
    producer.send("paid", 1)
"#,
        &[],
        expect![[r#"
            web publishes paid ?
        "#]],
    );
}

#[test]
fn a_client_of_a_library_is_known_beside_a_type_of_the_workspace_with_the_same_method() {
    check_events(
        r#"
//- main.py
from confluent_kafka import Consumer


class Silent:
    def subscribe(self, topics): ...


def consumer(settings):
    if settings.off:
        return Silent()
    made = Consumer({"group.id": settings.group, **settings.more})
    return made


def main():
    consumer(None).subscribe(["paid"])
"#,
        &[],
        expect![[r#"
            shop consumes paid ?
        "#]],
    );
}

#[test]
fn of_programs_that_share_a_folder_none_runs_a_function_that_none_calls() {
    check_events(
        r#"
//- compose.yaml
services:
  one: {build: ., command: python one.py}
  two: {build: ., command: python two.py}
//- Dockerfile
FROM x
//- one.py
import lib.bus
//- two.py
from lib.bus import lose

lose()
//- lib/bus.py
from confluent_kafka import Producer


def pay():
    Producer({}).produce("paid", "x")


def lose():
    Producer({}).produce("lost", "x")
"#,
        &[],
        expect![[r#"
            two publishes lost ?
        "#]],
    );
}

/// A reader of messages whose kinds do different things with them, and two programs.
const READERS: &str = r#"
//- compose.yaml
services:
  mute: {build: ., command: python mute.py}
  loud: {build: ., command: python loud.py}
//- Dockerfile
FROM x
//- lib/sender.py
from confluent_kafka import Producer


class Sender:
    def __init__(self, topic):
        self.topic = topic

    def send(self, text):
        Producer({}).produce(self.topic, text)


def note():
    Producer({}).produce("notes", "x")
//- lib/readers.py
from lib.sender import note


class Reader:
    def __init__(self, sender):
        self.sender = sender

    def run(self):
        self.finish()

    def finish(self): ...


class Loud(Reader):
    def finish(self):
        self.sender.send("x")
        note()


class Mute(Reader):
    def finish(self): ...
//- mute.py
from lib.readers import Mute

Mute(None).run()
//- loud.py
from lib.readers import Loud
from lib.sender import Sender

Loud(Sender("paid")).run()
"#;

#[test]
fn a_method_that_a_base_calls_is_run_for_objects_of_the_type_that_has_it() {
    check_events(
        READERS,
        &[],
        expect![[r#"
            loud publishes notes ?
            loud publishes paid ?
        "#]],
    );
}

#[test]
fn the_callers_of_a_function_that_an_unknown_decorator_wraps_are_known() {
    let sender = SENDER.replace(
        "from confluent_kafka import Producer\n",
        "from confluent_kafka import Producer\nfrom lib.settings import Settings\n",
    );
    check_events(
        &format!(
            r#"{sender}
//- one.py
from prometheus_client import Counter

from lib.report import report
from lib.sender import setup

failures = Counter("x", "y")


@failures.count_exceptions()
def run(sender):
    report(sender, "x")


def main():
    paid, _ = setup()
    run(paid)


if __name__ == "__main__":
    main()
//- two.py
x = 1
"#
        ),
        &[],
        expect![[r#"
            one publishes paid ?
        "#]],
    );
}
