//! Files for the system: shell completions and the manual page.

use crate::Outcome;
use crate::args::Cli;
use crate::output::print;
use clap::CommandFactory;
use clap_complete::Shell;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "scent", &mut text);
    print(String::from_utf8(text)?)?;
    Ok(Outcome::Found)
}

pub(crate) fn man_page() -> anyhow::Result<Outcome> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    print(String::from_utf8(page)?)?;
    Ok(Outcome::Found)
}
