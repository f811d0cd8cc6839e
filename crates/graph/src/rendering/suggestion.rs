//! What narrows an answer that was cut: one line that names a field.

use rustc_hash::FxHashMap;

use super::filtering::{CountedRow, ResultLimits};
use crate::answer::{FIELDS, FieldKind, GraphRequest, GraphResult, Within};

/// Folders are proposed that would leave at least this part of the number that is listed: 1 in 4.
const LEAST_PART: usize = 4;

/// What filters read of results that are alike: an answer has far fewer files than results.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The number of such results.
    pub count: usize,
    /// The path of the file of the node.
    pub file: &'a str,
    /// The distance from the target.
    pub depth: Option<u32>,
    /// Whether its node belongs to a library.
    pub external: bool,
    /// Whether `include_tests: false` would hide it.
    pub only_tests: bool,
}

/// Returns the filter that halves these results of a request, with the number that it would leave;
/// one that leaves at most `listed` precedes others. For frontends that list fewer than the answer
/// has.
///
/// ```
/// use codeweft_graph::answer::{GraphRequest, Operation};
///
/// let request = GraphRequest::new(Operation::Callers, "store.Open");
/// assert_eq!(codeweft_graph::narrowing(&request, &[], 10), None);
/// ```
pub fn narrowing(request: &GraphRequest, results: &[GraphResult], listed: usize) -> Option<String> {
    let candidates: Vec<Candidate<'_>> = results
        .iter()
        .map(|result| Candidate {
            count: 1,
            file: &result.node.file,
            depth: result.depth,
            external: result.node.external,
            only_tests: false,
        })
        .collect();
    let limits = ResultLimits {
        level: None,
        list: listed as u32,
    };
    let filters = narrowing_filters(request, &limits, &candidates, &|| {});
    let first = filters.iter().find(|one| one.fits).or(filters.first());
    first.map(|filter| filter.words(results.len()))
}

/// A filter that would remove at least half of the results, and not all.
struct NarrowingFilter {
    /// The field with its value.
    field: String,
    /// The number of results that it would leave.
    left: usize,
    /// Whether the limits would cut none of these.
    fits: bool,
}

impl NarrowingFilter {
    fn words(&self, total: usize) -> String {
        format!("{} would leave {} of {total}", self.field, self.left)
    }
}

/// Returns the first that lists all of a cut answer or halves it, found by counting: a filter after
/// which no limit cuts, a greater limit that lists all results, a filter. Else a greater limit.
///
/// ```text
/// within: workspace would leave 55 of 1821
/// max_results: up to 500 lists more of 240
/// ```
pub fn suggestion(
    request: &GraphRequest,
    limits: &ResultLimits,
    counted: &[Candidate<'_>],
    check: &dyn Fn(),
) -> String {
    let total = number_of(counted.iter());
    let filters = narrowing_filters(request, limits, counted, check);
    if let Some(filter) = filters.iter().find(|filter| filter.fits) {
        return filter.words(total);
    }
    let greatest = ResultLimits {
        level: limits.level.and(most("max_per_level")),
        list: most("max_results").unwrap_or(limits.list),
    };
    match filters.first() {
        Some(filter) if !greatest.hold(depths(counted.iter())) => filter.words(total),
        _ => greater_limit(request, limits, (counted, total)),
    }
}

/// Returns the filters in the order of preference: `within`, `scope`, `exclude_patterns`,
/// `include_tests`, `depth`. Of folders one that fits precedes others, then the one that leaves
/// most.
fn narrowing_filters(
    request: &GraphRequest,
    limits: &ResultLimits,
    counted: &[Candidate<'_>],
    check: &dyn Fn(),
) -> Vec<NarrowingFilter> {
    let total = number_of(counted.iter());
    let folders = folders(counted);
    let by_folder = &by_folder(counted, &folders);
    let narrowing = |field: String, keeps: &dyn Fn(&Candidate<'_>) -> bool| {
        check();
        let left = number_of(by_folder.iter().filter(|one| keeps(one)));
        let halves = left > 0 && left * 2 <= total;
        halves.then(|| NarrowingFilter {
            field,
            left,
            fits: limits.hold(depths(by_folder.iter().filter(|one| keeps(one)))),
        })
    };
    let mut filters = Vec::new();
    if request.within != Within::Workspace {
        filters.extend(narrowing("within: workspace".to_owned(), &|one| {
            !one.external
        }));
    }
    // A folder with few of the results says little about the answer.
    let listed = (limits.list as usize).min(total);
    let is_rich = |filter: &NarrowingFilter| filter.left * LEAST_PART >= listed;
    let scopes = folders
        .iter()
        .filter_map(|folder| narrowing(format!("scope: {folder}"), &|one| one.file == *folder));
    filters.extend(best(scopes.filter(is_rich)));
    let exclusions = folders.iter().filter_map(|folder| {
        narrowing(format!("exclude_patterns: {folder}"), &|one| {
            one.file != *folder
        })
    });
    filters.extend(best(exclusions.filter(is_rich)));
    if request.include_tests {
        filters.extend(narrowing("include_tests: false".to_owned(), &|one| {
            !one.only_tests
        }));
    }
    let lesser_depths = (1..request.depth).rev();
    let lesser_depths = lesser_depths
        .filter_map(|depth| narrowing(format!("depth: {depth}"), &|one| one.depth <= Some(depth)));
    filters.extend(best(lesser_depths));
    filters
}

/// Returns the filter that fits and leaves most, else the one that leaves most; the first of
/// equals.
fn best(filters: impl Iterator<Item = NarrowingFilter>) -> Option<NarrowingFilter> {
    filters.reduce(|best, filter| {
        if (filter.fits, filter.left) > (best.fits, best.left) {
            filter
        } else {
            best
        }
    })
}

/// Returns the limit that cuts, with how far it can be raised.
fn greater_limit(
    request: &GraphRequest,
    limits: &ResultLimits,
    (counted, total): (&[Candidate<'_>], usize),
) -> String {
    let level = ("max_per_level", request.max_per_level);
    let list = ("max_results", request.max_results);
    let by_level = ResultLimits {
        list: u32::MAX,
        ..*limits
    };
    let first = if by_level.hold(depths(counted.iter())) {
        [list, level]
    } else {
        [level, list]
    };
    for (name, value) in first {
        if let Some(most) = most(name)
            && value < most
        {
            return format!("{name}: up to {most} lists more of {total}");
        }
    }
    format!("scope: a narrower one lists more of {total}")
}

/// Returns how far the limit of the list can be raised, if it can.
pub fn greater_list(request: &GraphRequest, total: usize) -> Option<String> {
    let most = most("max_results").filter(|&most| request.max_results < most)?;
    Some(format!("max_results: up to {most} lists more of {total}"))
}

/// Returns candidates for the rows of each file that are alike.
pub(super) fn candidates<'q>(counted: &[CountedRow<'q>]) -> Vec<Candidate<'q>> {
    let mut counts: FxHashMap<_, usize> = FxHashMap::default();
    for one in counted {
        let kind = (one.row.depth, one.external, one.only_tests);
        // A path is one text in memory.
        let key = (std::ptr::from_ref(one.path), kind);
        *counts.entry(key).or_insert(0) += 1;
    }
    let mut candidates = Vec::with_capacity(counts.len());
    for one in counted {
        let kind = (one.row.depth, one.external, one.only_tests);
        let count = counts.remove(&(std::ptr::from_ref(one.path), kind));
        candidates.extend(count.map(|count| Candidate {
            count,
            file: one.path,
            depth: one.row.depth,
            external: one.external,
            only_tests: one.only_tests,
        }));
    }
    candidates
}

/// Returns the number of results of candidates.
fn number_of<'a>(candidates: impl Iterator<Item = &'a Candidate<'a>>) -> usize {
    candidates.map(|one| one.count).sum()
}

/// Returns the depths of the results of candidates with their numbers.
fn depths<'a>(
    candidates: impl Iterator<Item = &'a Candidate<'a>>,
) -> impl Iterator<Item = (Option<u32>, usize)> {
    candidates.map(|one| (one.depth, one.count))
}

/// Returns the greatest value of a number field.
fn most(field: &str) -> Option<u32> {
    let mut fields = FIELDS.iter();
    fields.find_map(|known| match known.kind {
        FieldKind::Number { most, .. } if known.name == field => Some(most),
        _ => None,
    })
}

/// Returns candidates for the results below each of `folders` that are alike, with the folder as their
/// file, empty for those below none. No folder is below another; they are sorted.
fn by_folder<'a>(counted: &[Candidate<'_>], folders: &'a [String]) -> Vec<Candidate<'a>> {
    let levels = folders.first().map_or(0, |one| one.split('/').count());
    let mut counts: FxHashMap<_, usize> = FxHashMap::default();
    for one in counted {
        let end = one.file.match_indices('/').nth(levels.saturating_sub(1));
        let folder = end.and_then(|(end, _)| one.file.get(..end));
        let number = folder.and_then(|folder| {
            let known = folders.binary_search_by(|known| known.as_str().cmp(folder));
            known.ok()
        });
        let key = (number, one.depth, one.external, one.only_tests);
        *counts.entry(key).or_default() += one.count;
    }
    let counts = counts.into_iter();
    let candidates = counts.map(|((number, depth, external, only_tests), count)| Candidate {
        count,
        file: number
            .and_then(|number| folders.get(number))
            .map_or("", |folder| folder.as_str()),
        depth,
        external,
        only_tests,
    });
    candidates.collect()
}

/// Returns the folders of the results, one level below their deepest common folder.
fn folders(counted: &[Candidate<'_>]) -> Vec<String> {
    let mut common: Option<Vec<&str>> = None;
    let paths: Vec<Vec<&str>> = counted
        .iter()
        .filter_map(|one| one.file.rsplit_once('/'))
        .map(|(folder, _)| folder.split('/').collect())
        .collect();
    for path in &paths {
        common = Some(match common {
            None => path.clone(),
            Some(common) => {
                let both = common.iter().zip(path).take_while(|(a, b)| a == b);
                both.map(|(part, _)| *part).collect()
            }
        });
    }
    let depth = common.map_or(0, |common| common.len()) + 1;
    let mut folders: Vec<String> = paths
        .iter()
        .filter(|path| path.len() >= depth)
        .map(|path| path[..depth].join("/"))
        .filter(|folder| !folder.is_empty())
        .collect();
    folders.sort_unstable();
    folders.dedup();
    folders
}
