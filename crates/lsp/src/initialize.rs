//! `initialize`: what is served, and what the client's words settle.

use std::path::PathBuf;

use lsp_types::{
    CallHierarchyProvider, DeclarationProvider, DefinitionProvider, DocumentHighlightProvider,
    DocumentSymbolProvider, ExecuteCommandOptions, HoverProvider, ImplementationProvider,
    InitializeResult, PositionEncodingKind, ReferencesProvider, Save, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentSync, TextDocumentSyncKind,
    TextDocumentSyncOptions, TypeHierarchyProvider, WorkspaceFoldersServerCapabilities,
    WorkspaceOptions, WorkspaceSymbolProvider,
};
use serde_json::Value;

use crate::requests::COMMANDS;
use crate::{NegotiatedCapabilities, uri};

/// The whole result of `initialize` for its params, and what it decides: a pure function. What a
/// client says in another form than the protocol's counts as not said.
pub fn initialize(params: &Value) -> (Value, NegotiatedCapabilities) {
    let decided = decide(params);
    let encoding = match decided.encoding.as_str() {
        "utf-8" => PositionEncodingKind::UTF8,
        "utf-32" => PositionEncodingKind::UTF32,
        _ => PositionEncodingKind::UTF16,
    };
    let result = InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(encoding),
            text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(Save::SaveOptions(SaveOptions {
                    include_text: Some(false),
                })),
                ..TextDocumentSyncOptions::default()
            })),
            hover_provider: Some(HoverProvider::Bool(true)),
            declaration_provider: Some(DeclarationProvider::Bool(true)),
            definition_provider: Some(DefinitionProvider::Bool(true)),
            implementation_provider: Some(ImplementationProvider::Bool(true)),
            references_provider: Some(ReferencesProvider::Bool(true)),
            document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
            document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
            workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: COMMANDS.map(str::to_owned).to_vec(),
                ..ExecuteCommandOptions::default()
            }),
            call_hierarchy_provider: Some(CallHierarchyProvider::Bool(true)),
            type_hierarchy_provider: Some(TypeHierarchyProvider::Bool(true)),
            workspace: Some(WorkspaceOptions {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(false),
                    change_notifications: None,
                }),
                ..WorkspaceOptions::default()
            }),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "codeweft".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    // Texts, numbers and lists: nothing that has no JSON.
    (serde_json::to_value(result).unwrap_or_default(), decided)
}

fn decide(params: &Value) -> NegotiatedCapabilities {
    let says = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool) == Some(true);
    let offered = words(params, "/capabilities/general/positionEncodings");
    let encoding = ["utf-8", "utf-32", "utf-16"]
        .into_iter()
        .find(|encoding| offered.contains(encoding))
        .unwrap_or("utf-16");
    let formats = words(params, "/capabilities/textDocument/hover/contentFormat");
    NegotiatedCapabilities {
        encoding: encoding.to_owned(),
        watches: says("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
        progress: says("/capabilities/window/workDoneProgress"),
        outline: says(
            "/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
        ),
        // The client's first format is the one that it likes best (LSP, `HoverClientCapabilities`).
        markdown: formats
            .into_iter()
            .find(|format| ["markdown", "plaintext"].contains(format))
            == Some("markdown"),
    }
}

fn words<'a>(params: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = params.pointer(pointer).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// The folder that `initialize` names as root, absolute and normalised: the first workspace
/// folder's, else `rootUri`, else `rootPath`; `None` where it names none on disk.
pub fn root_of(params: &Value) -> Option<PathBuf> {
    let folders = params.get("workspaceFolders").and_then(Value::as_array);
    let mut uris = folders
        .into_iter()
        .flatten()
        .filter_map(|folder| folder.get("uri"))
        .chain(params.get("rootUri"))
        .filter_map(Value::as_str);
    uris.find_map(uri::path).map(PathBuf::from).or_else(|| {
        let path = PathBuf::from(params.get("rootPath")?.as_str()?);
        path.is_absolute().then_some(path)
    })
}

/// What the client is called, for people.
pub(crate) fn client_name(params: &Value) -> &str {
    let name = params.pointer("/clientInfo/name").and_then(Value::as_str);
    name.unwrap_or("editor")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn decides(capabilities: Value, expected: Expect) {
        let (_, decided) = initialize(&json!({"capabilities": capabilities}));
        expected.assert_debug_eq(&decided);
    }

    #[test]
    fn the_answer_says_what_is_served() {
        let (result, _) = initialize(&Value::Null);
        let text = serde_json::to_string_pretty(&result).unwrap();
        expect![[r#"
            {
              "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {
                  "openClose": true,
                  "change": 2,
                  "save": {
                    "includeText": false
                  }
                },
                "hoverProvider": true,
                "declarationProvider": true,
                "definitionProvider": true,
                "implementationProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
                "executeCommandProvider": {
                  "commands": [
                    "codeweft.impact",
                    "codeweft.path"
                  ]
                },
                "callHierarchyProvider": true,
                "typeHierarchyProvider": true,
                "workspace": {
                  "workspaceFolders": {
                    "supported": false
                  }
                }
              },
              "serverInfo": {
                "name": "codeweft",
                "version": "0.1.0"
              }
            }"#]]
        .assert_eq(&text);
    }

    #[test]
    fn a_client_that_says_nothing() {
        decides(
            json!({}),
            expect![[r#"
            Decided {
                encoding: "utf-16",
                watches: false,
                progress: false,
                outline: false,
                markdown: false,
            }
        "#]],
        );
        assert_eq!(initialize(&Value::Null), initialize(&json!([1])));
    }

    #[test]
    fn neovim() {
        decides(
            json!({
                "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
                "textDocument": {
                    "hover": {"contentFormat": ["markdown", "plaintext"]},
                    "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}
                },
                "window": {"workDoneProgress": true},
                "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": false}}
            }),
            expect![[r#"
                Decided {
                    encoding: "utf-8",
                    watches: false,
                    progress: true,
                    outline: true,
                    markdown: true,
                }
            "#]],
        );
    }

    #[test]
    fn visual_studio_code() {
        decides(
            json!({
                "general": {"positionEncodings": ["utf-16"]},
                "textDocument": {
                    "hover": {"contentFormat": ["markdown", "plaintext"]},
                    "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}
                },
                "window": {"workDoneProgress": true},
                "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}
            }),
            expect![[r#"
                Decided {
                    encoding: "utf-16",
                    watches: true,
                    progress: true,
                    outline: true,
                    markdown: true,
                }
            "#]],
        );
    }

    #[test]
    fn a_plain_client_with_its_own_order() {
        decides(
            json!({
                "general": {"positionEncodings": ["utf-16", "utf-32"]},
                "textDocument": {"hover": {"contentFormat": ["plaintext", "markdown"]}}
            }),
            expect![[r#"
                Decided {
                    encoding: "utf-32",
                    watches: false,
                    progress: false,
                    outline: false,
                    markdown: false,
                }
            "#]],
        );
    }

    #[test]
    fn what_has_another_form_counts_as_not_said() {
        let (_, decided) = initialize(&json!({"capabilities": {
            "general": {"positionEncodings": [8, {"utf-8": true}]},
            "window": {"workDoneProgress": "yes"}
        }}));
        assert_eq!(decided.encoding, "utf-16");
        assert!(!decided.progress);
    }

    #[test]
    fn the_root_is_the_first_folders_then_the_uris_then_the_paths() {
        let root = |params: Value| root_of(&params).map(|path| path.display().to_string());
        let all = json!({
            "workspaceFolders": [
                {"uri": "git:/w", "name": "no file"}, {"uri": "file:///w/a%20b", "name": "w"}
            ],
            "rootUri": "file:///r", "rootPath": "/p"
        });
        assert_eq!(root(all).as_deref(), Some("/w/a b"));
        let null = json!({"workspaceFolders": null, "rootUri": "file:///r/", "rootPath": "/p"});
        assert_eq!(root(null).as_deref(), Some("/r"));
        assert_eq!(
            root(json!({"workspaceFolders": [], "rootUri": null, "rootPath": "/p"})).as_deref(),
            Some("/p")
        );
        assert_eq!(root(json!({"rootUri": null, "rootPath": "p"})), None);
        assert_eq!(root(json!({"rootUri": "untitled:Untitled-1"})), None);
    }
}
