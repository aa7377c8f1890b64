//! Files for the system: shell completions and the manual.

use crate::Outcome;
use crate::args::{Cli, GlobalArgs, ManArgs};
use crate::help::{self, Section};
use crate::output::{note, print};
use anyhow::{Context, bail};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use scent_print::count;
use std::fs;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "scent", &mut text);
    print(String::from_utf8(text)?)?;
    Ok(Outcome::Found)
}

pub(crate) fn man(args: ManArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let pages = pages();
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for page in &pages {
            let file = folder.join(format!("{}.1", page.name));
            let text = page.render()?;
            fs::write(&file, text).with_context(|| file.display().to_string())?;
        }
        let written = count(pages.len(), "page");
        note(flags, &format!("wrote {written} to {}", folder.display()));
        return Ok(Outcome::Found);
    }
    let name = ["scent".to_owned(), args.command.join("-")].join("-");
    let name = name.trim_end_matches('-');
    let Some(page) = pages.iter().find(|page| page.name == name) else {
        let command = args.command.join(" ");
        bail!("{command}: no such command; `scent --help` lists the commands");
    };
    print(String::from_utf8(page.render()?)?)?;
    Ok(Outcome::Found)
}

/// The manual page of a command.
struct Page {
    /// As in `scent-model-use`.
    name: String,
    command: Command,
    see_also: Vec<String>,
}

/// The pages of the program and all its commands.
fn pages() -> Vec<Page> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = Vec::new();
    add_pages("scent", &root, &mut pages);
    pages
}

fn add_pages(name: &str, command: &Command, pages: &mut Vec<Page>) {
    let mut see_also = Vec::new();
    if name != "scent" {
        see_also.push("scent".to_owned());
    }
    let position = pages.len();
    for inner in command.get_subcommands() {
        if !inner.is_hide_set() {
            let inner_name = format!("{name}-{}", inner.get_name());
            add_pages(&inner_name, inner, pages);
            see_also.push(inner_name);
        }
    }
    let page = Page {
        name: name.to_owned(),
        command: command.clone(),
        see_also,
    };
    pages.insert(position, page);
}

impl Page {
    fn render(&self) -> anyhow::Result<Vec<u8>> {
        let usage = self.command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").to_owned();
        let man = Man::new(self.command.clone().override_usage(usage)).title(&self.name);
        let version = concat!("scent ", env!("CARGO_PKG_VERSION"));
        let man = man.source(version).manual("scent manual");
        let mut page = Vec::new();
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
        if self.command.has_subcommands() {
            man.render_subcommands_section(&mut page)?;
        }
        let words = self.name.replace('-', " ");
        let command = words.strip_prefix("scent ").unwrap_or(&words);
        for section in help::sections(command) {
            render_section(&section).to_writer(&mut page)?;
        }
        self.render_see_also().to_writer(&mut page)?;
        Ok(page)
    }

    fn render_see_also(&self) -> Roff {
        let mut roff = Roff::new();
        roff.control("SH", ["SEE ALSO"]);
        for (nth, name) in self.see_also.iter().enumerate() {
            let is_last = nth + 1 == self.see_also.len();
            let end = if is_last { "(1)" } else { "(1)," };
            roff.text([bold(name), roman(end)]);
        }
        roff
    }
}

fn render_section(section: &Section) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [section.title.to_uppercase().as_str()]);
    for (term, about) in &section.rows {
        // A row without a term goes on with the one before it.
        if !term.is_empty() {
            roff.control("TP", []);
            roff.text([bold(term)]);
        }
        roff.text([roman(*about)]);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::pages;
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// The pages that a page refers to, as in `scent\-refs(1)`.
    fn references(page: &str) -> BTreeSet<String> {
        let plain = page.replace("\\-", "-");
        let plain = plain.replace("\\fB", "").replace("\\fR", "");
        let before = plain.split("(1)").map(|text| {
            let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '-');
            text[start.map_or(0, |at| at + 1)..].to_owned()
        });
        let mut names: Vec<String> = before.collect();
        names.pop();
        names.into_iter().collect()
    }

    #[test]
    fn every_page_that_the_manual_refers_to_exists() {
        let pages = pages();
        let names: BTreeSet<String> = pages.iter().map(|page| page.name.clone()).collect();
        let mut referred = BTreeSet::new();
        for page in &pages {
            let text = String::from_utf8(page.render().unwrap()).unwrap();
            referred.extend(references(&text));
        }
        assert_eq!(referred, names);
        assert!(names.contains("scent-callpath") && !names.contains("scent-path"));
    }

    #[test]
    fn every_page_renders_without_a_warning() {
        for page in pages() {
            let mut groff = Command::new("groff");
            groff.args(["-man", "-Tascii", "-ww", "-P-cbou"]);
            groff.stdin(Stdio::piped());
            groff.stdout(Stdio::piped()).stderr(Stdio::piped());
            // Not every system has groff.
            let Ok(mut groff) = groff.spawn() else { return };
            let mut input = groff.stdin.take().unwrap();
            input.write_all(&page.render().unwrap()).unwrap();
            drop(input);
            let output = groff.wait_with_output().unwrap();
            let warnings = String::from_utf8_lossy(&output.stderr);
            assert_eq!(warnings, "", "{}", page.name);
            let text = String::from_utf8_lossy(&output.stdout);
            for title in ["SYNOPSIS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"] {
                assert!(text.contains(title), "{}: {title}", page.name);
            }
        }
    }
}
