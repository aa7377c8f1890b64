//! `scent model`: which model reads meanings, and how to use another.

use super::Session;
use crate::Outcome;
use crate::args::{GlobalArgs, ModelAction, ModelArgs};
use crate::output::{note, print};
use anyhow::Context;
use scent_engine::{ModelInfo, config_folder};
use scent_print::Text;
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
            _ => "beside it; answers alone until that has read everything".to_owned(),
        };
        text += Text::line(&format!("model       {} ({origin})", about.name));
        text += Text::line(&format!("gives       {}", gives(about)));
    }
    print(text + Text::line(&format!("computed by {}", session.engine.kernel())))
}

fn gives(about: &ModelInfo) -> String {
    let numbers = format!("one vector a unit, {} numbers", about.dims);
    match about.token_bytes {
        0 => numbers,
        bytes => format!("{numbers}, and {bytes} bytes for each token"),
    }
}

/// Tries the model, then writes it into the user's settings.
fn choose(model: &str, flags: &GlobalArgs) -> anyhow::Result<()> {
    let mut session = Session::new(
        &[],
        &GlobalArgs {
            model: Some(model.to_owned()),
            ..flags.clone()
        },
    )?;
    // The last is the one that was asked for.
    let name = session
        .engine
        .models()?
        .pop()
        .map_or_else(String::new, |about| about.name);
    let folder = config_folder().context("no folder for settings is known on this system")?;
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let file = folder.join("config.toml");
    let before = fs::read_to_string(&file).unwrap_or_default();
    fs::write(&file, with_model(&before, model)).with_context(|| file.display().to_string())?;
    note(
        flags,
        &format!("{name} is used from now on ({})", file.display()),
    );
    // A project may say otherwise, and so may the environment.
    session = Session::new(&[], flags)?;
    if session.config.get("model") != model {
        let origin = &session.config.setting("model").origin;
        note(
            flags,
            &format!("but {origin} asks for {} here", session.config.get("model")),
        );
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
    let is_model = |line: &str| {
        line.split('=')
            .next()
            .is_some_and(|key| key.trim() == "model")
    };
    match top.clone().position(is_model) {
        Some(at) => {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[at] = &line;
            lines.join("\n") + "\n"
        }
        None => format!("{line}\n{text}"),
    }
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
