//! What a model gives for a file: a part for its path and one for each unit.
//!
//! The vector of a unit is the sum of both parts, made unit length. They are
//! kept apart, so that a file that moves needs no new parts for its units.

/// A vector as bytes: numbers from -127 to 127, and what a step is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantised {
    /// The numbers, each an `i8`.
    pub(crate) bytes: Vec<u8>,
    pub(crate) scale: f32,
}

impl Quantised {
    /// The nearest to a vector. One with numbers that are none, or too large
    /// to be, is taken for zero.
    pub fn of(vector: &[f32]) -> Quantised {
        let largest = vector.iter().fold(0f32, |largest, v| largest.max(v.abs()));
        if largest == 0.0 || vector.iter().any(|v| !v.is_finite()) {
            return Quantised {
                bytes: vec![0; vector.len()],
                scale: 0.0,
            };
        }
        let scale = largest / 127.0;
        let byte = |v: &f32| (v / scale).round().clamp(-127.0, 127.0) as i8 as u8;
        Quantised {
            bytes: vector.iter().map(byte).collect(),
            scale,
        }
    }

    /// The vector, but for what was lost.
    pub fn to_vector(&self) -> Vec<f32> {
        self.bytes
            .iter()
            .map(|&byte| f32::from(byte as i8) * self.scale)
            .collect()
    }

    /// How many numbers it has.
    pub fn dims(&self) -> usize {
        self.bytes.len()
    }
}

/// What a model gives for one text.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its share of the vector, of any length.
    pub vector: Quantised,
    /// The codes of its tokens, one after the other.
    pub tokens: Vec<u8>,
}

/// The part of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitPart {
    /// Its first line.
    pub line: u32,
    /// What its words are known by in the cache.
    pub key: u128,
    /// The part.
    pub body: Part,
}

/// The parts of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileParts {
    /// The id of the file.
    pub id: u32,
    /// The part of its path.
    pub path: Part,
    /// The parts of its units, of all of them.
    pub units: Vec<UnitPart>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_comes_back_within_half_a_step() {
        let vector: Vec<f32> = (0..100)
            .map(|n| ((n * 37 % 100) as f32 - 50.0) / 7.0)
            .collect();
        let quantised = Quantised::of(&vector);
        assert_eq!(quantised.dims(), 100);
        for (a, b) in vector.iter().zip(quantised.to_vector()) {
            assert!((a - b).abs() <= quantised.scale * 0.5001, "{a} {b}");
        }
        let again = Quantised::of(&quantised.to_vector());
        assert_eq!(again.bytes, quantised.bytes);
    }

    #[test]
    fn what_is_no_vector_is_zero() {
        for vector in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            assert_eq!(Quantised::of(&vector).to_vector(), [0.0, 0.0]);
        }
    }
}
