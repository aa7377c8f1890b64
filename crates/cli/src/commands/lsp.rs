//! `scent lsp`: symbols, definitions and references for the editor that starts
//! it.

use super::lent::Lent;
use crate::Outcome;
use crate::args::{GlobalArgs, LspArgs};
use crate::config::Config;
use crate::patience::Patience;
use scent_serve::serve_lsp;
use std::sync::Arc;

pub(crate) fn run(args: &LspArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let Patience(patience) = match args.patience.patience {
        Some(patience) => patience,
        None => Config::load(None, flags)?.patience()?,
    };
    serve_lsp(Arc::new(Lent::new(flags)), patience)?;
    Ok(Outcome::Found)
}
