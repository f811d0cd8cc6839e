//! Possible uses of symbols in files that the build configuration excludes.

use codeweft_db::{Semantics as _, SymbolId, Unit};

use super::Fixture;
use crate::Go;

const WORLD: &str = r#"
//- fmt/fmt.go
package fmt

func Errorf() error { return nil }

type Stringer interface{ String() string }
//- url/url.go
package url

type URL struct{ Errorf int }

func (*URL) String() string { return "" }
//- kit/kit.go
package kit

type T struct{}

func (*T) Errorf() {}

func Use() {}
//- kit/qualified_windows.go
package kit

import "m/fmt"

func a() { fmt.Errorf() }
//- kit/selected_windows.go
package kit

import "m/fmt"

func b(t *T) { fmt.Println(t.Errorf) }
//- kit/renamed_windows.go
package kit

import f "m/fmt"

func c() { f.Errorf() }
//- kit/dotted_windows.go
package kit

import . "m/fmt"

func d() { Errorf() }
//- kit/alone_windows.go
package kit

func e() { Use() }
//- kit/declared_windows.go
package kit

func Use() {}
//- kit/shadowed_windows.go
package kit

import "m/url"

func g(url url.URL) { _ = url.String() }
//- kit/key_windows.go
package kit

import "m/url"

var h = url.URL{Errorf: 1}
"#;

/// Returns the excluded files that could use a symbol, by the end of their names.
fn could_use(fixture: &Fixture, symbol: SymbolId) -> Vec<&str> {
    let excluded = |unit: &Unit| Go.excluded(&fixture.db, *unit).to_vec();
    let excluded: Vec<_> = fixture.units.iter().flat_map(excluded).collect();
    let files = fixture.files.iter();
    files
        .filter(|(_, file)| excluded.contains(file))
        .filter(|(_, file)| {
            Go.first_use_in_excluded(&fixture.db, **file, symbol)
                .is_some()
        })
        .map(|(path, _)| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.trim_end_matches("_windows.go")
        })
        .collect()
}

fn symbol(fixture: &Fixture, package: &str, parent: Option<&str>, name: &str) -> SymbolId {
    let shared = codeweft_db::Db::shared(&fixture.db);
    let text = |id| shared.names.text(id);
    let mut found = fixture.units.iter().flat_map(|&unit| {
        let named = text(unit.name(&fixture.db)) == package;
        let symbols = Go.symbols(&fixture.db, unit);
        let rows: Vec<SymbolId> = symbols.rows.iter().map(|row| row.symbol).collect();
        rows.into_iter().filter(move |_| named)
    });
    let is = |symbol: &SymbolId| {
        let key = shared.symbols.key(*symbol);
        let of = key
            .parent
            .map(|parent| text(shared.symbols.key(parent).name));
        text(key.name) == name && of == parent
    };
    found.find(is).expect("declared")
}

#[test]
fn a_package_level_name_is_qualified_by_an_import_or_unqualified_in_its_package() {
    let world = Fixture::new(WORLD);
    let errorf = symbol(&world, "fmt", None, "Errorf");
    assert_eq!(
        could_use(&world, errorf),
        ["dotted", "qualified", "renamed"]
    );
    let own = symbol(&world, "kit", None, "Use");
    assert_eq!(could_use(&world, own), ["alone"]);
}

#[test]
fn a_method_is_selected_and_not_from_a_package_that_declares_the_name() {
    let world = Fixture::new(WORLD);
    let errorf = symbol(&world, "kit", Some("T"), "Errorf");
    assert_eq!(could_use(&world, errorf), ["selected"]);
    let string = symbol(&world, "url", Some("URL"), "String");
    assert_eq!(could_use(&world, string), ["shadowed"]);
}

#[test]
fn a_field_may_be_a_key_too() {
    let world = Fixture::new(WORLD);
    let field = symbol(&world, "url", Some("URL"), "Errorf");
    assert_eq!(could_use(&world, field), ["dotted", "key", "selected"]);
}

#[test]
fn declarations_of_an_excluded_file() {
    let world = Fixture::new(
        "//- a_windows.go\npackage m\n\ntype T struct{}\n\nfunc (*T) M() {}\n\nconst C, _ = 1, 2\n\ntype A = T\n\nvar v int\n",
    );
    let shared = codeweft_db::Db::shared(&world.db);
    let text = |id| shared.names.text(id);
    let declared: Vec<String> = world
        .files
        .values()
        .flat_map(|&file| Go.declarations_of_excluded(&world.db, file))
        .map(|one| {
            let parent = one.parent.map_or("", text);
            let line = codeweft_db::file_ranges(&world.db, one.declaration.file)
                .line_column(one.declaration.name.start)
                .0;
            format!("{:?} {parent} {} {line}", one.kind, text(one.name))
        })
        .collect();
    assert_eq!(
        declared,
        [
            "Struct  T 3",
            "Method T M 5",
            "Constant  C 7",
            "Type  A 9",
            "Variable  v 11"
        ]
    );
}
