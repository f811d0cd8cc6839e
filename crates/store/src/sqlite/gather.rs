//! The rows of all tables, from what the graph exports.

use std::io;
use std::sync::Arc;

use codeweft_db::Lang;
use codeweft_db::detail::ParameterDetail;
use codeweft_graph::answer::{Node, ReceiverKind};
use codeweft_graph::export::{DetailedPackage, EdgeRow, Location, NodeDetail};
use rustc_hash::FxHashMap;

use super::codes::{self, EdgeForm, edge_form, kind_code};
use super::open::{Conversion, Open};
use super::owners::Declarations;

/// Everything but the files, by numbers in the order in which it came.
#[derive(Default)]
pub(crate) struct Gathered {
    /// The symbols and, without an id, the top levels.
    pub(crate) symbols: Vec<Symbol>,
    by_id: FxHashMap<(Option<Lang>, Arc<str>), u32>,
    top_levels: FxHashMap<(u32, Arc<str>), u32>,
    pub(crate) packages: Vec<Package>,
    by_package: FxHashMap<(Option<Lang>, Arc<str>), u32>,
    pub(crate) uses: Vec<UseRow>,
    pub(crate) runs: Vec<RunRow>,
    /// The distinct sets of targets.
    pub(crate) sets: Vec<Arc<[u32]>>,
    by_set: FxHashMap<Arc<[u32]>, u32>,
    pub(crate) implements: Vec<ImplementRow>,
    pub(crate) reasons: Vec<String>,
    pub(super) open: Open,
    /// Whether containers and packages that are no nodes here are symbols all the same: of one that is a part of
    /// the graph, others have them.
    pub(crate) is_part: bool,
    /// The number of nodes.
    pub(crate) nodes: u64,
    /// The number of edges.
    pub(crate) edges: u64,
}

/// A declaration, or the top level of a file.
#[derive(Default)]
pub(crate) struct Symbol {
    pub(crate) id: Option<Arc<str>>,
    pub(crate) lang: Option<Lang>,
    pub(crate) name: String,
    pub(crate) kind: u8,
    pub(crate) package: Option<u32>,
    pub(crate) parent: Option<u32>,
    pub(crate) home: Option<u32>,
    pub(crate) file: Option<Arc<str>>,
    pub(crate) flags: u8,
    pub(crate) name_position: (u32, u32),
    pub(crate) lines: (u32, u32),
    pub(crate) bytes: (u32, u32),
    pub(crate) signature: Option<String>,
    pub(crate) type_expr: String,
    pub(crate) parameters: Vec<ParameterDetail>,
}

/// A package, also one of which only a member is a node.
pub(crate) struct Package {
    pub(crate) lang: Option<Lang>,
    pub(crate) name: Arc<str>,
    pub(crate) import_path: Option<Arc<str>>,
}

/// A position below an owner: `line` counts in the file, 0 without a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) owner: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) flags: u8,
}

/// An exact use.
pub(crate) struct UseRow {
    pub(crate) site: Site,
    pub(crate) target: u32,
    pub(crate) kind: u8,
}

/// What a call may run.
pub(crate) struct RunRow {
    pub(crate) site: Site,
    pub(crate) resolution: u8,
    pub(crate) reason: u32,
    pub(crate) set: u32,
}

/// A pair of a type and an interface, or of their methods.
pub(crate) struct ImplementRow {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) type_args: Vec<String>,
    pub(crate) receiver: Option<ReceiverKind>,
    pub(crate) test: bool,
}

/// A site with what its rows of one set share: resolution and reason.
type RunKey = (Site, u8, u32);

impl Gathered {
    /// Returns the rows of a part of the graph, see [`Gathered::is_part`].
    ///
    /// # Errors
    /// As [`Gathered::add`].
    pub(crate) fn of_part(package: DetailedPackage) -> io::Result<Gathered> {
        let mut part = Gathered {
            is_part: true,
            ..Gathered::default()
        };
        part.add(package)?;
        Ok(part)
    }

    /// Adds a package.
    ///
    /// # Errors
    /// A node or an edge has a kind that the tables have no number for.
    pub(crate) fn add(&mut self, package: DetailedPackage) -> io::Result<()> {
        let lang = package.lang;
        let mut declarations = Declarations::default();
        let mut numbers = Vec::with_capacity(package.rows.nodes.len());
        for (node, detail) in package.rows.nodes.into_iter().zip(package.details) {
            numbers.push(self.add_node(lang, node, detail, &mut declarations)?);
        }
        self.open
            .add(package.open, |node| numbers.get(node as usize).copied());
        declarations.sort();
        for one in package.relations {
            let (from, to) = (self.symbol(lang, one.from), self.symbol(lang, one.to));
            self.open.relations.push((from, to, one.distance));
        }
        for one in package.conversions {
            let from = self.symbol(lang, one.from);
            let mut site = self.site(lang, from, Some(one.location), &declarations);
            if one.in_literal {
                site.flags |= codes::IN_LITERAL;
            }
            let (ty, interface) = (self.symbol(lang, one.ty), self.symbol(lang, one.interface));
            self.open.conversions.push(Conversion {
                site,
                ty,
                interface,
            });
        }
        let mut runs: FxHashMap<RunKey, Vec<u32>> = FxHashMap::default();
        for edge in package.rows.edges {
            self.add_edge(lang, edge, &declarations, &mut runs)?;
        }
        let mut runs: Vec<(RunKey, Vec<u32>)> = runs.into_iter().collect();
        runs.sort();
        for ((site, resolution, reason), mut targets) in runs {
            targets.sort_unstable();
            let set = self.set(targets.into());
            self.runs.push(RunRow {
                site,
                resolution,
                reason,
                set,
            });
        }
        Ok(())
    }

    fn add_node(
        &mut self,
        lang: Option<Lang>,
        node: Node,
        detail: NodeDetail,
        declarations: &mut Declarations,
    ) -> io::Result<u32> {
        let kind = kind_code(&node.kind).ok_or_else(|| unknown(&node.kind))?;
        let is_package = Some(kind) == kind_code("package");
        let number = self.symbol(lang, node.id.as_str().into());
        let path: Arc<str> = node.package.as_str().into();
        let package = self.package(lang, &path);
        if is_package && let Some(known) = self.packages.get_mut(package as usize) {
            known.import_path = detail.import_path;
        }
        let (parent, home) = if is_package {
            (None, None)
        } else {
            let parent = self.enclosing(lang, &detail.container);
            (parent, self.enclosing(lang, &path))
        };
        let file: Option<Arc<str>> = (!node.file.is_empty()).then(|| node.file.as_str().into());
        if let Some(file) = file.as_ref().filter(|_| !is_package) {
            declarations.add(file, node.start_line, node.end_line, number);
        }
        let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
        let flags = flag(node.visibility == "public", codes::PUBLIC)
            | flag(node.external, codes::EXTERNAL)
            | flag(detail.test, codes::TEST)
            | flag(detail.is_of_class, codes::CLASS)
            | flag(detail.is_interface_method, codes::OF_INTERFACE)
            | flag(detail.is_absent, codes::ABSENT);
        let Some(symbol) = self.symbols.get_mut(number as usize) else {
            return Ok(number);
        };
        if symbol.kind == 0 {
            self.nodes += 1;
        }
        *symbol = Symbol {
            id: symbol.id.clone(),
            lang,
            name: node.name,
            kind,
            package: Some(package),
            parent,
            home,
            file,
            flags,
            name_position: (node.name_line, node.name_column),
            lines: (node.start_line, node.end_line),
            bytes: (node.start_pos, node.end_pos),
            signature: detail.signature,
            type_expr: detail.type_expr,
            parameters: detail.parameters,
        };
        Ok(number)
    }

    fn add_edge(
        &mut self,
        lang: Option<Lang>,
        edge: EdgeRow,
        declarations: &Declarations,
        runs: &mut FxHashMap<RunKey, Vec<u32>>,
    ) -> io::Result<()> {
        let form = edge_form(&edge).ok_or_else(|| unknown(edge.edge_type.wire_name()))?;
        let from = self.symbol(lang, edge.from);
        let to = self.symbol(lang, edge.to);
        // What an import statement names is no edge of the graph.
        self.edges += u64::from(form != EdgeForm::Use(codes::NAMED_IN_IMPORT));
        if form == EdgeForm::Implements {
            self.implements.push(ImplementRow {
                from,
                to,
                type_args: edge.type_args,
                receiver: edge.receiver,
                test: edge.test,
            });
            return Ok(());
        }
        let mut site = self.site(lang, from, edge.location, declarations);
        if edge.in_literal {
            site.flags |= codes::IN_LITERAL;
        }
        if edge.of_literal {
            site.flags |= codes::OF_LITERAL;
        }
        match form {
            EdgeForm::Use(kind) => self.uses.push(UseRow {
                site,
                target: to,
                kind,
            }),
            EdgeForm::Run(resolution) => {
                let reason = edge.reason.map_or(0, |reason| self.reason(&reason));
                runs.entry((site, resolution, reason)).or_default().push(to);
            }
            EdgeForm::Implements => {}
        }
        Ok(())
    }

    /// Returns where a use of `from` is: below `from` itself if the use is in its file, else below the innermost
    /// declaration of the package that `from` is, else below the top level of the file.
    fn site(
        &mut self,
        lang: Option<Lang>,
        from: u32,
        location: Option<Location>,
        declarations: &Declarations,
    ) -> Site {
        let Some(location) = location else {
            return Site {
                owner: from,
                line: 0,
                column: 0,
                flags: 0,
            };
        };
        let at = |owner, flags| Site {
            owner,
            line: location.line,
            column: location.column,
            flags,
        };
        let of = self.symbols.get(from as usize);
        let is_package = of.is_some_and(|of| Some(of.kind) == kind_code("package"));
        if !is_package && of.is_some_and(|of| of.file.as_ref() == Some(&location.file)) {
            return at(from, 0);
        }
        let around = declarations.around(&location).filter(|&around| {
            let around = self.symbols.get(around as usize);
            around.is_some_and(|around| around.home == Some(from))
        });
        let owner = around.unwrap_or_else(|| self.top_level(lang, from, &location));
        if let Some(owner) = self.symbols.get_mut(owner as usize) {
            owner.flags |= codes::HAS_HOME_USE;
        }
        at(owner, codes::OF_HOME)
    }

    /// Returns the top level of a file: the code of `home` there outside all declarations. It begins with its first use, so
    /// that lines above change nothing else.
    fn top_level(&mut self, lang: Option<Lang>, home: u32, location: &Location) -> u32 {
        let key = (home, location.file.clone());
        if let Some(&known) = self.top_levels.get(&key) {
            if let Some(top_level) = self.symbols.get_mut(known as usize) {
                top_level.lines.0 = top_level.lines.0.min(location.line);
            }
            return known;
        }
        let package = self
            .symbols
            .get(home as usize)
            .and_then(|home| home.package);
        let number = self.symbols.len() as u32;
        self.symbols.push(Symbol {
            lang,
            kind: codes::TOP_LEVEL,
            package,
            home: Some(home),
            file: Some(location.file.clone()),
            lines: (location.line, 0),
            ..Symbol::default()
        });
        self.top_levels.insert(key, number);
        number
    }

    /// Returns the symbol that encloses another one, if it is one: the node of a package that no edge touches is none.
    fn enclosing(&mut self, lang: Option<Lang>, id: &Arc<str>) -> Option<u32> {
        if self.is_part && !id.is_empty() {
            return Some(self.symbol(lang, id.clone()));
        }
        self.by_id.get(&(lang, id.clone())).copied()
    }

    fn symbol(&mut self, lang: Option<Lang>, id: Arc<str>) -> u32 {
        let symbols = &mut self.symbols;
        *self
            .by_id
            .entry((lang, id))
            .or_insert_with_key(|(lang, id)| {
                symbols.push(Symbol {
                    id: Some(id.clone()),
                    lang: *lang,
                    ..Symbol::default()
                });
                symbols.len() as u32 - 1
            })
    }

    fn package(&mut self, lang: Option<Lang>, name: &Arc<str>) -> u32 {
        let packages = &mut self.packages;
        let key = (lang, name.clone());
        *self.by_package.entry(key).or_insert_with(|| {
            packages.push(Package {
                lang,
                name: name.clone(),
                import_path: None,
            });
            packages.len() as u32 - 1
        })
    }

    fn set(&mut self, targets: Arc<[u32]>) -> u32 {
        let sets = &mut self.sets;
        *self.by_set.entry(targets).or_insert_with_key(|targets| {
            sets.push(targets.clone());
            sets.len() as u32 - 1
        })
    }

    /// Returns the number of a reason, from 1.
    pub(crate) fn reason(&mut self, name: &str) -> u32 {
        let known = self.reasons.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            self.reasons.push(name.to_owned());
            self.reasons.len() - 1
        });
        at as u32 + 1
    }
}

fn unknown(word: &str) -> io::Error {
    let words = format!("the tables have no number for {word}");
    io::Error::new(io::ErrorKind::InvalidData, words)
}
