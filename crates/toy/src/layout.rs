//! The layout of a Toy project: each folder is a package, named by its path below the root.

use std::collections::BTreeMap;

use codeweft_db::{Layout, LayoutInput, PlannedUnit, UnitKind};

pub(crate) fn layout(input: &LayoutInput<'_>) -> Layout {
    let mut units: BTreeMap<&str, PlannedUnit> = BTreeMap::new();
    for file in input.files {
        let dir = file.path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let relative = dir.strip_prefix(input.root).unwrap_or(dir);
        let name = match relative.trim_start_matches('/') {
            "" => "main",
            name => name,
        };
        let unit = units.entry(dir).or_insert_with(|| PlannedUnit {
            name: name.to_owned(),
            import_path: name.to_owned(),
            kind: UnitKind::BASE,
            dir: dir.to_owned(),
            origin: file.origin,
            chain: 0,
            files: Vec::new(),
        });
        unit.files.push(file.path.to_owned());
    }
    let mut units: Vec<PlannedUnit> = units.into_values().collect();
    units.sort_by(|a, b| a.name.cmp(&b.name));
    Layout {
        units,
        chains: vec![Vec::new()],
        ..Layout::default()
    }
}
