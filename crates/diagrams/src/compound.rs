//! A drawing in which folders fold and unfold: each folder has a layered drawing of its own.
//!
//! Every folder's contents are arranged once, as they are at the start. Folding or unfolding a folder stretches the
//! drawing around it: along each axis, what its box covers becomes as long as it is now, and everything beyond moves
//! on. So nothing overlaps, neighbours remain neighbours, and a page's script needs no layout of its own:
//!
//! ```text
//! [a] [b/] [c]        [a] [b/ [x] [y]] [c]
//!     [d]       ->            [d]
//! ```
//!
//! `page/page.js` has the same arithmetic as [`Compound::picture`], for what happens after the start.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagram::{Diagram, Edge, Node};
use crate::fold::{FOLDER, Folded, fold, joined, prefixes};
use crate::layered::{self, Bend, Route, Size};
use crate::numbers::counted;
use crate::picture::{self, Drawn, Frame, Line, Rect, TextBox};

/// The border inside a frame, and the height of its heading, in pixels.
const BORDER: f64 = 16.0;
const HEADING: f64 = 34.0;

/// A diagram with its folders as boxes and frames.
pub(crate) struct Compound<'d> {
    pub(crate) diagram: &'d Diagram,
    /// The nodes of the diagram, then folders, the root last.
    pub(crate) items: Vec<Item>,
    /// The ways between items of the same folder.
    pub(crate) routes: BTreeMap<(usize, usize), Route>,
    /// The folders that are unfolded at the start; the root is always.
    pub(crate) open: BTreeSet<usize>,
    /// What is folded at the start.
    pub(crate) folded: Folded,
}

/// A node or a folder.
pub(crate) struct Item {
    /// The folder that it is in; the root has none.
    pub(crate) parent: Option<usize>,
    /// The node; for a folder, the node that it is while folded.
    pub(crate) node: Node,
    /// Its box while folded.
    pub(crate) text: TextBox,
    /// Its corner in its folder's frame, as that is at the start.
    pub(crate) corner: (f64, f64),
    /// The items of a folder.
    pub(crate) children: Vec<usize>,
    /// The extent of a folder's frame, with what is in it as at the start.
    pub(crate) inner: Size,
}

impl Item {
    fn new(node: Node, with_group: bool) -> Item {
        let text = TextBox::of(&node, with_group);
        Item {
            parent: None,
            inner: text.size,
            node,
            text,
            corner: (0.0, 0.0),
            children: Vec::new(),
        }
    }
}

/// What is visible of a compound, with positions.
pub(crate) struct Visible<'c> {
    pub(crate) frames: Vec<Frame>,
    pub(crate) boxes: Vec<Drawn<'c>>,
    pub(crate) lines: Vec<Line>,
    pub(crate) size: Size,
}

impl<'d> Compound<'d> {
    /// Returns the drawing of a diagram that shows at most `max_nodes` boxes at the start; of one that fits, without
    /// folders.
    pub(crate) fn new(diagram: &'d Diagram, max_nodes: usize) -> Compound<'d> {
        let folded = fold(diagram, max_nodes);
        let is_folded = !folded.groups.is_empty();
        let nodes = diagram.nodes.iter();
        let mut compound = Compound {
            diagram,
            items: nodes
                .map(|node| Item::new(node.clone(), !is_folded))
                .collect(),
            routes: BTreeMap::new(),
            open: BTreeSet::new(),
            folded,
        };
        let folders = if is_folded {
            compound.add_folders()
        } else {
            Vec::new()
        };
        let root = compound.items.len();
        compound.items.push(Item::new(Node::default(), false));
        compound.open.insert(root);
        for at in 0..root {
            let parent = compound.items[at].parent.unwrap_or(root);
            compound.items[at].parent = Some(parent);
            compound.items[parent].children.push(at);
        }
        compound.arrange(&folders, root);
        compound
    }

    /// Adds the folders that have at least two nodes, and more than each folder in them; returns them, inner ones
    /// first.
    fn add_folders(&mut self) -> Vec<usize> {
        let mut members: BTreeMap<&str, usize> = BTreeMap::new();
        for node in &self.diagram.nodes {
            for prefix in prefixes(&node.group) {
                *members.entry(prefix).or_insert(0) += 1;
            }
        }
        let mut wide: BTreeMap<&str, usize> = members.clone();
        wide.retain(|_, count| *count > 1);
        for (folder, count) in &members {
            // A folder with all nodes of the one around it replaces that one.
            if let Some((around, _)) = folder.rsplit_once('/')
                && members.get(around) == Some(count)
            {
                wide.remove(around);
            }
        }
        let depth = |folder: &str| folder.matches('/').count();
        let mut order: Vec<(&str, usize)> = wide.into_iter().collect();
        order.sort_by_key(|(folder, _)| (std::cmp::Reverse(depth(folder)), *folder));
        let others = self
            .folded
            .groups
            .iter()
            .find(|group| group.group.is_empty());
        let others: BTreeSet<usize> =
            others.map_or_else(BTreeSet::new, |group| group.nodes.iter().copied().collect());
        let closed: BTreeSet<&str> = self
            .folded
            .groups
            .iter()
            .map(|group| group.group.as_str())
            .collect();

        let first = self.items.len();
        let numbers: BTreeMap<&str, usize> = order
            .iter()
            .enumerate()
            .map(|(at, (folder, _))| (*folder, first + at))
            .collect();
        // The innermost folder around a path that is an item.
        let around = |path: &str| {
            let outer: Vec<&str> = prefixes(path).collect();
            outer
                .into_iter()
                .rev()
                .find_map(|one| numbers.get(one).copied())
        };
        let rest = (!others.is_empty()).then_some(first + order.len());
        for (at, node) in self.diagram.nodes.iter().enumerate() {
            self.items[at].parent = around(&node.group).or(rest.filter(|_| others.contains(&at)));
        }
        let mut in_rest: BTreeSet<usize> = BTreeSet::new();
        for &node in &others {
            in_rest
                .extend(prefixes(&self.diagram.nodes[node].group).find_map(|one| numbers.get(one)));
        }
        for (folder, count) in &order {
            let outside = folder.rsplit_once('/').map_or("", |(outside, _)| outside);
            let parent = around(outside);
            let base = parent.map_or("", |parent| self_path(&order, first, parent));
            let number = numbers[folder];
            let name = folder
                .strip_prefix(base)
                .unwrap_or(folder)
                .trim_start_matches('/');
            let mut item = Item::new(self.folder_node(folder, name, *count), false);
            item.parent = parent.or(rest.filter(|_| in_rest.contains(&number)));
            self.items.push(item);
            if !closed.contains(folder) && !others_hold(rest, self.items[number].parent) {
                self.open.insert(number);
            }
        }
        let mut folders: Vec<usize> = (first..self.items.len()).collect();
        if let Some(rest) = rest {
            let label = format!("{} more", others.len());
            let mut item = Item::new(self.folder_node("", &label, others.len()), false);
            item.node.label.clone_from(&label);
            self.items.push(item);
            folders.push(rest);
        }
        folders
    }

    fn folder_node(&self, folder: &str, name: &str, count: usize) -> Node {
        let inside = |group: &str| prefixes(group).any(|prefix| prefix == folder);
        let lines = self.diagram.nodes.iter().filter(|node| inside(&node.group));
        let lines = lines.filter_map(|node| node.lines);
        let lines = lines.fold(None, |sum, lines| Some(sum.unwrap_or(0) + lines));
        let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
        Node {
            id: format!("{folder}/"),
            label: format!("{name}/"),
            group: parent.to_owned(),
            kind: FOLDER.to_owned(),
            lines,
            facts: vec![crate::diagram::Fact::new("holds", counted(count, "node"))],
            holds: count,
        }
    }

    /// Arranges the items of each folder, inner folders first.
    fn arrange(&mut self, folders: &[usize], root: usize) {
        let mut pairs: BTreeMap<usize, BTreeSet<(usize, usize)>> = BTreeMap::new();
        for edge in self.diagram.drawn_edges() {
            let (from, to) = (self.path(edge.from), self.path(edge.to));
            let different = from.iter().zip(&to).find(|(one, other)| one != other);
            if let Some((&one, &other)) = different {
                let folder = self.items[one].parent.unwrap_or(root);
                pairs.entry(folder).or_default().insert((one, other));
            }
        }
        for &folder in folders.iter().chain([&root]) {
            let children = self.items[folder].children.clone();
            let index: BTreeMap<usize, usize> = children
                .iter()
                .enumerate()
                .map(|(at, &child)| (child, at))
                .collect();
            let sizes: Vec<Size> = children.iter().map(|&child| self.at_start(child)).collect();
            let edges: Vec<(usize, usize)> = pairs
                .remove(&folder)
                .unwrap_or_default()
                .into_iter()
                .map(|(one, other)| (index[&one], index[&other]))
                .collect();
            let arranged = if children.iter().any(|child| self.open.contains(child)) {
                layered::arrange_in_rows(&sizes, &edges, self.diagram.direction)
            } else {
                layered::arrange(&sizes, &edges, self.diagram.direction)
            };
            let (left, top, right, bottom) = if folder == root {
                (0.0, 0.0, 0.0, 0.0)
            } else {
                (BORDER, HEADING, BORDER, BORDER)
            };
            for (&child, (x, y)) in children.iter().zip(&arranged.corners) {
                self.items[child].corner = (x + left, y + top);
            }
            let (cross, main) = match self.diagram.direction {
                crate::diagram::Direction::Down => (left, top),
                crate::diagram::Direction::Right => (top, left),
            };
            for ((one, other), mut route) in arranged.routes {
                for bend in &mut route.bends {
                    *bend = Bend {
                        cross: bend.cross + cross,
                        from: bend.from + main,
                        to: bend.to + main,
                    };
                }
                self.routes.insert((children[one], children[other]), route);
            }
            let folded = self.items[folder].text.size;
            self.items[folder].inner = if folder == root {
                Size {
                    width: arranged.width,
                    height: arranged.height,
                }
            } else {
                Size {
                    width: (arranged.width + left + right).max(folded.width + 16.0),
                    height: (arranged.height + top + bottom).max(folded.height),
                }
            };
        }
    }

    /// Returns the extent of an item at the start.
    fn at_start(&self, item: usize) -> Size {
        if self.open.contains(&item) {
            self.items[item].inner
        } else {
            self.items[item].text.size
        }
    }

    /// Returns the folders around an item from the root on, without the root, and the item itself.
    fn path(&self, item: usize) -> Vec<usize> {
        let mut path = vec![item];
        let mut at = item;
        while let Some(parent) = self.items[at].parent {
            path.push(parent);
            at = parent;
        }
        path.pop();
        path.reverse();
        path
    }

    /// Returns what is visible while these folders are unfolded.
    pub(crate) fn picture(&self, open: &BTreeSet<usize>) -> Visible<'_> {
        let root = self.items.len() - 1;
        let mut placed = Placed {
            compound: self,
            open,
            stretches: BTreeMap::new(),
            rects: BTreeMap::new(),
        };
        let size = placed.measure(root);
        placed.locate(root, 0.0, 0.0, size);
        let Placed {
            stretches, rects, ..
        } = placed;

        let visible = |node: usize| {
            let path = self.path(node);
            path.iter()
                .copied()
                .find(|item| !open.contains(item))
                .unwrap_or(node)
        };
        let mut pairs: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
        for edge in self.diagram.drawn_edges() {
            let ends = (visible(edge.from), visible(edge.to));
            if ends.0 == ends.1 && ends.0 >= self.diagram.nodes.len() {
                continue;
            }
            pairs
                .entry(ends)
                .and_modify(|sum| *sum = joined(sum, edge))
                .or_insert_with(|| edge.clone());
        }
        let lines = pairs.iter().map(|(&(from, to), edge)| {
            let route = self.routes.get(&(from, to)).map(|route| {
                let parent = self.items[from].parent.unwrap_or(root);
                let at = rects[&parent];
                stretched(route, &stretches[&parent], at, self.diagram.direction)
            });
            let (path, middle) = picture::line_path(
                rects[&from],
                rects[&to],
                route.as_ref(),
                self.diagram.direction,
            );
            let mut title = format!(
                "{} → {}",
                self.items[from].node.label, self.items[to].node.label
            );
            if edge.count > 1 {
                title += &format!(" ({})", edge.count);
            }
            Line {
                from,
                to,
                path,
                count: edge.count,
                style: edge.style,
                title,
                label: String::new(),
                middle,
            }
        });
        let lines: Vec<Line> = lines.collect();
        let mut frames = Vec::new();
        let mut boxes = Vec::new();
        // Outer frames come first: inner ones are drawn over them.
        for item in (0..root).rev().filter(|item| open.contains(item)) {
            if let Some(&rect) = rects.get(&item) {
                let label = self.items[item].node.label.clone();
                frames.push(Frame { item, rect, label });
            }
        }
        for item in (0..root).filter(|item| !open.contains(item)) {
            if let Some(&rect) = rects.get(&item) {
                let Item { node, text, .. } = &self.items[item];
                boxes.push(Drawn {
                    item,
                    rect,
                    text,
                    node,
                });
            }
        }
        Visible {
            frames,
            boxes,
            lines,
            size,
        }
    }
}

/// Returns the folder of an item's number.
fn self_path<'p>(order: &[(&'p str, usize)], first: usize, number: usize) -> &'p str {
    order[number - first].0
}

/// Returns whether a folder is in the one that holds what was too much.
fn others_hold(rest: Option<usize>, parent: Option<usize>) -> bool {
    rest.is_some() && rest == parent
}

/// The positions of visible items, while they are computed.
struct Placed<'c, 'd> {
    compound: &'c Compound<'d>,
    open: &'c BTreeSet<usize>,
    /// How each unfolded folder is stretched along both axes.
    stretches: BTreeMap<usize, (Stretch, Stretch)>,
    rects: BTreeMap<usize, Rect>,
}

impl Placed<'_, '_> {
    /// Returns the extent of an item as it is, and sets the stretches of it and of what is in it.
    fn measure(&mut self, item: usize) -> Size {
        let of = &self.compound.items[item];
        if !self.open.contains(&item) {
            return of.text.size;
        }
        let (mut along, mut down) = (Vec::new(), Vec::new());
        for &child in &of.children {
            let size = self.measure(child);
            let base = self.compound.at_start(child);
            let (x, y) = self.compound.items[child].corner;
            along.push((x, base.width, size.width / base.width - 1.0));
            down.push((y, base.height, size.height / base.height - 1.0));
        }
        let stretch = (Stretch::new(&along), Stretch::new(&down));
        let size = Size {
            width: stretch.0.map(of.inner.width).round(),
            height: stretch.1.map(of.inner.height).round(),
        };
        self.stretches.insert(item, stretch);
        size
    }

    fn locate(&mut self, item: usize, x: f64, y: f64, size: Size) {
        let rect = Rect {
            x,
            y,
            width: size.width,
            height: size.height,
        };
        self.rects.insert(item, rect);
        let compound = self.compound;
        if !self.open.contains(&item) {
            return;
        }
        for &child in &compound.items[item].children {
            let base = compound.at_start(child);
            let (left, top) = compound.items[child].corner;
            let (along, down) = &self.stretches[&item];
            let size = match self.stretches.get(&child) {
                Some((along, down)) => Size {
                    width: along.map(compound.items[child].inner.width).round(),
                    height: down.map(compound.items[child].inner.height).round(),
                },
                None => compound.items[child].text.size,
            };
            let middle_x = (along.map(left) + along.map(left + base.width) - size.width) / 2.0;
            let middle_y = (down.map(top) + down.map(top + base.height) - size.height) / 2.0;
            self.locate(child, x + middle_x.round(), y + middle_y.round(), size);
        }
    }
}

/// How an axis is stretched: parts of it, in order, with what each is longer by.
struct Stretch {
    /// Begin, length, and extra length of each part.
    parts: Vec<(f64, f64, f64)>,
}

impl Stretch {
    /// Returns the stretch by which each box has the length that it needs, from `(begin, length, change)` with the
    /// change in parts of the length. Where boxes overlap along the axis, the one that needs most decides.
    fn new(boxes: &[(f64, f64, f64)]) -> Stretch {
        let mut parts = Vec::new();
        if boxes.iter().all(|(_, _, change)| *change == 0.0) {
            return Stretch { parts };
        }
        let mut ends: Vec<f64> = boxes
            .iter()
            .flat_map(|(begin, length, _)| [*begin, begin + length])
            .collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        for pair in ends.windows(2) {
            let covering = boxes
                .iter()
                .filter(|(begin, length, _)| *begin < pair[1] && begin + length >= pair[1]);
            let change = covering.map(|(_, _, change)| *change).reduce(f64::max);
            let length = pair[1] - pair[0];
            let extra = change.unwrap_or(0.0) * length;
            if extra != 0.0 {
                parts.push((pair[0], length, extra));
            }
        }
        Stretch { parts }
    }

    fn map(&self, at: f64) -> f64 {
        let extra = self
            .parts
            .iter()
            .map(|(begin, length, extra)| extra * ((at - begin) / length).clamp(0.0, 1.0));
        at + extra.sum::<f64>()
    }
}

/// Returns a route in a folder's frame as one of the whole drawing.
fn stretched(
    route: &Route,
    (along, down): &(Stretch, Stretch),
    frame: Rect,
    direction: crate::diagram::Direction,
) -> Route {
    let (cross, main, left, top) = match direction {
        crate::diagram::Direction::Down => (along, down, frame.x, frame.y),
        crate::diagram::Direction::Right => (down, along, frame.y, frame.x),
    };
    let bends = route.bends.iter().map(|bend| Bend {
        cross: left + cross.map(bend.cross),
        from: top + main.map(bend.from),
        to: top + main.map(bend.to),
    });
    Route {
        bends: bends.collect(),
        ..*route
    }
}
