//! A server from its start to its end.

use super::access::Access;
use super::app::{App, Settings};
use super::guard::LONGEST_MESSAGE;
use super::metrics::Metrics;
use super::roots::{Root, Roots, ids};
use super::routes;
use super::server::{Listen, bind, serve};
use super::state::RunningServer;
use super::token::Token;
use super::work::Pool;
use crate::host::Host;
use crate::mcp::{McpOptions, mcp_service};
use crate::updater::{Embedder, Updater};
use scent_engine::{Project, catch_interrupts, interrupted};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::{broadcast, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// So many events wait for a client that reads slowly.
const EVENTS: usize = 256;

/// Threads that may block are for work, and for MCP.
const MOST_THREADS: usize = 64;

/// Looking for changes may index for so long at most: an answer has to come
/// before its time is over.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often to look whether a signal came.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// An index that nobody asked for so long is closed, and how often to look.
const IDLE: Duration = Duration::from_secs(300);
const LOOK_FOR_IDLE: Duration = Duration::from_secs(30);

/// What is under way when the server stops may take so long to end.
const LAST_WORK: Duration = Duration::from_millis(200);

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct HttpOptions {
    /// The folders to serve, with the projects that are linked to them.
    pub paths: Vec<PathBuf>,
    /// Where to listen.
    pub listen: Listen,
    /// The file with the token, which is made if need be; none for no token.
    pub token_file: Option<PathBuf>,
    /// Further names of this server, as of a proxy in front of it.
    pub hosts: Vec<String>,
    /// Pages of other servers that may ask.
    pub origins: Vec<String>,
    /// Files that hold keys and passwords may be shown.
    pub show_secrets: bool,
    /// What queries say may be logged.
    pub log_queries: bool,
    /// How long looking for changes may index; none without an end.
    pub patience: Option<Duration>,
    /// Answer the Model Context Protocol and nothing else.
    pub only_mcp: bool,
    /// How MCP is answered.
    pub mcp: McpOptions,
    /// The folder in which servers leave word that they run.
    pub state: PathBuf,
    /// Folders that no answer names.
    pub private: Vec<PathBuf>,
}

/// A server that has begun to listen.
#[derive(Clone, Debug)]
pub struct Started {
    /// Where it listens.
    pub address: SocketAddr,
    /// The address to open, with the token if there is one.
    pub url: String,
    /// The folders that it serves, each with its id.
    pub roots: Vec<(String, PathBuf)>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Answers over HTTP until it is stopped, by a signal or by who has the key.
pub fn serve_http(
    host: Arc<dyn Host>,
    options: HttpOptions,
    started: impl FnOnce(&Started) + Send,
) -> io::Result<()> {
    if options.listen.is_open() && options.token_file.is_none() {
        return Err(io::Error::other(
            "other machines could ask without a token; leave out --no-token, or --listen",
        ));
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(MOST_THREADS)
        .enable_all()
        .build()?;
    let served = runtime.block_on(run(host, options, started));
    // A commit is whole or not there, so nothing is lost where work is left.
    runtime.shutdown_timeout(LAST_WORK);
    served
}

async fn run(
    host: Arc<dyn Host>,
    options: HttpOptions,
    started: impl FnOnce(&Started) + Send,
) -> io::Result<()> {
    let token = options
        .token_file
        .as_deref()
        .map(Token::in_file)
        .transpose()?;
    let listeners = bind(&options.listen).await?;
    let mut bound = Vec::new();
    for listener in &listeners {
        bound.push(listener.local_addr()?);
    }
    let (app, mut notes) = app(host.as_ref(), &options, &bound, token.clone())?;
    notes.dedup();
    let mcp = mcp_service(host, options.mcp.clone(), LONGEST_MESSAGE);
    let router = routes(&app, Some(mcp), !options.only_mcp);
    let address = bound[0];
    let roots: Vec<(String, PathBuf)> = app
        .roots
        .all()
        .iter()
        .map(|root| (root.id.clone(), root.path().to_owned()))
        .collect();
    let paths = roots.iter().map(|(_, path)| path.clone()).collect();
    let key = app.settings.stop_key.clone();
    let key = key.ok_or_else(|| io::Error::other("no key"))?;
    let running = RunningServer::new(&options.state, address, paths, options.token_file, &key);
    running.write()?;
    tokio::spawn(stop_on_signals(Arc::clone(&app)));
    tokio::spawn(close_idle(Arc::clone(&app)));
    started(&Started {
        address,
        url: url(address, token.as_ref()),
        roots,
        notes,
    });
    serve(Arc::clone(&app), router, listeners).await;
    app.embedder.stop();
    app.roots.all().iter().for_each(|root| root.updater.stop());
    running.remove();
    Ok(())
}

fn url(address: SocketAddr, token: Option<&Token>) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() || ip.is_loopback() => "localhost".to_owned(),
        std::net::IpAddr::V4(ip) => ip.to_string(),
        std::net::IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let token = token.map_or_else(String::new, |token| format!("?token={}", token.reveal()));
    format!("http://{host}:{}/{token}", address.port())
}

/// What requests share, and what the user should know of the folders.
fn app(
    host: &dyn Host,
    options: &HttpOptions,
    bound: &[SocketAddr],
    token: Option<Token>,
) -> io::Result<(Arc<App>, Vec<String>)> {
    let (events, _) = broadcast::channel(EVENTS);
    let (stop, _) = watch::channel(false);
    let embedder = Embedder::start();
    let (roots, notes) = roots(host, options, &events, &embedder)?;
    let mut run = [0; 8];
    getrandom::fill(&mut run).map_err(|error| io::Error::other(error.to_string()))?;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let app = App {
        access: Access::new(bound, &options.hosts, &options.origins, token),
        roots: Arc::new(roots),
        pool: Pool::new(cores),
        metrics: Metrics::default(),
        embedder,
        events,
        listeners: Arc::default(),
        stop,
        run: u64::from_le_bytes(run),
        settings: Settings {
            show_secrets: options.show_secrets,
            patience: Some(options.patience.map_or(PATIENCE, |p| p.min(PATIENCE))),
            log_queries: options.log_queries,
            stop_key: Some(Token::random()?),
        },
    };
    Ok((Arc::new(app), notes))
}

/// The folders with the projects that are linked to them, each once, and a
/// thread for each that keeps it up to date.
fn roots(
    host: &dyn Host,
    options: &HttpOptions,
    events: &broadcast::Sender<crate::updater::Happened>,
    embedder: &Embedder,
) -> io::Result<(Roots, Vec<String>)> {
    let mut all: Vec<crate::host::Opened> = Vec::new();
    let mut notes = Vec::new();
    for path in options.paths.iter().filter(|_| !options.only_mcp) {
        let opened = host
            .open(path)
            .map_err(|error| io::Error::other(error.to_string()))?;
        notes.extend(opened.notes.iter().cloned());
        let linked = opened.linked.clone();
        for project in [opened.project.clone()].into_iter().chain(linked) {
            let is_known = |known: &crate::host::Opened| known.project.root() == project.root();
            if !all.iter().any(is_known) {
                all.push(crate::host::Opened {
                    project,
                    linked: Vec::new(),
                    ..opened.clone()
                });
            }
        }
    }
    let paths: Vec<PathBuf> = all
        .iter()
        .map(|one| one.project.root().to_owned())
        .collect();
    let mut roots = Vec::new();
    for (id, opened) in ids(&paths).into_iter().zip(all) {
        let project: Project = opened.project.clone();
        let updater = Updater::start(id.clone(), project, events.clone(), embedder);
        roots.push(Root::new(id, opened, updater));
    }
    Ok((Roots::new(roots, &options.private), notes))
}

/// Closes the indexes that nobody asks, so that a server may have many.
async fn close_idle(app: Arc<App>) {
    loop {
        sleep(LOOK_FOR_IDLE).await;
        let app = Arc::clone(&app);
        let close = move || {
            app.roots
                .all()
                .iter()
                .for_each(|root| root.rest_after(IDLE))
        };
        // Unmapping many files takes a while.
        let _ = spawn_blocking(close).await;
    }
}

/// Stops at the first signal; a second one ends the process as it always does.
async fn stop_on_signals(app: Arc<App>) {
    catch_interrupts();
    while interrupted().is_none() {
        sleep(LOOK_EVERY).await;
    }
    app.stop.send_replace(true);
}
