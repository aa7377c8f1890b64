//! Messages of an editor: who is asked what, and how it is answered.

use super::answers::{self, Asked};
use super::place::path_of;
use crate::host::{Host, Opened};
use crate::projects::as_path;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CallHierarchyServerCapability, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, HoverProviderCapability, ImplementationProviderCapability,
    InitializeParams, OneOf, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    Uri, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use scent_engine::{Project, Refresh, Silent, canonical};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Answers an editor on standard input and output until it goes. `patience` is
/// how long a question may index first.
pub fn serve_lsp(host: Arc<dyn Host>, patience: Option<Duration>) -> io::Result<()> {
    let (connection, threads) = Connection::stdio();
    let (id, params) = match connection.initialize_start() {
        Ok(started) => started,
        // Nobody said anything, which is no mistake of ours.
        Err(error) if error.channel_is_disconnected() => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    let params: InitializeParams = serde_json::from_value(params).map_err(io::Error::other)?;
    let about = json!({
        "capabilities": capabilities(),
        "serverInfo": {"name": "scent", "version": env!("CARGO_PKG_VERSION")},
    });
    connection
        .initialize_finish(id, about)
        .map_err(io::Error::other)?;
    let mut server = Server {
        host,
        folders: folders(&params),
        open: Vec::new(),
        texts: HashMap::new(),
        patience,
    };
    server.run(&connection)?;
    drop(connection);
    threads.join()
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: None,
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

/// The folders that an editor has open; where it says none, that in which it
/// started the server.
#[expect(deprecated, reason = "editors that name one folder are the older ones")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let named = params.workspace_folders.iter().flatten();
    let mut folders: Vec<PathBuf> = named.map(|folder| path_of(&folder.uri)).collect();
    if folders.is_empty() {
        folders.extend(params.root_uri.iter().map(|uri| as_path(uri.as_str())));
    }
    if folders.is_empty() {
        folders.extend(std::env::current_dir());
    }
    folders
}

struct Server {
    host: Arc<dyn Host>,
    /// Folders whose projects are not open yet.
    folders: Vec<PathBuf>,
    open: Vec<Opened>,
    /// The texts of documents that the editor has open.
    texts: HashMap<String, String>,
    patience: Option<Duration>,
}

impl Server {
    fn run(&mut self, connection: &Connection) -> io::Result<()> {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => {
                    if connection
                        .handle_shutdown(&request)
                        .map_err(io::Error::other)?
                    {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    let sent = connection.sender.send(Message::Response(response));
                    sent.map_err(io::Error::other)?;
                }
                Message::Notification(notification) => self.heed(notification),
                // Nothing is asked of the editor.
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    /// Keeps the texts of open documents.
    fn heed(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(opened) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let document = opened.text_document;
                    self.texts
                        .insert(document.uri.as_str().to_owned(), document.text);
                }
            }
            "textDocument/didChange" => {
                let changed = serde_json::from_value::<DidChangeTextDocumentParams>(params);
                if let Ok(mut changed) = changed
                    && let Some(last) = changed.content_changes.pop()
                {
                    let uri = changed.text_document.uri.as_str().to_owned();
                    self.texts.insert(uri, last.text);
                }
            }
            "textDocument/didClose" => {
                if let Ok(closed) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    self.texts.remove(closed.text_document.uri.as_str());
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = match method.as_str() {
            "textDocument/definition" => self.at(params, answers::definition),
            "textDocument/implementation" => self.at(params, answers::implementation),
            "textDocument/references" => self.at(params, answers::references),
            "textDocument/hover" => self.at(params, answers::hover),
            "textDocument/documentSymbol" => self.at(params, answers::document_symbols),
            "textDocument/prepareCallHierarchy" => self.at(params, answers::prepare_calls),
            "callHierarchy/incomingCalls" => self.at(params, answers::incoming_calls),
            "callHierarchy/outgoingCalls" => self.at(params, answers::outgoing_calls),
            "workspace/symbol" => self.symbols(params),
            other => {
                let text = format!("{other} is not answered");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, text);
            }
        };
        respond(id, answered)
    }

    /// An answer about a file of a project. What is of none has no answer.
    fn at<P: DeserializeOwned + answers::OfFile>(
        &mut self,
        params: Value,
        answer: fn(&Asked, &P) -> Result<Value, String>,
    ) -> Result<Value, Failure> {
        let params: P =
            serde_json::from_value(params).map_err(|e| Failure::Params(e.to_string()))?;
        let uri = params.file().clone();
        let path = path_of(&uri);
        let path = canonical(&path).unwrap_or(path);
        self.open_projects();
        let of_file = self.open.iter().map(|opened| &opened.project);
        let of_file = of_file.filter(|project| path.starts_with(project.root()));
        let Some(project) = of_file.max_by_key(|p| p.root().as_os_str().len()).cloned() else {
            return Ok(Value::Null);
        };
        self.refresh(&project)?;
        let asked = Asked {
            inside: inside(&path, project.root()),
            project: &project,
            text: self.texts.get(uri.as_str()).map(String::as_str),
        };
        answer(&asked, &params).map_err(Failure::Failed)
    }

    fn symbols(&mut self, params: Value) -> Result<Value, Failure> {
        let params = serde_json::from_value(params).map_err(|e| Failure::Params(e.to_string()))?;
        self.open_projects();
        let mut projects = Vec::new();
        for opened in &self.open {
            projects.push(opened.project.clone());
        }
        for project in &projects {
            self.refresh(project)?;
        }
        answers::workspace_symbols(&projects, &params).map_err(Failure::Failed)
    }

    /// Opens the projects of folders that are not open yet, with those that are
    /// linked to them. A folder that cannot be opened has no answers.
    fn open_projects(&mut self) {
        for folder in std::mem::take(&mut self.folders) {
            let Ok(opened) = self.host.open(&folder) else {
                continue;
            };
            for project in std::iter::once(&opened.project).chain(&opened.linked) {
                let is_known = |known: &Opened| known.project.root() == project.root();
                if !self.open.iter().any(is_known) {
                    self.open.push(Opened {
                        project: project.clone(),
                        linked: Vec::new(),
                        ..opened.clone()
                    });
                }
            }
        }
    }

    /// An answer is never older than the question.
    fn refresh(&self, project: &Project) -> Result<(), Failure> {
        let refresh = self.patience.map_or(Refresh::Always, Refresh::Within);
        let refreshed = project.refresh(refresh, &Silent);
        refreshed.map_err(|error| Failure::Failed(error.to_string()))?;
        if project.is_partial() || project.is_importance_stale() {
            self.host.complete_later(project);
        }
        Ok(())
    }
}

/// Why a request has no answer.
enum Failure {
    /// It is not what it should be.
    Params(String),
    Failed(String),
}

fn respond(id: RequestId, answered: Result<Value, Failure>) -> Response {
    match answered {
        Ok(value) => Response::new_ok(id, value),
        Err(Failure::Params(text)) => Response::new_err(id, ErrorCode::InvalidParams as i32, text),
        Err(Failure::Failed(text)) => Response::new_err(id, ErrorCode::RequestFailed as i32, text),
    }
}

/// A path as the index has it.
fn inside(path: &Path, root: &Path) -> String {
    scent_engine::display_path(path.strip_prefix(root).unwrap_or(path))
}

/// The address of the file that a request is about.
impl answers::OfFile for lsp_types::GotoDefinitionParams {
    fn file(&self) -> &Uri {
        &self.text_document_position_params.text_document.uri
    }
}

impl answers::OfFile for lsp_types::ReferenceParams {
    fn file(&self) -> &Uri {
        &self.text_document_position.text_document.uri
    }
}

impl answers::OfFile for lsp_types::HoverParams {
    fn file(&self) -> &Uri {
        &self.text_document_position_params.text_document.uri
    }
}

impl answers::OfFile for lsp_types::DocumentSymbolParams {
    fn file(&self) -> &Uri {
        &self.text_document.uri
    }
}

impl answers::OfFile for lsp_types::CallHierarchyPrepareParams {
    fn file(&self) -> &Uri {
        &self.text_document_position_params.text_document.uri
    }
}

impl answers::OfFile for lsp_types::CallHierarchyIncomingCallsParams {
    fn file(&self) -> &Uri {
        &self.item.uri
    }
}

impl answers::OfFile for lsp_types::CallHierarchyOutgoingCallsParams {
    fn file(&self) -> &Uri {
        &self.item.uri
    }
}
