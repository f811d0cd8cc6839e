//! The SCIP export, read by the reader of protobuf.

use std::collections::BTreeSet;

use expect_test::expect;
use scip::types::{Index, PositionEncoding, TextEncoding};

use super::{GO, PYTHON, index, occurrences};

#[test]
fn occurrences_are_the_names_in_the_text() {
    let index = index(GO);
    expect![[r#"
        2:8-13 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        5:5-10 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Shape#
        5:22-26 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Shape#Area.
        8:5-11 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#
        8:20-24 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#Side.
        11:8-14 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#
        11:16-20 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#Area().
        11:38-42 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#Side.
        11:47-51 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#Side.
        13:5-11 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#
        14:1-7 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#Square.
        14:1-7 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Square#
        15:1-5 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#Name.
        18:6-13 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/`Größe`.
        20:5-9 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/init().
        21:5-9 definition scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/init(+1)."#]].assert_eq(&occurrences(&index, "shape/shape.go").join("\n"));
    expect![[r#"
        1:8-12 definition scip-go gomod example.com/app v9.8.7 `example.com/app`/
        4:2-4 import scip-go gomod github.com/golang/go/src go1.26.0 io/
        6:1-2 import scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        6:4-25 import scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        7:2-17 import scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        8:2-29 import scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/
        9:2-18 import scip-go gomod gone.example/pkg . `gone.example/pkg`/
        12:4-9 definition scip-go gomod example.com/app v9.8.7 `example.com/app`/total.
        12:12-13 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        12:14-21 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/`Größe`.
        14:5-9 definition scip-go gomod example.com/app v9.8.7 `example.com/app`/main().
        15:11-12 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        15:13-18 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Shape#
        15:21-22 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/
        15:23-29 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#
        15:30-34 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Framed#Name.
        15:43-48 write scip-go gomod example.com/app v9.8.7 `example.com/app`/total.
        15:57-61 read scip-go gomod example.com/app v9.8.7 `example.com/app/shape`/Shape#Area.
        16:9-11 read scip-go gomod github.com/golang/go/src go1.26.0 io/
        16:12-18 read scip-go gomod github.com/golang/go/src go1.26.0 io/Writer#
        18:1-4 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        18:5-8 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Run().
        18:9-12 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        18:13-20 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Options#
        18:24-30 read scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/
        18:31-36 read scip-go gomod example.com/lib/deep abcdefabcdef `example.com/lib/deep/nested`/Limit.
        19:1-4 read scip-go gomod gone.example/pkg . `gone.example/pkg`/
        19:5-9 read scip-go gomod gone.example/pkg . `gone.example/pkg`/Call().
        20:1-4 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/
        20:5-8 read scip-go gomod example.com/lib v1.2.0 `example.com/lib`/Run()."#]].assert_eq(&occurrences(&index, "main.go").join("\n"));
    expect![[r#"
        1:8-12 definition+test scip-go gomod example.com/app v9.8.7 `example.com/app`/
        3:8-15 import+test scip-go gomod github.com/golang/go/src go1.26.0 testing/
        5:5-13 definition+test scip-go gomod example.com/app v9.8.7 `example.com/app`/TestMain().
        5:17-24 read+test scip-go gomod github.com/golang/go/src go1.26.0 testing/
        5:25-26 read+test scip-go gomod github.com/golang/go/src go1.26.0 testing/T#
        5:30-34 read+test scip-go gomod example.com/app v9.8.7 `example.com/app`/main()."#]]
    .assert_eq(&occurrences(&index, "main_test.go").join("\n"));
}

#[test]
fn symbols_have_their_kind_docs_signature_and_what_they_implement() {
    let text = |index: &Index| {
        let documents = index.documents.iter();
        let symbols = documents.flat_map(|document| &document.symbols);
        let lines = symbols.map(|symbol| {
            let name = symbol.symbol.rsplit(' ').next().unwrap_or_default();
            let related: Vec<String> = symbol
                .relationships
                .iter()
                .map(|one| {
                    let target = one.symbol.rsplit(' ').next().unwrap_or_default();
                    let reference = if one.is_reference { "+reference" } else { "" };
                    format!("implementation{reference} {target}")
                })
                .collect();
            format!(
                "{name} | {:?} {} | {} | {} | {}",
                symbol.kind.enum_value_or_default(),
                symbol.display_name,
                symbol.documentation.join("; "),
                symbol.signature_documentation.text,
                related.join(", ")
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        `example.com/app`/ | Package app |  |  | 
        `example.com/app`/main(). | Function main |  | func main() | 
        `example.com/app`/total. | Variable total |  | var total = s.Größe | 
        `example.com/app`/TestMain(). | Function TestMain |  | func TestMain(t *testing.T) | 
        `example.com/app/shape`/ | Package shape | Package shape has shapes. |  | 
        `example.com/app/shape`/Framed# | Struct Framed |  | type Framed struct | implementation `example.com/app/shape`/Shape#
        `example.com/app/shape`/Framed#Name. | Field Name |  | Name string | 
        `example.com/app/shape`/Framed#Square. | Field Square |  | Square | 
        `example.com/app/shape`/Shape# | Interface Shape | Shape is what has an area. | type Shape interface{ Area() int } | 
        `example.com/app/shape`/Shape#Area. | MethodSpecification Area | Shape is what has an area. | Area() int | 
        `example.com/app/shape`/Square# | Struct Square | Square is one. | type Square struct{ Side int } | implementation `example.com/app/shape`/Shape#
        `example.com/app/shape`/Square#Area(). | Method Area | Area is the side twice. | func (s Square) Area() int | implementation+reference `example.com/app/shape`/Shape#Area.
        `example.com/app/shape`/Square#Side. | Field Side | Square is one. | Side int | 
        `example.com/app/shape`/`Größe`. | Constant Größe |  | const Größe = 3 | 
        `example.com/app/shape`/init(). | Function init |  | func init() | 
        `example.com/app/shape`/init(+1). | Function init |  | func init() | "#]].assert_eq(&text(&index(GO)));
    expect![[r#"
        app/__init__: | Module app | The package. |  | 
        `app.base`/Job# | Class Job | Work. | class Job | implementation typing/Hashable#
        `app.base`/Job#limit. | Field limit |  | limit: int = 3 | 
        `app.base`/Job#run(). | Method run |  | def run(self, times=1) | 
        `app.base`/Mail# | Class Mail |  | class Mail(Job) | implementation `app.base`/Job#, implementation typing/Hashable#
        `app.base`/Mail#run(). | Method run |  | def run(self, times=1) | 
        `app.base`/__init__: | Module base | Bases. |  | 
        `app.base`/run(). | Function run |  | def run(job: Job) -> int | 
        `app.main`/__init__: | Module main |  |  | 
        `app.main`/server. | Variable server |  | server = Flask("x") | 
        `app.more`/__init__: | Module more |  |  | 
        `app.more`/_hidden(). | Function _hidden |  | def _hidden() | 
        `app.more`/more(). | Function more |  | def more() | "#]].assert_eq(&text(&index(PYTHON)));
}

#[test]
fn the_encoding_of_positions_is_stated() {
    let index = index(GO);
    let encoding = index.metadata.text_document_encoding;
    assert_eq!(encoding.enum_value(), Ok(TextEncoding::UTF8));
    for document in &index.documents {
        let encoding = document.position_encoding.enum_value();
        assert_eq!(
            encoding,
            Ok(PositionEncoding::UTF8CodeUnitOffsetFromLineStart)
        );
    }
    assert!(index.metadata.project_root.starts_with("file:///"));
}

#[test]
fn every_symbol_is_described_once_and_no_occurrence_is_there_twice() {
    for index in [index(GO), index(PYTHON)] {
        let documents = index.documents.iter();
        let own = documents.flat_map(|document| &document.symbols);
        let described: Vec<&str> = own
            .chain(&index.external_symbols)
            .map(|symbol| &*symbol.symbol)
            .collect();
        let distinct: BTreeSet<&str> = described.iter().copied().collect();
        assert_eq!(described.len(), distinct.len());
        let mut seen = BTreeSet::new();
        for document in &index.documents {
            for one in &document.occurrences {
                assert!(distinct.contains(&*one.symbol), "{}", one.symbol);
                let key = (
                    document.relative_path.clone(),
                    one.range.clone(),
                    one.symbol_roles,
                    one.symbol.clone(),
                );
                assert!(seen.insert(key.clone()), "{key:?}");
            }
        }
        let own = index
            .documents
            .iter()
            .flat_map(|document| &document.symbols);
        for symbol in own.chain(&index.external_symbols) {
            for related in &symbol.relationships {
                assert!(distinct.contains(&*related.symbol), "{}", related.symbol);
            }
        }
    }
}

#[test]
fn every_symbol_is_one_of_the_grammar() {
    for index in [index(GO), index(PYTHON)] {
        let documents = index.documents.iter();
        let own = documents.flat_map(|document| &document.symbols);
        for symbol in own.chain(&index.external_symbols) {
            let parsed = scip::symbol::parse_symbol(&symbol.symbol);
            let parsed = parsed.unwrap_or_else(|error| panic!("{}: {error:?}", symbol.symbol));
            assert_eq!(scip::symbol::format_symbol(parsed), symbol.symbol);
        }
    }
}
