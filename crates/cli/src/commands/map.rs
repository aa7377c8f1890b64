//! `scent map`: the files and symbols of a project to read first.

use super::inside;
use super::lookup::Place;
use crate::Outcome;
use crate::args::{Format, GlobalArgs, MapArgs};
use crate::output::{json_layout, note, print};
use scent_engine::MapOptions;
use scent_print::{Answer, Budget, Envelope, map_markdown};

/// A file and one of its symbols take at least about so many tokens.
const TOKENS_OF_A_FILE: usize = 16;

/// At least so many files are looked at.
const FEWEST_FILES: usize = 60;

pub(crate) fn run(args: MapArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(args.path.as_deref(), &args.patience, flags)?;
    let path = match &args.path {
        Some(path) => inside(path, place.root())?,
        None => String::new(),
    };
    let options = MapOptions {
        path,
        files: (args.max_tokens / TOKENS_OF_A_FILE).max(FEWEST_FILES),
    };
    let (mut map, notes) = place.ask(flags, |project| project.map(&options))?;
    let format = if args.json {
        Format::Json
    } else {
        args.format.unwrap_or(Format::Text)
    };
    let paths = place.paths();
    let mut budget = Budget::new(args.max_tokens, format == Format::Json);
    map.cut(&mut budget, &paths);
    let (shown, total) = map.counts();
    let rest = (shown < total).then(|| more(&args));
    if format == Format::Json {
        print(map.json(Envelope {
            root: paths.root,
            rest,
            notes,
            layout: json_layout(),
        }))?;
        return Ok(Outcome::found(shown > 0));
    }
    print(match format {
        Format::Markdown => map_markdown(&map, &paths),
        Format::Text | Format::Json => map.text(&paths),
    })?;
    if let Some(rest) = rest {
        let text = format!("{shown} of {total} symbols shown; `{rest}` shows more");
        note(flags, &text);
    }
    Ok(Outcome::found(shown > 0))
}

/// The command that shows more of the same map.
fn more(args: &MapArgs) -> String {
    let tokens = (args.max_tokens * 2).to_string();
    let path = args.path.as_ref().map(|path| path.to_string_lossy());
    let mut words = vec!["scent", "map"];
    words.extend(path.as_deref());
    words.extend(["--max-tokens", &tokens]);
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}
