//! The flow of values inside a scope: which node a local name has at each point, joined where paths
//! meet.
//!
//! Lowering walks the statements in execution order and keeps an [`Env`] of the current node of
//! each local. A branch copies the environment, and [`PythonLowering::join`] merges the copies:
//!
//! ```python
//! if isinstance(x, C):    # x: Narrow { x, C, true }
//!     y = 1               # y: 1
//! else:                   # x: Narrow { x, C, false }
//!     y = f()             # y: Call f
//!                         # joined: y is Phi[1, Call f]; both outcomes of one test give `x` back
//! ```
//!
//! A loop starts with an empty [`Node::Phi`] for each local that its statement binds, since the
//! value may come from the previous iteration. The phis are filled at the end of the loop:
//!
//! ```python
//! x = a
//! while c:        # x: Phi[a, Call g]
//!     x = g(x)    # the call reads the phi; the call is its back edge
//! ```
//!
//! A `try` logs its bindings: a handler may see the value from before, or any of those bound in the
//! body ([`PythonLowering::failure_env`]).

use super::ir::*;
use super::walk::PythonLowering;

/// The node of a local that no binding reaches.
pub(super) const UNBOUND: NodeId = NONE;

/// A phi is not merged into another one if the result had more values than this.
const MAX_JOINED: usize = 12;

/// The nodes of the locals at one point, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    pub(super) values: Vec<NodeId>,
    /// Whether the point is unreachable.
    pub(super) dead: bool,
}

/// The phis at the head of a loop, to be filled when its back edges are known.
pub(super) struct LoopHead {
    /// Slot, phi, and the value before the loop.
    phis: Vec<(u32, NodeId, NodeId)>,
}

/// The environments at the `break` and `continue` statements of a loop.
#[derive(Default)]
pub(super) struct LoopExits {
    pub(super) breaks: Vec<Env>,
    pub(super) continues: Vec<Env>,
}

impl PythonLowering<'_, '_> {
    /// Binds a slot to a value in the current environment.
    pub(super) fn bind_slot(&mut self, slot: u32, value: NodeId) {
        if let Some(current) = self.env.values.get_mut(slot as usize) {
            *current = value;
            if let Some(log) = self.try_logs.last_mut() {
                log.push((slot, value));
            }
        }
    }

    /// Returns the environment at a point where several paths meet. Unreachable paths do not count;
    /// if all are, the result is unreachable and keeps the values of the first.
    pub(super) fn join(&mut self, paths: Vec<Env>) -> Env {
        let mut live: Vec<Env> = Vec::with_capacity(paths.len());
        let mut dead = None;
        for path in paths {
            if !path.dead {
                live.push(path);
            } else if dead.is_none() {
                dead = Some(path);
            }
        }
        let mut live = live.into_iter();
        let Some(mut joined) = live.next() else {
            return dead.unwrap_or_default();
        };
        let others: Vec<Env> = live.collect();
        if others.is_empty() {
            return joined;
        }
        let mut values = Vec::new();
        for slot in 0..joined.values.len() {
            let first = joined.values[slot];
            let at = |env: &Env| env.values.get(slot).copied().unwrap_or(UNBOUND);
            if others.iter().all(|other| at(other) == first) {
                continue;
            }
            values.clear();
            values.push(first);
            values.extend(others.iter().map(at));
            joined.values[slot] = self.phi(&mut values);
        }
        joined
    }

    /// Returns the node that may be any of `values`: the only distinct value, or a phi. Clobbers
    /// `values`.
    pub(super) fn phi(&mut self, values: &mut Vec<NodeId>) -> NodeId {
        self.flatten(values);
        let mut seen = 0;
        for at in 0..values.len() {
            let value = values[at];
            if value != UNBOUND && !values[..seen].contains(&value) {
                values[seen] = value;
                seen += 1;
            }
        }
        values.truncate(seen);
        if values.len() > 1 {
            self.merge_narrowed(values);
        }
        match values[..] {
            [] => UNBOUND,
            [only] => only,
            _ => {
                let list = self.list(values);
                self.push(Node::Phi(list))
            }
        }
    }

    /// Replaces small phis among the values by their operands.
    fn flatten(&self, values: &mut Vec<NodeId>) {
        let mut at = 0;
        let mut taken: Vec<NodeId> = Vec::new();
        while at < values.len() && values.len() < MAX_JOINED {
            let inner = match self.nodes.get(values[at] as usize) {
                // The phi of a loop is empty until the loop ends.
                Some(&Node::Phi(list)) if list != 0 => self.list_of(list),
                _ => &[],
            };
            // Phis of nested loops may contain each other.
            if inner.is_empty()
                || inner.len() + values.len() > MAX_JOINED
                || taken.contains(&values[at])
            {
                at += 1;
            } else {
                taken.push(values[at]);
                values.splice(at..=at, inner.iter().copied());
            }
        }
    }

    /// Removes narrowings that the join makes void: a narrowed value beside the value itself is
    /// dropped, and the two outcomes of one test become the tested value.
    fn merge_narrowed(&self, values: &mut Vec<NodeId>) {
        loop {
            let pair = values.iter().enumerate().find_map(|(at, &value)| {
                let (base, other) = self.opposite(value)?;
                let found = values
                    .iter()
                    .position(|&one| self.nodes[one as usize] == other)?;
                Some((at.min(found), at.max(found), base))
            });
            let Some((first, second, base)) = pair else {
                break;
            };
            values.remove(second);
            values[first] = base;
            if let Some(repeated) = values.iter().rposition(|&value| value == base)
                && repeated != first
            {
                values.remove(repeated.max(first));
            }
        }
        let all = values.clone();
        values.retain(|&value| {
            let mut base = value;
            while let Some(inner) = self.narrowed(base) {
                if all.contains(&inner) {
                    return false;
                }
                base = inner;
            }
            true
        });
    }

    /// Returns the value under a narrowing.
    pub(super) fn narrowed(&self, value: NodeId) -> Option<NodeId> {
        match self.nodes.get(value as usize)? {
            Node::Narrow { value, .. } | Node::NotNone { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// Returns the value under a narrowing, and the node of the other outcome of its test.
    fn opposite(&self, value: NodeId) -> Option<(NodeId, Node)> {
        match *self.nodes.get(value as usize)? {
            Node::Narrow {
                value,
                class,
                holds,
            } => Some((
                value,
                Node::Narrow {
                    value,
                    class,
                    holds: !holds,
                },
            )),
            Node::NotNone { value, holds } => Some((
                value,
                Node::NotNone {
                    value,
                    holds: !holds,
                },
            )),
            _ => None,
        }
    }

    /// Begins a loop whose statement is the flat nodes `start..end`: each local bound there gets a
    /// phi, since its value may come from the previous iteration.
    pub(super) fn enter_loop(&mut self, start: u32, end: u32) -> LoopHead {
        let slots = self.scope().bound_in(start, end);
        let mut phis = Vec::with_capacity(slots.len());
        for slot in slots {
            let Some(&before) = self.env.values.get(slot as usize) else {
                continue;
            };
            let phi = self.push(Node::Phi(0));
            self.env.values[slot as usize] = phi;
            phis.push((slot, phi, before));
        }
        self.loops.push(LoopExits::default());
        LoopHead { phis }
    }

    /// Ends a loop: the current path and those of `continue` return to its head. Returns the paths
    /// of `break`.
    pub(super) fn leave_loop(&mut self, head: &LoopHead) -> Vec<Env> {
        let exits = self.loops.pop().unwrap_or_default();
        let mut back = exits.continues;
        back.push(self.env.clone());
        back.retain(|env| !env.dead);
        let mut values = Vec::new();
        for &(slot, phi, before) in &head.phis {
            values.clear();
            values.push(before);
            for env in &back {
                values.push(env.values.get(slot as usize).copied().unwrap_or(UNBOUND));
            }
            let mut kept: Vec<NodeId> = Vec::new();
            for &value in &values {
                if value != UNBOUND && value != phi && !kept.contains(&value) {
                    kept.push(value);
                }
            }
            let list = self.list(&kept);
            self.nodes[phi as usize] = Node::Phi(list);
        }
        exits.breaks
    }

    /// Begins a part of a `try` statement whose bindings its handlers may see.
    pub(super) fn enter_try(&mut self) {
        self.try_logs.push(Vec::new());
    }

    /// Ends such a part and returns the bindings made in it.
    pub(super) fn leave_try(&mut self) -> Vec<(u32, NodeId)> {
        let log = self.try_logs.pop().unwrap_or_default();
        if let Some(outer) = self.try_logs.last_mut() {
            outer.extend(log.iter().copied());
        }
        log
    }

    /// Returns the environment after an exception somewhere between `before` and the last binding
    /// of `log`: each slot has its old value or any of the logged ones.
    pub(super) fn failure_env(&mut self, before: &Env, log: &[(u32, NodeId)]) -> Env {
        let mut env = before.clone();
        let mut slots: Vec<u32> = log.iter().map(|&(slot, _)| slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let mut log: Vec<(u32, NodeId)> = log.to_vec();
        log.sort_by_key(|&(slot, _)| slot);
        for slot in slots {
            let Some(&value) = env.values.get(slot as usize) else {
                continue;
            };
            let first = log.partition_point(|&(other, _)| other < slot);
            let mut values = vec![value];
            values.extend(
                log[first..]
                    .iter()
                    .take_while(|&&(other, _)| other == slot)
                    .map(|&(_, value)| value),
            );
            env.values[slot as usize] = self.phi(&mut values);
        }
        env
    }
}
