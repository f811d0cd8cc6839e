//! Commands: what a program runs only where the words of its command line have their name.
//!
//! ```go
//! var serve = &cobra.Command{Use: "serve", Run: func(…) { … }}  // a command, with the calls of its function
//! switch flag.Arg(0) {
//! case "mail": mail.Run()                                       // a command, with the calls of its branch
//! }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_db::{SymbolClass, SymbolId, ValueId, WireValue};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Composer;
use super::program::Loaded;
use super::text::{Part, Text};
use super::value::{Abstract, CallAt};
use crate::recognisers::Match;

/// A command of a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CommandFact {
    /// The words that run it: any of them.
    pub(crate) names: BTreeSet<String>,
    /// The path of its file.
    pub(crate) path: Arc<str>,
    /// The functions with names that are run for it.
    pub(crate) functions: Vec<SymbolId>,
    /// The lines of its file on which only it calls something, where it is a part of a function or a variable.
    pub(crate) lines: BTreeSet<u32>,
    /// The variables that its calls mention: those of commands that it runs itself among them.
    mentioned: FxHashSet<SymbolId>,
    /// The variables that hold it.
    held_by: Vec<SymbolId>,
}

/// The commands of all programs.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Commands {
    pub(crate) list: Vec<CommandFact>,
    /// The command of each call that is in a part of a function, by its number.
    of_call: FxHashMap<CallAt, u32>,
    /// The numbers of the files that have such calls.
    files: BTreeSet<u32>,
}

/// Where the code of commands is in a file: functions without a name and branches, with the number of the command.
#[derive(Default)]
struct Regions {
    functions: FxHashMap<u32, u32>,
    branches: FxHashMap<u32, u32>,
}

impl Commands {
    /// Returns the command that alone makes a call.
    pub(super) fn of_call(&self, at: CallAt) -> Option<u32> {
        self.of_call.get(&at).copied()
    }

    /// Returns the commands that run with some others: those that they call.
    pub(crate) fn run_by(&self, chosen: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut all = chosen.clone();
        let mut open: Vec<u32> = chosen.iter().copied().collect();
        while let Some(command) = open.pop().and_then(|one| self.list.get(one as usize)) {
            for (number, other) in (0..).zip(&self.list) {
                let mut held_by = other.held_by.iter();
                let is_run = held_by.any(|variable| command.mentioned.contains(variable));
                if is_run && all.insert(number) {
                    open.push(number);
                }
            }
        }
        all
    }
}

impl Composer<'_> {
    /// Returns the commands, in the order of files and texts.
    pub(super) fn find_commands(&self) -> Commands {
        let mut commands = Commands::default();
        for file in self.relevant_files() {
            let loaded = self.loaded(file);
            let mut regions = Regions::default();
            self.add_decorated(&mut commands, file, &loaded);
            self.add_objects(&mut commands, &mut regions, file, &loaded);
            self.add_branches(&mut commands, &mut regions, file, &loaded);
            if !regions.functions.is_empty() || !regions.branches.is_empty() {
                self.add_calls(&mut commands, &regions, file, &loaded);
            }
        }
        commands
    }

    fn command(&self, file: u32, names: BTreeSet<String>) -> CommandFact {
        CommandFact {
            names,
            path: self
                .file(file)
                .map_or_else(Arc::default, |file| file.path.clone()),
            functions: Vec::new(),
            lines: BTreeSet::new(),
            mentioned: FxHashSet::default(),
            held_by: Vec::new(),
        }
    }

    /// Adds the functions that a decorator makes commands.
    fn add_decorated(&self, commands: &mut Commands, file: u32, loaded: &Loaded) {
        for (number, call) in (0..).zip(&loaded.wires.calls) {
            let Some(decorated) = call.decorates else {
                continue;
            };
            let at = (file, number);
            let matches = self.matches(at);
            let mut rows = matches.iter().filter_map(|of| self.row(*of));
            let of = rows.find_map(|row| row.command.as_ref().filter(|_| row.decorator.is_some()));
            let Some(of) = of.filter(|of| of.group.is_none()) else {
                continue;
            };
            let given = of.name.as_ref().zip(self.site(at));
            let given = given.map(|(name, site)| self.argument_texts(&site, name));
            let mut names = first_words(&given.unwrap_or_default());
            if names.is_empty() {
                let number = self.code.number_of(decorated);
                let symbol = number.and_then(|number| self.code.symbol(number));
                names = symbol.map_or_else(BTreeSet::new, |symbol| names_of_function(&symbol.name));
            }
            let command = CommandFact {
                functions: vec![decorated],
                ..self.command(file, names)
            };
            commands.list.push(command);
        }
    }

    /// Adds the objects that are commands: what runs are the functions among their fields.
    fn add_objects(
        &self,
        commands: &mut Commands,
        regions: &mut Regions,
        file: u32,
        loaded: &Loaded,
    ) {
        for (id, value) in (0..).zip(&loaded.wires.values) {
            let WireValue::Object { class, fields } = value else {
                continue;
            };
            let name = fields.iter().find_map(|(name, symbol, value)| {
                let rows = self.rows_of_field(file, loaded.wires.value(*class), (*name, *symbol));
                let mut rows = rows.iter().filter_map(|of| self.row(*of)?.command.as_ref());
                rows.next().map(|_| *value)
            });
            let Some(name) = name else {
                continue;
            };
            let names = first_words(&self.texts(file, name, &None));
            let mut command = self.command(file, names);
            let number = commands.list.len() as u32;
            for (_, _, value) in fields {
                match loaded.wires.value(*value) {
                    WireValue::Function(function) => {
                        regions.functions.insert(*function, number);
                    }
                    WireValue::Declared(symbol) if self.class(*symbol) == SymbolClass::Function => {
                        command.functions.push(*symbol);
                    }
                    _ => {}
                }
            }
            let writes = loaded.writes.iter();
            let held_by = writes.filter(|(_, values)| values.contains(&id));
            command.held_by = held_by.map(|(symbol, _)| *symbol).collect();
            commands.list.push(command);
        }
    }

    /// Adds the branches in which a word of the command line is known.
    fn add_branches(
        &self,
        commands: &mut Commands,
        regions: &mut Regions,
        file: u32,
        loaded: &Loaded,
    ) {
        for (number, branch) in (1..).zip(&loaded.wires.branches) {
            let is_word = self
                .evaluate(file, branch.subject, &None)
                .iter()
                .any(|of| matches!(of, Abstract::Text(text) if text.parts == [Part::Word]));
            if !is_word {
                continue;
            }
            let texts = branch.values.iter();
            let texts = texts.flat_map(|&value| self.texts(file, value, &None));
            let names = first_words(&texts.collect::<Vec<_>>());
            if !names.is_empty() {
                regions.branches.insert(number, commands.list.len() as u32);
                commands.list.push(self.command(file, names));
            }
        }
    }

    /// Adds the calls of the commands of a file, with their lines.
    fn add_calls(&self, commands: &mut Commands, regions: &Regions, file: u32, loaded: &Loaded) {
        commands.files.insert(file);
        let mut lines: BTreeMap<u32, BTreeSet<Option<u32>>> = BTreeMap::new();
        for (number, call) in (0..).zip(&loaded.wires.calls) {
            let command = regions.around(loaded, call.function, call.branch);
            let of_line = lines.entry(self.line((file, number))).or_default();
            of_line.insert(command);
            let Some(command) = command else {
                continue;
            };
            commands.of_call.insert((file, number), command);
            if let Some(command) = commands.list.get_mut(command as usize) {
                let arguments = call.arguments.iter().map(|argument| argument.value);
                let mentioned = arguments.chain([call.callee]);
                let mentioned = mentioned.filter_map(|value| declared_in(loaded, value));
                command.mentioned.extend(mentioned);
            }
        }
        for (line, of_line) in lines {
            if let [Some(command)] = of_line.into_iter().collect::<Vec<_>>()[..]
                && let Some(command) = commands.list.get_mut(command as usize)
            {
                command.lines.insert(line);
            }
        }
    }

    /// Returns the rows whose key is a field of an object.
    pub(super) fn rows_of_field(
        &self,
        file: u32,
        class: &WireValue,
        (name, symbol): (codeweft_db::NameId, Option<SymbolId>),
    ) -> &[Match] {
        match (symbol, class, self.file(file)) {
            (Some(symbol), ..) => self.resolved.of_symbol(symbol),
            (None, WireValue::Absent(class), Some(source)) => {
                let path = format!("{class}.{}", self.name(name));
                self.resolved.of_path(source.lang, &path)
            }
            _ => &[],
        }
    }

    /// Returns the commands that alone use a literal: where it leads to, over variables and texts, is a call of one of them.
    /// None if something else uses it too.
    pub(super) fn commands_using(&self, file: u32, literal: ValueId) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        if !self.commands.files.contains(&file) {
            return found;
        }
        let loaded = self.loaded(file);
        let users = loaded.users();
        let mut seen = FxHashSet::default();
        let mut open = vec![literal];
        while let Some(value) = open.pop() {
            for &user in users.get(&value).into_iter().flatten() {
                if !seen.insert(user) {
                    continue;
                }
                if let WireValue::Result { call, .. } = loaded.wires.value(user) {
                    match self.commands.of_call((file, *call)) {
                        Some(command) => {
                            found.insert(command);
                            continue;
                        }
                        None if !self.makes_text((file, *call)) => return BTreeSet::new(),
                        None => {}
                    }
                }
                open.push(user);
            }
            let mut writes = loaded.wires.writes.iter();
            if writes.any(|(_, written)| *written == value) {
                return BTreeSet::new();
            }
        }
        found
    }

    /// Returns the function with a name whose calls alone use a literal, if there is one.
    pub(super) fn function_using(&self, file: u32, literal: ValueId) -> Option<SymbolId> {
        let loaded = self.loaded(file);
        let users = loaded.users();
        let mut seen = FxHashSet::default();
        let mut open = vec![literal];
        let mut found = None;
        while let Some(value) = open.pop() {
            for &user in users.get(&value).into_iter().flatten() {
                if !seen.insert(user) {
                    continue;
                }
                let WireValue::Result { call, .. } = *loaded.wires.value(user) else {
                    open.push(user);
                    continue;
                };
                let function = self.around_call((file, call)).function?;
                let is_function = matches!(
                    self.class(function),
                    SymbolClass::Function | SymbolClass::Method
                );
                if !is_function || found.is_some_and(|known| known != function) {
                    return None;
                }
                found = Some(function);
            }
        }
        found
    }

    /// Returns whether what a call makes is a text of its arguments.
    fn makes_text(&self, at: CallAt) -> bool {
        let matches = self.matches(at);
        let mut rows = matches.iter().filter_map(|of| self.row(*of));
        rows.any(|row| row.text.is_some())
    }
}

impl Regions {
    /// Returns the command around code: that of the innermost branch, else of the innermost function.
    fn around(&self, loaded: &Loaded, function: u32, branch: u32) -> Option<u32> {
        let mut branch = branch;
        while let Some(of) = loaded.wires.branch(branch) {
            if let Some(&command) = self.branches.get(&branch) {
                return Some(command);
            }
            branch = of.around;
        }
        let mut function = function;
        loop {
            if let Some(&command) = self.functions.get(&function) {
                return Some(command);
            }
            let of = loaded.wires.functions.get(function as usize)?;
            if of.is_named || of.around == function {
                return None;
            }
            function = of.around;
        }
    }
}

/// Returns the declaration that a value is, or is a member of.
fn declared_in(loaded: &Loaded, value: ValueId) -> Option<SymbolId> {
    match loaded.wires.value(value) {
        WireValue::Declared(symbol) => Some(*symbol),
        WireValue::Member { base, .. } | WireValue::Pointer(base) => {
            match loaded.wires.value(*base) {
                WireValue::Declared(symbol) => Some(*symbol),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the first words of texts that are known.
fn first_words(texts: &[Text]) -> BTreeSet<String> {
    let known = texts.iter().filter_map(|text| text.known(&|_| None));
    let words = known.filter_map(|text| text.split_whitespace().next().map(str::to_owned));
    words.collect()
}

/// What Click takes off the end of a function's name (Click, Commands and Groups).
const ENDS_OF_COMMANDS: [&str; 4] = ["-command", "-cmd", "-group", "-grp"];

/// Returns the names of the command that a function is.
fn names_of_function(function: &str) -> BTreeSet<String> {
    let name = function.to_lowercase().replace('_', "-");
    let ends = ENDS_OF_COMMANDS.iter();
    let short = ends.filter_map(|end| name.strip_suffix(end).map(str::to_owned));
    short.chain([name.clone()]).collect()
}
