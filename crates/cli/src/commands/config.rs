//! `scent config show`: every setting, and where it comes from.

use super::Session;
use crate::Outcome;
use crate::args::{ConfigAction, ConfigArgs, GlobalArgs};
use crate::config::{Setting, environment_name};
use crate::output::print;
use scent_print::Text;
use serde_json::json;

const PRECEDENCE: &str = "
Later sources override earlier ones: defaults, the user's config.toml, the
project's scent.toml, environment variables (SCENT_DATA_DIR sets data_dir), flags.
";

pub(crate) fn run(args: ConfigArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let ConfigAction::Show { json } = args.action;
    let session = Session::new(&[], flags)?;
    print(if json {
        as_json(&session)
    } else {
        as_text(&session)
    })?;
    Ok(Outcome::Found)
}

/// The value, unless it is a secret.
fn public_value<'s>(key: &str, setting: &'s Setting) -> &'s str {
    match setting.value.as_str() {
        "" => "",
        _ if key == "model_key" => "(set)",
        value => value,
    }
}

fn as_text(session: &Session) -> Text {
    let mut text = Text::default();
    for (key, setting, about) in session.config.each() {
        let value = public_value(key, setting);
        let origin = &setting.origin;
        text += Text::line(&format!("{key:<26}{value:<24} # {origin}; {about}"));
    }
    text + Text::from(PRECEDENCE)
}

fn as_json(session: &Session) -> Text {
    let mut all = Vec::new();
    for (key, setting, _) in session.config.each() {
        all.push(json!({
            "key": key,
            "value": public_value(key, setting),
            "origin": setting.origin,
            "environment": environment_name(key),
        }));
    }
    Text::json_pretty(&all)
}
