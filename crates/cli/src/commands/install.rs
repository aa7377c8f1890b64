//! `scent install`: entries, instructions, skills and sub-agents for coding
//! agents.

use super::answers_yes;
use crate::Outcome;
use crate::agent_files::{Disk, places};
use crate::args::{GlobalArgs, InstallArgs, PartArgs};
use crate::output::{json_layout, note, print};
use anyhow::{Context, bail};
use scent_agents::{
    Agent, FileChange, Level, Options, Part, Places, Plan, Refused, agent, agents, plan, snippets,
};
use scent_engine::{canonical, display_path, is_risky};
use scent_print::{Text, agents_text, changes_text, snippets_text, wire};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &InstallArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let places = places()?;
    if args.list {
        return list(args, &places);
    }
    let level = if args.project {
        Level::Project
    } else {
        Level::User
    };
    if level == Level::Project && is_risky(&places.project) {
        let folder = places.project.display();
        bail!("{folder} is a home directory or a whole disk; go to a project");
    }
    let rows = chosen(args, &places)?;
    let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
        let what = "no coding agent was found; `scent install --list` lists those to name";
        note(flags, what);
        return Ok(Outcome::Nothing);
    };
    let options = Options {
        level,
        parts: parts(&args.parts, &Part::DEFAULT),
        program: program(args, flags)?,
    };
    let disk = Disk::new(&places, level);
    if args.print {
        return print_snippets(args, &rows, &options, &places, &disk);
    }
    let plan = plan(&rows, &options, &places, &disk);
    if args.agents.is_empty() && !args.dry_run && !flags.yes {
        confirm(&rows, &plan)?;
    }
    let changes = carry_out(&plan, &disk, Carry::of(args.dry_run, true));
    finish(&rows, &options, &changes, args, flags)
}

/// The agents that are named, or else found.
fn chosen(args: &InstallArgs, places: &Places) -> anyhow::Result<Option<Vec<&'static Agent>>> {
    if !args.agents.is_empty() {
        return named(&args.agents).map(Some);
    }
    let disk = Disk::new(places, Level::User);
    let found = agents().iter().filter(|a| a.is_detected(places, &disk));
    Ok(Some(found.collect()))
}

/// The agents with these names.
pub(super) fn named(names: &[String]) -> anyhow::Result<Vec<&'static Agent>> {
    let mut rows: Vec<&'static Agent> = Vec::new();
    for name in names {
        let Some(row) = agent(name) else {
            let known: Vec<&str> = agents().iter().map(|agent| agent.id).collect();
            let known = known.join(", ");
            bail!("{name}: no such agent; there are: {known}");
        };
        if !rows.iter().any(|known| known.id == row.id) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The parts that flags choose, or those that are usual.
pub(super) fn parts(args: &PartArgs, usual: &[Part]) -> Vec<Part> {
    let is_chosen = |part: &Part| match part {
        Part::Mcp => args.mcp,
        Part::Instructions => args.instructions,
        Part::Skill => args.skill,
        Part::Subagent => args.subagent,
        Part::Hook => args.hook,
        Part::Approval => args.approval,
    };
    let chosen: Vec<Part> = Part::ALL.into_iter().filter(is_chosen).collect();
    match (args.all, chosen.is_empty()) {
        (true, _) => Part::ALL.to_vec(),
        (false, true) => usual.to_vec(),
        (false, false) => chosen,
    }
}

/// The path of the program as entries are to name it.
fn program(args: &InstallArgs, flags: &GlobalArgs) -> anyhow::Result<String> {
    let path = match &args.program {
        Some(path) if path.is_file() => std::path::absolute(path)?,
        Some(path) => bail!("{}: no such program", path.display()),
        None => on_path(&std::env::current_exe()?),
    };
    let name = path.file_stem().unwrap_or_default();
    if !name.eq_ignore_ascii_case("scent") {
        let path = path.display();
        bail!("{path}: entries are known by the name of the program, which is to be scent");
    }
    if path.iter().any(|part| part == "target") {
        let path = path.display();
        note(
            flags,
            &format!(
                "entries will start {path}, which a build may remove; --program FILE names another"
            ),
        );
    }
    let text = path.to_str();
    let text = text.with_context(|| format!("{}: the path is not UTF-8", path.display()))?;
    Ok(text.to_owned())
}

/// The same program where the shell finds it, which is a name that stays when
/// the program is replaced by a newer one.
pub(super) fn on_path(program: &Path) -> PathBuf {
    let name = program.file_name().unwrap_or_default();
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| canonical(path).ok() == canonical(program).ok());
    found.unwrap_or_else(|| program.to_owned())
}

/// Asks before files of agents are written that nobody named.
fn confirm(rows: &[&'static Agent], plan: &Plan) -> anyhow::Result<()> {
    if plan.changes.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = rows.iter().map(|row| row.id).collect();
    let names = names.join(" ");
    if !std::io::stdin().is_terminal() {
        bail!(
            "these agents were found: {names}; run `scent install --yes` for all of them, or name some"
        );
    }
    let mut files = Text::default();
    for change in &plan.changes {
        files += Text::line(&format!("    {}", display_path(&change.path)));
    }
    print(files)?;
    let number = plan.changes.len();
    if !answers_yes(&format!("found {names}. Write these {number} files? [y/N]"))? {
        bail!("nothing was written");
    }
    Ok(())
}

/// How a plan is carried out.
#[derive(Clone, Copy)]
pub(super) struct Carry {
    dry_run: bool,
    with_snippets: bool,
}

impl Carry {
    pub fn of(dry_run: bool, with_snippets: bool) -> Carry {
        Carry {
            dry_run,
            with_snippets,
        }
    }
}

/// Writes the files of a plan, and says what happened to each.
pub(super) fn carry_out(plan: &Plan, disk: &Disk, carry: Carry) -> Vec<wire::AgentFile> {
    let mut files = Vec::new();
    for change in &plan.changes {
        files.push(changed(change, disk, carry));
    }
    for kept in &plan.kept {
        files.push(wire::AgentFile {
            path: display_path(&kept.path),
            agents: vec![kept.used_by],
            action: "kept",
            reason: Some("another agent reads it".to_owned()),
            ..wire::AgentFile::default()
        });
    }
    for refused in &plan.refused {
        files.push(failed(refused, carry));
    }
    files
}

fn changed(change: &FileChange, disk: &Disk, carry: Carry) -> wire::AgentFile {
    let action = match (&change.before, &change.after) {
        (_, None) => "removed",
        (None, Some(_)) => "created",
        (Some(_), Some(_)) => "changed",
    };
    let target = disk.link_target(&change.path);
    let mut file = wire::AgentFile {
        path: display_path(&change.path),
        link_target: target.map(|target| display_path(&target)),
        agents: change.agents.clone(),
        action,
        ..wire::AgentFile::default()
    };
    if carry.dry_run {
        file.diff = Some(change.diff());
    } else if let Err(error) = disk.apply(change) {
        file.action = "failed";
        file.reason = Some(format!("{error:#}"));
    }
    file
}

fn failed(refused: &Refused, carry: Carry) -> wire::AgentFile {
    wire::AgentFile {
        path: display_path(&refused.path),
        agents: vec![refused.agent],
        action: "failed",
        reason: Some(refused.why.to_string()),
        snippet: refused.snippet.clone().filter(|_| carry.with_snippets),
        ..wire::AgentFile::default()
    }
}

/// Prints what happened, and what is left to do.
fn finish(
    rows: &[&'static Agent],
    options: &Options,
    files: &[wire::AgentFile],
    args: &InstallArgs,
    flags: &GlobalArgs,
) -> anyhow::Result<Outcome> {
    print_changes(files, args.dry_run, args.json)?;
    let mut nothing = true;
    for row in rows {
        let mut parts = options.parts.iter();
        if !parts.any(|part| row.has(*part, options.level)) {
            let (name, level) = (&row.name, options.level.as_str());
            let text = format!(
                "{name} has nothing of that for --{level}; `scent install --list` lists its parts"
            );
            note(flags, &text);
            continue;
        }
        nothing = false;
        if let Some(advice) = &row.advice {
            note(flags, advice);
        }
    }
    if files.iter().any(|file| file.action == "failed") {
        return Ok(Outcome::Failed);
    }
    if nothing {
        return Ok(Outcome::Nothing);
    }
    if files.is_empty() {
        note(flags, "installed already; nothing changed");
    } else if !args.dry_run {
        note(flags, "start the agents again to let them read it");
    }
    Ok(Outcome::Found)
}

/// Prints what happened to files.
pub(super) fn print_changes(
    files: &[wire::AgentFile],
    dry_run: bool,
    json: bool,
) -> anyhow::Result<()> {
    if !json {
        return print(changes_text(files));
    }
    let answer = wire::AgentChanges {
        schema: wire::SCHEMA_VERSION,
        dry_run,
        files: files.to_vec(),
    };
    print(Text::json_in(json_layout(), &answer))
}

fn list(args: &InstallArgs, places: &Places) -> anyhow::Result<Outcome> {
    let rows = match args.agents.is_empty() {
        true => agents().iter().collect(),
        false => named(&args.agents)?,
    };
    let agents: Vec<wire::Agent> = rows.iter().map(|row| described(row, places)).collect();
    if args.json {
        return print_json(agents, Vec::new());
    }
    print(agents_text(&agents))?;
    Ok(Outcome::Found)
}

fn described(row: &'static Agent, places: &Places) -> wire::Agent {
    let disk = Disk::new(places, Level::User);
    let parts = |level| {
        let has = Part::ALL
            .into_iter()
            .filter(move |part| row.has(*part, level));
        has.map(Part::as_str).collect()
    };
    let entries = row.installed(places, &disk).into_iter();
    let entries = entries.map(|entry| wire::AgentEntry {
        path: display_path(&entry.path),
        level: entry.level.as_str(),
        command: entry.command,
        ours: entry.ours,
    });
    wire::Agent {
        id: row.id,
        name: row.name.clone(),
        found: row.is_detected(places, &disk),
        user: parts(Level::User),
        project: parts(Level::Project),
        entries: entries.collect(),
    }
}

fn print_snippets(
    args: &InstallArgs,
    rows: &[&'static Agent],
    options: &Options,
    places: &Places,
    disk: &Disk,
) -> anyhow::Result<Outcome> {
    let found = snippets(rows, options, places, disk);
    let mut written = Vec::new();
    for snippet in found {
        written.push(wire::AgentSnippet {
            agent: snippet.agent,
            part: snippet.part.as_str(),
            path: display_path(&snippet.path),
            text: snippet.text,
        });
    }
    let outcome = Outcome::found(!written.is_empty());
    if args.json {
        let agents = rows.iter().map(|row| described(row, places)).collect();
        print_json(agents, written)?;
    } else {
        print(snippets_text(&written))?;
    }
    Ok(outcome)
}

fn print_json(
    agents: Vec<wire::Agent>,
    snippets: Vec<wire::AgentSnippet>,
) -> anyhow::Result<Outcome> {
    let answer = wire::Agents {
        schema: wire::SCHEMA_VERSION,
        agents,
        snippets,
    };
    print(Text::json_in(json_layout(), &answer))?;
    Ok(Outcome::Found)
}
