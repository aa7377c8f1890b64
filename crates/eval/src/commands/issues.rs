//! `scent-eval issues`

use crate::args::IssuesArgs;
use anyhow::Context;
use scent_engine::{
    Engine, OnBusy, Project, Refresh, Settings, Silent, file_units, parse_request, targets,
};
use scent_eval::issues::{FORMS, Form, Hits, Issue, Issues, Row, changes, score, table, traits_of};
use scent_types::{FileCategory, FileClass, Kind, Lines, RawRequest};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Enough for ten different files and functions.
const RESULTS: usize = 100;

/// How many results weights are fitted to.
const CANDIDATES: usize = 300;

/// How many places of an answer are kept.
const KEPT: usize = 10;

const ROWS: &str = "issues.jsonl";

pub(crate) fn run(args: IssuesArgs) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let weights = match &args.config {
        Some(file) => fs::read_to_string(file).with_context(|| file.display().to_string())?,
        None => String::new(),
    };
    let data = args.data.clone().unwrap_or_else(|| args.out.join("index"));
    let engine = Engine::new(std::path::absolute(data)?, Settings::default());
    let engine = engine.with_weights(&weights).context("the weights")?;
    let mut issues = Issues::read(&args.suite, &args.corpora)?;
    if !issues.left_out.is_empty() {
        let (count, ids) = (issues.left_out.len(), issues.left_out.join(", "));
        eprintln!("{count} issues have no checkout: {ids}");
    }
    if let Some(only) = &args.only {
        issues.found.retain(|(issue, _)| only.is_match(&issue.id));
    }
    let forms = FORMS.iter().filter(|form| {
        let wanted = args.forms.as_ref();
        wanted.is_none_or(|wanted| wanted.is_match(form.name))
    });
    let forms: Vec<&Form> = forms.collect();
    let mut out = BufWriter::new(File::create(args.out.join(ROWS))?);
    let mut parts = match &args.parts {
        Some(file) => Some(BufWriter::new(File::create(file)?)),
        None => None,
    };
    let mut rows = Vec::new();
    for (issue, folder) in &issues.found {
        let project = open(&engine, issue, folder).with_context(|| issue.id.clone())?;
        if let Some(out) = &mut parts {
            write_parts(&engine, &project, issue, out)?;
        }
        let asked = forms.iter().map(|form| ask(&engine, &project, issue, form));
        let asked: Vec<Row> = asked.collect::<anyhow::Result<_>>()?;
        for row in asked {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            rows.push(row);
        }
    }
    out.flush()?;
    let table = table(&rows);
    fs::write(args.out.join("issues.md"), &table)?;
    if !args.quiet {
        print!("{table}");
    }
    if let Some(before) = &args.against {
        print!("\n{}", changes(&read_rows(before)?, &rows));
    }
    Ok(ExitCode::SUCCESS)
}

fn read_rows(folder: &Path) -> anyhow::Result<Vec<Row>> {
    let file = folder.join(ROWS);
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let rows = text.lines().map(serde_json::from_str);
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The checkout of an issue. It is indexed once, and what is there already is
/// used.
fn open(engine: &Engine, issue: &Issue, folder: &Path) -> anyhow::Result<Project> {
    let target = targets(&[folder.to_owned()], true)?.remove(0);
    let project = engine.open(&target.root);
    if !project.is_indexed() {
        let started = Instant::now();
        project.update(&Silent)?;
        project.embed(OnBusy::Wait, &Silent)?;
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("{}: indexed in {seconds:.1} s", issue.id);
    }
    project.refresh(Refresh::Never, &Silent)?;
    Ok(project)
}

/// Writes what the scores of the results for the whole text are made of, and
/// which of them are in files that the fix changes.
fn write_parts(
    engine: &Engine,
    project: &Project,
    issue: &Issue,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let raw = RawRequest {
        query: issue.text.clone(),
        limit: Some(CANDIDATES),
        explain: true,
        ..RawRequest::default()
    };
    let request = parse_request(&raw)?;
    let projects = std::slice::from_ref(project);
    let response = engine.search(projects, &request, Refresh::Never, &Silent)?;
    let mut hits = Vec::new();
    for hit in response.hits {
        let parts = hit.parts.iter().map(|part| (part.name, part.amount));
        let parts: std::collections::BTreeMap<&str, f32> = parts.collect();
        let is_right = issue.files.contains(&hit.path);
        hits.push(serde_json::json!({
            "path": hit.path, "lines": [hit.lines.start, hit.lines.end],
            "right": is_right, "parts": parts,
        }));
    }
    let row = serde_json::json!({
        "id": issue.id, "repo": issue.repo, "files": issue.files, "hits": hits,
    });
    writeln!(out, "{row}")?;
    Ok(())
}

fn ask(engine: &Engine, project: &Project, issue: &Issue, form: &Form) -> anyhow::Result<Row> {
    let started = Instant::now();
    let hits = search(engine, project, issue, form);
    let ms = started.elapsed().as_secs_f64() * 1e3;
    let places = hits.unwrap_or_else(|error| {
        eprintln!("{} ({}): {error:#}", issue.id, form.name);
        Vec::new()
    });
    let first = places.iter().take(KEPT);
    let first = first
        .map(|(path, lines)| format!("{path}:{lines}"))
        .collect();
    let hits = with_functions(project.root(), places);
    let row = Row {
        id: issue.id.clone(),
        repo: issue.repo.clone(),
        language: issue.language.clone(),
        form: form.name.to_owned(),
        traits: traits_of(&issue.text)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        scores: Default::default(),
        ms,
        first,
    };
    Ok(row.with_scores(&score(issue, &hits)))
}

/// What the engine answers to a form of an issue. One that it refuses has no
/// answer.
fn search(
    engine: &Engine,
    project: &Project,
    issue: &Issue,
    form: &Form,
) -> anyhow::Result<Vec<(String, Lines)>> {
    let code = FileClass::Code.as_str().to_owned();
    let test = FileCategory::Test.as_str().to_owned();
    let text = if form.whole {
        &issue.text
    } else {
        &issue.title
    };
    let raw = RawRequest {
        query: text.clone(),
        categories: form.code.then_some(code).into_iter().collect(),
        not_categories: form.code.then_some(test).into_iter().collect(),
        limit: Some(RESULTS),
        ..RawRequest::default()
    };
    let request = parse_request(&raw)?;
    let projects = std::slice::from_ref(project);
    let response = engine.search(projects, &request, Refresh::Never, &Silent)?;
    let hits = response.hits.into_iter();
    Ok(hits.map(|hit| (hit.path, hit.lines)).collect())
}

/// Adds the functions of the files.
fn with_functions(root: &Path, places: Vec<(String, Lines)>) -> Hits {
    let mut hits = Hits::default();
    for (path, _) in &places {
        if !hits.functions.contains_key(path) {
            let functions = functions_of(&root.join(path));
            hits.functions.insert(path.clone(), functions);
        }
    }
    hits.places = places;
    hits
}

fn functions_of(file: &Path) -> Vec<Lines> {
    let Ok(found) = file_units(file) else {
        return Vec::new();
    };
    let units = found.units.iter().map(|words| &words.unit);
    let functions = units.filter(|unit| {
        let is_function = matches!(unit.kind, Kind::Function | Kind::Method | Kind::Macro);
        is_function && unit.passage == 0
    });
    functions.map(|unit| unit.whole).collect()
}
