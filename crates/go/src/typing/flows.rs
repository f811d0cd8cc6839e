//! How values flow through the variables of bodies (design: the flow graph of variables).

use codeweft_db::{FlowEdge, FlowInstance, FlowSite, FlowSource, Flows};

/// The flow of values as it is found.
#[derive(Default)]
pub struct FlowRecord {
    edges: Vec<FlowEdge>,
    sources: Vec<FlowSource>,
    sites: Vec<FlowSite>,
    instances: Vec<FlowInstance>,
}

impl FlowRecord {
    /// The fragment, each list sorted and distinct.
    pub fn take(&mut self) -> Flows {
        fn distinct<T: Ord>(list: &mut Vec<T>) -> Box<[T]> {
            let mut list = std::mem::take(list);
            list.sort_unstable();
            list.dedup();
            list.into()
        }
        Flows {
            edges: distinct(&mut self.edges),
            sources: distinct(&mut self.sources),
            sites: distinct(&mut self.sites),
            instances: distinct(&mut self.instances),
        }
    }
}
