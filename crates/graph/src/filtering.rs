//! What of a finished walk is shown: filters, then cuts, then the words that narrow it
//! (docs/architecture.md, "The way of a question").

use std::collections::BTreeMap;

use codeweft_db::{Receiver, SymbolId};

use crate::answer::{
    ApiError, FIELDS, FieldKind, GraphRequest, Hidden, ImpactSummary, ImpactType, Severity,
};
use crate::link::Link;
use crate::pattern::Pattern;
use crate::query_context::QueryContext;
use crate::traversal::VisitedNode;
use rustc_hash::FxHashSet;

/// A result before it is printed.
#[derive(Clone, Debug)]
pub(crate) struct ResultRow {
    /// The node.
    pub(crate) symbol: SymbolId,
    /// Its distance, where the operation has levels.
    pub(crate) depth: Option<u32>,
    /// The links that put it there.
    pub(crate) links: Vec<Link>,
    /// How it satisfies an interface.
    pub(crate) receiver: Option<Receiver>,
    /// Of an instance.
    pub(crate) type_args: Box<[Box<str>]>,
    /// How a change reaches it, and what it asks.
    pub(crate) impact: Option<(ImpactType, Severity)>,
}

impl ResultRow {
    /// A result that is only a node.
    pub(crate) fn plain(symbol: SymbolId) -> ResultRow {
        ResultRow {
            symbol,
            depth: None,
            links: Vec::new(),
            receiver: None,
            type_args: Box::default(),
            impact: None,
        }
    }
}

impl From<VisitedNode> for ResultRow {
    fn from(listed: VisitedNode) -> ResultRow {
        ResultRow {
            depth: Some(listed.depth),
            links: listed.links,
            ..ResultRow::plain(listed.symbol)
        }
    }
}

/// What `scope`, `exclude_patterns` and `include_tests` keep.
pub(crate) struct Filter {
    scope: Option<Pattern>,
    exclude: Vec<Pattern>,
    include_tests: bool,
}

impl Filter {
    /// Reads the filters of a request.
    pub(crate) fn of(request: &GraphRequest) -> Result<Filter, ApiError> {
        let scope = match request.scope.trim() {
            "" => None,
            scope => Some(Pattern::parse("scope", scope)?),
        };
        let exclude = request.exclude_patterns.iter();
        Ok(Filter {
            scope,
            exclude: exclude
                .filter(|text| !text.trim().is_empty())
                .map(|text| Pattern::parse("exclude_patterns", text))
                .collect::<Result<_, _>>()?,
            include_tests: request.include_tests,
        })
    }
}

/// A kept result with what the suggestion counts.
struct CountedRow {
    draft: ResultRow,
    /// The folders of its file.
    file: String,
    /// Hidden without tests.
    only_tests: bool,
}

/// What is shown of what was found.
pub(crate) struct FilteredResults {
    /// In the order they came.
    pub(crate) drafts: Vec<ResultRow>,
    /// After filters, before cuts.
    pub(crate) found: u32,
    /// The smallest depth that lost something, where there are levels.
    pub(crate) cut_at: Option<u32>,
    /// Whether something was cut.
    pub(crate) cut: bool,
    /// Which field would narrow it.
    pub(crate) suggestion: Option<String>,
    /// All that was kept, counted by how a change reaches it.
    pub(crate) summary: ImpactSummary,
    /// What the filters hid, if anything.
    pub(crate) hidden: Option<Hidden>,
}

/// What each filter hid.
#[derive(Default)]
struct HiddenCounts {
    nodes: u32,
    sites: u32,
    scope: bool,
    exclude: bool,
    tests: bool,
}

impl HiddenCounts {
    /// A result that is not shown.
    fn node(&mut self, draft: &ResultRow) {
        self.nodes += 1;
        self.sites += draft.links.len() as u32;
    }

    fn told(self) -> Option<Hidden> {
        let by = [
            (self.scope, "scope"),
            (self.exclude, "exclude_patterns"),
            (self.tests, "include_tests"),
        ];
        let by = by.into_iter().filter(|(hid, _)| *hid);
        let by: Vec<String> = by.map(|(_, name)| name.to_owned()).collect();
        (!by.is_empty()).then_some(Hidden {
            nodes: self.nodes,
            sites: self.sites,
            by,
        })
    }
}

impl QueryContext<'_> {
    /// Filters, then cuts.
    pub(crate) fn show(
        &self,
        request: &GraphRequest,
        filter: &Filter,
        targets: &[SymbolId],
        drafts: Vec<ResultRow>,
    ) -> FilteredResults {
        let (kept, hidden) = self.keep(filter, drafts);
        let found = kept.len() as u32;
        let bounds = ResultLimits::of(request, self.whole);
        let chosen = bounds.chosen(kept.iter().map(|one| one.draft.depth));
        let lost = || kept.iter().zip(&chosen).filter(|(_, chosen)| !**chosen);
        let cut = lost().next().is_some();
        let cut_at = lost().filter_map(|(one, _)| one.draft.depth).min();
        let suggestion =
            cut.then(|| suggest(request, &bounds, &kept, &|| self.db.unwind_if_cancelled()));
        let summary = self.summary(targets, &kept);
        let drafts = kept.into_iter().zip(chosen);
        FilteredResults {
            drafts: drafts
                .filter(|(_, chosen)| *chosen)
                .map(|(one, _)| one.draft)
                .collect(),
            found,
            cut_at,
            cut,
            suggestion,
            summary,
            hidden,
        }
    }

    /// Counts the nodes that a change reaches, and the files and packages they lie in. External
    /// are the packages that declare none of the targets.
    fn summary(&self, targets: &[SymbolId], kept: &[CountedRow]) -> ImpactSummary {
        let count = |way: ImpactType| {
            let ways = kept.iter().filter_map(|one| one.draft.impact);
            ways.filter(|(known, _)| *known == way).count() as u32
        };
        let package = |symbol: SymbolId| (self.lang(symbol), self.package_id(symbol));
        let own: FxHashSet<_> = targets.iter().map(|&target| package(target)).collect();
        let packages: FxHashSet<_> = kept.iter().map(|one| package(one.draft.symbol)).collect();
        let mut files: FxHashSet<_> = FxHashSet::default();
        for one in kept {
            match one.draft.links[..] {
                [] => files.extend(self.file(one.draft.symbol)),
                ref links => files.extend(links.iter().map(|link| link.file)),
            }
        }
        ImpactSummary {
            implementations: count(ImpactType::Implementation),
            direct_callers: count(ImpactType::DirectCaller),
            transitive_callers: count(ImpactType::TransitiveCaller),
            type_usages: count(ImpactType::TypeUsage),
            external_packages: packages.difference(&own).count() as u32,
            files: files.len() as u32,
            packages: packages.len() as u32,
        }
    }

    fn keep(&self, filter: &Filter, drafts: Vec<ResultRow>) -> (Vec<CountedRow>, Option<Hidden>) {
        let mut kept = Vec::new();
        let mut hiding = HiddenCounts::default();
        for mut draft in drafts {
            let file = self.file(draft.symbol);
            let path = file.map_or("", |file| file.path(self.db)).to_owned();
            let id = self.id(draft.symbol);
            let package = self.package_id(draft.symbol);
            let fits = |pattern: &Pattern| pattern.keeps(&path, &id, &package);
            let in_scope = filter.scope.as_ref().is_none_or(fits);
            if !in_scope || filter.exclude.iter().any(fits) {
                hiding.scope |= !in_scope;
                hiding.exclude |= in_scope;
                hiding.node(&draft);
                continue;
            }
            let in_test = file.is_some_and(|file| self.is_test(file));
            let had_links = !draft.links.is_empty();
            let only_tests =
                in_test || had_links && draft.links.iter().all(|link| self.is_test(link.file));
            if !filter.include_tests {
                if only_tests {
                    hiding.tests = true;
                    hiding.node(&draft);
                    continue;
                }
                let sites = draft.links.len();
                draft.links.retain(|link| !self.is_test(link.file));
                let gone = sites - draft.links.len();
                hiding.tests |= gone > 0;
                hiding.sites += gone as u32;
            }
            kept.push(CountedRow {
                draft,
                file: path,
                only_tests,
            });
        }
        (kept, hiding.told())
    }
}

/// How much is listed.
struct ResultLimits {
    /// Of one depth, where levels are cut.
    level: Option<u32>,
    list: u32,
}

impl ResultLimits {
    fn of(request: &GraphRequest, whole: bool) -> ResultLimits {
        if whole {
            return ResultLimits {
                level: None,
                list: u32::MAX,
            };
        }
        ResultLimits {
            level: (request.depth > 1).then_some(request.max_per_level),
            list: request.max_results,
        }
    }

    /// Which results stay: the first of each depth, then the first of all.
    fn chosen(&self, depths: impl Iterator<Item = Option<u32>>) -> Vec<bool> {
        let mut levels: BTreeMap<u32, u32> = BTreeMap::new();
        let mut listed = 0;
        depths
            .map(|depth| {
                if let (Some(bound), Some(depth)) = (self.level, depth) {
                    let level = levels.entry(depth).or_default();
                    *level += 1;
                    if *level > bound {
                        return false;
                    }
                }
                listed += 1;
                listed <= self.list
            })
            .collect()
    }

    fn hold<'k>(&self, kept: impl Iterator<Item = &'k CountedRow>) -> bool {
        let chosen = self.chosen(kept.map(|one| one.draft.depth));
        chosen.into_iter().all(|chosen| chosen)
    }
}

/// The first of `scope`, `exclude_patterns`, `include_tests`, `depth`, `max_results` that would
/// bring the answer under its bounds, found by counting.
fn suggest(
    request: &GraphRequest,
    bounds: &ResultLimits,
    kept: &[CountedRow],
    check: &dyn Fn(),
) -> String {
    let total = kept.len();
    let folders = folders(kept);
    let count = |folder: &str| kept.iter().filter(|one| below(&one.file, folder)).count();
    let scope = folders
        .iter()
        .inspect(|_| check())
        .filter(|folder| bounds.hold(kept.iter().filter(|one| below(&one.file, folder))))
        .map(|folder| (count(folder), folder))
        .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(a.1)));
    if let Some((left, folder)) = scope {
        return format!("scope: {folder} would leave {left} of {total}");
    }
    let exclude = folders
        .iter()
        .inspect(|_| check())
        .filter(|folder| bounds.hold(kept.iter().filter(|one| !below(&one.file, folder))))
        .map(|folder| (count(folder), folder))
        .min();
    if let Some((gone, folder)) = exclude {
        return format!(
            "exclude_patterns: {folder} would leave {} of {total}",
            total - gone
        );
    }
    let without_tests = || kept.iter().filter(|one| !one.only_tests);
    let left = without_tests().count();
    if request.include_tests && left < total && bounds.hold(without_tests()) {
        return format!("include_tests: false would leave {left} of {total}");
    }
    for depth in (1..request.depth).rev() {
        let within = || kept.iter().filter(|one| one.draft.depth <= Some(depth));
        let left = within().count();
        if left < total && bounds.hold(within()) {
            return format!("depth: {depth} would leave {left} of {total}");
        }
    }
    let level = ("max_per_level", request.max_per_level);
    let list = ("max_results", request.max_results);
    let by_level = ResultLimits {
        list: u32::MAX,
        ..*bounds
    };
    let first = if by_level.hold(kept.iter()) {
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

fn most(name: &str) -> Option<u32> {
    let mut fields = FIELDS.iter();
    fields.find_map(|field| match field.kind {
        FieldKind::Number { most, .. } if field.name == name => Some(most),
        _ => None,
    })
}

fn below(file: &str, folder: &str) -> bool {
    file.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The folders that the results lie in, one step below the deepest folder that holds them all.
fn folders(kept: &[CountedRow]) -> Vec<String> {
    let mut common: Option<Vec<&str>> = None;
    let paths: Vec<Vec<&str>> = kept
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
