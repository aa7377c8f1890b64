//! `scent languages`: what is parsed, and how it is recognised.

use crate::Outcome;
use crate::args::LanguagesArgs;
use crate::output::{json_layout, print};
use scent_print::wire::Language;
use scent_print::{languages_json, languages_text};

pub(crate) fn run(args: LanguagesArgs) -> anyhow::Result<Outcome> {
    let mut languages = Vec::new();
    for language in scent_engine::languages() {
        languages.push(Language {
            id: language.id,
            name: language.name,
            class: language.class.as_str(),
            aliases: language.aliases,
            extensions: language.extensions,
            file_names: language.file_names,
            parsed_by: language.parsed_by(),
            features: language.features(),
        });
    }
    print(if args.json {
        languages_json(languages, json_layout())
    } else {
        languages_text(&languages)
    })?;
    Ok(Outcome::Found)
}
