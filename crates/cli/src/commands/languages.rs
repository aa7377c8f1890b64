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
    let line = |l: &scent_engine::Language| {
        let names: Vec<&str> = [l.id].iter().chain(l.aliases).copied().collect();
        let endings = l.extensions.iter().map(|e| format!(".{e}"));
        let files: Vec<String> = endings
            .chain(l.file_names.iter().map(|f| (*f).to_owned()))
            .collect();
        let (class, names, files) = (l.class.as_str(), names.join(" "), files.join(" "));
        Text::line(&format!("{:<18}{class:<8}{names:<32}{files}", l.name))
    };
    languages().iter().map(line).collect()
}

fn as_json() -> Text {
    let entry = |l: &scent_engine::Language| {
        json!({
            "id": l.id,
            "name": l.name,
            "class": l.class.as_str(),
            "aliases": l.aliases,
            "extensions": l.extensions,
            "file_names": l.file_names,
        })
    };
    let all: Vec<_> = languages().iter().map(entry).collect();
    Text::json_pretty(&all)
}
