//! Documents beside the code are inputs: their texts follow disk and editors, and code knows nothing of them.

use std::path::Path;

use codeweft_db::UnitGraph;

use super::{ProjectDatabase, Sources, callers};

/// Returns the documents with their texts, sorted by path.
fn documents(host: &ProjectDatabase) -> Vec<(String, String)> {
    let db = host.db();
    let documents = UnitGraph::get(db).documents(db).iter();
    let texts = documents.map(|file| (file.path(db).to_string(), file.text(db).to_string()));
    texts.collect()
}

fn named(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = all
        .iter()
        .map(|&(path, text)| (path.to_owned(), text.to_owned()));
    owned.collect()
}

#[test]
fn documents_follow_the_disk_and_editors_and_are_no_sources() {
    let sources = Sources::new();
    sources.write("api/openapi.yaml", "openapi: 3.0.0\n");
    sources.write("Dockerfile", "FROM scratch\n");
    sources.write(".gitignore", "out/\n");
    sources.write("out/api.json", "{}\n");
    sources.write("README.md", "text\n");
    let large = format!("[{}]\n", "1,".repeat(1 << 20));
    sources.write("data.json", &large);
    let mut host = sources.host();
    let start = [
        ("Dockerfile", "FROM scratch\n"),
        ("api/openapi.yaml", "openapi: 3.0.0\n"),
    ];
    assert_eq!(documents(&host), named(&start));
    assert!(host.unread().is_empty());
    assert_eq!(host.languages().len(), 1);

    let (document, revision) = (
        sources.folder.path().join("api/openapi.yaml"),
        host.revision(),
    );
    host.open(&document, "openapi: 3.0.0\n");
    assert_eq!(host.revision(), revision);
    host.change(&document, "openapi: 3.1.0\n");
    assert_eq!(host.revision(), revision + 1);
    assert_eq!(&*host.unsaved().clone(), ["api/openapi.yaml".to_owned()]);
    assert_eq!(
        documents(&host),
        named(&[start[0], ("api/openapi.yaml", "openapi: 3.1.0\n")])
    );
    host.close(&document);
    assert_eq!(documents(&host), named(&start));

    sources.write("b/b.proto", "syntax = \"proto3\";\n");
    sources.remove("Dockerfile");
    host.disk_changed(&[Path::new("b"), Path::new("Dockerfile")]);
    let after = [start[1], ("b/b.proto", "syntax = \"proto3\";\n")];
    assert_eq!(documents(&host), named(&after));
    sources.write("Dockerfile", "FROM busybox\n");
    host.recheck();
    assert_eq!(
        documents(&host),
        named(&[("Dockerfile", "FROM busybox\n"), after[0], after[1]])
    );
}

#[test]
fn an_edit_of_a_document_runs_no_query_of_code() {
    let sources = Sources::new();
    sources.write("api.yaml", "openapi: 3.0.0\n");
    let mut host = sources.host();
    let document = sources.folder.path().join("api.yaml");
    host.open(&document, "openapi: 3.0.0\n");
    assert_eq!(callers(&host, "a.X"), "b.Call");
    host.recording().expect("recorded").take(host.db());
    host.change(&document, "openapi: 3.1.0\n");
    assert_eq!(callers(&host, "a.X"), "b.Call");
    let executed = host.recording().expect("recorded").take(host.db());
    assert_eq!(executed.executed.len(), 0, "{executed:?}");
}

#[test]
fn a_folder_of_documents_alone_has_no_sources() {
    let sources = Sources {
        folder: tempfile::tempdir().expect("a temporary folder"),
    };
    sources.write("api.yaml", "openapi: 3.0.0\n");
    let host = sources.host();
    assert!(!host.has_sources());
    assert_eq!(documents(&host), named(&[("api.yaml", "openapi: 3.0.0\n")]));
}
