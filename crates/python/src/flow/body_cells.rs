//! The cells of the nodes of a run's body, and back: as they were read, or as a body is after an edit ([`super::extension`]).

use codeweft_python_syntax::NodeId;

use super::cells::{CellId, NOWHERE};
use super::solver::State;
use super::values::InstanceId;

/// Returns the cell of a node of the body of a run; [`NOWHERE`] for one of another body.
pub(super) fn body_cell(state: &State, instance: InstanceId, node: NodeId) -> CellId {
    let run = &state.instances[instance as usize];
    let extended = state.extended.as_ref();
    if let Some(cell) = extended.and_then(|extended| extended.cell(instance, run, node)) {
        return cell;
    }
    match node.checked_sub(run.first_node) {
        Some(at) if run.base + at < run.params => run.base + at,
        _ => NOWHERE,
    }
}

/// Returns the nodes of the body of a run, each with its cell.
pub(super) fn body_nodes(state: &State, instance: InstanceId) -> Vec<(NodeId, CellId)> {
    let run = &state.instances[instance as usize];
    let extended = state.extended.as_ref();
    let nodes = extended.and_then(|extended| extended.nodes_of(instance, run));
    nodes.unwrap_or_else(|| (run.first_node..).zip(run.base..run.params).collect())
}

/// Returns the run and the node of a cell, if it is that of a node of a body.
pub(super) fn node_of(state: &State, cell: CellId) -> Option<(InstanceId, NodeId)> {
    if let Some(extended) = &state.extended
        && let Some(found) = extended.node_of(cell, &state.instances)
    {
        return Some(found);
    }
    let after = state.instances.partition_point(|run| run.base <= cell);
    let instance = after.checked_sub(1)?;
    let run = &state.instances[instance];
    let is_node = (run.base..run.params).contains(&cell);
    is_node.then(|| (instance as InstanceId, run.first_node + (cell - run.base)))
}

/// Returns whether a cell is a parameter of a run. A container there is `*args` or `**kwargs`.
pub(super) fn is_parameter(state: &State, cell: CellId) -> bool {
    let after = state.instances.partition_point(|run| run.base <= cell);
    let run = after.checked_sub(1).map(|at| state.instances[at]);
    run.is_some_and(|run| (run.params..run.result).contains(&cell))
}
