//! The tools: questions to the knowledge graph, as plain data in and out.

mod boundaries;
mod context_text;
mod error;
mod events;
mod impact;
mod map;
mod neighborhood;
mod neighbours;
mod overview;
mod request;
mod search;
mod search_index;
mod service_context;
mod table;
mod text;
mod tokens;
mod whole_graph;

pub use boundaries::{
    BoundariesRequest, MisplacedFile, ServiceBoundaries, ServiceCoupling,
    validate_service_boundaries,
};
pub use context_text::MAX_CONTEXT_TOKENS;
pub use error::ToolError;
pub use events::{CheckedEvent, EventCheck, EventsRequest, check_cross_service_events};
pub use impact::{
    CrossServiceImpact, ImpactRequest, ImpactedContract, ImpactedEntity, ImpactedService,
    find_cross_service_impact,
};
pub use map::{
    KnowledgeMap, MapRequest, MappedCall, MappedEndpoint, MappedEntity, MappedService,
    knowledge_map,
};
pub use neighborhood::{Neighborhood, NeighborhoodRequest, PrintedEdge, query_graph_neighborhood};
pub use overview::{BuildRequest, GraphOverview, overview};
pub use request::{KnowledgeAnswer, KnowledgeRequest, KnowledgeResponse};
pub use search::{SearchAnswer, SearchRequest, SearchResult, hybrid_search};
pub use search_index::SearchIndex;
pub use service_context::{
    ConsumedEndpoint, ConsumedEvent, OwnedEntity, ProvidedEndpoint, PublishedEvent,
    ReferencedEntity, ServiceContext, ServiceContextRequest, get_service_context,
};
pub use table::{TOOLS, ToolField, ToolFieldKind, ToolRow};
pub use text::knowledge_text;
pub use tokens::{TokenCounter, count_tokens, load_vocabulary};
pub use whole_graph::{WholeGraph, WholeGraphRequest, whole_graph};
