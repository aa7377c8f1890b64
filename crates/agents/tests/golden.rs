//! Every agent with the files of `golden/`: what is installed, that it is
//! installed once, and that taking it out gives back every byte.

use scent_agents::{
    Agent, FileChange, Files, Level, Options, Part, Places, Plan, Refusal, System, agents, plan,
    plan_removal,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "/opt/scent/bin/scent";

/// Files in memory, by path.
#[derive(Debug, Clone, Default, PartialEq)]
struct Tree(BTreeMap<PathBuf, String>);

impl Files for Tree {
    fn read(&self, path: &Path) -> Result<Option<String>, String> {
        Ok(self.0.get(path).cloned())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.keys().any(|known| known.starts_with(path))
    }
}

impl Tree {
    /// The files of a folder; `home` and `project` become those of the user.
    fn load(folder: &Path) -> Tree {
        let mut tree = Tree::default();
        let mut open = vec![folder.to_owned()];
        while let Some(at) = open.pop() {
            let Ok(entries) = fs::read_dir(&at) else {
                continue;
            };
            for path in entries.map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    open.push(path);
                } else {
                    let inner = Path::new("/").join(path.strip_prefix(folder).unwrap());
                    tree.0.insert(inner, fs::read_to_string(&path).unwrap());
                }
            }
        }
        tree
    }

    fn save(&self, folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        for (path, text) in &self.0 {
            let path = folder.join(path.strip_prefix("/").unwrap());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn apply(&mut self, changes: &[FileChange]) {
        for change in changes {
            assert_eq!(self.0.get(&change.path), change.before.as_ref());
            match &change.after {
                Some(text) => self.0.insert(change.path.clone(), text.clone()),
                None => self.0.remove(&change.path),
            };
        }
    }

    fn map(&self, edit: impl Fn(&str) -> String) -> Tree {
        Tree(
            self.0
                .iter()
                .map(|(path, text)| (path.clone(), edit(text)))
                .collect(),
        )
    }

    /// The files that another tree has too.
    fn within(&self, other: &Tree) -> Tree {
        let is_there = |(path, _): &(&PathBuf, &String)| other.0.contains_key(*path);
        let kept = self.0.iter().filter(is_there);
        Tree(
            kept.map(|(path, text)| (path.clone(), text.clone()))
                .collect(),
        )
    }
}

fn places(system: System) -> Places {
    Places {
        system,
        home: "/home".into(),
        project: "/project".into(),
        environment: BTreeMap::new(),
    }
}

fn options(level: Level, program: &str) -> Options {
    Options {
        level,
        parts: Part::ALL.to_vec(),
        program: program.to_owned(),
    }
}

/// All agents, or the one in `SCENT_AGENT`.
fn chosen() -> impl Iterator<Item = &'static Agent> {
    let only = std::env::var("SCENT_AGENT").ok();
    let is_chosen = move |agent: &&Agent| only.as_deref().is_none_or(|id| agent.id == id);
    agents().iter().filter(is_chosen)
}

const LEVELS: [Level; 2] = [Level::User, Level::Project];

fn install(agent: &'static Agent, tree: &Tree, program: &str) -> (Tree, Vec<Plan>) {
    let mut tree = tree.clone();
    let mut plans = Vec::new();
    for level in LEVELS {
        let plan = plan(
            &[agent],
            &options(level, program),
            &places(System::Linux),
            &tree,
        );
        tree.apply(&plan.changes);
        plans.push(plan);
    }
    (tree, plans)
}

fn uninstall(agent: &'static Agent, tree: &Tree) -> (Tree, Vec<Plan>) {
    let mut tree = tree.clone();
    let mut plans = Vec::new();
    for level in LEVELS.into_iter().rev() {
        let plan = plan_removal(&[agent], &options(level, ""), &places(System::Linux), &tree);
        tree.apply(&plan.changes);
        plans.push(plan);
    }
    (tree, plans)
}

/// Installs, sees that a second time changes nothing and that every file is
/// valid, takes it out, and gives what was installed.
fn there_and_back(agent: &'static Agent, before: &Tree, case: &str) -> Tree {
    let (after, plans) = install(agent, before, PROGRAM);
    for plan in &plans {
        assert_eq!(plan.refused, [], "{} {case}", agent.id);
    }
    for (path, text) in &after.0 {
        assert_valid(path, text);
    }
    let (again, plans) = install(agent, &after, PROGRAM);
    assert_eq!(again, after, "{} {case}: twice is once", agent.id);
    assert!(plans.iter().all(|plan| plan.changes.is_empty()));
    let (left, plans) = uninstall(agent, &after);
    assert_eq!(left, *before, "{} {case}: taken out", agent.id);
    assert!(plans.iter().all(|plan| plan.refused.is_empty()));
    after
}

fn assert_valid(path: &Path, text: &str) {
    let ending = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    let text = text.trim_start_matches('\u{feff}');
    match ending {
        "json" | "jsonc" => {
            let parsed = jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default());
            assert!(parsed.is_ok(), "{}:\n{text}", path.display());
        }
        "toml" => assert!(
            text.parse::<toml::Table>().is_ok(),
            "{}:\n{text}",
            path.display()
        ),
        "yaml" | "yml" => {
            let valid = saphyr_parser::Parser::new_from_str(text).all(|event| event.is_ok());
            assert!(valid, "{}:\n{text}", path.display());
        }
        "md" | "" => {}
        _ => panic!("{} has an unknown ending", path.display()),
    }
}

fn golden(agent: &Agent, name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    root.join(agent.id).join(name)
}

/// Texts that stand in many files are named there instead.
fn with_names(text: &str) -> String {
    let texts = [
        ("(texts/tools.md)", include_str!("../texts/tools.md")),
        ("(texts/commands.md)", include_str!("../texts/commands.md")),
        ("(texts/skill.md)", include_str!("../texts/skill.md")),
        ("(texts/subagent.md)", include_str!("../texts/subagent.md")),
    ];
    let name = |text: String, (name, body): (&str, &str)| text.replace(body.trim_end(), name);
    texts.into_iter().fold(text.to_owned(), name)
}

/// Compares with the files that were accepted; `SCENT_ACCEPT_GOLDEN=1` accepts.
fn assert_golden(agent: &Agent, name: &str, tree: &Tree) {
    let folder = golden(agent, name);
    let tree = tree.map(with_names);
    if std::env::var_os("SCENT_ACCEPT_GOLDEN").is_some() {
        tree.save(&folder);
    }
    assert_eq!(tree, Tree::load(&folder), "{} {name}", agent.id);
}

#[test]
fn what_is_there_keeps_its_bytes() {
    for agent in chosen() {
        let before = Tree::load(&golden(agent, "before"));
        assert!(!before.0.is_empty(), "{} has files", agent.id);
        let after = there_and_back(agent, &before, "before");
        assert_golden(agent, "after", &after);
    }
}

#[test]
fn files_that_are_missing_are_made_and_removed() {
    for agent in chosen() {
        let after = there_and_back(agent, &Tree::default(), "nothing");
        assert_golden(agent, "fresh", &after);
    }
}

#[test]
fn line_ends_and_marks_are_kept() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let bom = |text: &str| format!("\u{feff}{text}");
    let unended = |text: &str| text.trim_end().to_owned();
    for agent in chosen() {
        let before = Tree::load(&golden(agent, "before"));
        let (plain, _) = install(agent, &before, PROGRAM);
        let after = there_and_back(agent, &before.map(crlf), "CRLF");
        assert_eq!(
            after.within(&before),
            plain.within(&before).map(crlf),
            "{} CRLF",
            agent.id
        );
        let after = there_and_back(agent, &before.map(bom), "BOM");
        assert_eq!(
            after.within(&before),
            plain.within(&before).map(bom),
            "{} BOM",
            agent.id
        );
        there_and_back(agent, &before.map(unended), "no last line end");
    }
}

#[test]
fn empty_files_stay_empty_files() {
    for agent in chosen() {
        let (after, _) = install(agent, &Tree::load(&golden(agent, "before")), PROGRAM);
        let settings = Tree(
            after
                .0
                .into_iter()
                .filter(|(path, _)| !is_ours_alone(path))
                .collect(),
        );
        there_and_back(agent, &settings.map(|_| String::new()), "empty");
        there_and_back(agent, &settings.map(|_| "\n\n".to_owned()), "blank lines");
        let objects = settings
            .0
            .iter()
            .filter(|(path, _)| path.extension().is_some_and(|e| e == "json"));
        let objects = Tree(
            objects
                .map(|(path, _)| (path.clone(), "{}\n".to_owned()))
                .collect(),
        );
        there_and_back(agent, &objects, "empty objects");
    }
}

/// Skills and sub-agents are files of ours.
fn is_ours_alone(path: &Path) -> bool {
    path.iter().any(|part| part == "skills" || part == "agents")
}

#[test]
fn a_broken_file_is_left_alone_with_something_to_paste() {
    let break_it = |text: &str| format!("{text}\n}}]: [=\n");
    for agent in chosen() {
        let before = Tree::load(&golden(agent, "before"));
        let is_settings = |path: &Path| path.extension().is_some_and(|e| e != "md");
        let broken = Tree(
            before
                .0
                .iter()
                .filter(|(p, _)| is_settings(p))
                .map(|(p, t)| (p.clone(), break_it(t)))
                .collect(),
        );
        let (after, plans) = install(agent, &broken, PROGRAM);
        assert_eq!(after.within(&broken), broken, "{}", agent.id);
        let refused: Vec<_> = plans.iter().flat_map(|plan| &plan.refused).collect();
        for path in broken.0.keys() {
            let found = refused.iter().find(|refused| refused.path == *path);
            let found = found.unwrap_or_else(|| panic!("{} {}", agent.id, path.display()));
            assert!(matches!(found.why, Refusal::Broken(_)), "{:?}", found.why);
            assert!(found.snippet.as_ref().is_some_and(|text| !text.is_empty()));
        }
        let (after, _) = uninstall(agent, &broken);
        assert_eq!(after, broken, "{}", agent.id);
    }
}

#[test]
fn an_entry_of_somebody_else_is_not_touched() {
    for agent in chosen().filter(|agent| agent.has(Part::Mcp, Level::User)) {
        let before = Tree::load(&golden(agent, "before"));
        let (after, _) = install(agent, &before, PROGRAM);
        let path = agent.installed(&places(System::Linux), &after)[0]
            .path
            .clone();
        let foreign = after.0[&path].replace(PROGRAM, "/opt/perfume/scent-of-flowers");
        let foreign = Tree([(path.clone(), foreign)].into());
        let (after, plans) = install(agent, &foreign, PROGRAM);
        let is_it = |r: &scent_agents::Refused| {
            r.path == path && r.part == Part::Mcp && matches!(r.why, Refusal::Foreign(_))
        };
        assert!(plans[0].refused.iter().any(is_it), "{}", agent.id);
        let name = "/opt/perfume/scent-of-flowers";
        assert!(after.0[&path].contains(name), "{}", agent.id);
        let (after, plans) = uninstall(agent, &after);
        assert!(after.0[&path].contains(name), "{}", agent.id);
        assert!(plans[1].refused.iter().any(is_it), "{}", agent.id);
    }
}

#[test]
fn a_program_that_moved_is_put_right() {
    for agent in chosen() {
        let before = Tree::load(&golden(agent, "before"));
        let (first, _) = install(agent, &before, PROGRAM);
        let moved = "/usr/local/bin/scent";
        let (second, _) = install(agent, &first, moved);
        for (path, text) in &second.0 {
            assert!(
                !text.contains(PROGRAM),
                "{} {}:\n{text}",
                agent.id,
                path.display()
            );
        }
        let (left, _) = uninstall(agent, &second);
        assert_eq!(left, before, "{}", agent.id);
    }
}

#[test]
fn what_the_user_added_to_our_entry_stays_until_it_goes() {
    let places = places(System::Linux);
    let agent = scent_agents::agent("cursor").unwrap();
    let path = PathBuf::from("/home/.cursor/mcp.json");
    let text = r#"{"mcpServers": {"scent": {"command": "/old/scent", "args": ["mcp", "--allow", "/x"], "env": {"A": "b"}}}}"#;
    let tree = Tree([(path.clone(), text.to_owned())].into());
    let mut options = options(Level::User, PROGRAM);
    options.parts = vec![Part::Mcp];
    let plan = plan(&[agent], &options, &places, &tree);
    assert_eq!(
        plan.changes[0].after.as_deref(),
        Some(text.replace("/old/scent", PROGRAM).as_str())
    );
    let removal = plan_removal(&[agent], &options, &places, &tree);
    assert!(
        !removal.changes[0]
            .after
            .as_ref()
            .is_some_and(|text| text.contains("scent"))
    );
}

#[test]
fn a_file_of_ours_that_was_changed_is_kept() {
    let agent = scent_agents::agent("codex").unwrap();
    let (mut tree, _) = install(agent, &Tree::default(), PROGRAM);
    let skill = PathBuf::from("/home/.agents/skills/scent/SKILL.md");
    tree.0.get_mut(&skill).unwrap().insert_str(0, "changed\n");
    let (after, plans) = uninstall(agent, &tree);
    assert!(after.0.contains_key(&skill));
    assert_eq!(after.0.len(), 1);
    let refused: Vec<_> = plans.iter().flat_map(|plan| &plan.refused).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].why, Refusal::Changed);
}

#[test]
fn what_another_agent_reads_too_is_kept() {
    let places = places(System::Linux);
    let [codex, zed] = ["codex", "zed"].map(|name| scent_agents::agent(name).unwrap());
    let mut tree = Tree::default();
    let options = options(Level::Project, PROGRAM);
    let both = plan(&[codex, zed], &options, &places, &tree);
    tree.apply(&both.changes);
    let notes = PathBuf::from("/project/AGENTS.md");
    let one = both
        .changes
        .iter()
        .find(|change| change.path == notes)
        .unwrap();
    assert_eq!(one.agents, ["codex", "zed"]);
    let removal = plan_removal(&[zed], &options, &places, &tree);
    assert!(
        removal
            .kept
            .iter()
            .any(|kept| kept.path == notes && kept.used_by == "codex")
    );
    assert!(removal.changes.iter().all(|change| change.path != notes));
    let removal = plan_removal(&[codex, zed], &options, &places, &tree);
    tree.apply(&removal.changes);
    assert_eq!(tree, Tree::default());
}

#[test]
fn what_was_installed_to_another_place_is_found() {
    let cases = [
        (
            "opencode",
            "/project/opencode.jsonc",
            "/project/opencode.json",
        ),
        ("crush", "/project/CRUSH.md", "/project/AGENTS.md"),
    ];
    for (name, first, second) in cases {
        let agent = scent_agents::agent(name).unwrap();
        let before = Tree([(first.into(), String::new())].into());
        let (mut after, _) = install(agent, &before, PROGRAM);
        assert!(after.0[Path::new(first)].contains("scent"), "{name}");
        after.0.insert(second.into(), String::new());
        let (left, _) = uninstall(agent, &after);
        let want = Tree(
            [
                (first.into(), String::new()),
                (second.into(), String::new()),
            ]
            .into(),
        );
        assert_eq!(left, want, "{name}");
    }
    // The file that the usual one referred to.
    let agent = scent_agents::agent("claude-code").unwrap();
    let claude = PathBuf::from("/project/CLAUDE.md");
    let before = Tree([(claude.clone(), "@AGENTS.md\n".to_owned())].into());
    let (mut after, _) = install(agent, &before, PROGRAM);
    assert!(after.0.contains_key(Path::new("/project/AGENTS.md")));
    after.0.insert(claude.clone(), "Other notes.\n".to_owned());
    let (left, _) = uninstall(agent, &after);
    assert_eq!(left, Tree([(claude, "Other notes.\n".to_owned())].into()));
}

#[test]
fn entries_are_found_as_they_are_written() {
    for agent in chosen().filter(|agent| agent.has(Part::Mcp, Level::User)) {
        let (tree, _) = install(agent, &Tree::default(), PROGRAM);
        let found = agent.installed(&places(System::Linux), &tree);
        assert!(!found.is_empty(), "{}", agent.id);
        for entry in found {
            assert!(entry.ours);
            assert_eq!(entry.command[..2], [PROGRAM, "mcp"], "{}", agent.id);
        }
        assert!(
            agent.is_detected(
                &places(System::Linux),
                &Tree::load(&golden(agent, "before"))
            ),
            "{}",
            agent.id
        );
        assert!(
            !agent.is_detected(&places(System::Linux), &Tree::default()),
            "{}",
            agent.id
        );
    }
}

/// Where every part of every agent goes on every system.
#[test]
fn places_are_those_that_were_accepted() {
    let mut lines = Vec::new();
    for agent in agents() {
        for (system, name) in [
            (System::Linux, "linux"),
            (System::MacOs, "macos"),
            (System::Windows, "windows"),
        ] {
            for level in LEVELS {
                let plan = plan(
                    &[agent],
                    &options(level, PROGRAM),
                    &places(system),
                    &Tree::default(),
                );
                assert_eq!(plan.refused, []);
                let paths = plan
                    .changes
                    .iter()
                    .map(|c| c.path.display().to_string().replace('\\', "/"));
                lines.extend(paths.map(|path| format!("{} {name} {path}", agent.id)));
            }
        }
    }
    let text = lines.join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/places.txt");
    if std::env::var_os("SCENT_ACCEPT_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(path).unwrap());
}
