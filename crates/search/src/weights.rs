//! The numbers that decide the order, as `data/weights.toml` gives them.

use scent_index::TextField;
use scent_types::{FileCategory, Kind, Lane, Request};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use toml::Value;

/// Every number that ranking uses. The default is what users get; anything
/// else is for measuring.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    pub(crate) text: TextWeights,
    pub(crate) symbol: SymbolWeights,
    pub(crate) models: ModelWeights,
    pub(crate) vector: VectorWeights,
    pub(crate) late: LateWeights,
    pub(crate) pattern: PatternWeights,
    pub(crate) fusion: FusionWeights,
    pub(crate) signals: SignalWeights,
    pub(crate) certainty: CertaintyWeights,
    /// An answer that is less sure says so.
    pub(crate) unsure: f32,
    /// What differs where the query is nothing but names.
    pub(crate) names: ShapeWeights,
    /// What differs where only documentation may answer.
    pub(crate) docs: ShapeWeights,
    /// What differs in the parts of a report.
    pub(crate) report: ShapeWeights,
    /// What the parts of a report count.
    pub(crate) report_parts: ReportParts,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextWeights {
    pub k1: f32,
    pub inflections: f32,
    pub fields: FieldWeights,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldWeights {
    name: FieldWeight,
    signature: FieldWeight,
    path: FieldWeight,
    doc: FieldWeight,
    body: FieldWeight,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldWeight {
    pub weight: f32,
    pub b: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SymbolWeights {
    pub same: f32,
    pub same_but_case: f32,
    pub last_part: f32,
    pub declares: f32,
    pub nearest: f32,
    pub lesser: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelWeights {
    primary: f32,
    refined: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VectorWeights {
    pub floor: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LateWeights {
    pub unsure: f32,
    pub pool: usize,
    pub vector: f32,
    pub certainty: CertaintyWeights,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatternWeights {
    pub in_definition: f32,
    pub in_body: f32,
    pub alone: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FusionWeights {
    pub method: Method,
    pub k: f32,
    pub floor: f32,
    pub pool: usize,
    pub ahead: f32,
    pub lanes: LaneWeights,
}

/// How places in lanes are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Method {
    /// By the rank in each lane.
    Ranks,
    /// By the score in each lane against the greatest there can be.
    Normalized,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignalWeights {
    pub depth: usize,
    pub per_file_decay: f32,
    pub neighbour: f32,
    pub name: f32,
    pub container: f32,
    pub file: f32,
    pub whole_file: f32,
    pub folder: f32,
    pub length: f32,
    pub coherence: f32,
    pub near: f32,
    pub entry: f32,
    pub importance: f32,
    pub file_importance: f32,
    kinds: BTreeMap<Kind, f32>,
    categories: BTreeMap<String, f32>,
}

/// What a shape of question has instead; what it does not name is as for words.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShapeWeights {
    /// What a lane counts here, times what it counts.
    pub lanes: LaneWeights,
    pub signals: SignalWeights,
    pub certainty: CertaintyWeights,
}

/// What the parts of a report count, and the clues in it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportParts {
    pub terms: usize,
    pub title: f32,
    pub body: f32,
    pub frame: f32,
    pub frame_file: f32,
    pub frame_decay: f32,
    pub place: f32,
    pub path: f32,
    pub message: f32,
    pub name: f32,
    pub aside: f32,
    pub words: f32,
    pub words_k1: f32,
    pub words_b: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CertaintyWeights {
    pub base: f32,
    pub gap: f32,
    pub text: f32,
    pub semantic: f32,
    pub agree: f32,
    pub symbol: f32,
    pub missing: f32,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaneWeights {
    text: f32,
    symbol: f32,
    path: f32,
    vector: f32,
    late: f32,
}

const DATA: &str = include_str!("../data/weights.toml");

impl Default for Weights {
    fn default() -> Weights {
        static SHIPPED: OnceLock<Weights> = OnceLock::new();
        SHIPPED
            .get_or_init(|| Weights::with("").expect("the shipped weights are read"))
            .clone()
    }
}

impl Weights {
    /// The default with the numbers in this TOML instead of its own.
    pub fn with(overlay: &str) -> Result<Weights, String> {
        let mut all = parse(DATA)?;
        lay_over(&mut all, parse(overlay)?);
        for shape in ["names", "docs", "report"] {
            inherit(&mut all, shape);
        }
        let weights: Weights = all.try_into().map_err(|e: toml::de::Error| e.to_string())?;
        weights.check()?;
        Ok(weights)
    }

    fn check(&self) -> Result<(), String> {
        let b = TextField::ALL.map(|field| self.text.field(field).b);
        let wrong = if b.iter().any(|b| !(0.0..=1.0).contains(b)) {
            "a field's b must be from 0 to 1"
        } else if self.text.k1 <= 0.0 {
            "text.k1 must be above 0"
        } else if self.models.at(0) + self.models.at(1) <= 0.0 {
            "one of the models must count"
        } else if !(0.0..1.0).contains(&self.fusion.floor) {
            "fusion.floor must be from 0 to below 1"
        } else if self.fusion.k < 0.0 {
            "fusion.k must be 0 or more"
        } else {
            return self.check_categories();
        };
        Err(wrong.into())
    }

    fn check_categories(&self) -> Result<(), String> {
        for signals in [
            &self.signals,
            &self.names.signals,
            &self.docs.signals,
            &self.report.signals,
        ] {
            for name in signals.categories.keys() {
                if !FileCategory::ALL.iter().any(|known| known.as_str() == name) {
                    return Err(format!("{name}: no category of file"));
                }
            }
        }
        Ok(())
    }

    /// Whether an answer that is so sure ought to say how sure it is.
    pub fn are_unsure(&self, certainty: f32) -> bool {
        certainty < self.unsure
    }

    /// Whether any lane that compares vectors counts for a request.
    pub fn needs_embeddings(&self, request: &Request) -> bool {
        self.fusion.lanes.only(&request.lanes).count_semantic()
    }
}

impl LaneWeights {
    pub fn get(&self, lane: Lane) -> f32 {
        match lane {
            Lane::Text => self.text,
            Lane::Symbol => self.symbol,
            Lane::Path => self.path,
            Lane::Vector => self.vector,
            Lane::Late => self.late,
            // A pattern narrows what may answer; it is no list of its own.
            Lane::Pattern => 0.0,
        }
    }

    /// The same, with nothing for lanes that are not among these; none stands
    /// for all.
    pub fn only(&self, lanes: &[Lane]) -> LaneWeights {
        let weight = |lane| {
            let asked = lanes.is_empty() || lanes.contains(&lane);
            if asked { self.get(lane) } else { 0.0 }
        };
        LaneWeights {
            text: weight(Lane::Text),
            symbol: weight(Lane::Symbol),
            path: weight(Lane::Path),
            vector: weight(Lane::Vector),
            late: weight(Lane::Late),
        }
    }

    /// A lane that counts nothing still counts nothing.
    pub fn times(&self, other: &LaneWeights) -> LaneWeights {
        LaneWeights {
            text: self.text * other.text,
            symbol: self.symbol * other.symbol,
            path: self.path * other.path,
            vector: self.vector * other.vector,
            late: self.late * other.late,
        }
    }

    /// How many lanes count.
    pub fn counting(&self) -> usize {
        let counting = Lane::RETRIEVING
            .iter()
            .filter(|lane| self.get(**lane) > 0.0);
        counting.count()
    }

    /// Whether any lane that compares vectors counts.
    pub fn count_semantic(&self) -> bool {
        self.vector > 0.0 || self.late > 0.0
    }
}

impl TextWeights {
    pub fn field(&self, field: TextField) -> FieldWeight {
        match field {
            TextField::Name => self.fields.name,
            TextField::Signature => self.fields.signature,
            TextField::Path => self.fields.path,
            TextField::Doc => self.fields.doc,
            TextField::Body => self.fields.body,
        }
    }
}

impl ModelWeights {
    /// What the scores of a model count, by its position: the primary one first.
    pub fn at(&self, nth: usize) -> f32 {
        if nth == 0 { self.primary } else { self.refined }
    }
}

impl SignalWeights {
    pub fn kind(&self, kind: Kind) -> f32 {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    pub fn category(&self, category: FileCategory) -> f32 {
        self.categories
            .get(category.as_str())
            .copied()
            .unwrap_or_default()
    }
}

fn parse(text: &str) -> Result<toml::Table, String> {
    text.parse().map_err(|e: toml::de::Error| e.to_string())
}

/// Gives a shape the signals and the certainty that it does not name itself.
fn inherit(all: &mut toml::Table, shape: &str) {
    for part in ["signals", "certainty"] {
        let Some(Value::Table(mut whole)) = all.get(part).cloned() else {
            continue;
        };
        let Some(Value::Table(shape)) = all.get_mut(shape) else {
            continue;
        };
        if let Some(Value::Table(own)) = shape.remove(part) {
            lay_over(&mut whole, own);
        }
        shape.insert(part.into(), Value::Table(whole));
    }
}

/// Puts the values of one table over those of another, table by table.
fn lay_over(under: &mut toml::Table, over: toml::Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Table(under)), Value::Table(over)) => lay_over(under, over),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_changes_what_it_names_and_nothing_else() {
        let weights = Weights::with("[text.fields]\nname = { weight = 9.0 }").unwrap();
        let name = weights.text.field(TextField::Name);
        assert_eq!((name.weight, name.b), (9.0, 0.8));
        assert_eq!(
            Weights {
                text: Weights::default().text,
                ..weights
            },
            Weights::default()
        );
    }

    #[test]
    fn a_shape_has_what_it_does_not_name_from_words() {
        let weights = Weights::with("[signals]\nlength = 7.0\n[docs.signals]\nname = 9.0").unwrap();
        let docs = &weights.docs.signals;
        assert_eq!((docs.length, docs.name), (7.0, 9.0));
    }

    #[test]
    fn what_is_no_weight_is_refused() {
        for bad in [
            "[text]\nk2 = 1.0",
            "[text]\nk1 = 0",
            "[text.fields.body]\nb = 1.5",
            "[models]\nprimary = 0\nrefined = 0",
            "[fusion]\nk = -1",
            "[fusion\n",
        ] {
            assert!(Weights::with(bad).is_err(), "{bad}");
        }
    }
}
