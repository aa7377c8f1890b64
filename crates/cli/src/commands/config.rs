//! `scent config show`: every setting, and where it comes from.

use super::Session;
use crate::Outcome;
use crate::args::{ConfigAction, ConfigArgs, GlobalArgs};
use crate::keys::environment_name;
use crate::output::{json_layout, print};
use scent_engine::display_path;
use scent_print::wire::Setting;
use scent_print::{Text, config_json, config_text};

const PRECEDENCE: &str = "
Later sources override earlier ones: defaults, the user's config.toml, the
project's scent.toml, environment variables (SCENT_DATA_DIR sets data_dir), flags.
";

pub(crate) fn run(args: ConfigArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let ConfigAction::Show { json } = args.action;
    let session = Session::new(&[], flags)?;
    let settings = settings(&session);
    print(if json {
        let root = display_path(session.project().root());
        config_json(root, settings, json_layout())
    } else {
        config_text(&settings) + Text::from(PRECEDENCE)
    })?;
    Ok(Outcome::Found)
}

fn settings(session: &Session) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (key, setting, about) in session.config.each() {
        let is_secret = key == "model_key" && !setting.value.is_empty();
        settings.push(Setting {
            key: key.to_owned(),
            value: match is_secret {
                true => "(set)".to_owned(),
                false => setting.value.clone(),
            },
            origin: setting.origin.to_string(),
            environment: environment_name(key),
            about: about.to_owned(),
        });
    }
    settings
}
