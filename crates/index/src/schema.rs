//! The fields of the text index.

use scent_words::terms;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexSettings};

const ANALYZER: &str = "code";

/// A searchable part of a unit. Each is weighed for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TextField {
    Name,
    Signature,
    Path,
    Doc,
    Body,
}

impl TextField {
    /// Every field.
    pub const ALL: [TextField; 5] = [
        TextField::Name,
        TextField::Signature,
        TextField::Path,
        TextField::Doc,
        TextField::Body,
    ];
}

/// The fields by their role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    text: [Field; 5],
    /// Whole names in lower case, for look-up and name filters.
    pub symbol: Field,
    /// The id of the file, for deletion and for the units of a file.
    pub file: Field,
    /// The unit as it is stored.
    pub unit: Field,
}

/// Fast field: the file's id in the upper, the first line in the lower half.
pub(crate) const PLACE: &str = "place";

/// Fast field: the position of the kind in `Kind::ALL`.
pub(crate) const KIND: &str = "kind";

/// Fast field: the first line of what the unit is a part of, as one answer.
pub(crate) const WHOLE: &str = "whole";

/// Fast field: the same for units with the same text.
pub(crate) const DIGEST: &str = "digest";

impl Fields {
    pub fn text(&self, field: TextField) -> Field {
        self.text[field as usize]
    }

    pub fn of(schema: &Schema) -> tantivy::Result<Fields> {
        let field = |name: &str| schema.get_field(name);
        Ok(Fields {
            text: [
                field("name")?,
                field("signature")?,
                field("path")?,
                field("doc")?,
                field("body")?,
            ],
            symbol: field("symbol")?,
            file: field("file")?,
            unit: field("unit")?,
        })
    }
}

pub(crate) fn schema() -> Schema {
    let mut schema = Schema::builder();
    let words = || {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(ANALYZER)
            .set_index_option(IndexRecordOption::WithFreqs);
        TextOptions::default().set_indexing_options(indexing)
    };
    for name in ["name", "signature", "path", "doc", "body"] {
        schema.add_text_field(name, words());
    }
    let whole = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::Basic);
    schema.add_text_field("symbol", TextOptions::default().set_indexing_options(whole));
    schema.add_u64_field("file", INDEXED);
    schema.add_u64_field(PLACE, FAST);
    schema.add_u64_field(KIND, FAST);
    schema.add_u64_field(WHOLE, FAST);
    schema.add_u64_field(DIGEST, FAST);
    schema.add_bytes_field("unit", STORED);
    schema.build()
}

/// Settings of a new index. Small blocks: an answer needs few units, each
/// from another place.
pub(crate) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_blocksize: 4096,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

pub(crate) fn register(index: &Index) {
    index
        .tokenizers()
        .register(ANALYZER, TextAnalyzer::from(CodeTokenizer::default()));
}

/// [`terms`] as tantivy wants them.
#[derive(Clone, Default)]
struct CodeTokenizer {
    text: String,
    ends: Vec<usize>,
    token: Token,
}

impl Tokenizer for CodeTokenizer {
    type TokenStream<'a> = CodeTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CodeTokens<'a> {
        self.text.clear();
        self.ends.clear();
        terms::each(text, |term| {
            self.text.push_str(term);
            self.ends.push(self.text.len());
        });
        self.token.position = usize::MAX;
        CodeTokens {
            source: self,
            next: 0,
            from: 0,
        }
    }
}

struct CodeTokens<'a> {
    source: &'a mut CodeTokenizer,
    next: usize,
    from: usize,
}

impl TokenStream for CodeTokens<'_> {
    fn advance(&mut self) -> bool {
        let Some(&end) = self.source.ends.get(self.next) else {
            return false;
        };
        let token = &mut self.source.token;
        token.text.clear();
        token.text.push_str(&self.source.text[self.from..end]);
        token.position = token.position.wrapping_add(1);
        self.from = end;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.source.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.source.token
    }
}
