//! What of a report points at places in code by itself: frames of stack traces,
//! files that it names, messages that are in the code, names that it defines.

use super::files::FilesByName;
use super::messages::constant_parts;
use crate::corpus::UnitNo;
use crate::error::SearchError;
use crate::matcher::Matcher;
use crate::names::namesakes;
use crate::pattern::units_matching;
use crate::query::Context;
use crate::retrieve::FileKey;
use crate::weights::ReportParts;
use scent_types::{Case, Frame, Pattern, Report, Syntax};
use std::collections::HashMap;

/// What more units than this hold points at none of them.
const MOST_UNITS: usize = 20;

/// A stretch of a message of so many characters is sure to be the right one.
const SURE: f32 = 25.0;

/// So many names are looked up.
const MOST_NAMES: usize = 60;

/// One thing that points at a place.
#[derive(Clone, Debug)]
pub(super) struct Clue {
    pub name: &'static str,
    pub amount: f32,
    pub why: String,
}

/// Everything that points at places: the best of each sort for each of them.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub units: HashMap<UnitNo, Vec<Clue>>,
    pub files: HashMap<FileKey, Vec<Clue>>,
}

impl Evidence {
    pub fn gather(
        cx: &Context,
        report: &Report,
        weights: &ReportParts,
    ) -> Result<Evidence, SearchError> {
        let mut evidence = Evidence::default();
        if !report.frames.is_empty() || !report.places.is_empty() {
            let files = FilesByName::new(cx.corpus, &cx.allowed);
            evidence.add_frames(cx, &report.frames, &files, weights)?;
            evidence.add_places(cx, report, &files, weights);
        }
        evidence.add_messages(cx, report, weights)?;
        evidence.add_names(cx, report, weights)?;
        Ok(evidence)
    }

    /// Files that hold much of what the text says, wherever in them.
    pub fn add_files(&mut self, scores: HashMap<FileKey, f32>, weight: f32) {
        let best = scores.values().copied().fold(f32::MIN_POSITIVE, f32::max);
        for (file, score) in scores {
            let part = score / best;
            let why = format!(
                "the file has {:.0}% of what the best file has of the words",
                100.0 * part
            );
            self.add_file(file, "words", weight * part, &why);
        }
    }

    /// The innermost frame of ours counts most.
    fn add_frames(
        &mut self,
        cx: &Context,
        frames: &[Frame],
        files: &FilesByName,
        weights: &ReportParts,
    ) -> Result<(), SearchError> {
        let mut ours = 0;
        for frame in frames {
            if frame.depth == 0 {
                ours = 0;
            }
            let meant = files.meant(&frame.path, false);
            if meant.is_empty() {
                continue;
            }
            let part = weights.frame_decay.powi(ours) / meant.len() as f32;
            ours += 1;
            for file in meant {
                let why = format!("frame {} of the trace", frame.nth);
                if let Some(unit) = unit_of(cx, file, frame)? {
                    self.add_unit(unit, "frame", weights.frame * part, &why);
                }
                self.add_file(file, "frame_file", weights.frame_file * part, &why);
            }
        }
        Ok(())
    }

    fn add_places(
        &mut self,
        cx: &Context,
        report: &Report,
        files: &FilesByName,
        weights: &ReportParts,
    ) {
        for place in &report.places {
            let meant = files.meant(&place.path, true);
            let part = 1.0 / meant.len().max(1) as f32;
            for file in meant {
                let why = match place.line {
                    Some(line) => format!("the text names {}:{line}", place.path),
                    None => format!("the text names {}", place.path),
                };
                let at_line = place.line.and_then(|line| unit_at(cx, file, line));
                if let Some(unit) = at_line {
                    self.add_unit(unit, "place", weights.place * part, &why);
                }
                self.add_file(file, "path", weights.path * part, &why);
            }
        }
    }

    /// Messages are formats with holes: any stretch of one may be in the code.
    fn add_messages(
        &mut self,
        cx: &Context,
        report: &Report,
        weights: &ReportParts,
    ) -> Result<(), SearchError> {
        for message in &report.messages {
            for part in constant_parts(message) {
                let pattern = Pattern {
                    text: part.clone(),
                    syntax: Syntax::Literal,
                    case: Case::Insensitive,
                    word: false,
                };
                let found = units_matching(cx, &Matcher::new(&pattern)?)?;
                if found.len() > MOST_UNITS {
                    continue;
                }
                let sure = (part.len() as f32 / SURE).min(1.0);
                let amount = weights.message * sure / (found.len() as f32).sqrt();
                let why = format!("it holds \"{part}\"");
                for unit in found.into_keys() {
                    self.add_unit(unit, "message", amount, &why);
                }
            }
        }
        Ok(())
    }

    /// What the text names and this corpus defines; the fewer are called so, the
    /// more it tells.
    fn add_names(
        &mut self,
        cx: &Context,
        report: &Report,
        weights: &ReportParts,
    ) -> Result<(), SearchError> {
        let mut known = 0;
        for name in &report.names {
            cx.check_deadline()?;
            let units = namesakes(cx.corpus, name, &cx.allowed)?;
            if units.is_empty() || units.len() > MOST_UNITS {
                continue;
            }
            let part = 1.0 / (units.len() as f32).sqrt();
            let why = format!("the text names {name}");
            for unit in units {
                self.add_unit(unit, "name", weights.name * part, &why);
            }
            known += 1;
            if known == MOST_NAMES {
                break;
            }
        }
        Ok(())
    }

    fn add_unit(&mut self, unit: UnitNo, name: &'static str, amount: f32, why: &str) {
        keep_best(self.units.entry(unit).or_default(), name, amount, why);
    }

    fn add_file(&mut self, file: FileKey, name: &'static str, amount: f32, why: &str) {
        keep_best(self.files.entry(file).or_default(), name, amount, why);
    }
}

fn keep_best(clues: &mut Vec<Clue>, name: &'static str, amount: f32, why: &str) {
    if amount <= 0.0 {
        return;
    }
    let known = clues.iter_mut().find(|clue| clue.name == name);
    match known {
        Some(clue) if clue.amount >= amount => {}
        Some(clue) => {
            clue.amount = amount;
            why.clone_into(&mut clue.why);
        }
        None => clues.push(Clue {
            name,
            amount,
            why: why.to_owned(),
        }),
    }
}

/// The unit of a frame: the one with its function's name that is nearest to its
/// line, which another version may have elsewhere, or the one at its line.
fn unit_of(cx: &Context, file: FileKey, frame: &Frame) -> Result<Option<UnitNo>, SearchError> {
    if let Some(function) = &frame.function {
        let (base, snapshot) = part(cx, file);
        let line = frame.line.unwrap_or(1);
        let units = snapshot.text().units_of(file.1)?;
        let called = units.iter().filter(|(_, unit)| unit.name == *function);
        let far = |lines: scent_types::Lines| {
            lines.start.saturating_sub(line) + line.saturating_sub(lines.end)
        };
        let nearest = called.min_by_key(|(_, unit)| far(unit.lines));
        if let Some((at, _)) = nearest {
            return Ok(Some(base + at).filter(|unit| cx.allowed.holds(*unit)));
        }
    }
    Ok(frame.line.and_then(|line| unit_at(cx, file, line)))
}

fn unit_at(cx: &Context, file: FileKey, line: u32) -> Option<UnitNo> {
    let (base, snapshot) = part(cx, file);
    let unit = base + snapshot.text().unit_at(file.1, line)?;
    cx.allowed.holds(unit).then_some(unit)
}

fn part<'c>(cx: &'c Context, file: FileKey) -> (UnitNo, &'c scent_index::Snapshot) {
    cx.corpus.parts().nth(file.0).expect("a file of the corpus")
}
