//! A query from standard input: an argument ends at 128 KB.

use anyhow::bail;
use std::io::Read;

/// A query is not longer than this, in bytes.
const LONGEST: u64 = 1 << 20;

/// A query as read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Query {
    pub text: String,
    /// Whether some of it was not UTF-8 and is replaced.
    pub lossy: bool,
}

/// Reads a query. Trims line ends off a literal, and all surrounding space off
/// words.
pub(crate) fn read_query(input: impl Read, literal: bool) -> anyhow::Result<Query> {
    let mut bytes = Vec::new();
    input.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        bail!("the query on standard input is longer than 1 MB");
    }
    scent_engine::keep_input(&bytes);
    let text = String::from_utf8_lossy(&bytes);
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let trimmed = if literal {
        unmarked.trim_end_matches(['\r', '\n'])
    } else {
        unmarked.trim()
    };
    if trimmed.is_empty() {
        bail!("standard input is empty: it should hold the query");
    }
    let lossy = matches!(text, std::borrow::Cow::Owned(_));
    Ok(Query {
        text: trimmed.to_owned(),
        lossy,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_trimmed_and_bounded() {
        let read: [(&[u8], bool, &str, bool); 5] = [
            (b" where is it\n", false, "where is it", false),
            (b" where is it \r\n", true, " where is it ", false),
            (b"\xEF\xBB\xBFmarked", false, "marked", false),
            (b"caf\xE9", false, "caf\u{fffd}", true),
            (
                &[b'a'; LONGEST as usize],
                false,
                &"a".repeat(LONGEST as usize),
                false,
            ),
        ];
        for (bytes, literal, text, lossy) in read {
            let want = Query {
                text: text.to_owned(),
                lossy,
            };
            assert_eq!(
                read_query(bytes, literal).unwrap(),
                want,
                "{} bytes",
                bytes.len()
            );
        }
        let refused: [&[u8]; 3] = [b"", b" \n\t\n", &[b'a'; LONGEST as usize + 1]];
        for bytes in refused {
            assert!(read_query(bytes, false).is_err(), "{} bytes", bytes.len());
        }
    }
}
