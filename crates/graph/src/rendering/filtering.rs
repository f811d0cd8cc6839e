//! Filters and limits for the rows of a finished operation (docs/architecture.md, "The way of a
//! question").
//!
//! Filters run after the traversal, so hidden nodes are still followed. Then `max_per_level` cuts
//! each depth and `max_results` the whole list.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{File, Lang, Origin, Receiver, SymbolId};

use super::hidden::{FilterField, HiddenCounts};
use super::suggestion::{candidates, suggestion};
use crate::answer::{
    ApiError, GraphRequest, GraphResult, Hidden, ImpactSummary, ImpactType, Operation,
    OriginCounts, RowOrder, Severity, Within,
};
use crate::link::Link;
use crate::operations::literal_calls::LiteralCalls;
use crate::pattern::Pattern;
use crate::query_context::QueryContext;
use crate::symbols;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A result that is not printed yet.
#[derive(Clone, Debug)]
pub(crate) struct ResultRow {
    /// The node.
    pub(crate) symbol: SymbolId,
    /// The distance from the target, for operations with levels.
    pub(crate) depth: Option<u32>,
    /// The links that lead to the node.
    pub(crate) links: Vec<Link>,
    /// The sites of further links to it, which are made if the row stays in the answer.
    pub(crate) counted: SitesByFile,
    /// How the type satisfies the interface.
    pub(crate) receiver: Option<Receiver>,
    /// The type arguments of an instance.
    pub(crate) type_args: Box<[Box<str>]>,
    /// How a change reaches the node, and how severe it is there.
    pub(crate) impact: Option<(ImpactType, Severity)>,
}

impl ResultRow {
    /// Creates a row with the node alone.
    pub(crate) fn plain(symbol: SymbolId) -> ResultRow {
        ResultRow {
            symbol,
            depth: None,
            links: Vec::new(),
            counted: SitesByFile::default(),
            receiver: None,
            type_args: Box::default(),
            impact: None,
        }
    }

    /// Returns the number of sites in files, a file possibly several times.
    fn sites(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let links = self.links.iter().map(|link| (link.file, 1));
        links.chain(self.counted.0.iter().copied())
    }

    /// Returns the number of sites.
    pub(crate) fn site_count(&self) -> u32 {
        self.sites().map(|(_, count)| count).sum()
    }

    /// Keeps the sites of the files that `keep` accepts; returns the number of others.
    fn retain_sites(&mut self, keep: impl Fn(File) -> bool) -> u32 {
        let before = self.site_count();
        self.links.retain(|link| keep(link.file));
        self.counted.0.retain(|&mut (file, _)| keep(file));
        before - self.site_count()
    }
}

/// Numbers of sites by file: a function has those that it makes in one file.
#[derive(Clone, Default, Debug)]
pub(crate) struct SitesByFile(SmallVec<[(File, u32); 1]>);

impl SitesByFile {
    /// Returns whether there is no site.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a file has one of the sites.
    pub(crate) fn contains(&self, file: File) -> bool {
        self.0.iter().any(|&(known, _)| known == file)
    }

    /// Adds a site of a file.
    pub(crate) fn add(&mut self, file: File) {
        match self.0.iter_mut().find(|(known, _)| *known == file) {
            Some((_, count)) => *count += 1,
            None => self.0.push((file, 1)),
        }
    }
}

/// What filters read of the node of a result.
#[derive(Clone, Copy, Debug)]
pub struct FilteredNode<'a> {
    /// The path of its file; empty without one.
    pub file: &'a str,
    /// Its id.
    pub id: &'a str,
    /// The id of its package.
    pub package: &'a str,
    /// Whether it belongs to a library.
    pub external: bool,
}

/// The filters `scope`, `exclude_patterns`, `within` and `include_tests`.
pub struct Filter {
    scope: Option<Pattern>,
    exclude: Vec<Pattern>,
    within: Within,
    include_tests: bool,
}

impl Filter {
    /// Parses the filters of a request.
    ///
    /// # Errors
    /// A pattern cannot be parsed.
    pub fn of(request: &GraphRequest) -> Result<Filter, ApiError> {
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
            within: request.within,
            include_tests: request.include_tests,
        })
    }

    /// Returns whether it can hide anything.
    pub fn is_restrictive(&self) -> bool {
        let patterns = self.scope.is_some() || !self.exclude.is_empty();
        patterns || self.within != Within::All || !self.include_tests
    }

    /// Returns whether results and sites in tests are listed.
    pub fn includes_tests(&self) -> bool {
        self.include_tests
    }

    /// Returns the filter that hides a result because of its node, the first of them.
    pub fn hiding(&self, node: FilteredNode<'_>) -> Option<FilterField> {
        let fits = |pattern: &Pattern| pattern.matches_node(node.file, node.id, node.package);
        if !self.scope.as_ref().is_none_or(fits) {
            Some(FilterField::Scope)
        } else if self.exclude.iter().any(fits) {
            Some(FilterField::ExcludePatterns)
        } else if node.external && self.within == Within::Workspace {
            Some(FilterField::Within)
        } else {
            None
        }
    }

    /// Returns whether a pattern decides.
    pub fn has_patterns(&self) -> bool {
        self.scope.is_some() || !self.exclude.is_empty()
    }
}

/// A row that passed the filters, with what suggestions count.
pub(super) struct CountedRow<'q> {
    pub(super) row: ResultRow,
    /// The file of its node.
    declared_in: Option<File>,
    /// The path of its file.
    pub(super) path: &'q str,
    /// The language and the id of the package of its node.
    package: (Option<Lang>, Arc<str>),
    /// Whether its node belongs to a library.
    pub(super) external: bool,
    /// Whether `include_tests: false` would hide it.
    pub(super) only_tests: bool,
}

/// The rows that an answer lists, with counts.
pub(crate) struct FilteredResults {
    /// The listed rows: the workspace's before libraries', of each depth where the order is not that
    /// of the text, else in their given order.
    pub(crate) rows: Vec<ResultRow>,
    /// The number of rows after filters, before limits.
    pub(crate) found: u32,
    /// The smallest depth at which limits cut rows, for operations with levels.
    pub(crate) cut_at: Option<u32>,
    /// Whether limits cut any row.
    pub(crate) cut: bool,
    /// The field that would narrow a cut answer.
    pub(crate) suggestion: Option<String>,
    /// For `impact`: counts of all rows after filters, by impact type.
    pub(crate) summary: Option<ImpactSummary>,
    /// Counts of all rows after filters, by whose they are; none if filters do not apply.
    pub(crate) counts: Option<OriginCounts>,
    /// What the filters hid, if anything.
    pub(crate) hidden: Option<Hidden>,
}

/// Applies filters, then limits.
pub(crate) fn filter_and_cut(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    filter: &Filter,
    targets: &[SymbolId],
    (rows, literal_calls): (Vec<ResultRow>, &LiteralCalls),
) -> FilteredResults {
    let hiding = HiddenCounts::of_literals(literal_calls.hidden(rows.iter().map(|row| row.symbol)));
    let files = FileFacts::new(query);
    let (mut counted, hidden) = filter_rows(&files, request, filter, (rows, hiding));
    let found = counted.len() as u32;
    // Rows come by depth, then id, or in an order of the operation's own. There may be tens of
    // thousands, of which a hundred stay: their numbers are sorted, and they are not moved.
    let in_text_order = request.operation.row_order() == RowOrder::Text;
    let level = |row: &ResultRow| row.depth.filter(|_| !in_text_order);
    let numbers = counted.iter().zip(0u32..);
    let mut order: Vec<_> = numbers
        .map(|(one, number)| (level(&one.row), one.external, number))
        .collect();
    order.sort_unstable();
    let number = |&(.., number): &(_, _, u32)| number as usize;
    let bounds = ResultLimits::of(request, query.unlimited);
    let chosen = bounds.chosen(order.iter().map(|one| counted[number(one)].row.depth));
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for (one, chosen) in order.iter().zip(chosen) {
        let list = if chosen { &mut kept } else { &mut lost };
        list.push(number(one));
    }
    let cut = !lost.is_empty();
    let lost = lost.iter().filter_map(|&number| counted[number].row.depth);
    let cut_at = lost.min();
    let suggestion = cut.then(|| {
        suggestion(request, &bounds, &candidates(&counted), &|| {
            query.db.unwind_if_cancelled()
        })
    });
    let summary =
        (request.operation == Operation::Impact).then(|| summary(query, targets, &counted));
    let counts = counts(&files, &counted);
    let rows = kept.into_iter().map(|number| {
        let one = &mut counted[number];
        let taken = ResultRow::plain(one.row.symbol);
        std::mem::replace(&mut one.row, taken)
    });
    FilteredResults {
        rows: rows.collect(),
        found,
        cut_at,
        cut,
        suggestion,
        summary,
        counts: Some(counts),
        hidden,
    }
}

/// Counts the nodes that a change reaches, and their files and packages. Packages that declare
/// no target are external.
fn summary(
    query: &QueryContext<'_>,
    targets: &[SymbolId],
    counted: &[CountedRow<'_>],
) -> ImpactSummary {
    let count = |impact_type: ImpactType| {
        let impacts = counted.iter().filter_map(|one| one.row.impact);
        impacts.filter(|(known, _)| *known == impact_type).count() as u32
    };
    let own = targets
        .iter()
        .map(|&one| symbols::facts(query, one).package);
    let own: FxHashSet<_> = own.collect();
    let mut packages: FxHashSet<&(Option<Lang>, Arc<str>)> = FxHashSet::default();
    let mut files: FxHashSet<File> = FxHashSet::default();
    // Most rows have the same package as the one before.
    let mut last = None;
    for one in counted {
        let text = Arc::as_ptr(&one.package.1);
        if last != Some((one.package.0, text)) {
            last = Some((one.package.0, text));
            packages.insert(&one.package);
        }
        files.extend(one.row.sites().map(|(file, _)| file));
        if one.row.site_count() == 0 {
            files.extend(one.declared_in);
        }
    }
    let external = packages.iter().filter(|package| !own.contains(**package));
    ImpactSummary {
        implementations: count(ImpactType::Implementation),
        direct_callers: count(ImpactType::DirectCaller),
        transitive_callers: count(ImpactType::TransitiveCaller),
        type_usages: count(ImpactType::TypeUsage),
        external_packages: external.count() as u32,
        files: files.len() as u32,
        packages: packages.len() as u32,
    }
}

/// Counts rows by whose node it is, and sites by whose file they are in.
fn counts(files: &FileFacts<'_>, counted: &[CountedRow<'_>]) -> OriginCounts {
    let mut counts = OriginCounts::default();
    for one in counted {
        add_node(&mut counts, one.external);
        for (file, sites) in one.row.sites() {
            match files.of(file).origin {
                Origin::Workspace => counts.workspace.sites += sites,
                Origin::Library => counts.libraries.sites += sites,
            }
        }
    }
    counts
}

/// Counts a result without a row. It has no sites.
pub(crate) fn count_printed(counts: &mut OriginCounts, result: &GraphResult) {
    add_node(counts, result.node.external);
}

fn add_node(counts: &mut OriginCounts, external: bool) {
    if external {
        counts.libraries.nodes += 1;
    } else {
        counts.workspace.nodes += 1;
    }
}

/// What filters and counts read of a file.
#[derive(Clone, Copy)]
struct FileFact<'q> {
    path: &'q str,
    origin: Origin,
    is_test: bool,
}

/// The facts of the files of an answer, each read once: tens of thousands of sites share them.
struct FileFacts<'q> {
    query: &'q QueryContext<'q>,
    known: RefCell<FxHashMap<File, FileFact<'q>>>,
}

impl<'q> FileFacts<'q> {
    fn new(query: &'q QueryContext<'_>) -> FileFacts<'q> {
        FileFacts {
            query,
            known: RefCell::default(),
        }
    }

    fn of(&self, file: File) -> FileFact<'q> {
        let mut known = self.known.borrow_mut();
        *known.entry(file).or_insert_with(|| FileFact {
            path: file.path(self.query.db),
            origin: file.origin(self.query.db),
            is_test: symbols::is_test(self.query, file),
        })
    }
}

fn filter_rows<'q>(
    files: &FileFacts<'q>,
    request: &GraphRequest,
    filter: &Filter,
    (rows, mut hiding): (Vec<ResultRow>, HiddenCounts),
) -> (Vec<CountedRow<'q>>, Option<Hidden>) {
    let query = files.query;
    let mut counted = Vec::new();
    for mut row in rows {
        query.poll_cancellation();
        let facts = symbols::facts(query, row.symbol);
        let file = facts.file.map(|file| files.of(file));
        let path = file.map_or("", |file| file.path);
        let external = facts.external;
        // Printing an id is work, and only patterns read it.
        let id = filter
            .has_patterns()
            .then(|| symbols::id(query, row.symbol));
        let hiding_filter = filter.hiding(FilteredNode {
            file: path,
            id: id.as_deref().unwrap_or_default(),
            package: &facts.package.1,
            external,
        });
        if let Some(by) = hiding_filter {
            hiding.add_row(by, row.site_count());
            continue;
        }
        let in_test = file.is_some_and(|file| file.is_test);
        let is_test = |file: File| files.of(file).is_test;
        let has_sites = row.sites().next().is_some();
        let only_tests = in_test || has_sites && row.sites().all(|(file, _)| is_test(file));
        if !filter.include_tests {
            if only_tests {
                hiding.add_row(FilterField::IncludeTests, row.site_count());
                continue;
            }
            let gone = row.retain_sites(|file| !is_test(file));
            hiding.add_sites(FilterField::IncludeTests, gone);
        }
        counted.push(CountedRow {
            row,
            declared_in: facts.file,
            path,
            package: facts.package,
            external,
            only_tests,
        });
    }
    (counted, hiding.into_hidden(request))
}

/// The limits of a list.
pub struct ResultLimits {
    /// The limit per depth, for operations with levels.
    pub(super) level: Option<u32>,
    pub(super) list: u32,
}

impl ResultLimits {
    /// Returns the limits of a request; none if all are lifted (`unlimited`).
    pub fn of(request: &GraphRequest, unlimited: bool) -> ResultLimits {
        if unlimited {
            return ResultLimits {
                level: None,
                list: u32::MAX,
            };
        }
        ResultLimits {
            level: (request.depth > 1 && request.operation.uses("max_per_level"))
                .then_some(request.max_per_level),
            list: request.max_results,
        }
    }

    /// Returns for each row whether it stays: the first of each depth, then the first of all.
    pub fn chosen(&self, depths: impl Iterator<Item = Option<u32>>) -> Vec<bool> {
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

    /// Returns whether they cut none of the rows of these depths, each with a number of rows.
    pub(super) fn hold(&self, depths: impl Iterator<Item = (Option<u32>, usize)>) -> bool {
        let mut levels: BTreeMap<u32, usize> = BTreeMap::new();
        let mut listed = 0;
        for (depth, count) in depths {
            listed += count;
            if let Some(depth) = depth {
                *levels.entry(depth).or_default() += count;
            }
        }
        let bound = self.level.map_or(usize::MAX, |bound| bound as usize);
        listed <= self.list as usize && levels.values().all(|&count| count <= bound)
    }
}
