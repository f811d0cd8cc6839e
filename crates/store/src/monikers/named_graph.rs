//! The whole graph with the monikers of its nodes, and with the uses of packages without source.

use std::sync::Arc;

use codeweft_db::{DistributionVersion, Lang, PackageSource, RootDb};
use codeweft_graph::answer::{Node, ReceiverKind};
use codeweft_graph::export::{
    AliasRow, EdgeRow, EdgeType, ExportOptions, Location, PackageWithPaths, PathForm,
    QualifiedFile, SymbolPath, each_alias, each_package_with_paths, each_qualified_file,
};
use codeweft_graph::languages::language_of;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Moniker;
use super::descriptor::{NamePart, descriptors, printed};
use crate::naming::Naming;

/// The graph by the numbers of its symbols.
#[derive(Default)]
pub(crate) struct NamedGraph {
    pub(crate) symbols: Vec<NamedSymbol>,
    pub(crate) edges: Vec<NamedEdge>,
    /// The files of the workspace that are built.
    pub(crate) files: Vec<QualifiedFile>,
    /// Pairs of the moniker of a name and the symbol that it means, distinct and sorted.
    pub(crate) aliases: Vec<(Moniker, Moniker)>,
    /// The number of uses of packages without source that the text names.
    pub(crate) named_uses: u64,
    /// The number of calls of what such packages give that it does not name.
    pub(crate) unnamed_uses: u64,
    by_id: FxHashMap<(Option<Lang>, Arc<str>), u32>,
}

/// A node with its moniker.
#[derive(Default)]
pub(crate) struct NamedSymbol {
    pub(crate) lang: Option<Lang>,
    pub(crate) node: Node,
    pub(crate) signature: Option<String>,
    pub(crate) doc: String,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code))]
    pub(crate) test: bool,
    pub(crate) moniker: Moniker,
    /// The parts of the descriptor; none if nothing but an edge names the symbol.
    pub(crate) parts: Vec<NamePart>,
    source: Option<PackageSource>,
}

/// What a use is, beside its type of edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum NamedUseKind {
    None,
    Read,
    Write,
    Type,
    Embed,
    Key,
    Value,
}

/// An edge between two symbols by their numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NamedEdge {
    pub(crate) from: u32,
    pub(crate) edge_type: EdgeType,
    pub(crate) to: u32,
    pub(crate) location: Option<Location>,
    /// `exact`, `dispatch`, `value` or `name`; empty for edges that declarations make.
    pub(crate) resolution: &'static str,
    pub(crate) kind: NamedUseKind,
    /// `value` or `pointer` for `implements` edges of types; empty for others.
    pub(crate) receiver: &'static str,
    pub(crate) test: bool,
    pub(crate) in_literal: bool,
}

impl NamedUseKind {
    fn named(name: &str) -> NamedUseKind {
        let all = [
            NamedUseKind::Read,
            NamedUseKind::Write,
            NamedUseKind::Type,
            NamedUseKind::Embed,
            NamedUseKind::Key,
            NamedUseKind::Value,
        ];
        all.into_iter()
            .find(|kind| kind.name() == name)
            .unwrap_or(NamedUseKind::None)
    }

    /// Returns the name on the wire; empty for none.
    pub(crate) fn name(self) -> &'static str {
        match self {
            NamedUseKind::None => "",
            NamedUseKind::Read => "read",
            NamedUseKind::Write => "write",
            NamedUseKind::Type => "type",
            NamedUseKind::Embed => "embed",
            NamedUseKind::Key => "key",
            NamedUseKind::Value => "value",
        }
    }
}

impl NamedGraph {
    /// Gathers the graph of a database.
    pub(crate) fn gather(
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        naming: &Naming<'_>,
    ) -> NamedGraph {
        let mut graph = NamedGraph::default();
        each_package_with_paths(db, options, threads, &mut |package| {
            graph.add_package(package);
        });
        each_qualified_file(db, threads, &mut |file| graph.files.push(file));
        graph.add_absent_members(options);
        graph.mark_unknown();
        let mut aliases = Vec::new();
        each_alias(db, threads, &mut |alias| aliases.push(alias));
        let identities = Identities::new(
            graph.symbols.iter().filter_map(NamedSymbol::source).chain(
                aliases
                    .iter()
                    .flat_map(|alias| [of_path(&alias.package), of_path(&alias.target)])
                    .flatten(),
            ),
            naming,
        );
        for symbol in &mut graph.symbols {
            if let Some(source) = symbol.source() {
                symbol.moniker = identities.moniker(source, &symbol.parts);
            }
        }
        graph.add_aliases(&aliases, &identities);
        graph.edges.sort();
        graph.edges.dedup();
        graph
    }

    /// Returns the number of a symbol by its id.
    pub(crate) fn number(&self, lang: Option<Lang>, id: &Arc<str>) -> Option<u32> {
        self.by_id.get(&(lang, id.clone())).copied()
    }

    fn symbol(&mut self, lang: Option<Lang>, id: &Arc<str>) -> u32 {
        let next = self.symbols.len() as u32;
        let number = *self.by_id.entry((lang, id.clone())).or_insert(next);
        if number == next {
            self.symbols.push(NamedSymbol {
                lang,
                node: Node {
                    id: id.to_string(),
                    ..Node::default()
                },
                ..NamedSymbol::default()
            });
        }
        number
    }

    fn add_package(&mut self, package: PackageWithPaths) {
        let detailed = package.detailed;
        let lang = detailed.lang;
        let nodes = detailed.rows.nodes.into_iter().zip(detailed.details);
        let named = package.paths.into_iter().zip(package.docs);
        for ((node, detail), (path, doc)) in nodes.zip(named) {
            let number = self.symbol(lang, &node.id.as_str().into());
            if let Some(symbol) = self.symbols.get_mut(number as usize) {
                *symbol = NamedSymbol {
                    lang,
                    signature: detail.signature,
                    doc,
                    test: detail.test,
                    moniker: Moniker::default(),
                    parts: descriptors(&path),
                    source: Some(path.package),
                    node,
                };
            }
        }
        for edge in detailed.rows.edges {
            let (from, to) = (self.symbol(lang, &edge.from), self.symbol(lang, &edge.to));
            self.edges.push(NamedEdge::of_row(from, to, edge));
        }
    }

    /// Adds the names of packages without source that a text qualifies, and their uses.
    fn add_absent_members(&mut self, options: &ExportOptions) {
        let mut forms: FxHashMap<(Lang, Arc<str>, Arc<str>), PathForm> = FxHashMap::default();
        let files = std::mem::take(&mut self.files);
        let members = || {
            let rows = files
                .iter()
                .flat_map(|file| file.names.iter().map(move |row| (file, row)));
            rows.filter_map(|(file, row)| Some((file, row, row.member.as_ref()?)))
        };
        for (file, row, member) in members() {
            let key = (file.lang, row.package.clone(), member.name.clone());
            let form = match member.kind {
                Some("type" | "embed") => PathForm::Type,
                None => PathForm::Function,
                Some(_) => PathForm::Variable,
            };
            // What is a type at one site is one wherever it is called.
            let known = forms.entry(key).or_insert(form);
            *known = (*known).min(form);
        }
        for (file, row, member) in members() {
            self.named_uses += 1;
            let edge_type = match member.kind {
                None => EdgeType::Calls,
                Some(_) => EdgeType::References,
            };
            if !options.edges.contains(&edge_type) {
                continue;
            }
            let lang = Some(file.lang);
            let key = (file.lang, row.package.clone(), member.name.clone());
            let form = forms.get(&key).copied().unwrap_or(PathForm::Variable);
            let id: Arc<str> = format!("{}.{}", row.package, member.name).into();
            let to = self.symbol(lang, &id);
            let source = self
                .number(lang, &row.package)
                .and_then(|package| self.symbols.get(package as usize)?.source.clone());
            if let (Some(symbol), Some(source)) = (self.symbols.get_mut(to as usize), source)
                && symbol.source.is_none()
            {
                *symbol = absent_member(file.lang, &id, source, &member.name, form, row);
            }
            let from = self.symbol(lang, &row.from);
            self.edges.push(NamedEdge {
                from,
                edge_type,
                to,
                location: Some(Location {
                    file: file.path.clone(),
                    line: member.position.line,
                    column: member.position.column,
                }),
                resolution: "name",
                kind: member.kind.map_or(NamedUseKind::None, NamedUseKind::named),
                receiver: "",
                test: false,
                in_literal: member.in_literal,
            });
        }
        self.unnamed_uses = files.iter().map(|file| file.unnamed).sum();
        self.files = files;
    }

    /// Marks the uses of names of which no text says what they are as resolved by name.
    fn mark_unknown(&mut self) {
        for edge in &mut self.edges {
            let to = self.symbols.get(edge.to as usize);
            let is_unknown = to.is_some_and(|symbol| {
                let folder = symbol.source.as_ref().map(|source| &source.folder);
                folder == Some(&None) && symbol.parts.len() > 1 && symbol.node.kind != "package"
            });
            let is_use = !edge.resolution.is_empty();
            let is_builtin = to
                .and_then(|symbol| symbol.source.as_ref())
                .is_some_and(|source| &*source.import_path == "builtin");
            if is_unknown && is_use && !is_builtin && edge.resolution != "name" {
                edge.resolution = "name";
                self.named_uses += 1;
            }
        }
    }

    /// Adds the names by which modules give on what others declare; and for what modules declare themselves
    /// the names that other repositories have for it without its source.
    fn add_aliases(&mut self, aliases: &[AliasRow], identities: &Identities) {
        let mut found: FxHashSet<(Moniker, Moniker)> = FxHashSet::default();
        let mut add = |alias: Moniker, target: &Moniker| {
            if alias.key() != target.key() {
                found.insert((alias, target.clone()));
            }
        };
        // (source, names) of what is declared in a class, by the class's moniker.
        let mut members: FxHashMap<Moniker, Vec<(&str, &Moniker)>> = FxHashMap::default();
        for symbol in self
            .symbols
            .iter()
            .filter(|symbol| symbol.is_own_module_name())
        {
            let Some(source) = symbol.source() else {
                continue;
            };
            let names = symbol.parts.get(1..).unwrap_or_default();
            let plain = names.iter().map(|part| part.name.as_str());
            let unknown = super::unknown_path(&source.1.import_path, plain);
            add(identities.moniker(source, &unknown), &symbol.moniker);
            if let [module, class, member] = symbol.parts.as_slice() {
                let class = identities.moniker(source, &[module.clone(), class.clone()]);
                let list = members.entry(class).or_default();
                list.push((&member.name, &symbol.moniker));
            }
        }
        for alias in aliases {
            let (Some(source), Some(target)) = (of_path(&alias.package), of_path(&alias.target))
            else {
                continue;
            };
            let target = identities.moniker(target, &descriptors(&alias.target));
            let module = &source.1.import_path;
            let unknown = super::unknown_path(module, std::iter::once(&*alias.name));
            add(identities.moniker(source, &unknown), &target);
            for (name, member) in members.get(&target).into_iter().flatten() {
                let names = [&*alias.name, name].into_iter();
                let unknown = super::unknown_path(module, names);
                add(identities.moniker(source, &unknown), member);
            }
        }
        self.aliases = found.into_iter().collect();
        self.aliases.sort();
    }
}

impl NamedSymbol {
    /// Returns whether the symbol is a node, or what a text calls so of a package without source.
    pub(crate) fn is_named(&self) -> bool {
        self.source.is_some()
    }

    /// Returns whether what the language itself declares.
    pub(crate) fn is_builtin(&self) -> bool {
        let source = self.source.as_ref();
        source.is_some_and(|source| source.folder.is_none() && &*source.import_path == "builtin")
    }

    /// Returns whether it is a method that an interface declares, in a language whose interfaces are no classes.
    pub(crate) fn declares_no_body(&self) -> bool {
        let last = self.parts.last();
        last.is_some_and(|part| part.suffix == scip::types::descriptor::Suffix::Term)
    }

    fn source(&self) -> Option<(Lang, &PackageSource)> {
        Some((self.lang?, self.source.as_ref()?))
    }

    /// Returns whether it is a declaration of the workspace in a language of modules, at most one class deep.
    fn is_own_module_name(&self) -> bool {
        let is_of_modules = self.lang.is_some_and(|lang| lang.packages_are_files);
        let depth = self.parts.len();
        is_of_modules
            && !self.node.external
            && self.node.kind != "package"
            && (2..=3).contains(&depth)
    }
}

impl NamedEdge {
    fn of_row(from: u32, to: u32, edge: EdgeRow) -> NamedEdge {
        let resolution = match edge.resolution.as_deref() {
            Some("dispatch") => "dispatch",
            Some("value") => "value",
            Some("name") => "name",
            Some(_) => "exact",
            None if edge.edge_type == EdgeType::References => "exact",
            None => "",
        };
        NamedEdge {
            from,
            edge_type: edge.edge_type,
            to,
            location: edge.location,
            resolution,
            kind: edge
                .kind
                .as_deref()
                .map_or(NamedUseKind::None, NamedUseKind::named),
            receiver: match edge.receiver {
                Some(ReceiverKind::Value) => "value",
                Some(ReceiverKind::Pointer) => "pointer",
                None => "",
            },
            test: edge.test,
            in_literal: edge.in_literal,
        }
    }
}

/// Returns the node for a name of a package without source.
fn absent_member(
    lang: Lang,
    id: &str,
    source: PackageSource,
    name: &Arc<str>,
    form: PathForm,
    row: &codeweft_graph::export::QualifiedRow,
) -> NamedSymbol {
    let kind = match form {
        PathForm::Type => "type",
        PathForm::Function | PathForm::InterfaceMethod => "function",
        PathForm::Variable | PathForm::Unknown => "variable",
    };
    let path = SymbolPath {
        lang: Some(lang),
        package: source.clone(),
        parts: vec![codeweft_graph::export::PathPart {
            name: name.clone(),
            form,
            number: 0,
        }],
    };
    NamedSymbol {
        lang: Some(lang),
        node: Node {
            id: id.to_owned(),
            kind: kind.to_owned(),
            name: name.to_string(),
            language: lang.wire_name().to_owned(),
            visibility: "public".to_owned(),
            package: row.package.to_string(),
            external: true,
            ..Node::default()
        },
        parts: descriptors(&path),
        source: Some(source),
        ..NamedSymbol::default()
    }
}

fn of_path(path: &SymbolPath) -> Option<(Lang, &PackageSource)> {
    Some((path.lang?, &path.package))
}

/// The managers, packages and versions of packages.
struct Identities(FxHashMap<(Lang, PackageSource), Moniker>);

impl Identities {
    fn new<'s>(
        sources: impl Iterator<Item = (Lang, &'s PackageSource)>,
        naming: &Naming<'_>,
    ) -> Identities {
        let mut by_lang: FxHashMap<Lang, Vec<PackageSource>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for (lang, source) in sources {
            if seen.insert((lang, source)) {
                by_lang.entry(lang).or_default().push(source.clone());
            }
        }
        let mut identities = FxHashMap::default();
        for (lang, sources) in by_lang {
            let Some(language) = language_of(lang) else {
                continue;
            };
            let found = language.distributions(&sources, naming.root, naming.reader);
            for (source, found) in sources.into_iter().zip(found) {
                let identity = Moniker {
                    manager: language.package_manager().to_owned(),
                    package: found.name,
                    version: match found.version {
                        DistributionVersion::Own => naming.version.to_owned(),
                        DistributionVersion::Known(version) => version,
                        DistributionVersion::Unknown => String::new(),
                    },
                    descriptor: String::new(),
                };
                identities.insert((lang, source), identity);
            }
        }
        Identities(identities)
    }

    fn moniker(&self, (lang, source): (Lang, &PackageSource), parts: &[NamePart]) -> Moniker {
        let known = self.0.get(&(lang, source.clone()));
        Moniker {
            descriptor: printed(parts),
            ..known.cloned().unwrap_or_default()
        }
    }
}
