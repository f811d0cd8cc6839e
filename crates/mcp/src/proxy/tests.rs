//! The proxy against a server whose every line is written by the test.

use std::future::pending;
use std::sync::Mutex;
use std::time::Duration;

use codeweft_ide::api::{ApiError, ErrorType};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, WriteHalf};
use tokio::net::UnixStream;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::*;

/// One end of a stream of lines.
struct End<S> {
    read: BufReader<ReadHalf<S>>,
    write: Option<WriteHalf<S>>,
}

impl<S: AsyncRead + AsyncWrite> End<S> {
    fn new(stream: S) -> End<S> {
        let (read, write) = tokio::io::split(stream);
        End {
            read: BufReader::new(read),
            write: Some(write),
        }
    }

    async fn raw(&mut self, text: &str) {
        let write = self.write.as_mut().expect("not closed");
        write.write_all(text.as_bytes()).await.expect("it reads");
    }

    async fn say(&mut self, message: Value) {
        self.raw(&format!("{message}\n")).await;
    }

    async fn ask(&mut self, id: impl Into<Value>, method: &str) {
        let params = match method {
            "initialize" => json!({"protocolVersion": "2025-06-18", "capabilities": {},
                                   "clientInfo": {"name": "test", "version": "0"}}),
            "tools/call" => json!({"name": "cortex_graph", "arguments": {}}),
            "resources/read" => json!({"uri": "graph://summary"}),
            "subscriptions/listen" => json!({"notifications": {"toolsListChanged": true}}),
            _ => json!({}),
        };
        let id = id.into();
        self.say(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
    }

    async fn send_progress(&mut self, method: &str) {
        self.say(json!({"jsonrpc": "2.0", "method": method})).await;
    }

    async fn answer(&mut self, id: impl Into<Value>, words: &str) {
        let id = id.into();
        self.say(json!({"jsonrpc": "2.0", "id": id, "result": {"words": words}}))
            .await;
    }

    /// Reads the next line; `None` at the end.
    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = timeout(Duration::from_secs(60), self.read.read_line(&mut line));
        match read.await.expect("in time").expect("UTF-8") {
            0 => None,
            _ => Some(line),
        }
    }

    async fn next(&mut self) -> Value {
        let line = self.line().await.expect("a line");
        serde_json::from_str(&line).expect("a message")
    }

    /// Asserts that the next message is this request.
    async fn expect(&mut self, id: impl Into<Value>, method: &str) {
        let message = self.next().await;
        assert_eq!(message["method"], method, "{message}");
        assert_eq!(message["id"], id.into(), "{message}");
    }

    async fn close(&mut self) {
        let mut write = self.write.take().expect("not closed yet");
        write.shutdown().await.expect("it can be closed");
    }
}

type Client = End<DuplexStream>;
type Server = End<UnixStream>;

fn start<C, F>(connect: C) -> (Client, JoinHandle<io::Result<()>>)
where
    C: FnOnce() -> F + Send + 'static,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let connect = Mutex::new(Some(connect));
    start_again(move || {
        let connect = connect.lock().expect("no panic").take();
        async move {
            match connect {
                Some(connect) => connect().await,
                None => Err(nowhere()),
            }
        }
    })
}

fn start_again<C, F>(connect: C) -> (Client, JoinHandle<io::Result<()>>)
where
    C: Fn() -> F + Send + 'static,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    (
        End::new(ours),
        tokio::spawn(run_proxy(read, write, connect)),
    )
}

/// The servers that a proxy gets, one after the other.
struct Servers(UnboundedSender<Result<UnixStream, ApiError>>);

impl Servers {
    /// Returns a client whose proxy waits for servers.
    fn new() -> (Client, Servers, JoinHandle<io::Result<()>>) {
        let (sender, receiver) = unbounded_channel();
        let receiver = Arc::new(tokio::sync::Mutex::new(receiver));
        let (client, running) = start_again(move || {
            let receiver = receiver.clone();
            async move { receiver.lock().await.recv().await.unwrap_or(Err(nowhere())) }
        });
        (client, Servers(sender), running)
    }

    fn next(&self) -> Server {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        self.0.send(Ok(ours)).expect("it runs");
        End::new(theirs)
    }

    fn fail(&self) {
        self.0.send(Err(nowhere())).expect("it runs");
    }
}

/// Returns a client and a server that is connected at once.
fn connected() -> (Client, Server, JoinHandle<io::Result<()>>) {
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    let (client, running) = start(move || async move { Ok(ours) });
    (client, End::new(theirs), running)
}

async fn ended(running: JoinHandle<io::Result<()>>) {
    running.await.expect("no panic").expect("no error");
}

fn nowhere() -> ApiError {
    ApiError::new(ErrorType::InvalidRequest, "no workspace", "use --root DIR")
}

#[tokio::test]
async fn built_in_requests_are_answered_without_a_server() {
    let (mut client, _running) = start(pending);
    client.ask(1, "initialize").await;
    assert_eq!(
        client.next().await["result"]["serverInfo"]["name"],
        "codeweft"
    );
    client.send_progress("notifications/initialized").await;
    client.ask("call", "tools/call").await;
    for (id, method) in [
        (2, "ping"),
        (3, "tools/list"),
        (4, "prompts/list"),
        (5, "resources/templates/list"),
        (7, "resources/list"),
    ] {
        client.ask(id, method).await;
        let answer = client.next().await;
        assert_eq!(answer["id"], id);
        assert!(answer.get("result").is_some(), "{answer}");
    }
    // There is no logging; rmcp answers so, without waiting for a server.
    client.ask(6, "logging/setLevel").await;
    assert_eq!(client.next().await["id"], 6);
}

#[tokio::test]
async fn messages_sent_before_there_is_a_server_reach_it_in_order() {
    let (ready, stream) = oneshot::channel();
    let (mut client, running) = start(|| async { stream.await.map_err(|_| nowhere()) });
    client.ask(1, "initialize").await;
    client.send_progress("notifications/initialized").await;
    client.ask(2, "tools/call").await;
    client.ask("3", "resources/read").await;
    client.ask(4, "tools/list").await;
    assert_eq!(client.next().await["id"], 1);
    assert_eq!(client.next().await["id"], 4);
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    ready.send(ours).expect("awaited");
    let mut server = End::new(theirs);
    server.expect("cw:init", "initialize").await;
    server
        .expect(Value::Null, "notifications/initialized")
        .await;
    server.expect(2, "tools/call").await;
    server.expect("3", "resources/read").await;
    // The answer to the proxy's own request is dropped, the others are forwarded.
    server.answer("cw:init", "hello").await;
    server.send_progress("notifications/progress").await;
    server.answer("3", "three").await;
    server.answer(2, "two").await;
    assert_eq!(client.next().await["method"], "notifications/progress");
    assert_eq!(client.next().await["result"]["words"], "three");
    assert_eq!(client.next().await["result"]["words"], "two");
    client.close().await;
    ended(running).await;
    assert_eq!(server.line().await, None);
}

#[tokio::test]
async fn nothing_is_connected_before_the_first_message() {
    let (begun, mut seen) = oneshot::channel();
    let (mut client, _running) = start(move || {
        begun.send(()).expect("looked for");
        pending()
    });
    tokio::task::yield_now().await;
    assert!(seen.try_recv().is_err());
    client.ask(1, "ping").await;
    client.next().await;
    seen.await.expect("begun");
}

#[tokio::test]
async fn a_notification_as_the_first_message_does_not_end_the_session() {
    let (mut client, mut server, running) = connected();
    client.send_progress("notifications/initialized").await;
    client.send_progress("notifications/cancelled").await;
    client.ask(1, "ping").await;
    assert_eq!(client.next().await["id"], 1);
    client.ask(2, "initialize").await;
    assert_eq!(client.next().await["id"], 2);
    server
        .expect(Value::Null, "notifications/initialized")
        .await;
    server.expect(Value::Null, "notifications/cancelled").await;
    server.expect("cw:init", "initialize").await;
    client.close().await;
    ended(running).await;
}

#[tokio::test]
async fn without_a_server_each_call_is_answered_with_the_reason() {
    let (mut client, running) = start(|| async { Err(nowhere()) });
    client.ask(1, "initialize").await;
    client.send_progress("notifications/initialized").await;
    // This one may wait for the connection, the next can no longer.
    for id in [2, 3] {
        client.ask(id, "tools/call").await;
        let answer = loop {
            let answer = client.next().await;
            if answer["id"] == id {
                break answer;
            }
        };
        assert_eq!(answer["result"]["isError"], true);
        let error = &answer["result"]["structuredContent"];
        assert_eq!(error["error_type"], "invalid_request");
        assert_eq!(error["fallback_suggestion"], "use --root DIR");
    }
    client.ask(4, "tools/list").await;
    assert_eq!(
        client.next().await["result"]["tools"][0]["name"],
        "cortex_graph"
    );
    client.close().await;
    ended(running).await;
}

#[tokio::test]
async fn many_calls_that_wait_for_a_missing_server_are_all_answered() {
    let (fail, failed) = oneshot::channel::<()>();
    let (mut client, _running) = start(|| async {
        let _ = failed.await;
        Err(nowhere())
    });
    client.ask(0, "initialize").await;
    assert_eq!(client.next().await["id"], 0);
    let calls = 500;
    let mut all: Vec<i64> = (1..=calls).collect();
    for id in &all {
        client.ask(*id, "tools/call").await;
    }
    fail.send(()).expect("awaited");
    for _ in 0..calls {
        let answer = client.next().await;
        assert_eq!(answer["result"]["isError"], true);
        all.retain(|id| answer["id"] != *id);
    }
    assert!(all.is_empty(), "{all:?}");
}

#[tokio::test]
async fn answers_in_flight_are_delivered_after_the_client_closes_its_end() {
    let (mut client, mut server, running) = connected();
    client.ask(1, "initialize").await;
    client.ask(2, "tools/call").await;
    client.ask(3, "tools/call").await;
    client
        .say(
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                    "params": {"requestId": 3}}),
        )
        .await;
    client.close().await;
    server.expect("cw:init", "initialize").await;
    server.expect(2, "tools/call").await;
    server.expect(3, "tools/call").await;
    server.expect(Value::Null, "notifications/cancelled").await;
    server.answer("cw:init", "hello").await;
    assert_eq!(client.next().await["id"], 1);
    assert!(!running.is_finished());
    // The cancelled request is not waited for.
    server.answer(2, "two").await;
    assert_eq!(client.next().await["result"]["words"], "two");
    ended(running).await;
    assert_eq!(client.line().await, None);
    assert_eq!(server.line().await, None);
}

#[tokio::test(start_paused = true)]
async fn answers_that_do_not_come_are_not_waited_for_forever() {
    let (mut client, _server, running) = connected();
    client.ask(1, "tools/call").await;
    client.close().await;
    let since = Instant::now();
    ended(running).await;
    assert_eq!(since.elapsed().as_secs(), 30);
    let (mut client, running) = start(pending);
    client.ask(1, "tools/call").await;
    client.close().await;
    let since = Instant::now();
    ended(running).await;
    assert_eq!(since.elapsed().as_secs(), 120);
}

#[tokio::test]
async fn an_invalid_message_is_reported_and_the_session_continues() {
    let (mut client, _server, running) = connected();
    client.raw("{\"jsonrpc\": nonsense\n\n").await;
    assert_eq!(client.next().await["error"]["code"], -32700);
    client.raw("[]\n").await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    client.raw(&format!("{}\n", "x".repeat(MAX_LINE))).await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    client.raw("{\"id\":1,\"method\":\"tools/call\"}\n").await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    client.ask(1, "ping").await;
    assert_eq!(client.next().await["id"], 1);
    // The last line needs no line end, and its answer is still delivered.
    client.raw("[]").await;
    client.close().await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    ended(running).await;
}

#[tokio::test]
async fn a_client_that_reads_nothing_does_not_block_the_proxy_forever() {
    let (ours, theirs) = tokio::io::duplex(256);
    let (read, write) = tokio::io::split(theirs);
    let (socket, far) = UnixStream::pair().expect("a pair");
    let socket = Mutex::new(Some(socket));
    let running = tokio::spawn(run_proxy(read, write, move || {
        let socket = socket.lock().expect("no panic").take();
        async move { socket.ok_or_else(nowhere) }
    }));
    let mut server: Server = End::new(far);
    let (read, mut write) = tokio::io::split(ours);
    let writing = tokio::spawn(async move {
        for id in 0..2000 {
            let lines = format!("[]\n{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
            write.write_all(lines.as_bytes()).await.expect("read");
        }
        write.shutdown().await.expect("closed");
    });
    // The queue is full by now, and only now it is read.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut lines = BufReader::new(read).lines();
    let (mut complaints, mut pings) = (0, 0);
    while let Some(line) = lines.next_line().await.expect("UTF-8") {
        if line.contains("error") {
            complaints += 1;
        } else {
            pings += 1;
        }
    }
    assert_eq!((complaints, pings), (2000, 2000));
    writing.await.expect("no panic");
    ended(running).await;
    assert_eq!(server.line().await, None);
}

#[tokio::test]
async fn another_server_gets_the_handshake_and_the_requests_without_an_answer() {
    let (mut client, servers, running) = Servers::new();
    let mut server = servers.next();
    client.ask(1, "initialize").await;
    assert_eq!(client.next().await["id"], 1);
    client.send_progress("notifications/initialized").await;
    for id in [5, 4, 3] {
        client.ask(id, "tools/call").await;
    }
    server.expect("cw:init", "initialize").await;
    server
        .expect(Value::Null, "notifications/initialized")
        .await;
    for id in [5, 4, 3] {
        server.expect(id, "tools/call").await;
    }
    server.answer("cw:init", "hello").await;
    server.answer(4, "four").await;
    assert_eq!(client.next().await["result"]["words"], "four");
    client
        .say(
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                    "params": {"requestId": 5}}),
        )
        .await;
    server.expect(Value::Null, "notifications/cancelled").await;
    client.ask(6, "tools/call").await;
    // Half a line is no answer.
    server.raw(r#"{"jsonrpc":"2.0","id":3,"#).await;
    drop(server);
    client.ask(7, "tools/call").await;
    let mut server = servers.next();
    server.expect("cw:init", "initialize").await;
    server
        .expect(Value::Null, "notifications/initialized")
        .await;
    for id in [3, 6, 7] {
        server.expect(id, "tools/call").await;
    }
    server.answer("cw:init", "hello").await;
    for (id, words) in [(7, "seven"), (3, "three"), (6, "six")] {
        server.answer(id, words).await;
        let answer = client.next().await;
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["words"], words);
    }
    client.close().await;
    ended(running).await;
    assert_eq!(client.line().await, None);
}

#[tokio::test]
async fn without_a_request_no_server_is_looked_for_until_the_next_one() {
    let (mut client, servers, running) = Servers::new();
    let server = servers.next();
    client.ask(1, "initialize").await;
    client.next().await;
    drop(server);
    servers.fail();
    for id in 2..100 {
        client.send_progress("notifications/initialized").await;
        client.ask(id, "ping").await;
        assert_eq!(client.next().await["id"], id);
    }
    // The failure is the answer to the next call, and the one after it finds a server.
    client.ask(100, "tools/call").await;
    let answer = client.next().await;
    assert_eq!(answer["id"], 100);
    let error = &answer["result"]["structuredContent"];
    assert_eq!(error["error_type"], "invalid_request");
    client.ask(101, "tools/call").await;
    let mut server = servers.next();
    server.expect("cw:init", "initialize").await;
    server
        .expect(Value::Null, "notifications/initialized")
        .await;
    server.expect(101, "tools/call").await;
    server.answer("cw:init", "hello").await;
    server.answer(101, "found").await;
    assert_eq!(client.next().await["result"]["words"], "found");
    client.close().await;
    ended(running).await;
}

#[tokio::test]
async fn a_request_under_which_two_servers_end_is_answered_with_an_error() {
    let (mut client, servers, running) = Servers::new();
    client.ask(1, "initialize").await;
    client.next().await;
    client.ask(2, "tools/call").await;
    for round in 0..2 {
        let mut server = servers.next();
        server.expect("cw:init", "initialize").await;
        server.expect(2, "tools/call").await;
        if round == 1 {
            client.ask(3, "tools/call").await;
            server.expect(3, "tools/call").await;
        }
    }
    let answer = client.next().await;
    assert_eq!(answer["id"], 2);
    let error = &answer["result"]["structuredContent"];
    assert_eq!(error["error_type"], "index_unavailable");
    let words = error["message"].as_str().expect("words");
    assert!(words.contains("and so did the next one"), "{words}");
    // The other request is no suspect yet.
    let mut server = servers.next();
    server.expect("cw:init", "initialize").await;
    server.expect(3, "tools/call").await;
    server.answer(3, "three").await;
    assert_eq!(client.next().await["result"]["words"], "three");
    client.close().await;
    ended(running).await;
}

#[tokio::test]
async fn a_client_that_has_closed_its_end_gets_its_answers_from_another_server() {
    let (mut client, servers, running) = Servers::new();
    let mut server = servers.next();
    client.ask(2, "tools/call").await;
    server.expect(2, "tools/call").await;
    client.close().await;
    drop(server);
    let mut server = servers.next();
    server.expect(2, "tools/call").await;
    server.answer(2, "two").await;
    assert_eq!(client.next().await["result"]["words"], "two");
    ended(running).await;
    assert_eq!(client.line().await, None);
}

const OTHER_TOOLS: &str = "notifications/tools/list_changed";

#[tokio::test]
async fn the_server_lists_the_tools_once_it_has_said_that_there_are_others() {
    let (mut client, servers, _) = Servers::new();
    client.ask(1, "initialize").await;
    assert_eq!(client.next().await["id"], 1);
    let mut server = servers.next();
    server.expect("cw:init", "initialize").await;
    server.answer("cw:init", "x").await;
    client.ask(2, "tools/list").await;
    let list = client.next().await;
    assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(3));
    server.send_progress(OTHER_TOOLS).await;
    assert_eq!(client.next().await["method"], OTHER_TOOLS);
    client.ask(3, "tools/list").await;
    server.expect(3, "tools/list").await;
    server.answer(3, "nine").await;
    assert_eq!(client.next().await["result"]["words"], "nine");
}

#[tokio::test]
async fn a_choice_of_tools_is_listed_whatever_the_server_lists() {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let choice = ToolChoice::parse("all").expect("a choice");
    let (near, far) = UnixStream::pair().expect("a pair");
    let near = Mutex::new(Some(near));
    tokio::spawn(run_proxy_with(choice, read, write, move || {
        let near = near.lock().expect("no panic").take().ok_or_else(nowhere);
        async move { near }
    }));
    let (mut client, mut server) = (End::new(ours), End::new(far));
    client.ask(1, "initialize").await;
    assert_eq!(client.next().await["id"], 1);
    server.expect("cw:init", "initialize").await;
    server.send_progress(OTHER_TOOLS).await;
    server.answer("cw:init", "x").await;
    client.ask(2, "tools/list").await;
    let list = client.next().await;
    assert_eq!(list["result"]["tools"].as_array().map(Vec::len), Some(10));
}

#[tokio::test]
async fn a_client_without_a_handshake_is_notified_only_of_what_it_has_subscribed_to() {
    let (mut client, servers, running) = Servers::new();
    client.ask(1, "subscriptions/listen").await;
    let mut server = servers.next();
    server.expect(1, "subscriptions/listen").await;
    server.send_progress(OTHER_TOOLS).await;
    let meta = json!({"io.modelcontextprotocol/subscriptionId": 1});
    server
        .say(json!({"jsonrpc": "2.0", "method": OTHER_TOOLS, "params": {"_meta": meta}}))
        .await;
    assert_eq!(client.next().await["params"]["_meta"], meta);
    client.ask(2, "tools/list").await;
    server.expect(2, "tools/list").await;
    server.answer(2, "nine").await;
    assert_eq!(client.next().await["result"]["words"], "nine");
    // A subscription is not waited for at the end.
    let since = Instant::now();
    client.close().await;
    running.await.expect("no panic").expect("no error");
    assert!(since.elapsed() < Duration::from_secs(20));
}
