//! The readers of all that is on disk, for `crates/fuzz`. Each is given the
//! bytes of a file, puts the checksums right, so that what lies behind them is
//! reached, and then asks whatever can be asked of such a file.
//!
//! The segments and the metadata of the text index are not among them. They are
//! tantivy's: it reads segments only where its own checksums hold, and panics
//! at some metadata, which whoever opens an index has to expect.

use crate::blobs::{self, BlobPlace, BlobReader};
use crate::facts::FactsReader;
use crate::files::{FileRecord, FileTable, State, VectorModel};
use crate::layout;
use crate::local::Local;
use crate::pending::PendingStore;
use crate::ranks::Ranks;
use crate::storage::SharedStorage;
use crate::store;
use crate::stored::StoredUnit;
use crate::trigram_filter::{RequiredLiterals, TrigramFilter};
use crate::vectors::{self, Query, Scan, Segment, Vectors};
use crate::verified::{CachedStats, VerifiedStamp};
use scent_types::{FileClass, Health, Lines};
use std::collections::HashSet;
use std::fs;
use std::sync::{Arc, LazyLock};
use xxhash_rust::xxh3::xxh3_64;

/// Reads the bytes of a file.
pub type Reader = fn(&[u8]);

/// The readers by the names of their files.
pub const READERS: [(&str, Reader); 8] = [
    ("facts", facts),
    ("files", files),
    ("pending", pending),
    ("ranks", ranks),
    ("seal", stamp),
    ("sketch", trigram_filter),
    ("unit", unit),
    ("vectors", vectors),
];

/// Files are numbered; there is one of each.
const NUMBER: u64 = 1;

/// The number of items of one kind that are read.
const SOME: usize = 50;

/// A folder of this process.
fn storage() -> &'static SharedStorage {
    static STORAGE: LazyLock<SharedStorage> = LazyLock::new(|| {
        let folder = std::env::temp_dir().join(format!("scent-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for files of one input");
        Local::shared(&folder)
    });
    &STORAGE
}

fn write(name: &str, bytes: &[u8]) {
    fs::write(storage().path(name), bytes).expect("a file of one input");
}

/// Writes a store that ends with the checksum of what is before it.
fn write_store(name: &str, bytes: &[u8]) {
    let body = &bytes[..bytes.len().saturating_sub(8)];
    write(name, &[body, &xxh3_64(body).to_le_bytes()].concat());
    store::verify(storage(), name, None).expect("the checksum was put right");
}

fn files(bytes: &[u8]) {
    let empty = FileTable {
        generation: NUMBER,
        ..FileTable::default()
    };
    empty
        .write(storage())
        .expect("an empty table can be written");
    let name = layout::table(NUMBER);
    let magic = fs::read(storage().path(&name)).expect("it was written just now");
    let body = bytes.get(16..).unwrap_or_default();
    write(
        &name,
        &[&magic[..8], &xxh3_64(body).to_le_bytes(), body].concat(),
    );
    let Ok(table) = FileTable::read(storage(), NUMBER) else {
        return;
    };
    table.store_names();
    table.units();
    for file in table.files.iter().take(SOME) {
        table.find(&file.path);
        let places = || file.trigrams().into_iter().chain(file.facts());
        let here = places().map(|place| BlobPlace {
            file: NUMBER,
            ..place
        });
        write_store(&blobs::TRIGRAMS.file_name(NUMBER), b"a blob of a few bytes");
        let Ok(store) = BlobReader::open(storage(), blobs::TRIGRAMS, here.clone()) else {
            return;
        };
        here.for_each(|place| assert!(store.get(place).is_none_or(|blob| blob.len() < 30)));
    }
}

fn facts(bytes: &[u8]) {
    let bytes_of = bytes.len() as u32;
    let place = BlobPlace {
        file: NUMBER,
        offset: 0,
        bytes: bytes_of,
    };
    write(&blobs::FACTS.file_name(NUMBER), &[bytes, &[0; 8]].concat());
    let table = FileTable {
        files: vec![record(place)],
        ..FileTable::default()
    };
    let Ok(store) = FactsReader::open(storage(), &table) else {
        return;
    };
    let file = &table.files[0];
    let _ = store.symbols(file);
    let _ = store.each_name(file, |_| {});
    let Ok(facts) = store.of(file) else {
        return;
    };
    let names: Vec<&str> = facts.used_names().take(SOME).collect();
    for name in names {
        facts.uses_of(name).count();
        let _ = store.symbols_named(file, name);
    }
    facts.uses().count();
    facts.imports().count();
    facts.roots().count();
    for symbol in facts.symbols().take(SOME) {
        facts.enclosing(symbol.line);
    }
}

fn record(facts: BlobPlace) -> FileRecord {
    let state = State::Indexed {
        id: 0,
        language: String::new(),
        class: FileClass::Code,
        health: Health::Ok,
        lines: 1,
        units: 1,
        trigrams: facts,
        facts,
    };
    FileRecord {
        path: "a".into(),
        raw_path: None,
        size: 0,
        modified: 0,
        racy: false,
        included: false,
        hash: 0,
        state,
    }
}

fn trigram_filter(bytes: &[u8]) {
    for text in ["abc", "retry_delay", "grüße", ""] {
        RequiredLiterals::Literal(text.into()).allows(bytes);
    }
    let text = String::from_utf8_lossy(bytes);
    let filter = TrigramFilter::of(&text);
    for line in text.lines().take(SOME) {
        assert!(
            RequiredLiterals::Literal(line.into()).allows(filter.bytes()),
            "{line:?}"
        );
    }
}

fn unit(bytes: &[u8]) {
    let _ = postcard::from_bytes::<StoredUnit>(bytes);
}

fn pending(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    check_blocks(&mut bytes);
    write_store("pending-1", &bytes);
    let Ok(store) = PendingStore::open(storage(), NUMBER) else {
        return;
    };
    let ids: HashSet<u32> = store.ids().collect();
    store.files(&ids).take(SOME).for_each(drop);
}

/// Puts the checksums of the blocks right: see the format in `pending`.
fn check_blocks(bytes: &mut [u8]) -> Option<()> {
    const ENTRY: usize = 32;
    let end = bytes.len().checked_sub(16)?;
    let count = store::u32_at(&bytes[end..], 1) as usize;
    let entries = end.checked_sub(count.checked_mul(ENTRY)?)?;
    for nth in 0..count {
        let entry = entries + nth * ENTRY;
        let offset = store::u64_at(&bytes[entry..], 0) as usize;
        let packed = store::u32_at(&bytes[entry..], 4) as usize;
        let block = bytes.get(offset..offset.saturating_add(packed))?;
        let sum = xxh3_64(block).to_le_bytes();
        bytes[entry + 8..entry + 16].copy_from_slice(&sum);
    }
    Some(())
}

fn ranks(bytes: &[u8]) {
    write_store("ranks-1", bytes);
    let Ok(ranks) = Ranks::open(storage(), NUMBER) else {
        return;
    };
    for id in 0..SOME as u32 {
        ranks.file(id);
        ranks.lines(id, Lines::new(id + 1, 2 * id + 9));
    }
}

fn vectors(bytes: &[u8]) {
    let model = VectorModel {
        fingerprint: 7,
        name: "m".into(),
        dims: 256,
        token_bytes: 64,
    };
    let rest = bytes.get(24..).unwrap_or_default();
    write_store(
        "vectors-1",
        &[&vectors::header(&model)[..24], rest].concat(),
    );
    let Ok(segment) = Segment::open(storage(), NUMBER, &model) else {
        return;
    };
    segment.ids().take(SOME).for_each(drop);
    let vectors = Vectors::new(model, vec![Arc::new(segment)], |id| id % 5 != 3);
    let query = Query::new(&[0.0625; 256]);
    for scan in [Scan::Exact, Scan::Estimated] {
        for scored in vectors.search_by(scan, &query, SOME, &|id| id % 7 != 5) {
            vectors.score(scored.row, &query);
            let (file, line) = vectors.place(scored.row);
            assert!(vectors.row_of(file, line).is_some());
            vectors.vector(scored.row);
            vectors.tokens(scored.row);
        }
    }
}

fn stamp(bytes: &[u8]) {
    let body = &bytes[..bytes.len().saturating_sub(8)];
    let sum = xxh3_64(body).to_le_bytes();
    write(&layout::stamp(NUMBER), &[body, &sum].concat());
    let text = vec!["a.term".into()];
    let stamp = VerifiedStamp::of_files(storage(), NUMBER, text, Vec::new());
    stamp.stats();
    stamp.swapped();
    stamp.write(CachedStats::default());
    assert!(stamp.stats().is_some());
}
