//! A text as the tokens that a network reads.

use super::layout::{Layout, Reading};
use crate::providers::ProviderError;
use std::collections::HashSet;
use std::path::Path;
use tokenizers::{Tokenizer, TruncationParams};

/// Names that models have for what stands in place of a word.
const MASKS: [&str; 2] = ["[MASK]", "<mask>"];

/// The tokens of a text.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Tokens {
    pub ids: Vec<i64>,
    /// 1 for what the others see.
    pub seen: Vec<i64>,
    /// Whether the vector of a token is kept.
    pub kept: Vec<bool>,
}

/// Reads the texts of one side.
pub(super) struct RoleTokenizer {
    tokenizer: Tokenizer,
    /// What is put before the text.
    before: String,
    prefix: Option<u32>,
    /// The mask, and how many tokens there are in the end.
    expansion: Option<(u32, usize)>,
    sees_masks: bool,
    skipped: HashSet<u32>,
}

impl RoleTokenizer {
    /// The readers of questions and of documents.
    pub fn both(layout: &Layout) -> Result<[RoleTokenizer; 2], ProviderError> {
        let path = &layout.tokenizer;
        let tokenizer = Tokenizer::from_file(path).map_err(|error| damaged(path, error))?;
        let reader = |reading| {
            RoleTokenizer::new(tokenizer.clone(), reading).map_err(|error| damaged(path, error))
        };
        Ok([reader(&layout.query)?, reader(&layout.document)?])
    }

    fn new(mut tokenizer: Tokenizer, reading: &Reading) -> tokenizers::Result<RoleTokenizer> {
        let word = reading.prefix.as_deref();
        let prefix = word.and_then(|word| tokenizer.token_to_id(word));
        let before = word.filter(|_| prefix.is_none()).unwrap_or_default();
        let max_length = reading
            .tokens
            .saturating_sub(usize::from(prefix.is_some()))
            .max(4);
        let truncation = TruncationParams {
            max_length,
            ..TruncationParams::default()
        };
        tokenizer.with_truncation(Some(truncation))?;
        tokenizer.with_padding(None);
        let mask = MASKS.iter().find_map(|mask| tokenizer.token_to_id(mask));
        let skipped = reading
            .skipped
            .iter()
            .filter_map(|word| tokenizer.token_to_id(word));
        Ok(RoleTokenizer {
            before: format!("{before}{}", reading.prompt),
            prefix,
            expansion: mask
                .filter(|_| reading.expands)
                .map(|mask| (mask, reading.tokens)),
            sees_masks: reading.sees_masks,
            skipped: skipped.collect(),
            tokenizer,
        })
    }

    pub fn read(&self, text: &str) -> Result<Tokens, tokenizers::Error> {
        let encoding = self
            .tokenizer
            .encode(format!("{}{text}", self.before), true)?;
        let mut ids = encoding.get_ids().to_vec();
        if let Some(prefix) = self.prefix {
            ids.insert(ids.len().min(1), prefix);
        }
        let kept = ids.iter().map(|id| !self.skipped.contains(id)).collect();
        let seen = vec![1; ids.len()];
        let ids = ids.into_iter().map(i64::from).collect();
        let mut tokens = Tokens { ids, seen, kept };
        if let Some((mask, length)) = self.expansion {
            let length = length.max(tokens.ids.len());
            tokens.ids.resize(length, i64::from(mask));
            tokens.seen.resize(length, i64::from(self.sees_masks));
            tokens.kept.resize(length, true);
        }
        Ok(tokens)
    }
}

fn damaged(path: &Path, error: impl ToString) -> ProviderError {
    let advice = "fetch the model again";
    ProviderError::Folder {
        path: path.to_owned(),
        reason: error.to_string(),
        advice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tokenizer that knows a few words, with `[CLS]` and `[SEP]` around them.
    const TOKENIZER: &str = r#"{
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [
            {"id": 8, "content": "[Q] ", "single_word": false, "lstrip": false,
             "rstrip": false, "normalized": false, "special": true}],
        "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "decoder": null,
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
        "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab":
            {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "[MASK]": 3, ".": 4, "p": 5, "a": 6, "b": 7}}
    }"#;

    fn read(reading: Reading, text: &str) -> Tokens {
        let tokenizer = TOKENIZER.parse().unwrap();
        RoleTokenizer::new(tokenizer, &reading)
            .unwrap()
            .read(text)
            .unwrap()
    }

    #[test]
    fn a_text_is_cut_and_has_its_prompt() {
        let reading = Reading {
            tokens: 5,
            prompt: "p ".into(),
            ..Reading::default()
        };
        assert_eq!(read(reading.clone(), "a").ids, [1, 5, 6, 2]);
        let long = read(reading, "a b a b");
        assert_eq!(long.ids, [1, 5, 6, 7, 2]);
        assert_eq!((long.seen, long.kept), (vec![1; 5], vec![true; 5]));
    }

    #[test]
    fn a_query_is_filled_up_with_masks() {
        let reading = Reading {
            tokens: 6,
            prefix: Some("[Q] ".into()),
            expands: true,
            ..Reading::default()
        };
        let tokens = read(reading.clone(), "a");
        assert_eq!(tokens.ids, [1, 8, 6, 2, 3, 3]);
        assert_eq!(tokens.seen, [1, 1, 1, 1, 0, 0]);
        assert_eq!(tokens.kept, [true; 6]);
        assert_eq!(read(reading.clone(), "a b a b a b").ids, [1, 8, 6, 7, 6, 2]);
        let seen = read(
            Reading {
                sees_masks: true,
                ..reading
            },
            "a",
        )
        .seen;
        assert_eq!(seen, [1; 6]);
    }

    #[test]
    fn of_a_document_some_tokens_are_not_kept() {
        let reading = Reading {
            tokens: 9,
            prefix: Some("p ".into()),
            skipped: vec![".".into(), "unheard of".into()],
            ..Reading::default()
        };
        // This prefix is no token, so it is a part of the text.
        let tokens = read(reading, "a . b");
        assert_eq!(tokens.ids, [1, 5, 6, 4, 7, 2]);
        assert_eq!(tokens.kept, [true, true, true, false, true, true]);
    }
}
