//! What is asked as vectors, and how far the answers know meanings.

use crate::error::EngineError;
use crate::models::OpenModel;
use scent_embed::QueryEmbedding;
use scent_index::{Snapshot, VectorModel};
use scent_search::Question;
use scent_types::{Embeddings, Lines, Note, Refined};
use std::sync::Arc;

/// How many of the models answer, together: the fast one alone until those
/// after it have read all units of all snapshots, since a unit that one of them
/// has not read cannot be held against one that it has.
pub(crate) fn answering(embedders: &[OpenModel], snapshots: &[Arc<Snapshot>]) -> usize {
    let has_read_all = |embedder: &OpenModel| {
        snapshots
            .iter()
            .all(|snapshot| is_complete(snapshot, &embedder.model))
    };
    match embedders.iter().all(has_read_all) {
        true => embedders.len(),
        false => 1,
    }
}

fn is_complete(snapshot: &Snapshot, model: &VectorModel) -> bool {
    wants(snapshot, model) && snapshot.waiting_for(model) == 0
}

pub(crate) fn wants(snapshot: &Snapshot, model: &VectorModel) -> bool {
    snapshot.models().any(|wanted| wanted.is_same(model))
}

/// The question as vectors of each model that has some of an index, where a
/// lane asks for them.
pub(crate) fn embed_query(
    embedders: &[OpenModel],
    snapshots: &[Arc<Snapshot>],
    query: &str,
) -> Result<Vec<Question>, EngineError> {
    let mut questions = Vec::new();
    for embedder in embedders {
        questions.extend(embed_with(embedder, snapshots, query)?);
    }
    Ok(questions)
}

fn embed_with(
    embedder: &OpenModel,
    snapshots: &[Arc<Snapshot>],
    query: &str,
) -> Result<Option<Question>, EngineError> {
    let model = embedder.model.clone();
    if let Some(other) = snapshots.iter().find(|snapshot| !wants(snapshot, &model)) {
        let has = other
            .models()
            .map(|model| model.name.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        return Err(EngineError::OtherModel {
            has,
            wants: model.name,
        });
    }
    if snapshots
        .iter()
        .all(|snapshot| snapshot.vectors_of(&model).is_none())
    {
        return Ok(None);
    }
    let embedding = embedder.encoder.embed_query(query)?;
    Ok(Some(Question { model, embedding }))
}

/// How far the snapshots know the meanings of their units, where so many of
/// the models answer.
pub(crate) fn coverage(
    embedders: &[OpenModel],
    answering: usize,
    snapshots: &[Arc<Snapshot>],
) -> Embeddings {
    let (answering, others) = embedders.split_at(answering);
    let refined = others.last().map(|embedder| {
        let (units, waiting) = counts(&embedder.model, snapshots);
        Refined {
            model: embedder.model.name.clone(),
            units,
            waiting,
        }
    });
    let (units, waiting) = counts(&embedders[0].model, snapshots);
    let names: Vec<&str> = answering
        .iter()
        .map(|embedder| embedder.model.name.as_str())
        .collect();
    let importance_stale = snapshots
        .iter()
        .any(|snapshot| snapshot.table().ranks.stale);
    Embeddings {
        model: names.join(" and "),
        units,
        waiting,
        refined,
        importance_stale,
    }
}

/// How many units have vectors of a model, and how many wait for them.
fn counts(model: &VectorModel, snapshots: &[Arc<Snapshot>]) -> (u64, u64) {
    let rows = |snapshot: &Arc<Snapshot>| snapshot.vectors_of(model).map_or(0, |v| v.live_rows());
    let waiting = |snapshot: &Arc<Snapshot>| snapshot.waiting_for(model);
    (
        snapshots.iter().map(rows).sum(),
        snapshots.iter().map(waiting).sum(),
    )
}

/// Words to the user where not all meanings are known, or could be known
/// refined.
pub(crate) fn notes(known: &Embeddings) -> Vec<Note> {
    let Embeddings {
        model,
        units,
        waiting,
        refined,
        importance_stale: _,
    } = known;
    let mut notes = Vec::new();
    if *waiting > 0 {
        notes.push(Note::NotEmbedded {
            waiting: *waiting,
            total: units + waiting,
        });
    }
    if let Some(refined) = refined {
        notes.push(Note::RefinedNotReady {
            model: refined.model.clone(),
            units: refined.units,
            total: refined.units + refined.waiting,
            primary: model.clone(),
        });
    }
    notes
}

/// The vectors of the unit at a line of a file, as a question, and its lines.
pub(crate) fn of_place(
    snapshot: &Snapshot,
    embedders: &[OpenModel],
    (path, line): (&str, u32),
) -> Result<(Vec<Question>, Lines), EngineError> {
    let nowhere = || EngineError::NoSuchPlace {
        path: path.to_owned(),
        line,
    };
    let file = snapshot
        .table()
        .find(path)
        .and_then(|file| file.id())
        .ok_or_else(nowhere)?;
    let units = snapshot.text().units_of(file)?;
    let (_, unit) = units
        .iter()
        .find(|(_, unit)| unit.cover.contains(line))
        .ok_or_else(nowhere)?;
    let question = |embedder: &OpenModel| {
        let vectors = snapshot.vectors_of(&embedder.model)?;
        let vector = vectors.vector(vectors.row_of(file, unit.lines.start)?);
        let embedding = QueryEmbedding {
            vector,
            late: None,
            unrelated: 0.0,
        };
        Some(Question {
            model: embedder.model.clone(),
            embedding,
        })
    };
    let questions = embedders.iter().map(question).collect::<Option<_>>();
    Ok((questions.ok_or_else(nowhere)?, unit.whole))
}
