//! What is asked as vectors, and how far the answers know meanings.

use crate::error::EngineError;
use crate::models::Reader;
use scent_embed::Asked;
use scent_index::{Snapshot, VectorModel};
use scent_search::{Question, Weights};
use scent_types::{Better, Lines, Meaning, Request};
use std::sync::Arc;

/// Which of the models answers, by its position: the better one once it has
/// read all units of all snapshots, until then the fast one. It is one for all
/// of them, since scores of two models do not compare.
pub(crate) fn choose(readers: &[Reader], snapshots: &[Arc<Snapshot>]) -> usize {
    let has_read_all =
        |nth: &usize| snapshots.iter().all(|snapshot| is_complete(snapshot, &readers[*nth].model));
    (1..readers.len()).rev().find(has_read_all).unwrap_or(0)
}

fn is_complete(snapshot: &Snapshot, model: &VectorModel) -> bool {
    wants(snapshot, model) && snapshot.pending_of(model).units() == 0
}

fn wants(snapshot: &Snapshot, model: &VectorModel) -> bool {
    snapshot.models().any(|wanted| wanted.is_same(model))
}

/// The question as vectors, where a lane asks for them and an index has some.
pub(crate) fn ask(
    reader: &Reader,
    snapshots: &[Arc<Snapshot>],
    request: &Request,
    weights: &Weights,
) -> Result<Option<Question>, EngineError> {
    if request.query.trim().is_empty() || !weights.asks_for_meaning(request) {
        return Ok(None);
    }
    let model = reader.model.clone();
    if let Some(other) = snapshots.iter().find(|snapshot| !wants(snapshot, &model)) {
        let has = other.models().map(|model| model.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(EngineError::OtherModel { has, wants: model.name });
    }
    if snapshots.iter().all(|snapshot| snapshot.vectors_of(&model).is_none()) {
        return Ok(None);
    }
    let asked = reader.encoder.ask(&request.query)?;
    Ok(Some(Question { model, asked }))
}

/// How far the snapshots know the meanings of their units, where the model at
/// a position answers.
pub(crate) fn coverage(readers: &[Reader], chosen: usize, snapshots: &[Arc<Snapshot>]) -> Meaning {
    let better = readers[chosen + 1..].last().map(|reader| {
        let (units, waiting) = counts(&reader.model, snapshots);
        Better { model: reader.model.name.clone(), units, waiting }
    });
    let model = &readers[chosen].model;
    let (units, waiting) = counts(model, snapshots);
    Meaning { model: model.name.clone(), units, waiting, better }
}

/// How many units have vectors of a model, and how many wait for them.
fn counts(model: &VectorModel, snapshots: &[Arc<Snapshot>]) -> (u64, u64) {
    let rows = |snapshot: &Arc<Snapshot>| snapshot.vectors_of(model).map_or(0, |v| v.live_rows());
    let waiting = |snapshot: &Arc<Snapshot>| snapshot.pending_of(model).units();
    (snapshots.iter().map(rows).sum(), snapshots.iter().map(waiting).sum())
}

/// Words to the user where not all meanings are known, or could be known
/// better.
pub(crate) fn notes(known: &Meaning) -> Vec<String> {
    let Meaning { model, units, waiting, better } = known;
    let all = units + waiting;
    let unread = (*waiting > 0).then(|| {
        format!("the meaning of {waiting} of {all} units is not read yet; these are found by words alone")
    });
    let better = better.as_ref().map(|Better { model: better, units, waiting }| {
        let all = units + waiting;
        format!("{better} has read {units} of {all} units; until it has read all, {model} answers")
    });
    unread.into_iter().chain(better).collect()
}

/// The vector of the unit at a line of a file, as a question, and its lines.
pub(crate) fn of_place(
    snapshot: &Snapshot,
    model: &VectorModel,
    (path, line): (&str, u32),
) -> Result<(Question, Lines), EngineError> {
    let nowhere = || EngineError::NoSuchPlace { path: path.to_owned(), line };
    let file = snapshot.table().find(path).and_then(|file| file.id()).ok_or_else(nowhere)?;
    let units = snapshot.units_of(file)?;
    let (_, unit) = units.iter().find(|(_, unit)| unit.cover.contains(line)).ok_or_else(nowhere)?;
    let vectors = snapshot.vectors_of(model).ok_or_else(nowhere)?;
    let row = vectors.row_of(file, unit.lines.start).ok_or_else(nowhere)?;
    let asked = Asked { vector: vectors.vector(row), late: None, unrelated: 0.0 };
    Ok((Question { model: model.clone(), asked }, unit.lines))
}
