//! `initialize`: the server's capabilities, and what the client's capabilities negotiate.
//!
//! Both are pure functions of the params, so that the proxy can answer before a server is found.

use std::path::PathBuf;

use lsp_types::{
    CallHierarchyProvider, ChangeNotifications, DeclarationProvider, DefinitionProvider,
    DocumentHighlightProvider, DocumentSymbolProvider, ExecuteCommandOptions, HoverProvider,
    ImplementationProvider, InitializeResult, PositionEncodingKind, ReferencesProvider, Save,
    SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSync, TextDocumentSyncKind,
    TextDocumentSyncOptions, TypeDefinitionProvider, TypeHierarchyProvider,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions, WorkspaceSymbolProvider,
};
use serde_json::Value;

use crate::requests::COMMANDS;
use crate::{NegotiatedCapabilities, uri};

/// Returns the result of `initialize` for these params, and the negotiated capabilities. A
/// capability that does not have the protocol's JSON form counts as absent.
pub fn initialize(params: &Value) -> (Value, NegotiatedCapabilities) {
    let capabilities = negotiate(params);
    let encoding = match capabilities.encoding.as_str() {
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
            type_definition_provider: Some(TypeDefinitionProvider::Bool(true)),
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
                    supported: Some(true),
                    change_notifications: Some(ChangeNotifications::Bool(true)),
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
    // Strings, numbers and lists only: serialization cannot fail.
    (
        serde_json::to_value(result).unwrap_or_default(),
        capabilities,
    )
}

fn negotiate(params: &Value) -> NegotiatedCapabilities {
    let says = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool) == Some(true);
    let offered = strings(params, "/capabilities/general/positionEncodings");
    let encoding = ["utf-8", "utf-32", "utf-16"]
        .into_iter()
        .find(|encoding| offered.contains(encoding))
        .unwrap_or("utf-16");
    let formats = strings(params, "/capabilities/textDocument/hover/contentFormat");
    NegotiatedCapabilities {
        encoding: encoding.to_owned(),
        watches: says("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
        progress: says("/capabilities/window/workDoneProgress"),
        outline: says(
            "/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
        ),
        // The first format in the client's list is its preferred one (LSP,
        // `HoverClientCapabilities`).
        markdown: formats
            .into_iter()
            .find(|format| ["markdown", "plaintext"].contains(format))
            == Some("markdown"),
    }
}

fn strings<'a>(params: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = params.pointer(pointer).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Returns the folders that `initialize` names, absolute and normalised: the workspace folders, else
/// `rootUri`, else `rootPath`. URIs that are no path of this machine are skipped.
pub fn folders_of(params: &Value) -> Vec<PathBuf> {
    let path = |uri: &Value| uri::path(uri.as_str()?).map(PathBuf::from);
    let folders = params.get("workspaceFolders").and_then(Value::as_array);
    let folders = folders.into_iter().flatten();
    let folders: Vec<PathBuf> = folders
        .filter_map(|folder| path(folder.get("uri")?))
        .collect();
    if !folders.is_empty() {
        return folders;
    }
    let root = params.get("rootUri").and_then(path).or_else(|| {
        let path = PathBuf::from(params.get("rootPath")?.as_str()?);
        path.is_absolute().then_some(path)
    });
    root.into_iter().collect()
}

/// Returns the client's name, for display.
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
        let (_, capabilities) = initialize(&json!({"capabilities": capabilities}));
        expected.assert_debug_eq(&capabilities);
    }

    #[test]
    fn initialize_lists_the_capabilities_of_the_server() {
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
                "typeDefinitionProvider": true,
                "implementationProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
                "executeCommandProvider": {
                  "commands": [
                    "codeweft.impact",
                    "codeweft.path",
                    "codeweft.bundle"
                  ]
                },
                "callHierarchyProvider": true,
                "typeHierarchyProvider": true,
                "workspace": {
                  "workspaceFolders": {
                    "supported": true,
                    "changeNotifications": true
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
    fn a_client_without_capabilities_gets_the_defaults() {
        decides(
            json!({}),
            expect![[r#"
            NegotiatedCapabilities {
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
    fn the_capabilities_of_neovim() {
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
                NegotiatedCapabilities {
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
    fn the_capabilities_of_visual_studio_code() {
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
                NegotiatedCapabilities {
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
    fn the_first_encoding_and_format_in_the_clients_order_win() {
        decides(
            json!({
                "general": {"positionEncodings": ["utf-16", "utf-32"]},
                "textDocument": {"hover": {"contentFormat": ["plaintext", "markdown"]}}
            }),
            expect![[r#"
                NegotiatedCapabilities {
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
    fn a_capability_of_the_wrong_json_type_counts_as_absent() {
        let (_, capabilities) = initialize(&json!({"capabilities": {
            "general": {"positionEncodings": [8, {"utf-8": true}]},
            "window": {"workDoneProgress": "yes"}
        }}));
        assert_eq!(capabilities.encoding, "utf-16");
        assert!(!capabilities.progress);
    }

    #[test]
    fn the_folders_are_the_workspace_folders_then_root_uri_then_root_path() {
        let folders = |params: Value| -> Vec<String> {
            let folders = folders_of(&params).into_iter();
            folders.map(|path| path.display().to_string()).collect()
        };
        let all = json!({
            "workspaceFolders": [
                {"uri": "git:/w", "name": "no file"}, {"uri": "file:///w/a%20b", "name": "w"},
                {"uri": "file:///v/", "name": "v"}
            ],
            "rootUri": "file:///r", "rootPath": "/p"
        });
        assert_eq!(folders(all), ["/w/a b", "/v"]);
        let null = json!({"workspaceFolders": null, "rootUri": "file:///r/", "rootPath": "/p"});
        assert_eq!(folders(null), ["/r"]);
        let path = json!({"workspaceFolders": [], "rootUri": null, "rootPath": "/p"});
        assert_eq!(folders(path), ["/p"]);
        assert_eq!(folders(json!({"rootUri": null, "rootPath": "p"})), [""; 0]);
        assert_eq!(folders(json!({"rootUri": "untitled:Untitled-1"})), [""; 0]);
    }
}
