//! The models that read meanings: one alone, or a fast one that answers first
//! and a better one that takes longer.

use scent_embed::{About, Encoder};
use scent_index::VectorModel;
use std::sync::Arc;

/// A search first makes the vectors of so few units: it takes a moment.
const FEW: u64 = 2_000;

/// The same for a better model, which reads some 60 units a second on a core.
const FEW_FOR_BETTER: u64 = 60;

/// The models of an engine.
#[derive(Clone, Default)]
pub(crate) struct Models {
    /// The one that answers first; none stands for the one inside the program,
    /// which is opened when it is first needed.
    pub fast: Option<Arc<dyn Encoder>>,
    /// The one that answers once it has read everything.
    pub better: Option<Arc<dyn Encoder>>,
}

/// One of the models, as it reads an index.
pub(crate) struct Reader<'m> {
    pub encoder: &'m dyn Encoder,
    /// What the index knows of it.
    pub model: VectorModel,
    /// So few units are read before a search answers.
    pub few: u64,
}

impl Models {
    /// All of them, the fast one first.
    pub fn readers(&self) -> Vec<Reader<'_>> {
        let fast = Reader::new(self.fast(), FEW);
        let better = self.better.as_deref().map(|encoder| Reader::new(encoder, FEW_FOR_BETTER));
        [fast].into_iter().chain(better).collect()
    }

    /// What there is to know of each, the fast one first.
    pub fn about(&self) -> Vec<About> {
        [self.fast()].into_iter().chain(self.better.as_deref()).map(|e| e.about()).collect()
    }

    fn fast(&self) -> &dyn Encoder {
        self.fast.as_deref().unwrap_or_else(|| scent_embed::shipped())
    }

    /// What tells the indexes of these models from those of others: 0 for the
    /// one inside the program alone.
    pub fn mark(&self) -> u64 {
        let marking = self.better.as_ref().or(self.fast.as_ref());
        marking.map_or(0, |encoder| encoder.about().fingerprint)
    }

    /// The fast one alone.
    pub fn fast_alone(&self) -> Models {
        Models { fast: self.fast.clone(), better: None }
    }
}

impl Reader<'_> {
    fn new(encoder: &dyn Encoder, few: u64) -> Reader<'_> {
        let about = encoder.about();
        let model = VectorModel {
            fingerprint: about.fingerprint,
            name: about.name,
            dims: about.dims as u32,
            token_bytes: about.token_bytes as u32,
        };
        Reader { encoder, model, few }
    }
}
