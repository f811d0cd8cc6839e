//! The flow of values inside a scope: which node each local name stands for at a place, joined
//! where paths meet.

use super::ir::*;
use super::walk::PythonLowering;

/// A local that no binding reaches.
pub(super) const UNBOUND: NodeId = NONE;

/// Joins that together have more values than this stay apart.
const MAX_JOINED: usize = 12;

/// The nodes of the locals at a place, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    pub(super) values: Vec<NodeId>,
    /// Whether the place cannot be reached.
    pub(super) dead: bool,
}

/// The phis at the head of a loop, to be closed when its back edges are known.
pub(super) struct LoopHead {
    /// Slot, phi, and what came in.
    phis: Vec<(u32, NodeId, NodeId)>,
}

/// The ends of paths that leave a loop's body early.
#[derive(Default)]
pub(super) struct LoopExits {
    pub(super) breaks: Vec<Env>,
    pub(super) continues: Vec<Env>,
}

impl PythonLowering<'_, '_> {
    /// Binds a slot.
    pub(super) fn bind_slot(&mut self, slot: u32, value: NodeId) {
        if let Some(place) = self.env.values.get_mut(slot as usize) {
            *place = value;
            if let Some(log) = self.tries.last_mut() {
                log.push((slot, value));
            }
        }
    }

    /// Takes the place where several paths meet. Paths that end do not come; where all end the
    /// place is dead and keeps what the first knew.
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

    /// The node of what may be any of `values`; empties them of what says nothing new.
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
            self.forget_tests(values);
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

    /// Puts what small joins before consist of in their place.
    fn flatten(&self, values: &mut Vec<NodeId>) {
        let mut at = 0;
        let mut taken: Vec<NodeId> = Vec::new();
        while at < values.len() && values.len() < MAX_JOINED {
            let inner = match self.nodes.get(values[at] as usize) {
                // A loop's phi is empty as long as the loop is open.
                Some(&Node::Phi(list)) if list != 0 => self.list_of(list),
                _ => &[],
            };
            // Phis of loops may hold each other.
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

    /// Takes tests out of the values of paths that meet: a value narrowed beside the value itself,
    /// and a pair of outcomes of one test.
    fn forget_tests(&self, values: &mut Vec<NodeId>) {
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
            if let Some(twin) = values.iter().rposition(|&value| value == base)
                && twin != first
            {
                values.remove(twin.max(first));
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

    /// What a narrowed value was before.
    pub(super) fn narrowed(&self, value: NodeId) -> Option<NodeId> {
        match self.nodes.get(value as usize)? {
            Node::Narrow { value, .. } | Node::NotNone { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// What a narrowed value was before, and the node of the other outcome of its test.
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

    /// Begins a loop whose statement is the nodes from `start` to `end`: every local that is bound
    /// there may come from the round before.
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

    /// Closes a loop: the path at hand and those that `continue` go back to its head. Gives the
    /// paths that `break`.
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

    /// Begins a part of a `try` statement whose bindings handlers may see.
    pub(super) fn enter_try(&mut self) {
        self.tries.push(Vec::new());
    }

    /// Ends it, and gives what was bound in it.
    pub(super) fn leave_try(&mut self) -> Vec<(u32, NodeId)> {
        let log = self.tries.pop().unwrap_or_default();
        if let Some(outer) = self.tries.last_mut() {
            outer.extend(log.iter().copied());
        }
        log
    }

    /// Where control may be when something failed between `before` and the last of `log`.
    pub(super) fn failed(&mut self, before: &Env, log: &[(u32, NodeId)]) -> Env {
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
