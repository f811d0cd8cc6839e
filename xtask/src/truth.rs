//! The judge's verdict as a graph: declarations by position, calls, pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use crate::judge::{self, Record};

/// A declaration: `file:line:column` of its name; `id:error` for one without a position; `in
/// DIRECTORY` for a package, which is the caller of its initialisers.
pub type Key = String;

/// The judge's records of a set of packages.
#[derive(Default)]
pub struct Truth {
    names: HashMap<Key, String>,
    keys: HashMap<String, Key>,
    callees: HashMap<Key, BTreeSet<Key>>,
    sites: HashMap<Key, Vec<(Key, String)>>,
    called_at: HashMap<String, Key>,
    runs: HashMap<Key, BTreeSet<Key>>,
    stands_for: HashMap<Key, BTreeSet<Key>>,
    implementations: HashMap<Key, BTreeSet<Pair>>,
    implements: HashMap<Key, BTreeSet<Pair>>,
}

/// The other side of an `implements` pair, with `value` or `pointer`.
pub type Pair = (Key, &'static str);

impl Truth {
    /// Reads the judge's lines.
    pub fn read(verdict: &Path) -> Result<Truth> {
        let mut truth = Truth::default();
        judge::records(verdict, |record| truth.take(record))?;
        Ok(truth)
    }

    fn take(&mut self, record: Record) {
        match record.k.as_str() {
            "func" | "type" => {
                let key = self.key(&record.id, &record.def);
                self.keys.insert(plain(&record.id), key);
            }
            "call" if matches!(record.kind.as_str(), "static" | "interface" | "typeparam") => {
                let callee = self.key(&record.callee, &record.callee_def);
                let caller = if record.caller.ends_with(".<vars>") {
                    format!("in {}", directory(&record.at))
                } else {
                    self.key(&record.caller, &record.caller_def)
                };
                let of_caller = self.callees.entry(caller.clone()).or_default();
                of_caller.insert(callee.clone());
                self.called_at.insert(record.at.clone(), callee.clone());
                self.sites
                    .entry(callee)
                    .or_default()
                    .push((caller, record.at));
            }
            "dispatch" => {
                let method = self.key(&record.method, &record.def);
                for target in record.targets {
                    let target = self.key(&target.id, &target.def);
                    let up = self.stands_for.entry(target.clone()).or_default();
                    up.insert(method.clone());
                    self.runs.entry(method.clone()).or_default().insert(target);
                }
            }
            "impl" => {
                let ty = self.key(&record.type_id, &record.type_def);
                let interface = self.key(&record.iface, &record.iface_def);
                let receiver = if record.ptr { "pointer" } else { "value" };
                let down = self.implementations.entry(interface.clone()).or_default();
                down.insert((ty.clone(), receiver));
                self.implements
                    .entry(ty)
                    .or_default()
                    .insert((interface, receiver));
            }
            _ => {}
        }
    }

    fn key(&mut self, id: &str, def: &str) -> Key {
        let key = match def {
            "" => format!("id:{}", plain(id)),
            def => def.to_owned(),
        };
        self.names.entry(key.clone()).or_insert_with(|| plain(id));
        key
    }

    /// Returns the declaration with an id as Codeweft prints it.
    pub fn find(&self, id: &str) -> Result<&Key> {
        self.keys
            .get(id)
            .ok_or_else(|| anyhow::anyhow!("the judge knows no {id}"))
    }

    /// Returns a declaration's readable name.
    pub fn name<'a>(&'a self, key: &'a str) -> &'a str {
        self.names.get(key).map_or(key, String::as_str)
    }

    /// Returns a truth with these declarations and nothing else.
    #[cfg(test)]
    pub fn of_declarations(keys: &[&str]) -> Truth {
        let names = keys.iter().map(|&key| (key.to_owned(), key.to_owned()));
        Truth {
            names: names.collect(),
            ..Truth::default()
        }
    }

    /// Returns whether the judge has read a declaration. Commands in vendor folders match no
    /// pattern of the go command, so it has not read those.
    pub fn knows(&self, key: &str) -> bool {
        self.names.contains_key(key)
    }

    /// Returns the callers of a method or function, with their sites: those of its own name, and
    /// those of interface methods that it may run for.
    pub fn callers(&self, of: &Key) -> BTreeMap<&Key, BTreeSet<&str>> {
        let mut callers: BTreeMap<&Key, BTreeSet<&str>> = BTreeMap::new();
        let above = self.stands_for.get(of).into_iter().flatten();
        for method in std::iter::once(of).chain(above) {
            for (caller, at) in self.sites.get(method).into_iter().flatten() {
                callers.entry(caller).or_default().insert(at);
            }
        }
        callers
    }

    /// Returns the callee at a position, as declarations decide it.
    pub fn called_at(&self, at: &str) -> Option<&Key> {
        self.called_at.get(at)
    }

    /// Returns the sites that call a function or method by its own name, with the functions around
    /// them.
    pub fn direct_sites(&self, of: &Key) -> &[(Key, String)] {
        self.sites.get(of).map_or(&[], Vec::as_slice)
    }

    /// Returns the methods that may run for an interface's method.
    pub fn runs(&self, method: &Key) -> BTreeSet<Key> {
        self.runs.get(method).cloned().unwrap_or_default()
    }

    /// Returns whether a call of an interface's method may run a method by the class hierarchy.
    pub fn may_run(&self, method: &Key, target: &Key) -> bool {
        let runs = self.runs.get(method);
        runs.is_some_and(|all| all.contains(target))
    }

    /// Returns the functions that call a function or method by its own name.
    pub fn direct_callers(&self, of: &Key) -> BTreeSet<&Key> {
        let sites = self.sites.get(of).into_iter().flatten();
        sites.map(|(caller, _)| caller).collect()
    }

    /// Returns everything that a function reaches in at most `depth` calls that declarations
    /// decide, each with its smallest depth; itself too if a call leads back.
    pub fn callees(&self, from: &Key, depth: u32) -> BTreeMap<&Key, u32> {
        let mut found = BTreeMap::new();
        let mut level = vec![from];
        for distance in 1..=depth {
            let mut next = Vec::new();
            for caller in level {
                for callee in self.callees.get(caller).into_iter().flatten() {
                    if !found.contains_key(callee) {
                        found.insert(callee, distance);
                        next.push(callee);
                    }
                }
            }
            level = next;
        }
        found
    }

    /// Returns whether the judge has a call between two functions that declarations decide.
    pub fn calls(&self, from: &Key, to: &Key) -> bool {
        self.callees.get(from).is_some_and(|all| all.contains(to))
    }

    /// Returns the smallest number of such calls between two functions.
    pub fn distance(&self, from: &Key, to: &Key) -> Option<usize> {
        let mut seen = HashMap::from([(from, 0)]);
        let mut open = VecDeque::from([from]);
        while let Some(caller) = open.pop_front() {
            let steps = seen[caller];
            if caller == to {
                return Some(steps);
            }
            for callee in self.callees.get(caller).into_iter().flatten() {
                seen.entry(callee).or_insert_with(|| {
                    open.push_back(callee);
                    steps + 1
                });
            }
        }
        None
    }

    /// Returns the types of an interface.
    pub fn implementations(&self, interface: &Key) -> BTreeSet<Pair> {
        self.implementations
            .get(interface)
            .cloned()
            .unwrap_or_default()
    }

    /// Returns the interfaces of a type.
    pub fn implements(&self, ty: &Key) -> BTreeSet<Pair> {
        self.implements.get(ty).cloned().unwrap_or_default()
    }
}

/// Returns an id in our form: `(*net/http.Server).Serve` and `net/http.Server.Serve` are equal.
pub fn plain(id: &str) -> String {
    let Some((receiver, rest)) = id.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        return id.to_owned();
    };
    format!("{}{rest}", receiver.trim_start_matches('*'))
}

/// Returns a hash (FNV-1a), for a reproducible random order.
pub fn scattered(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the directory of `file:line:column`.
fn directory(at: &str) -> &str {
    at.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the key of a node of an answer.
pub fn node_key(node: &Value) -> Key {
    let text = |field: &str| node[field].as_str().unwrap_or_default();
    let number = |field: &str| node[field].as_u64().unwrap_or_default();
    let file = text("file");
    if text("kind") == "package" {
        return format!("in {}", directory(file));
    }
    if file.is_empty() || number("name_line") == 0 {
        return format!("id:{}", text("id"));
    }
    format!("{file}:{}:{}", number("name_line"), number("name_column"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn truth(lines: &[Value]) -> Truth {
        let mut truth = Truth::default();
        for line in lines {
            truth.take(serde_json::from_value(line.clone()).unwrap());
        }
        truth
    }

    fn small() -> Truth {
        truth(&[
            json!({"k": "func", "id": "p.F", "def": "p/a.go:1:6"}),
            json!({"k": "func", "id": "(*p.T).M", "def": "p/a.go:3:6"}),
            json!({"k": "call", "kind": "interface", "caller": "p.F", "caller_def": "p/a.go:1:6",
                "at": "p/a.go:1:20", "callee": "(p.I).M", "callee_def": "p/a.go:2:6"}),
            json!({"k": "call", "kind": "static", "caller": "p.<vars>", "caller_def": "p/a.go:9:5",
                "at": "p/a.go:9:9", "callee": "p.F", "callee_def": "p/a.go:1:6"}),
            json!({"k": "call", "kind": "static", "caller": "(*p.T).M", "caller_def": "p/a.go:3:6",
                "at": "p/a.go:3:20", "callee": "p.G", "callee_def": "p/a.go:4:6"}),
            json!({"k": "dispatch", "method": "(p.I).M", "def": "p/a.go:2:6",
                "targets": [{"id": "(*p.T).M", "def": "p/a.go:3:6"}]}),
            json!({"k": "impl", "type": "p.T", "type_def": "p/a.go:5:6", "iface": "error", "iface_def": "", "ptr": true}),
        ])
    }

    #[test]
    fn a_method_is_called_through_its_interface() {
        let truth = small();
        let callers = truth.callers(truth.find("p.T.M").unwrap());
        assert_eq!(format!("{callers:?}"), r#"{"p/a.go:1:6": {"p/a.go:1:20"}}"#);
        let callers = truth.callers(truth.find("p.F").unwrap());
        assert_eq!(format!("{callers:?}"), r#"{"in p": {"p/a.go:9:9"}}"#);
    }

    #[test]
    fn callees_are_those_that_declarations_decide() {
        let truth = small();
        let callees = truth.callees(truth.find("p.F").unwrap(), 2);
        let named: Vec<_> = callees
            .iter()
            .map(|(key, depth)| (truth.name(key), *depth))
            .collect();
        assert_eq!(named, [("p.I.M", 1)]);
        let of_method = truth.callees(truth.find("p.T.M").unwrap(), 2);
        assert_eq!(of_method.len(), 1);
        assert_eq!(
            truth.called_at("p/a.go:3:20"),
            Some(&"p/a.go:4:6".to_owned())
        );
    }

    #[test]
    fn a_path_takes_no_dispatch() {
        let truth = small();
        let from = truth.find("p.F").unwrap();
        assert_eq!(truth.distance(from, &"p/a.go:2:6".to_owned()), Some(1));
        assert_eq!(truth.distance(from, &"p/a.go:4:6".to_owned()), None);
    }

    #[test]
    fn pairs_are_found_from_both_sides() {
        let truth = small();
        let error = "id:error".to_owned();
        let ty = "p/a.go:5:6".to_owned();
        assert_eq!(
            truth.implementations(&error),
            BTreeSet::from([(ty.clone(), "pointer")])
        );
        assert_eq!(truth.implements(&ty), BTreeSet::from([(error, "pointer")]));
    }

    #[test]
    fn nodes_are_identified_by_position() {
        let node = json!({"id": "p.F", "kind": "function", "file": "p/a.go", "name_line": 1, "name_column": 6});
        assert_eq!(node_key(&node), "p/a.go:1:6");
        let node = json!({"id": "error", "kind": "interface"});
        assert_eq!(node_key(&node), "id:error");
        let node = json!({"id": "p", "kind": "package", "file": "p/a.go"});
        assert_eq!(node_key(&node), "in p");
    }
}
