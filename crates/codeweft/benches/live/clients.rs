//! An editor and an agent on one host: in this process over socket pairs, or as processes over
//! pipes.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use codeweft_testing::clients::{Agent, Editor, Sandbox};
use codeweft_workspace::{AnalysisHost, HostOptions, HostState};
use serde_json::json;

#[path = "../../tests/fixture/in_process.rs"]
mod in_process;

/// An editor and an agent on one workspace.
pub struct ClientPair {
    pub editor: Editor,
    pub agent: Agent,
    pub server: ServerKind,
}

/// The server of a pair of clients.
pub enum ServerKind {
    /// A host in this process.
    Here(AnalysisHost),
    /// A server process, started by the first of two proxies.
    Server(Box<Sandbox>),
}

/// Returns both clients on a loaded host in this process.
pub fn in_process(root: &Path) -> Result<ClientPair, String> {
    let host = host(root)?;
    let (editor, agent) = on(&host).map_err(|error| error.to_string())?;
    Ok(ClientPair {
        editor,
        agent,
        server: ServerKind::Here(host),
    })
}

/// Returns a loaded host that has read everything: edits are measured as during work, not during a start.
pub fn host(root: &Path) -> Result<AnalysisHost, String> {
    let options = HostOptions {
        root: root.to_owned(),
        settings: Default::default(),
        variables: None,
        threads: 0,
        watch: true,
        cache: None,
        cookies: None,
    };
    let host = AnalysisHost::start(options).map_err(|error| error.to_string())?;
    loop {
        match host.state() {
            HostState::Loading(_) => thread::sleep(Duration::from_millis(20)),
            HostState::Ready if is_primed(&host.stats()) => return Ok(host),
            HostState::Ready => thread::sleep(Duration::from_millis(100)),
            HostState::Failed(words) => return Err(words),
        }
    }
}

/// Returns the figures of the server of a sandbox.
pub fn stats_of(site: &Sandbox) -> io::Result<serde_json::Value> {
    let mut command = site.command(&["stats", "--json", "--root"]);
    let output = command.arg(site.root()).stderr(Stdio::null()).output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Returns whether a server with these figures has read everything ahead of questions.
pub fn is_primed(stats: &serde_json::Value) -> bool {
    stats["to_prime"].as_u64() > Some(0) && stats["primed"] == stats["to_prime"]
}

/// Returns both clients on a host in this process, their handshakes done.
pub fn on(host: &AnalysisHost) -> io::Result<(Editor, Agent)> {
    let mut editor = in_process::editor_on(host, "utf-8")?;
    editor.initialize(host.root(), &["utf-8"])?;
    let mut agent = in_process::agent_on(host)?;
    agent.initialize()?;
    Ok((editor, agent))
}

/// Returns two proxies on a server that the first of them starts; loaded when this returns.
pub fn processes(root: &Path) -> Result<ClientPair, String> {
    let words = |error: io::Error| error.to_string();
    let mut site = Sandbox::new(env!("CARGO_BIN_EXE_codeweft"), root).map_err(words)?;
    let (mut editor, _) = site.editor(&[]).map_err(words)?;
    let shown = root.to_str().unwrap_or_default();
    editor.initialize(shown, &["utf-8"]).map_err(words)?;
    let (mut agent, _) = site.agent(&[]).map_err(words)?;
    agent.initialize().map_err(words)?;
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let asked = agent.call(json!({"operation": "definition", "target": "no.such.thing"}));
        match asked.map_err(words)?.structured["error_type"].as_str() {
            Some("target_not_found") if is_primed(&stats_of(&site).map_err(words)?) => break,
            _ if Instant::now() > deadline => return Err("the server does not load".to_owned()),
            _ => thread::sleep(Duration::from_millis(100)),
        }
    }
    Ok(ClientPair {
        editor,
        agent,
        server: ServerKind::Server(Box::new(site)),
    })
}
