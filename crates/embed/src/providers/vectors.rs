//! What all models that are not scent's own need.

/// A vector with its length made one; zeros stay zeros.
pub(super) fn normalized(mut vector: Vec<f32>) -> Vec<f32> {
    let squares: f32 = vector.iter().map(|number| number * number).sum();
    let length = squares.sqrt().max(1e-12);
    for number in &mut vector {
        *number /= length;
    }
    vector
}

/// What a query is embedded as. Units are given as words, so names in a query
/// must come apart as they do there.
pub(super) fn query_text(query: &str) -> String {
    let words = scent_words::model_words::of(query);
    if words.is_empty() {
        query.trim().to_owned()
    } else {
        words
    }
}
