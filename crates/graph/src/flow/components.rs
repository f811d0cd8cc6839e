//! Strongly connected components (Tarjan's algorithm).

/// Returns the strongly connected components of a graph in CSR form: the edges of node `n` are
/// `targets[starts[n]..starts[n + 1]]`. A component comes after all components that it leads to.
/// Iterative, because flow graphs are deeper than a stack.
///
/// ```text
/// 0 -> 1 <-> 2 -> 3        starts  [0, 1, 2, 4, 4]
///                          targets [1, 2, 1, 3]
/// components: [3], [1, 2], [0]
/// ```
pub(super) fn components(starts: &[u32], targets: &[u32]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = starts.len().saturating_sub(1);
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut stack: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    let mut next = 0;
    // The DFS path: a node with its next edge.
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        path.push((root, starts[root as usize]));
        while let Some((node, edge)) = path.last_mut() {
            let at = *node as usize;
            if index[at] == NEW {
                index[at] = next;
                low[at] = next;
                next += 1;
                stack.push(*node);
                on_stack[at] = true;
            }
            if *edge < starts[at + 1] {
                let to = targets[*edge as usize];
                *edge += 1;
                if index[to as usize] == NEW {
                    path.push((to, starts[to as usize]));
                } else if on_stack[to as usize] {
                    low[at] = low[at].min(index[to as usize]);
                }
                continue;
            }
            if low[at] == index[at] {
                let from = stack.iter().rposition(|&other| other as usize == at);
                let members = stack.split_off(from.unwrap_or(0));
                for &member in &members {
                    on_stack[member as usize] = false;
                }
                found.push(members);
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[at]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn a_component_comes_after_those_it_leads_to() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3, 4 -> 0.
        let found = components(&[0, 1, 2, 4, 4, 5], &[1, 2, 1, 3, 0]);
        let sorted: Vec<Vec<u32>> = found
            .into_iter()
            .map(|mut members| {
                members.sort_unstable();
                members
            })
            .collect();
        assert_eq!(sorted, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
