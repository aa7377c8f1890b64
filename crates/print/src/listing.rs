//! Units of files, languages and settings.

use crate::paths::Paths;
use crate::text::{Layout, Text};
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::FileUnits;

/// The units of a file for people.
pub fn units_text(file: &FileUnits, paths: &Paths) -> Text {
    let mut out = Text::default();
    for read in &file.units {
        let unit = &read.unit;
        let place = format!("{}:{}", paths.shown(&file.path), unit.lines);
        out += paths.linked(&file.path, Text::span(&place));
        out += Text::line(&format!("  {} {}", unit.kind, unit.qualified));
        out += Text::line(&format!("    {}", read.words));
    }
    out
}

/// The units of a file as JSON, one a line. `root` is the folder that relative
/// paths start from.
pub fn units_json(root: &str, file: &FileUnits) -> Text {
    let mut out = Text::default();
    for read in &file.units {
        let unit = &read.unit;
        out += Text::json(&wire::Unit {
            schema: SCHEMA_VERSION,
            root: root.to_owned(),
            path: file.path.clone(),
            start_line: unit.lines.start,
            end_line: unit.lines.end,
            kind: unit.kind.as_str(),
            name: unit.name.clone(),
            qualified_name: unit.qualified.clone(),
            signature: unit.signature.clone(),
            language: file.language.to_owned(),
            doc: unit.doc.clone(),
            members: unit.members.clone(),
            passage: unit.passage,
            body: file.source.slice(unit.cover).to_owned(),
            words: read.words.clone(),
        });
    }
    out
}

/// A table of languages.
pub fn languages_text(languages: &[wire::Language]) -> Text {
    let mut out = Text::default();
    for language in languages {
        let wire::Language { name, class, .. } = language;
        let words = [&[language.id], language.aliases].concat().join(" ");
        let mut files: Vec<String> = Vec::new();
        for extension in language.extensions {
            files.push(format!(".{extension}"));
        }
        files.extend(language.file_names.iter().map(|name| (*name).to_owned()));
        let files = files.join(" ");
        let features = language.features.join(" ");
        let by = language.parsed_by;
        out += Text::line(&format!(
            "{name:<18}{class:<8}{words:<34}{by:<11}{features:<35}{files}"
        ));
    }
    out
}

/// Languages as JSON, with a line end.
pub fn languages_json(languages: Vec<wire::Language>, layout: Layout) -> Text {
    let answer = wire::Languages {
        schema: SCHEMA_VERSION,
        languages,
    };
    Text::json_in(layout, &answer)
}

/// A table of settings.
pub fn config_text(settings: &[wire::Setting]) -> Text {
    let mut out = Text::default();
    for setting in settings {
        let wire::Setting {
            key,
            value,
            origin,
            about,
            ..
        } = setting;
        out += Text::line(&format!("{key:<26}{value:<24} # {origin}; {about}"));
    }
    out
}

/// Settings as JSON, with a line end. `root` is the project whose settings they
/// are.
pub fn config_json(root: String, settings: Vec<wire::Setting>, layout: Layout) -> Text {
    let answer = wire::Config {
        schema: SCHEMA_VERSION,
        root,
        settings,
    };
    Text::json_in(layout, &answer)
}
