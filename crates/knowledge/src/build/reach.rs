//! Which services run which code: a service is a program, with all that its code reaches over imports and uses.
//!
//! ```text
//! cmd/orders/main.go ── imports ── internal/clients ── has NewPayments, NewUsers
//!                    ── calls ──── NewPayments              orders calls payments, not users
//! ```
//!
//! The code of a service's own folders is run by it. Of code outside of them it is what its own code uses, in packages
//! that it imports: functions, and types with all their methods, over any number of steps.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::idle::Idle;
use crate::code::{Code, CodeEdge, CodeEdgeType, CodeSymbol};
use crate::facts::Facts;
use crate::services::{EntryFiles, Service, is_below, parent};
use crate::wires::Commands;

/// The packages that packages import.
pub(super) type Imports<'a> = FxHashMap<&'a str, FxHashSet<&'a str>>;

/// The units that units use, by number.
type Uses = FxHashMap<u32, FxHashSet<u32>>;

/// What runs the code of the workspace.
pub(super) struct Reach<'a> {
    code: &'a Code,
    services: Vec<ServiceReach<'a>>,
    packages: FxHashMap<&'a str, &'a str>,
    units: Vec<u32>,
}

/// What a service runs.
struct ServiceReach<'a> {
    service: &'a Service,
    /// The packages that it imports, over any number of steps, and its own.
    packages: FxHashSet<&'a str>,
    /// Those of them in its own folders: all of their code counts.
    own: FxHashSet<&'a str>,
    /// The declarations that it uses, by the number of their unit.
    units: FxHashSet<u32>,
    /// What of its program does not run: commands that its own does not name.
    idle: Option<Idle>,
}

impl<'a> Reach<'a> {
    /// `handling` are the functions that handle endpoints of contracts.
    pub(super) fn new(facts: &'a Facts, handling: &[u32], commands: &Commands) -> Reach<'a> {
        let code = &*facts.code;
        let files = code.files.iter().filter(|file| !file.is_test);
        let packages = files.map(|file| (&*file.path, &*file.package)).collect();
        let imports = imports(code, &|_| false);
        let units = units(code);
        let uses = uses(code, &units, None);
        let mains = mains(code);
        let services = facts.services.list.iter().map(|service| {
            let around = packages_around(facts, service);
            let programs = around.iter().copied();
            let mut roots: Vec<&str> = programs.filter(|one| mains.contains(one)).collect();
            if roots.is_empty() {
                roots.extend(&around);
            }
            let loaded = loaded_handlers(facts, service, handling);
            let of_loaded = loaded.iter().filter_map(|&number| code.symbol(number));
            roots.extend(of_loaded.map(|symbol| &*symbol.package));
            let imported = |roots: &[&'a str], imports: &Imports<'a>| {
                closure(roots.iter().copied(), |package| {
                    imports.get(package).into_iter().flatten().copied()
                })
            };
            let mut packages = imported(&roots, &imports);
            let idle = Idle::of(code, &packages, (service, &facts.services.list), commands);
            if let Some(idle) = &idle {
                packages = imported(&roots, &self::imports(code, &|edge| idle.has(edge)));
            }
            let own = around.into_iter().filter(|one| packages.contains(one));
            let own: FxHashSet<&str> = own.collect();
            let roots = (0..).zip(&code.symbols).filter(|(_, symbol)| {
                let is_run = own.contains(&*symbol.package)
                    || packages.contains(&*symbol.package) && runs_with_its_package(symbol);
                is_run && !symbol.is_test
            });
            let roots = roots.map(|(number, _)| number).chain(loaded);
            let unit = |number: u32| units.get(number as usize).copied();
            let roots: Vec<u32> = roots.filter_map(unit).collect();
            // A function that is given others may run those of other programs: what is not imported is not run.
            let is_imported = |unit: &u32| {
                let symbol = code.symbol(*unit);
                symbol.is_some_and(|symbol| packages.contains(&*symbol.package))
            };
            let used_from = |roots: Vec<u32>, uses: &Uses| {
                closure(roots.into_iter(), |unit| {
                    let used = uses.get(&unit).into_iter().flatten().copied();
                    used.filter(is_imported)
                })
            };
            let units = match &idle {
                None => used_from(roots, &uses),
                Some(idle) => {
                    let sure = self::uses(code, &units, Some((idle, None)));
                    let runs = |unit: &u32| {
                        let symbol = code.symbol(*unit);
                        symbol.is_some_and(|one| runs_with_its_package(one) || one.is_main())
                    };
                    let begins = roots.iter().copied().filter(runs);
                    let begins: Vec<u32> = begins.chain(idle.running.iter().copied()).collect();
                    let run = used_from(begins.clone(), &sure);
                    let others = used_from(idle.begins(code, &units), &sure);
                    let packages_of = |units: &FxHashSet<u32>| {
                        let symbols = units.iter().filter_map(|unit| code.symbol(*unit));
                        let code = symbols.filter(|symbol| !runs_with_its_package(symbol));
                        code.map(|symbol| &*symbol.package).collect()
                    };
                    let of_run: FxHashSet<&str> = packages_of(&run);
                    let mut of_others: FxHashSet<&str> = packages_of(&others);
                    of_others.retain(|package| !of_run.contains(package));
                    let uses = self::uses(code, &units, Some((idle, Some(&of_others))));
                    let run = used_from(begins, &uses);
                    // All code of a package that only idle commands reach is idle.
                    let is_idle = |unit: &u32| {
                        let symbol = code.symbol(*unit);
                        let package = symbol.map_or("", |symbol| &*symbol.package);
                        others.contains(unit) || of_others.contains(package)
                    };
                    let is_run = |unit: &u32| run.contains(unit) || !is_idle(unit);
                    let roots = roots.into_iter().filter(is_run);
                    used_from(roots.chain(run.iter().copied()).collect(), &uses)
                }
            };
            ServiceReach {
                service,
                packages,
                own,
                units,
                idle,
            }
        });
        let mut services: Vec<ServiceReach<'a>> = services.collect();
        add_loaded_by_name(facts, &mut services);
        Reach {
            code,
            services,
            packages,
            units,
        }
    }

    /// Returns the services that run a declaration of a file; without one those that run the file.
    pub(super) fn services(&self, path: &str, symbol: Option<u32>) -> Vec<&'a Service> {
        let Some(&package) = self.packages.get(path) else {
            return Vec::new();
        };
        let unit = symbol.and_then(|symbol| self.units.get(symbol as usize));
        let running = self.services.iter().filter(|one| match &one.idle {
            None => {
                one.own.contains(package)
                    || one.packages.contains(package)
                        && unit.is_none_or(|unit| one.units.contains(unit))
            }
            Some(_) => {
                let is_run = |unit: &u32| one.units.contains(unit);
                one.packages.contains(package)
                    && unit.map_or_else(|| self.has_used(one, path), is_run)
            }
        });
        running.map(|one| one.service).collect()
    }

    /// Returns whether a file has a declaration that a service uses, or one that runs with its package.
    fn has_used(&self, one: &ServiceReach<'_>, path: &str) -> bool {
        let mut declared = self.declared_in(path);
        declared.any(|(unit, symbol)| one.units.contains(&unit) || runs_with_its_package(symbol))
    }

    /// Returns the declarations of a file, each with its unit.
    fn declared_in(&self, path: &str) -> impl Iterator<Item = (u32, &'a CodeSymbol)> {
        let symbols = self.units.iter().copied().zip(&self.code.symbols);
        let symbols = symbols.map(|(unit, symbol)| (unit, &**symbol));
        symbols.filter(move |(_, symbol)| &*symbol.file == path)
    }

    /// Returns whether a service runs only some commands of its program.
    pub(super) fn is_split(&self, service: &Service) -> bool {
        let mut services = self.services.iter();
        let of = services.find(|one| one.service.name == service.name);
        of.is_some_and(|of| of.idle.is_some())
    }

    /// Returns whether a service runs a command of its program, if it has it.
    pub(super) fn runs_command(&self, service: &Service, command: Option<u32>) -> bool {
        let mut services = self.services.iter();
        let of = services.find(|one| one.service.name == service.name);
        let idle = of.and_then(|of| of.idle.as_ref());
        idle.is_none_or(|idle| command.is_none_or(|command| !idle.commands.contains(&command)))
    }

    /// Returns the services that run a declaration.
    pub(super) fn of_symbol(&self, number: u32) -> Vec<&'a Service> {
        match self.code.symbol(number) {
            Some(symbol) => self.services(&symbol.file, Some(number)),
            None => Vec::new(),
        }
    }

    /// Returns whether a service runs a function or a type of a file, or all of its package.
    pub(super) fn uses_file(&self, service: &str, path: &str) -> bool {
        let Some(&package) = self.packages.get(path) else {
            return false;
        };
        let mut services = self.services.iter();
        let Some(of) = services.find(|one| one.service.name == service) else {
            return false;
        };
        let is_used = |(unit, symbol): (u32, &CodeSymbol)| {
            of.units.contains(&unit) && !runs_with_its_package(symbol)
        };
        of.own.contains(package)
            || of.packages.contains(package) && self.declared_in(path).any(is_used)
    }

    /// Returns whether a service runs a declaration of a file.
    pub(super) fn runs(&self, service: &Service, path: &str, symbol: Option<u32>) -> bool {
        let mut running = self.services(path, symbol).into_iter();
        running.any(|one| one.name == service.name)
    }
}

/// Returns the functions that an application loads by their names to handle endpoints, of the folder that it shares with other
/// programs.
fn loaded_handlers(facts: &Facts, service: &Service, handling: &[u32]) -> Vec<u32> {
    let is_shared = service.is_application && !service.entries.is_empty();
    let handling = handling.iter().copied().filter(|_| is_shared);
    let around = handling.filter(|&number| {
        let symbol = facts.code.symbol(number);
        let mut paths = service.paths.iter();
        symbol.is_some_and(|symbol| paths.any(|path| is_below(&symbol.file, path)))
    });
    around.collect()
}

/// Adds the code of folders that several programs share and none imports: it is loaded by its name, by the applications among
/// them; without any by those that are no workers.
fn add_loaded_by_name<'a>(facts: &'a Facts, services: &mut [ServiceReach<'a>]) {
    let shared: Vec<usize> = (0..services.len())
        .filter(|&at| {
            services
                .get(at)
                .is_some_and(|one| !one.service.entries.is_empty())
        })
        .collect();
    // A program of other languages has what it is linked with.
    let files = facts.code.files.iter();
    let files = files.filter(|file| !file.is_test && file.lang.packages_are_files);
    for file in files {
        let package = &*file.package;
        let is_around = |one: &ServiceReach<'_>| {
            let mut paths = one.service.paths.iter();
            paths.any(|path| is_below(&file.path, path))
        };
        let around = shared
            .iter()
            .filter(|&&at| services.get(at).is_some_and(is_around));
        let around: Vec<usize> = around.copied().collect();
        let is_imported = |at: &usize| {
            services
                .get(*at)
                .is_some_and(|one| one.packages.contains(package))
        };
        if around.iter().any(is_imported) {
            continue;
        }
        let is_application = |at: &usize| {
            services
                .get(*at)
                .is_some_and(|one| one.service.is_application)
        };
        let has_application = around.iter().any(is_application);
        for at in around {
            let loads = |one: &&mut ServiceReach<'_>| {
                !one.service.is_worker && (!has_application || one.service.is_application)
            };
            if let Some(one) = services.get_mut(at).filter(loads) {
                one.own.insert(package);
            }
        }
    }
}

/// Returns what is reached from some nodes.
pub(super) fn closure<T: Copy + Eq + std::hash::Hash, I: Iterator<Item = T>>(
    roots: impl Iterator<Item = T>,
    next: impl Fn(T) -> I,
) -> FxHashSet<T> {
    let mut open: VecDeque<T> = roots.collect();
    let mut reached: FxHashSet<T> = open.iter().copied().collect();
    while let Some(one) = open.pop_front() {
        for one in next(one) {
            if reached.insert(one) {
                open.push_back(one);
            }
        }
    }
    reached
}

/// Returns the packages that packages import, without imports that do not run. A module runs the packages around it first
/// (Python, Import system).
pub(super) fn imports<'a>(code: &'a Code, is_idle: &dyn Fn(&CodeEdge) -> bool) -> Imports<'a> {
    let mut imports = Imports::default();
    for edge in &code.edges {
        if edge.edge_type != CodeEdgeType::Imports || edge.is_test || is_idle(edge) {
            continue;
        }
        let (Some(from), Some(to)) = (code.symbol(edge.from), code.symbol(edge.to)) else {
            continue;
        };
        if !to.is_external {
            imports
                .entry(&from.package)
                .or_default()
                .insert(&to.package);
        }
    }
    let package = &EntryFiles::shipped().package;
    let is_initial = |path: &str| path.rsplit('/').next() == Some(package) && path.contains('/');
    let initial: FxHashMap<&str, &str> = code
        .files
        .iter()
        .filter(|file| is_initial(&file.path))
        .map(|file| (parent(&file.path), &*file.package))
        .collect();
    for file in code
        .files
        .iter()
        .filter(|file| file.lang.packages_are_files)
    {
        let mut folder = parent(&file.path);
        while let Some(&package) = initial.get(folder) {
            if *package != *file.package {
                imports.entry(&file.package).or_default().insert(package);
            }
            folder = parent(folder);
        }
    }
    imports
}

/// Returns the unit of each declaration: its type for a method, else itself.
fn units(code: &Code) -> Vec<u32> {
    let symbols = (0..).zip(&code.symbols);
    let units = symbols.map(|(number, symbol)| match &*symbol.kind {
        "method" => code
            .number(symbol.lang, &symbol.container)
            .unwrap_or(number),
        _ => number,
    });
    units.collect()
}

/// The packages that only commands reach which a service does not run.
type IdlePackages<'p> = FxHashSet<&'p str>;

/// Returns what units use, by number, without what does not run: of calls that may run a method of several types, or a function
/// that they are given, those of idle packages are none; without such packages none of them counts. What gives the function
/// mentions it, which is a use.
fn uses(code: &Code, units: &[u32], idle: Option<(&Idle, Option<&IdlePackages<'_>>)>) -> Uses {
    let mut uses = Uses::default();
    // A call of a method of a class may run those of the classes below it that are used: that it is one of several is no use.
    let is_of_class = |number: u32| {
        let unit = units.get(number as usize);
        let unit = unit.filter(|unit| **unit != number);
        unit.and_then(|&unit| code.symbol(unit))
            .is_some_and(|unit| unit.kind == "class")
    };
    let calls = code.edges.iter().filter(|edge| {
        let is_use = match edge.edge_type {
            CodeEdgeType::Calls => !(edge.is_possible && is_of_class(edge.to)),
            edge_type => {
                matches!(edge_type, CodeEdgeType::Inherits | CodeEdgeType::References)
            }
        };
        let runs = |(idle, packages): (&Idle, Option<&IdlePackages<'_>>)| {
            let is_in_idle = || match (packages, code.symbol(edge.to)) {
                (Some(packages), Some(to)) => packages.contains(&*to.package),
                _ => true,
            };
            let is_reference = edge.edge_type == CodeEdgeType::References;
            let is_idle = idle.leaves_out(code, edge)
                || edge.is_possible && is_in_idle()
                || is_reference && idle.is_handler(edge.to);
            !is_idle
        };
        !edge.is_test && is_use && idle.is_none_or(runs)
    });
    let calls = calls.map(|edge| (edge.from, edge.to));
    for (from, to) in calls {
        if let (Some(&from), Some(&to)) = (units.get(from as usize), units.get(to as usize)) {
            uses.entry(from).or_default().insert(to);
        }
    }
    uses
}

/// Returns whether a declaration is run as soon as its package is: code outside of functions, `init`.
pub(super) fn runs_with_its_package(symbol: &CodeSymbol) -> bool {
    let is_in_package = symbol.container == symbol.package;
    match &*symbol.kind {
        "function" => is_in_package && symbol.name == "init",
        "method" | "class" | "struct" | "interface" | "type" => false,
        _ => is_in_package || symbol.kind == "package",
    }
}

/// Returns the packages that are programs: those of several files with a function `main`.
pub(super) fn mains(code: &Code) -> FxHashSet<&str> {
    let mains = code.symbols.iter().filter(|symbol| symbol.is_main());
    mains.map(|symbol| &*symbol.package).collect()
}

/// Returns the packages in the folders of a service, or those that its program begins with where a command names them.
fn packages_around<'a>(facts: &'a Facts, service: &Service) -> FxHashSet<&'a str> {
    let files = facts.code.files.iter().filter(|file| {
        let is_around = service.paths.iter().any(|path| is_below(&file.path, path));
        // A service inside the folder of another has its own.
        let owner = || facts.services.of_path(&file.path);
        !file.is_test
            && is_around
            && owner().is_some_and(|owner| owner.paths == service.paths)
            && (service.entries.is_empty() || service.entries.contains(&*file.path))
    });
    files.map(|file| &*file.package).collect()
}
