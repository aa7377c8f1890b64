//! `scent languages`: what is parsed, and how it is recognised.

use crate::Outcome;
use crate::args::LanguagesArgs;
use crate::output::print;
use scent_engine::languages;
use serde_json::json;

pub(crate) fn run(args: LanguagesArgs) -> anyhow::Result<Outcome> {
    let text = if args.json { as_json() } else { as_text() };
    print(&text)?;
    Ok(Outcome::Found)
}

fn as_text() -> String {
    let line = |l: &scent_engine::Language| {
        let names: Vec<&str> = [l.id].iter().chain(l.aliases).copied().collect();
        let endings = l.extensions.iter().map(|e| format!(".{e}"));
        let files: Vec<String> =
            endings.chain(l.file_names.iter().map(|f| (*f).to_owned())).collect();
        format!("{:<18}{:<8}{:<32}{}\n", l.name, l.class.as_str(), names.join(" "), files.join(" "))
    };
    languages().iter().map(line).collect()
}

fn as_json() -> String {
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
    format!("{:#}\n", json!(all))
}
