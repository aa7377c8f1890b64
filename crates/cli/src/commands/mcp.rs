//! `scent mcp`: tools for the coding agent that starts it.

use super::lent::{Lent, folders_of_environment};
use crate::Outcome;
use crate::args::{GlobalArgs, McpArgs};
use crate::config::Config;
use crate::patience::Patience;
use scent_serve::{Launch, McpOptions, serve_stdio};
use std::sync::Arc;

pub(crate) fn run(args: McpArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let Patience(patience) = match args.patience.patience {
        Some(patience) => patience,
        None => Config::load(None, flags)?.patience()?,
    };
    let options = McpOptions {
        launch: Launch {
            roots: args.root,
            environment: folders_of_environment(),
            folder: std::env::current_dir().ok(),
            allowed: args.allow,
        },
        patience,
    };
    if let Some(address) = args.http {
        return super::serve::run_mcp(address, options, flags);
    }
    serve_stdio(Arc::new(Lent::new(flags)), options)?;
    Ok(Outcome::Found)
}
