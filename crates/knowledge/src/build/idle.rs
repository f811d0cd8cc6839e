//! What of a program does not run in a service whose command names one of the program's own:
//!
//! ```text
//! command: [shop, mail] ── runs the command `mail`; `web`, its functions and what only they use, is idle
//! ```

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::reach::runs_with_its_package;
use crate::code::{Code, CodeEdge};
use crate::services::Service;
use crate::wires::{CommandFact, Commands};

/// The ends of the names of scripts of shells.
const SCRIPTS: [&str; 2] = [".sh", ".bash"];

/// The commands of a program that a service does not run.
pub(super) struct Idle {
    /// By their numbers.
    pub(super) commands: BTreeSet<u32>,
    /// The functions of those that it runs.
    pub(super) running: Vec<u32>,
    /// The functions of the idle ones.
    handlers: FxHashSet<u32>,
    /// The lines on which only idle commands call something, by file.
    lines: FxHashMap<String, BTreeSet<u32>>,
}

impl Idle {
    /// Returns the commands in packages of a program that a service does not run; `None` if none is idle, or no word of its
    /// command names one of them: then any may run, unless others of the same program name theirs. What one runs whose
    /// command is a script that the workspace has, beside others that name commands, is not known.
    pub(super) fn of(
        code: &Code,
        packages: &FxHashSet<&str>,
        (service, others): (&Service, &[Service]),
        commands: &Commands,
    ) -> Option<Idle> {
        if service.words.is_empty() || commands.list.is_empty() {
            return None;
        }
        let files = code.files.iter().filter(|file| !file.is_test);
        let files = files.filter(|file| packages.contains(&*file.package));
        let files: FxHashSet<&str> = files.map(|file| &*file.path).collect();
        let (mut named, mut all) = (BTreeSet::new(), BTreeSet::new());
        for (number, command) in (0..).zip(&commands.list) {
            if files.contains(&*command.path) && !command.names.is_empty() {
                all.insert(number);
                if is_named(command, service) {
                    named.insert(number);
                }
            }
        }
        let is_chosen = |other: &Service| {
            let mut commands = all
                .iter()
                .filter_map(|one| commands.list.get(*one as usize));
            commands.any(|command| is_named(command, other))
        };
        let mut of_program = others.iter().filter(|other| other.paths == service.paths);
        let mut words = service.words.iter();
        let runs_script = words.any(|word| SCRIPTS.iter().any(|end| word.ends_with(end)));
        if named.is_empty() && !(runs_script && of_program.any(is_chosen)) {
            return None;
        }
        let named = commands.run_by(&named);
        let idle: BTreeSet<u32> = all.difference(&named).copied().collect();
        if idle.is_empty() {
            return None;
        }
        let command = |number: &u32| commands.list.get(*number as usize);
        let functions = |numbers: &BTreeSet<u32>| {
            let commands = numbers.iter().filter_map(command);
            let functions = commands.flat_map(|command| &command.functions);
            let functions = functions.filter_map(|&function| code.number_of(function));
            functions.collect::<Vec<u32>>()
        };
        let running = functions(&named);
        let mut handlers: FxHashSet<u32> = functions(&idle).into_iter().collect();
        for function in &running {
            handlers.remove(function);
        }
        let mut lines: FxHashMap<String, BTreeSet<u32>> = FxHashMap::default();
        for command in idle.iter().filter_map(command) {
            let of_file = lines.entry(command.path.to_string()).or_default();
            of_file.extend(&command.lines);
        }
        for symbol in handlers.iter().filter_map(|&handler| code.symbol(handler)) {
            let of_file = lines.entry(symbol.file.to_string()).or_default();
            of_file.extend(symbol.lines.0..=symbol.lines.1);
        }
        Some(Idle {
            commands: idle,
            running,
            handlers,
            lines,
        })
    }

    /// Returns whether only idle code has an edge.
    pub(super) fn has(&self, edge: &CodeEdge) -> bool {
        let lines = self.lines.get(&*edge.file);
        lines.is_some_and(|lines| lines.contains(&edge.line))
    }

    /// Returns whether a declaration is a function of an idle command.
    pub(super) fn is_handler(&self, number: u32) -> bool {
        self.handlers.contains(&number)
    }

    /// Returns whether a use says nothing of what runs: it is in code that is idle, or gives a program the function of a command.
    pub(super) fn leaves_out(&self, code: &Code, edge: &CodeEdge) -> bool {
        let from = code.symbol(edge.from);
        let is_given = edge.is_possible || from.is_some_and(runs_with_its_package);
        let is_idle = !self.is_handler(edge.from) && self.has(edge);
        is_idle || is_given && self.is_handler(edge.to)
    }

    /// Returns the units that idle commands begin with.
    pub(super) fn begins(&self, code: &Code, units: &[u32]) -> Vec<u32> {
        let called = code.edges.iter().filter(|edge| self.has(edge));
        let all = called
            .map(|edge| edge.to)
            .chain(self.handlers.iter().copied());
        all.filter_map(|number| units.get(number as usize).copied())
            .collect()
    }
}

/// Returns whether a word of the command of a service is a name of a command of a program.
fn is_named(command: &CommandFact, service: &Service) -> bool {
    let mut names = command.names.iter();
    names.any(|name| service.words.contains(name))
}
