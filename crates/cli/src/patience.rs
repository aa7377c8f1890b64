//! How long somebody waits for an answer.

use std::time::Duration;

/// How long a search may index before it answers; without an end if none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience(pub Option<Duration>);

impl Patience {
    pub fn parse(text: &str) -> Result<Patience, String> {
        if text == "none" {
            return Ok(Patience(None));
        }
        let seconds = parse_seconds(text).ok_or("give a number of seconds, or `none`")?;
        Ok(Patience(Some(seconds)))
    }
}

/// A number of seconds.
pub(crate) fn parse_seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patience_is_a_number_of_seconds_or_none() {
        let seconds = |seconds| Ok(Patience(Some(Duration::from_secs_f64(seconds))));
        assert_eq!(Patience::parse("10"), seconds(10.0));
        assert_eq!(Patience::parse("0"), seconds(0.0));
        assert_eq!(Patience::parse("0.5"), seconds(0.5));
        assert_eq!(Patience::parse("none"), Ok(Patience(None)));
        for wrong in ["", "-1", "soon", "NaN", "1e300", "inf"] {
            assert!(Patience::parse(wrong).is_err(), "{wrong}");
        }
    }
}
