//! The forms of answers about the health of code.

use crate::budget::Budget;
use crate::lookup::{Answer, Envelope, dependency_text, parse_mark, place_text, title, wired};
use crate::paths::Paths;
use crate::text::Text;
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::{Cycle, Cycles, Unused, UnusedDefinition};

impl Answer for Unused {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        for found in &self.definitions {
            out += unused_text(paths, found);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::Unused {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                unused: wired(&self.definitions),
                total: self.total,
                shown: self.definitions.len(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |found: &UnusedDefinition| unused_text(paths, found);
        budget.keep(&mut self.definitions, text, |found| {
            Text::json(&wire::UnusedDefinition::from(found))
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.definitions.len(), self.total)
    }
}

impl Answer for Cycles {
    fn text(&self, paths: &Paths) -> Text {
        let mut out = Text::default();
        for cycle in &self.cycles {
            out += cycle_text(paths, cycle);
        }
        out
    }

    fn json(&self, envelope: Envelope) -> Text {
        Text::json_in(
            envelope.layout,
            &wire::Cycles {
                schema: SCHEMA_VERSION,
                root: envelope.root,
                cycles: wired(&self.cycles),
                total: self.total,
                shown: self.cycles.len(),
                rest: envelope.rest,
                notes: wired(&envelope.notes),
            },
        )
    }

    fn cut(&mut self, budget: &mut Budget, paths: &Paths) {
        let text = |cycle: &Cycle| cycle_text(paths, cycle);
        budget.keep(&mut self.cycles, text, |cycle| {
            Text::json(&wire::Cycle::from(cycle))
        });
    }

    fn counts(&self) -> (usize, usize) {
        (self.cycles.len(), self.total)
    }
}

fn unused_text(paths: &Paths, found: &UnusedDefinition) -> Text {
    let UnusedDefinition {
        definition,
        confidence,
        reason,
    } = found;
    let mark = parse_mark(definition.parse_errors);
    let about = format!("{}  [{reason} {confidence:.2}]{mark}", title(definition));
    place_text(paths, &definition.path, definition.line, &about)
}

fn cycle_text(paths: &Paths, cycle: &Cycle) -> Text {
    let mut out = Text::line(&format!("{} files", cycle.imports.len()));
    for import in &cycle.imports {
        out += Text::span("  ") + dependency_text(paths, import, false);
    }
    out
}
