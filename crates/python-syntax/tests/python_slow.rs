//! Lowers every `.py` below `CODEWEFT_CORPORA`. Runs only with `CODEWEFT_SLOW=1`.

mod python_printed;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codeweft_python_syntax::{Access, Node, NodeId, UseKind};
use codeweft_syntax::{FileIr, Names};
use python_printed::{bodies_of, items_of, lowered};

/// The files, sorted; `None`, and a word why, where the test is to be skipped.
fn files_if_slow() -> Option<Vec<PathBuf>> {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        println!("skipped: CODEWEFT_SLOW is not set");
        return None;
    }
    let Some(root) = std::env::var_os("CODEWEFT_CORPORA") else {
        println!("skipped: CODEWEFT_CORPORA is not set");
        return None;
    };
    let mut files = Vec::new();
    collect(Path::new(&root), &mut files);
    files.sort();
    Some(files)
}

fn collect(dir: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            into.push(path);
        }
    }
}

/// What is wrong with an intermediate form; empty for a right one.
fn faults(text: &str, ir: &FileIr, names: &Names) -> Vec<String> {
    let mut faults = Vec::new();
    let (items, bodies) = (items_of(ir), bodies_of(ir));
    faults.extend(items.misplaced_node());
    if items.items.len() != bodies.bodies.len() || items.items.len() != ir.ranges.items.len() {
        faults.push("an item without a body or range".to_owned());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let at = |offset: u32| text.get(offset as usize..).unwrap_or("");
    for (number, item) in items.items.iter().enumerate().skip(1) {
        let name = names.text(item.name);
        let name = if name == "<lambda>" { "lambda" } else { name };
        match ir.ranges.item_tokens.get(item.tok as usize) {
            Some(&offset) if is_named(at(offset), name) => {}
            offset => faults.push(format!("item {number} {name:?} at {offset:?}")),
        }
    }
    for (number, body) in bodies.bodies.iter().enumerate() {
        for node in body.nodes.iter() {
            let is_join = matches!(bodies.code.nodes[node], Node::Phi(_));
            for operand in bodies.code.operands(node as NodeId) {
                let is_own = operand == 0 || body.nodes.contains(operand);
                if !is_own || operand as usize >= node && !is_join {
                    faults.push(format!("operand {operand} of node {node} in body {number}"));
                }
            }
        }
        let end = bodies.bodies.get(number + 1);
        let end = end.map_or(ir.ranges.body_tokens.len(), |body| body.first_tok as usize);
        let tokens = ir.ranges.body_tokens.get(body.first_tok as usize..end);
        let Some(tokens) = tokens else {
            faults.push(format!("tokens of body {number}"));
            continue;
        };
        let mut last = 0;
        for (which, one) in bodies.uses[body.uses.iter()].iter().enumerate() {
            let Some(&offset) = tokens.get(one.tok as usize) else {
                faults.push(format!("token of use {which} of body {number}"));
                continue;
            };
            if one.tok < last {
                faults.push(format!("order of use {which} of body {number}"));
            }
            last = one.tok;
            let (name, value) = match one.kind {
                UseKind::Name { name, value, .. } | UseKind::Attr { name, value, .. } => {
                    (Some(name), value)
                }
                UseKind::Call(node) | UseKind::Operator(node) => (None, node),
                _ => (None, 0),
            };
            if let Some(name) = name
                && !is_named(at(offset), names.text(name))
            {
                let found: String = at(offset).chars().take(20).collect();
                faults.push(format!("{:?} at {found:?}", names.text(name)));
            }
            let is_own = value == 0 || value == u32::MAX || body.nodes.contains(value);
            if !is_own {
                faults.push(format!("value of use {which} of body {number}"));
            }
            if let UseKind::Attr { access, value, .. } = one.kind
                && access == Access::Load
                && value == u32::MAX
            {
                faults.push(format!("no value of use {which} of body {number}"));
            }
        }
        if tokens.windows(2).any(|pair| pair[0] > pair[1]) {
            faults.push(format!("order of tokens of body {number}"));
        }
    }
    faults
}

/// Whether a text begins with a name, which may be mangled.
fn is_named(text: &str, name: &str) -> bool {
    let is_mangled = || {
        let at = name.find("__")?;
        (name.starts_with('_') && text.starts_with(&name[at..])).then_some(())
    };
    // Identifiers are compared in normal form NFKC, and written in any.
    text.starts_with(name) || is_mangled().is_some() || !text.is_char_boundary(1)
}

#[test]
fn the_corpora_are_read_in_full() {
    let Some(files) = files_if_slow() else {
        return;
    };
    let (mut count, mut bytes) = (0u32, 0);
    let (mut repaired, mut chunked, mut cut, mut broken) = (0, 0, 0, 0);
    let mut faulty = 0;
    let mut lowering = Duration::ZERO;
    let mut slowest = (Duration::ZERO, PathBuf::new());
    let names = Names::default();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        count += 1;
        bytes += text.len();
        let start = Instant::now();
        let ir = lowered(&text, &names);
        let took = start.elapsed();
        lowering += took;
        if took > slowest.0 {
            slowest = (took, path.clone());
        }
        repaired += ir.report.repaired;
        chunked += u32::from(ir.report.chunked);
        cut += u32::from(ir.report.cut);
        if !ir.report.error_lines.is_empty() {
            broken += 1;
            println!(
                "not read in full: {} at {:?}",
                path.display(),
                ir.report.error_lines
            );
        }
        let again = lowered(&text, &names);
        assert_eq!(*ir.items, *again.items, "{}", path.display());
        assert_eq!(*ir.bodies, *again.bodies, "{}", path.display());
        let faults = faults(&text, &ir, &names);
        if let Some(fault) = faults.first() {
            faulty += 1;
            println!("{}: {} faults, {fault}", path.display(), faults.len());
        }
    }
    println!("{count} files, {bytes} bytes, {broken} not read in full");
    println!(
        "lowering {lowering:?}, {:.1} MB/s",
        bytes as f64 / 1e6 / lowering.as_secs_f64()
    );
    println!("slowest {:?} {}", slowest.0, slowest.1.display());
    println!("repaired {repaired}, chunked {chunked}, cut {cut}");
    assert_eq!(faulty, 0, "files with faults");
    assert!(broken * 200 <= count, "{broken} files of {count}");
}
