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
    let user = world.home.join(if cfg!(windows) { "scent" } else { ".config/scent" });
    fs::create_dir_all(&user).unwrap();
    assert_eq!(shown(None, &[]), 5, "default");
    fs::write(user.join("config.toml"), "search.limit = 1\n").unwrap();
    assert_eq!(shown(None, &[]), 1, "user file");
    world.write("scent.toml", "[search]\nlimit = 2\n");
    assert_eq!(shown(None, &[]), 2, "project file");
    assert_eq!(shown(Some("3"), &[]), 3, "environment");
    assert_eq!(shown(Some(""), &[]), 2, "an empty variable is none");
    assert_eq!(shown(Some("3"), &["-k", "4"]), 4, "flag");

    let show = world.found(&["config", "show"]);
    assert_holds(&show, &["search.limit", "scent.toml", "SCENT_DATA_DIR"], "origins");
    let show = world.found(&["config", "show", "--json"]);
    let show: Value = serde_json::from_str(&show).unwrap();
    let limit = show.as_array().unwrap().iter().find(|s| s["key"] == "search.limit").unwrap();
    assert_eq!(
        (&limit["value"], &limit["environment"]),
        (&"2".into(), &"SCENT_SEARCH_LIMIT".into())
    );
}

#[test]
fn wrong_settings_say_where_and_what() {
    let cases: [(&str, &[&str]); 8] = [
        (
            "[search]\nlimits = 2\n",
            &["scent.toml", "search.limits", "did you mean", "search.limit"],
        ),
        ("limit = 2\n", &["search.limit"]),
        ("[zebra]\nx = 1\n", &["zebra.x", "config show"]),
        ("[search]\nlimit = \"many\"\n", &["scent.toml", "search.limit", "many"]),
        ("[search]\nlimit = 0\n", &["scent.toml", "search.limit"]),
        ("[index]\nmax_file_size = \"2 apples\"\n", &["index.max_file_size", "2 apples"]),
        ("[output]\ncolor = \"green\"\n", &["output.color", "auto, always, never"]),
        ("not toml", &["scent.toml"]),
    ];
    for (text, parts) in cases {
        let world = World::sample();
        world.write("scent.toml", text);
        assert_holds(&world.refused(&["retry"]), parts, text);
    }
    let world = World::sample();
    let run = ended(world.command().env("SCENT_OUTPUT_FORMAT", "xml").arg("retry"));
    assert_eq!(run.code, Some(2));
    assert_holds(&run.err, &["SCENT_OUTPUT_FORMAT", "xml", "text, markdown, json"], "environment");
}

#[test]
fn settings_take_effect() {
    let world = World::sample();
    world.write("gen.rs", "// @generated\nfn retry_generated() {}\n");
    let with =
        |name: &str, value: &str, args: &[&str]| ended(world.command().env(name, value).args(args));
    assert!(!world.found(&["retry_generated", "-l"]).contains("gen.rs"));
    let run = with("SCENT_INDEX_INCLUDE_GENERATED", "true", &["retry_generated", "-l"]);
    assert!(run.out.starts_with("gen.rs\n"), "{run:?}");
    assert_holds(&run.err, &["settings", "rebuilt"], "another index");
    let run = with("SCENT_INDEX_MAX_FILE_SIZE", "50", &["retry", "-l"]);
    assert!(!run.out.contains("src/retry.rs"), "{run:?}");
    let run = with("SCENT_OUTPUT_FORMAT", "json", &["retry"]);
    assert!(serde_json::from_str::<Value>(&run.out).is_ok(), "{run:?}");
    let run = with("SCENT_OUTPUT_COLOR", "always", &["retry"]);
    assert!(run.out.contains('\x1b'), "{run:?}");
}
