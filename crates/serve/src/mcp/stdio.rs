//! A server on standard input and output, for the one client that started it.

use super::server::{McpOptions, Server};
use crate::host::Host;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use scent_engine::{keep_standard_output, parent_process};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Builder;
use tokio::time::sleep;

/// More calls than this wait for each other.
const MOST_AT_ONCE: usize = 16;

/// How often to look whether whoever started the server still runs.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What is under way when the client goes may take so long to end.
const LAST_WORK: Duration = Duration::from_millis(200);

/// Answers a client on standard input and output until it closes them, or ends.
pub fn serve_stdio(host: Arc<dyn Host>, options: McpOptions) -> io::Result<()> {
    let parent = parent_process();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MOST_AT_ONCE)
        .build()?;
    let served = runtime.block_on(serve(Server::new(host, options), parent));
    // A commit is whole or not there, so nothing is lost where work is left.
    runtime.shutdown_timeout(LAST_WORK);
    served
}

async fn serve(server: Server, parent: u32) -> io::Result<()> {
    let watched = server.clone();
    tokio::select! {
        served = talk(server) => served,
        () = orphaned(&watched, parent) => Ok(()),
    }
}

async fn talk(server: Server) -> io::Result<()> {
    let running = match server.serve(standard_streams()?).await {
        Ok(running) => running,
        // Nobody said anything, which is no mistake of ours.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// Standard input and output, of which nothing but the protocol may write to the
/// latter: what else does, as some library may, is seen in standard error.
fn standard_streams() -> io::Result<(Reader, Writer)> {
    let are_pipes = are_pipes();
    // What speaks to pipes has descriptors of its own.
    let (reader, writer) = stdio_pipes();
    let kept = keep_standard_output()?;
    let writer: Writer = match kept.filter(|_| !are_pipes) {
        Some(kept) => Box::new(tokio::fs::File::from_std(kept)),
        None => Box::new(writer),
    };
    Ok((Box::new(reader), writer))
}

/// Whether [`stdio_pipes`] opens the streams once more for itself, which it does
/// where both are pipes that have a name in `/proc`.
fn are_pipes() -> bool {
    ["/proc/self/fd/0", "/proc/self/fd/1"].iter().all(|path| {
        let target = std::fs::read_link(path);
        target.is_ok_and(|target| target.to_string_lossy().starts_with("pipe:"))
    })
}

/// Ends when the process that started this one is gone: whoever kills an agent
/// need not close its pipes. Closes what nobody uses meanwhile.
async fn orphaned(server: &Server, parent: u32) {
    while parent_process() == parent {
        sleep(LOOK_EVERY).await;
        server.projects().close_idle();
    }
}
