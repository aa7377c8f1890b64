//! The notation: S-expressions with a few marks.

/// One expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// `(…)`
    List(Vec<Form>),
    /// `[…]`
    OneOf(Vec<Form>),
    /// `name`, `_`, `#eq?`, `!field`
    Word(String),
    /// `"text"`
    Text(String),
    /// `name:`
    Field(String),
    /// `@name`
    Capture(String),
    /// `.`
    Anchor,
    /// `?`, `*`, `+` after an expression
    Quantifier(char),
}

/// Parses all expressions of a text.
pub(super) fn parse(text: &str) -> Result<Vec<Form>, String> {
    let mut parser = Parser { text, at: 0 };
    parser.forms(None)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn forms(&mut self, close: Option<char>) -> Result<Vec<Form>, String> {
        let mut forms = Vec::new();
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else {
                return match close {
                    None => Ok(forms),
                    Some(close) => Err(self.error(&format!("{close} is missing"))),
                };
            };
            if Some(c) == close {
                self.at += 1;
                return Ok(forms);
            }
            forms.push(self.form(c)?);
        }
    }

    fn form(&mut self, c: char) -> Result<Form, String> {
        self.at += c.len_utf8();
        Ok(match c {
            '(' => Form::List(self.forms(Some(')'))?),
            '[' => Form::OneOf(self.forms(Some(']'))?),
            '"' => Form::Text(self.quoted()?),
            '.' => Form::Anchor,
            '@' => Form::Capture(self.word()),
            '?' | '*' | '+' => Form::Quantifier(c),
            ')' | ']' => return Err(self.error(&format!("{c} closes nothing"))),
            _ => {
                self.at -= c.len_utf8();
                let word = self.word();
                if word.is_empty() {
                    return Err(self.error(&format!("{c} has no meaning here")));
                }
                self.field_or_word(word)
            }
        })
    }

    fn field_or_word(&mut self, word: String) -> Form {
        if self.peek() == Some(':') {
            self.at += 1;
            return Form::Field(word);
        }
        // A predicate's name ends in a mark that is a quantifier elsewhere.
        if word.starts_with('#') && matches!(self.peek(), Some('?' | '!')) {
            self.at += 1;
        }
        Form::Word(word)
    }

    fn word(&mut self) -> String {
        let part = |c: char| c.is_alphanumeric() || "_-.#!".contains(c);
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    fn quoted(&mut self) -> Result<String, String> {
        let mut out = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, '0')) => out.push('\0'),
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                c => out.push(c),
            }
        }
        Err(self.error("a quotation mark is missing"))
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.text[self.at..].starts_with(';') {
                return;
            }
            let rest = &self.text[self.at..];
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn error(&self, what: &str) -> String {
        let line = self.text[..self.at].matches('\n').count() + 1;
        format!("line {line}: {what}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        let forms = parse("; note\n(a name: (b)? @x . \"=\" !c (#eq? @x \"q\\\"\"))").unwrap();
        let word = |w: &str| Form::Word(w.into());
        let inner = vec![
            word("a"),
            Form::Field("name".into()),
            Form::List(vec![word("b")]),
            Form::Quantifier('?'),
            Form::Capture("x".into()),
            Form::Anchor,
            Form::Text("=".into()),
            word("!c"),
            Form::List(vec![
                word("#eq"),
                Form::Capture("x".into()),
                Form::Text("q\"".into()),
            ]),
        ];
        assert_eq!(forms, [Form::List(inner)]);
    }

    #[test]
    fn mistakes_name_their_line() {
        assert_eq!(parse("(a\n(b)").unwrap_err(), "line 2: ) is missing");
        assert!(parse(")").is_err());
        assert!(parse("(a \"x)").is_err());
    }
}
