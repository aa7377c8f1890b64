//! Messages of an editor: who is asked what, and how it is answered.

use super::answers::{self, Asked};
use super::place::path_of;
use crate::host::Host;
use crate::projects::as_path;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CallHierarchyServerCapability, CancelParams, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, HoverProviderCapability,
    ImplementationProviderCapability, InitializeParams, NumberOrString, OneOf, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use scent_engine::{Progress, Project, Refresh, Stage, canonical};
use scent_types::Deadline;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// So many requests are answered at once at most.
const MOST_THREADS: usize = 4;

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
    let projects = Projects {
        folders: folders(&params),
        open: Vec::new(),
    };
    let answering = Answering {
        host,
        projects: Mutex::new(projects),
        refreshing: Mutex::default(),
        patience,
    };
    let mut server = Server {
        answering: Arc::new(answering),
        texts: Texts::new(),
        waiting: Waiting::default(),
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

/// What waits to be answered.
struct Job {
    request: Request,
    /// The texts of documents as they were when it came.
    texts: Texts,
    /// Set where the editor does not want the answer any more.
    cancelled: Arc<AtomicBool>,
}

/// The texts of the documents that the editor has open, by their addresses.
type Texts = HashMap<String, Arc<str>>;

/// The requests that are not answered yet, by their ids.
type Waiting = Arc<Mutex<HashMap<RequestId, Arc<AtomicBool>>>>;

/// What reads messages. Requests are answered on other threads, so that one can
/// be cancelled, and none waits for a slow one.
struct Server {
    answering: Arc<Answering>,
    texts: Texts,
    waiting: Waiting,
}

impl Server {
    fn run(&mut self, connection: &Connection) -> io::Result<()> {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let cores = thread::available_parallelism().map_or(1, |n| n.get());
        let mut threads = Vec::new();
        for _ in 0..cores.clamp(2, MOST_THREADS) {
            let answering = Arc::clone(&self.answering);
            let (queue, waiting) = (Arc::clone(&queue), Arc::clone(&self.waiting));
            let sender = connection.sender.clone();
            threads.push(thread::spawn(move || {
                while let Some(job) = next(&queue) {
                    let response = answering.answer(&job);
                    // What was cancelled has its answer.
                    if lock(&waiting).remove(&response.id).is_some() {
                        // Nobody may be left to read it.
                        let _ = sender.send(Message::Response(response));
                    }
                }
            }));
        }
        let ended = self.read(connection, &jobs);
        // Nobody waits for what is under way.
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        waiting.values().for_each(cancel);
        drop(jobs);
        threads.into_iter().for_each(|thread| {
            let _ = thread.join();
        });
        ended
    }

    /// Reads messages until the editor is done.
    fn read(&mut self, connection: &Connection, jobs: &Sender<Job>) -> io::Result<()> {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => {
                    let is_over = connection.handle_shutdown(&request);
                    if is_over.map_err(io::Error::other)? {
                        return Ok(());
                    }
                    let cancelled = Arc::<AtomicBool>::default();
                    lock(&self.waiting).insert(request.id.clone(), Arc::clone(&cancelled));
                    let job = Job {
                        request,
                        texts: self.texts.clone(),
                        cancelled,
                    };
                    jobs.send(job).map_err(io::Error::other)?;
                }
                Message::Notification(notification) => {
                    if let Some(id) = self.heed(notification) {
                        let cancelled = respond(id, Err(Failure::Cancelled));
                        let sent = connection.sender.send(Message::Response(cancelled));
                        sent.map_err(io::Error::other)?;
                    }
                }
                // Nothing is asked of the editor.
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    /// Keeps the texts of open documents. Gives the request that was waiting for
    /// its answer and is cancelled.
    fn heed(&mut self, notification: Notification) -> Option<RequestId> {
        let Notification { method, params } = notification;
        match method.as_str() {
            "$/cancelRequest" => {
                let params = serde_json::from_value::<CancelParams>(params).ok()?;
                let id = match params.id {
                    NumberOrString::Number(number) => RequestId::from(number),
                    NumberOrString::String(text) => RequestId::from(text),
                };
                cancel(&lock(&self.waiting).remove(&id)?);
                return Some(id);
            }
            "textDocument/didOpen" => {
                if let Ok(opened) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let document = opened.text_document;
                    let uri = document.uri.as_str().to_owned();
                    self.texts.insert(uri, document.text.into());
                }
            }
            "textDocument/didChange" => {
                let changed = serde_json::from_value::<DidChangeTextDocumentParams>(params);
                if let Ok(mut changed) = changed
                    && let Some(last) = changed.content_changes.pop()
                {
                    let uri = changed.text_document.uri.as_str().to_owned();
                    self.texts.insert(uri, last.text.into());
                }
            }
            "textDocument/didClose" => {
                if let Ok(closed) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    self.texts.remove(closed.text_document.uri.as_str());
                }
            }
            _ => {}
        }
        None
    }
}

/// Whose projects answer.
struct Answering {
    host: Arc<dyn Host>,
    projects: Mutex<Projects>,
    /// Held by who looks for changes: one that waited for another's update only
    /// so long would be answered from before it.
    refreshing: Mutex<()>,
    patience: Option<Duration>,
}

struct Projects {
    /// Folders whose projects are not open yet.
    folders: Vec<PathBuf>,
    open: Vec<Project>,
}

impl Answering {
    fn answer(&self, job: &Job) -> Response {
        let id = job.request.id.clone();
        let params = job.request.params.clone();
        let answered = match job.request.method.as_str() {
            _ if job.is_cancelled() => Err(Failure::Cancelled),
            "textDocument/definition" => self.at(job, params, answers::definition),
            "textDocument/implementation" => self.at(job, params, answers::implementation),
            "textDocument/references" => self.at(job, params, answers::references),
            "textDocument/hover" => self.at(job, params, answers::hover),
            "textDocument/documentSymbol" => self.at(job, params, answers::document_symbols),
            "textDocument/prepareCallHierarchy" => self.at(job, params, answers::prepare_calls),
            "callHierarchy/incomingCalls" => self.at(job, params, answers::incoming_calls),
            "callHierarchy/outgoingCalls" => self.at(job, params, answers::outgoing_calls),
            "workspace/symbol" => self.symbols(job, params),
            other => {
                let text = format!("{other} is not answered");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, text);
            }
        };
        respond(id, answered)
    }

    /// An answer about a file of a project. What is of none has no answer.
    fn at<P: DeserializeOwned + answers::OfFile>(
        &self,
        job: &Job,
        params: Value,
        answer: fn(&Asked, &P) -> Result<Value, String>,
    ) -> Result<Value, Failure> {
        let params: P =
            serde_json::from_value(params).map_err(|e| Failure::Params(e.to_string()))?;
        let uri = params.file().clone();
        let path = path_of(&uri);
        let path = canonical(&path).unwrap_or(path);
        let projects = self.projects().into_iter();
        let of_file = projects.filter(|project| path.starts_with(project.root()));
        let Some(project) = of_file.max_by_key(|p| p.root().as_os_str().len()) else {
            return Ok(Value::Null);
        };
        let project = self.refreshed(project, job)?;
        let asked = Asked {
            inside: inside(&path, project.root()),
            project: &project,
            text: job.texts.get(uri.as_str()).map(AsRef::as_ref),
        };
        answer(&asked, &params).map_err(Failure::Failed)
    }

    fn symbols(&self, job: &Job, params: Value) -> Result<Value, Failure> {
        let params = serde_json::from_value(params).map_err(|e| Failure::Params(e.to_string()))?;
        let mut projects = Vec::new();
        for project in self.projects() {
            projects.push(self.refreshed(project, job)?);
        }
        answers::workspace_symbols(&projects, &params).map_err(Failure::Failed)
    }

    /// The projects of the folders that the editor has open, with those that are
    /// linked to them. A folder that cannot be opened has no answers.
    fn projects(&self) -> Vec<Project> {
        let mut projects = lock(&self.projects);
        for folder in std::mem::take(&mut projects.folders) {
            let Ok(opened) = self.host.open(&folder) else {
                continue;
            };
            for project in std::iter::once(opened.project).chain(opened.linked) {
                let is_known = |known: &Project| known.root() == project.root();
                if !projects.open.iter().any(is_known) {
                    projects.open.push(project);
                }
            }
        }
        projects.open.clone()
    }

    /// An answer is never older than the question.
    fn refreshed(&self, project: Project, job: &Job) -> Result<Project, Failure> {
        let refresh = self.patience.map_or(Refresh::Always, Refresh::Within);
        let refreshed = {
            let _turn = lock(&self.refreshing);
            if job.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            project.refresh(refresh, job)
        };
        refreshed.map_err(|error| Failure::Failed(error.to_string()))?;
        if project.is_partial() || project.is_importance_stale() {
            self.host.complete_later(&project);
        }
        let cancelled = Arc::clone(&job.cancelled);
        Ok(project.until(Deadline::default().or_cancelled(cancelled)))
    }
}

impl Job {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Nobody is told how the work goes on, but nothing is waited for where nobody
/// waits.
impl Progress for Job {
    fn stage(&self, _: Stage) {}

    fn file(&self, _: u64) {}

    fn units(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        self.is_cancelled()
    }
}

/// The next job, once there is one; none where no more will come.
fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    lock(queue).recv().ok()
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cancel(flag: &Arc<AtomicBool>) {
    flag.store(true, Ordering::Relaxed);
}

/// Why a request has no answer.
enum Failure {
    /// It is not what it should be.
    Params(String),
    Failed(String),
    /// The editor does not want it any more.
    Cancelled,
}

fn respond(id: RequestId, answered: Result<Value, Failure>) -> Response {
    match answered {
        Ok(value) => Response::new_ok(id, value),
        Err(Failure::Params(text)) => Response::new_err(id, ErrorCode::InvalidParams as i32, text),
        Err(Failure::Failed(text)) => Response::new_err(id, ErrorCode::RequestFailed as i32, text),
        Err(Failure::Cancelled) => {
            let text = "cancelled".to_owned();
            Response::new_err(id, ErrorCode::RequestCanceled as i32, text)
        }
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
