//! What the filters of a request hide, in numbers and in words.

use crate::answer::{GraphRequest, Hidden, Operation};

/// A filter of a request, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilterField {
    /// Without `include_literal_calls`: calls of function literals.
    IncludeLiteralCalls,
    /// `scope`.
    Scope,
    /// `exclude_patterns`.
    ExcludePatterns,
    /// `within`.
    Within,
    /// `include_tests`.
    IncludeTests,
}

impl FilterField {
    const ALL: [FilterField; 5] = [
        FilterField::IncludeLiteralCalls,
        FilterField::Scope,
        FilterField::ExcludePatterns,
        FilterField::Within,
        FilterField::IncludeTests,
    ];

    /// Returns the name on the wire.
    fn wire_name(self) -> &'static str {
        match self {
            FilterField::IncludeLiteralCalls => "include_literal_calls",
            FilterField::Scope => "scope",
            FilterField::ExcludePatterns => "exclude_patterns",
            FilterField::Within => "within",
            FilterField::IncludeTests => "include_tests",
        }
    }

    /// Returns where what it hides is: ``outside `src/` ``.
    fn location(self, request: &GraphRequest) -> String {
        match self {
            // Hidden by default, so that the field that lists them is named.
            FilterField::IncludeLiteralCalls => {
                let means = match request.operation {
                    Operation::Callees => "by calls of function literals made in them",
                    _ => "by calls of function literals made in it",
                };
                format!("{means} (listed with `include_literal_calls`)")
            }
            FilterField::Scope => format!("outside `{}`", request.scope.trim()),
            FilterField::ExcludePatterns => {
                let patterns = request.exclude_patterns.iter();
                let patterns = patterns.map(|pattern| pattern.trim());
                let patterns = patterns.filter(|pattern| !pattern.is_empty());
                let patterns: Vec<String> =
                    patterns.map(|pattern| format!("`{pattern}`")).collect();
                format!("in {}", patterns.join(" or "))
            }
            FilterField::Within => "in libraries".to_owned(),
            FilterField::IncludeTests => "in tests".to_owned(),
        }
    }
}

/// The numbers of hidden results and sites, by filter. A row counts for the first that hides it.
#[derive(Default)]
pub struct HiddenCounts {
    counts: [HiddenBy; FilterField::ALL.len()],
}

/// What one filter hides.
#[derive(Clone, Copy, Default)]
struct HiddenBy {
    nodes: u32,
    sites: u32,
}

impl HiddenCounts {
    /// Creates the counts with the hidden calls of literals: the number of sites, and of nodes that have no
    /// other site.
    pub fn of_literals((sites, nodes): (u32, u32)) -> HiddenCounts {
        let mut hiding = HiddenCounts::default();
        hiding.counts[FilterField::IncludeLiteralCalls as usize] = HiddenBy { nodes, sites };
        hiding
    }

    /// Counts a hidden row with its number of sites.
    pub fn add_row(&mut self, by: FilterField, sites: u32) {
        let counts = &mut self.counts[by as usize];
        counts.nodes += 1;
        counts.sites += sites;
    }

    /// Counts hidden sites of a row that is listed.
    pub fn add_sites(&mut self, by: FilterField, sites: u32) {
        self.counts[by as usize].sites += sites;
    }

    /// Returns the sums with the filters and the words; `None` if nothing is hidden.
    pub fn into_hidden(self, request: &GraphRequest) -> Option<Hidden> {
        let all = FilterField::ALL.into_iter().zip(self.counts);
        let hiding: Vec<_> = all
            .filter(|(_, hidden)| hidden.nodes + hidden.sites > 0)
            .collect();
        let nouns = request.operation.spec().rows;
        let words = hiding.iter().map(|(filter, hidden)| {
            let counted = hidden.words(nouns);
            format!("{counted} {}", filter.location(request))
        });
        let words: Vec<String> = words.collect();
        (!hiding.is_empty()).then(|| Hidden {
            nodes: hiding.iter().map(|(_, hidden)| hidden.nodes).sum(),
            sites: hiding.iter().map(|(_, hidden)| hidden.sites).sum(),
            by: hiding
                .iter()
                .map(|(filter, _)| filter.wire_name().to_owned())
                .collect(),
            words: words.join(", "),
        })
    }
}

impl HiddenBy {
    fn words(self, (one, many): (&str, &str)) -> String {
        match (self.nodes, self.sites) {
            (0, 1) => "1 site".to_owned(),
            (0, sites) => format!("{sites} sites"),
            (1, _) => format!("1 {one}"),
            (nodes, _) => format!("{nodes} {many}"),
        }
    }
}
