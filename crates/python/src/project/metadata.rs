//! Source folders that a project declares in `pyproject.toml`, `setup.cfg`, or literal arguments in
//! `setup.py`, which is not run.
//!
//! ```toml
//! [tool.setuptools.packages.find]
//! where = ["lib"]                 # root: lib
//! [tool.pytest.ini_options]
//! pythonpath = ["tests/helpers"]  # additional root
//! ```

use toml::{Table, Value};

use super::literals;
use super::paths::{parent, resolve};

/// Files that make a folder a project.
pub(super) const PROJECT_FILES: [&str; 3] = [PYPROJECT, "setup.py", SETUP_CFG];

/// The file of the tables of the packaging specifications.
pub(super) const PYPROJECT: &str = "pyproject.toml";

/// The file of setuptools.
pub(super) const SETUP_CFG: &str = "setup.cfg";

/// The texts of a project's files.
#[derive(Default)]
pub(super) struct MetadataTexts<'t> {
    pub(super) pyproject: Option<&'t str>,
    pub(super) setup_cfg: Option<&'t str>,
    pub(super) setup_py: Option<&'t str>,
}

/// The folders that a project declares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DeclaredMetadata {
    /// The folders that its packages are built from, by the first file that names any. Empty if
    /// none does: the project has the default layout.
    pub(super) roots: Vec<String>,
    /// Additional folders that its tests import from (`pythonpath` of pytest).
    pub(super) more: Vec<String>,
}

/// Returns the entry points that a project file names (Python packaging, Entry points
/// specification: the object reference `importable.module:object.attr`), in any table.
pub(super) fn entry_points(text: &str) -> impl Iterator<Item = String> + '_ {
    let in_reference = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ':');
    let words = text.split(move |letter| !in_reference(letter));
    words.filter_map(|word| {
        let (module, object) = word.split_once(':')?;
        let is_path = |path: &str| {
            path.split('.').all(|part| {
                let first = part.chars().next();
                first.is_some_and(|first| first.is_alphabetic() || first == '_')
            })
        };
        let is_reference = is_path(module) && is_path(object) && !object.contains(':');
        is_reference.then(|| word.to_owned())
    })
}

/// Returns the modules that `pyproject.toml` names as entry points without an object (Python packaging, Entry points
/// specification): a host of plug-ins imports them.
pub(super) fn entry_modules(pyproject: &str) -> Vec<String> {
    let table = pyproject.parse::<Table>().unwrap_or_default();
    let groups = ["project.entry-points", "tool.poetry.plugins"];
    let groups = groups
        .iter()
        .filter_map(|path| at(&table, path)?.as_table());
    let entries = groups.flat_map(Table::values).filter_map(Value::as_table);
    let references = entries.flat_map(Table::values).filter_map(Value::as_str);
    // What is in brackets behind it are extras.
    let modules = references.map(|text| text.split('[').next().unwrap_or(text).trim());
    modules
        .filter(|text| !text.is_empty() && !text.contains(':'))
        .map(str::to_owned)
        .collect()
}

/// Returns the entry points that `pyproject.toml` names as programs (Python packaging, "pyproject.toml specification": `scripts`,
/// `gui-scripts`).
pub(super) fn pyproject_scripts(text: &str) -> Vec<String> {
    let table = text.parse::<Table>().unwrap_or_default();
    let tables = [
        "project.scripts",
        "project.gui-scripts",
        "tool.poetry.scripts",
    ];
    let tables = tables
        .iter()
        .filter_map(|path| at(&table, path)?.as_table());
    let references = tables.flat_map(Table::values).filter_map(Value::as_str);
    references.flat_map(entry_points).collect()
}

/// Returns the entry points that `setup.cfg` names as programs (setuptools, "Entry Points").
pub(super) fn setup_cfg_scripts(text: &str) -> Vec<String> {
    let groups = ["console_scripts", "gui_scripts"];
    let groups = groups.map(|group| ini(text, "options.entry_points", group));
    let groups = groups.iter().flatten();
    groups.flat_map(|group| entry_points(group)).collect()
}

/// Returns the folders that a project in `dir` declares. `dir` and the results are relative to the
/// workspace's root; folders outside it are omitted.
pub(super) fn declared(dir: &str, texts: &MetadataTexts<'_>) -> DeclaredMetadata {
    let table = texts
        .pyproject
        .and_then(|text| text.parse::<Table>().ok())
        .unwrap_or_default();
    let tool = |path: &str| at(&table, &format!("tool.{path}"));
    let mut found = strings(tool("codeweft.roots"));
    if found.is_empty() {
        found = pyproject(&tool);
    }
    if found.is_empty() {
        found = texts.setup_cfg.map(setup_cfg).unwrap_or_default();
    }
    if found.is_empty() {
        found = texts.setup_py.map(setup_py).unwrap_or_default();
    }
    let mut more = strings(tool("pytest.ini_options.pythonpath"));
    more.extend(
        texts
            .setup_cfg
            .and_then(|text| ini(text, "tool:pytest", "pythonpath"))
            .iter()
            .flat_map(|value| value.split_whitespace().map(str::to_owned)),
    );
    let placed = |folders: Vec<String>| {
        let mut placed: Vec<String> = Vec::new();
        for folder in folders {
            match resolve(dir, &folder) {
                Some(folder) if !folder.starts_with('/') && !placed.contains(&folder) => {
                    placed.push(folder);
                }
                _ => {}
            }
        }
        placed
    };
    DeclaredMetadata {
        roots: placed(found),
        more: placed(more),
    }
}

/// Reads the tables of build back ends.
fn pyproject<'t>(tool: &dyn Fn(&str) -> Option<&'t Value>) -> Vec<String> {
    let mut found = Vec::new();
    // setuptools: "Package Discovery and Namespace Packages".
    if let Some(Value::Table(folders)) = tool("setuptools.package-dir") {
        found.extend(package_dirs(folders.iter().filter_map(
            |(package, folder)| Some((package.as_str(), folder.as_str()?)),
        )));
    }
    found.extend(strings(tool("setuptools.packages.find.where")));
    // hatch: "Build configuration", packages, sources and dev-mode-dirs.
    for target in ["wheel", "sdist"] {
        let key = |name: &str| format!("hatch.build.targets.{target}.{name}");
        found.extend(above(&strings(tool(&key("packages")))));
        found.extend(sources(tool(&key("sources"))));
    }
    found.extend(above(&strings(tool("hatch.build.packages"))));
    found.extend(sources(tool("hatch.build.sources")));
    found.extend(strings(tool("hatch.build.dev-mode-dirs")));
    // poetry: "The pyproject.toml file", packages.
    if let Some(Value::Array(packages)) = tool("poetry.packages") {
        for package in packages.iter().filter_map(Value::as_table) {
            let from = package.get("from").and_then(Value::as_str);
            found.push(from.unwrap_or(".").to_owned());
        }
    }
    found.extend(strings(tool("pdm.build.package-dir")));
    found.extend(
        strings(tool("uv.build-backend.module-root"))
            .into_iter()
            .map(|folder| match folder.as_str() {
                "" => ".".to_owned(),
                _ => folder,
            }),
    );
    found.extend(strings(tool("maturin.python-source")));
    found
}

/// Reads a mapping of packages to folders: the folder of the empty package is a root, and so is the
/// parent of any other whose last part equals the package's name.
fn package_dirs<'t>(pairs: impl Iterator<Item = (&'t str, &'t str)>) -> Vec<String> {
    pairs
        .filter_map(|(package, folder)| {
            if package.is_empty() {
                return Some(folder.to_owned());
            }
            let inside = package.replace('.', "/");
            let above = folder.trim_end_matches('/').strip_suffix(&inside)?;
            (above.is_empty() || above.ends_with('/')).then(|| match above {
                "" => ".".to_owned(),
                above => above.to_owned(),
            })
        })
        .collect()
}

/// Returns the parent folders of packages.
fn above(packages: &[String]) -> Vec<String> {
    packages
        .iter()
        .filter(|package| !package.contains(['*', '?']))
        .map(|package| match parent(package.trim_end_matches('/')) {
            None | Some("") => ".".to_owned(),
            Some(folder) => folder.to_owned(),
        })
        .collect()
}

/// Reads hatch's `sources`: a list of folder prefixes to remove, or a table of folders and their
/// replacements.
fn sources(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Table(table)) => table
            .iter()
            .filter(|(_, to)| to.as_str() == Some(""))
            .map(|(from, _)| from.clone())
            .collect(),
        other => strings(other),
    }
}

fn at<'t>(table: &'t Table, path: &str) -> Option<&'t Value> {
    let (first, rest) = path.split_once('.')?;
    let mut value = table.get(first)?;
    for key in rest.split('.') {
        value = value.as_table()?.get(key)?;
    }
    Some(value)
}

/// Reads a string or a list of strings.
fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// Reads `package_dir` and `where` of a `setup.cfg` (setuptools, "Configuring setuptools using
/// setup.cfg files").
fn setup_cfg(text: &str) -> Vec<String> {
    let folders = ini(text, "options", "package_dir")
        .or_else(|| ini(text, "options", "package-dir"))
        .unwrap_or_default();
    let pairs = folders
        .split(['\n', ','])
        .filter_map(|line| line.split_once('='))
        .map(|(package, folder)| (package.trim(), folder.trim()));
    let mut found = package_dirs(pairs);
    if let Some(value) = ini(text, "options.packages.find", "where") {
        let folders = value.split(['\n', ',']).map(str::trim);
        found.extend(
            folders
                .filter(|folder| !folder.is_empty())
                .map(str::to_owned),
        );
    }
    found
}

/// Returns the value of a key in a section, including continuation lines (Python library,
/// "configparser").
pub(super) fn ini(text: &str, section: &str, key: &str) -> Option<String> {
    let mut inside = false;
    let mut value: Option<String> = None;
    for line in text.lines() {
        if line.trim_start().starts_with(['#', ';']) {
            continue;
        }
        if let Some(value) = &mut value {
            if line.starts_with([' ', '\t']) {
                value.push('\n');
                value.push_str(line.trim());
                continue;
            }
            break;
        }
        if let Some(name) = line.strip_prefix('[') {
            inside = name.split(']').next() == Some(section);
        } else if inside
            && let Some((name, rest)) = line.split_once(['=', ':'])
            && name.trim().eq_ignore_ascii_case(key)
        {
            value = Some(rest.trim().to_owned());
        }
    }
    value
}

/// Reads literal `package_dir={…}` and `find_packages("…")` of a `setup.py`.
fn setup_py(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in literals::after_word(text, "package_dir") {
        // A keyword argument, or a key of a dict that is passed on.
        let rest = rest.trim_start_matches(['"', '\'']).trim_start();
        let Some(rest) = rest.strip_prefix(['=', ':']) else {
            continue;
        };
        if let Some(pairs) = literals::dict(rest) {
            let pairs = pairs
                .iter()
                .map(|(p, folder)| (p.as_str(), folder.as_str()));
            found.extend(package_dirs(pairs));
        }
    }
    for finder in ["find_packages", "find_namespace_packages"] {
        for rest in literals::after_word(text, finder) {
            let Some(arguments) = rest.trim_start().strip_prefix('(') else {
                continue;
            };
            let arguments = literals::blank(arguments);
            let first = arguments
                .strip_prefix("where")
                .and_then(|rest| rest.trim_start().strip_prefix('='))
                .map_or(arguments, literals::blank);
            if let Some((folder, _)) = literals::string(first) {
                found.push(folder);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_entry_points_of_plug_ins_and_programs_those_of_scripts() {
        let text = "[project.entry-points.pytest11]\nshop = 'shop.plugin'\nrun = 'shop:go [extra]'\n[project.scripts]\na = 'b:c'\n";
        assert_eq!(entry_modules(text), ["shop.plugin"]);
        assert!(entry_modules("[").is_empty());
        assert_eq!(pyproject_scripts(text), ["b:c"]);
        let text =
            "[options.entry_points]\nconsole_scripts =\n  a = b:c\nshop.stores =\n  f = d:e\n";
        assert_eq!(setup_cfg_scripts(text), ["b:c"]);
    }

    #[test]
    fn entry_points_are_references_of_objects_in_any_table() {
        let text = "[project.scripts]\nrun = 'pkg.cli:main'\n[tool.x]\nurl = 'https://a.b:80/c'\n[options.entry_points]\nconsole_scripts =\n  a = b:C.go [extra]\n";
        let found: Vec<String> = entry_points(text).collect();
        assert_eq!(found, ["pkg.cli:main", "b:C.go"]);
    }

    fn roots(pyproject: &str, setup_cfg: &str, setup_py: &str) -> Vec<String> {
        let texts = MetadataTexts {
            pyproject: Some(pyproject),
            setup_cfg: Some(setup_cfg),
            setup_py: Some(setup_py),
        };
        declared("p", &texts).roots
    }

    #[test]
    fn the_tables_of_build_back_ends_name_roots() {
        for (text, expected) in [
            ("[tool.setuptools.package-dir]\n'' = 'lib'", "p/lib"),
            ("[tool.setuptools.package-dir]\n'a.b' = 'lib/a/b'", "p/lib"),
            (
                "[tool.setuptools.packages.find]\nwhere = ['python']",
                "p/python",
            ),
            (
                "[tool.hatch.build.targets.wheel]\npackages = ['src/a']",
                "p/src",
            ),
            ("[tool.hatch.build.targets.wheel]\npackages = ['a']", "p"),
            ("[tool.hatch.build]\nsources = {'code' = ''}", "p/code"),
            (
                "[[tool.poetry.packages]]\ninclude = 'a'\nfrom = 'lib'",
                "p/lib",
            ),
            ("[tool.pdm.build]\npackage-dir = 'lib'", "p/lib"),
            ("[tool.uv.build-backend]\nmodule-root = ''", "p"),
            ("[tool.maturin]\npython-source = 'python'", "p/python"),
            (
                "[tool.codeweft]\nroots = ['x']\n[tool.pdm.build]\npackage-dir = 'lib'",
                "p/x",
            ),
        ] {
            assert_eq!(roots(text, "", ""), [expected], "{text}");
        }
        assert_eq!(roots("not toml [", "", ""), [""; 0]);
        assert_eq!(
            roots("[tool.codeweft]\nroots = ['../../x']", "", ""),
            [""; 0]
        );
    }

    #[test]
    fn setup_cfg_and_setup_py_are_read_if_pyproject_declares_nothing() {
        let cfg =
            "[options]\npackages = find:\npackage_dir =\n    # where\n    = src\n\n[x]\na=b\n";
        assert_eq!(roots("", cfg, ""), ["p/src"]);
        let cfg = "[options.packages.find]\nwhere = lib\n";
        assert_eq!(roots("[project]\nname = 'x'", cfg, ""), ["p/lib"]);
        let py = "setup(\n  package_dir={'': 'lib'},  # x\n  packages=find_packages(where='lib'))";
        assert_eq!(roots("", "", py), ["p/lib"]);
        assert_eq!(
            roots("", "", "setup(packages=find_packages('code'))"),
            ["p/code"]
        );
        assert_eq!(
            roots("", "", "setup(packages=find_packages(exclude=['t']))"),
            [""; 0]
        );
        assert_eq!(roots("", "", "setup(package_dir=folders())"), [""; 0]);
    }

    #[test]
    fn paths_of_pytest_are_added() {
        let texts = MetadataTexts {
            pyproject: Some("[tool.pytest.ini_options]\npythonpath = ['.', 'lib']"),
            ..MetadataTexts::default()
        };
        assert_eq!(declared("", &texts).more, ["", "lib"]);
    }
}
