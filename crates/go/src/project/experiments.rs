//! The experiments that are on in a GOROOT, which set the tags `goexperiment.…`.

use codeweft_db::FileSystem;

use super::paths::join;

/// Returns the experiments on by default for a platform, changed by GOEXPERIMENT, in lower case,
/// sorted. They are read from the composite literal `baseline` of `internal/buildcfg/exp.go`;
/// without it, those of Go 1.26.
pub(super) fn experiments(
    reader: &dyn FileSystem,
    src: Option<&str>,
    goos: &str,
    goarch: &str,
    changed: Option<&str>,
) -> Vec<String> {
    let read = |file: &str| reader.read(&join(&join(src?, "internal/buildcfg"), file));
    let mut on = read("exp.go")
        .and_then(|text| baseline(&text, goos, goarch))
        .unwrap_or_else(|| known_baseline(goos, goarch));
    // The experiments that the toolchain was built with are in a generated file.
    let built = read("zbootstrap.go").and_then(|text| {
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("const defaultGOEXPERIMENT = "))?;
        Some(line.trim_matches(['`', '"']).to_owned())
    });
    for list in changed.map(str::to_owned).or(built).iter() {
        change(&mut on, list);
    }
    on.sort_unstable();
    on.dedup();
    on
}

/// Changes a set of experiments by a list as in GOEXPERIMENT: `a,nob,none`.
fn change(on: &mut Vec<String>, list: &str) {
    for word in list.split(',').filter(|word| !word.is_empty()) {
        if word == "none" {
            on.clear();
            continue;
        }
        let (name, value) = match word.strip_prefix("no") {
            Some(name) => (name, false),
            None => (word, true),
        };
        let names = match name {
            "regabi" => &["regabiwrappers", "regabiargs"][..],
            _ => &[name],
        };
        for &name in names {
            on.retain(|other| other != name);
            if value {
                on.push(name.to_owned());
            }
        }
    }
}

/// Returns the experiments that are on by default in Go 1.26.
fn known_baseline(goos: &str, goarch: &str) -> Vec<String> {
    let mut on = vec!["greenteagc", "randomizedheapbase64"];
    if [
        "amd64", "arm64", "loong64", "ppc64le", "ppc64", "riscv64", "s390x",
    ]
    .contains(&goarch)
    {
        on.extend(["regabiargs", "regabiwrappers"]);
    }
    if !["darwin", "ios", "aix"].contains(&goos) {
        on.push("dwarf5");
    }
    on.into_iter().map(str::to_owned).collect()
}

/// Returns the fields of `baseline := goexperiment.Flags{…}` whose value is true.
fn baseline(text: &str, goos: &str, goarch: &str) -> Option<Vec<String>> {
    let (before, literal) = text.split_once("baseline := goexperiment.Flags{")?;
    let (literal, _) = literal.split_once('}')?;
    let source = GeneratedSource {
        text: before,
        goos,
        goarch,
    };
    let on = literal.lines().filter_map(|line| {
        let (name, value) = line.split("//").next()?.trim().split_once(':')?;
        let value = value.trim().trim_end_matches(',');
        source.is_true(value, 0).then(|| name.to_ascii_lowercase())
    });
    Some(on.collect())
}

/// The lines before the literal, where its values are computed.
struct GeneratedSource<'a> {
    text: &'a str,
    goos: &'a str,
    goarch: &'a str,
}

impl GeneratedSource<'_> {
    /// Evaluates `a && b || !c` over names and comparisons of `goos` and `goarch`. Anything else is
    /// false.
    fn is_true(&self, expression: &str, depth: u32) -> bool {
        // Names may be defined by others; this ends a cycle of them.
        if depth > 8 {
            return false;
        }
        let expression = expression.trim();
        let expression = expression
            .strip_prefix('(')
            .and_then(|inner| inner.strip_suffix(')'))
            .unwrap_or(expression);
        expression
            .split("||")
            .any(|all| all.split("&&").all(|atom| self.atom(atom.trim(), depth)))
    }

    /// Evaluates a comparison, a constant, a negation or a name.
    fn atom(&self, atom: &str, depth: u32) -> bool {
        for (operator, wanted) in [("==", true), ("!=", false)] {
            if let Some((variable, value)) = atom.split_once(operator) {
                let value = value.trim().trim_matches('"');
                return match variable.trim() {
                    "goos" => (self.goos == value) == wanted,
                    "goarch" => (self.goarch == value) == wanted,
                    _ => false,
                };
            }
        }
        match atom {
            "true" => true,
            "false" | "" => false,
            atom => match atom.strip_prefix('!') {
                Some(inner) => !self.is_true(inner, depth + 1),
                None => self.name(atom, depth),
            },
        }
    }

    /// Evaluates a name: `name := expression`, or set in a `switch goarch` (or `goos`).
    fn name(&self, name: &str, depth: u32) -> bool {
        let definition = format!("{name} := ");
        let assignment = format!("{name} = true");
        let mut platform = "";
        let mut in_case = false;
        for line in self.text.lines().map(str::trim) {
            if let Some(expression) = line.strip_prefix(&definition) {
                return self.is_true(expression, depth + 1);
            }
            if let Some(variable) = line.strip_prefix("switch ") {
                platform = match variable.trim_end_matches('{').trim() {
                    "goos" => self.goos,
                    "goarch" => self.goarch,
                    _ => "",
                };
                in_case = false;
            } else if let Some(values) = line.strip_prefix("case ") {
                in_case = values
                    .trim_end_matches(':')
                    .split(',')
                    .any(|value| value.trim().trim_matches('"') == platform);
            } else if line == "}" || line == "default:" {
                in_case = false;
            } else if in_case && line == assignment {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXP: &str = r#"
	var regabiSupported, regabiAlwaysOn bool
	switch goarch {
	case "amd64", "arm64":
		regabiAlwaysOn = true
		regabiSupported = true
	case "s390x":
		regabiSupported = true
	}
	dwarf5Supported := (goos != "darwin" && goos != "aix")

	baseline := goexperiment.Flags{
		RegabiWrappers: regabiSupported,
		AlwaysOn:       regabiAlwaysOn,
		Dwarf5:         dwarf5Supported, // not on mac
		JSONv2:         false,
		GreenTeaGC:     true,
	}
"#;

    #[test]
    fn the_baseline_is_read_for_a_platform() {
        let on = |goos, goarch| baseline(EXP, goos, goarch).unwrap_or_default().join(" ");
        assert_eq!(
            on("linux", "amd64"),
            "regabiwrappers alwayson dwarf5 greenteagc"
        );
        assert_eq!(on("darwin", "s390x"), "regabiwrappers greenteagc");
        assert_eq!(on("aix", "386"), "greenteagc");
    }

    #[test]
    fn goexperiment_changes_the_baseline() {
        let mut on = vec!["greenteagc".to_owned(), "dwarf5".to_owned()];
        change(&mut on, "jsonv2,nodwarf5,regabi");
        assert_eq!(on, ["greenteagc", "jsonv2", "regabiwrappers", "regabiargs"]);
        change(&mut on, "none");
        assert!(on.is_empty());
    }
}
