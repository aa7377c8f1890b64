//! What all requests share.

use super::access::Access;
use super::metrics::Metrics;
use super::problem::Problem;
use super::roots::Roots;
use super::work::Pool;
use crate::updater::{Embedder, Happened};
use axum::http::StatusCode;
use scent_engine::EngineError;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use tokio::sync::{broadcast, watch};

/// What all requests share.
pub(crate) struct App {
    pub access: Access,
    pub roots: Arc<Roots>,
    pub pool: Pool,
    pub metrics: Metrics,
    pub embedder: Embedder,
    pub events: broadcast::Sender<Happened>,
    /// How many clients listen to events.
    pub listeners: Arc<AtomicUsize>,
    /// True once the server is to stop.
    pub stop: watch::Sender<bool>,
    /// Another one for each start: generations of another run are others.
    pub run: u64,
    pub settings: Settings,
}

/// How the server was started, as far as requests need it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Files that hold keys and passwords may be shown.
    pub show_secrets: bool,
    /// How long looking for changes may index; none without an end.
    pub patience: Option<Duration>,
    /// What queries say may be logged.
    pub log_queries: bool,
    /// What stops the server, where somebody says it.
    pub stop_key: Option<super::token::Token>,
}

impl App {
    /// What went wrong in the engine, without whole paths. What is a fault of
    /// ours is said in the log alone.
    pub fn failed(&self, error: &EngineError) -> Problem {
        let problem = Problem::of_engine(error);
        if problem.status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::error!(code = error.code(), error = %error, "the engine failed");
        }
        // An index that is gone or damaged is made again by who updates it.
        if problem.status.is_server_error() && problem.code != "deadline-exceeded" {
            self.roots.all().iter().for_each(|root| root.updater.walk());
        }
        Problem {
            detail: self.roots.without_paths(&problem.detail),
            ..problem
        }
    }
}
