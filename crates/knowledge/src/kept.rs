//! The graph of the last revision that a question was about, kept for the next.
//!
//! ```text
//! same revision, same settings ............ the graph
//! else facts are read; equal ones ......... the graph, for this revision too
//!      others ............................. a new graph
//!           nodes and edges as before ..... with the ranks from before
//!           others ........................ with new ranks
//! ```
//!
//! Nothing kept can change an answer: the graph is a function of the facts, and the ranks of nodes and edges.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use codeweft_db::Db as _;

use crate::build::{Before, Built, graph_of, ranked};
use crate::code_layer::CodeLayer;
use crate::facts::{Facts, GraphSource, read};
use crate::graph::Graph;
use crate::settings::KnowledgeSettings;
use crate::tools::SearchIndex;
use crate::wires::EvaluatedWires;

/// The age from which a graph is built anew even for a client that takes one of equal facts.
pub const MAX_AGE: Duration = Duration::from_mins(5);

/// The graph of the last revision that a question was about.
#[derive(Default)]
pub struct KeptGraph(Mutex<Option<Arc<BuiltGraph>>>);

/// A graph, and what it was built of.
pub struct BuiltGraph {
    /// The graph.
    pub graph: Arc<Graph>,
    /// How long it took, in milliseconds.
    pub build_time_ms: u64,
    /// When.
    built_at: Instant,
    /// The last revision that it is known to be of, and the root under which it was built.
    revision: u64,
    root: String,
    facts: Arc<Facts>,
    /// The nodes and edges of the code.
    layer: Arc<CodeLayer>,
    /// The wires of the code, with what was read for them.
    wires: Arc<EvaluatedWires>,
    /// The words of the graph, once a search needed them.
    search: Arc<OnceLock<SearchIndex>>,
    /// Whether the ranks are those of the graph before.
    has_kept_ranks: bool,
    has_kept_code: bool,
    has_kept_wires: bool,
}

impl BuiltGraph {
    /// Returns whether the ranks were taken over from the graph before.
    pub fn has_kept_ranks(&self) -> bool {
        self.has_kept_ranks
    }

    /// Returns whether the nodes and edges of the code were taken over from the graph before, but for packages with edits.
    pub fn has_kept_code(&self) -> bool {
        self.has_kept_code
    }

    /// Returns whether the routes, events and requests of the code were taken over from the graph before.
    pub fn has_kept_wires(&self) -> bool {
        self.has_kept_wires
    }

    /// Returns the words of the graph.
    pub(crate) fn search_index(&self) -> &SearchIndex {
        self.search.get_or_init(|| SearchIndex::of(&self.graph))
    }

    fn is_of(&self, revision: u64, root: &str, settings: &KnowledgeSettings) -> bool {
        self.revision == revision && self.root == root && self.facts.settings == *settings
    }
}

impl KeptGraph {
    /// Returns the graph of a revision. The result is that of [`crate::build()`].
    pub fn graph(&self, revision: u64, source: &GraphSource<'_>) -> Arc<BuiltGraph> {
        let last = self.last();
        if let Some(last) = &last
            && last.is_of(revision, source.root, source.settings)
        {
            return last.clone();
        }
        let started = Instant::now();
        let mut facts = read(source, last.as_ref().map(|last| &*last.facts));
        let same = last.as_ref().filter(|last| {
            let is_same_root = last.root == source.root;
            is_same_root && facts.are_same(&last.facts) && last.wires.is_same(source.db)
        });
        if let Some(last) = same {
            facts.services.clone_from(&last.facts.services);
        }
        let built = match same {
            Some(last) => BuiltGraph {
                graph: last.graph.clone(),
                build_time_ms: last.build_time_ms,
                built_at: last.built_at,
                layer: last.layer.clone(),
                wires: last.wires.clone(),
                search: last.search.clone(),
                has_kept_ranks: true,
                has_kept_code: true,
                has_kept_wires: true,
                ..of(revision, source, facts)
            },
            None => finished(started, revision, source, facts, last.as_deref()),
        };
        self.keep(source, built)
    }

    /// Builds the graph of a revision anew, from the results of queries alone.
    pub fn rebuilt(&self, revision: u64, source: &GraphSource<'_>) -> Arc<BuiltGraph> {
        let started = Instant::now();
        let facts = read(source, None);
        self.keep(source, finished(started, revision, source, facts, None))
    }

    /// Returns the graph of a revision, built anew unless the kept one is under [`MAX_AGE`] old and of equal facts.
    pub fn recent(&self, revision: u64, source: &GraphSource<'_>) -> Arc<BuiltGraph> {
        let built = self.graph(revision, source);
        if built.built_at.elapsed() < MAX_AGE {
            built
        } else {
            self.rebuilt(revision, source)
        }
    }

    fn last(&self) -> Option<Arc<BuiltGraph>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.clone()
    }

    /// Keeps a graph, unless one of a later revision is kept already.
    fn keep(&self, source: &GraphSource<'_>, built: BuiltGraph) -> Arc<BuiltGraph> {
        let built = Arc::new(built);
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last
            .as_ref()
            .is_none_or(|last| last.revision <= built.revision)
        {
            let before = last.replace(built.clone());
            drop(last);
            // Large graphs are dropped off the threads that answer.
            source.db.shared().defer_drop(before);
        }
        built
    }
}

fn of(revision: u64, source: &GraphSource<'_>, facts: Facts) -> BuiltGraph {
    BuiltGraph {
        graph: Arc::default(),
        build_time_ms: 0,
        built_at: Instant::now(),
        revision,
        root: source.root.to_owned(),
        facts: Arc::new(facts),
        layer: Arc::default(),
        wires: Arc::default(),
        search: Arc::default(),
        has_kept_ranks: false,
        has_kept_code: false,
        has_kept_wires: false,
    }
}

/// Builds the graph of facts, which were read beside those of `last`, with its ranks if it has the same nodes and edges.
fn finished(
    started: Instant,
    revision: u64,
    source: &GraphSource<'_>,
    mut facts: Facts,
    last: Option<&BuiltGraph>,
) -> BuiltGraph {
    let before = last.map(|last| Before {
        facts: &last.facts,
        layer: &last.layer,
        wires: &last.wires,
    });
    let Built {
        mut graph,
        layer,
        wires,
        has_kept_code,
    } = graph_of(source.db, &mut facts, before.as_ref());
    let has_kept_wires = last.is_some_and(|last| Arc::ptr_eq(&last.wires, &wires));
    let last = last.filter(|last| last.graph.has_topology_of(&graph));
    let has_kept_ranks = last.is_some();
    match last {
        Some(last) => graph.take_ranks(&last.graph),
        None => graph = ranked(source.db, graph),
    }
    BuiltGraph {
        graph: Arc::new(graph),
        layer,
        wires,
        build_time_ms: started.elapsed().as_millis() as u64,
        has_kept_ranks,
        has_kept_code,
        has_kept_wires,
        ..of(revision, source, facts)
    }
}
