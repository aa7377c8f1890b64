//! A server on standard input and output, for the one client that started it.

use super::server::{McpOptions, Server};
use crate::host::Host;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use scent_engine::parent_process;
use std::io;
use std::sync::Arc;
use std::time::Duration;
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
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MOST_AT_ONCE)
        .build()?;
    let served = runtime.block_on(serve(Server::new(host, options)));
    // A commit is whole or not there, so nothing is lost where work is left.
    runtime.shutdown_timeout(LAST_WORK);
    served
}

async fn serve(server: Server) -> io::Result<()> {
    let watched = server.clone();
    tokio::select! {
        served = talk(server) => served,
        () = orphaned(&watched) => Ok(()),
    }
}

async fn talk(server: Server) -> io::Result<()> {
    let running = match server.serve(stdio_pipes()).await {
        Ok(running) => running,
        // Nobody said anything, which is no mistake of ours.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

/// Ends when the process that started this one is gone: whoever kills an agent
/// need not close its pipes. Closes what nobody uses meanwhile.
async fn orphaned(server: &Server) {
    let parent = parent_process();
    while parent_process() == parent {
        sleep(LOOK_EVERY).await;
        server.projects().close_idle();
    }
}
