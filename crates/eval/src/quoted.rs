//! Questions as people ask them who quote a message that a program put
//! together when it ran: no file holds it.

/// What messages look like; `{}` are words of the question, `#` is a number.
const MESSAGES: [&str; 6] = [
    "cannot {} {}: status #",
    "{} failed for {} (os error #)",
    "unexpected {} in {} at offset #",
    "no such {}: {}-#",
    "{}: {} timed out after # ms",
    "[{}] invalid {} 0x#",
];

/// A message made of words of a question.
pub fn message(question: &str, random: &mut fastrand::Rng) -> String {
    let words = question.split(|c: char| !c.is_alphanumeric());
    let mut words: Vec<&str> = words.filter(|word| word.len() > 3).collect();
    words.extend(["request", "value"]);
    let mut text = MESSAGES[random.usize(..MESSAGES.len())].to_owned();
    while text.contains("{}") {
        text = text.replacen("{}", words[random.usize(..words.len())], 1);
    }
    text.replace('#', &random.u32(100..10_000).to_string())
}

/// A question with a message in quotes.
pub fn with_message(question: &str, message: &str) -> String {
    format!("{question} it says \"{message}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_complete_and_the_same_for_a_seed() {
        for seed in 0..50 {
            let made = || message("where is it read", &mut fastrand::Rng::with_seed(seed));
            let text = made();
            assert!(!text.contains(['{', '}', '#', '"']), "{text}");
            assert_eq!(text, made());
        }
    }
}
