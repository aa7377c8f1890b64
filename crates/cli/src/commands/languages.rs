//! `scent languages`: what is parsed, and how it is recognised.

use crate::Outcome;
use crate::args::LanguagesArgs;
use crate::output::print;
use scent_engine::languages;
use scent_print::Text;
use serde_json::json;

pub(crate) fn run(args: LanguagesArgs) -> anyhow::Result<Outcome> {
    print(if args.json { as_json() } else { as_text() })?;
    Ok(Outcome::Found)
}

fn as_text() -> Text {
    let mut text = Text::default();
    for language in languages() {
        let mut names = vec![language.id];
        names.extend(language.aliases);
        let mut files = Vec::new();
        for extension in language.extensions {
            files.push(format!(".{extension}"));
        }
        for name in language.file_names {
            files.push((*name).to_owned());
        }
        let class = language.class.as_str();
        let names = names.join(" ");
        let files = files.join(" ");
        let name = language.name;
        text += Text::line(&format!("{name:<18}{class:<8}{names:<32}{files}"));
    }
    text
}

fn as_json() -> Text {
    let mut all = Vec::new();
    for language in languages() {
        all.push(json!({
            "id": language.id,
            "name": language.name,
            "class": language.class.as_str(),
            "aliases": language.aliases,
            "extensions": language.extensions,
            "file_names": language.file_names,
        }));
    }
    Text::json_pretty(&all)
}
