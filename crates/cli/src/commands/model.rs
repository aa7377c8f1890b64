//! `scent model`: show or change the embedding model.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, ModelAction, ModelArgs};
use crate::config::Setting;
use crate::output::{note, print};
use anyhow::Context;
use scent_engine::config_folder;
use scent_print::Text;
use scent_types::ModelInfo;
use std::fs;

pub(crate) fn run(args: ModelArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    match args.action {
        None => show(flags)?,
        Some(ModelAction::Use { model }) => choose(&model, flags)?,
    }
    Ok(Outcome::Found)
}

fn show(flags: &GlobalArgs) -> anyhow::Result<()> {
    let session = Session::new(&[], flags)?;
    let setting = session.config.setting("model");
    let models = session.engine.models()?;
    let mut text = Text::default();
    for (nth, about) in models.iter().rev().enumerate() {
        let origin = match nth {
            0 => format!("{}, from {}", setting.value, setting.origin),
            _ => "answers alone until the other has embedded everything".to_owned(),
        };
        text += Text::line(&format!("model       {} ({origin})", about.name));
        text += Text::line(&format!("vectors     {}", vectors(about)));
    }
    print(text + Text::line(&format!("computed by {}", session.engine.kernel())))
}

fn vectors(about: &ModelInfo) -> String {
    let dimensions = format!("one per unit, {} dimensions", about.dims);
    match about.token_bytes {
        0 => dimensions,
        bytes => format!("{dimensions}; {bytes} bytes per token"),
    }
}

/// Tries the model, then writes it into the user's settings.
fn choose(model: &str, flags: &GlobalArgs) -> anyhow::Result<()> {
    let mut with_model_flag = flags.clone();
    with_model_flag.model = Some(model.to_owned());
    let mut session = Session::new(&[], &with_model_flag)?;
    // The last is the one that the user named.
    let last = session.engine.models()?.pop();
    let name = last.map_or_else(String::new, |about| about.name);
    let folder =
        config_folder().context("no folder for settings on this system; set XDG_CONFIG_HOME")?;
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let file = folder.join("config.toml");
    let before = fs::read_to_string(&file).unwrap_or_default();
    fs::write(&file, with_model(&before, model)).with_context(|| file.display().to_string())?;
    note(flags, &format!("{}: model = {name}", file.display()));
    // The environment may override it.
    session = Session::new(&[], flags)?;
    if session.config.get("model") != model {
        let Setting { value, origin } = session.config.setting("model");
        note(flags, &format!("{origin} overrides it with {value}"));
    }
    Ok(())
}

/// The text of a settings file with this model in it, all else as it was.
fn with_model(text: &str, model: &str) -> String {
    // What JSON quotes, TOML reads.
    let line = format!("model = {}", serde_json::Value::from(model));
    let top = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with('['));
    let Some(position) = top.clone().position(sets_model) else {
        return format!("{line}\n{text}");
    };
    let mut lines: Vec<&str> = text.lines().collect();
    lines[position] = &line;
    lines.join("\n") + "\n"
}

fn sets_model(line: &str) -> bool {
    let key = line.split('=').next();
    key.is_some_and(|key| key.trim() == "model")
}

#[cfg(test)]
mod tests {
    use super::with_model;

    #[test]
    fn a_model_is_written_beside_what_is_there() {
        for (before, want) in [
            ("", "model = \"small\"\n"),
            ("# mine\nmodel = \"x\"\n", "# mine\nmodel = \"small\"\n"),
            (
                "[index]\nmodel = 1\n",
                "model = \"small\"\n[index]\nmodel = 1\n",
            ),
        ] {
            assert_eq!(with_model(before, "small"), want);
        }
    }
}
