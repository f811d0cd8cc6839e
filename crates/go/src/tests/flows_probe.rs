//! Temporary.
use std::collections::BTreeMap;
use std::fmt::Write as _;
use codeweft_db::{FlowPlace, FlowValue, Language as _};
use super::Fixture;
use super::flows::Shown;
use crate::Go;
use crate::units::unit_of;

#[test]
fn probe() {
    let Ok(list) = std::env::var("PROBE") else { return };
    let mut text = String::from("//- a.go\npackage m\n\nimport (\n");
    for one in list.split(',') { let _ = writeln!(text, "\t_ {one:?}"); }
    text.push_str(")\n");
    fn walk(dir: &std::path::Path, out: &mut String) {
        let mut entries: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        for p in entries {
            let name = p.file_name().unwrap().to_string_lossy().to_string();
            if p.is_dir() {
                if name == "testdata" || name == "cmd" { continue; }
                walk(&p, out);
            } else if name.ends_with(".go") && !name.ends_with("_test.go") {
                let rel = p.strip_prefix("/usr/local/go/src").unwrap();
                let text = String::from_utf8_lossy(&std::fs::read(&p).unwrap()).to_string();
                if text.contains("\n//- ") { continue; }
                let _ = writeln!(out, "//- /goroot/src/{}\n{text}", rel.display());
            }
        }
    }
    walk(std::path::Path::new("/usr/local/go/src"), &mut text);
    let world = Fixture::new(&text);
    let (mut e, mut s, mut sites, mut inst, mut locals) = (0, 0, 0, 0, 0);
    let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = String::new();
    let dump = std::env::var("DUMP").unwrap_or_default();
    for (path, &file) in &world.files {
        let Some(unit) = unit_of(&world.db, file) else { continue };
        if !crate::units::unit_files(&world.db, unit).chosen.contains(&file) { continue; }
        let shown = Shown { world: &world, file };
        let uses = Go.uses(&world.db, file);
        for flows in &uses.flows {
            e += flows.edges.len(); s += flows.sources.len(); sites += flows.sites.len(); inst += flows.instances.len();
            let mut l: Vec<_> = flows.edges.iter().flat_map(|e| [e.from, e.to]).filter(|p| matches!(p, FlowPlace::Local(_))).collect();
            l.sort(); l.dedup(); locals += l.len();
            for one in &flows.sources {
                if let FlowValue::Unknown(_) = one.value {
                    *unknown.entry(format!("{path} {}", shown.source(one))).or_default() += 1;
                }
            }
            if path.contains(&dump) && !dump.is_empty() {
                for line in shown.flows(flows) { let _ = writeln!(all, "{path}: {line}"); }
            }
        }
    }
    let mut out = format!("files {} edges {e} sources {s} sites {sites} instances {inst} locals {locals}\n", world.files.len());
    for (k, v) in unknown { let _ = writeln!(out, "{v} {k}"); }
    std::fs::write("/tmp/lead/probe.txt", out + &all).unwrap();
}
