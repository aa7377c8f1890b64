//! `scent config show`: every setting, and where it comes from.

use super::Session;
use crate::Outcome;
use crate::args::{ConfigAction, ConfigArgs, GlobalArgs};
use crate::config::environment_name;
use crate::output::print;
use scent_print::Text;
use serde_json::json;

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

/// The value, unless it is nobody else's business.
fn shown(key: &str, setting: &crate::config::Setting) -> String {
    let secret = key == "model_key" && !setting.value.is_empty();
    if secret {
        "(set)".to_owned()
    } else {
        setting.value.clone()
    }
}

fn as_text(session: &Session) -> Text {
    let row = |(key, setting, about): (&str, &crate::config::Setting, &str)| {
        let value = shown(key, setting);
        Text::line(&format!(
            "{key:<26}{value:<24} # {}; {about}",
            setting.origin
        ))
    };
    let rows: Text = session.config.each().map(row).collect();
    let example = environment_name("data_dir");
    let order = format!("default, user file, scent.toml, {example} and so on, flags.");
    rows + Text::from("\n") + Text::line(&format!("In rising order: {order}"))
}

fn as_json(session: &Session) -> Text {
    let entry = |(key, setting, _): (&str, &crate::config::Setting, &str)| json!({"key": key, "value": shown(key, setting), "origin": setting.origin, "environment": environment_name(key)});
    let all: Vec<_> = session.config.each().map(entry).collect();
    Text::json_pretty(&all)
}
