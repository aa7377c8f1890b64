//! Answers that were given before, for as long as what they were made of is
//! the same.
//!
//! A key holds everything that an answer depends on: the folders, the
//! generation of each index, and the whole request. A new generation is another
//! key, and entries of older ones go as soon as something is kept. A process
//! that answers once has nothing to gain; a server shares one cache among all
//! clones of its engine.
//!
//! A question that is nearly another may be given that one's answer. This is off
//! unless it is asked for: with it, an answer depends on what was asked before.

use crate::searched::Searched;
use scent_types::{Deadline, Request, Response};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// More answers than this are not kept.
const MOST: usize = 256;

/// Answers that were given before.
#[derive(Default)]
pub(crate) struct Cache {
    kept: Mutex<VecDeque<Kept>>,
}

struct Kept {
    generations: Vec<u64>,
    key: String,
    /// All of the key but the words of the query.
    apart: String,
    /// The question as a vector, where it has one.
    meaning: Vec<f32>,
    response: Arc<Response>,
}

/// What an answer depends on.
pub(crate) struct Key {
    generations: Vec<u64>,
    key: String,
    apart: String,
}

impl Key {
    pub fn new(searched: &Searched, request: &Request) -> Key {
        let generations = searched.snapshots.iter();
        let generations = generations.map(|s| s.table().generation).collect();
        let places: Vec<_> = searched
            .projects
            .iter()
            .map(|project| (project.root(), project.scope()))
            .collect();
        let other = Request {
            query: String::new(),
            // The words say what the query asks for, however it was typed.
            typed: None,
            notes: Vec::new(),
            // How long an answer may take says nothing about the answer.
            deadline: Deadline::default(),
            ..request.clone()
        };
        let apart = format!("{places:?} {other:?}");
        Key {
            generations,
            key: format!("{:?} {apart}", request.query),
            apart,
        }
    }
}

impl Cache {
    /// The answer to exactly this.
    pub fn get(&self, key: &Key) -> Option<Arc<Response>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |kept: &Kept| kept.key == key.key && kept.generations == key.generations;
        let at = kept.iter().position(same)?;
        let found = kept.remove(at)?;
        let response = Arc::clone(&found.response);
        // What is asked for again stays longest.
        kept.push_back(found);
        Some(response)
    }

    /// The answer to a question that is as near as this to a vector, and else
    /// the same.
    pub fn nearly(&self, key: &Key, meaning: &[f32], least: f32) -> Option<Arc<Response>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = |kept: &&Kept| {
            kept.apart == key.apart
                && kept.generations == key.generations
                && cosine(&kept.meaning, meaning) >= least
        };
        kept.iter()
            .rev()
            .find(alike)
            .map(|kept| Arc::clone(&kept.response))
    }

    pub fn keep(&self, key: Key, meaning: Vec<f32>, response: &Response) {
        let Key {
            generations,
            key,
            apart,
        } = key;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let older = |kept: &Kept| {
            let same_roots = kept.generations.len() == generations.len();
            same_roots && kept.apart == apart && kept.generations != generations
        };
        kept.retain(|kept| !older(kept));
        if kept.len() >= MOST {
            kept.pop_front();
        }
        let response = Arc::new(response.clone());
        kept.push_back(Kept {
            generations,
            key,
            apart,
            meaning,
            response,
        });
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.is_empty() || a.len() != b.len() {
        return 0.0;
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt().max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(generation: u64, query: &str) -> Key {
        let apart = "a".to_owned();
        Key {
            generations: vec![generation],
            key: format!("{query} {apart}"),
            apart,
        }
    }

    fn response(total: usize) -> Response {
        Response {
            total,
            ..Response::default()
        }
    }

    #[test]
    fn only_the_same_question_of_the_same_generation_is_known() {
        let cache = Cache::default();
        cache.keep(key(1, "retry"), Vec::new(), &response(7));
        assert_eq!(cache.get(&key(1, "retry")).unwrap().total, 7);
        assert!(cache.get(&key(1, "delay")).is_none());
        assert!(cache.get(&key(2, "retry")).is_none());
        cache.keep(key(2, "delay"), Vec::new(), &response(8));
        assert!(
            cache.get(&key(1, "retry")).is_none(),
            "an older generation is dropped"
        );
    }

    #[test]
    fn an_answer_does_not_depend_on_its_deadline() {
        let soon = Request {
            deadline: Deadline::after(std::time::Duration::from_secs(60)),
            ..Request::default()
        };
        let (ours, theirs) = (
            Key::new(&Searched::nothing(), &soon),
            Key::new(&Searched::nothing(), &Request::default()),
        );
        assert_eq!((ours.key, ours.apart), (theirs.key, theirs.apart));
    }

    #[test]
    fn a_question_that_is_nearly_the_same_is_found_by_its_vector() {
        let cache = Cache::default();
        cache.keep(key(1, "retry delay"), vec![1.0, 0.0], &response(7));
        assert!(
            cache
                .nearly(&key(1, "delay of a retry"), &[0.99, 0.1], 0.95)
                .is_some()
        );
        assert!(
            cache
                .nearly(&key(1, "open a file"), &[0.5, 0.5], 0.95)
                .is_none()
        );
        assert!(
            cache
                .nearly(&key(2, "delay of a retry"), &[0.99, 0.1], 0.95)
                .is_none()
        );
        assert!(cache.nearly(&key(1, "no vector"), &[], 0.95).is_none());
    }

    #[test]
    fn the_longest_unasked_goes_first() {
        let cache = Cache::default();
        for nth in 0..MOST {
            cache.keep(key(1, &nth.to_string()), Vec::new(), &response(nth));
        }
        assert!(cache.get(&key(1, "0")).is_some());
        cache.keep(key(1, "more"), Vec::new(), &response(0));
        assert!(cache.get(&key(1, "0")).is_some() && cache.get(&key(1, "1")).is_none());
    }
}
