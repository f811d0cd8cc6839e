//! The declarations of a generated package.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::body::Body;
use super::{Function, GoPlan, Shape};
use crate::Texts;

/// A file on its way: its text without the package clause, and the packages that it names.
#[derive(Default)]
pub(super) struct GoSource {
    pub(super) text: String,
    pub(super) used: BTreeSet<usize>,
}

impl GoSource {
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// The whole file.
    fn finish(self, plan: &GoPlan, head: &str, clause: &str, others: &[&str]) -> String {
        let mut text = format!("{head}package {clause}\n");
        let imports: Vec<String> = others
            .iter()
            .map(|path| (*path).to_owned())
            .chain(
                self.used
                    .iter()
                    .map(|&package| format!("m/{}", plan.folder(package))),
            )
            .collect();
        if !imports.is_empty() {
            text.push_str("\nimport (\n");
            for path in imports {
                let _ = writeln!(text, "\t\"{path}\"");
            }
            text.push_str(")\n");
        }
        text.push_str(&self.text);
        text
    }
}

/// Writes all files of a package.
pub(super) fn write(plan: &GoPlan, package: usize, texts: &mut Texts) {
    let folder = plan.folder(package);
    let clause = format!("p{package}");
    for file in 0..plan.size.files {
        let mut source = GoSource::default();
        types(plan, &mut source, package, file);
        values(plan, &mut source, package, file);
        for number in 0..plan.size.functions {
            let function = Function {
                package,
                file,
                number,
            };
            write_function(plan, &mut source, function);
        }
        if plan.lot(3, &[package, file]).chance(1, 3) {
            source.line("");
            source.line("func init() {");
            source.line(format!("\tDefault{file}.Do(Limit{file})"));
            source.line("}");
        }
        let head = match file {
            0 => format!("// Package {clause} is generated.\n"),
            _ => String::new(),
        };
        let text = source.finish(plan, &head, &clause, &[]);
        texts.insert(format!("{folder}/f{file}.go"), text);
    }
    if package.is_multiple_of(3) {
        for system in ["linux", "windows"] {
            let text = format!(
                "package {clause}\n\nfunc platform() string {{\n\treturn \"{system}\"\n}}\n"
            );
            texts.insert(format!("{folder}/os_{system}.go"), text);
        }
    }
    if package.is_multiple_of(2) {
        in_package_test(plan, package, texts);
        external_test(plan, package, texts);
    }
}

fn types(plan: &GoPlan, source: &mut GoSource, package: usize, file: usize) {
    let mut lot = plan.lot(4, &[package, file]);
    let item = format!("Item{file}");
    let imports = plan.imports(package);
    let embedded = match (file, imports.first()) {
        (0, None) => None,
        (0, Some(&import)) => {
            source.used.insert(import);
            Some(format!("p{import}.Item0"))
        }
        _ => Some(format!("Item{}", file - 1)),
    };
    if file == 0 {
        source.line(
            "\n// Kind is a named constant type.\ntype Kind int\n\nconst (\n\tKindA Kind = iota\n\tKindB\n\tKindC\n)",
        );
        source.line("\nfunc (k Kind) Next() Kind {\n\treturn (k + 1) % KindC\n}");
        source.line(
            "\n// Box is generic.\ntype Box[T any] struct {\n\tvalue T\n\tall   []T\n}\n\n\
             func (b *Box[T]) Get() T {\n\treturn b.value\n}\n\n\
             func (b *Box[T]) Put(v T) *Box[T] {\n\tb.all = append(b.all, b.value)\n\tb.value = v\n\treturn b\n}\n\n\
             func NewBox[T any](v T) *Box[T] {\n\treturn &Box[T]{value: v}\n}\n\n\
             func Map[T, U any](in []T, f func(T) U) []U {\n\tvar out []U\n\tfor _, v := range in {\n\t\tout = append(out, f(v))\n\t}\n\treturn out\n}\n\n\
             type number interface {\n\t~int | ~int64 | ~float64\n}\n\n\
             func Sum[N number](ns ...N) N {\n\tvar sum N\n\tfor _, n := range ns {\n\t\tsum += n\n\t}\n\treturn sum\n}",
        );
    }
    source.line(format!("\ntype {item} struct {{"));
    let pointer = lot.chance(1, 3);
    if let Some(embedded) = &embedded {
        source.line(format!("\t{}{embedded}", if pointer { "*" } else { "" }));
    }
    source.line("\tName  string");
    source.line("\tcount int");
    source.line("\tkind  Kind");
    source.line(format!("\tnext  *{item}"));
    source.line("}");
    source.line(format!(
        "\nfunc (i *{item}) Next() *{item} {{\n\treturn i.next\n}}"
    ));
    source.line(format!(
        "\nfunc (i {item}) Label() string {{\n\treturn i.Name + \"{package}\"\n}}"
    ));
    if embedded.is_none() || lot.chance(1, 2) {
        source.line(format!(
            "\nfunc (i *{item}) Do(n int) int {{\n\ti.count += n\n\treturn i.Count()\n}}"
        ));
    }
    if embedded.is_none() || lot.chance(1, 2) {
        source.line(format!(
            "\nfunc (i *{item}) Count() int {{\n\treturn i.count\n}}"
        ));
    }
    match file {
        0 => source.line("\ntype Doer0 interface {\n\tDo(n int) int\n\tLabel() string\n}"),
        _ => source.line(format!(
            "\ntype Doer{file} interface {{\n\tDoer{}\n\tCount() int\n}}",
            file - 1
        )),
    }
    if file == 1 {
        source.line("\ntype Func func(n int) int\n\nfunc (f Func) Do(n int) int {\n\treturn f(n)\n}\n\nfunc (f Func) Label() string {\n\treturn \"func\"\n}");
        source.line("\ntype Items = []*Item0");
    }
}

fn values(plan: &GoPlan, source: &mut GoSource, package: usize, file: usize) {
    source.line(format!(
        "\nconst (\n\tLimit{file} = {} + iota\n\thalf{file}\n)",
        10 + file
    ));
    source.line(format!(
        "\nvar Default{file} = &Item{file}{{Name: \"default\"}}"
    ));
    // Only other packages' functions initialise variables: those of their own could need them.
    for import in plan.imports(package) {
        let far = Function {
            package: import,
            file: 0,
            number: 0,
        };
        if plan.shape(far) == Shape::Number {
            source.used.insert(import);
            source.line(format!(
                "\nvar far{file}x{import} = p{import}.{}(Limit{file})",
                plan.name(far)
            ));
        }
    }
}

fn write_function(plan: &GoPlan, source: &mut GoSource, function: Function) {
    let name = plan.name(function);
    let file = function.file;
    let (signature, parameter) = match plan.shape(function) {
        Shape::Number => (format!("{name}(n int) int"), "n"),
        Shape::Fails => (format!("{name}(name string, n int) (string, error)"), "n"),
        Shape::TakesInterface => (format!("{name}(d Doer{file}, n int) int"), "n"),
        Shape::Generic => (
            format!("{name}[T any](first T, apply func(T) int) int"),
            "apply(first)",
        ),
        Shape::Variadic => (format!("{name}(ns ...int) int"), "len(ns)"),
        Shape::MakesItem => (format!("{name}(n int) *Item{file}"), "n"),
    };
    source.line(format!("\n// {name} is generated.\nfunc {signature} {{"));
    let mut body = Body::new(plan, source, function, parameter);
    body.statements();
    let total = body.total();
    let result = match plan.shape(function) {
        Shape::Fails => {
            source.line(format!(
                "\tif {total} > Limit{file} {{\n\t\treturn \"\", nil\n\t}}"
            ));
            format!("name + Default{file}.Label(), nil")
        }
        Shape::TakesInterface => format!("d.Do({total})"),
        Shape::MakesItem => format!("&Item{file}{{Name: \"made\", count: {total}}}"),
        _ => total,
    };
    source.line(format!("\treturn {result}"));
    source.line("}");
}

fn in_package_test(plan: &GoPlan, package: usize, texts: &mut Texts) {
    let mut source = GoSource::default();
    source.line("\ntype fakeItem struct {\n\tItem0\n}");
    source.line("\nfunc (f *fakeItem) Do(n int) int {\n\treturn n\n}");
    source.line("\n// Extra is seen by tests alone.\nfunc (i *Item0) Extra() int {\n\treturn i.Count() + 1\n}");
    source.line("\nfunc TestInside(t *testing.T) {");
    let function = Function {
        package,
        file: 0,
        number: plan.size.functions,
    };
    source.line("\tvar d Doer0 = &fakeItem{}");
    source.line("\tif d.Do(1) != Default0.Extra() {\n\t\tt.Fatal(d.Label())\n\t}");
    let mut body = Body::new(plan, &mut source, function, "1");
    body.statements();
    let total = body.total();
    source.line(format!("\tt.Fatal({total})"));
    source.line("}");
    let text = source.finish(plan, "", &format!("p{package}"), &["testing"]);
    texts.insert(format!("{}/f0_test.go", plan.folder(package)), text);
}

fn external_test(plan: &GoPlan, package: usize, texts: &mut Texts) {
    let mut source = GoSource::default();
    source.used.insert(package);
    source.line("\nfunc TestOutside(t *testing.T) {");
    source.line(format!(
        "\tvar d p{package}.Doer0 = p{package}.Default0\n\tif d.Do(1) != p{package}.Default0.Extra() {{\n\t\tt.Fatal(d.Label())\n\t}}"
    ));
    source.line("}");
    let text = source.finish(plan, "", &format!("p{package}_test"), &["testing"]);
    texts.insert(format!("{}/outside_test.go", plan.folder(package)), text);
}
