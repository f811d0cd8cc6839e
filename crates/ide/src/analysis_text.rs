//! Analyses as text, for people and models alike: a head line, then a line for each item.
//!
//! ```text
//! symbols: 2 of 40 declarations
//! uses  other  symbol
//!  412     85  store.Open  store/db.go:12  func Open() *DB
//!    7      0  store.pool  store/db.go:31  var pool sync.Pool
//! ```

use std::fmt::Write as _;

use codeweft_graph::answer::{
    AnalysisResponse, CycleImports, DependencyGraph, Hotspot, ListedSymbol, PackageSummary, Scope,
    SymbolDetail, SymbolInfo, SymbolList, TypeHierarchy, TypeRelation, UnusedReason,
    WorkspaceSummary,
};

use crate::api::wire_word;

/// Writes an analysis. Lines end with a line break.
pub fn analysis_text(response: &AnalysisResponse) -> String {
    let mut text = String::new();
    let name = response.operation.wire_name();
    let of = response
        .target
        .as_ref()
        .map(|target| format!(" of {target}"));
    let of = of.unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = write!(text, "{name}{of}");
    if let Some(list) = &response.symbols {
        symbols(&mut text, list);
    }
    if let Some(summary) = &response.summary {
        workspace(&mut text, summary);
    }
    if let Some(package) = &response.package_summary {
        self::package(&mut text, package);
    }
    if let Some(detail) = &response.detail {
        self::detail(&mut text, detail);
    }
    if let Some(hierarchy) = &response.hierarchy {
        self::hierarchy(&mut text, hierarchy);
    }
    if let Some(scopes) = &response.scopes {
        self::scopes(&mut text, scopes);
    }
    if let Some(hotspots) = &response.hotspots {
        self::hotspots(&mut text, hotspots);
    }
    if let Some(cycles) = &response.cycles {
        self::cycles(&mut text, response, cycles);
    }
    if let Some(graph) = &response.dependency_graph {
        dependencies(&mut text, graph);
    }
    tail(&mut text, response);
    text
}

/// Returns a number with its noun: `1 file`, `3 files`.
fn counted(number: u32, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Returns where a symbol is declared, and its header: `store/db.go:12  func Open() *DB`.
fn declared(symbol: &SymbolInfo) -> String {
    let mut text = match symbol.file.as_str() {
        "" => "(no file)".to_owned(),
        file => format!("{file}:{}", symbol.start_line),
    };
    match &symbol.context {
        Some(header) => {
            let _ = write!(text, "  {header}");
        }
        None => {
            let _ = write!(text, "  {}", symbol.kind);
        }
    }
    text
}

/// Writes symbols with the number of their uses.
fn with_uses<'a>(text: &mut String, symbols: impl Iterator<Item = &'a SymbolInfo>) {
    let mut symbols = symbols.peekable();
    if symbols.peek().is_some() {
        text.push_str("uses  other  symbol\n");
    }
    for symbol in symbols {
        let (all, external) = (symbol.ref_count, symbol.external_ref_count);
        let _ = writeln!(
            text,
            "{all:>4}  {external:>5}  {}  {}",
            symbol.id,
            declared(symbol)
        );
    }
}

fn symbols(text: &mut String, list: &SymbolList) {
    let (listed, all) = (list.total_returned, list.total_found);
    let _ = if listed == all {
        writeln!(text, ": {}", counted(all, "declaration"))
    } else {
        writeln!(text, ": {listed} of {all} declarations")
    };
    if list.items.iter().all(|item| item.completeness.is_none()) {
        with_uses(text, list.items.iter().map(|item| &item.symbol));
        return;
    }
    for item in &list.items {
        unused(text, item);
    }
}

fn unused(text: &mut String, item: &ListedSymbol) {
    let why = match item.reason {
        Some(UnusedReason::OnlyFromUnused) => "only from unused",
        Some(UnusedReason::OnlyTests) => "only tests",
        Some(UnusedReason::Unreferenced) | None => "unreferenced",
    };
    let _ = write!(
        text,
        "{}  [{why}]  {}",
        item.symbol.id,
        declared(&item.symbol)
    );
    if let Some(open) = item.completeness.as_ref().filter(|open| !open.complete) {
        let _ = match open.unresolved_sites {
            0 => write!(text, "  (not certain: a file was not read"),
            sites => write!(
                text,
                "  (not certain: {} could use it",
                counted(sites, "site")
            ),
        };
        for site in open.first.iter().take(1) {
            let _ = write!(text, ", {}:{} {}", site.file, site.line, site.reason);
        }
        text.push(')');
    }
    text.push('\n');
}

fn workspace(text: &mut String, summary: &WorkspaceSummary) {
    let _ = writeln!(text, ": {}", counted(summary.package_count, "package"));
    for language in &summary.languages {
        let kinds = language.kind_counts.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        let _ = writeln!(
            text,
            "{}: {}, {}, {}: {}",
            language.language,
            counted(language.file_count, "file"),
            counted(language.line_count, "line"),
            counted(language.symbol_count, "declaration"),
            kinds.join(", ")
        );
    }
    with_uses(text, summary.top_symbols.iter());
}

fn package(text: &mut String, package: &PackageSummary) {
    let kinds = package.kind_counts.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    let _ = writeln!(
        text,
        ": package {}, {}; {}",
        package.package_name,
        counted(package.file_count, "file"),
        kinds.join(", ")
    );
    for (words, packages) in [
        ("imports", &package.dependencies),
        ("imported by", &package.dependents),
    ] {
        if !packages.is_empty() {
            let _ = writeln!(text, "{words}: {}", packages.join(", "));
        }
    }
    if package.exported_symbols.len() < package.exported_total as usize {
        let listed = package.exported_symbols.len();
        let _ = writeln!(text, "{listed} of {} exported", package.exported_total);
    }
    with_uses(text, package.exported_symbols.iter());
}

fn detail(text: &mut String, detail: &SymbolDetail) {
    let symbol = &detail.symbol;
    let _ = writeln!(text, ": {}", declared(symbol));
    let (all, external) = (symbol.ref_count, symbol.external_ref_count);
    let _ = writeln!(
        text,
        "{} {}, {}, {external} in other packages",
        symbol.visibility,
        symbol.kind,
        counted(all, "use")
    );
    for annotation in &detail.annotations {
        let _ = match annotation.arguments.as_str() {
            "" => writeln!(text, "annotation {}", annotation.name),
            arguments => writeln!(text, "annotation {}: {arguments}", annotation.name),
        };
    }
    for parameter in &detail.type_params {
        let _ = writeln!(
            text,
            "type parameter {}",
            spaced(&parameter.name, &parameter.constraints)
        );
    }
    for parameter in &detail.parameters {
        let what = match (parameter.is_receiver, parameter.is_return) {
            (true, _) => "receiver",
            (_, true) => "result",
            _ => "parameter",
        };
        let default = parameter.default.as_ref();
        let default = default
            .map(|value| format!(" = {value}"))
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "{what} {}{default}",
            spaced(&parameter.name, &parameter.type_expr)
        );
    }
    for member in &detail.members {
        let _ = writeln!(
            text,
            "{} {}",
            member.kind,
            spaced(&member.name, &member.type_expr)
        );
    }
    for line in detail.doc.lines() {
        let _ = writeln!(text, "{}", format!("  {line}").trim_end());
    }
}

fn spaced(name: &str, rest: &str) -> String {
    match (name, rest) {
        ("", rest) => rest.to_owned(),
        (name, "") => name.to_owned(),
        (name, rest) => format!("{name} {rest}"),
    }
}

fn hierarchy(text: &mut String, hierarchy: &TypeHierarchy) {
    let _ = writeln!(text, ": {}", declared(&hierarchy.symbol));
    let totals = &hierarchy.totals;
    let mut list = |words: &str, relations: &[TypeRelation], total: u32| {
        if total > 0 {
            let _ = if relations.len() == total as usize {
                writeln!(text, "{words}: {total}")
            } else {
                writeln!(text, "{words}: {} of {total}", relations.len())
            };
        }
        for relation in relations {
            let kind = wire_word(&relation.kind).unwrap_or_default();
            let symbol = &relation.symbol;
            let _ = writeln!(text, "  {}  [{kind}]  {}", symbol.id, declared(symbol));
        }
    };
    list("implements", &hierarchy.implements, totals.implements);
    list(
        "implemented by",
        &hierarchy.implemented_by,
        totals.implemented_by,
    );
    list("composes", &hierarchy.composes, totals.composes);
    list("composed by", &hierarchy.composed_by, totals.composed_by);
}

fn scopes(text: &mut String, scopes: &[Scope]) {
    let _ = writeln!(
        text,
        ": {}, the innermost first",
        counted(scopes.len() as u32, "scope")
    );
    for scope in scopes {
        let kind = wire_word(&scope.kind).unwrap_or_default();
        let id = scope.symbol_id.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "{}",
            format!(
                "{}:{}-{}  {kind}  {id}",
                scope.file, scope.start_line, scope.end_line
            )
            .trim_end()
        );
    }
}

fn hotspots(text: &mut String, hotspots: &[Hotspot]) {
    let _ = writeln!(text, ": the {} most called", hotspots.len());
    if !hotspots.is_empty() {
        text.push_str("callers  callees  symbol\n");
    }
    for hotspot in hotspots {
        let _ = writeln!(
            text,
            "{:>7}  {:>7}  {}  {}",
            hotspot.caller_count,
            hotspot.callee_count,
            hotspot.symbol.id,
            declared(&hotspot.symbol)
        );
    }
}

fn cycles(text: &mut String, response: &AnalysisResponse, cycles: &[Vec<String>]) {
    if let Some(counts) = &response.cycle_counts {
        let listed = if counts.total_returned == counts.total_found {
            String::new()
        } else {
            format!(", {} listed", counts.total_returned)
        };
        let _ = writeln!(
            text,
            ": {} in {}{listed}",
            counted(counts.total_found, "cycle"),
            counted(counts.components, "component")
        );
        if let Some(bound) = &counts.bound {
            let _ = writeln!(text, "there are more: {bound}");
        }
    }
    let unknown = CycleImports::default();
    for (at, cycle) in cycles.iter().enumerate() {
        let first = cycle.first().map(String::as_str).unwrap_or_default();
        let imports = response.cycle_imports.get(at).unwrap_or(&unknown);
        let words = match (imports.only_types, imports.deferred) {
            (true, _) => "  [only for types]",
            (_, true) => "  [an import inside a function]",
            _ => "",
        };
        let _ = writeln!(text, "{} -> {first}{words}", cycle.join(" -> "));
        for import in &imports.imports {
            let _ = writeln!(
                text,
                "  {}:{}  {} imports {}",
                import.file, import.line, import.from, import.to
            );
        }
    }
}

fn dependencies(text: &mut String, graph: &DependencyGraph) {
    let packages = counted(graph.packages.len() as u32, "package");
    let edges = counted(graph.edges.len() as u32, "edge");
    let _ = writeln!(text, ": {packages}, {edges}");
    text.push_str(" files    lines  fan-in  fan-out  package\n");
    for package in &graph.packages {
        let _ = writeln!(
            text,
            "{:>6}  {:>7}  {:>6}  {:>7}  {}",
            package.file_count, package.line_count, package.fan_in, package.fan_out, package.name
        );
    }
    for edge in &graph.edges {
        let _ = writeln!(text, "{} -> {} ({})", edge.from, edge.to, edge.import_count);
    }
}

fn tail(text: &mut String, response: &AnalysisResponse) {
    if let Some(note) = &response.note {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in &response.warnings {
        let _ = writeln!(text, "warning: {}", warning.words(false));
    }
    if let Some(total) = response.warnings_total {
        let _ = writeln!(text, "warning: {total} warnings in all");
    }
    let unsaved = &response.metadata.unsaved;
    if !unsaved.is_empty() {
        let _ = writeln!(text, "unsaved in an editor: {}", unsaved.join(", "));
    }
}
