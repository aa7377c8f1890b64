//! The id that git gives to the contents of a file: a SHA-1, which is quicker
//! to work out than to ask git for the contents.

/// The id of a blob of these bytes.
pub(crate) fn blob_id(bytes: &[u8]) -> String {
    let head = format!("blob {}\0", bytes.len());
    let hash = sha1(&[head.as_bytes(), bytes]);
    hash.iter().map(|word| format!("{word:08x}")).collect()
}

/// The SHA-1 of some pieces, one after another (FIPS 180-4).
fn sha1(pieces: &[&[u8]]) -> [u32; 5] {
    let mut hash = [
        0x6745_2301,
        0xEFCD_AB89,
        0x98BA_DCFE,
        0x1032_5476,
        0xC3D2_E1F0,
    ];
    let mut block = [0; 64];
    let (mut filled, mut length) = (0, 0u64);
    for piece in pieces {
        length += piece.len() as u64;
        let mut piece = *piece;
        while !piece.is_empty() {
            if filled == 0 && piece.len() >= 64 {
                let (whole, rest) = piece.split_at(64);
                add_block(&mut hash, whole);
                piece = rest;
                continue;
            }
            let taken = piece.len().min(64 - filled);
            block[filled..filled + taken].copy_from_slice(&piece[..taken]);
            (filled, piece) = (filled + taken, &piece[taken..]);
            if filled == 64 {
                add_block(&mut hash, &block);
                filled = 0;
            }
        }
    }
    // A bit that is set, zeros, and the length in bits at the end of a block.
    let mut end = block[..filled].to_vec();
    end.push(0x80);
    end.resize(if filled < 56 { 56 } else { 120 }, 0);
    end.extend((length * 8).to_be_bytes());
    end.chunks_exact(64)
        .for_each(|block| add_block(&mut hash, block));
    hash
}

fn add_block(hash: &mut [u32; 5], block: &[u8]) {
    let mut words = [0u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for at in 16..80 {
        let mixed = words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16];
        words[at] = mixed.rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *hash;
    for (at, word) in words.into_iter().enumerate() {
        let (mixed, constant) = match at / 20 {
            0 => ((b & c) | (!b & d), 0x5A82_7999),
            1 => (b ^ c ^ d, 0x6ED9_EBA1),
            2 => ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6u32),
        };
        let next = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e);
        let next = next.wrapping_add(constant).wrapping_add(word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (sum, part) in hash.iter_mut().zip([a, b, c, d, e]) {
        *sum = sum.wrapping_add(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        let hex = |text: &[u8]| -> String {
            sha1(&[text])
                .iter()
                .map(|word| format!("{word:08x}"))
                .collect()
        };
        for (text, want) in [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            ),
        ] {
            assert_eq!(hex(text.as_bytes()), want, "{text}");
        }
        assert_eq!(
            hex(&vec![b'a'; 1_000_000]),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
        );
    }

    #[test]
    fn ids_are_those_of_git_and_pieces_make_no_difference() {
        assert_eq!(blob_id(b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(
            blob_id(b"hello\n"),
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
        let text: Vec<u8> = (0..300).map(|n| n as u8).collect();
        for at in [0, 1, 55, 56, 63, 64, 65, 128, 200, 300] {
            assert_eq!(sha1(&[&text[..at], &text[at..]]), sha1(&[&text]), "{at}");
        }
    }
}
