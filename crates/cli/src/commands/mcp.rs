//! `scent mcp`: tools for the coding agent that starts it.

use super::lent::{Lent, folders_of_environment};
use crate::Outcome;
use crate::args::{GlobalArgs, McpArgs, ToolSet};
use crate::config::Config;
use crate::patience::Patience;
use anyhow::bail;
use scent_engine::was_started_again;
use scent_serve::{Launch, McpOptions, Tools, serve_stdio};
use std::sync::Arc;

pub(crate) fn run(args: McpArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    // Its client waits for what the process before it was asked.
    if was_started_again() {
        bail!("a parser crashed on a file, which is left out from now on; start the server again");
    }
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
            show_secrets: args.allow_secrets,
        },
        patience,
        tools: match args.tools {
            ToolSet::Core => Tools::Core,
            ToolSet::All => Tools::All,
        },
        structured: args.structured,
    };
    if let Some(address) = args.http {
        return super::serve::run_mcp(address, options, flags);
    }
    serve_stdio(Arc::new(Lent::new(flags)), options)?;
    Ok(Outcome::Found)
}
