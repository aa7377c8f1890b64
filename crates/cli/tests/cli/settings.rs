//! Settings: where they come from and what they do.

use crate::world::*;
use serde_json::Value;
use std::fs;

#[test]
fn settings_rise_from_file_to_environment_to_flag() {
    let world = World::sample();
    let shown = |env: Option<&str>, flag: &[&str]| {
        let mut command = world.command();
        env.map(|value| command.env("SCENT_SEARCH_LIMIT", value));
        let run = ended(command.args(["retry", "-l"]).args(flag));
        run.out.lines().count()
    };
    assert_eq!(shown(None, &[]), 5, "default");
    world.write_user_settings("search.limit = 1\n");
    assert_eq!(shown(None, &[]), 1, "user file");
    world.write("scent.toml", "[search]\nlimit = 2\n");
    assert_eq!(shown(None, &[]), 2, "project file");
    assert_eq!(shown(Some("3"), &[]), 3, "environment");
    assert_eq!(shown(Some(""), &[]), 2, "an empty variable is none");
    assert_eq!(shown(Some("3"), &["-k", "4"]), 4, "flag");

    let show = world.found(&["config", "show"]);
    assert_holds(
        &show,
        &["search.limit", "scent.toml", "SCENT_DATA_DIR"],
        "origins",
    );
    let show = world.found(&["config", "show", "--json"]);
    let show: Value = serde_json::from_str(&show).unwrap();
    let limit = show["settings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|s| s["key"] == "search.limit")
        .unwrap();
    assert_eq!(
        (&limit["value"], &limit["environment"]),
        (&"2".into(), &"SCENT_SEARCH_LIMIT".into())
    );
}

/// Settings that make no sense, and what is said of them.
const WRONG: [(&str, &[&str]); 8] = [
    (
        "[search]\nlimits = 2\n",
        &["search.limits", "did you mean", "search.limit"],
    ),
    ("limit = 2\n", &["search.limit"]),
    ("[zebra]\nx = 1\n", &["zebra.x", "config show"]),
    ("[search]\nlimit = \"many\"\n", &["search.limit", "many"]),
    ("[search]\nlimit = 0\n", &["search.limit"]),
    (
        "[index]\nmax_file_size = \"2 apples\"\n",
        &["index.max_file_size", "2 apples"],
    ),
    (
        "[output]\ncolor = \"green\"\n",
        &["output.color", "auto, always, never"],
    ),
    ("a = 1\nnot toml", &["line 2"]),
];

#[test]
fn wrong_settings_of_the_user_are_errors() {
    for (text, parts) in WRONG {
        let world = World::sample();
        world.write_user_settings(text);
        let said = world.refused(&["retry"]);
        assert_holds(&said, &["config.toml"], text);
        assert_holds(&said, parts, text);
    }
    let world = World::sample();
    let run = ended(
        world
            .command()
            .env("SCENT_OUTPUT_FORMAT", "xml")
            .arg("retry"),
    );
    assert_eq!(run.code, Some(2));
    assert_holds(
        &run.err,
        &["SCENT_OUTPUT_FORMAT", "xml", "text, markdown, json"],
        "environment",
    );
}

/// Whoever searches a project need not be able to mend its settings.
#[test]
fn wrong_settings_of_a_project_are_told_and_ignored() {
    for (text, parts) in WRONG {
        let world = World::sample();
        world.write("scent.toml", text);
        let run = world.run(&["retry", "-l"]);
        assert_eq!(
            (run.code, run.out.lines().count()),
            (Some(0), 5),
            "{text}: {run:?}"
        );
        assert_holds(&run.err, &["scent.toml", "ignored"], text);
        assert_holds(&run.err, parts, text);
        assert_eq!(run.err.lines().count(), 1, "{text}: {run:?}");
    }
}

/// What every setting does when a project sets it to something that an
/// attacker would like.
enum FromAProject {
    /// It is ignored, with one line that says so.
    Ignored,
    /// It holds.
    Holds,
    /// A value like this is ignored, with a line that says why.
    Refused,
}

#[test]
fn every_setting_from_a_project() {
    use FromAProject::{Holds, Ignored, Refused};
    let elsewhere = tempfile::TempDir::new().unwrap();
    fs::write(elsewhere.path().join("id_rsa"), "secret_of_the_user\n").unwrap();
    let elsewhere = elsewhere.path().to_str().unwrap();
    let linked = format!("[{elsewhere:?}]");
    let other_data = format!("{:?}", format!("{elsewhere}/data"));
    let cases = [
        ("data_dir", other_data.as_str(), Ignored),
        ("model", "\"http://127.0.0.1:9/v1#theirs\"", Ignored),
        ("model_key", "\"theirs\"", Ignored),
        ("index.threads", "100000", Ignored),
        ("index.commit_every", "1", Ignored),
        ("search.patience", "1", Ignored),
        ("index.max_total_size", "\"1KB\"", Ignored),
        ("search.allow_linked", linked.as_str(), Ignored),
        ("search.linked", linked.as_str(), Refused),
        ("index.max_file_size", "\"9MB\"", Refused),
        ("index.max_file_size", "\"3MB\"", Holds),
        ("index.include_generated", "true", Holds),
        ("index.include_minified", "true", Holds),
        ("search.limit", "3", Holds),
        ("output.color", "\"never\"", Holds),
        ("output.hyperlinks", "\"always\"", Ignored),
        ("output.format", "\"markdown\"", Holds),
        ("output.context", "\"none\"", Holds),
        ("output.max_lines", "7", Holds),
        ("output.max_columns", "77", Holds),
    ];
    let world = World::sample();
    let known = settings_of(&world, &[]);
    let untried = known
        .keys()
        .find(|key| !cases.iter().any(|(tried, ..)| tried == key));
    assert_eq!(untried, None, "a setting that no case tries");
    for (key, value, what) in cases {
        let world = World::sample();
        world.write("scent.toml", format!("{key} = {value}\n"));
        let run = world.run(&["config", "show", "--json"]);
        assert_eq!(run.code, Some(0), "{key}: {run:?}");
        let origin = settings_of(&world, &[])[key]["origin"]
            .as_str()
            .unwrap()
            .to_owned();
        let holds = origin.ends_with("scent.toml");
        match what {
            Holds => assert_eq!((holds, run.err.as_str()), (true, ""), "{key}"),
            Ignored | Refused => {
                assert_eq!(run.err.lines().count(), 1, "{key}: {run:?}");
                assert_holds(&run.err, &["scent.toml", key, "ignored"], key);
            }
        }
        if matches!(what, Ignored) {
            assert!(!holds, "{key}: {origin}");
        }
        let found = world.run(&["secret_of_the_user", "--json"]);
        assert!(!found.out.contains("id_rsa"), "{key}: {found:?}");
        let theirs = fs::read_dir(elsewhere).unwrap().count();
        assert_eq!(
            theirs, 1,
            "{key}: something was written where a project said"
        );
    }
}

/// Every setting that holds in the project, by its name.
fn settings_of(world: &World, flags: &[&str]) -> std::collections::BTreeMap<String, Value> {
    let shown = world
        .run(&[&["config", "show", "--json"], flags].concat())
        .out;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let named = |setting: &Value| (setting["key"].as_str().unwrap().to_owned(), setting.clone());
    let settings = shown["settings"].as_array().unwrap();
    settings.iter().map(named).collect()
}

/// A model that only the user chose is asked by commands that need it, and by
/// no others.
#[test]
fn no_model_is_asked_that_is_not_needed_or_that_a_project_names() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = format!("http://{}/v1#theirs", server.local_addr().unwrap());
    let was_asked = || server.accept().is_ok();
    let world = World::sample();
    world.write(
        "scent.toml",
        format!("model = {address:?}\nmodel_key = \"k\"\n"),
    );
    let all: [&[&str]; 8] = [
        &["retry delay"],
        &["index", "--wait"],
        &["def", "retry_delay"],
        &["similar", "src/retry.rs:4"],
        &["status"],
        &["model"],
        &["retry delay", "--semantic-only"],
        &["clear"],
    ];
    for args in all {
        let run = ended(world.command().env("SCENT_MODEL_KEY", "secret").args(args));
        assert_eq!(run.code, Some(0), "{args:?}: {run:?}");
        assert_holds(&run.err, &["model", "ignored"], "a word to the user");
        assert!(!was_asked(), "{args:?}");
    }
    fs::remove_file(world.root.join("scent.toml")).unwrap();
    let without: [&[&str]; 11] = [
        &["index", "--no-vectors"],
        &["retry delay", "--keyword-only"],
        &["-e", "retry_delay"],
        &["def", "retry_delay"],
        &["refs", "retry_delay"],
        &["deps", "src/retry.rs"],
        &["impact", "retry_delay"],
        &["callpath", "next", "retry_delay"],
        &["status"],
        &["config", "show"],
        &["clear"],
    ];
    for args in without {
        let run = ended(world.command().env("SCENT_MODEL", &address).args(args));
        assert!(matches!(run.code, Some(0 | 1)), "{args:?}: {run:?}");
        assert!(!was_asked(), "{args:?}");
    }
}

#[test]
fn a_project_links_what_lies_beside_it_and_the_user_allows_more() {
    let world = World::sample();
    let base = world.root.parent().unwrap();
    for (folder, name) in [("beside", "kept_beside"), (".hidden", "kept_hidden")] {
        fs::create_dir_all(base.join(folder)).unwrap();
        fs::write(
            base.join(folder).join("a.rs"),
            format!("fn {name}() {{}}\n"),
        )
        .unwrap();
    }
    let far = tempfile::TempDir::new().unwrap();
    fs::write(far.path().join("a.rs"), "fn kept_far() {}\n").unwrap();
    let far = far.path().to_str().unwrap();
    let folders = format!("[\"../beside\", \"../.hidden\", \"..\", {far:?}]");
    world.write("scent.toml", format!("search.linked = {folders}\n"));
    let finds = |name: &str| world.run(&[name, "--name", name, "-l"]);
    let run = finds("kept_beside");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_holds(
        &run.err,
        &["search.allow_linked", ".hidden", far],
        "what is refused",
    );
    assert_eq!(finds("kept_hidden").code, Some(1));
    assert_eq!(finds("kept_far").code, Some(1));
    world.write_user_settings(&format!("search.allow_linked = [{far:?}]\n"));
    let run = finds("kept_far");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(!run.err.contains(far), "{run:?}");
    // Linking a file does not link the folder around it.
    fs::write(base.join("notes.txt"), "kept_notes\n").unwrap();
    world.write("scent.toml", "search.linked = [\"../notes.txt\"]\n");
    let run = world.run(&["kept_hidden kept_beside", "--keyword-only", "-l"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_holds(&run.err, &["search.linked", "notes.txt"], "a file");
    // Nor does a link to a home directory stop the search.
    fs::create_dir_all(world.home.join(".git")).unwrap();
    world.write("scent.toml", "search.linked = [\"../home\"]\n");
    let run = world.run(&["retry", "-l"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_holds(
        &run.err,
        &["linked, but not searched", "home directory"],
        "a home",
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(far, base.join("innocent")).unwrap();
        fs::remove_dir_all(&world.home).unwrap();
        fs::create_dir_all(&world.home).unwrap();
        world.write("scent.toml", "search.linked = [\"../innocent\"]\n");
        assert_eq!(finds("kept_far").code, Some(1), "a link that leads away");
    }
}

#[test]
fn each_project_keeps_its_own_settings() {
    let world = World::sample();
    let other = world.root.parent().unwrap().join("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    world.write("gen.rs", "// @generated\nfn made_here() {}\n");
    fs::write(other.join("gen.rs"), "// @generated\nfn made_there() {}\n").unwrap();
    fs::write(other.join("scent.toml"), "index.include_generated = true\n").unwrap();
    let both = |name: &str| world.run(&[name, ".", "../other", "--name", name, "-l"]);
    for round in 0..2 {
        let (here, there) = (both("made_here"), both("made_there"));
        assert_eq!(
            (here.code, there.code),
            (Some(1), Some(0)),
            "{here:?} {there:?}"
        );
        assert_holds(&here.err, &["nothing found in "], "not here");
        assert!(
            !(here.err + &there.err).contains("rebuilt"),
            "round {round}"
        );
    }
    let alone = ended(
        world
            .command()
            .current_dir(&other)
            .args(["made_there", "-l"]),
    );
    assert_eq!(alone.err, "", "nothing is rebuilt");
}

#[test]
fn clearing_removes_nothing_that_is_not_ours() {
    let world = World::sample();
    world.found(&["retry", "-q"]);
    let foreign = world.data.join("precious");
    fs::create_dir_all(&foreign).unwrap();
    for name in ["meta.json", "thesis.txt", "lock"] {
        fs::write(foreign.join(name), "{}").unwrap();
    }
    fs::write(world.data.join("notes.txt"), "mine").unwrap();
    let index = fs::read_dir(&world.data)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let index = index
        .into_iter()
        .find(|path| path.join("files-1").exists())
        .unwrap();
    fs::create_dir(index.join("kept")).unwrap();
    fs::write(index.join("kept/notes.txt"), "mine").unwrap();
    world.found(&["clear", "--all"]);
    for kept in [
        "precious/meta.json",
        "precious/thesis.txt",
        "precious/lock",
        "notes.txt",
    ] {
        assert!(world.data.join(kept).exists(), "{kept}");
    }
    assert!(index.join("kept/notes.txt").exists() && !index.join("meta.json").exists());
}

#[test]
fn settings_take_effect() {
    let world = World::sample();
    world.write("gen.rs", "// @generated\nfn retry_generated() {}\n");
    let with =
        |name: &str, value: &str, args: &[&str]| ended(world.command().env(name, value).args(args));
    assert!(!world.found(&["retry_generated", "-l"]).contains("gen.rs"));
    let run = with(
        "SCENT_INDEX_INCLUDE_GENERATED",
        "true",
        &["retry_generated", "-l"],
    );
    assert!(run.out.starts_with("gen.rs\n"), "{run:?}");
    assert_holds(&run.err, &["settings", "rebuilt"], "another index");
    let run = with("SCENT_INDEX_MAX_FILE_SIZE", "50", &["retry", "-l"]);
    assert!(!run.out.contains("src/retry.rs"), "{run:?}");
    // Most of a notebook is outputs.
    let output = "x".repeat(200);
    let notebook = format!(
        "{{\"cells\": [{{\"cell_type\": \"code\", \"outputs\": [{{\"text\": [\"{output}\"]}}], \
         \"source\": [\n\"def retry_cell():\\n\",\n\"    return 1\"\n]}}]}}\n"
    );
    world.write("a.ipynb", notebook);
    let run = with("SCENT_INDEX_MAX_FILE_SIZE", "50", &["retry_cell", "-l"]);
    assert!(run.out.starts_with("a.ipynb\n"), "{run:?}");
    let run = with("SCENT_INDEX_MAX_FILE_SIZE", "20", &["retry_cell", "-l"]);
    assert!(!run.out.contains("a.ipynb"), "{run:?}");
    let run = with("SCENT_OUTPUT_FORMAT", "json", &["retry"]);
    assert!(serde_json::from_str::<Value>(&run.out).is_ok(), "{run:?}");
    let run = with("SCENT_OUTPUT_COLOR", "always", &["retry"]);
    assert!(run.out.contains('\x1b'), "{run:?}");
}
