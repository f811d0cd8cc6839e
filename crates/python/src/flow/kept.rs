//! The last solution of a whole program, kept beside the database: what is typed into a body extends it.
//!
//! What an extension gives is what solving anew gives ([`super::extension`]), so the query of the solution stays a function
//! of the texts, whatever is kept.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codeweft_db::{Bodies, File, NameId};
use codeweft_python_syntax::{AsPython as _, ItemKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::Declarations;
use super::extension::{ADDED, extend};
use super::grown::Grown;
use super::program::{ItemId, LookedUp, Program, has_start};
use super::seeds::FlowSeeds;
use super::solver::{Solver, State};
use super::{FlowSolution, rows_of};

/// The kept solutions of a database: the last one that was solved anew, and the one that was last extended. While a name is typed
/// letter by letter, each text has all that the text before the first letter had, but not what the letter before made.
#[derive(Default)]
pub(super) struct KeptSolution {
    /// Those used last are first.
    kept: Mutex<Vec<Kept>>,
    anew: AtomicU64,
    extended: AtomicU64,
}

impl KeptSolution {
    /// Returns the solution of a program that grew out of one that is kept; `None` if it has to be solved anew.
    pub(super) fn extended(&self, program: &Program<'_>) -> Option<Arc<FlowSolution>> {
        let mut all = std::mem::take(&mut *self.all());
        let found = all
            .iter_mut()
            .enumerate()
            .find_map(|(at, kept)| Some((at, kept.extended(program)?)));
        let solution = found.map(|(at, solution)| {
            for (number, kept) in all.iter_mut().enumerate() {
                kept.is_extended = number == at;
            }
            all[..=at].rotate_right(1);
            self.extended.fetch_add(1, Ordering::Relaxed);
            solution
        });
        *self.all() = all;
        solution
    }

    /// Returns how many solutions there were.
    pub(super) fn counts(&self) -> FlowCounts {
        FlowCounts {
            anew: self.anew.load(Ordering::Relaxed),
            extended: self.extended.load(Ordering::Relaxed),
        }
    }

    /// Keeps a solution.
    pub(super) fn keep(&self, program: Program<'_>, state: State, solution: &Arc<FlowSolution>) {
        self.anew.fetch_add(1, Ordering::Relaxed);
        let files = program.files.iter().map(|of| KeptFile {
            seeds: of.seeds.clone(),
            bodies: of.held_bodies(),
        });
        let files = files.collect();
        let declarations = program.declarations.clone();
        let makers = program.makers.clone();
        let wrapping = program.wrapping.clone();
        let attributes = program.attributes.clone();
        let looked_up = program.into_looked_up();
        let kept = Kept {
            files,
            declarations,
            makers,
            wrapping,
            attributes,
            looked_up,
            state,
            solution: solution.clone(),
            is_extended: false,
        };
        let mut all = self.all();
        let is_small = |one: &Kept| one.state.cells.count() <= MAX_CELLS_BESIDE;
        all.retain(|one| one.is_extended && is_small(one) && is_small(&kept));
        all.insert(0, kept);
    }

    fn all(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The maximum number of cells of each of two solutions that are kept; of larger ones the last is.
const MAX_CELLS_BESIDE: u32 = 500_000;

/// How many solutions of the flow of values a database made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlowCounts {
    /// Those of whole programs.
    pub anew: u64,
    /// Those that extend an earlier one by what was typed into bodies.
    pub extended: u64,
}

/// A solution with all that it was made of.
struct Kept {
    declarations: Arc<Declarations>,
    files: Vec<KeptFile>,
    makers: FxHashSet<ItemId>,
    wrapping: FxHashSet<ItemId>,
    attributes: FxHashSet<NameId>,
    looked_up: LookedUp,
    state: State,
    solution: Arc<FlowSolution>,
    /// Whether it is the last one that was extended.
    is_extended: bool,
}

struct KeptFile {
    seeds: Arc<FlowSeeds>,
    bodies: Arc<Bodies>,
}

impl Kept {
    fn extended(&mut self, program: &Program<'_>) -> Option<Arc<FlowSolution>> {
        let grown = self.grown(program)?;
        // The answers of now are looked up whether or not they differ, so that the query depends on them.
        let is_other = |(&lookup, &found)| program.look_up(lookup) != found;
        if self.looked_up.lookups.iter().any(is_other) {
            return None;
        }
        let mut state = std::mem::take(&mut self.state);
        state.begin_extension(grown.clone());
        let mut solver = Solver::of_state(program, state);
        extend(&mut solver, &self.new_names(program));
        let mut state = solver.into_state();
        let solution = (!state.is_change()).then(|| self.with(program, &state, &grown));
        state.end_extension();
        self.state = state;
        solution
    }

    /// Returns whether a name that is a string of the program is no longer that of an attribute.
    fn has_fewer_names(&self, program: &Program<'_>) -> bool {
        let mut gone = self.attributes.difference(&program.attributes);
        gone.any(|name| self.looked_up.texts.contains(name))
    }

    /// Returns whether attributes that are stored by the start of their names are others now.
    fn has_others_with_start(&self, program: &Program<'_>) -> bool {
        let (before, after) = (&self.attributes, &program.attributes);
        let has_start = |&name: &NameId| {
            let mut starts = self.looked_up.starts.iter();
            starts.any(|&start| has_start(program.text(name), program.text(start)))
        };
        !self.looked_up.starts.is_empty() && before.symmetric_difference(after).any(has_start)
    }

    /// Returns the names that are strings of the program, and of attributes only now.
    fn new_names(&self, program: &Program<'_>) -> Vec<NameId> {
        let new = program.attributes.difference(&self.attributes).copied();
        new.filter(|name| self.looked_up.texts.contains(name))
            .collect()
    }

    /// Returns the bodies of the files that changed, by item, if they have all that they had and nothing else differs.
    fn grown(&self, program: &Program<'_>) -> Option<FxHashMap<ItemId, Arc<Grown>>> {
        if self.declarations != *program.declarations
            || self.makers != program.makers
            || self.wrapping != program.wrapping
            || self.has_fewer_names(program)
            || self.has_others_with_start(program)
            || !self.state.cells.are_of_size(program.node_count())
        {
            return None;
        }
        let mut grown = FxHashMap::default();
        for ((kept, of), file) in self.files.iter().zip(&program.files).zip(0..) {
            let bodies = of.held_bodies();
            let has_same_bodies = Arc::ptr_eq(&kept.bodies, &bodies);
            if has_same_bodies && (Arc::ptr_eq(&kept.seeds, &of.seeds) || kept.seeds == of.seeds) {
                continue;
            }
            let (old, new) = (kept.bodies.python()?, bodies.python()?);
            if old.bodies.len() != new.bodies.len() || !kept.seeds.has_decorators_of(&of.seeds) {
                return None;
            }
            for ((before, after), item) in old
                .bodies
                .iter()
                .zip(&new.bodies)
                .zip(program.module(file)..)
            {
                let one = Grown::of((old, before), (new, after))?;
                if !one.has_seeds_of((&kept.seeds, before), (&of.seeds, after))
                    || is_function(program, item) && !one.has_contexts_of_earlier()
                {
                    return None;
                }
                grown.insert(item, Arc::new(one));
            }
        }
        Some(grown)
    }

    /// Returns the solution with the sites of an extension.
    fn with(
        &self,
        program: &Program<'_>,
        state: &State,
        grown: &FxHashMap<ItemId, Arc<Grown>>,
    ) -> Arc<FlowSolution> {
        let token = |item: ItemId, token: u32| match grown.get(&item) {
            _ if token & ADDED != 0 => token & !ADDED,
            Some(grown) => grown.tokens.get(&token).copied().unwrap_or(token),
            None => token,
        };
        let sites = (0..).zip(&state.sites);
        if state.cells.is_whole() {
            return Arc::new(FlowSolution::of_sites(program, state, sites, token));
        }
        let files: FxHashSet<File> = grown
            .keys()
            .map(|&item| program.declared(item).file)
            .collect();
        let sites = sites.filter(|(_, site)| files.contains(&program.declared(site.item).file));
        let changed = rows_of(program, state, sites, token);
        let mut all = self.solution.files.clone();
        for file in &files {
            all.remove(file);
        }
        all.extend(changed);
        Arc::new(FlowSolution {
            files: all,
            escaped: self.solution.escaped.clone(),
        })
    }
}

fn is_function(program: &Program<'_>, item: ItemId) -> bool {
    matches!(
        program.item(item).kind,
        ItemKind::Function | ItemKind::Lambda
    )
}
